//! Cubes cut into tetrahedra, and the triangles between their inside and their outside.
//!
//! What a tetrahedron holds of the surface is spanned by a closed line on its faces: from cut edge to cut edge, by way of
//! the vertices on creases. A fan from one of these vertices spans it, or from a point within where three creases meet.
//! Neither cuts itself: seen from a point of a convex body, what is beyond the face of that point is seen once.

use super::CornerGrid;
use super::corners::{Corners, CutVertex, MARGIN};
use super::creases::Creases;
use super::rays::along;
use crate::geometry::Point;
use crate::parallel;

/// The six tetrahedra of a cube: from corner 0 along one axis after the other to corner 7. Corners are numbered like
/// directions, so that an edge leads from one to another of which it is a part. The first three have a positive volume.
const TETS: [[usize; 4]; 6] =
    [[0, 1, 3, 7], [0, 2, 6, 7], [0, 4, 5, 7], [0, 2, 3, 7], [0, 1, 5, 7], [0, 4, 6, 7]];

/// Number of tetrahedra with a positive volume.
const POSITIVE: usize = 3;

/// A corner first, then the others so that the volume keeps its sign.
const ONE_FIRST: [[usize; 4]; 4] = [[0, 1, 2, 3], [1, 0, 3, 2], [2, 3, 0, 1], [3, 2, 1, 0]];

/// The two corners of a set first, then the others so that the volume keeps its sign.
fn two_first(set: usize) -> [usize; 4] {
    match set {
        0b0011 => [0, 1, 2, 3],
        0b0101 => [0, 2, 3, 1],
        0b0110 => [1, 2, 0, 3],
        0b1001 => [0, 3, 1, 2],
        0b1010 => [1, 3, 2, 0],
        _ => [2, 3, 0, 1],
    }
}

/// The vertices: those on cut edges first, then those on creases, then those within tetrahedra.
pub(crate) struct TetCuts<'a> {
    pub grid: &'a CornerGrid,
    pub corners: &'a Corners,
    pub vertices: &'a [CutVertex],
    pub creases: &'a Creases,
}

/// What is found in a row of cubes.
#[derive(Clone, Default)]
struct CubeRow {
    triangles: Vec<[u32; 3]>,
    /// Vertices within tetrahedra; in triangles they are counted from `WITHIN` on.
    within: Vec<Point>,
}

/// More than there are edges.
pub(crate) const WITHIN: u32 = 1 << 31;

impl TetCuts<'_> {
    /// All triangles, counter-clockwise from outside, and all positions.
    pub fn surface(&self) -> (Vec<Point>, Vec<[u32; 3]>) {
        let mut rows = vec![CubeRow::default(); self.corners.counts[1] as usize - 1];
        parallel::for_each(&mut rows, |y, row| {
            Cube::each_mixed(self.corners, y as u32, |cube| {
                TETS.iter().enumerate().for_each(|(k, tet)| self.cut(cube, tet, k < POSITIVE, row));
            });
        });
        let mut positions: Vec<Point> = self.vertices.iter().map(|v| v.at).collect();
        positions.extend(self.creases.positions());
        let mut triangles = Vec::with_capacity(rows.iter().map(|r| r.triangles.len()).sum());
        for row in &rows {
            let first = positions.len() as u32;
            let renumbered = |v: u32| if v < WITHIN { v } else { v - WITHIN + first };
            triangles.extend(row.triangles.iter().map(|t| t.map(renumbered)));
            positions.extend_from_slice(&row.within);
        }
        (positions, triangles)
    }

    /// The triangles within a tetrahedron.
    #[inline(always)]
    fn cut(&self, cube: &Cube<'_>, tet: &[usize; 4], is_positive: bool, row: &mut CubeRow) {
        let set = (0..4).fold(0, |set, k| set | usize::from(cube.inside[tet[k]]) << k);
        let inside = set.count_ones();
        // Cut edges round the surface, each with the corner that it and the next one leave out.
        let (edges, left_out, count, is_plain) = match inside {
            2 => {
                let [i, j, k, l] = two_first(set).map(|c| tet[c]);
                ([[i, k], [i, l], [j, l], [j, k]], [j, k, i, l], 4, is_positive)
            }
            1 | 3 => {
                let one = if inside == 1 { set } else { !set & 0b1111 };
                let [i, j, k, l] = ONE_FIRST[one.trailing_zeros() as usize].map(|c| tet[c]);
                ([[i, j], [i, k], [i, l], [i, i]], [l, j, k, i], 3, is_positive == (inside == 1))
            }
            _ => return,
        };
        let mut line = CutLine::default();
        for (edge, left_out) in edges.into_iter().zip(left_out).take(count) {
            line.add(cube.vertex(edge));
            if let Some(crease) = self.crease(cube, tet, left_out) {
                line.add_crease((self.vertices.len() + crease) as u32);
            }
        }
        if line.creases > 2 {
            let point = self.inner_point(cube, tet, &line);
            let apex = WITHIN + row.within.len() as u32;
            row.within.push(point);
            line.fan_round(apex, is_plain, &mut row.triangles);
        } else {
            line.fan(is_plain, &mut row.triangles);
        }
    }

    /// The vertex on the crease through the face of a tetrahedron that leaves one corner out.
    #[inline(always)]
    fn crease(&self, cube: &Cube<'_>, tet: &[usize; 4], left_out: usize) -> Option<usize> {
        let mut face = [0; 3];
        for (k, &corner) in tet.iter().filter(|c| **c != left_out).enumerate() {
            face[k] = corner;
        }
        let [a, b, c] = face;
        self.creases.vertex(self.corners, cube.corner(a), [b ^ a, c ^ a])
    }

    /// Where the planes at all cuts meet, if that is within the tetrahedron and they do; else the middle of the line.
    fn inner_point(&self, cube: &Cube<'_>, tet: &[usize; 4], line: &CutLine) -> Point {
        let all = line.vertices();
        let position = |v: u32| match self.vertices.get(v as usize) {
            Some(vertex) => vertex.at,
            None => self.creases.position(v as usize - self.vertices.len()),
        };
        let middle: Point =
            std::array::from_fn(|k| all.iter().map(|&v| position(v)[k]).sum::<f64>() / all.len() as f64);
        let planes = || all.iter().filter_map(|&v| self.vertices.get(v as usize));
        let found = meeting(planes(), &middle);
        let low = self.grid.world(cube.corner(0).map(f64::from));
        let cells = |p: &Point| -> Point { std::array::from_fn(|k| (p[k] - low[k]) / self.grid.cell[k]) };
        let axis = |d: usize| d.trailing_zeros() as usize;
        let [a, b, c] = [axis(tet[1]), axis(tet[2] ^ tet[1]), axis(7 ^ tet[2])];
        let at = cells(&found);
        let is_within = [1.0, at[a], at[b], at[c], 0.0].windows(2).all(|w| w[0] - w[1] > MARGIN);
        let off = |v: &CutVertex| (0..3).map(|k| v.normal[k] * (found[k] - v.at[k])).sum::<f64>().abs();
        let near = self.grid.cell.iter().fold(f64::INFINITY, |m: f64, &c| m.min(c)) / 16.0;
        if is_within && planes().all(|v| off(v) < near) { found } else { middle }
    }
}

