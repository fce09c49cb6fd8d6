//! Following the frame: refit the boxes, or place the triangles anew.

use super::grid::{MAX_BITS, Shape};
use super::keys::Layout;
use super::mapping;
use super::octree::{self, Lanes, NONE, Octree};
use super::triangles::{BodyTriangles, CHUNK};
use super::{BodyTree, BucketTree, Span, fans};
use crate::budget::Clock;
use crate::geometry::simd::{self, F32x4, Ids, Kernel, Simd};
use crate::geometry::{Aabb, Aabb32, Map, Point};
use crate::parallel;
use crate::{Bodies, BodyId, Frame, FrameError, Mesh, Positions, TriangleId};

/// The corners of eight triangles; [`NONE`] where there is none.
pub(super) type Corners = [[u32; 3]; 8];

/// A body of which more than one triangle in so many changed is built anew.
const MANY: usize = 8;

/// How many blocks ahead positions are asked for: those of scattered soups are far apart.
const AHEAD: usize = 3;

/// What building takes for each triangle, about: 140 to 160 ns on an AMD EPYC (docs/edits.md). A budget that is shorter is not
/// spent on it.
const BUILD_SECONDS: f64 = 150e-9;

impl BucketTree {
    pub(super) fn follow(&mut self, bodies: &Bodies, frame: Frame<'_>) -> Result<(), FrameError> {
        self.follow_until(bodies, frame, Clock::default()).map(drop)
    }

    /// Gives up when it is late, or would be, and then says `false`: boxes are of no frame.
    pub(super) fn follow_until(
        &mut self,
        bodies: &Bodies,
        frame: Frame<'_>,
        clock: Clock,
    ) -> Result<bool, FrameError> {
        frame.check(bodies)?;
        self.follow_bodies(bodies, frame);
        for (tree, positions) in self.trees.iter_mut().zip(frame.iter()) {
            tree.triangles.widen(positions);
        }
        if frame.is_at_rest()
            && self.map.is_some()
            && self.trees.iter().all(|t| t.girth.is_some())
            && self.is_fit()
        {
            return Ok(true);
        }
        if let Some(map) = self.map
            && self.params.patience > 1.0
        {
            match self.refit(frame, &map, clock) {
                Refitted::Well => return Ok(true),
                Refitted::NotAll => return Ok(false),
                // A tree that has decayed is slower, not wrong.
                Refitted::Loosely if clock.is_sooner_than(BUILD_SECONDS * self.triangle_count()) => {
                    return Ok(self.is_fit());
                }
                Refitted::Loosely | Refitted::Unfit => {}
            }
        }
        if clock.is_sooner_than(BUILD_SECONDS * self.triangle_count()) {
            return Ok(false);
        }
        let layout = Layout { bits: MAX_BITS, shape: Shape::Cubes, slack: self.params.slack };
        if !self.map.is_some_and(|map| self.map_triangles(frame, &map, &layout)) {
            let map = mapping::fit_frame(frame);
            self.map_triangles(frame, &map, &layout);
            self.map = Some(map);
        }
        let (span, map) = (self.span, self.map.expect("placed by it"));
        let frame: Vec<Positions<'_>> = frame.iter().collect();
        parallel::for_each(&mut self.trees, |n, tree| match span {
            Span::Frames => tree.build(&layout),
            Span::OneFrame => tree.build_quickly(&layout, frame[n], &map),
            Span::OneLook => {
                tree.octree.build_quickly(tree.triangles.sort(&layout));
                tree.note_corners();
            }
        });
        Ok(true)
    }

    fn triangle_count(&self) -> f64 {
        self.trees.iter().map(|t| t.triangles.mesh.triangle_count()).sum::<usize>() as f64
    }

    /// Keeps the trees of bodies that are the same, edits those of a later version, and makes new ones for others.
    fn follow_bodies(&mut self, bodies: &Bodies, frame: Frame<'_>) {
        self.trees.truncate(bodies.meshes().len());
        for ((n, mesh), positions) in bodies.meshes().iter().enumerate().zip(frame.iter()) {
            match self.trees.get_mut(n) {
                Some(tree) => tree.follow_body(mesh, positions, self.map.as_ref()),
                None => self.trees.push(BodyTree::new(mesh)),
            }
        }
    }

