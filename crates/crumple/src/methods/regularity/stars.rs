//! Rule I on the triangles round one vertex: how pairs that share a vertex are settled without testing them.
//!
//! Where no larger region could be certified, every triangle still has about a dozen neighbours that touch it by
//! right. If all triangles round a vertex face one direction V, and their projection winds round the vertex once (or,
//! on a border, less than once), they form a star-shaped disc: no two of them meet beyond what they share. One pass
//! over six triangles replaces fifteen exact tests.
//!
//! A star with more than one fan, sides that disagree or a triangle without area is tested pair by pair.

use super::half_edges::{HalfEdges, NONE, is_turned, next};
use crate::geometry::Point;
use crate::geometry::vector::{cross, dot, max, sub};
use crate::{Body, TriangleId, VertexId};

/// How the triangles round a vertex hang together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Star {
    /// At most one triangle: no pair.
    Lone,
    /// One fan that closes.
    Closed,
    /// One fan from border to border.
    Open,
    /// Anything else.
    Tangled,
}

/// The stars of one body.
#[derive(Debug, Default)]
pub(super) struct Stars {
    kinds: Vec<Star>,
    /// Whether each triangle is turned round; empty when none is.
    turned: Vec<bool>,
}

impl Stars {
    /// Looks at every vertex once. The half-edges must be in the body's own order.
    pub fn new(half_edges: &HalfEdges, body: &Body) -> Self {
        let topology = body.topology();
        let mut outgoing = vec![NONE; body.vertex_count()];
        for (t, corners) in half_edges.corners.iter().enumerate() {
            for (k, &v) in corners.iter().enumerate() {
                outgoing[v as usize] = (3 * t + k) as u32;
            }
        }
        let mut kinds: Vec<Star> = (0..body.vertex_count())
            .map(|v| match topology.triangles_at(VertexId(v as u32)).len() {
                0 | 1 => Star::Lone,
                n => fan(half_edges, outgoing[v], n),
            })
            .collect();
        for &t in topology.collapsed() {
            for v in half_edges.corners[t.index()] {
                if topology.triangles_at(VertexId(v)).len() > 1 {
                    kinds[v as usize] = Star::Tangled;
                }
            }
        }
        let mut turned: Vec<bool> =
            (0..half_edges.corners.len() as u32).map(|t| is_turned(body, TriangleId(t))).collect();
        if !turned.contains(&true) {
            turned = Vec::new();
        }
        Self { kinds, turned }
    }

    /// Whether pairs at this vertex exist at all.
    #[inline]
    pub fn has_pairs(&self, vertex: u32) -> bool {
        self.kinds[vertex as usize] != Star::Lone
    }

    /// Whether no two triangles round the vertex meet beyond what they share. `false` means "not shown". Fills
    /// `spokes` either way.
    pub fn is_certified(&self, vertex: u32, body: &Body, positions: &[Point], spokes: &mut Spokes) -> bool {
        spokes.collect(self, vertex, body, positions);
        let expected = match self.kinds[vertex as usize] {
            Star::Lone => return true,
            Star::Closed => 1,
            Star::Open => 0,
            Star::Tangled => return false,
        };
        // Normals weighted by area cost no roots; unit normals find a direction for triangles of unequal size.
        [Spokes::sum_of_normals, Spokes::sum_of_unit_normals].into_iter().any(|choose| {
            let towards = choose(spokes);
            spokes.all_face(&towards) && spokes.crossings(&towards, expected == 1) == Some(expected)
        })
    }

    fn is_turned(&self, triangle: usize) -> bool {
        self.turned.get(triangle).copied().unwrap_or(false)
    }
}

/// Follows the fan through `start`, whose vertex has `n` triangles.
fn fan(half_edges: &HalfEdges, start: u32, n: usize) -> Star {
    let mut seen = 1;
    let mut at = start;
    loop {
        // Counter-clockwise: across the edge that comes into the vertex.
        let across = half_edges.twins[next(next(at)) as usize];
        if across == NONE {
            break;
        }
        if across == start {
            return if seen == n { Star::Closed } else { Star::Tangled };
        }
        at = across;
        seen += 1;
    }
    let mut at = start;
    while half_edges.twins[at as usize] != NONE {
        at = next(half_edges.twins[at as usize]);
        seen += 1;
    }
    if seen == n { Star::Open } else { Star::Tangled }
}

/// Relative error of a triple product of differences, with room: each of its roundings is 2^-53.
const UNIT: f64 = 32.0 * f64::EPSILON;

