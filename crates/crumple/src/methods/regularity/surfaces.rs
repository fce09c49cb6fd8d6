//! The bodies in the method: the hierarchy of each, and what the frame says about it.

use super::directions::Directions;
use super::facing::Facing;
use super::hierarchy::{Edited, Hierarchy, Repaired};
use super::posed::Posed;
use crate::budget::Clock;
use crate::frame::Widened;
use crate::geometry::predicates::exponent;
use crate::geometry::{Aabb, Aabb32, Map, Point};
use crate::mesh::PerBody;
use crate::parallel::Later;
#[cfg(feature = "published")]
use crate::{BodyId, Error};
use crate::{Frame, Mesh, Positions};

/// All bodies, brought to a frame by [`Surfaces::follow`].
#[derive(Debug)]
pub(crate) struct Surfaces {
    pub list: PerBody<Surface>,
    pub directions: Directions,
    /// From positions of the present frame to boxes.
    pub map: Map,
    /// What the map was made for.
    pub bounds: Aabb,
    /// Whether the last query looked within bodies, for which the next frame prepares directions.
    pub wants_facing: bool,
    /// Passes over bodies end early when it is late; what they leave is of no frame.
    pub clock: Clock,
}

/// Parts of a surface whose boxes and directions are due.
#[derive(Debug, Default)]
pub(crate) struct Due {
    pub patches: Vec<u32>,
    pub leaves: Vec<u32>,
    /// The first vertex that is new.
    pub new_vertices: usize,
}

/// So many frames after it was begun, what is built in the background is taken.
pub(crate) const FRAMES: u32 = 16;

/// Hierarchies of fewer triangles are built at once: that takes a few milliseconds.
const SMALL: usize = 4096;

/// A hierarchy that is built in the background, of a version that the body had.
#[derive(Debug)]
struct Anew {
    body: Mesh,
    hierarchy: Later<Hierarchy>,
    /// Frames until it is taken.
    frames: u32,
}

/// One body.
#[derive(Debug)]
pub(crate) struct Surface {
    pub body: Mesh,
    pub hierarchy: Hierarchy,
    /// The box of each patch.
    pub patch_bounds: Vec<Aabb32>,
    /// The directions that each patch faces; valid when `has_facing`.
    pub patch_facing: Vec<Facing>,
    /// The box of each node.
    pub bounds: Vec<Aabb32>,
    /// The directions that each node faces; valid when `has_facing`.
    pub facing: Vec<Facing>,
    pub has_facing: bool,
    /// What an edit changed since the boxes were found; `None` when all are due.
    pub due: Option<Due>,
    /// What is built in the place of a worn hierarchy.
    anew: Option<Anew>,
    /// Positions that came in `f32`.
    widened: Widened,
    /// Positions of a frame so small that they are scaled up; empty otherwise.
    lifted: Vec<Point>,
}

impl Surfaces {
    /// No body yet.
    pub fn new(directions: usize) -> Self {
        Self {
            list: PerBody::default(),
            directions: Directions::new(directions),
            map: Map::IDENTITY,
            bounds: Aabb::EMPTY,
            wants_facing: true,
            clock: Clock::default(),
        }
    }

    /// Where the vertices of each body are.
    pub fn positions<'p>(&'p self, frame: Frame<'p>) -> Vec<&'p [Point]> {
        self.list.values().iter().zip(frame.iter()).map(|(s, p)| s.positions(p)).collect()
    }

    /// What a query looks at.
    pub fn posed<'p>(&'p self, positions: &'p [&'p [Point]]) -> Posed<'p> {
        Posed { surfaces: self.list.values(), positions, map: &self.map, directions: &self.directions }
    }

    /// One body.
    #[cfg(feature = "published")]
    pub fn get(&self, body: BodyId) -> Result<&Surface, Error> {
        self.list.get(body).ok_or(Error::NoBody { body })
    }
}

impl Surface {
    /// Builds the hierarchy of a body.
    pub fn new(
        body: &Mesh,
        positions: Positions<'_>,
        build: impl FnOnce(&Mesh, &[Point]) -> Hierarchy,
    ) -> Self {
        let mut widened = Widened::default();
        widened.take(positions);
        let hierarchy = build(body, widened.of(positions));
        Self { widened, ..Self::of(body, hierarchy) }
    }

    fn of(body: &Mesh, hierarchy: Hierarchy) -> Self {
        let (n, patches) = (hierarchy.tree.nodes.len(), hierarchy.patches.len());
        Self {
            body: body.clone(),
            hierarchy,
            patch_bounds: vec![Aabb32::EMPTY; patches],
            patch_facing: vec![Facing::default(); patches],
            bounds: vec![Aabb32::EMPTY; n],
            facing: vec![Facing::default(); n],
            has_facing: false,
            due: None,
            anew: None,
            widened: Widened::default(),
            lifted: Vec::new(),
        }
    }

