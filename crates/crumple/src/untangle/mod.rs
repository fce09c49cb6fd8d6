//! Untangling: surfaces that cross are moved apart, as little as possible.
//!
//! Where two surfaces cross there is a curve. Untangling makes the curves shorter until they vanish. Exact detection lists the
//! triangles that intersect; they are chained into curves through the meshes' adjacency. For each curve it is found which part
//! went through: behind the surface of a closed body is inside; otherwise the smaller part that the curve cuts off is taken
//! back (global intersection analysis). A slit that ends at borders on both sides is thought to go on to the border, and the
//! smaller flank is taken back, of a short one that with the shorter way; of a fold that went through itself, whose two traces meet in a vertex, the loop between them.
//! Where none of this is known, the gradient of the curve's length says where to go (intersection contour minimisation).
//!
//! What does not come apart like this is tried in three other ways, each from the best state so far. What is stuck through each
//! other, as a rod through a tube, is moved aside as a whole. What is crumpled into itself, whose given shape is the crossing,
//! gets a fair shape there, which is more than the least change. At last one curve of each two surfaces draws its part all the way through.
//!
//! All of it becomes requests for relative displacements, and one sparse system moves the vertices around the crossing so that
//! the requests are met with the least change of shape. Then detection looks again.
//!
//! D. Baraff, A. Witkin, M. Kass: *Untangling Cloth*, SIGGRAPH 2003, pp. 862–870. P. Volino, N. Magnenat-Thalmann: *Resolving
//! Surface Collisions through Intersection Contour Minimization*, SIGGRAPH 2006, pp. 1154–1159. O. Sorkine, M. Alexa:
//! *As-Rigid-As-Possible Surface Modeling*, SGP 2007, pp. 109–116.
//!
//! It is asked by [`Scene::untangle`](crate::Scene::untangle); [`Scene::intersection_curves`](crate::Scene::intersection_curves)
//! gives the curves to those who have a solver of their own.
//!
//! # The way of a round
//! | step | file |
//! | --- | --- |
//! | what hangs together, by ids across bodies | `adjacency.rs` |
//! | intersecting pairs into curves, by exact names | `curves.rs` |
//! | which part went through | `regions.rs` |
//! | an edge that pierces a triangle, with measures | `piercing.rs` |
//! | how a curve's length changes as vertices move | `gradient.rs` |
//! | what is stuck through each other, and the way aside | `aside.rs` |
//! | what is crumpled into itself, made fair | `fair.rs` |
//! | what each curve asks for | `push.rs` |
//! | what is close stays on its side | `near.rs` |
//! | the displacement, as rigid as possible | `solve.rs` |
//! | what may move, how hard it is pushed, when to stop | `tangle.rs` |
//! | curves for others | `atlas.rs` |
//!
//! # What is guaranteed
//! - The verdict. What [`Untangled::after`](crate::Untangled::after) counts is what exact detection finds in the positions that
//!   are left in the scene: 0 means that nothing intersects, not even by touching.
//! - It is never worse than before: the scene stays at the state with the fewest intersecting pairs, the given one included.
//! - Fixed bodies and fixed vertices are bit for bit where they were; so is everything away from crossings.
//! - Curves are combinatorially exact: which edge pierces which triangle comes from exact signs, and curves are chained by the
//!   names of what meets, never by comparing points. In general position a curve is closed or ends at a border or in a vertex
//!   that both triangles share. Proof: a node is an edge of one side in a triangle of the other. Every triangle of that edge
//!   crosses the pierced triangle there, so the node has as many segments as the edge has triangles: two inside a surface, one
//!   at a border. A segment that has no second piercing edge ends in a shared vertex.
//! - The answer is the same every time and on any number of threads.
//!
//! That it succeeds is not guaranteed, and cannot be: a Klein bottle crosses itself wherever its vertices are. What is left is
//! told place by place, with the [reason](crate::Reason).
//!
//! # Cost
//! A round is one detection, one search for close pairs and up to three solves over the vertices near crossings; O(smaller
//! part) for each curve. Memory O(vertices). Five sheets of 3,200 triangles pushed through each other: 4,176 pairs are undone
//! in 21 rounds, a character of 25,472 triangles with 511 pairs in 13.
//!
//! # Limits
//! - Progress is not monotone: pairs may become more for some rounds. When they have not become fewer for long it goes back to the
//!   best state, with half the step, and at last in the next of the four ways; then it ends.
//! - Many layers pressed together that cross in many places at once, and handles that pass through a body, are often left.
//! - "The smaller part went through" is a guess, though the usual one. A cloth that passed a thin one by more than half goes on.
//! - A surface that crosses another all the way is drawn through it, not cut; that is a long way for a large part.
//! - What touches already at shared vertices (creases folded flat onto themselves) is pushed apart only as far as its own edges
//!   allow.

mod adjacency;
mod aside;
mod atlas;
mod curves;
mod fair;
mod gradient;
mod near;
mod piercing;
mod push;
mod regions;
mod solve;
mod tangle;

pub(crate) use adjacency::Part;
pub(crate) use atlas::Atlas;
pub(crate) use curves::Curve;
pub use curves::{CurveEnd, CurveKind};
pub(crate) use regions::closed_components;
pub(crate) use tangle::Tangle;

use crate::{Element, VertexId};

/// How to untangle; construct with `default` and change fields.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct UntangleOptions {
    /// How far apart surfaces shall be that crossed; `None` takes a fiftieth of the mean edge of the triangles that cross.
    pub gap: Option<f64>,
    /// Rounds at most.
    pub rounds: usize,
    /// Vertices that stay where they are, besides those of fixed bodies.
    pub fixed: Vec<Element<VertexId>>,
}

impl Default for UntangleOptions {
    fn default() -> Self {
        Self { gap: None, rounds: 300, fixed: Vec::new() }
    }
}
