//! What the tests of the program share.
#![allow(dead_code, reason = "each test file uses its part")]

use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

/// A file of the project's test data.
pub fn testdata(name: &str) -> String {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata").join(name).display().to_string()
}

/// Runs the program.
pub fn crumple(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_crumple")).args(args).output().expect("the program starts")
}

/// The JSON document of a run that ends with this status and says nothing else.
pub fn json(args: &[&str], status: i32) -> Value {
    let output = crumple(&[args, &["--json"]].concat());
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(status), "{args:?}: {stderr}");
    assert!(stderr.is_empty(), "{args:?} says {stderr}");
    serde_json::from_slice(&output.stdout).expect("one JSON document")
}

/// A run that ends with status 2 and one message holding these words.
pub fn refused(args: &[&str], words: &[&str]) {
    let output = crumple(args);
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{args:?}: {stderr}");
    assert!(output.stdout.is_empty(), "{args:?}");
    for word in words {
        assert!(stderr.contains(word), "{args:?}: no {word:?} in {stderr:?}");
    }
    // Nothing is told twice.
    let line = stderr.lines().next().unwrap_or_default();
    let last = line.rsplit(": ").next().unwrap_or_default();
    assert!(!line.ends_with(&format!(": {last}: {last}")), "{args:?}: {stderr:?}");
}

/// A fresh directory of its own.
pub struct Scratch(tempfile::TempDir);

impl Scratch {
    pub fn new() -> Self {
        Self(tempfile::tempdir().expect("a temporary directory"))
    }

    /// A name in it.
    pub fn path(&self, name: &str) -> String {
        self.0.path().join(name).display().to_string()
    }

    /// A file in it.
    pub fn file(&self, name: &str, content: &str) -> String {
        let path = self.path(name);
        std::fs::write(&path, content).expect("written");
        path
    }
}
