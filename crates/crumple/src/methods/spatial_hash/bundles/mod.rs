//! Tets in bundles of eight neighbours, which search together.

mod edit;
mod filter;
mod search;

pub(super) use filter::TetLanes;
pub(super) use search::BundleSearch;

use super::Snapshot;
use crate::geometry::simd::{I32x8, Mask, Simd, WIDTH};
use crate::{Bodies, BodyId};

/// Tets that lie close together, of one body and of similar size.
///
/// Eight tets look into the cells of their common box once, and test every vertex found there at the same time, one
/// tet a lane. On tets-E a bundle finds 23 vertices where eight tets alone would find 83, in 3 rows instead of 24.
#[derive(Debug, Clone, Copy)]
pub(super) struct Bundle {
    /// Corner k of each tet.
    pub corners: [[i32; WIDTH]; 4],
    /// The tets. Where there are fewer than eight the last is repeated.
    pub tets: [u32; WIDTH],
    /// How many there are.
    pub count: u32,
    /// Their body.
    pub body: u32,
}

impl Bundle {
    /// Corners of one tet.
    #[inline(always)]
    pub fn tet(&self, lane: usize) -> [u32; 4] {
        let [a, b, c, d] = &self.corners;
        [a[lane] as u32, b[lane] as u32, c[lane] as u32, d[lane] as u32]
    }

    /// The tets that have one of these vertices as a corner, one a bit.
    #[inline(always)]
    pub fn owners<S: Simd>(&self, simd: S, vertices: [u32; 2]) -> u32 {
        let [v, w] = vertices.map(|v| S::I32x8::splat(simd, v as i32));
        let [a, b, c, d] = &self.corners;
        let here = |corners: &[i32; WIDTH]| {
            let corners = S::I32x8::load(simd, corners);
            corners.eq(v) | corners.eq(w)
        };
        (here(a) | here(b) | here(c) | here(d)).bitmask()
    }

    /// Where all corners are, first of all tets, second of all tets, …
    pub fn positions(&self, view: &Snapshot<'_>) -> [[f64; 3]; 4 * WIDTH] {
        let corners: [[i32; WIDTH]; 4] = self.corners;
        view.positions(self.body as usize, bytemuck::cast(corners))
    }
}

/// All tets of a mesh, each in one bundle.
#[derive(Debug, Clone, Default)]
pub(super) struct Bundles {
    all: Vec<Bundle>,
    /// What is known of each body.
    bodies: Vec<BundledBody>,
    /// How wide bundles were in comparison with their tets when they were made; 0 before that is known.
    spread: f64,
}

/// The tets of a body, and where they are bundled.
#[derive(Debug, Clone, Default)]
struct BundledBody {
    /// Its first vertex and its first tet.
    first: [u32; 2],
    /// Eight times the bundle of each tet, plus its lane; empty until the first edit.
    places: Vec<u32>,
    /// Tets that came or went since its bundles were made.
    changes: usize,
}

/// Tets of a body, neighbours after each other, and in which runs they are of similar size. Numbers within the body.
#[derive(Debug, Clone, Default)]
struct Order {
    tets: Vec<u32>,
    runs: Vec<usize>,
}

/// Bundles are made afresh when they have become this much wider in comparison with their tets: bodies torn apart.
const TORN: f64 = 1.5;

impl Bundles {
    pub fn all(&self) -> &[Bundle] {
        &self.all
    }

    /// Notes that bundles, just made, are `spread` times as wide as their tets.
    pub fn settle(&mut self, spread: f64) {
        self.spread = spread;
    }

    /// Whether bundles that are now `spread` times as wide as their tets should be made afresh.
    pub fn are_torn(&self, spread: f64) -> bool {
        spread > TORN * self.spread
    }

    /// Bundles neighbours as they lie in the frame; those of bodies for which `is_kept` holds stay.
    pub fn make(&mut self, view: &Snapshot<'_>, is_kept: impl Fn(usize) -> bool) {
        self.follow_ids(view.bodies);
        let count = self.bodies.len();
        self.all.retain(|b| (b.body as usize) < count && is_kept(b.body as usize));
        // What was behind a bundle that went has moved.
        self.bodies.iter_mut().for_each(|b| b.places.clear());
        for body in view.bodies.body_ids().filter(|b| !is_kept(b.index())) {
            self.bodies[body.index()].changes = 0;
            let Order { tets, runs } = Order::new(view, body);
            let mut begin = 0;
            for run in runs {
                let eights = tets[begin..begin + run].chunks(WIDTH);
                self.all.extend(eights.map(|tets| bundle(view.bodies, body, tets)));
                begin += run;
            }
        }
        // Body after body, as positions lie in memory.
        self.all.sort_by_key(|b| b.body);
    }

