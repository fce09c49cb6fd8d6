//! What can be typed: the program's commands and options.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;
use crumple::methods::layered_depth::Tolerance;
use crumple::methods::spatial_hash::Touch;
use crumple_io::Format;

/// Collision detection for meshes that change shape.
#[derive(Debug, Parser)]
#[command(name = "crumple", version, about, after_help = EXAMPLES, max_term_width = 100)]
pub struct Cli {
    /// The question to ask; without one, the demonstration runs.
    #[command(subcommand)]
    pub command: Option<Command>,
    #[command(flatten)]
    pub common: Common,
}

const EXAMPLES: &str = "\
Examples:
  crumple                                    the demonstration: a report in crumple-report/
  crumple check shirt.obj                    does this surface hit itself?
  crumple check shirt.obj body.ply --json    and the body? as JSON
  crumple check --sequence frame_*.ply       which frame of this animation is broken?
  crumple step cloth_41.ply cloth_42.ply     what passed through what in between?
  crumple simulate drape --film drape.png    a cloth falls over a ball, and nothing crosses
  crumple untangle shirt.obj --out new.obj   move what crosses apart
  crumple judge garments/ --out verdicts.jsonl   which of these thousand files are broken?
  crumple inside organ.stl probes.xyz        which of these points are inside?
  crumple overlap a.off b.off                how much volume do they share?
  crumple distance a.obj b.obj --within 0.1  how close are they, and where?
  crumple info bunny.obj                     what is in this file?
  crumple reproduce T32                      a figure of a paper, measured again

Exit status: 0 nothing collides, 1 something collides (check, step) or is left (untangle), 2 bad input or usage.";

/// Pairs that a list may have unless told: some hundred megabytes of them.
pub const LIMIT: usize = 10_000_000;

/// Options that every command understands.
#[derive(Debug, Clone, Args)]
pub struct Common {
    /// Print one JSON document on standard output, and nothing else there.
    #[arg(long, global = true)]
    pub json: bool,
    /// Write the result to a file; the extension says how (.json always works; meshes: .obj .ply .vtu .pvd).
    #[arg(long, global = true, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Draw a picture of the result.
    #[arg(long, global = true, value_name = "FILE.png")]
    pub picture: Option<PathBuf>,
    /// The axis that points up in pictures.
    #[arg(long, global = true, value_enum, default_value = "y", value_name = "AXIS")]
    pub up: Axis,
    /// Number of threads; all cores unless told. Answers do not depend on it.
    #[arg(long, global = true, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
    /// Say on standard error what is done and why.
    #[arg(short, long, global = true)]
    pub verbose: bool,
}

/// A coordinate axis.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Axis {
    /// Along x.
    X,
    /// Along y.
    Y,
    /// Along z.
    Z,
}

impl Axis {
    /// Its direction.
    pub fn direction(self) -> [f64; 3] {
        match self {
            Self::X => [1.0, 0.0, 0.0],
            Self::Y => [0.0, 1.0, 0.0],
            Self::Z => [0.0, 0.0, 1.0],
        }
    }
}

/// One command each, in the order in which they are met.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Find intersecting triangles and vertices inside tets.
    Check(CheckArgs),
    /// Find what passes through what between two frames, and when.
    Step(StepArgs),
    /// List what is about to touch: vertices close to triangles, edges close to edges.
    Proximity(ProximityArgs),
    /// Simulate cloth and soft bodies that never pass through each other.
    Simulate(SimulateArgs),
    /// Move bodies until nothing crosses, as little as possible, and tell what cannot be undone.
    Untangle(UntangleArgs),
    /// Judge many files and sequences, each by itself, and go on where a run was stopped.
    Judge(JudgeArgs),
    /// Cut a mesh that is too large for one machine into tiles, to be checked one by one.
    Tile(TileArgs),
    /// Put together what was found in tiles or by shards.
    Merge(MergeArgs),
    /// Tell which points are inside a closed surface.
    Inside(InsideArgs),
    /// Measure the volume that two closed surfaces share.
    Overlap(OverlapArgs),
    /// Measure how close two surfaces are, and where.
    Distance(DistanceArgs),
    /// Cut a body along a plane or a blade, so that both sides can part.
    Cut(CutArgs),
    /// Show what is in mesh files: counts, topology, bad elements.
    Info(InfoArgs),
    /// Convert a mesh file, or write one of our scenes as a directory.
    Convert(ConvertArgs),
    /// Measure speed.
    Bench(BenchArgs),
    /// Replay the experiments of the five papers.
    Reproduce(ReproduceArgs),
    /// Open the live page: your own meshes, a playground, the papers.
    Page(PageArgs),
    /// Print a completion script for a shell.
    Completions {
        /// The shell.
        shell: Shell,
    },
    /// Print the manual page (roff).
    #[command(hide = true)]
    Manual,
}

