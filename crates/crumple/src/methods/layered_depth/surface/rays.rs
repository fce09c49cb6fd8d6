//! Rays through all corners of the grid along one of seven directions, and the stretches of them that are inside.

use super::super::body::SnappedBody;
use super::super::image::layers::{Layer, Layers};
use super::super::image::view::{self, View};
use super::super::lattice::{Corner, Lattice};
use super::super::merge::merge;
use super::{CornerGrid, WantedWinding};
use crate::VertexId;
use crate::geometry::{Aabb, Point};

/// A direction of edges: the axes along which it advances, 1 for x, 2 for y, 4 for z.
pub(crate) type Direction = usize;

/// Along z.
pub(crate) const UP: Direction = 4;

/// All of them.
pub(crate) const DIRECTIONS: std::ops::Range<Direction> = 1..8;

/// How far a direction goes along an axis: 0 or 1.
#[inline(always)]
pub(crate) fn along(direction: Direction, axis: usize) -> usize {
    direction >> axis & 1
}

/// The image that rays of one direction make: the grid seen along an axis of that direction, sheared until its rays are
/// upright.
#[derive(Debug, Clone)]
pub(crate) struct ShearedImage {
    pub direction: Direction,
    /// Axes of the grid: across, up, and along the rays.
    axes: [usize; 3],
    /// Corners along the rays' axis.
    depth: u32,
    lattice: Lattice,
}

impl ShearedImage {
    pub fn new(grid: &CornerGrid, direction: Direction) -> Self {
        let k = direction.ilog2() as usize;
        let axes = [(k + 1) % 3, (k + 2) % 3, k];
        let depth = grid.counts[k];
        let side = |axis: usize| grid.counts[axis] + along(direction, axis) as u32 * depth;
        let lattice = Lattice::of_units([side(axes[0]), side(axes[1])], grid.shift, depth);
        Self { direction, axes, depth, lattice }
    }

    /// A position in units as the image has it. Integers stay integers.
    #[inline(always)]
    fn sheared(&self, p: &Point) -> Point {
        let shift = self.lattice.shift;
        let offset = (f64::from(self.depth) + 0.5) * f64::from(1 << shift);
        let z = p[self.axes[2]];
        let at = |axis: usize| if along(self.direction, axis) == 0 { p[axis] } else { p[axis] - z + offset };
        [at(self.axes[0]), at(self.axes[1]), z]
    }

    /// The column of a corner.
    #[inline(always)]
    fn column(&self, corner: [u32; 3]) -> usize {
        let back = self.depth - corner[self.axes[2]];
        let at = |axis: usize| corner[axis] + along(self.direction, axis) as u32 * back;
        self.lattice.column([at(self.axes[0]), at(self.axes[1])])
    }

    /// How deep a corner is on its ray.
    #[inline(always)]
    fn depth_of(&self, corner: [u32; 3]) -> i32 {
        let shift = self.lattice.shift;
        ((corner[self.axes[2]] << shift) + (1 << (shift - 1))) as i32
    }
}

/// Where a stretch of a ray begins or ends.
#[derive(Debug, Clone, Copy)]
struct RayEnd {
    depth: i32,
    /// The triangle that is crossed, counted through all bodies.
    triangle: u32,
}

/// Where an edge is cut.
#[derive(Debug, Clone, Copy)]
pub(crate) struct EdgeCut {
    /// 0 at the lower end of the edge, 1 at the upper.
    pub at: f64,
    /// The triangle that is crossed, counted through all bodies; `None` where the surface runs through an end.
    pub triangle: Option<u32>,
}

/// The stretches of rays inside what is wanted. A corner at depth c is inside a stretch where from < c ≤ to: depths are
/// rounded down, so that this is exact for the surface on the lattice.
#[derive(Debug)]
pub(crate) struct Rays {
    pub image: ShearedImage,
    /// First stretch of each column, and the total last.
    starts: Vec<u32>,
    /// They ascend, and do not touch.
    list: Vec<[RayEnd; 2]>,
}

