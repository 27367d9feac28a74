//! Buffers that laws and checks reuse from impact to impact.

use crate::certify;
use crate::claim::Claim;
use crate::law;

/// Scratch memory for [`resolve_into`](crate::resolve_into). One per thread;
/// it grows to the largest problem seen and then allocates nothing.
#[derive(Debug, Clone, Default)]
pub struct Workspace {
    pub(crate) laws: law::Buffers,
    pub(crate) claim: Claim,
    pub(crate) checks: certify::Buffers,
}
