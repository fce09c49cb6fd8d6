//! Does a projected contour cross or touch itself? A sufficient test that is never wrong when it says "no".
//!
//! # The theorem
//! Let all triangles of a region have positive area in the projection. Then a point is covered as often as the contours
//! wind round it. If the contours do not touch or cross, and exactly one runs counter-clockwise, that is 0 or 1 (it is
//! never negative), and no two triangles meet beyond what they share. A contour that passes a vertex twice touches
//! itself.
//!
//! Two regions without a common edge, of one contour each: if the contours meet at most in vertices that both have,
//! where the two sectors lie apart, and neither surrounds the other, their projections are apart but for these
//! vertices. Where contours meet in finitely many points and no sector overlaps, neither contour enters the other's
//! inside, so the insides are equal, nested or apart; the sectors, or without common vertices one point each, exclude
//! all but the last.
//!
//! # The tests
//! The contour is cut into runs that advance along one direction, and these into pieces of at most 16 edges (`runs`). A sweep
//! over the boxes of pieces finds pairs of different runs that overlap; where runs follow each other a line tells them apart; what is
//! left is tested edge by edge. Every sign must be certain, a doubt counts as a crossing. Where a contour was cut in the frame
//! before serves as well as long as its runs advance: to find out anew where they end, an unpredictable branch for each edge, took
//! a third of the test. (A test for star-shaped contours in front of this was tried: contours run along edges, and only one in
//! twenty was star-shaped about its middle. Blocks of equal size under a tree of boxes took twice as many instructions.)
//!
//! # Contours that move
//! All of this works on points that move through a step as well (`N` = 2), every sign being asked for at all times. A run is
//! monotone throughout if its edges advance along one direction at both ends. How the contours run, and whether one surrounds
//! the other, is looked at only at the start: while contours neither touch nor cross, neither can change. Signed areas are
//! continuous, and that of a simple polygon is not zero.

use super::contour::{Chain, Outline, Projection};
#[cfg(test)]
use super::plane::Track;
use super::plane::{OFF, Point2, certain_cross, certain_dot, is_beyond, minus, segments_are_apart};
use super::runs::{FindMeetings, MonotoneRun, Refit, Runs};
use crate::geometry::simd;
use crate::methods::regularity::hierarchy::ContourEdge;

/// Whether two regions are taken as one or must lie apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Case {
    /// One disc, perhaps with holes.
    Joined,
    /// Two discs that may have vertices in common.
    Apart,
}

/// Contours, and where they were cut.
#[derive(Debug, Default)]
pub(crate) struct Cuts {
    vertices: Vec<u32>,
    chains: Vec<Chain>,
    runs: Vec<MonotoneRun>,
    /// How many runs there were when all of it was cut.
    at_first: usize,
}

impl Cuts {
    /// Whether the runs were cut again and again, so that all should be cut anew.
    pub fn is_worn(&self) -> bool {
        self.runs.len() > 2 * self.at_first
    }

    /// Number of points.
    pub fn len(&self) -> usize {
        self.vertices.len()
    }
}

/// A projected contour. Scratch memory.
#[derive(Debug, Default)]
pub(crate) struct ProjectedContour<const N: usize> {
    outline: Outline<N>,
    runs: Runs<N>,
    /// Vertices that both regions have, in the case [`Case::Apart`].
    pinches: Vec<u32>,
}

impl<const N: usize> ProjectedContour<N> {
    /// Forgets the last contour.
    pub fn clear(&mut self) {
        self.outline.clear();
    }

    /// Number of points.
    pub fn len(&self) -> u32 {
        self.outline.vertices.len() as u32
    }

    /// Adds a loop of the first or second region without the edges that lead into the other.
    pub fn add_projected(
        &mut self,
        edges: &[ContourEdge],
        region: u8,
        is_inner: impl Fn(u32) -> bool,
        projection: &Projection<'_, N>,
    ) {
        self.outline.add(edges, region, is_inner, projection);
    }

    /// The same where points are given.
    #[cfg(test)]
    pub fn add(
        &mut self,
        edges: &[ContourEdge],
        region: u8,
        is_inner: impl Fn(u32) -> bool,
        project: impl Fn(u32) -> Track<N>,
    ) {
        self.outline.add_points(edges, region, is_inner, project);
    }

    /// Exchanges what was added, and where it was cut, for what was kept of another frame, at this frame's places.
    pub fn exchange(&mut self, cuts: &mut Cuts) {
        std::mem::swap(&mut self.outline.vertices, &mut cuts.vertices);
        std::mem::swap(&mut self.outline.chains, &mut cuts.chains);
        std::mem::swap(&mut self.runs.list, &mut cuts.runs);
    }

    /// What was added, and where it was cut, to be kept for another frame.
    pub fn cuts(&self) -> Cuts {
        let (vertices, chains) = (self.outline.vertices.clone(), self.outline.chains.clone());
        Cuts { vertices, chains, runs: self.runs.list.clone(), at_first: self.runs.list.len() }
    }

    /// Whether what was added is certainly as the case asks, if all triangles of the regions face the direction of the
    /// projection.
    pub fn is_certain(&mut self, case: Case) -> bool {
        self.runs.cut(&self.outline);
        self.is_certain_as_cut(case)
    }

    /// The same for contours of another frame: projects them anew, and cuts them anew where runs no longer advance.
    pub fn is_certain_again(&mut self, case: Case, projection: &Projection<'_, N>) -> bool {
        self.outline.project(0, projection);
        simd::dispatch(Refit { outline: &self.outline, runs: &mut self.runs });
        self.is_certain_as_cut(case)
    }

