//! Vertices of very many triangles: their triangles stand by themselves in the tree, in the order of their directions.
//!
//! The boxes of triangles round one vertex all hold it, so that boxes tell none of them apart, whatever the order. Planes
//! through the vertex do ([`parted`](super::parted)), between triangles that lie in different directions from it.

use crate::geometry::Point;
use crate::geometry::vector::{dot, max as greater, max_abs, min as lesser, sub};
use crate::mesh::Fates;
use crate::{Mesh, TriangleId};

/// No vertex.
pub(super) const NONE: u32 = u32::MAX;

/// A vertex of more triangles than this is a hub.
const MANY: u32 = 256;

/// Pairs of triangles that meet in a vertex, a triangle, above which these are most of the work: a regular mesh has 18.
const PAIRS: u64 = 256;

/// Whether so many triangles meet in single vertices that their pairs are most of the work.
pub(crate) fn is_crowded(body: &Mesh) -> bool {
    body.meeting_pairs() > PAIRS * body.triangle_count() as u64
}

/// How many triangles meet in the vertices of a body, followed through its edits.
#[derive(Debug, Clone, Default)]
pub(crate) struct Crowding {
    valences: Vec<u32>,
    /// Pairs of triangles that meet in a vertex, each in both orders and with itself.
    pairs: u64,
    triangles: usize,
}

impl Crowding {
    pub fn of(body: &Mesh) -> Self {
        let valences = valences(bytemuck::cast_slice(body.triangles()), body.vertex_count());
        let pairs = valences.iter().map(|&n| u64::from(n) * u64::from(n)).sum();
        Self { valences, pairs, triangles: body.triangle_count() }
    }

    /// Follows an edit at its cost.
    pub fn follow(&mut self, before: &Mesh, now: &Mesh, fates: &Fates) {
        self.valences.resize(now.vertex_count(), 0);
        for v in fates.gone.iter().flat_map(|&t| before.triangle(TriangleId(t))) {
            let n = &mut self.valences[v.index()];
            self.pairs -= 2 * u64::from(*n) - 1;
            *n -= 1;
        }
        for v in fates.come.iter().flat_map(|&t| now.triangle(TriangleId(t))) {
            let n = &mut self.valences[v.index()];
            self.pairs += 2 * u64::from(*n) + 1;
            *n += 1;
        }
        self.triangles = now.triangle_count();
    }

    pub fn is_crowded(&self) -> bool {
        self.pairs > PAIRS * self.triangles as u64
    }
}

fn valences(triangles: &[[u32; 3]], vertex_count: usize) -> Vec<u32> {
    let mut valences = vec![0; vertex_count];
    triangles.as_flattened().iter().for_each(|&v| valences[v as usize] += 1);
    valences
}

/// Triangles that are one branch of the tree.
pub(super) enum Branch {
    /// Triangles without a hub, each with its centre (times three).
    Anywhere(Vec<(u32, Point)>),
    /// Triangles that all have one vertex.
    Round { hub: u32, items: Vec<Sector> },
}

impl Branch {
    /// The triangles in their order.
    pub fn ids(&self) -> Box<dyn Iterator<Item = u32> + '_> {
        match self {
            Self::Anywhere(items) => Box::new(items.iter().map(|item| item.0)),
            Self::Round { items, .. } => Box::new(items.iter().map(|item| item.id)),
        }
    }
}

/// A triangle seen from its hub: the box of the directions to its other corners.
#[derive(Debug, Clone, Copy)]
pub(super) struct Sector {
    id: u32,
    min: Point,
    max: Point,
}

impl Sector {
    /// The middle along an axis, to put triangles in order; of equal ones the number decides.
    fn order(&self, axis: usize) -> (f64, u32) {
        (self.min[axis] + self.max[axis], self.id)
    }

    /// Puts the first `cut` along an axis first: the axis along which the fewest boxes touch the cut. The longest one would not do, since needles seen from their tip are long in one direction and short in another.
    pub fn halve(items: &mut [Self], cut: usize) -> (&mut [Self], &mut [Self]) {
        if cut < items.len() {
            let put = |items: &mut [Self], axis: usize| {
                items.select_nth_unstable_by(cut, |a, b| {
                    let ((x, i), (y, j)) = (a.order(axis), b.order(axis));
                    x.total_cmp(&y).then(i.cmp(&j))
                });
            };
            let across = |items: &mut [Self], axis: usize| {
                put(items, axis);
                let at = 0.5 * items[cut].order(axis).0;
                items.iter().filter(|item| item.min[axis] <= at && at <= item.max[axis]).count()
            };
            let axis = [0, 1, 2].into_iter().min_by_key(|&axis| across(items, axis)).unwrap_or(0);
            put(items, axis);
        }
        items.split_at_mut(cut)
    }
}

