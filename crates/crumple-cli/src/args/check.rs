//! What can be typed after `crumple check`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use crumple::methods::spatial_hash::Touch;
use crumple_io::Format;

use super::{LIMIT, MethodArg};

/// `crumple check`.
#[derive(Debug, Args)]
#[command(after_help = "\
Each file is one body of one scene. Surfaces are checked for intersecting triangles, within and between bodies;
tetrahedral meshes also for vertices inside tets and edges through tets.

The frames of a --sequence are numbered files, one .pvd or .vtk.series, or a base mesh followed by one .pc2, .mdd,
.f32 or .f64 positions file. Several sequences, still bodies and fixed bodies are checked together.

Examples:
  crumple check shirt.obj --picture shirt.png
  crumple check shirt.obj body.ply --out marked.vtu
  crumple check --sequence shirt_*.ply --sequence body_*.ply --fixed floor.obj --report shirt.html
  crumple check --sequence topology.obj positions.f32 --every 10 --json
  crumple check hair.obj head.obj --out known.json         (these are meant to be so;)
  crumple check hair.obj head.obj --baseline known.json    (tell me what is new)")]
pub struct CheckArgs {
    /// Mesh files; each is one body (or, with a bare --sequence, one frame).
    #[arg(required_unless_present_any = ["sequence", "fixed"], value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// The frames of one more body; can be given several times, with equally many frames each.
    #[arg(long, value_name = "FRAME", num_args = 0.., action = clap::ArgAction::Append)]
    sequence: Vec<PathBuf>,
    /// The frames of each body that moves; see [`CheckArgs::gather`].
    #[arg(skip)]
    pub sequences: Vec<Vec<PathBuf>>,
    /// Bodies that do not move; they are not tested against each other, nor against themselves.
    #[arg(long, value_name = "FILE", num_args = 1..)]
    pub fixed: Vec<PathBuf>,
    /// Check between the frames of sequences too: what passes through what on the straight way from each to the next.
    #[arg(long)]
    pub continuous: bool,
    /// Spend at most so many milliseconds on the contacts of a frame, and tell where the search did not come to. Status 2
    /// when nothing was found and something is undecided.
    #[arg(long, value_name = "MS", conflicts_with_all = ["method", "baseline"], allow_negative_numbers = true)]
    pub budget_ms: Option<f64>,
    /// The same, but at most so many visits of nodes: the search ends at the same place on every machine.
    #[arg(long, value_name = "N", conflicts_with_all = ["method", "baseline"])]
    pub budget_visits: Option<u64>,
    /// The first body was cut, as this document of `crumple cut --json` says: what touches because of the cut is left out until
    /// its sides have parted for the first time.
    #[arg(long, value_name = "FILE.json", conflicts_with_all = ["budget_ms", "budget_visits"])]
    pub cut: Option<PathBuf>,
    /// How far from the seam of --cut contacts are left out; two mean edges there unless told.
    #[arg(long, value_name = "D", requires = "cut", allow_negative_numbers = true)]
    pub cut_depth: Option<f64>,
    /// Contacts that this JSON document of an earlier check lists are known: they are told apart and not counted.
    #[arg(long, value_name = "FILE.json")]
    pub baseline: Option<PathBuf>,
    /// Write a page about what was found, with the bodies to look around in; it opens in any browser and needs no network.
    /// A frame that cannot be read is then a row of the page, and the others are checked.
    #[arg(long, value_name = "FILE.html")]
    pub report: Option<PathBuf>,
    #[command(flatten)]
    pub range: FrameRange,
    /// Take the objects of an OBJ file, or the nodes of a glTF or FBX file, as bodies.
    #[arg(long, value_enum, value_name = "WHAT")]
    pub split: Option<Split>,
    /// The format of the files, whatever their names say; needed for standard input (-).
    #[arg(long, value_name = "NAME", value_parser = format)]
    pub format: Option<Format>,
    /// The method for triangles.
    #[arg(long, value_enum, default_value = "auto")]
    pub method: MethodArg,
    /// Which vertices are in a tet: those on its skin too (closed), only those inside (open), or only those deeper than a
    /// distance below each of its faces. Without it, closed. Files must have tets.
    #[arg(long, value_name = "closed|open|DEPTH", value_parser = touch, allow_negative_numbers = true)]
    pub touch: Option<Touch>,
    /// Vertices at most so far from a corner of a tet are that corner, and not in the tet; 0 for those at the same place.
    /// Files must have tets.
    #[arg(long, value_name = "D", allow_negative_numbers = true)]
    pub weld: Option<f64>,
    /// Stop at a frame with more rows than this in a list.
    #[arg(long, value_name = "N", default_value_t = LIMIT)]
    pub limit: usize,
    /// Draw the method's structure into the picture: regions, buckets, and what was tested.
    #[arg(long, requires = "picture")]
    pub structure: bool,
}

/// Which frames of sequences are checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Args)]
pub struct FrameRange {
    /// Take only every so many frames of sequences.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    pub every: u32,
    /// The first frame that is checked, counted from 0.
    #[arg(long, value_name = "FRAME", default_value_t = 0)]
    pub from: usize,
    /// The last frame that is checked, itself included.
    #[arg(long, value_name = "FRAME")]
    pub to: Option<usize>,
}

impl Default for FrameRange {
    fn default() -> Self {
        Self { every: 1, from: 0, to: None }
    }
}

/// What a file is taken apart into.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Split {
    /// Its objects.
    Objects,
}

fn format(name: &str) -> Result<Format, String> {
    Format::from_name(name)
        .ok_or_else(|| "not a format that is read; take an extension such as obj or ply".to_owned())
}

impl CheckArgs {
    /// Takes the frames of each `--sequence` apart, which the parser lays end to end.
    pub fn gather(&mut self, matches: &clap::ArgMatches) {
        let occurrences = matches.get_occurrences::<PathBuf>("sequence").into_iter().flatten();
        self.sequences = occurrences.map(|files| files.cloned().collect()).collect();
    }
}

/// What counts as inside a tet.
fn touch(text: &str) -> Result<Touch, String> {
    match text {
        "closed" => Ok(Touch::Closed),
        "open" => Ok(Touch::Open),
        _ => text.parse().map(Touch::Deeper).map_err(|_| "closed, open, or a depth".to_owned()),
    }
}
