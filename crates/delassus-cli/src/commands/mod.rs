//! One file per command.

pub mod angles;
pub mod bench;
pub mod check;
pub mod contact;
pub mod examples;
pub mod expand;
pub mod fit;
pub mod impact;
pub mod map;
pub mod merge;
pub mod record;
pub mod report;
pub mod reproduce;
pub mod run;
pub mod schema;
pub mod score;
pub mod sweep;