    /// Fits the boxes, and says whether that is enough for this frame.
    fn refit(&mut self, frame: Frame<'_>, map: &Map, clock: Clock) -> Refitted {
        let patience = self.params.patience;
        let mut all = Refitted::Well;
        for (tree, positions) in self.trees.iter_mut().zip(frame.iter()) {
            match tree.refit(positions, map, patience, clock) {
                Refitted::Well => {}
                // The others are fitted too where there may be no time to build.
                Refitted::Loosely if clock.is_set() => all = Refitted::Loosely,
                other => return other,
            }
        }
        if self.is_fit() { all } else { Refitted::Unfit }
    }

    /// Whether the boxes suit the map.
    fn is_fit(&self) -> bool {
        mapping::is_fit(&self.trees.iter().fold(Aabb32::EMPTY, |all, t| all.union(&t.octree.extent())))
    }

    /// Boxes and keys of every triangle; says whether they suit the map.
    fn map_triangles(&mut self, frame: Frame<'_>, map: &Map, layout: &Layout) -> bool {
        for ((body, tree), positions) in (0..).map(BodyId).zip(&mut self.trees).zip(frame.iter()) {
            if self.span == Span::OneFrame && !positions.is_empty() {
                tree.triangles.lay_grid(frame.body_bounds(body), map, layout);
            }
            tree.triangles.map_triangles(positions, map);
        }
        mapping::is_fit(&self.trees.iter().fold(Aabb32::EMPTY, |all, t| all.union(&t.triangles.extent.all)))
    }
}

impl BodyTree {
    fn new(mesh: &Mesh) -> Self {
        let (triangles, octree) = (BodyTriangles::new(mesh), Octree::default());
        Self { triangles, octree, corners: Vec::new(), settled: Vec::new(), girth: None }
    }

    /// Takes over the next version of the body: triangles that are others than before are taken out and put in, one by one,
    /// while they are few.
    fn follow_body(&mut self, mesh: &Mesh, positions: Positions<'_>, map: Option<&Map>) {
        if self.triangles.mesh.is_same(mesh) {
            return;
        }
        let changed = mesh.changed_since(&self.triangles.mesh);
        self.settled.clear();
        let before = self.triangles.mesh.triangle_count();
        self.triangles.mesh = mesh.clone();
        match (changed, map, self.girth) {
            (Some(rows), Some(map), Some(girth)) if MANY * rows.triangles.len() < mesh.triangle_count() => {
                self.edit(&rows.triangles, before, positions, map);
                // What came in has a girth too.
                self.girth = Some(girth * mesh.triangle_count().max(before) as f64 / before.max(1) as f64);
            }
            _ => self.girth = None,
        }
    }

    /// Takes out the triangles that these ids stood for, of `before`, and puts in those that they stand for now.
    fn edit(&mut self, ids: &[u32], before: usize, positions: Positions<'_>, map: &Map) {
        let BodyTriangles { mesh, keyed, .. } = &mut self.triangles;
        if !self.octree.has_homes() {
            self.octree.note_homes(before);
        }
        for &id in ids.iter().filter(|&&id| (id as usize) < before) {
            keyed.images[id as usize] = Aabb32::EMPTY;
            self.octree.remove(id, keyed);
        }
        keyed.images.resize(mesh.triangle_count(), Aabb32::EMPTY);
        for &id in ids.iter().filter(|&&id| (id as usize) < mesh.triangle_count()) {
            let corners = mesh.triangle(TriangleId(id)).map(|v| positions.get(v.index()));
            keyed.images[id as usize] = Aabb32::image(&Aabb::of(&corners), map);
            self.octree.insert(id, keyed);
        }
        for block in self.octree.take_touched() {
            self.corners.resize(self.octree.block_count(), [[NONE; 3]; 8]);
            self.corners[block as usize] =
                std::array::from_fn(|lane| match self.octree.item(8 * block + lane as u32) {
                    NONE => [NONE; 3],
                    id => self.triangles.mesh.triangle(TriangleId(id)).map(|v| v.0),
                });
        }
    }

    /// Builds the tree over triangles that have been placed.
    fn build(&mut self, layout: &Layout) {
        self.triangles.sort(layout);
        self.octree.build(&mut self.triangles.keyed);
        self.note_corners();
    }