    /// A single loop round triangles of positive area runs counter-clockwise: the signed area that it surrounds is the sum of theirs.
    fn is_certain_as_cut(&mut self, case: Case) -> bool {
        match case {
            Case::Joined => {
                (self.outline.is_one_loop() || self.outline.has_one_outer_loop())
                    && self.parts_are_apart(Case::Joined)
            }
            Case::Apart => self.is_apart_as_cut(),
        }
    }

    /// Whether everything added is certainly the contour of one disc, perhaps with holes.
    #[cfg(test)]
    pub fn is_simple(&mut self) -> bool {
        self.runs.cut(&self.outline);
        self.outline.has_one_outer_loop() && self.parts_are_apart(Case::Joined)
    }

    /// Whether the two regions, each of one loop and without a common edge, are certainly apart but for vertices that
    /// both have.
    #[cfg(test)]
    pub fn is_apart(&mut self) -> bool {
        self.runs.cut(&self.outline);
        self.is_apart_as_cut()
    }

    fn is_apart_as_cut(&mut self) -> bool {
        let [a, b] = self.outline.chains[..] else { return false };
        let outline = &self.outline;
        if a.region == b.region || !outline.has_positive_area(a) || !outline.has_positive_area(b) {
            return false;
        }
        self.parts_are_apart(Case::Apart)
            && if self.pinches.is_empty() {
                let first = |chain: Chain| self.outline.points.at(chain.first)[0];
                self.is_outside(first(a), b) && self.is_outside(first(b), a)
            } else {
                (0..self.pinches.len()).all(|i| self.sectors_are_apart(self.pinches[i], a, b))
            }
    }

    /// Whether no two edges cross or touch but where they follow each other, or where [`Case::Apart`] allows it.
    fn parts_are_apart(&mut self, case: Case) -> bool {
        self.pinches.clear();
        let (outline, pinches) = (&self.outline, &mut self.pinches);
        let mut are_apart =
            |i: usize, j: usize, same: bool| edges_are_apart(outline, i, j, same, case, pinches);
        simd::dispatch(FindMeetings { outline, runs: &mut self.runs, are_apart: &mut are_apart })
    }

    /// Whether the insides of two regions certainly lie in different sectors at a vertex that both have.
    fn sectors_are_apart(&self, vertex: u32, a: Chain, b: Chain) -> bool {
        let outline = &self.outline;
        let at = |i: usize| outline.points.at(i);
        // Directions to the next and the last vertex: the inside is between them, counter-clockwise.
        let rays = |chain: Chain| {
            let found = (chain.first..chain.last).find(|&i| outline.vertices[i] == vertex)?;
            let before = if found == chain.first { chain.last - 1 } else { found - 1 };
            Some((minus(at(found + 1), at(found)), minus(at(before), at(found))))
        };
        let (Some((a_next, a_last)), Some((b_next, b_last))) = (rays(a), rays(b)) else { return false };
        is_beyond(a_next, a_last, b_next)
            && is_beyond(a_next, a_last, b_last)
            && is_beyond(b_next, b_last, a_next)
            && is_beyond(b_next, b_last, a_last)
    }

    /// Whether a point is certainly outside a closed chain at the start.
    fn is_outside(&self, p: Point2, chain: Chain) -> bool {
        let mut winding = 0;
        for (q, r) in self.outline.edges(chain) {
            let [[u], [v]] = [minus([q], [p]), minus([r], [p])];
            if u[1].abs() <= 4.0 * OFF || v[1].abs() <= 4.0 * OFF {
                return false;
            }
            if (u[1] > 0.0) != (v[1] > 0.0) {
                let side = certain_cross([u], [v]);
                if side == 0.0 {
                    return false;
                }
                // Crosses the line through p; to its right when p is left of an upward edge.
                winding += match (v[1] > 0.0, side > 0.0) {
                    (true, true) => 1,
                    (false, false) => -1,
                    _ => 0,
                };
            }
        }
        winding == 0
    }
}

/// Two edges, by their first points, whose boxes overlap, of one region or of two.
fn edges_are_apart<const N: usize>(
    outline: &Outline<N>,
    i: usize,
    j: usize,
    same_region: bool,
    case: Case,
    pinches: &mut Vec<u32>,
) -> bool {
    let at = |k: usize| (outline.vertices[k], outline.points.at(k));
    let (p, q, r, s) = (at(i), at(i + 1), at(j), at(j + 1));
    let (shared, other, follows) = if q.0 == r.0 && p.0 != s.0 {
        (q, (p, s), true)
    } else if p.0 == s.0 && q.0 != r.0 {
        (p, (q, r), true)
    } else if p.0 == r.0 && q.0 != s.0 {
        (p, (q, s), false)
    } else if q.0 == s.0 && p.0 != r.0 {
        (q, (p, r), false)
    } else if p.0 == r.0 || p.0 == s.0 || q.0 == r.0 || q.0 == s.0 {
        return false; // Both ends are common.
    } else {
        return segments_are_apart(p.1, q.1, r.1, s.1);
    };
    match (case, same_region) {
        (Case::Joined, _) | (Case::Apart, true) if !follows => return false,
        (Case::Apart, false) if !pinches.contains(&shared.0) => pinches.push(shared.0),
        _ => {}
    }
    let (u, v) = (minus(other.0.1, shared.1), minus(other.1.1, shared.1));
    certain_cross(u, v) != 0.0 || certain_dot(u, v) < 0.0
}
