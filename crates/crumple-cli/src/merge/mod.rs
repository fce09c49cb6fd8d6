//! `crumple merge`: the parts of many machines as one answer.

mod tiles;

use anyhow::{Context, Result, bail};

use crate::args::{Common, MergeArgs};
use crate::judge::{self, Row};
use crate::output;

/// Merges the results files of `judge` shards, or what `check` and `proximity` found in the tiles of a mesh.
pub fn run(args: &MergeArgs, common: &Common) -> Result<u8> {
    let files = output::expand(&args.parts)?;
    let base = judge::folder_of(common.out.as_deref());
    let mut documents = Vec::new();
    let mut rows: Vec<Row> = Vec::new();
    for path in &files {
        let text =
            std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
        let first = text.lines().next().unwrap_or_default();
        // A shard that got no unit has an empty file.
        if text.trim().is_empty() || Row::parse(first).is_ok() {
            let from = judge::folder_of(Some(path));
            rows.extend(judge::read(path)?.into_iter().map(|row| row.seen_from(base, from)));
        } else {
            documents.push((path, text));
        }
    }
    if documents.is_empty() {
        return shards(rows, args, common);
    }
    if !rows.is_empty() {
        bail!("{} is of another kind than the other parts", documents[0].0.display());
    }
    if let Some(path) = common.out.as_ref().filter(|p| !output::has_extension(p, "json")) {
        bail!("--out {}: what was found in tiles is one document, a .json file", path.display());
    }
    tiles::merge(&documents, common)
}

/// Rows of all shards in the order of units: what one run would have written.
fn shards(rows: Vec<Row>, args: &MergeArgs, common: &Common) -> Result<u8> {
    let rows = judge::latest(rows);
    if let Some(path) = common.out.as_ref().filter(|p| output::has_extension(p, "jsonl")) {
        let lines: String = rows.iter().map(Row::line).collect::<Result<_>>()?;
        crumple_io::write_file(path, |out| out.write_all(lines.as_bytes()))?;
    }
    judge::tell(&rows, 0, judge::folder_of(common.out.as_deref()), &args.outcome, common)
}