    /// Begins to build another hierarchy, if this one is worn, or puts the one that was begun in its place when it is time. Says
    /// whether the surface can be used; if not, it must be built at once.
    pub fn renew<B>(&mut self, positions: Positions<'_>, build: &B) -> bool
    where
        B: Fn(&Mesh, &[Point]) -> Hierarchy + Copy + Send + 'static,
    {
        let Some(anew) = &mut self.anew else {
            if !self.hierarchy.is_worn() {
                return true;
            }
            if self.body.triangle_count() < SMALL {
                return false;
            }
            let (body, build) = (self.body.clone(), *build);
            self.widened.take(positions);
            let at = self.widened.of(positions).to_vec();
            let hierarchy = Later::new({
                let body = body.clone();
                move || build(&body, &at)
            });
            self.anew = Some(Anew { body, hierarchy, frames: FRAMES });
            return true;
        };
        anew.frames -= 1;
        if anew.frames > 0 {
            return true;
        }
        let Some(Anew { body, hierarchy, .. }) = self.anew.take() else { return true };
        let fresh = Self::of(&body, hierarchy.take());
        let followed =
            if body.is_same(&self.body) { Some(fresh) } else { fresh.edited(&body, &self.body, positions) };
        let Some(followed) = followed else { return false };
        // Nothing is known of its boxes.
        *self = Self { due: None, has_facing: self.has_facing, ..followed };
        true
    }

    /// Takes over the next version of the body by repairing the hierarchy; `None` when it must be built anew.
    pub fn edited(mut self, before: &Mesh, body: &Mesh, positions: Positions<'_>) -> Option<Self> {
        let ids = body.changed_since(before)?.triangles;
        self.widened.take(positions);
        let edited = Edited { before, now: body, ids: &ids, positions: self.widened.of(positions) };
        let Repaired { patches, leaves, before: shift } = self.hierarchy.repair(&edited)?;
        self.bounds.splice(0..0, std::iter::repeat_n(Aabb32::EMPTY, shift));
        self.facing.splice(0..0, std::iter::repeat_n(Facing::default(), shift));
        let (nodes, count) = (self.hierarchy.tree.nodes.len(), self.hierarchy.patches.len());
        self.bounds.resize(nodes, Aabb32::EMPTY);
        self.facing.resize(nodes, Facing::default());
        self.patch_bounds.resize(count, Aabb32::EMPTY);
        self.patch_facing.resize(count, Facing::EMPTY);
        // Boxes of before are those of a frame that may not be the last one.
        self.due = Some(Due { patches, leaves, new_vertices: before.vertex_count() });
        self.body = body.clone();
        Some(self)
    }

    /// Takes in the positions of a frame, scaled up where it is very small.
    pub fn take(&mut self, given: Positions<'_>, lift: Option<Lift>) {
        self.widened.take(given);
        self.lifted.clear();
        if let Some(lift) = lift {
            self.lifted.extend(self.widened.of(given).iter().map(|p| lift.apply(p)));
        }
    }

    /// Whether the positions are scaled.
    pub fn is_lifted(&self) -> bool {
        !self.lifted.is_empty()
    }

    /// The positions last taken in: the frame's own, widened or lifted.
    pub fn positions<'p>(&'p self, given: Positions<'p>) -> &'p [Point] {
        if self.lifted.is_empty() { self.widened.of(given) } else { &self.lifted }
    }
}

/// A power of two for very small frames: products of three differences would underflow there, which no filter survives.
/// Scaling up is exact, and changes neither signs nor what touches what.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Lift([f64; 2]);

impl Lift {
    /// Below this products of three differences may need more exponents than there are.
    const SMALL: f64 = f64::from_bits((1023 - 250) << 52);

    /// For a frame within these bounds; `None` when it is large enough.
    pub fn of(bounds: &Aabb) -> Option<Self> {
        let corners = [bounds.min, bounds.max];
        let all = if bounds.is_empty() { &[] } else { corners.as_flattened() };
        let largest = all.iter().fold(0f64, |m, x| m.max(x.abs()));
        // Two factors, since the inverse of a subnormal number is no finite power of two.
        let shift = -exponent(largest);
        let half = |e: i64| f64::from_bits(((1023 + e) as u64) << 52);
        (largest > 0.0 && largest < Self::SMALL).then(|| Self([half(shift / 2), half(shift - shift / 2)]))
    }

    /// The point times the power of two.
    pub fn apply(&self, p: &Point) -> Point {
        p.map(|x| x * self.0[0] * self.0[1])
    }
}
