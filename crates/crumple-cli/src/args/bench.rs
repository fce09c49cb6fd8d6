//! What can be typed after `crumple bench`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

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
    /// Remove so many elements in each edit; 0 for a frame in which the body moves instead (question edit).
    #[arg(long, requires = "question", value_name = "K", default_value_t = 1)]
    pub elements: usize,
    /// What is asked after each edit (question edit); the method's own question unless told.
    #[arg(long, value_enum, requires = "question")]
    pub ask: Option<AfterEdit>,
    /// Split an edge of each of the elements instead of removing them (question edit).
    #[arg(long, requires = "question")]
    pub split: bool,
    /// Move the body before each edit, which is not counted (question edit).
    #[arg(long, requires = "question")]
    pub moving: bool,
}

/// What is asked after an edit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum AfterEdit {
    /// Triangles that intersect.
    Contacts,
    /// Vertices in tets.
    Penetrations,
    /// Vertices in tets, and how deep they are.
    Depths,
    /// Edges in tets.
    Edges,
    /// Distances of bodies.
    Distance,
    /// Close pairs of features.
    Proximity,
    /// Points inside.
    Inside,
    /// Impacts of a step.
    Impacts,
    /// Nothing: the edits are cuts through single elements.
    Cut,
}