/// How intersecting triangles are looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum MethodArg {
    /// Choose by what the bodies are.
    Auto,
    /// Shape regularity, for surfaces (Volino and Magnenat-Thalmann 1994, repaired).
    Regularity,
    /// Spatial hashing, for tets (Teschner et al. 2003, repaired).
    SpatialHash,
    /// The bucket tree, for surfaces and soups (Ganovelli et al. 2000, repaired).
    BucketTree,
    /// Everything against everything.
    BruteForce,
}

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
    #[arg(long, value_name = "MS", conflicts_with_all = ["method", "baseline"])]
    pub budget_ms: Option<f64>,
    /// Contacts that this JSON document of an earlier check lists are known: they are told apart and not counted.
    #[arg(long, value_name = "FILE.json")]
    pub baseline: Option<PathBuf>,
    /// Write a page about what was found, with the bodies to look around in; it opens in any browser and needs no network.
    /// A frame that cannot be read is then a row of the page, and the others are checked.
    #[arg(long, value_name = "FILE.html")]
    pub report: Option<PathBuf>,
    #[command(flatten)]
    pub range: FrameRange,
    /// Take the objects of an OBJ file, or the nodes of a glTF file, as bodies.
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
    #[arg(long, value_name = "closed|open|DEPTH", value_parser = touch)]
    pub touch: Option<Touch>,
    /// Vertices at most so far from a corner of a tet are that corner, and not in the tet; 0 for those at the same place.
    /// Files must have tets.
    #[arg(long, value_name = "D")]
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

/// `crumple step`.
#[derive(Debug, Args)]
#[command(after_help = "\
All vertices move on straight lines from the first frame to the second. Status 1 when something hits.

Examples:
  crumple step cloth_041.ply cloth_042.ply
  crumple step --from shirt_1.obj body_1.obj --to shirt_2.obj body_2.obj --json
  crumple step --queries data_0_0.csv --kind edge-edge --json")]
pub struct StepArgs {
    /// One body in the first frame, and in the second.
    #[arg(value_name = "FILE", num_args = 0..=2)]
    pub files: Vec<PathBuf>,
    /// The bodies in the first frame.
    #[arg(long, value_name = "FILE", num_args = 1.., conflicts_with = "files")]
    pub from: Vec<PathBuf>,
    /// The same bodies in the second frame, in the same order.
    #[arg(long, value_name = "FILE", num_args = 1.., conflicts_with = "files", requires = "from")]
    pub to: Vec<PathBuf>,
    /// Single queries instead, eight rows of rationals each.
    #[arg(long, value_name = "FILE.csv", conflicts_with_all = ["files", "from", "to"], requires = "kind")]
    pub queries: Option<PathBuf>,
    /// What the queries are about.
    #[arg(long, value_enum, requires = "queries")]
    pub kind: Option<QueryKind>,
    /// How far elements are ruled out.
    #[arg(long, value_enum, default_value = "auto", conflicts_with = "queries")]
    pub method: StepMethodArg,
}

/// How impacts are looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum StepMethodArg {
    /// Choose by what the bodies are.
    Auto,
    /// Shape regularity over time.
    Regularity,
    /// Boxes at both ends of the step.
    SweptBvh,
}

