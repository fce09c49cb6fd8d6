//! What a method takes of memory: the peak of a process that does nothing else.

use std::process::Command;

use anyhow::{Context, Result, bail};

/// A row of a table: a scene, and a method or none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Row {
    pub scene: usize,
    pub method: Option<usize>,
}

impl Row {
    fn text(self) -> String {
        let method = self.method.map_or("none".to_owned(), |m| m.to_string());
        format!("{}:{method}", self.scene)
    }

    /// From what [`of`] hands to the process.
    pub fn parse(text: &str) -> Result<Self> {
        let parts = text.split_once(':').and_then(|(scene, method)| {
            let method = if method == "none" { None } else { Some(method.parse().ok()?) };
            Some(Self { scene: scene.parse().ok()?, method })
        });
        parts.with_context(|| format!("no row {text:?}"))
    }
}

/// Bytes of the kilobyte that the system counts in.
const KILOBYTE: u64 = 1024;

/// The largest number of bytes that this process has had in memory; `None` where the system does not tell.
pub fn peak() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = text.lines().find(|l| l.starts_with("VmHWM:"))?;
    line.split_whitespace().nth(1)?.parse::<u64>().ok().map(|kilobytes| KILOBYTE * kilobytes)
}

/// Peak memory of one row of an experiment in a process of its own; `None` where the system does not tell.
pub fn of(id: &str, row: Row) -> Result<Option<u64>> {
    if peak().is_none() {
        return Ok(None);
    }
    let program = std::env::current_exe().context("where this program is")?;
    let args = ["reproduce", id, "--alone", &row.text(), "--threads", "1"];
    let output = Command::new(program).args(args).output().context("a process for one row")?;
    if !output.status.success() {
        bail!("{id}, row {}: {}", row.text(), String::from_utf8_lossy(&output.stderr).trim());
    }
    let text = String::from_utf8_lossy(&output.stdout);
    Ok(Some(text.trim().parse().with_context(|| format!("{id}, row {}: {text:?}", row.text()))?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_told_from_each_other() {
        for row in [Row { scene: 2, method: None }, Row { scene: 0, method: Some(11) }] {
            assert_eq!(Row::parse(&row.text()).unwrap(), row);
        }
        assert!(Row::parse("2").is_err() && Row::parse("a:1").is_err());
    }
}
