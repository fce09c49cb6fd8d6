//! Following the frame: boxes, codes, buckets, boxes upward.

use super::grid::Grid;
use super::image::{self, Image};
use super::octree::{self, Lanes, NONE};
use super::places::{Extent, Places, key};
use super::structure::Structure;
use super::{BodyTree, BucketTree, Placement, threads};
use crate::geometry::simd::{self, F32x4, Kernel, Simd};
use crate::geometry::{Map, Point};
use crate::{Bodies, Frame, FrameError, Mesh, Positions};

/// The corners of eight triangles; [`NONE`] where there is none.
pub(super) type Corners = [[u32; 3]; 8];

/// How many triangles a thread takes at a time.
#[cfg(feature = "parallel")]
const CHUNK: usize = 8192;

/// How many blocks ahead positions are asked for: those of scattered soups are far apart.
const AHEAD: usize = 3;

impl BucketTree {
    pub(super) fn follow(&mut self, bodies: &Bodies, frame: Frame<'_>) -> Result<(), FrameError> {
        frame.check(bodies)?;
        self.follow_bodies(bodies);
        for (tree, positions) in self.trees.iter_mut().zip(frame.iter()) {
            tree.widen(positions);
        }
        let params = self.params;
        // A scale of 0 is no map yet.
        if self.map.scale != 0.0 && params.patience > 1.0 && self.refit(frame) {
            return Ok(());
        }
        if self.map.scale == 0.0 || !self.place(frame) {
            self.map = fit(frame);
            self.place(frame);
        }
        threads::for_each(&mut self.trees, |_, tree| {
            let renewed = tree.places.renew_grid(&tree.extent.points, &params);
            if renewed || params.placement == Placement::Sorted {
                tree.places.place(&params);
            }
            tree.tree.build(&mut tree.places, &params);
            tree.note_corners();
        });
        Ok(())
    }

    /// Keeps the trees of bodies that are the same or a later version, and makes new ones for others.
    fn follow_bodies(&mut self, bodies: &Bodies) {
        let params = self.params;
        self.trees.truncate(bodies.meshes().len());
        for (n, body) in bodies.meshes().iter().enumerate() {
            match self.trees.get_mut(n) {
                Some(tree) => tree.follow_body(body),
                None => self.trees.push(BodyTree {
                    body: body.clone(),
                    wide: Vec::new(),
                    places: Places::default(),
                    extent: Extent::EMPTY,
                    tree: Structure::new(&params),
                    corners: Vec::new(),
                    girth: None,
                }),
            }
        }
    }

    /// Fits the boxes, and says whether that is enough for this frame.
    fn refit(&mut self, frame: Frame<'_>) -> bool {
        let (map, patience) = (self.map, self.params.patience);
        let mut bodies = self.trees.iter_mut().zip(frame.iter());
        bodies.all(|(tree, positions)| tree.refit(positions, &map, patience))
            && image::is_fit(&self.trees.iter().fold(Image::EMPTY, |all, t| all.union(&t.tree.extent())))
    }

    /// Boxes and codes of every triangle; says whether they suit the map.
    fn place(&mut self, frame: Frame<'_>) -> bool {
        let map = self.map;
        for (tree, positions) in self.trees.iter_mut().zip(frame.iter()) {
            tree.place(positions, &map);
        }
        image::is_fit(&self.trees.iter().fold(Image::EMPTY, |all, t| all.union(&t.extent.all)))
    }
}

/// A map for everything in the frame.
fn fit(frame: Frame<'_>) -> Map {
    let bodies: Vec<Positions<'_>> = frame.iter().collect();
    let mut starts = vec![0];
    for positions in &bodies {
        starts.push(starts[starts.len() - 1] + positions.len());
    }
    image::fit(starts[bodies.len()], |i| {
        let body = starts.partition_point(|&s| s <= i) - 1;
        bodies[body].get(i - starts[body])
    })
}

impl BodyTree {
    /// Takes over the next version of the body; the orders of algorithm 2 follow the keys of the triangles.
    fn follow_body(&mut self, body: &Mesh) {
        if self.body.is_same(body) {
            return;
        }
        let renamed: Vec<u32> = (0..self.body.triangles().len() as u32)
            .map(|t| {
                let key = self.body.triangle_key(crate::TriangleId(t));
                body.triangle_with_key(key).map_or(u32::MAX, |t| t.0)
            })
            .collect();
        self.places.rename(&renamed);
        self.girth = None;
        self.body = body.clone();
    }

    /// Corners of each triangle as plain numbers.
    pub(super) fn triangles(&self) -> &[[u32; 3]] {
        bytemuck::cast_slice(self.body.triangles())
    }

    /// The positions in `f64`.
    pub(super) fn positions<'a>(&'a self, given: Positions<'a>) -> &'a [Point] {
        match given {
            Positions::F64(p) => p,
            Positions::F32(_) => &self.wide,
        }
    }

    fn widen(&mut self, positions: Positions<'_>) {
        self.wide.clear();
        if let Positions::F32(p) = positions {
            self.wide.extend(p.iter().map(|x| x.map(f64::from)));
        }
    }

