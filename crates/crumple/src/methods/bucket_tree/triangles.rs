//! The triangles of one body as primitives: positions in `f64`, boxes and Morton keys.

use super::grid::{Grid, Shape};
use super::keys::{Extent, Layout, PrimitiveKeys, key};
use super::mapping;
use super::query::Located;
use crate::frame::Widened;
use crate::geometry::simd::{self, F32x4, Kernel, Simd};
use crate::geometry::{Aabb, Aabb32, Map, Point};
use crate::parallel;
use crate::{Mesh, Positions};

/// How many triangles a thread takes at a time.
pub(super) const CHUNK: usize = 8192;

/// A body, where it is, and where its triangles belong on the grid.
#[derive(Debug, Clone)]
pub(super) struct BodyTriangles {
    pub mesh: Mesh,
    widened: Widened,
    pub keyed: PrimitiveKeys,
    /// Of the step in which they were mapped.
    pub extent: Extent,
}

impl BodyTriangles {
    pub fn new(mesh: &Mesh) -> Self {
        Self {
            mesh: mesh.clone(),
            widened: Widened::default(),
            keyed: PrimitiveKeys::default(),
            extent: Extent::EMPTY,
        }
    }

    /// Corners of each triangle as plain numbers.
    pub fn corners(&self) -> &[[u32; 3]] {
        bytemuck::cast_slice(self.mesh.triangles())
    }

    /// The positions in `f64`; see [`BodyTriangles::widen`].
    pub fn positions<'a>(&'a self, given: Positions<'a>) -> &'a [Point] {
        self.widened.of(given)
    }

    /// Takes positions of the frame that are not in `f64`.
    pub fn widen(&mut self, positions: Positions<'_>) {
        self.widened.take(positions);
    }

    /// Lays a grid over all positions, so that keys are found together with boxes and not once more.
    pub fn lay_grid(&mut self, Aabb { min, max }: Aabb, map: &Map, layout: &Layout) {
        let all = Aabb32::EMPTY.with(&mapping::to_f32(&min, map)).with(&mapping::to_f32(&max, map));
        self.keyed.renew_grid(&all, layout);
    }

    /// Sorts the keys, on a grid that suits them.
    pub fn sort(&mut self, layout: &Layout) -> &mut PrimitiveKeys {
        Unsorted { keyed: &mut self.keyed, extent: &self.extent }.sort(layout)
    }

    /// What is known of the triangles, and what is found, apart from each other.
    pub fn split<'a>(&'a mut self, given: Positions<'a>) -> (Located<'a>, Unsorted<'a>) {
        let corners = bytemuck::cast_slice(self.mesh.triangles());
        let located = Located { corners, positions: self.widened.of(given) };
        (located, Unsorted { keyed: &mut self.keyed, extent: &self.extent })
    }

    /// Boxes, and keys on the grid of the step before.
    pub fn map_triangles(&mut self, positions: Positions<'_>, map: &Map) {
        let count = self.mesh.triangle_count();
        let mut images = std::mem::take(&mut self.keyed.images);
        let mut keys = std::mem::take(&mut self.keyed.keys);
        images.resize(count, Aabb32::EMPTY);
        keys.resize(count, 0);
        let kernel = MapTriangles {
            triangles: self.corners(),
            positions: self.positions(positions),
            map,
            grid: self.keyed.grid,
            first: 0,
            images: &mut images,
            keys: &mut keys,
        };
        self.extent = kernel.share();
        self.keyed.images = images;
        self.keyed.keys = keys;
    }
}

/// Keys to be sorted.
pub(super) struct Unsorted<'a> {
    keyed: &'a mut PrimitiveKeys,
    extent: &'a Extent,
}

impl<'a> Unsorted<'a> {
    /// Sorts them, on a grid that suits them.
    pub fn sort(self, layout: &Layout) -> &'a mut PrimitiveKeys {
        if self.keyed.renew_grid(&self.extent.points, layout) {
            self.keyed.renew_keys();
        }
        self.keyed.sort();
        self.keyed
    }
}

/// Triangles to be mapped to `f32`.
struct MapTriangles<'a> {
    triangles: &'a [[u32; 3]],
    positions: &'a [Point],
    map: &'a Map,
    grid: Option<Grid>,
    /// Number of the first triangle.
    first: u32,
    images: &'a mut [Aabb32],
    keys: &'a mut [u64],
}

impl MapTriangles<'_> {
    /// Places them, in halves on other threads where there are many.
    fn share(self) -> Extent {
        if parallel::is_worth(self.triangles.len(), CHUNK) {
            let half = self.triangles.len() / 2;
            let (images, more_images) = self.images.split_at_mut(half);
            let (keys, more_keys) = self.keys.split_at_mut(half);
            let a = MapTriangles { triangles: &self.triangles[..half], images, keys, ..self };
            let b = MapTriangles {
                triangles: &self.triangles[half..],
                first: self.first + half as u32,
                images: more_images,
                keys: more_keys,
                ..self
            };
            let (a, b) = parallel::join(|| a.share(), || b.share());
            return a.union(&b);
        }
        simd::dispatch(self)
    }
}

impl Kernel for MapTriangles<'_> {
    type Output = Extent;

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> Extent {
        let load = |image: &[f32; 4]| S::F32x4::load(simd, image);
        let (mut low, mut high) = (load(&Aabb32::EMPTY.min), load(&Aabb32::EMPTY.max));
        let mut points = Aabb32::EMPTY;
        let grid = self.grid.unwrap_or_else(|| Grid::over(&Aabb32::EMPTY, 0, Shape::Cubes, 0.0));
        let rows = self.images.iter_mut().zip(self.keys);
        for (id, (t, (image, into))) in self.triangles.iter().zip(rows).enumerate() {
            let [a, b, c] = *t;
            let a = S::F32x4::map(simd, &self.positions[a as usize], self.map);
            let b = S::F32x4::map(simd, &self.positions[b as usize], self.map);
            let c = S::F32x4::map(simd, &self.positions[c as usize], self.map);
            let least = a.min(b).min(c);
            let most = a.max(b).max(c);
            least.store(&mut image.min);
            most.store(&mut image.max);
            low = low.min(least);
            high = high.max(most);
            let p = image.centre();
            for k in 0..3 {
                points.min[k] = if p[k] < points.min[k] { p[k] } else { points.min[k] };
                points.max[k] = if p[k] > points.max[k] { p[k] } else { points.max[k] };
            }
            *into = key(grid.code(p), self.first + id as u32);
        }
        let mut all = Aabb32::EMPTY;
        low.store(&mut all.min);
        high.store(&mut all.max);
        Extent { all, points }
    }
}
