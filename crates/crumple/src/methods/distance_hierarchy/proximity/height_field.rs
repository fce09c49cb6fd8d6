//! Parts of a surface in which nothing can be close that does not hang together: most of a smooth one.
//!
//! Let R be some triangles that all have positive area when projected along a direction V, and let the border of R (edges that two of
//! its triangles pass in opposite directions cancel) be one polygon whose projection does not touch itself. How often R covers a point
//! of the plane is how often its border winds round it: once inside, never outside. So the projection is a triangulation of the
//! polygon's inside, and points of R are at least as far apart as their images. What does *not* share a vertex is then apart:
//! 1. *A vertex v and a triangle, or an edge.* The way from v's image to the other's leads at first through a triangle at v, and leaves it
//!    by the side across from v: it is at least as long as that triangle's altitude. Or v is on the border and the way begins outside of R;
//!    then it comes back through an edge of the border that does not end at v, and is at least as long as v is from there.
//! 2. *Two edges.* Their images do not cross, so the shortest way between them begins at an end of one of them, and 1 holds.
//!
//! So if all altitudes are above the limit, and all edges of the border are further than that from all vertices of it that are not
//! their ends, no pair within R counts. Of a region of the hierarchy all triangles are taken at once, the largest regions first. A sphere
//! of 80,000 triangles in which nothing is close costs a third so.
//!
//! # Rounding
//! Images in the plane are rounded to single precision; with these as corners everything above is said of polygons with exactly these
//! corners. Coordinates are below 1 and five operations are rounded, so that a point is less than 2^-21 from where it belongs, and two
//! points are at least as far apart as their images less 2^-20. Areas are off by less than 2^-21 of the square of the longest side. Distances
//! along the border are taken in double precision, where signs of areas are exact.

use super::super::bounds::UP;
use super::super::regions::{Region, Regions};
use super::elements::Elements;
use super::rows::eight_corners;
use super::separation::first_lanes;
use crate::geometry::simd::{F32x8, Kernel, Mask, Row, Simd, cross3, dot3, splat3, sub3};

/// Which regions are such parts of a surface.
#[derive(Debug, Clone, Default)]
pub(in super::super) struct HeightFields {
    /// Yes or no for each node, and for each block that is in none of them.
    nodes: Vec<bool>,
    blocks: Vec<bool>,
    plane: Plane,
}

impl HeightFields {
    /// Whether nothing within a region is close that does not hang together.
    #[inline]
    pub fn is_apart(&self, region: Region) -> bool {
        (if region.is_block() { &self.blocks } else { &self.nodes })[region.index()]
    }
}

/// Scratch: a border in the plane, the first corner once more at the end.
#[derive(Debug, Clone, Default)]
struct Plane {
    corners: Vec<[f32; 2]>,
    /// Boxes of its edges, eight at a time: smallest and largest x, then y.
    boxes: Vec<[Row; 4]>,
}

/// Finds them for a limit, or for what the blocks reach.
pub(super) struct FindHeightFields<'a> {
    pub regions: &'a Regions,
    pub elements: &'a Elements,
    pub limit: f32,
    /// Whether each vertex has a reach of its own; then the limit of a region is twice the largest in it.
    pub is_each: bool,
    pub out: &'a mut HeightFields,
}

impl Kernel for FindHeightFields<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let Self { regions, elements, limit, is_each, out } = self;
        let HeightFields { nodes, blocks, plane } = out;
        nodes.clear();
        nodes.resize(regions.nodes.len(), false);
        blocks.clear();
        blocks.resize(regions.blocks.len(), false);
        let (mut next, mut below) = (vec![regions.root], Vec::new());
        while let Some(region) = next.pop() {
            let below = &mut below;
            let limit =
                if is_each { 2.0 * furthest(regions, region, &elements.reaches, below) * UP } else { limit };
            let borders = &elements.borders;
            let of = if region.is_block() { &borders.blocks } else { &borders.nodes };
            let border = &of[region.index()].polygon;
            let field = Field { regions, elements, border, region };
            let is_apart = field.is_apart(simd, limit, plane, below);
            (if region.is_block() { &mut *blocks } else { &mut *nodes })[region.index()] = is_apart;
            if !is_apart {
                regions.push_children(region, &mut next);
            }
        }
    }
}

