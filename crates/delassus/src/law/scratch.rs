//! Scratch memory of a law's own kind.

use std::any::Any;
use std::fmt;

/// Buffers of any types, one of each.
#[derive(Default)]
pub(super) struct Scratch(Vec<Box<dyn Any + Send + Sync>>);

impl Scratch {
    /// The buffers of that type.
    pub fn of<T: Any + Default + Send + Sync>(&mut self) -> &mut T {
        // There are as many as laws that were asked: few.
        let place = self.0.iter().position(|own| own.is::<T>()).unwrap_or_else(|| {
            self.0.push(Box::new(T::default()));
            self.0.len() - 1
        });
        self.0[place].downcast_mut().expect("a value of the type that was looked for")
    }
}

/// What is in scratch memory does not matter: a copy begins without.
impl Clone for Scratch {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl fmt::Debug for Scratch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Scratch({})", self.0.len())
    }
}
