//! The triangles of one body as primitives: positions in `f64`, boxes and Morton keys.

use super::grid::{Grid, Shape};
use super::image::Image;
use super::keys::{Extent, PrimitiveKeys, key};
#[cfg(feature = "parallel")]
use super::threads;
use crate::geometry::simd::{self, F32x4, Kernel, Simd};
use crate::geometry::{Map, Point};
use crate::{Mesh, Positions};

/// How many triangles a thread takes at a time.
#[cfg(feature = "parallel")]
pub(super) const CHUNK: usize = 8192;

/// A body, where it is, and where its triangles belong on the grid.
#[derive(Debug, Clone)]
pub(super) struct BodyTriangles {
    pub mesh: Mesh,
    /// Positions in `f64`, where they were given in `f32`.
    wide: Vec<Point>,
    pub keyed: PrimitiveKeys,
    /// Of the step in which they were placed.
    pub extent: Extent,
}

impl BodyTriangles {
    pub fn new(mesh: &Mesh) -> Self {
        Self { mesh: mesh.clone(), wide: Vec::new(), keyed: PrimitiveKeys::default(), extent: Extent::EMPTY }
    }

    /// Corners of each triangle as plain numbers.
    pub fn corners(&self) -> &[[u32; 3]] {
        bytemuck::cast_slice(self.mesh.triangles())
    }

    /// The positions in `f64`; see [`BodyTriangles::widen`].
    pub fn positions<'a>(&'a self, given: Positions<'a>) -> &'a [Point] {
        match given {
            Positions::F64(p) => p,
            Positions::F32(_) => &self.wide,
        }
    }

    /// Takes positions of the frame that are not in `f64`.
    pub fn widen(&mut self, positions: Positions<'_>) {
        self.wide.clear();
        if let Positions::F32(p) = positions {
            self.wide.extend(p.iter().map(|x| x.map(f64::from)));
        }
    }

    /// Boxes, and keys on the grid of the step before.
    pub fn place(&mut self, positions: Positions<'_>, map: &Map) {
        let count = self.mesh.triangles().len();
        let mut images = std::mem::take(&mut self.keyed.images);
        let mut keys = std::mem::take(&mut self.keyed.keys);
        images.resize(count, Image::EMPTY);
        keys.resize(count, 0);
        let place = Place {
            triangles: self.corners(),
            positions: self.positions(positions),
            map,
            grid: self.keyed.grid,
            first: 0,
            images: &mut images,
            keys: &mut keys,
        };
        self.extent = place.share();
        self.keyed.images = images;
        self.keyed.keys = keys;
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
        let grid = self.grid.unwrap_or_else(|| Grid::over(&Image::EMPTY, 0, Shape::Cubes, 0.0));
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
