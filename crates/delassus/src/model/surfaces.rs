//! Materials of pairs that are looked up when they touch.

use std::collections::HashMap;

use super::Surface;

/// Materials of pairs: bodies are counted first, then supports.
#[derive(Debug, Clone)]
pub(crate) struct Surfaces {
    pub general: Surface,
    pub pairs: HashMap<[usize; 2], Surface>,
}

impl Surfaces {
    pub fn of(&self, a: usize, b: usize) -> Surface {
        if self.pairs.is_empty() {
            return self.general;
        }
        self.pairs.get(&[a.min(b), a.max(b)]).copied().unwrap_or(self.general)
    }
}