    /// Notes the corners in the order of the lanes.
    fn note_corners(&mut self) {
        let mut noted = std::mem::take(&mut self.corners);
        noted.clear();
        if let Structure::Adaptive(tree) = &self.tree {
            let triangles = self.triangles();
            let corners = |slot: u32| match tree.item(slot) {
                NONE => [NONE; 3],
                id => triangles[id as usize],
            };
            let blocks = 0..tree.block_count() as u32;
            noted.extend(blocks.map(|b| std::array::from_fn(|lane| corners(8 * b + lane as u32))));
            self.girth = Some(tree.girth());
        }
        self.corners = noted;
    }

    /// Fits the boxes to the positions; says whether the triangles still lie well together.
    fn refit(&mut self, positions: Positions<'_>, map: &Map, patience: f64) -> bool {
        // The corners below are those of the version that was placed: of no use to the next, not even to an empty one.
        let Some(girth) = self.girth else { return false };
        let positions = match positions {
            Positions::F64(p) => p,
            Positions::F32(_) => &self.wide,
        };
        let Structure::Adaptive(tree) = &mut self.tree else { return false };
        Fit { corners: &self.corners, positions, map, blocks: tree.blocks_mut() }.share();
        tree.refit_nodes();
        tree.girth() <= patience * girth
    }

    /// Boxes, and codes on the grid of the step before.
    fn place(&mut self, positions: Positions<'_>, map: &Map) {
        let count = self.body.triangles().len();
        let mut images = std::mem::take(&mut self.places.images);
        let mut keys = std::mem::take(&mut self.places.keys);
        images.resize(count, Image::EMPTY);
        keys.resize(count, 0);
        let place = Place {
            triangles: self.triangles(),
            positions: self.positions(positions),
            map,
            grid: self.places.grid,
            first: 0,
            images: &mut images,
            keys: &mut keys,
        };
        self.extent = place.share();
        self.places.images = images;
        self.places.keys = keys;
    }
}

/// Triangles in lanes, to be fitted.
struct Fit<'a> {
    corners: &'a [Corners],
    positions: &'a [Point],
    map: &'a Map,
    blocks: &'a mut [Lanes],
}

impl Fit<'_> {
    /// Fits them, in halves on other threads where there are many.
    fn share(self) {
        #[cfg(feature = "parallel")]
        if threads::count() > 1 && self.corners.len() > CHUNK / 8 {
            let Self { corners, positions, map, blocks } = self;
            let half = corners.len() / 2;
            let (blocks, more_blocks) = blocks.split_at_mut(half);
            let (corners, more_corners) = corners.split_at(half);
            let a = Fit { corners, positions, map, blocks };
            let b = Fit { corners: more_corners, positions, map, blocks: more_blocks };
            rayon::join(|| a.share(), || b.share());
            return;
        }
        simd::dispatch(self);
    }
}

impl Kernel for Fit<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let none = S::F32x4::load(simd, &Image::EMPTY.low);
        let nothing = S::F32x4::load(simd, &Image::EMPTY.high);
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

/// Triangles to be placed.
struct Place<'a> {
    triangles: &'a [[u32; 3]],
    positions: &'a [Point],
    map: &'a Map,
    grid: Option<Grid>,
    /// Number of the first triangle.
    first: u32,
    images: &'a mut [Image],
    keys: &'a mut [u64],
}

impl Place<'_> {
    /// Places them, in halves on other threads where there are many.
    fn share(self) -> Extent {
        #[cfg(feature = "parallel")]
        if threads::count() > 1 && self.triangles.len() > CHUNK {
            let half = self.triangles.len() / 2;
            let (images, more_images) = self.images.split_at_mut(half);
            let (keys, more_keys) = self.keys.split_at_mut(half);
            let a = Place { triangles: &self.triangles[..half], images, keys, ..self };
            let b = Place {
                triangles: &self.triangles[half..],
                first: self.first + half as u32,
                images: more_images,
                keys: more_keys,
                ..self
            };
            let (a, b) = rayon::join(|| a.share(), || b.share());
            return a.union(&b);
        }
        simd::dispatch(self)
    }
}

impl Kernel for Place<'_> {
    type Output = Extent;

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> Extent {
        let load = |image: &[f32; 4]| S::F32x4::load(simd, image);
        let (mut low, mut high) = (load(&Image::EMPTY.low), load(&Image::EMPTY.high));
        let mut points = Image::EMPTY;
        let grid = self.grid.unwrap_or_else(|| Grid::over(&Image::EMPTY, 0, super::grid::Shape::Cubes, 0.0));
        let places = self.images.iter_mut().zip(self.keys);
        for (id, (t, (image, into))) in self.triangles.iter().zip(places).enumerate() {
            let [a, b, c] = *t;
            let a = S::F32x4::map(simd, &self.positions[a as usize], self.map);
            let b = S::F32x4::map(simd, &self.positions[b as usize], self.map);
            let c = S::F32x4::map(simd, &self.positions[c as usize], self.map);
            let least = a.min(b).min(c);
            let most = a.max(b).max(c);
            least.store(&mut image.low);
            most.store(&mut image.high);
            low = low.min(least);
            high = high.max(most);
            let p = image.centre();
            for k in 0..3 {
                points.low[k] = if p[k] < points.low[k] { p[k] } else { points.low[k] };
                points.high[k] = if p[k] > points.high[k] { p[k] } else { points.high[k] };
            }
            *into = key(grid.code(p), self.first + id as u32);
        }
        let mut all = Image::EMPTY;
        low.store(&mut all.low);
        high.store(&mut all.high);
        Extent { all, points }
    }
}
