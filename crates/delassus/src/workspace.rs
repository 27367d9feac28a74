//! Buffers that laws and checks reuse from impact to impact.

/// Scratch memory for [`resolve_into`](crate::resolve_into). One per thread;
/// it grows to the largest problem seen and then allocates nothing.
#[derive(Debug, Clone, Default)]
pub struct Workspace {
    pub(crate) lzb: crate::law::LzbBuffers,
}
