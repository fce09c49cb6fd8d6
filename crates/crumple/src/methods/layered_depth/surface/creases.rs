//! Vertices on creases, so that sharp edges stay sharp.
//!
//! A face of a tetrahedron that is cut has one corner on one side and two on the other, and the surface runs across it
//! from one cut edge to another. Where the planes of the triangles at these two cuts differ, there is a crease between
//! them, and the planes tell where it meets the face: a vertex is put there. The tetrahedra on both sides of the face see
//! the same vertex, so the surface stays closed.
//!
//! The planes may mislead: other triangles may lie between. So a vertex is kept only where points beside it, a
//! sixteenth of the way towards the odd-one-out corner and as much away from it, are on either side of the common volume by
//! exact signs. Between these it is moved to the surface by halving.

use super::CornerGrid;
use super::corners::{Corners, CutVertex, MARGIN};
use super::tetrahedra::Cube;
use crate::geometry::Point;
use crate::parallel;

/// A crease is where planes meet at more than 26 degrees; less is how fine meshes are round.
const SMOOTH: f64 = 0.9;

/// How far from where planes meet the surface may be, as a share of the way to a corner of the face.
const NEAR: f64 = 1.0 / 16.0;

/// How often that is halved: the surface is then known to 1/256 of that way.
pub(crate) const HALVINGS: usize = 4;

/// How far beyond its face a vertex may be meant to lie; it is put on the border then.
const SLACK: f64 = 1.0 / 64.0;

/// A face of a tetrahedron: corners 0 ⊂ a ⊂ b of a cube.
type Face = [usize; 2];

/// All faces that begin at one corner.
const FACES: [Face; 12] =
    [[1, 3], [2, 3], [1, 5], [4, 5], [2, 6], [4, 6], [1, 7], [2, 7], [4, 7], [3, 7], [5, 7], [6, 7]];

/// The vertices on creases.
#[derive(Debug, Default)]
pub(crate) struct Creases {
    /// The number of a face and where its vertex is; by number.
    list: Vec<(usize, Point)>,
    /// Corners at which such a face begins.
    marked: Vec<u64>,
}

/// A vertex that may be on a crease, parametrised from the odd-one-out corner of its face (0) to where the planes meet (1).
#[derive(Debug, Clone, Copy)]
pub(crate) struct CreaseCandidate {
    face: usize,
    corner: Point,
    way: Point,
    /// Where the way leaves the face, but for a margin.
    end: f64,
    /// Inside and outside of the common volume, if it is what it seems.
    sides: [f64; 2],
}

impl CreaseCandidate {
    fn at(&self, share: f64) -> Point {
        std::array::from_fn(|k| self.corner[k] + share * self.way[k])
    }

    /// A point inside and a point outside of the common volume, if it is what it seems.
    pub fn sides(&self) -> [Point; 2] {
        self.sides.map(|s| self.at(s))
    }

    /// Half way between the sides.
    pub fn middle(&self) -> Point {
        self.at(0.5 * (self.sides[0] + self.sides[1]))
    }

    /// Takes the middle for the inside or for the outside.
    pub fn halve(&mut self, is_inside: bool) {
        self.sides[usize::from(!is_inside)] = 0.5 * (self.sides[0] + self.sides[1]);
    }

    /// Where the surface is found, unless that is beyond the face.
    fn found(&self) -> Option<Point> {
        let share = 0.5 * (self.sides[0] + self.sides[1]);
        // A crease that runs along an edge of the face is as good as one within.
        (share < self.end * (1.0 + SLACK)).then(|| self.at(share.min(self.end)))
    }
}

/// The number of a face, in the order of corners.
fn number(corners: &Corners, corner: [u32; 3], [a, b]: Face) -> usize {
    corners.index(corner) * 64 + a * 8 + b
}

