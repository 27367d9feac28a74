//! The JSON schema of problem files.

/// The JSON schema of problem files (TOML files have the same keys).
pub fn problem_schema() -> &'static str {
    include_str!("problem.schema.json")
}