/// All triangles, each in one branch: those without a hub first, if there are any, then hub after hub. A triangle with several is
/// given to the one of most triangles.
pub(super) fn branches(triangles: &[[u32; 3]], vertex_count: usize, positions: &[Point]) -> Vec<Branch> {
    let valences = valences(triangles, vertex_count);
    let centre = |corners: &[u32; 3]| {
        let [a, b, c] = corners.map(|v| positions[v as usize]);
        std::array::from_fn(|k| a[k] + b[k] + c[k])
    };
    let mut hubs: Vec<(u32, u32)> = Vec::new();
    let mut others = Vec::with_capacity(triangles.len());
    for (t, corners) in (0u32..).zip(triangles) {
        let valence = |v: u32| valences[v as usize];
        let most = corners.iter().copied().max_by_key(|&v| (valence(v), std::cmp::Reverse(v)));
        match most.filter(|&v| valence(v) > MANY) {
            Some(hub) => hubs.push((hub, t)),
            None => others.push((t, centre(corners))),
        }
    }
    hubs.sort_unstable();
    let mut branches = Vec::new();
    if !others.is_empty() {
        branches.push(Branch::Anywhere(others));
    }
    for of_one in hubs.chunk_by(|a, b| a.0 == b.0) {
        let hub = of_one[0].0;
        let towards = Towards::new(hub, of_one.iter().map(|&(_, t)| triangles[t as usize]), positions);
        let items = of_one.iter().map(|&(_, t)| towards.sector(t, triangles[t as usize])).collect();
        branches.push(Branch::Round { hub, items });
    }
    branches
}

/// Directions of triangles from a vertex that all of them have; where they have two, from the edge between them.
struct Towards<'a> {
    from: Point,
    /// The direction of the edge.
    along: Option<Point>,
    positions: &'a [Point],
}

impl<'a> Towards<'a> {
    fn new(hub: u32, triangles: impl Iterator<Item = [u32; 3]>, positions: &'a [Point]) -> Self {
        let common = triangles.map(|corners| corners.to_vec()).reduce(|mut common, corners| {
            common.retain(|v| corners.contains(v));
            common
        });
        let from = positions[hub as usize];
        let other = common.into_iter().flatten().find(|&v| v != hub);
        let along = other.and_then(|v| unit(sub(&positions[v as usize], &from)));
        Towards { from, along, positions }
    }

    fn sector(&self, id: u32, corners: [u32; 3]) -> Sector {
        let (mut min, mut max) = ([f64::INFINITY; 3], [f64::NEG_INFINITY; 3]);
        for direction in corners.iter().filter_map(|&v| self.direction(v)) {
            for k in 0..3 {
                min[k] = lesser(min[k], direction[k]);
                max[k] = greater(max[k], direction[k]);
            }
        }
        // All corners at the hub, or on the edge.
        if min[0] > max[0] { Sector { id, min: [0.0; 3], max: [0.0; 3] } } else { Sector { id, min, max } }
    }

    /// To a vertex; `None` at the hub, and on the edge.
    fn direction(&self, v: u32) -> Option<Point> {
        let d = sub(&self.positions[v as usize], &self.from);
        let Some(along) = &self.along else { return unit(d) };
        let part = dot(&d, along);
        let across = std::array::from_fn(|k| d[k] - part * along[k]);
        // What rounding leaves of a vertex on the edge is no direction.
        let size = |d: &Point| d.iter().fold(0.0, |m, &x| max_abs(m, x));
        if size(&across) > 1e-14 * size(&d) { unit(across) } else { None }
    }
}

/// A vector of length 1, rounded; `None` where there is none.
pub(super) fn unit(v: Point) -> Option<Point> {
    let size = v.iter().fold(0.0, |m, &x| max_abs(m, x));
    let v = v.map(|x| x / size);
    let length = dot(&v, &v).sqrt();
    (size > 0.0 && length.is_finite()).then(|| v.map(|x| x / length))
}
