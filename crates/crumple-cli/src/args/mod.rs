//! What can be typed: the program's commands and options.

mod bench;
mod check;
mod judge;

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;
use crumple::methods::layered_depth::Tolerance;

pub use self::bench::{AfterEdit, BenchArgs, BenchMethod, Question};
pub use self::check::{CheckArgs, FrameRange, Split};
pub use self::judge::{JudgeArgs, MergeArgs, Outcome, TileArgs};

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
    /// Write the result to a file; the extension says how (.json of most commands; meshes: .obj .ply .vtu .pvd).
    #[arg(long, global = true, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Draw a picture of the result.
    #[arg(long, global = true, value_name = "FILE.png")]
    pub picture: Option<PathBuf>,
    /// The axis that points up in pictures and reports; y unless told.
    #[arg(long, global = true, value_enum, value_name = "AXIS")]
    pub up: Option<Axis>,
    /// Number of threads; all cores unless told. Answers do not depend on it.
    #[arg(long, global = true, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
    /// Say on standard error what is done and why.
    #[arg(short, long, global = true)]
    pub verbose: bool,
}

impl Common {
    /// The direction that points up in pictures and reports.
    pub fn upward(&self) -> [f64; 3] {
        self.up.unwrap_or(Axis::Y).direction()
    }
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
    #[arg(long, value_name = "D", allow_negative_numbers = true)]
    pub within: f64,
    /// Stop when there are more pairs than this.
    #[arg(long, value_name = "N", default_value_t = LIMIT)]
    pub limit: usize,
}

/// `crumple cut`.
#[derive(Debug, Args)]
#[command(after_help = "\
Elements that the blade passes through are split along it; faces become triangles. A blade that ends inside leaves a slit.

Examples:
  crumple cut organ.vtk --plane 0,0,0,1,0,0 --out halves.vtu --picture halves.png
  crumple cut organ.vtk --plane 0,0,0,1,0,0 --out slit.vtu --json > cut.json
  crumple check --sequence slit_*.vtu --cut cut.json
  crumple cut organ.vtk --blade scalpel.stl --out halves.vtu
  crumple cut cloth_000.ply --sequence cloth_0*.ply --blade line.xyz --along 0,0,1 --out cut.ply")]
pub struct CutArgs {
    /// A surface or a tetrahedral mesh, where it is cut.
    pub file: PathBuf,
    /// Along the plane through a point, across a direction.
    #[arg(long, value_name = "X,Y,Z,NX,NY,NZ", value_parser = coordinates::<6>, allow_hyphen_values = true)]
    pub plane: Option<[f64; 6]>,
    /// Along the surface in this file, open or closed; with --along, along a polyline, its vertices in their order, that is swept.
    #[arg(long, value_name = "FILE", conflicts_with = "plane")]
    pub blade: Option<PathBuf>,
    /// The way that the polyline is swept.
    #[arg(long, value_name = "X,Y,Z", value_parser = coordinates::<3>, allow_hyphen_values = true, requires = "blade")]
    pub along: Option<[f64; 3]>,
    /// Further frames of the same body, which get the same cut; --out is numbered then.
    #[arg(long, value_name = "FRAME", num_args = 1..)]
    pub sequence: Vec<PathBuf>,
    /// How far from the seam contacts of its two sides are not counted, until they have parted; two mean edges there unless
    /// told.
    #[arg(long, value_name = "D", allow_negative_numbers = true)]
    pub depth: Option<f64>,
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
    /// What the frames in --out DIR are; ply unless told.
    #[arg(long, value_enum, value_name = "FORMAT")]
    pub frames_as: Option<FramesAs>,
    /// Whether things may cross; as the scene says unless told.
    #[arg(long, value_enum, value_name = "MODE")]
    pub mode: Option<ModeArg>,
    /// Take a start that crosses apart before the first frame.
    #[arg(long)]
    pub untangle: bool,
    /// List the built-in scenes.
    #[arg(long, conflicts_with_all = ["scene", "frames", "film", "frames_as", "mode", "untangle"])]
    pub list: bool,
    /// Print a built-in scene as a scene file.
    #[arg(long, value_name = "NAME", conflicts_with_all = ["scene", "frames", "film", "frames_as", "mode", "untangle", "list"])]
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
    #[arg(long, value_name = "X", value_parser = tolerance, allow_negative_numbers = true)]
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
    #[arg(long, value_name = "EPS", allow_negative_numbers = true)]
    pub within: Option<f64>,
    /// Stop when there are more pairs than this.
    #[arg(long, value_name = "N", default_value_t = LIMIT, requires = "within")]
    pub limit: usize,
    /// Measure for at most so many milliseconds; the distance is then known between two bounds.
    #[arg(long, value_name = "MS", conflicts_with = "within", allow_negative_numbers = true)]
    pub budget_ms: Option<f64>,
    /// The same, but with at most so many visits of nodes: the bounds are the same on every machine.
    #[arg(long, value_name = "N", conflicts_with = "within")]
    pub budget_visits: Option<u64>,
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
    #[arg(long, conflicts_with_all = ["ids", "full"])]
    pub list: bool,
    /// Run as many steps as the papers did, not a sample: minutes instead of seconds.
    #[arg(long)]
    pub full: bool,
    /// One row of a comparison in a process of its own, for its memory.
    #[arg(long, value_name = "SCENE:METHOD", hide = true)]
    pub alone: Option<String>,
}
