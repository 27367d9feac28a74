//! Files of delassus: problems in (TOML or JSON), outcomes out (JSON).
//!
//! ```
//! use delassus_io::{Format, ReadOptions, read_problems};
//! let text = r#"
//! mass = [2.0]              # kg, one falling ball
//! velocity = [-1.0]         # m/s
//! [[contact]]
//! name = "floor"
//! normal = [1.0]
//! restitution = 0.5
//! "#;
//! let document = read_problems(text, "ball.toml", Format::Toml, &ReadOptions::default())?;
//! assert_eq!(document.entries[0].problem.gamma_minus(), [-1.0]);
//! # Ok::<(), delassus_io::InputError>(())
//! ```
#![forbid(unsafe_code)]

mod bytes;
mod contact;
mod csv;
mod error;
mod fault;
mod law;
mod measured;
mod nearest;
mod npz;
mod numbers;
#[cfg(feature = "parquet")]
mod parquet;
mod path;
mod problem;
mod read;
mod record;
mod run;
mod scenario;
mod scenario_schema;
mod scenario_tree;
mod schema;
mod short;
mod snapshot;
mod spatial;
mod tables;
mod trajectory;
mod tree;
mod write;

pub use contact::{
    ContactFile, ContactInput, read_contact, read_contacts, read_contacts_from, read_dat, read_fclib, write_dat,
    write_fclib,
};
pub use csv::{csv_fields, csv_number, push_csv_row};
pub use error::InputError;
pub use law::{LawTable, law_by_name};
pub use measured::{Table, read_measured};
pub use nearest::nearest;
pub use npz::write_npz;
#[cfg(feature = "parquet")]
pub use parquet::{ColumnKind, FromParquet, csv_to_parquet, is_parquet, parquet_to_csv};
pub use problem::problem_value;
pub use read::{Checker, Document, Draft, Drafts, Entry, Format, ReadOptions, parse_problems, read_problems};
pub use record::{RecordData, RecordFormat, SettledRecord, choose_component, in_g, read_records};
pub use run::{GroundRecord, RunRecord, write_runs};
pub use scenario::{
    ScenarioDocument, ScenarioEntry, in_space, is_scenario, read_record_source, read_scenarios, write_expanded,
    write_problem,
};
pub use scenario_schema::scenario_schema;
pub use scenario_tree::{scenario_from_value, scenario_to_value};
pub use schema::{ShortForm, describe, problem_schema, short_forms};
pub use snapshot::{Kept, SnapshotWriter, read_snapshots};
pub use trajectory::{displacements, state_unit, write_columns, write_csv, write_impacts};
pub use write::{OutcomeRecord, write_outcomes};