/// The features of single queries.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum QueryKind {
    /// A vertex and a triangle.
    VertexFace,
    /// Two edges.
    EdgeEdge,
}

/// `crumple proximity`.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  crumple proximity shirt.obj body.obj --within 0.002 --json")]
pub struct ProximityArgs {
    /// Mesh files; each is one body.
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Pairs closer than this are listed.
    #[arg(long, value_name = "D")]
    pub within: f64,
    /// Stop when there are more pairs than this.
    #[arg(long, value_name = "N", default_value_t = LIMIT)]
    pub limit: usize,
}

/// What counts as inside a tet.
fn touch(text: &str) -> Result<Touch, String> {
    match text {
        "closed" => Ok(Touch::Closed),
        "open" => Ok(Touch::Open),
        _ => text.parse().map(Touch::Deeper).map_err(|_| "closed, open, or a depth".to_owned()),
    }
}

/// `crumple cut`.
#[derive(Debug, Args)]
#[command(after_help = "\
Elements that the blade passes through are split along it; faces become triangles. A blade that ends inside leaves a slit.

Examples:
  crumple cut organ.vtk --plane 0,0,0,1,0,0 --out halves.vtu --picture halves.png
  crumple cut cloth_000.ply --sequence cloth_0*.ply --blade line.xyz --along 0,0,1 --out cut.ply")]
pub struct CutArgs {
    /// A surface or a tetrahedral mesh, where it is cut.
    pub file: PathBuf,
    /// Along the plane through a point, across a direction.
    #[arg(long, value_name = "X,Y,Z,NX,NY,NZ", value_parser = coordinates::<6>, allow_hyphen_values = true)]
    pub plane: Option<[f64; 6]>,
    /// Along a polyline, the vertices of this file in their order, swept by --along.
    #[arg(long, value_name = "FILE", conflicts_with = "plane", requires = "along")]
    pub blade: Option<PathBuf>,
    /// The way that the polyline is swept.
    #[arg(long, value_name = "X,Y,Z", value_parser = coordinates::<3>, allow_hyphen_values = true, requires = "blade")]
    pub along: Option<[f64; 3]>,
    /// Further frames of the same body, which get the same cut; --out is numbered then.
    #[arg(long, value_name = "FRAME", num_args = 1..)]
    pub sequence: Vec<PathBuf>,
}

fn coordinates<const N: usize>(text: &str) -> Result<[f64; N], String> {
    let numbers: Vec<f64> = text
        .split(',')
        .map(|x| x.trim().parse().map_err(|_| format!("{x} is not a number")))
        .collect::<Result<_, _>>()?;
    numbers.try_into().map_err(|given: Vec<f64>| format!("{} numbers, where {N} are needed", given.len()))
}

/// `crumple simulate`.
#[derive(Debug, Args)]
#[command(after_help = "\
SCENE is the name of a built-in scene (--list shows them) or a scene file, a TOML document with bodies, materials and
events; a mistake in it is told with its line. --print shows a built-in scene as such a file, to begin from.

In the mode never-cross nothing ever passes through anything, whatever the speed: every frame is checked by exact
detection. A start that crosses is refused there, unless --untangle takes it apart first.

Examples:
  crumple simulate drape --film drape.png
  crumple simulate towel --frames 600 --json
  crumple simulate my-scene.toml --out frames --frames-as vtu
  crumple simulate --print drape > my-scene.toml")]
pub struct SimulateArgs {
    /// A built-in scene or a scene file; `drape` unless told.
    #[arg(value_name = "SCENE")]
    pub scene: Option<String>,
    /// How many frames; as many as the scene says unless told.
    #[arg(long, value_name = "N")]
    pub frames: Option<usize>,
    /// Write a film, an animated PNG that browsers play.
    #[arg(long, value_name = "FILE.png")]
    pub film: Option<PathBuf>,
    /// What the frames in --out DIR are.
    #[arg(long, value_enum, default_value = "ply", value_name = "FORMAT")]
    pub frames_as: FramesAs,
    /// Whether things may cross; as the scene says unless told.
    #[arg(long, value_enum, value_name = "MODE")]
    pub mode: Option<ModeArg>,
    /// Take a start that crosses apart before the first frame.
    #[arg(long)]
    pub untangle: bool,
    /// List the built-in scenes.
    #[arg(long)]
    pub list: bool,
    /// Print a built-in scene as a scene file.
    #[arg(long, value_name = "NAME")]
    pub print: Option<String>,
}