/// A triangle seen from one of its vertices: the two others, counter-clockwise, and their vector product.
#[derive(Debug, Clone, Copy)]
struct Spoke {
    a: Point,
    b: Point,
    normal: Point,
}

/// The triangles round a vertex, seen from it. Scratch memory.
#[derive(Debug, Default)]
pub(super) struct Spokes {
    list: Vec<Spoke>,
    /// No side is longer than this.
    reach: f64,
}

impl Spokes {
    fn collect(&mut self, stars: &Stars, vertex: u32, body: &Body, positions: &[Point]) {
        /// The corners after corner k.
        const AFTER: [[usize; 2]; 3] = [[1, 2], [2, 0], [0, 1]];
        self.list.clear();
        self.reach = 0.0;
        let v = &positions[vertex as usize];
        let triangles = body.triangle_list();
        for &t in body.topology().triangles_at(VertexId(vertex)) {
            let corners = triangles[t.index()];
            // A corner named twice counts once.
            let k = if corners[0].0 == vertex { 0 } else { 2 - usize::from(corners[1].0 == vertex) };
            let [i, j] = AFTER[k];
            let [i, j] = if stars.is_turned(t.index()) { [j, i] } else { [i, j] };
            let (a, b) = (sub(&positions[corners[i].index()], v), sub(&positions[corners[j].index()], v));
            self.reach = max(self.reach, max(size(&a), size(&b)));
            self.list.push(Spoke { a, b, normal: cross(&a, &b) });
        }
    }

    fn sum_of_normals(&self) -> Point {
        let mut sum = [0.0; 3];
        for spoke in &self.list {
            (0..3).for_each(|k| sum[k] += spoke.normal[k]);
        }
        sum
    }

    fn sum_of_unit_normals(&self) -> Point {
        let mut sum = [0.0; 3];
        for Spoke { normal, .. } in &self.list {
            let scale = 1.0 / dot(normal, normal).sqrt();
            (0..3).for_each(|k| sum[k] += scale * normal[k]);
        }
        sum
    }

    /// Whether every triangle certainly faces a direction.
    fn all_face(&self, towards: &Point) -> bool {
        let bound = UNIT * size(towards) * self.reach * self.reach;
        // Not `<=`: NaN, from a triangle without area, must fail too.
        self.list.iter().all(|spoke| dot(&spoke.normal, towards) > bound)
    }

    /// Whether triangles `i` and `j` of the star certainly meet only in the vertex, or in the edge that they share: the
    /// plane of one has the free corners of the other on one side.
    pub fn are_apart(&self, i: usize, j: usize, share_an_edge: bool) -> bool {
        let bound = UNIT * self.reach * self.reach * self.reach;
        let certain = |x: f64| if x.abs() > bound { x } else { 0.0 };
        let by_plane_of = |s: &Spoke, t: &Spoke| {
            let (a, b) = (certain(dot(&s.normal, &t.a)), certain(dot(&s.normal, &t.b)));
            // A corner on the shared edge lies in both planes, so only the free one can be off the plane.
            if share_an_edge { a != 0.0 || b != 0.0 } else { (a > 0.0 && b > 0.0) || (a < 0.0 && b < 0.0) }
        };
        let (s, t) = (&self.list[i], &self.list[j]);
        by_plane_of(s, t) || by_plane_of(t, s)
    }

    /// How often the projected outer edges cross one ray from the vertex, if that is certain. All triangles face
    /// `towards`, so each edge runs counter-clockwise by less than half a turn and crosses the ray when it comes from
    /// its right to its left.
    fn crossings(&self, towards: &Point, is_closed: bool) -> Option<u32> {
        let first = &self.list[0];
        let ray: Point = if is_closed {
            // Within the first triangle, and not opposite to a spoke of a regular star.
            std::array::from_fn(|k| 0.7 * first.a[k] + 0.3 * first.b[k])
        } else {
            // Into the gap.
            let sum = |k: usize| -> f64 { self.list.iter().map(|spoke| spoke.a[k] + spoke.b[k]).sum() };
            std::array::from_fn(|k| -sum(k))
        };
        let across = cross(towards, &ray);
        let bound = UNIT * size(towards) * size(&ray) * self.reach;
        let (mut count, mut is_certain) = (0, true);
        for spoke in &self.list {
            let (from, to) = (dot(&across, &spoke.a), dot(&across, &spoke.b));
            is_certain &= (from.abs() > bound) & (to.abs() > bound);
            count += u32::from((from < 0.0) & (to > 0.0));
        }
        is_certain.then_some(count)
    }
}

/// No less than the length.
fn size(v: &Point) -> f64 {
    v[0].abs() + v[1].abs() + v[2].abs()
}
