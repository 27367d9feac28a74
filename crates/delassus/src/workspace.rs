//! Buffers that laws and checks reuse from impact to impact.

use crate::law::InclusionWork;
use crate::law::sequential::SequenceWork;
use crate::law::single::SingleContact;

/// Scratch memory for [`resolve_into`](crate::resolve_into). One per thread;
/// it grows to the largest problem seen and then allocates nothing.
#[derive(Debug, Clone, Default)]
pub struct Workspace {
    /// One contact with the joints eliminated.
    pub(crate) single: SingleContact,
    /// A sequence of collisions.
    pub(crate) sequence: SequenceWork,
    pub(crate) inclusion: InclusionWork,
    /// Mu⁺, then the residual of the momentum balance (n).
    pub(crate) momentum: Vec<f64>,
    /// n entries.
    pub(crate) velocity: Vec<f64>,
    pub(crate) lzb: crate::law::LzbBuffers,
}
