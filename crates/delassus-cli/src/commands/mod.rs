//! One file per command.

pub mod check;
pub mod examples;
pub mod impact;
pub mod schema;
