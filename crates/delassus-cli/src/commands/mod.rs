//! One file per command.

pub mod angles;
pub mod bench;
pub mod check;
pub mod examples;
pub mod expand;
pub mod impact;
pub mod run;
pub mod reproduce;
pub mod schema;
