//! What tests of the program share.
#![allow(dead_code)] // Not every test uses everything.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;

pub fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

pub fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

/// Runs the program.
pub fn delassus(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_delassus")).args(args).output().unwrap()
}

/// What it printed, where it ended well.
pub fn json_of_success(output: &Output) -> Value {
    assert!(output.status.success(), "{}", stderr(output));
    json(output)
}

pub fn json(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).unwrap_or_else(|e| panic!("{e}: {}{}", stdout(output), stderr(output)))
}

/// A file of the embedded examples.
pub fn example(name: &str) -> String {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("examples").join(name).display().to_string()
}

/// A path of that name under the target directory, where nothing is.
pub fn free(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&path);
    path
}

/// An empty directory of that name under the target directory.
pub fn scratch(name: &str) -> PathBuf {
    let path = free(name);
    std::fs::create_dir_all(&path).unwrap();
    path
}