/// Files of frames.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum FramesAs {
    /// `frame_0000.ply` …, surfaces.
    Ply,
    /// `frame_0000.vtu` … with tets, and `frames.pvd`, which ParaView plays.
    Vtu,
}

/// Whether things may cross.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ModeArg {
    /// Nothing crosses.
    NeverCross,
    /// What is fast enough gets through.
    Free,
}

/// `crumple untangle`.
#[derive(Debug, Args)]
#[command(after_help = "\
Each file is one body; OUT has all bodies that are not fixed, with their names, polygons and texture coordinates.
Status 1 when something is left. With --sequence the files are frames (as check takes them), each untangled on its own.

Examples:
  crumple untangle shirt.obj --out clean.obj --picture before-after.png
  crumple untangle shirt.obj --fixed body.ply --out clean.ply
  crumple untangle --sequence topology.obj positions.f32 --out clean.pvd --json")]
pub struct UntangleArgs {
    /// Mesh files; each is one body (or, with --sequence, one frame).
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// The files are the frames of one body.
    #[arg(long)]
    pub sequence: bool,
    /// Bodies that stay where they are; they are not written.
    #[arg(long, value_name = "FILE", num_args = 1..)]
    pub fixed: Vec<PathBuf>,
    /// How far apart surfaces shall be that crossed; a small part of the edges there unless told.
    #[arg(long, value_name = "D", allow_negative_numbers = true)]
    pub gap: Option<f64>,
    /// Rounds at most.
    #[arg(long, value_name = "N", default_value_t = 300)]
    pub rounds: usize,
}

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
    #[arg(long, value_name = "D")]
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
    #[arg(long, value_name = "D", default_value_t = 0.0)]
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

/// `crumple inside`.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  crumple inside organ.stl probes.xyz --json")]
pub struct InsideArgs {
    /// A closed surface or a tetrahedral mesh.
    pub mesh: PathBuf,
    /// Any readable file (its vertices are the points), or rows of x y z in .xyz or .csv.
    pub points: PathBuf,
    /// Accept a surface with holes; the answer is then where its winding number rounds to non-zero.
    #[arg(long)]
    pub allow_open: bool,
}

/// `crumple overlap`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  crumple overlap a.off b.off --resolution 256 --picture overlap.png
  crumple overlap a.off b.off --tolerance 0.01% --mesh common.ply
  crumple overlap a.off b.off --gpu    (layers drawn by a graphics processor, no bounds)
  crumple overlap a.off                (how much it overlaps itself)")]
pub struct OverlapArgs {
    /// The first closed surface.
    pub a: PathBuf,
    /// The second closed surface; without it, the first is measured against itself.
    pub b: Option<PathBuf>,
    /// Rays along each side of the common box, and cells along the longest side of --mesh (at most 512).
    #[arg(long, default_value_t = 128, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=8192))]
    pub resolution: u32,
    /// Refine until the bounds are at most this far apart: a volume, or a percentage of it ("0.01%").
    #[arg(long, value_name = "X", value_parser = tolerance)]
    pub tolerance: Option<Tolerance>,
    /// Also tell how the volume changes as each vertex moves.
    #[arg(long)]
    pub gradient: bool,
    /// Draw the layers on a graphics processor, or on the CPU where there is none (the answer is the same), and tell the
    /// sampled volume, without bounds. =any takes a software adapter too, =NAME the one with that name. Needs a program
    /// that was built with the feature gpu.
    #[arg(
        long,
        value_name = "ADAPTER",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "hardware",
        conflicts_with = "tolerance"
    )]
    pub gpu: Option<String>,
    /// Write the common volume as a closed surface: a manifold that does not cut itself, whose vertices lie on the
    /// surfaces. What is thinner than a cell may be missed.
    #[arg(long, value_name = "FILE")]
    pub mesh: Option<PathBuf>,
}