/// Where planes and faces meet, in order.
pub(crate) fn candidates(
    corners: &Corners,
    grid: &CornerGrid,
    vertices: &[CutVertex],
) -> Vec<CreaseCandidate> {
    let mut rows = vec![Vec::new(); corners.counts[1] as usize - 1];
    parallel::for_each(&mut rows, |y, row| {
        Cube::each_mixed(corners, y as u32, |cube| {
            let first = row.len();
            row.extend(FACES.iter().filter_map(|&face| candidate(cube, grid, vertices, face)));
            row[first..].sort_unstable_by_key(|c: &CreaseCandidate| c.face);
        });
    });
    rows.concat()
}

fn candidate(
    cube: &Cube<'_>,
    grid: &CornerGrid,
    vertices: &[CutVertex],
    face: Face,
) -> Option<CreaseCandidate> {
    let around = [0, face[0], face[1]];
    let inside = around.map(|c| cube.inside[c]);
    // The corner that differs from both others.
    let odd = (0..3).find(|&k| inside[k] != inside[(k + 1) % 3] && inside[k] != inside[(k + 2) % 3])?;
    let [c, i, j] = [0, 1, 2].map(|k| around[(odd + k) % 3]);
    let [p, q] = [i, j].map(|end| vertices[cube.vertex([c, end]) as usize]);
    let dot = |a: &Point, b: &Point| a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
    if p.normal == [0.0; 3] || q.normal == [0.0; 3] || dot(&p.normal, &q.normal) > SMOOTH {
        return None;
    }
    let from = |a: &Point, b: &Point| -> Point { std::array::from_fn(|k| a[k] - b[k]) };
    let [corner, i, j] = [c, i, j].map(|c| grid.world(cube.corner(c).map(f64::from)));
    let (u, v) = (from(&i, &corner), from(&j, &corner));
    // Both planes in coordinates along the two cut edges.
    let row = |p: &CutVertex| [dot(&p.normal, &u), dot(&p.normal, &v), dot(&p.normal, &from(&p.at, &corner))];
    let ([a0, b0, c0], [a1, b1, c1]) = (row(&p), row(&q));
    let det = a0 * b1 - a1 * b0;
    let (s, t) = ((c0 * b1 - c1 * b0) / det, (a0 * c1 - a1 * c0) / det);
    // Not where a division by zero led, either.
    if !(s > MARGIN && t > MARGIN && s + t < 1.0 + SLACK) {
        return None;
    }
    let [near, far] = [1.0 - NEAR, 1.0 + NEAR];
    Some(CreaseCandidate {
        face: number(cube.corners, cube.corner(0), face),
        corner,
        way: std::array::from_fn(|k| s * u[k] + t * v[k]),
        end: (1.0 - MARGIN) / (s + t),
        sides: if cube.inside[c] { [near, far] } else { [far, near] },
    })
}

impl Creases {
    /// Those candidates that are kept; they are in order.
    pub fn new(corners: &Corners, kept: impl Iterator<Item = CreaseCandidate>) -> Self {
        let list: Vec<_> = kept.filter_map(|c| Some((c.face, c.found()?))).collect();
        let mut marked = vec![0; if list.is_empty() { 0 } else { corners.indices() / 64 }];
        for (face, _) in &list {
            let corner = face / 64;
            marked[corner / 64] |= 1 << (corner % 64);
        }
        debug_assert!(list.is_sorted_by_key(|(face, _)| *face));
        Self { list, marked }
    }

    /// Where a vertex is.
    pub fn position(&self, vertex: usize) -> Point {
        self.list[vertex].1
    }

    /// Where the vertices are, in the order of their numbers.
    pub fn positions(&self) -> impl Iterator<Item = Point> + '_ {
        self.list.iter().map(|(_, at)| *at)
    }

    /// The vertex on a face that begins at a corner, if it has one.
    #[inline(always)]
    pub fn vertex(&self, corners: &Corners, corner: [u32; 3], face: Face) -> Option<usize> {
        let index = corners.index(corner);
        if self.marked.get(index / 64).is_none_or(|word| word >> (index % 64) & 1 == 0) {
            return None;
        }
        let number = number(corners, corner, face);
        self.list.binary_search_by_key(&number, |(face, _)| *face).ok()
    }
}