    /// Follows bodies whose ids begin elsewhere now.
    fn follow_ids(&mut self, bodies: &Bodies) {
        let first = |b| [bodies.vertex_range(b).start as u32, bodies.tet_range(b).start as u32];
        let new: Vec<[u32; 2]> = bodies.body_ids().map(first).collect();
        let old = self.bodies.iter().map(|b| b.first);
        let by: Vec<[u32; 2]> =
            new.iter().zip(old).map(|(n, o)| [n[0].wrapping_sub(o[0]), n[1].wrapping_sub(o[1])]).collect();
        if by.iter().any(|by| *by != [0; 2]) {
            for bundle in &mut self.all {
                let Some(&[vertices, tets]) = by.get(bundle.body as usize) else { continue };
                let corners = bundle.corners.as_flattened_mut().iter_mut();
                corners.for_each(|v| *v = v.wrapping_add(vertices as i32));
                bundle.tets.iter_mut().for_each(|t| *t = t.wrapping_add(tets));
            }
        }
        self.bodies.resize_with(new.len(), BundledBody::default);
        self.bodies.iter_mut().zip(new).for_each(|(body, new)| body.first = new);
    }
}

/// Some tets of a body, at most eight.
fn bundle(bodies: &Bodies, body: BodyId, tets: &[u32]) -> Bundle {
    let first = bodies.tet_range(body).start as u32;
    let tets_of: [u32; WIDTH] = std::array::from_fn(|lane| first + tets[lane.min(tets.len() - 1)]);
    let corner = |lane: usize, k: usize| bodies.tets()[tets_of[lane] as usize][k].0 as i32;
    Bundle {
        corners: std::array::from_fn(|k| std::array::from_fn(|lane| corner(lane, k))),
        tets: tets_of,
        count: tets.len() as u32,
        body: body.0,
    }
}

impl Order {
    /// The better of the order in which tets were given and that of a curve that fills space. Generated meshes come in a
    /// better order than the curve's: on tets-E bundles are 1.96 edges wide instead of 2.13.
    fn new(view: &Snapshot<'_>, body: BodyId) -> Self {
        let range = view.bodies.tet_range(body);
        let first = range.start;
        let extents: Vec<f64> = range.clone().map(|t| extent(&view.tet(t))).collect();
        let mean = extents.iter().sum::<f64>() / extents.len() as f64;
        // Sizes a factor of four apart do not mix. Points and slivers (log of 0) go with the smallest.
        let class = |t: u32| (extents[t as usize] / mean).log2().div_euclid(2.0).clamp(-99.0, 99.0) as i32;
        let mut given: Vec<(i32, u32)> = (0..range.len() as u32).map(|t| (class(t), t)).collect();
        given.sort_unstable();
        let places = place_on_curve(view, body);
        let mut curve: Vec<(i32, u64, u32)> =
            given.iter().map(|&(c, t)| (c, places[t as usize], t)).collect();
        curve.sort_unstable();
        let runs = given.chunk_by(|a, b| a.0 == b.0).map(<[_]>::len).collect();
        let orders = [given.iter().map(|g| g.1).collect::<Vec<_>>(), curve.iter().map(|c| c.2).collect()];
        let [given, curve] = orders;
        let better = bundle_extent(view, first, &curve) < bundle_extent(view, first, &given);
        Self { tets: if better { curve } else { given }, runs }
    }
}

/// The longest side of the box around points.
pub(super) fn extent(points: &[[f64; 3]]) -> f64 {
    // Comparisons instead of `f64::min`, which minds NaN and takes three times as long.
    let (mut low, mut high) = ([f64::INFINITY; 3], [f64::NEG_INFINITY; 3]);
    for p in points {
        for k in 0..3 {
            low[k] = if p[k] < low[k] { p[k] } else { low[k] };
            high[k] = if p[k] > high[k] { p[k] } else { high[k] };
        }
    }
    (0..3).map(|k| high[k] - low[k]).fold(0.0, f64::max)
}

/// Sum of the extents of bundles made in this order.
fn bundle_extent(view: &Snapshot<'_>, first: usize, order: &[u32]) -> f64 {
    let corners =
        |tets: &[u32]| -> Vec<[f64; 3]> { tets.iter().flat_map(|&t| view.tet(first + t as usize)).collect() };
    order.chunks(WIDTH).map(|tets| extent(&corners(tets))).sum()
}

/// The place of every tet of a body on a curve that fills space (Morton order).
fn place_on_curve(view: &Snapshot<'_>, body: BodyId) -> Vec<u64> {
    let positions = view.frame.of(body);
    let all = (0..positions.len()).map(|v| positions.get(v));
    let low = all.clone().fold([f64::INFINITY; 3], |m, p| std::array::from_fn(|k| m[k].min(p[k])));
    let high = all.fold([f64::NEG_INFINITY; 3], |m, p| std::array::from_fn(|k| m[k].max(p[k])));
    let side = (0..3).map(|k| high[k] - low[k]).fold(f64::MIN_POSITIVE, f64::max);
    let place = |corners: [[f64; 3]; 4]| {
        (0..3).fold(0, |m, k| {
            let middle = corners.iter().map(|c| c[k] - low[k]).sum::<f64>() / 4.0;
            m | spread_bits((middle / side * f64::from(1u32 << 20)) as u64) << k
        })
    };
    view.bodies.tet_range(body).map(|t| place(view.tet(t))).collect()
}

/// Moves bit i of 21 to bit 3i.
fn spread_bits(x: u64) -> u64 {
    let x = (x | x << 32) & 0x001F_0000_0000_FFFF;
    let x = (x | x << 16) & 0x001F_0000_FF00_00FF;
    let x = (x | x << 8) & 0x100F_00F0_0F00_F00F;
    let x = (x | x << 4) & 0x10C3_0C30_C30C_30C3;
    (x | x << 2) & 0x1249_2492_4924_9249
}
