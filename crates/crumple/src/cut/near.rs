//! Which elements of a body a blade may meet, at the cost of what is near it.
//!
//! The first blade after a body has moved looks at every element, which costs less than the motion did: each vertex is told on which
//! sides of the blade's box it lies, and an element whose vertices are all on one of them is passed over by a few bytes. A second
//! blade finds the body where it was: then a tree of these boxes is made, and from there on edits are followed in it until the
//! body moves again.

use std::ops::Range;

use super::Blade;
use crate::geometry::{Aabb, Point};
use crate::methods::bucket_tree::{BucketTreeParams, Primitive, PrimitiveId, PrimitiveTree};
use crate::{Mesh, TetId, TriangleId, VertexId, parallel};

/// Where the elements (tets, or triangles of a surface) of one body are.
#[derive(Debug, Clone, Default)]
pub(crate) struct ElementBoxes {
    tree: Option<ElementTree>,
    /// Whether a blade has come since the body moved.
    is_visited: bool,
    /// How many boxes the last blade was held against.
    #[cfg(test)]
    pub visits: usize,
}

impl ElementBoxes {
    /// The elements whose boxes the blade may meet, ascending.
    pub fn near(&mut self, body: &Mesh, positions: &[Point], blade: &Blade) -> Vec<u32> {
        let known = self.tree.take().and_then(|tree| tree.follow(body, positions));
        let is_second = std::mem::replace(&mut self.is_visited, true);
        self.tree = known.or_else(|| is_second.then(|| ElementTree::new(body, positions)).flatten());
        let mut near = Vec::new();
        let _visits = match &self.tree {
            Some(tree) => tree.boxes.each_where(|b| blade.may_meet(b), |found| near.push(found.id)),
            None => {
                near = look_at_all(body, positions, blade);
                count(body)
            }
        };
        near.sort_unstable();
        #[cfg(test)]
        (self.visits = _visits);
        near
    }
}

/// Elements or vertices that one thread takes at a time: some 50 µs.
const PIECE: usize = 1 << 14;

/// The elements whose boxes the blade may meet, ascending, of a body of which nothing is known.
fn look_at_all(body: &Mesh, positions: &[Point], blade: &Blade) -> Vec<u32> {
    let bounds = blade.bounds();
    let mut sides = vec![0u8; positions.len()];
    parallel::for_each_chunk(&mut sides, PIECE, |first, sides| {
        sides.iter_mut().zip(&positions[first..]).for_each(|(to, p)| *to = sides_of(p, &bounds));
    });
    let side = |v: VertexId| sides[v.index()];
    let is_beside = |e: u32| {
        let all = if body.is_solid() {
            body.tet(TetId(e)).map(side).into_iter().fold(u8::MAX, |all, of_one| all & of_one)
        } else {
            body.triangle(TriangleId(e)).map(side).into_iter().fold(u8::MAX, |all, of_one| all & of_one)
        };
        all != 0
    };
    let meets = |e: u32| blade.may_meet(&ElementBox::new(body, positions, e).bounds);
    let count = count(body);
    let pieces = (0..count).step_by(PIECE).map(|first| first as u32..count.min(first + PIECE) as u32);
    let find = |(): &mut (), piece: Range<u32>| -> Vec<u32> {
        piece.filter(|&e| !is_beside(e) && meets(e)).collect()
    };
    parallel::map(pieces.collect(), &mut (), find).concat()
}

/// On which sides of a box a point lies, one bit each; none within.
#[inline(always)]
fn sides_of(p: &Point, bounds: &Aabb) -> u8 {
    let side = |k: usize| u8::from(p[k] < bounds.min[k]) | u8::from(p[k] > bounds.max[k]) << 1;
    side(0) | side(1) << 2 | side(2) << 4
}

/// The boxes of one version of a body that does not move.
#[derive(Debug, Clone)]
struct ElementTree {
    body: Mesh,
    boxes: PrimitiveTree<ElementBox>,
    /// The name in the tree of each element.
    names: Vec<PrimitiveId>,
}

#[derive(Debug, Clone, Copy)]
struct ElementBox {
    bounds: Aabb,
    id: u32,
}

impl Primitive for ElementBox {
    fn bounds(&self) -> Aabb {
        self.bounds
    }
}

impl ElementBox {
    fn new(body: &Mesh, positions: &[Point], id: u32) -> Self {
        let at = |v: crate::VertexId| positions[v.index()];
        let bounds = if body.is_solid() {
            Aabb::of(&body.tet(TetId(id)).map(at))
        } else {
            Aabb::of(&body.triangle(TriangleId(id)).map(at))
        };
        Self { bounds, id }
    }
}

