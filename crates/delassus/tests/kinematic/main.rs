//! The kinetic metric and the law `kinematic`, against closed forms and properties.

mod balls;
mod block;
mod friction;
mod input;
mod intervals;
mod metric;
mod properties;
mod support;
