//! X2: two closed bodies, asked by all methods, each in its own way.

use anyhow::{Context, Result};
use crumple::methods::brute_force::BruteForce;
use crumple::methods::bucket_tree::{BucketTree, BucketTreeParams};
use crumple::methods::distance_hierarchy::{DistanceHierarchy, DistanceHierarchyParams};
use crumple::methods::layered_depth::published::Published as PublishedLayers;
use crumple::methods::layered_depth::{LayeredDepth, Overlap, Resolution};
use crumple::methods::regularity::{Regularity, RegularityParams};
use crumple::methods::spatial_hash::{Find, SpatialHash, SpatialHashParams};
use crumple::{BodyId, Contacts, Detector, Frame, Pairs, Positions};

use super::memory::{self, Row};
use crate::reproduce::finding::Finding;
use crate::reproduce::ganovelli::aabb_tree::AabbTree;
use crate::reproduce::lab::{Extent, Pose, Stage, smallest, timed};
use crate::reproduce::sheet::{Sheet, Value, digits, row};

const BOTH: [BodyId; 2] = [BodyId(0), BodyId(1)];
/// Rays along a side, as in the paper on layers.
const SIDE: u32 = 128;
/// Repetitions; a time is the best.
const ROUNDS: usize = 3;

/// The pair, slightly and deeply in each other.
const SCENES: [(&str, &str, usize); 2] = [("slight", "H21", 0), ("deep", "H21", 1)];

/// A method at work: follows a frame, then answers.
enum Method {
    Pairs(Box<dyn Detector>),
    Trees(Option<[AabbTree; 2]>),
    Distance(Box<DistanceHierarchy>),
    Layers(Box<LayeredDepth>),
    Published(Box<PublishedLayers>),
}

/// Their names, in the order of [`Method::new`].
const METHODS: [&str; 8] = [
    "all pairs of boxes",
    "tree of boxes (van den Bergen)",
    "regularity",
    "bucket tree",
    "hashed cells",
    "distance hierarchy",
    "layers, published",
    "layers",
];

impl Method {
    fn new(k: usize) -> Result<Self> {
        let find = Find { vertex_tets: false, edge_tets: false, triangle_pairs: true };
        Ok(match k {
            0 => Self::Pairs(Box::new(BruteForce::surfaces())),
            1 => Self::Trees(None),
            2 => Self::Pairs(Box::new(Regularity::new(RegularityParams::default())?)),
            3 => Self::Pairs(Box::new(BucketTree::new(BucketTreeParams::default())?)),
            4 => Self::Pairs(Box::new(SpatialHash::new(SpatialHashParams { find, ..Default::default() })?)),
            5 => Self::Distance(Box::new(DistanceHierarchy::new(DistanceHierarchyParams::default())?)),
            6 => Self::Published(Box::default()),
            _ => Self::Layers(Box::default()),
        })
    }

    /// Follows the frame. Layers have nothing to follow: they are made when they are asked for.
    fn follow(&mut self, stage: &Stage, pose: &Pose) -> Result<()> {
        let slices = pose.slices();
        let frame = Frame::new(&slices);
        let meshes = stage.mesh.meshes();
        match self {
            Self::Pairs(detector) => detector.update(&stage.mesh, frame).map(drop)?,
            Self::Trees(Some(trees)) => {
                (0..2).for_each(|b| trees[b].refit(&meshes[b], Positions::from(&pose.0[b])));
            }
            Self::Trees(none) => {
                *none = Some([0, 1].map(|b| AabbTree::new(&meshes[b], Positions::from(&pose.0[b]))));
            }
            Self::Distance(hierarchy) => hierarchy.update(&stage.mesh, frame)?,
            Self::Layers(layers) => layers.update(&stage.mesh, frame).map(drop)?,
            Self::Published(layers) => layers.update(&stage.mesh, frame).map(drop)?,
        }
        Ok(())
    }