impl Rays {
    /// Draws all bodies.
    pub fn draw(
        image: ShearedImage,
        triangles: &[&[[VertexId; 3]]],
        units: &[Vec<Point>],
        wanted: WantedWinding,
        workers: &mut Vec<view::WorkerLayers>,
    ) -> Self {
        let mut layers = Layers::empty(image.lattice);
        let (mut positions, mut vertices): (Vec<Point>, Vec<Corner>) = Default::default();
        let mut rays: Option<Self> = None;
        let mut first = 0;
        for (triangles, units) in triangles.iter().zip(units) {
            positions.clear();
            positions.extend(units.iter().map(|p| image.sheared(p)));
            image.lattice.snap_all((&positions).into(), &mut vertices);
            let bounds = Aabb::of(&positions);
            let snapped = (&vertices[..], (&positions).into());
            let body = SnappedBody::new(image.lattice, triangles, snapped, &bounds);
            View::of_one(image.lattice, body, workers).layers_into(0, &mut layers);
            let next = Self::of(&image, &layers, first, wanted);
            first += triangles.len() as u32;
            rays = Some(match rays {
                None => next,
                Some(rays) => rays.common(&next),
            });
        }
        rays.expect("at least one body")
    }

    /// The wanted stretches of one body, whose triangles are counted from `first` on.
    fn of(image: &ShearedImage, layers: &Layers, first: u32, wanted: WantedWinding) -> Self {
        let mut rays = Self { image: image.clone(), starts: vec![0], list: Vec::new() };
        let end = |layer: Layer| RayEnd { depth: layer.depth, triangle: first + layer.triangle().0 };
        for column in 0..image.lattice.columns() {
            let first = rays.list.len();
            merge(
                [layers.column(column)],
                [0],
                |[w]| wanted.holds(w),
                |stretch| {
                    let Some((_, from)) = stretch.from else { return };
                    let from = end(from);
                    let to = stretch
                        .to
                        .map_or(RayEnd { depth: i32::MAX, triangle: from.triangle }, |(_, l)| end(l));
                    match rays.list[first..].last_mut() {
                        // A body that ends where it begins again does not end.
                        Some(last) if last[1].depth >= from.depth => last[1] = to,
                        _ if from.depth < to.depth => rays.list.push([from, to]),
                        _ => {}
                    }
                },
            );
            rays.starts.push(rays.list.len() as u32);
        }
        rays
    }

    /// What lies in the stretches of both.
    fn common(&self, other: &Self) -> Self {
        let mut rays = Self { image: self.image.clone(), starts: vec![0], list: Vec::new() };
        for column in 0..self.image.lattice.columns() {
            let (mut mine, mut others) = (self.column(column), other.column(column));
            while let ([a, ..], [b, ..]) = (mine, others) {
                let from = if a[0].depth >= b[0].depth { a[0] } else { b[0] };
                let is_first = a[1].depth < b[1].depth;
                let to = if is_first { a[1] } else { b[1] };
                if from.depth < to.depth {
                    rays.list.push([from, to]);
                }
                if is_first {
                    mine = &mine[1..];
                } else {
                    others = &others[1..];
                }
            }
            rays.starts.push(rays.list.len() as u32);
        }
        rays
    }

    fn column(&self, column: usize) -> &[[RayEnd; 2]] {
        &self.list[self.starts[column] as usize..self.starts[column + 1] as usize]
    }

    /// The corners inside on the ray of a corner, as ranges along the ray's axis.
    pub fn inside(&self, corner: [u32; 3]) -> impl Iterator<Item = std::ops::Range<u32>> + '_ {
        let shift = self.image.lattice.shift;
        // Corner c is at depth c cells and a half: the first above a depth.
        let above = move |depth: i32| {
            let corner = (i64::from(depth) + (1 << (shift - 1))) >> shift;
            corner.clamp(0, i64::from(self.image.depth)) as u32
        };
        self.column(self.image.column(corner))
            .iter()
            .map(move |[from, to]| above(from.depth)..above(to.depth))
    }

    /// Where the edge up from a corner, whose ends differ, leaves or enters the volume. A ray that does not agree about
    /// an end has a surface that runs through that end.
    pub fn crossing(&self, corner: [u32; 3], is_inside: bool) -> EdgeCut {
        let shift = self.image.lattice.shift;
        let low = self.image.depth_of(corner);
        let end = if is_inside { low } else { low + (1 << shift) };
        let stretches = self.column(self.image.column(corner));
        let next = stretches.partition_point(|s| s[1].depth < end);
        match stretches.get(next).filter(|s| s[0].depth < end) {
            None => EdgeCut { at: if is_inside { 0.0 } else { 1.0 }, triangle: None },
            Some(&[from, to]) => {
                let end = if is_inside { to } else { from };
                // Rounded down before; in the middle of its unit now.
                let at = (f64::from(end.depth) - f64::from(low) + 0.5) / f64::from(1 << shift);
                EdgeCut { at, triangle: Some(end.triangle) }
            }
        }
    }
}