/// A volume, or a percentage.
fn tolerance(text: &str) -> Result<Tolerance, String> {
    let number = |text: &str| match text.trim().parse::<f64>() {
        Ok(x) if x >= 0.0 && x.is_finite() => Ok(x),
        _ => Err(format!("{text} is not a volume or a percentage")),
    };
    match text.strip_suffix('%') {
        Some(share) => Ok(Tolerance::Relative(number(share)? / 100.0)),
        None => Ok(Tolerance::Absolute(number(text)?)),
    }
}

/// `crumple distance`.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  crumple distance a.obj b.obj --within 0.05 --json")]
pub struct DistanceArgs {
    /// The first surface.
    pub a: PathBuf,
    /// The second surface.
    pub b: PathBuf,
    /// Also list every pair of triangles at most this far apart.
    #[arg(long, value_name = "EPS")]
    pub within: Option<f64>,
    /// Stop when there are more pairs than this.
    #[arg(long, value_name = "N", default_value_t = LIMIT, requires = "within")]
    pub limit: usize,
    /// Measure for at most so many milliseconds; the distance is then known between two bounds.
    #[arg(long, value_name = "MS", conflicts_with = "within")]
    pub budget_ms: Option<f64>,
}

/// `crumple info`.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  crumple info bunny.obj dragon.ply.gz --json")]
pub struct InfoArgs {
    /// Mesh files.
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
}

/// `crumple page`.
#[derive(Debug, Args)]
#[command(after_help = "\
Serves the page from memory to this machine only, and nothing else of the disk.

Examples:
  crumple page
  crumple page --to public/crumple")]
pub struct PageArgs {
    /// The port on 127.0.0.1; 0 takes any free one.
    #[arg(long, default_value_t = 8642)]
    pub port: u16,
    /// Write the page's files to this folder instead.
    #[arg(long, value_name = "FOLDER", conflicts_with = "port")]
    pub to: Option<PathBuf>,
}

/// `crumple convert`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  crumple convert scan.stl scan.ply
  crumple convert --scene drape-small scenes/drape-small
  crumple convert --scene my-scene.toml scenes/mine
  crumple convert --list")]
pub struct ConvertArgs {
    /// The file to read, and the file to write; with --scene only the directory to write into.
    #[arg(value_name = "FILE", required_unless_present = "list", num_args = 1..=2)]
    pub files: Vec<PathBuf>,
    /// Write this scene (a name from --list, or a .toml scene file) as a scene directory.
    #[arg(long, value_name = "NAME")]
    pub scene: Option<String>,
    /// List the scenes that have a name.
    #[arg(long, conflicts_with_all = ["files", "scene"])]
    pub list: bool,
}

/// A question that a benchmark asks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Question {
    /// Intersecting triangles within each body.
    #[value(name = "self")]
    Within,
    /// Intersecting triangles of different bodies.
    Pairs,
    /// Vertices inside tets.
    Tets,
    /// Points inside a surface.
    Inside,
    /// The volume that two bodies share.
    Overlap,
    /// The distances of all pairs of bodies.
    Distance,
    /// What hits what from each frame to the next.
    Step,
    /// Vertex-triangle and edge-edge pairs closer than --within.
    Proximity,
    /// Contacts of every frame as if it were the only one: nothing is kept.
    Once,
    /// Contacts between bodies of every frame as if it were the only one.
    OncePairs,
    /// Contacts after each of some elements was removed from the largest body.
    Edit,
    /// All questions of one scene (query), beside the sum of each in a scene of its own (build).
    All,
}

impl Question {
    /// As it is typed.
    pub fn name(self) -> &'static str {
        match self {
            Self::Within => "self",
            Self::Pairs => "pairs",
            Self::Tets => "tets",
            Self::Inside => "inside",
            Self::Overlap => "overlap",
            Self::Distance => "distance",
            Self::Step => "step",
            Self::Proximity => "proximity",
            Self::Once => "once",
            Self::OncePairs => "once-pairs",
            Self::Edit => "edit",
            Self::All => "all",
        }
    }
}

