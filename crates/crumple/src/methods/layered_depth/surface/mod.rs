//! The volume that bodies share, as a closed surface.
//!
//! A grid of corners lies over the common volume. Which corners are inside all bodies is read off rays along z; each
//! cube of eight corners is cut into six tetrahedra round one diagonal, and between the corners inside and those outside
//! a tetrahedron has one triangle or two. The edges of the tetrahedra run in seven directions. Along each of them rays
//! are drawn through all corners, so that every vertex of the surface is put where its edge really leaves the volume.
//!
//! A ray along a diagonal is a ray along an axis of a sheared body. Vertices are snapped to integers first and sheared
//! then, so that all seven images show the very same closed surface and agree about every corner that is not on it.
//!
//! # Invariants
//! S1. The surface is closed and a 2-manifold, and its triangles are counter-clockwise from outside, whatever the bodies
//! are: neighbours have the same edges and faces, a cut edge has one vertex, and the tetrahedra round it form a ring. It
//! does not cut itself, since each piece stays in its tetrahedron.
//!
//! S2. A vertex on an edge of the grid is within 1.01 *units* per coordinate of where its edge leaves the common volume, a
//! unit being at most 2⁻¹⁸ of a cell: half for snapping, half for the depth that is rounded. But it keeps 2⁻¹⁰ of its
//! edge's length away from the ends of the edge, so that no triangle has an edge of length zero.
//!
//! S3. A vertex on a crease is within 1/50 of a cell's diagonal of the common volume's surface, proved by exact signs, and
//! as a rule within 1/256. It is on the crease as far as the bodies are flat between the cuts beside it. Where three
//! creases meet there is a vertex where their planes do, or, if these do not meet within the tetrahedron, one in the
//! middle. Bodies with holes, and what one shares with itself, have no such vertices: their creases are cut off.
//!
//! # What is lost
//! Creases that bend within a cell, and corners of more than three faces, are cut off; parts that slip between all
//! corners are missed. Both are of second order in the size of a cell, and so is the volume.

mod corners;
mod creases;
mod rays;
mod tetrahedra;

use self::corners::{Corners, CutVertex};
use self::creases::{CreaseCandidate, Creases, HALVINGS};
use self::rays::{DIRECTIONS, Rays, ShearedImage, UP};
use self::tetrahedra::{TetCuts, WITHIN};
use super::{Resolution, Volumes};
use crate::geometry::{Aabb, Point};
use crate::{BodyId, Error, Positions, VertexId};

/// Most cells along a side: 32 bits then number all edges.
const MOST_CELLS: u32 = 512;

/// Fewest cells along a short side, unless the longest has fewer: a slight overlap is thin, and a lens loses a share of
/// about the inverse square of this at its rim.
const FEWEST_CELLS: u32 = 16;

/// Rays along each side of the images that tell where the common volume is.
const NARROWING: u32 = 128;

/// Units across the longest side of the grid, as a power of two.
const UNITS: u32 = 27;

/// The surface of the volume that bodies share: closed, a 2-manifold, its triangles counter-clockwise from outside.
#[derive(Debug, Clone, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct IntersectionSurface {
    /// Positions of the vertices.
    pub positions: Vec<[f64; 3]>,
    /// Corners of each triangle.
    pub triangles: Vec<[u32; 3]>,
    /// The first so many vertices are where edges of the grid cross the surface; the others are on creases.
    pub crossings: usize,
    /// The sides of a cell: what is thinner may be missed. Zero where the boxes have no common volume.
    pub cell: [f64; 3],
}

impl IntersectionSurface {
    /// Whether there is nothing.
    pub fn is_empty(&self) -> bool {
        self.triangles.is_empty()
    }

    /// The volume within.
    pub fn volume(&self) -> f64 {
        // From a point nearby, since the terms cancel.
        let Some(&o) = self.positions.first() else { return 0.0 };
        let at = |v: u32| -> Point { std::array::from_fn(|k| self.positions[v as usize][k] - o[k]) };
        self.triangles.iter().map(|t| volume(t.map(at))).sum::<f64>() / 6.0
    }
}

/// The normal of a triangle that is counted through all bodies; zero where it has no area.
fn normal(triangles: &[&[[VertexId; 3]]], positions: &[Positions<'_>], mut triangle: usize) -> Point {
    let mut body = 0;
    while triangle >= triangles[body].len() {
        triangle -= triangles[body].len();
        body += 1;
    }
    let [a, b, c] = triangles[body][triangle].map(|v| positions[body].get(v.index()));
    let [u, v]: [Point; 2] = [b, c].map(|p| std::array::from_fn(|k| p[k] - a[k]));
    let n: Point = std::array::from_fn(|k| u[(k + 1) % 3] * v[(k + 2) % 3] - u[(k + 2) % 3] * v[(k + 1) % 3]);
    let length = n.iter().map(|x| x * x).sum::<f64>().sqrt();
    // Numbers too small or too large to be squared have no direction.
    if length.is_normal() { n.map(|x| x / length) } else { [0.0; 3] }
}

/// Six times the volume of the tetrahedron below a triangle, from the origin.
fn volume([a, b, c]: [Point; 3]) -> f64 {
    a[0] * (b[1] * c[2] - b[2] * c[1])
        + a[1] * (b[2] * c[0] - b[0] * c[2])
        + a[2] * (b[0] * c[1] - b[1] * c[0])
}

/// Which part of the bodies is wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum WantedWinding {
    /// What lies inside.
    Inside,
    /// Where a body overlaps itself or is turned over: its winding number is neither 0 nor that of a sound body.
    Misordered {
        /// The winding number inside a sound body: 1, or −1 where it is inside out.
        sound: i32,
    },
}