/// The furthest that a vertex of a region reaches.
fn furthest(regions: &Regions, region: Region, reaches: &[f32], below: &mut Vec<Region>) -> f32 {
    let mut furthest = 0.0;
    below.push(region);
    while let Some(region) = below.pop() {
        if region.is_block() {
            furthest = larger(furthest, reaches[region.index()]);
        }
        regions.push_children(region, below);
    }
    furthest
}

/// A region, and the vertices round it.
struct Field<'a> {
    regions: &'a Regions,
    elements: &'a Elements,
    border: &'a [u32],
    region: Region,
}

impl Field<'_> {
    /// Whether no two features in it without a common vertex are closer than the limit.
    #[inline(always)]
    fn is_apart<S: Simd>(&self, simd: S, limit: f32, plane: &mut Plane, below: &mut Vec<Region>) -> bool {
        let Some(axes) = self.axes() else { return false };
        let limit = limit * (1.0 + 1.0 / (1 << 18) as f32) + 1.0 / (1 << 18) as f32;
        if !self.altitudes_above(simd, &axes, limit, below) {
            return false;
        }
        plane.corners.clear();
        plane.corners.extend(self.border.iter().map(|&v| axes.map(|axis| dot3(self.corner(v), axis))));
        plane.enclose();
        plane.is_simple(simd, limit)
    }

    fn corner(&self, vertex: u32) -> [f32; 3] {
        let [x, y, z, _] = self.elements.images[vertex as usize];
        [x, y, z]
    }

    /// Two axes across the sum of the triangles' area vectors, which is that of the border.
    fn axes(&self) -> Option<[[f32; 3]; 2]> {
        let (&first, rest) = self.border.split_first()?;
        let origin = self.corner(first);
        let mut sum = [0.0_f64; 3];
        let from = |p: u32| sub3(self.corner(p), origin).map(f64::from);
        for pair in rest.windows(2) {
            let area = cross3(from(pair[0]), from(pair[1]));
            sum = [sum[0] + area[0], sum[1] + area[1], sum[2] + area[2]];
        }
        let length = dot3(sum, sum).sqrt();
        if length.is_nan() || length <= 1e-30 {
            return None;
        }
        let n = sum.map(|x| x / length);
        // The axis that is least along n, made perpendicular to it.
        let k = (0..3).fold(0, |best, k| if n[k].abs() < n[best].abs() { k } else { best });
        let mut u = [0.0; 3];
        u[k] = 1.0;
        let u = sub3(u, n.map(|x| x * n[k]));
        let per = 1.0 / dot3(u, u).sqrt();
        let u = u.map(|x| x * per);
        let w = cross3(n, u);
        Some([u, w].map(|axis| axis.map(|x| x as f32)))
    }

    /// Whether all triangles face the direction, and all their altitudes in the plane are above the limit.
    #[inline(always)]
    fn altitudes_above<S: Simd>(
        &self,
        simd: S,
        axes: &[[f32; 3]; 2],
        limit: f32,
        below: &mut Vec<Region>,
    ) -> bool {
        let [u, w] = [splat3(simd, axes[0]), splat3(simd, axes[1])];
        let (limit, part) = (S::F32x8::splat(simd, limit), S::F32x8::splat(simd, 1.0 / (1 << 18) as f32));
        let (images, triangles) = (&self.elements.images[..], &self.elements.triangles);
        below.clear();
        below.push(self.region);
        while let Some(region) = below.pop() {
            if !region.is_block() {
                self.regions.push_children(region, below);
                continue;
            }
            for [p, q, r] in &triangles.corners[triangles.rows(region.index())] {
                let [p, q, r] = [
                    eight_corners(simd, images, p),
                    eight_corners(simd, images, q),
                    eight_corners(simd, images, r),
                ];
                let [px, qx, rx] = [dot3(p, u), dot3(q, u), dot3(r, u)];
                let [py, qy, ry] = [dot3(p, w), dot3(q, w), dot3(r, w)];
                let (ax, ay, bx, by, cx, cy) = (qx - px, qy - py, rx - px, ry - py, rx - qx, ry - qy);
                let area = ax * by - ay * bx;
                let longest_sq = (ax * ax + ay * ay).max(bx * bx + by * by).max(cx * cx + cy * cy);
                let least = limit * longest_sq.sqrt() + part * longest_sq;
                // What fills a row repeats its last triangle.
                if area.gt(least).bitmask() != 0xff {
                    return false;
                }
            }
        }
        true
    }
}