impl ElementTree {
    /// `None` where positions are out of bounds.
    fn new(body: &Mesh, positions: &[Point]) -> Option<Self> {
        let mut boxes = PrimitiveTree::new(BucketTreeParams::default()).ok()?;
        let all = (0..count(body) as u32).map(|e| ElementBox::new(body, positions, e));
        let names = boxes.insert_all(all).ok()?;
        Some(Self { body: body.clone(), boxes, names })
    }

    /// Follows the body to a later version; `None` where that did not come from this one by edits, or positions are out of
    /// bounds.
    fn follow(mut self, body: &Mesh, positions: &[Point]) -> Option<Self> {
        if body.is_solid() != self.body.is_solid() {
            return None;
        }
        let changed = body.changed_since(&self.body)?;
        let changed = if body.is_solid() { changed.tets } else { changed.triangles };
        for element in changed {
            let place = element as usize;
            if place >= count(body) {
                continue;
            }
            let new = ElementBox::new(body, positions, element);
            if place < self.names.len() {
                self.boxes.set(self.names[place], new).ok()?;
            } else {
                self.names.push(self.boxes.insert(new).ok()?);
            }
        }
        while self.names.len() > count(body) {
            self.names.pop().and_then(|name| self.boxes.remove(name))?;
        }
        self.body = body.clone();
        Some(self)
    }
}

/// How many elements a body has.
fn count(body: &Mesh) -> usize {
    if body.is_solid() { body.tet_count() } else { body.triangle_count() }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// n × n × n cubes over [0, 1]³, each of six tets round its diagonal; or n × n squares of two triangles.
    fn grid(n: u32, is_solid: bool) -> (Mesh, Vec<Point>) {
        let layers = if is_solid { n } else { 0 };
        let at = |[x, y, z]: [u32; 3]| (z * (n + 1) + y) * (n + 1) + x;
        let mut positions = Vec::new();
        for z in 0..=layers {
            for y in 0..=n {
                positions.extend((0..=n).map(|x| [x, y, z].map(|i| f64::from(i) / f64::from(n))));
            }
        }
        let cells = |layers: u32| (0..n * n * layers).map(move |c| [c % n, c / n % n, c / n / n]);
        let body = if is_solid {
            let paths = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];
            let tet = |cell: [u32; 3], path: [usize; 3]| {
                let mut p = cell;
                let mut corners = [at(p); 4];
                for (i, axis) in path.into_iter().enumerate() {
                    p[axis] += 1;
                    corners[i + 1] = at(p);
                }
                corners
            };
            let tets: Vec<[u32; 4]> = cells(n).flat_map(|c| paths.map(|path| tet(c, path))).collect();
            Mesh::from_tets("block", positions.len(), &tets)
        } else {
            let square = |[x, y, z]: [u32; 3]| {
                let [a, b, c, d] = [[x, y, z], [x + 1, y, z], [x + 1, y + 1, z], [x, y + 1, z]].map(at);
                [[a, b, c], [a, c, d]]
            };
            let triangles: Vec<[u32; 3]> = cells(1).flat_map(square).collect();
            Mesh::from_triangles("sheet", positions.len(), &triangles)
        };
        (body.unwrap(), positions)
    }

    /// Cuts of one body one after the other; returns how many boxes the blades were held against.
    fn visits(n: u32, is_solid: bool, cells: f64) -> Vec<usize> {
        let (mut body, mut positions) = grid(n, is_solid);
        let mut kept = ElementBoxes::default();
        let mut visits = Vec::new();
        let size = cells / f64::from(n);
        for i in 0..6 {
            let at = 0.1 + 0.13 * f64::from(i);
            let line = [[at, at - 0.003, at - size], [at + size, at + 0.4 * size, at - size]];
            let blade = Blade::sweep(&line, [0.0, 0.0, 2.0 * size]).unwrap();
            let near = kept.near(&body, &positions, &blade);
            visits.push(kept.visits);
            assert_eq!(near, ElementBoxes::default().near(&body, &positions, &blade), "cut {i}");
            let done = super::super::cut_near(&body, &mut positions, &blade, &near).unwrap();
            body = done.body;
        }
        visits
    }

    #[test]
    fn blades_after_the_first_visit_what_is_near_them() {
        // The sheet lies where only some blades meet it.
        for (is_solid, sizes) in [(true, [8, 24]), (false, [40, 160])] {
            let [few, many] = sizes.map(|n| visits(n, is_solid, 2.0));
            let times = if is_solid { 27 } else { 16 };
            assert!(many[0] >= (times - 1) * few[0], "{few:?} {many:?}");
            for (few, many) in few[1..].iter().zip(&many[1..]) {
                assert!(*many <= 2 * few + 200, "{few} boxes became {many}");
            }
        }
    }
}