impl WantedWinding {
    #[inline(always)]
    fn holds(self, winding: i32) -> bool {
        match self {
            Self::Inside => winding != 0,
            Self::Misordered { sound } => winding != 0 && winding != sound,
        }
    }
}

impl Volumes<'_> {
    /// The surface of the volume common to bodies: two or more of them, or one by itself, which is then drawn anew
    /// without the parts of its shells that lie within. Nothing where they have no common volume; an error where it is
    /// too thin for numbers to tell the corners of its cells apart.
    ///
    /// The larger number of [`Resolution::Pixels`] is the number of cells along the longest side of the common volume,
    /// and [`Resolution::PixelSize`] the side of a cell; each side gets 16 to 512 cells, fewer
    /// than 16 only if the longest has fewer.
    pub fn intersection(
        &mut self,
        ids: &[BodyId],
        resolution: Resolution,
    ) -> Result<IntersectionSurface, Error> {
        self.surface_of(ids, resolution, |_, _| WantedWinding::Inside)
    }

    /// The surface of the volume in which a body overlaps itself or is turned over; see
    /// [`intersection`](Self::intersection).
    pub fn self_intersection(
        &mut self,
        body: BodyId,
        resolution: Resolution,
    ) -> Result<IntersectionSurface, Error> {
        self.surface_of(&[body], resolution, |triangles, units| {
            let six = |t: &[VertexId; 3]| volume(t.map(|v| units[v.index()]));
            WantedWinding::Misordered {
                sound: if triangles.iter().map(six).sum::<f64>() < 0.0 { -1 } else { 1 },
            }
        })
    }

    fn surface_of(
        &mut self,
        ids: &[BodyId],
        resolution: Resolution,
        wanted: impl FnOnce(&[[VertexId; 3]], &[Point]) -> WantedWinding,
    ) -> Result<IntersectionSurface, Error> {
        resolution.check()?;
        let places = self.admit_all(ids)?;
        let positions: Vec<_> = ids.iter().map(|&b| self.frame.of(b)).collect();
        let boxes: Vec<_> = places.iter().zip(ids).map(|(&place, &id)| self.surface(place, id).2).collect();
        let Some(common) = boxes.iter().copied().reduce(|a, b| a.intersection(&b)) else {
            return Ok(IntersectionSurface::default());
        };
        if common.size().iter().any(|s| s.is_nan() || *s <= 0.0) {
            return Ok(IntersectionSurface::default());
        }
        let Some(common) = self.narrowed(ids, common)? else {
            return Ok(IntersectionSurface::default());
        };
        let grid = CornerGrid::new(&common, resolution)
            .filter(|grid| boxes.iter().all(|b| grid.reaches(b)))
            .ok_or(Error::Unresolved { size: common.size() })?;
        let units: Vec<_> = positions.iter().map(|&p| grid.snap(p)).collect();
        let triangles: Vec<_> = places.iter().map(|&s| self.method.surfaces[s].triangles()).collect();
        let wanted = wanted(triangles[0], &units[0]);
        let mut draw = |direction| {
            Rays::draw(
                ShearedImage::new(&grid, direction),
                &triangles,
                &units,
                wanted,
                &mut self.method.workers,
            )
        };
        let up = draw(UP);
        let corners = Corners::new(&grid, &up);
        let mut vertices = vec![CutVertex::default(); corners.vertices()];
        let normal = |triangle: u32| normal(&triangles, &positions, triangle as usize);
        corners.put_vertices(&grid, &up, &normal, &mut vertices);
        for direction in DIRECTIONS.filter(|&d| d != UP) {
            corners.put_vertices(&grid, &draw(direction), &normal, &mut vertices);
        }
        let is_sharp = wanted == WantedWinding::Inside && self.are_closed(&places);
        let creases = if is_sharp {
            let candidates = creases::candidates(&corners, &grid, &vertices);
            let mut kept = self.proved(ids, candidates)?;
            kept.truncate((WITHIN as usize).saturating_sub(vertices.len()));
            Creases::new(&corners, kept.into_iter())
        } else {
            Creases::default()
        };
        let cut = TetCuts { grid: &grid, corners: &corners, vertices: &vertices, creases: &creases };
        let (positions, triangles) = cut.surface();
        Ok(IntersectionSurface { positions, triangles, crossings: vertices.len(), cell: grid.cell })
    }

    /// The candidates that have the common volume on one side and not on the other, with the sides brought together.
    fn proved(
        &mut self,
        ids: &[BodyId],
        mut candidates: Vec<CreaseCandidate>,
    ) -> Result<Vec<CreaseCandidate>, Error> {
        let mut common = |points: &[Point]| {
            let (mut common, mut inside) = (vec![true; points.len()], Vec::new());
            for &body in ids {
                self.solid(body)?.inside(points, &mut inside)?;
                common.iter_mut().zip(&inside).for_each(|(common, inside)| *common &= inside);
            }
            Ok::<_, Error>(common)
        };
        let beside: Vec<Point> = candidates.iter().flat_map(CreaseCandidate::sides).collect();
        let sides = common(&beside)?;
        let mut sides = sides.chunks_exact(2);
        candidates.retain(|_| sides.next().is_some_and(|side| side == [true, false]));
        for _ in 0..HALVINGS {
            let middles: Vec<Point> = candidates.iter().map(CreaseCandidate::middle).collect();
            let inside = common(&middles)?;
            candidates.iter_mut().zip(inside).for_each(|(c, is_inside)| c.halve(is_inside));
        }
        Ok(candidates)
    }
}

