//! What is stuck through each other is moved aside.
//!
//! A rod through a tube has two curves with it. Behind the tube's surface is the middle of the rod: one curve asks it to go
//! back, the other to go on, and together they only pinch it. So the parts that are inside are flooded between the curves, and
//! those that share a curve are gathered: on one side the middle of the rod, on the other the two pieces of the tube's wall
//! within the rod. The shortest straight way on which all of one side passes all of the other is asked of every curve among them.

use std::collections::{BTreeMap, HashMap};

use super::adjacency::Adjacency;
use super::curves::{Curve, CurveKind};
use super::piercing::Piercing;
use crate::geometry::vector::dot;
use crate::geometry::{Point, Sign};

/// Directions that are tried.
const DIRECTIONS: usize = 256;

/// The way that each vertex was sent.
pub(crate) type Ways = HashMap<u32, Point>;

/// The way of a curve's first side against its second.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Aside {
    pub direction: Point,
    /// How far it is until nothing of the two sides is left in each other.
    pub amount: f64,
    /// The gathering that it belongs to.
    pub group: usize,
}

/// A side of a curve.
type Side = (usize, usize);

/// The parts of the surfaces that are inside, and which sides of curves bound them.
struct Pieces {
    vertices: Vec<Vec<u32>>,
    /// Of each side of a curve its piece; `None` where it is not known what is inside.
    of: HashMap<Side, usize>,
}

/// For every curve that belongs to a gathering of several: where its first side is to go. `ways` are those that vertices were
/// sent in the round before, and then in this one: what has set out one way does not turn back.
pub(crate) fn asides(
    adjacency: &Adjacency<'_>,
    positions: &[Point],
    outer_sides: &[Sign],
    curves: &[&Curve],
    ways: &mut Ways,
) -> Vec<Option<Aside>> {
    let before = std::mem::take(ways);
    let pieces = Pieces::of(adjacency, positions, outer_sides, curves);
    let mut out = vec![None; curves.len()];
    for (group, gathered) in pieces.gather(curves.len()).into_iter().enumerate() {
        let side = |colour: bool| -> Vec<u32> {
            let these = gathered.iter().filter(|(_, c)| **c == colour);
            these.flat_map(|(piece, _)| &pieces.vertices[*piece]).copied().collect()
        };
        let sides = [side(false), side(true)];
        let theirs =
            (0..curves.len()).filter(|&i| pieces.of.get(&(i, 0)).is_some_and(|p| gathered.contains_key(p)));
        let theirs: Vec<usize> = theirs.collect();
        let last = summed(&sides, &before);
        // A curve alone is undone by itself, unless it is what became of several.
        if theirs.len() < 2 && last == [0.0; 3] {
            continue;
        }
        let [first, second] = sides.each_ref().map(|side| {
            let at = side.iter().map(|&v| positions[v as usize]);
            at.collect::<Vec<Point>>()
        });
        let Some((direction, amount)) = shortest_way(&first, &second, &last) else { continue };
        for (side, sign) in sides.into_iter().zip([1.0, -1.0]) {
            ways.extend(side.into_iter().map(|v| (v, direction.map(|x| sign * x))));
        }
        for i in theirs {
            let is_second = gathered[&pieces.of[&(i, 0)]];
            let direction = if is_second { direction.map(|x| -x) } else { direction };
            out[i] = Some(Aside { direction, amount, group });
        }
    }
    out
}

