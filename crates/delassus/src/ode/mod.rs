//! Dormand–Prince stages over reused buffers.
//!
//! Why not a crate: the state at an event has to come from a step that ends
//! there, an interpolant is only good to about 5e-9 on the functions that
//! occur here; event tolerances must not be absolute in time; and no state may
//! be cloned per step, because impacts are many and flights between them short.

mod dormand_prince;

pub(crate) use dormand_prince::DormandPrince;