impl Volumes<'_> {
    /// A box that holds all that bodies have in common and is hardly larger: what the boxes of the bodies share may be a
    /// hundred times as large, and cells would be as much too coarse. `None` where it is proved that there is nothing.
    fn narrowed(&mut self, ids: &[BodyId], common: Aabb) -> Result<Option<Aabb>, Error> {
        let mut narrow = common;
        for pair in ids.windows(2) {
            let pair = [pair[0], pair[1]];
            let overlap = self.overlap_and(pair, Resolution::rays(NARROWING), |_, _| ())?;
            let places = self.admit_both(pair)?;
            match overlap.bounds {
                // The bounds of an open surface prove nothing.
                _ if !self.are_closed(&places) => {}
                Some([min, max]) => narrow = narrow.intersection(&Aabb { min, max }),
                None if overlap.upper == 0.0 => return Ok(None),
                None => {}
            }
        }
        Ok(Some(narrow).filter(|b| b.size().iter().all(|s| *s > 0.0)))
    }
}

/// The grid of corners: the middles of the voxels of a box, and one more on either side.
#[derive(Debug, Clone)]
struct CornerGrid {
    low: Point,
    /// The sides of a cell.
    cell: Point,
    /// Units per length.
    scale: Point,
    /// log2 of the units across a cell, at least 17.
    shift: u32,
    /// Corners along each axis.
    counts: [u32; 3],
}

impl CornerGrid {
    /// `None` where numbers cannot tell the corners apart.
    fn new(bounds: &Aabb, resolution: Resolution) -> Option<Self> {
        let size = bounds.size();
        let longest = size.iter().fold(0.0, |m: f64, &s| m.max(s));
        let most = match resolution {
            Resolution::Pixels([x, y]) => f64::from(x.max(y)),
            Resolution::PixelSize(side) => (longest / side).ceil(),
        };
        let most = most.clamp(1.0, f64::from(MOST_CELLS));
        let fewest = f64::from(FEWEST_CELLS).min(most);
        // Rounded up, but for what a division leaves.
        let cells = size.map(|s| (s / longest * most - 1e-9).ceil().clamp(fewest, most) as u32);
        let shift = UNITS - (most as u32).next_power_of_two().trailing_zeros().max(1);
        let cell: Point = std::array::from_fn(|k| size[k] / f64::from(cells[k]));
        let scale = cell.map(|c| f64::from(1 << shift) / c);
        // Vertices 2⁻¹⁰ of a cell apart are then 2⁶ steps of a number apart.
        let is_resolved = |k: usize| {
            let far = bounds.min[k].abs().max(bounds.max[k].abs());
            cell[k] > far * 2f64.powi(-36) && scale[k].is_normal() && scale[k].recip().is_normal()
        };
        (0..3).all(is_resolved).then_some(Self {
            low: bounds.min,
            cell,
            scale,
            shift,
            counts: cells.map(|n| n + 2),
        })
    }

    /// A position in units, rounded to integers; corner i of an axis is at i cells and a half.
    fn units(&self, p: &Point) -> Point {
        let one = f64::from(1 << self.shift);
        std::array::from_fn(|k| ((p[k] - self.low[k]) * self.scale[k]).round_ties_even() + one)
    }

    /// Whether a box lies in the range of far triangles, with room for shearing.
    fn reaches(&self, bounds: &Aabb) -> bool {
        const FAR: f64 = (1u64 << 58) as f64;
        [bounds.min, bounds.max].iter().all(|p| self.units(p).iter().all(|x| x.abs() < FAR))
    }

    /// All vertices of a body, in units.
    fn snap(&self, positions: Positions<'_>) -> Vec<Point> {
        (0..positions.len()).map(|i| self.units(&positions.get(i))).collect()
    }

    /// Where a position in cells is in space.
    fn world(&self, at: Point) -> Point {
        std::array::from_fn(|k| self.low[k] + (at[k] - 0.5) * self.cell[k])
    }
}
