//! What can be typed after `crumple judge`, `tile` and `merge`.

use std::path::PathBuf;

use clap::Args;

/// `crumple judge`.
#[derive(Debug, Args)]
#[command(after_help = "\
A folder is searched for mesh files; each is judged by itself. A mesh with a point cache beside it, and a .pvd or .series
file, is a sequence. A list is a text file with one file a line; several files on a line, with tabs between them, are a sequence.

Results are appended to --out, one line each, keyed by the content of the files: a run that was stopped or killed goes on where
it was. Shards of one job run anywhere without knowing of each other; crumple merge puts their files together.

Examples:
  crumple judge garments/ --out verdicts.jsonl --reports pages --summary verdicts.html --junit verdicts.xml
  crumple judge garments/ --out part-$SLURM_ARRAY_TASK_ID.jsonl --shard $SLURM_ARRAY_TASK_ID/8
  seq 0 7 | parallel crumple judge garments/ --out part-{}.jsonl --shard {}/8

Exit status: 0 all passed, 1 something collides beyond what is allowed, 2 something could not be judged.")]
pub struct JudgeArgs {
    /// Folders, mesh files, or text files that list them.
    #[arg(required = true, value_name = "DIR|LIST|FILE")]
    pub what: Vec<PathBuf>,
    /// In folders, take files whose names differ only in their last number for the frames of one sequence.
    #[arg(long)]
    pub sequences: bool,
    /// Check between the frames of sequences too.
    #[arg(long)]
    pub continuous: bool,
    /// Take only every so many frames of sequences.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    pub every: u32,
    /// Judge long sequences as units of at most so many frames each; with --continuous, the step between two units belongs to
    /// the later one.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub split_frames: Option<u32>,
    /// Judge at most so many units in this run; the next run goes on.
    #[arg(long, value_name = "N")]
    pub limit: Option<usize>,
    /// Judge only every N-th unit, from the I-th on, counted from 0.
    #[arg(long, value_name = "I/N")]
    pub shard: Option<Shard>,
    /// Write a page about each unit that collides or is broken into this folder.
    #[arg(long, value_name = "DIR")]
    pub reports: Option<PathBuf>,
    #[command(flatten)]
    pub outcome: Outcome,
}

/// What is allowed, and how the outcome of many units is told.
#[derive(Debug, Clone, Args)]
pub struct Outcome {
    /// So many hits of a unit are allowed.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub allow_pairs: usize,
    /// A unit whose collisions are deeper than this fails, however few they are.
    #[arg(long, value_name = "D", allow_negative_numbers = true)]
    pub allow_depth: Option<f64>,
    /// Write a page with all verdicts and links to the pages of units.
    #[arg(long, value_name = "FILE.html")]
    pub summary: Option<PathBuf>,
    /// Write JUnit XML, which build servers read.
    #[arg(long, value_name = "FILE.xml")]
    pub junit: Option<PathBuf>,
}

impl Outcome {
    /// The thresholds. A depth alone allows any number of shallower collisions.
    pub fn allowed(&self) -> crate::judge::Allowed {
        let is_depth_alone = self.allow_pairs == 0 && self.allow_depth.is_some();
        let pairs = if is_depth_alone { usize::MAX } else { self.allow_pairs };
        crate::judge::Allowed { pairs, depth: self.allow_depth }
    }
}

/// One of several runs that share the work.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shard {
    /// Which, from 0.
    pub index: usize,
    /// Of how many.
    pub of: usize,
}

impl std::str::FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let numbers = text.split_once('/').map(|(i, n)| (i.parse(), n.parse()));
        match numbers {
            Some((Ok(index), Ok(of))) if index < of => Ok(Self { index, of }),
            _ => Err("a shard is I/N with I from 0 to N-1, as in 0/8".to_owned()),
        }
    }
}

/// `crumple tile`.
#[derive(Debug, Args)]
#[command(after_help = "\
OBJ and binary PLY are read as a stream: memory follows the largest tile, not the mesh. Other formats are read whole first.

Examples:
  crumple tile scan.ply --tiles 64 --out tiles
  for t in tiles/tile_*.ply; do crumple check $t --json --out ${t%.ply}.json; done
  crumple merge tiles/tile_*.json --json")]
pub struct TileArgs {
    /// The mesh.
    pub file: PathBuf,
    /// Into how many tiles it is cut.
    #[arg(long, value_name = "N")]
    pub tiles: usize,
    /// Let tiles reach so much further that pairs at this distance are found too (proximity --within).
    #[arg(long, value_name = "D", default_value_t = 0.0, allow_negative_numbers = true)]
    pub margin: f64,
}

/// `crumple merge`.
#[derive(Debug, Args)]
#[command(after_help = "\
Parts are the .json files of check (or proximity) on all tiles of one mesh: the document of the whole is printed. Or they are
the .jsonl files of judge --shard: they are put together in the order of one run, and --out writes the merged file.

Examples:
  crumple merge tiles/tile_*.json --json
  crumple merge part-*.jsonl --out verdicts.jsonl --summary verdicts.html --junit verdicts.xml")]
pub struct MergeArgs {
    /// What was found in the parts.
    #[arg(required = true, value_name = "PART")]
    pub parts: Vec<PathBuf>,
    #[command(flatten)]
    pub outcome: Outcome,
}