impl Pieces {
    fn of(adjacency: &Adjacency<'_>, positions: &[Point], outer_sides: &[Sign], curves: &[&Curve]) -> Self {
        let mut cuts: HashMap<u32, u32> = HashMap::new();
        let mut seeds: BTreeMap<Side, Vec<(u32, usize, [u32; 2])>> = BTreeMap::new();
        for (i, curve) in
            curves.iter().enumerate().filter(|(_, c)| c.kind == CurveKind::Closed && !c.is_one_trace)
        {
            for p in curve.nodes.iter().filter_map(|n| Piercing::of(adjacency, positions, n)) {
                *cuts.entry(p.edge).or_insert(0) += 1;
                let inner = match outer_sides[p.triangle as usize] {
                    0 => continue,
                    sign => usize::from((p.heights[1] > p.heights[0]) == (sign < 0)),
                };
                seeds.entry((i, p.side)).or_default().push((p.edge, inner, p.ends));
            }
        }
        let is_cut = |e: u32| cuts.get(&e).is_some_and(|n| n % 2 == 1);
        let mut pieces = Self { vertices: Vec::new(), of: HashMap::new() };
        let mut owner: HashMap<u32, usize> = HashMap::new();
        let mut joined: Vec<usize> = Vec::new();
        for (&side, seeds) in &seeds {
            for &(edge, inner, ends) in seeds {
                if !is_cut(edge) {
                    continue;
                }
                let seed = ends[inner];
                let piece = *owner.entry(seed).or_insert_with(|| {
                    pieces.vertices.push(Vec::new());
                    joined.push(joined.len());
                    joined.len() - 1
                });
                if pieces.vertices[piece].is_empty() {
                    let mut reached = vec![seed];
                    let mut next = 0;
                    while next < reached.len() {
                        for (_, w) in adjacency.edges_at(reached[next]).filter(|(e, _)| !is_cut(*e)) {
                            owner.entry(w).or_insert_with(|| {
                                reached.push(w);
                                piece
                            });
                        }
                        next += 1;
                    }
                    pieces.vertices[piece] = reached;
                }
                // All that one side of a curve has inside is one piece, even if cuts of other curves part it.
                let piece = root(&joined, piece);
                let first = *pieces.of.entry(side).or_insert(piece);
                let first = root(&joined, first);
                joined[first.max(piece)] = first.min(piece);
            }
        }
        for piece in (0..joined.len()).rev() {
            let to = root(&joined, piece);
            if to != piece {
                let theirs = std::mem::take(&mut pieces.vertices[piece]);
                pieces.vertices[to].extend(theirs);
            }
        }
        pieces.of.values_mut().for_each(|piece| *piece = root(&joined, *piece));
        pieces
    }

    /// Pieces that share curves, with the side that each is on; none where a piece would be on both.
    fn gather(&self, curves: usize) -> Vec<BTreeMap<usize, bool>> {
        let mut links: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for i in 0..curves {
            if let (Some(&a), Some(&b)) = (self.of.get(&(i, 0)), self.of.get(&(i, 1))) {
                links.entry(a).or_default().push(b);
                links.entry(b).or_default().push(a);
            }
        }
        let mut seen: BTreeMap<usize, bool> = BTreeMap::new();
        let mut out = Vec::new();
        for &first in links.keys() {
            if seen.contains_key(&first) {
                continue;
            }
            let mut gathered = BTreeMap::from([(first, false)]);
            let mut open = vec![first];
            let mut is_sided = true;
            while let Some(piece) = open.pop() {
                let colour = !gathered[&piece];
                for &other in &links[&piece] {
                    match gathered.get(&other) {
                        Some(&c) => is_sided &= c == colour,
                        None => {
                            gathered.insert(other, colour);
                            open.push(other);
                        }
                    }
                }
            }
            seen.extend(&gathered);
            if is_sided {
                out.push(gathered);
            }
        }
        out
    }
}

fn root(joined: &[usize], mut piece: usize) -> usize {
    while joined[piece] != piece {
        piece = joined[piece];
    }
    piece
}

/// The way that the first side was sent against the second, of length 1, or 0 if it was not.
fn summed(sides: &[Vec<u32>; 2], before: &Ways) -> Point {
    let mut sum = [0.0; 3];
    for (side, sign) in sides.iter().zip([1.0, -1.0]) {
        for way in side.iter().filter_map(|v| before.get(v)) {
            (0..3).for_each(|k| sum[k] += sign * way[k]);
        }
    }
    let size = dot(&sum, &sum).sqrt();
    if size > 0.0 { sum.map(|x| x / size) } else { sum }
}

/// The direction in which the first points pass the second soonest, and how far that is. It does not turn back from the last:
/// what two pieces have in common is thin in the end, and either way out of it short.
fn shortest_way(first: &[Point], second: &[Point], last: &Point) -> Option<(Point, f64)> {
    let ways = (0..DIRECTIONS).map(spread).filter(|way| dot(way, last) >= 0.0).map(|way| {
        let most = |points: &[Point], sign: f64| {
            points.iter().map(|p| sign * dot(p, &way)).fold(f64::NEG_INFINITY, f64::max)
        };
        // The first go along it until the last of them has passed the foremost of the second.
        (way, most(second, 1.0) + most(first, -1.0))
    });
    ways.min_by(|a, b| a.1.total_cmp(&b.1)).filter(|(_, amount)| amount.is_finite() && *amount > 0.0)
}

/// Directions that are spread evenly (a Fibonacci lattice).
fn spread(k: usize) -> Point {
    let height = 1.0 - (2 * k + 1) as f64 / DIRECTIONS as f64;
    let (sin, cos) = (k as f64 * std::f64::consts::PI * (3.0 - 5.0_f64.sqrt())).sin_cos();
    let radius = (1.0 - height * height).sqrt();
    [radius * cos, height, radius * sin]
}