/// A method to measure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum BenchMethod {
    /// The program's own choice.
    Auto,
    /// Shape regularity: self, pairs.
    Regularity,
    /// Spatial hashing: tets, self, pairs.
    SpatialHash,
    /// The bucket tree: self, pairs.
    BucketTree,
    /// Layered depth images: inside, overlap.
    LayeredDepth,
    /// The distance hierarchy: distance.
    DistanceHierarchy,
    /// Everything against everything: each question.
    BruteForce,
}

impl BenchMethod {
    /// As it is typed.
    pub fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Regularity => "regularity",
            Self::SpatialHash => "spatial-hash",
            Self::BucketTree => "bucket-tree",
            Self::LayeredDepth => "layered-depth",
            Self::DistanceHierarchy => "distance-hierarchy",
            Self::BruteForce => "brute-force",
        }
    }
}

/// `crumple bench`.
#[derive(Debug, Args)]
#[command(after_help = "\
Without --scene our own benchmarks run, on one thread unless --threads says otherwise; every count is verified.
Examples:
  crumple bench
  crumple bench --definitions mine.toml --record benchmarks/record
  crumple bench --scene scenes/sphere-320k --question self --threads 1 --json")]
pub struct BenchArgs {
    /// A scene directory (manifest.json and raw arrays), the name of one of our scenes, or a .toml scene file.
    #[arg(long, value_name = "SCENE", requires = "question")]
    pub scene: Option<PathBuf>,
    /// What to ask.
    #[arg(long, value_enum, requires = "scene")]
    pub question: Option<Question>,
    /// Only this body (question self).
    #[arg(long, value_name = "K", requires = "scene")]
    pub body: Option<usize>,
    /// The method; automatic unless told.
    #[arg(long, value_enum, default_value = "auto")]
    pub method: BenchMethod,
    /// Rounds through the frames; a frame's time is its best. Automatic unless told.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub rounds: Option<u32>,
    /// Run the benchmarks of this file instead of our own.
    #[arg(long, value_name = "FILE.toml", conflicts_with = "scene")]
    pub definitions: Option<PathBuf>,
    /// Append what was measured to DIR/<machine>/<date>.csv.
    #[arg(long, value_name = "DIR")]
    pub record: Option<PathBuf>,
    /// Count the pairs of vertices of different bodies at most this far apart (question distance), or the close pairs of
    /// features (question proximity).
    #[arg(long, value_name = "EPS", requires = "question")]
    pub within: Option<f64>,
    /// Keep nothing from one frame for the next (question distance).
    #[arg(long, requires = "question")]
    pub cold: bool,
    /// Find only the first impact of each step; results: the sum of the shares of steps that touch nothing (question step).
    #[arg(long, requires = "question")]
    pub earliest: bool,
    /// Remove so many elements in each edit (question edit).
    #[arg(long, requires = "question", value_name = "K", default_value_t = 1)]
    pub elements: usize,
}

/// `crumple reproduce`.
#[derive(Debug, Args)]
#[command(after_help = "\
Without an ID every experiment runs, in a few minutes, and the report is crumple-report/reproduce.html.
Examples:
  crumple reproduce
  crumple reproduce T32
  crumple reproduce V18 V19 --out volino.html
  crumple reproduce --list")]
pub struct ReproduceArgs {
    /// Experiments by id, such as T32 or V18.
    #[arg(value_name = "ID")]
    pub ids: Vec<String>,
    /// List the experiments.
    #[arg(long, conflicts_with = "ids")]
    pub list: bool,
    /// Run as many steps as the papers did, not a sample: minutes instead of seconds.
    #[arg(long)]
    pub full: bool,
    /// One row of a comparison in a process of its own, for its memory.
    #[arg(long, value_name = "SCENE:METHOD", hide = true)]
    pub alone: Option<String>,
}
