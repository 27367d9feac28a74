//! One file per command.

pub mod check;
pub mod examples;
pub mod expand;
pub mod impact;
pub mod run;
pub mod schema;
