//! Impact mechanics of rigid bodies that touch at several points at once.