impl Plane {
    /// Closes the polygon, and finds the boxes of its edges.
    fn enclose(&mut self) {
        let Self { corners, boxes } = self;
        corners.push(corners[0]);
        boxes.clear();
        for (i, edge) in corners.windows(2).enumerate() {
            if i % 8 == 0 {
                boxes.push([Row([1e6; 8]); 4]);
            }
            let rows = &mut boxes[i / 8];
            for k in 0..2 {
                let (p, q) = (edge[0][k], edge[1][k]);
                rows[2 * k].0[i % 8] = if p < q { p } else { q };
                rows[2 * k + 1].0[i % 8] = if p < q { q } else { p };
            }
        }
    }

    /// Whether no edge comes within the limit of a vertex that is not its end, and none crosses another.
    #[inline(always)]
    fn is_simple<S: Simd>(&self, simd: S, limit: f32) -> bool {
        let count = self.corners.len() - 1;
        let far = S::F32x8::splat(simd, limit);
        let splat = |x: f32| S::F32x8::splat(simd, x);
        for i in 0..count {
            let own = &self.boxes[i / 8];
            let [x0, x1, y0, y1] = [own[0].0[i % 8], own[1].0[i % 8], own[2].0[i % 8], own[3].0[i % 8]];
            let [x0, x1, y0, y1] = [splat(x0), splat(x1), splat(y0), splat(y1)];
            for (j, rows) in self.boxes.iter().enumerate().skip(i / 8) {
                let beside = (S::F32x8::load(simd, &rows[0]) - x1).max(x0 - S::F32x8::load(simd, &rows[1]));
                let above = (S::F32x8::load(simd, &rows[2]) - y1).max(y0 - S::F32x8::load(simd, &rows[3]));
                let mut near = !beside.max(above).gt(far).bitmask() & first_lanes(count - 8 * j);
                while near != 0 {
                    let other = 8 * j + near.trailing_zeros() as usize;
                    near &= near - 1;
                    if other > i && !self.are_apart(i, other, limit) {
                        return false;
                    }
                }
            }
        }
        true
    }

    /// Whether two edges, the first before the second, are apart; of two with a common end, whether the other ends are from the other edge.
    fn are_apart(&self, i: usize, j: usize, limit: f32) -> bool {
        let count = self.corners.len() - 1;
        let point = |k: usize| self.corners[k].map(f64::from);
        let ([a, b], [c, d]) = ([point(i), point(i + 1)], [point(j), point(j + 1)]);
        let limit_sq = f64::from(limit) * f64::from(limit);
        let is_far = |p: [f64; 2], [q, r]: [[f64; 2]; 2]| distance_sq(p, q, r) > limit_sq;
        if j == i + 1 {
            return is_far(a, [c, d]) && is_far(d, [a, b]);
        }
        if i == 0 && j + 1 == count {
            return is_far(b, [c, d]) && is_far(c, [a, b]);
        }
        let crosses = area(a, b, c) * area(a, b, d) < 0.0 && area(c, d, a) * area(c, d, b) < 0.0;
        !crosses && is_far(a, [c, d]) && is_far(b, [c, d]) && is_far(c, [a, b]) && is_far(d, [a, b])
    }
}

#[inline(always)]
fn larger(a: f32, b: f32) -> f32 {
    if a > b { a } else { b }
}

/// Twice the area of a triangle: its sign is exact for corners of single precision whose differences are.
fn area(a: [f64; 2], b: [f64; 2], c: [f64; 2]) -> f64 {
    (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
}

/// The square of the distance of a point from a segment.
fn distance_sq(p: [f64; 2], q: [f64; 2], r: [f64; 2]) -> f64 {
    let (along, to) = ([r[0] - q[0], r[1] - q[1]], [p[0] - q[0], p[1] - q[1]]);
    let square = along[0] * along[0] + along[1] * along[1];
    let t = if square > 0.0 { ((to[0] * along[0] + to[1] * along[1]) / square).clamp(0.0, 1.0) } else { 0.0 };
    let way = [to[0] - t * along[0], to[1] - t * along[1]];
    way[0] * way[0] + way[1] * way[1]
}