    /// What it says about the two bodies, and what it did for it.
    fn ask(&mut self, stage: &Stage, pose: &Pose) -> Result<Said> {
        let slices = pose.slices();
        let frame = Frame::new(&slices);
        let volume = |v: f64, [a, b]: [f64; 2]| {
            format!("volume {}, within {} and {}", digits(v), digits(a), digits(b))
        };
        Ok(match self {
            Self::Pairs(detector) => {
                let mut found = Contacts::default();
                let stats = detector.update(&stage.mesh, frame)?.contacts(Pairs::Between, &mut found);
                let pairs = found.triangle_pairs.len();
                Said {
                    answer: format!("{pairs} pairs of triangles"),
                    visits: stats.visits + stats.tests,
                    exact: Some(stats.candidates),
                    tightness: Some(stats.candidates as f64 / pairs.max(1) as f64),
                }
            }
            Self::Trees(trees) => {
                let [a, b] = trees.as_ref().context("trees that were built")?;
                let mut candidates = Vec::new();
                let visits = a.pairs(b, &mut candidates);
                let answer = format!("{} pairs whose boxes overlap", candidates.len());
                Said { answer, visits, exact: Some(candidates.len() as u64), tightness: None }
            }
            Self::Distance(hierarchy) => {
                let found = hierarchy.distance(BOTH)?.context("two surfaces")?;
                let stats = hierarchy.stats();
                let answer = format!("distance {}", digits(found.distance));
                let visits = stats.visits + stats.tests;
                Said { answer, visits, exact: Some(stats.candidates), tightness: None }
            }
            Self::Layers(layers) => {
                let found = layers.update(&stage.mesh, frame)?.overlap(BOTH, Resolution::rays(SIDE))?;
                let answer = volume(found.volume, [found.lower, found.upper]);
                let tightness = Some((found.upper - found.lower) / found.volume);
                Said { answer, visits: crossings(&found), exact: None, tightness }
            }
            Self::Published(layers) => {
                let found = layers.update(&stage.mesh, frame)?.overlap(BOTH, Resolution::rays(SIDE))?;
                let answer = format!("volume {}", digits(found.volume));
                Said { answer, visits: crossings(&found), exact: None, tightness: None }
            }
        })
    }
}

/// An answer and what it took.
#[derive(Default)]
struct Said {
    answer: String,
    /// Nodes, cells and boxes looked at; of layers, the crossings of rays and faces.
    visits: u64,
    /// Pairs that an exact test decides, or has yet to decide.
    exact: Option<u64>,
    /// Exact tests for each pair found; of layers, the width of the bounds over the volume.
    tightness: Option<f64>,
}

/// Crossings of rays and faces, of both bodies.
fn crossings(found: &Overlap) -> u64 {
    found.layers.iter().sum::<usize>() as u64
}

/// A row in a process of its own, for its memory.
pub fn alone(row: Row) -> Result<()> {
    let (_, name, frame) = SCENES[row.scene];
    let stage = Stage::named(name)?;
    let pose = stage.pose(frame);
    if let Some(method) = row.method {
        let mut method = Method::new(method)?;
        method.follow(&stage, &pose)?;
        method.ask(&stage, &pose)?;
    }
    Ok(())
}

/// X2: what each method says about one and the same pair of bodies, and what that costs.
pub fn two_bodies(_: Extent) -> Result<Finding> {
    let mut sheet = Sheet::new([
        "case",
        "method",
        "answer",
        "build and first frame",
        "update",
        "query",
        "visits and tests",
        "exact tests",
        "tightness",
        "peak memory",
        "bytes per triangle",
    ]);
    for (s, (what, name, frame)) in SCENES.into_iter().enumerate() {
        let stage = Stage::named(name)?;
        let pose = stage.pose(frame);
        let idle = memory::of("X2", Row { scene: s, method: None })?;
        for (m, method) in METHODS.into_iter().enumerate() {
            let mut at_work = Method::new(m)?;
            let (first, done) = timed(|| at_work.follow(&stage, &pose));
            done?;
            let (mut updates, mut queries) = (Vec::new(), Vec::new());
            let mut said = Said::default();
            for _ in 0..ROUNDS {
                let (seconds, done) = timed(|| at_work.follow(&stage, &pose));
                done?;
                updates.push(seconds);
                let (seconds, answer) = timed(|| at_work.ask(&stage, &pose));
                queries.push(seconds);
                said = answer?;
            }
            let held = memory::of("X2", Row { scene: s, method: Some(m) })?;
            let bytes = held.zip(idle).map(|(with, without)| with.saturating_sub(without));
            let each = |n: u64| n as f64 / stage.mesh.triangles().len() as f64;
            row!(
                sheet,
                what,
                method,
                said.answer,
                Value::Seconds(first),
                Value::Seconds(smallest(&updates)),
                Value::Seconds(smallest(&queries)),
                said.visits,
                said.exact.map_or(Value::Nothing, Value::Count),
                said.tightness.map_or(Value::Nothing, Value::Number),
                bytes.map_or(Value::Nothing, Value::Bytes),
                bytes.map_or(Value::Nothing, |n| Value::Number(each(n)))
            );
        }
    }
    let how = format!(
        "Knot and Rabbit of H21, 12,000 and 50,000 faces, slightly and deeply in each other; every method answers the question that it \
         was made for: which triangles intersect, how far apart, how much volume ({SIDE} × {SIDE} rays). Best of {ROUNDS}; memory as in \
         X1. Visits of layers are the crossings of rays and faces. Tightness is the number of exact tests for each pair found, and of layers \
         the width of the bounds over the volume. The tree of boxes ends with pairs whose boxes overlap, which an exact test has yet to decide. The query of methods that find pairs follows the \
         same frame once more, which costs little."
    );
    Ok(Finding::new(how, sheet))
}
