//! Following the frame: refit the boxes, or place the triangles anew.

use super::grid::{MAX_BITS, Shape};
use super::keys::Layout;
use super::mapping;
use super::octree::{self, Lanes, NONE, Octree};
use super::triangles::{BodyTriangles, CHUNK};
use super::{BodyTree, BucketTree};
use crate::geometry::simd::{self, F32x4, Kernel, Simd};
use crate::geometry::{Aabb32, Map, Point};
use crate::parallel;
use crate::{Bodies, Frame, FrameError, Mesh, Positions};

/// The corners of eight triangles; [`NONE`] where there is none.
pub(super) type Corners = [[u32; 3]; 8];

/// How many blocks ahead positions are asked for: those of scattered soups are far apart.
const AHEAD: usize = 3;

impl BucketTree {
    pub(super) fn follow(&mut self, bodies: &Bodies, frame: Frame<'_>) -> Result<(), FrameError> {
        frame.check(bodies)?;
        self.follow_bodies(bodies);
        for (tree, positions) in self.trees.iter_mut().zip(frame.iter()) {
            tree.triangles.widen(positions);
        }
        if let Some(map) = self.map
            && self.params.patience > 1.0
            && self.refit(frame, &map)
        {
            return Ok(());
        }
        if !self.map.is_some_and(|map| self.place(frame, &map)) {
            let map = mapping::fit_frame(frame);
            self.place(frame, &map);
            self.map = Some(map);
        }
        let layout = Layout { bits: MAX_BITS, shape: Shape::Cubes, slack: self.params.slack };
        parallel::for_each(&mut self.trees, |_, tree| tree.build(&layout));
        Ok(())
    }

    /// Keeps the trees of bodies that are the same or a later version, and makes new ones for others.
    fn follow_bodies(&mut self, bodies: &Bodies) {
        self.trees.truncate(bodies.meshes().len());
        for (n, mesh) in bodies.meshes().iter().enumerate() {
            match self.trees.get_mut(n) {
                Some(tree) => tree.follow_body(mesh),
                None => self.trees.push(BodyTree::new(mesh)),
            }
        }
    }

    /// Fits the boxes, and says whether that is enough for this frame.
    fn refit(&mut self, frame: Frame<'_>, map: &Map) -> bool {
        let patience = self.params.patience;
        let mut bodies = self.trees.iter_mut().zip(frame.iter());
        bodies.all(|(tree, positions)| tree.refit(positions, map, patience))
            && mapping::is_fit(&self.trees.iter().fold(Aabb32::EMPTY, |all, t| all.union(&t.octree.extent())))
    }

    /// Boxes and keys of every triangle; says whether they suit the map.
    fn place(&mut self, frame: Frame<'_>, map: &Map) -> bool {
        for (tree, positions) in self.trees.iter_mut().zip(frame.iter()) {
            tree.triangles.place(positions, map);
        }
        mapping::is_fit(&self.trees.iter().fold(Aabb32::EMPTY, |all, t| all.union(&t.triangles.extent.all)))
    }
}

impl BodyTree {
    fn new(mesh: &Mesh) -> Self {
        let (triangles, octree) = (BodyTriangles::new(mesh), Octree::default());
        Self { triangles, octree, corners: Vec::new(), girth: None }
    }

    /// Takes over the next version of the body.
    fn follow_body(&mut self, mesh: &Mesh) {
        if !self.triangles.mesh.is_same(mesh) {
            self.triangles.mesh = mesh.clone();
            self.girth = None;
        }
    }

    /// Builds the tree over triangles that have been placed.
    fn build(&mut self, layout: &Layout) {
        let BodyTriangles { keyed, extent, .. } = &mut self.triangles;
        if keyed.renew_grid(&extent.points, layout) {
            keyed.renew_keys();
        }
        keyed.sort();
        self.octree.build(keyed);
        self.note_corners();
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
    fn refit(&mut self, positions: Positions<'_>, map: &Map, patience: f64) -> bool {
        // The corners below are those of the version that was placed: of no use to the next, not even to an empty one.
        let Some(girth) = self.girth else { return false };
        let positions = self.triangles.positions(positions);
        RefitBlocks { corners: &self.corners, positions, map, blocks: self.octree.blocks_mut() }.share();
        self.octree.refit_nodes();
        self.octree.girth() <= patience * girth
    }
}

/// Triangles in lanes, to be fitted.
struct RefitBlocks<'a> {
    corners: &'a [Corners],
    positions: &'a [Point],
    map: &'a Map,
    blocks: &'a mut [Lanes],
}

impl RefitBlocks<'_> {
    /// Fits them, in halves on other threads where there are many.
    fn share(self) {
        if parallel::is_worth(self.corners.len(), CHUNK / 8) {
            let Self { corners, positions, map, blocks } = self;
            let half = corners.len() / 2;
            let (blocks, more_blocks) = blocks.split_at_mut(half);
            let (corners, more_corners) = corners.split_at(half);
            let a = RefitBlocks { corners, positions, map, blocks };
            let b = RefitBlocks { corners: more_corners, positions, map, blocks: more_blocks };
            parallel::join(|| a.share(), || b.share());
            return;
        }
        simd::dispatch(self);
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