/// The point nearest to planes by least squares; `middle` says which, where they do not.
fn meeting<'a>(planes: impl Iterator<Item = &'a CutVertex>, middle: &Point) -> Point {
    let (mut m, mut r) = ([[0.0; 3]; 3], [0.0; 3]);
    for v in planes {
        let d: f64 = (0..3).map(|k| v.normal[k] * (v.at[k] - middle[k])).sum();
        for i in 0..3 {
            r[i] += d * v.normal[i];
            for j in 0..3 {
                m[i][j] += v.normal[i] * v.normal[j];
            }
        }
    }
    for k in 0..3 {
        m[k][k] += 1e-6;
    }
    let det = |m: &[Point; 3]| {
        m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) - m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0])
            + m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0])
    };
    let whole = det(&m);
    std::array::from_fn(|k| {
        // Symmetric: a row is as good as a column.
        let mut with = m;
        with[k] = r;
        middle[k] + det(&with) / whole
    })
}

/// The closed line on the faces of a tetrahedron.
#[derive(Default)]
struct CutLine {
    list: [u32; 8],
    len: usize,
    creases: usize,
    /// Place of a vertex on a crease, if there is one.
    first: usize,
}

impl CutLine {
    #[inline(always)]
    fn add(&mut self, vertex: u32) {
        self.list[self.len] = vertex;
        self.len += 1;
    }

    #[inline(always)]
    fn add_crease(&mut self, vertex: u32) {
        if self.creases == 0 {
            self.first = self.len;
        }
        self.creases += 1;
        self.add(vertex);
    }

    fn vertices(&self) -> &[u32] {
        &self.list[..self.len]
    }

    /// A fan from the first vertex on a crease, so that two of them are joined.
    #[inline(always)]
    fn fan(&self, is_plain: bool, out: &mut Vec<[u32; 3]>) {
        let at = |k: usize| self.list[(self.first + k) % self.len];
        for k in 1..self.len - 1 {
            out.push(if is_plain { [at(0), at(k), at(k + 1)] } else { [at(0), at(k + 1), at(k)] });
        }
    }

    /// A fan from a vertex within.
    fn fan_round(&self, apex: u32, is_plain: bool, out: &mut Vec<[u32; 3]>) {
        for k in 0..self.len {
            let (a, b) = (self.list[k], self.list[(k + 1) % self.len]);
            out.push(if is_plain { [apex, a, b] } else { [apex, b, a] });
        }
    }
}

/// Eight corners, some of which are inside.
pub(crate) struct Cube<'a> {
    pub corners: &'a Corners,
    at: [u32; 3],
    pub inside: [bool; 8],
}

impl<'a> Cube<'a> {
    /// Calls `f` with each cube of a row that has corners inside and outside.
    pub fn each_mixed(corners: &'a Corners, y: u32, mut f: impl FnMut(&Self)) {
        for x in 0..corners.counts[0] - 1 {
            for word in 0..corners.words {
                let inside: [u64; 8] = std::array::from_fn(|step| corners.word([x, y], word, step));
                let (any, all) = inside.iter().fold((0, !0), |(any, all), w| (any | w, all & w));
                let mut mixed = any & !all;
                while mixed != 0 {
                    let bit = mixed.trailing_zeros();
                    mixed &= mixed - 1;
                    let at = [x, y, word as u32 * 64 + bit];
                    f(&Self { corners, at, inside: inside.map(|w| w >> bit & 1 == 1) });
                }
            }
        }
    }

    /// A corner in the grid.
    #[inline(always)]
    pub fn corner(&self, corner: usize) -> [u32; 3] {
        std::array::from_fn(|k| self.at[k] + along(corner, k) as u32)
    }

    /// The vertex on a cut edge.
    #[inline(always)]
    pub fn vertex(&self, [a, b]: [usize; 2]) -> u32 {
        self.corners.vertex(self.corner(a.min(b)), a ^ b)
    }
}