    /// The same for one frame, and finds neighbours that need no test in it.
    fn build_quickly(&mut self, layout: &Layout, positions: Positions<'_>, map: &Map) {
        let Self { triangles, octree, .. } = self;
        let (located, unsorted) = triangles.split(positions);
        let is_settled = || fans::certify(located, map);
        let build = || octree.build_quickly(unsorted.sort(layout));
        let (is_settled, ()) = parallel::join(is_settled, build);
        self.note_corners();
        let settled = |v: u32| if v != NONE && is_settled[v as usize] { v } else { NONE };
        let row = |eight: &Corners, k: usize| Ids(std::array::from_fn(|lane| settled(eight[lane][k])));
        self.settled.clear();
        self.settled.extend(self.corners.iter().map(|eight| std::array::from_fn(|k| row(eight, k))));
    }

    /// Notes the corners in the order of the lanes.
    fn note_corners(&mut self) {
        let (triangles, octree) = (self.triangles.corners(), &self.octree);
        let corners = |slot: u32| match octree.item(slot) {
            NONE => [NONE; 3],
            id => triangles[id as usize],
        };
        let blocks = 0..octree.block_count() as u32;
        self.corners.clear();
        self.corners.extend(blocks.map(|b| std::array::from_fn(|lane| corners(8 * b + lane as u32))));
        self.girth = Some(octree.girth());
    }

    /// Fits the boxes to the positions; says whether the triangles still lie well together.
    fn refit(&mut self, positions: Positions<'_>, map: &Map, patience: f64, clock: Clock) -> Refitted {
        // The corners below are those of the version that was placed: of no use to the next, not even to an empty one.
        let Some(girth) = self.girth else { return Refitted::Unfit };
        self.settled.clear();
        let positions = self.triangles.positions(positions);
        RefitBlocks { corners: &self.corners, positions, map, blocks: self.octree.blocks_mut() }.share(clock);
        if clock.is_late() {
            return Refitted::NotAll;
        }
        self.octree.refit_nodes();
        if self.octree.girth() <= patience * girth { Refitted::Well } else { Refitted::Loosely }
    }
}

/// How boxes suit a frame to which they were fitted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Refitted {
    /// Triangles still lie well together.
    Well,
    /// Triangles have drifted apart: building anew pays.
    Loosely,
    /// They are to be built.
    Unfit,
    /// There was no time to fit all.
    NotAll,
}

/// Blocks that are fitted between two looks at the clock: about 30 microseconds.
const PIECE: usize = 256;

/// Triangles in lanes, to be fitted.
struct RefitBlocks<'a> {
    corners: &'a [Corners],
    positions: &'a [Point],
    map: &'a Map,
    blocks: &'a mut [Lanes],
}

impl RefitBlocks<'_> {
    /// Fits them, in halves on other threads where there are many.
    fn share(self, clock: Clock) {
        if parallel::is_worth(self.corners.len(), CHUNK / 8) {
            let Self { corners, positions, map, blocks } = self;
            let half = corners.len() / 2;
            let (blocks, more_blocks) = blocks.split_at_mut(half);
            let (corners, more_corners) = corners.split_at(half);
            let a = RefitBlocks { corners, positions, map, blocks };
            let b = RefitBlocks { corners: more_corners, positions, map, blocks: more_blocks };
            parallel::join(|| a.share(clock), || b.share(clock));
            return;
        }
        if !clock.is_set() {
            return simd::dispatch(self);
        }
        let Self { corners, positions, map, blocks } = self;
        for (corners, blocks) in corners.chunks(PIECE).zip(blocks.chunks_mut(PIECE)) {
            if clock.is_late() {
                return;
            }
            simd::dispatch(RefitBlocks { corners, positions, map, blocks });
        }
    }
}

impl Kernel for RefitBlocks<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let none = S::F32x4::load(simd, &Aabb32::EMPTY.min);
        let nothing = S::F32x4::load(simd, &Aabb32::EMPTY.max);
        for (n, (corners, block)) in self.corners.iter().zip(self.blocks).enumerate() {
            if let Some(later) = self.corners.get(n + AHEAD) {
                for v in later.as_flattened() {
                    if let Some(p) = self.positions.get(*v as usize) {
                        simd.prefetch(p);
                    }
                }
            }
            let (mut low, mut high) = ([none; 8], [nothing; 8]);
            for lane in 0..8 {
                let [a, b, c] = corners[lane];
                if a != NONE {
                    let a = S::F32x4::map(simd, &self.positions[a as usize], self.map);
                    let b = S::F32x4::map(simd, &self.positions[b as usize], self.map);
                    let c = S::F32x4::map(simd, &self.positions[c as usize], self.map);
                    low[lane] = a.min(b).min(c);
                    high[lane] = a.max(b).max(c);
                }
            }
            octree::fit::<S>(block, low, high);
        }
    }
}
