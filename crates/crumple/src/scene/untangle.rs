//! The curves along which bodies cross, and bodies moved until they do not.

use super::bodies::lay_out;
use super::{Answer, Contact, Element, Place, Scene};
use crate::geometry::Point;
use crate::untangle::{self, CurveKind, Part, Tangle, UntangleOptions};
use crate::{
    BodyId, Closeness, Error, Orientation, ParamError, Proximity, TriangleId, TrianglePair, VertexId,
};

/// The part of a mesh on which a point of a curve lies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "kebab-case"))]
pub enum CurvePart {
    /// A vertex.
    Vertex(VertexId),
    /// The inside of an edge, smaller vertex first.
    Edge([VertexId; 2]),
    /// The inside of a triangle.
    Triangle(TriangleId),
}

/// A point of a curve: an edge of one side that pierces a triangle of the other, or, where the position is not general, other
/// parts that meet. The parts are exact, the point is rounded.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct CurvePoint {
    /// Where.
    pub point: Point,
    /// The part of each side that holds it.
    pub parts: [CurvePart; 2],
    /// The weights of the corners of each part; those that a vertex or an edge does not have are 0.
    pub weights: [[f64; 3]; 2],
}

/// A curve along which two surfaces cross, or one crosses itself.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct IntersectionCurve {
    /// The body of each side.
    pub bodies: [BodyId; 2],
    /// Whether it is closed, or where it ends.
    pub kind: CurveKind,
    /// Its length.
    pub length: f64,
    /// Its points in order; a closed curve does not repeat the first.
    pub points: Vec<CurvePoint>,
    /// Between each point and the next (of a closed curve also the last and the first): the triangle of each side.
    pub triangles: Vec<[TriangleId; 2]>,
    /// The smaller part that the curve cuts off on each side, by its vertices; `None` where it cuts nothing off.
    pub cut_off: [Option<Vec<VertexId>>; 2],
    /// How the length changes as vertices move, sorted by vertex: its negative shortens the curve.
    pub gradient: Vec<(Element<VertexId>, Point)>,
}

/// Why something was not undone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum Reason {
    /// All corners of the triangles are fixed.
    Fixed,
    /// It belongs to a closed surface with one side only, which crosses itself wherever its vertices are.
    OneSided,
    /// No motion was found that undoes it: what crosses is held on both sides, or linked.
    Stuck,
    /// The rounds were used up while there was still progress.
    Unfinished,
}

impl std::fmt::Display for Reason {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Fixed => "all its vertices are fixed",
            Self::OneSided => "a closed surface with one side always crosses itself",
            Self::Stuck => "no motion was found that undoes it",
            Self::Unfinished => "the rounds were used up",
        })
    }
}

/// A place where something is left, and why.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Left {
    /// The place, with the number of its contacts.
    #[cfg_attr(feature = "serde", serde(flatten))]
    pub place: Place,
    /// Why it was not undone.
    pub why: Reason,
}

/// What [`Scene::untangle`] did.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[must_use]
#[non_exhaustive]
pub struct Untangled {
    /// Intersecting pairs of triangles before.
    pub before: usize,
    /// And after: exactly those that [`Scene::contacts`] lists.
    pub after: usize,
    /// Rounds of detection and displacement.
    pub rounds: usize,
    /// How many vertices were moved.
    pub moved: usize,
    /// The largest displacement.
    pub largest: f64,
    /// The mean displacement of those that were moved.
    pub mean: f64,
    /// Where something is left, the worst first; empty when nothing crosses any more.
    pub left: Vec<Left>,
}

/// How often fewer close pairs are asked for, where there are very many.
const NARROWER: usize = 8;

impl Scene {
    /// The curves along which surfaces cross, within and between bodies: the contacts chained through the meshes' adjacency.
    /// Which edge pierces which triangle, and how curves go on, is exact.
    ///
    /// ```
    /// use crumple::{CurveEnd, CurveKind, Mesh, Scene};
    /// let mut scene = Scene::new();
    /// let sheet = Mesh::from_triangles("sheet", 4, &[[0, 1, 2], [0, 2, 3]])?;
    /// scene.add(sheet.clone(), &[[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [4.0, 4.0, 0.0], [0.0, 4.0, 0.0]][..])?;
    /// scene.add(sheet, &[[1.0, 2.0, -1.0], [3.5, 2.0, -1.0], [3.5, 2.0, 1.0], [1.0, 2.0, 1.0]][..])?;
    /// let curves = scene.intersection_curves()?;
    /// assert_eq!(curves.len(), 1);
    /// assert_eq!(curves[0].kind, CurveKind::Open([CurveEnd::Border, CurveEnd::Border]));
    /// assert_eq!(curves[0].length, 2.5);
    /// # Ok::<(), crumple::Error>(())
    /// ```
    pub fn intersection_curves(&mut self) -> Result<Answer<IntersectionCurve>, Error> {
        let contacts = self.contacts()?;
        let (positions, pairs) = (self.laid_out_positions(), self.pairs(&contacts));
        let bodies = self.bodies();
        let atlas = untangle::Atlas::new(bodies, &positions);
        let vertex = |v: u32| Element::vertex(bodies, VertexId(v));
        let triangle = |t: u32| Element::triangle(bodies, TriangleId(t)).id;
        let part = |part: Part| match part {
            Part::Vertex(v) => CurvePart::Vertex(vertex(v).id),
            Part::Edge(e) => CurvePart::Edge(atlas.ends(e).map(|v| vertex(v).id)),
            Part::Triangle(t) => CurvePart::Triangle(triangle(t)),
        };
        let row = |curve: untangle::Curve| IntersectionCurve {
            bodies: curve.triangles[0].map(|t| Element::triangle(bodies, TriangleId(t)).body),
            kind: curve.kind,
            length: curve.length(),
            points: (curve.nodes.iter())
                .map(|node| CurvePoint {
                    point: node.point,
                    parts: node.parts.map(part),
                    weights: node.parts.map(|part| atlas.weights(part, &node.point)),
                })
                .collect(),
            triangles: curve.triangles.iter().map(|t| t.map(triangle)).collect(),
            cut_off: atlas
                .cut_off(&curve)
                .map(|part| part.map(|p| p.iter().map(|&v| vertex(v).id).collect())),
            gradient: atlas.gradient(&curve).into_iter().map(|(v, g)| (vertex(v), g)).collect(),
        };
        let rows = atlas.curves(&pairs).into_iter().map(row).collect();
        Ok(Answer::new(rows, contacts.method, contacts.guarantee, contacts.stats))
    }

    /// Moves vertices until nothing crosses, as little as possible: see [`untangle`](crate::untangle). Fixed bodies and fixed
    /// vertices stay where they are. What is left is told, and the scene stays where the fewest pairs cross.
    ///
    /// ```
    /// use crumple::{Mesh, Scene, UntangleOptions};
    /// let mut scene = Scene::new();
    /// let sheet = Mesh::from_triangles("sheet", 4, &[[0, 1, 2], [0, 2, 3]])?;
    /// scene.add(sheet.clone(), &[[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [4.0, 4.0, 0.0], [0.0, 4.0, 0.0]][..])?;
    /// scene.add(sheet, &[[1.0, 2.0, -0.5], [3.0, 2.0, -0.5], [3.0, 2.0, 1.5], [1.0, 2.0, 1.5]][..])?;
    /// let done = scene.untangle(&UntangleOptions::default())?;
    /// assert!(done.before > 0 && done.after == 0 && done.left.is_empty());
    /// assert!(scene.contacts()?.is_empty());
    /// # Ok::<(), crumple::Error>(())
    /// ```
    pub fn untangle(&mut self, options: &UntangleOptions) -> Result<Untangled, Error> {
        if options.gap.is_some_and(|gap| !(gap.is_finite() && gap >= 0.0)) {
            let value = options.gap.unwrap_or_default().to_string();
            let expected = "a finite number, not below 0";
            return Err(ParamError { parameter: "gap", value, expected }.into());
        }
        let bodies = self.laid_out.get_or_init(|| lay_out(&self.meshes)).clone();
        let is_fixed = self.fixed_vertices(&options.fixed)?;
        let given = self.laid_out_positions();
        let mut contacts = self.contacts()?;
        let before = contacts.len();
        let mut tangle = Tangle::new(&bodies, given.clone(), is_fixed.clone(), options);
        let (mut close, mut narrow) = (Proximity::default(), f64::INFINITY);
        while tangle.goes_on(self.pairs(&contacts)) {
            self.put_all(tangle.positions())?;
            narrow = self.close_pairs(tangle.radius().min(narrow), &mut close)?;
            tangle.round(&close);
            self.put_all(tangle.positions())?;
            contacts = self.contacts()?;
        }
        let is_stuck = tangle.is_stuck();
        let (rounds, best) = tangle.finish();
        self.put_all(&best)?;
        let contacts = self.contacts()?;
        let moves = given.iter().zip(&best).filter(|(p, q)| p != q);
        let moves: Vec<f64> =
            moves.map(|(p, q)| (0..3).map(|k| (p[k] - q[k]).powi(2)).sum::<f64>().sqrt()).collect();
        Ok(Untangled {
            before,
            after: contacts.len(),
            rounds,
            moved: moves.len(),
            largest: moves.iter().copied().fold(0.0, f64::max),
            // A sum of nothing is -0.
            mean: (0.0 + moves.iter().sum::<f64>()) / moves.len().max(1) as f64,
            left: self.left(&contacts, &is_fixed, is_stuck)?,
        })
    }

    /// What is left, with the reason.
    fn left(&self, contacts: &[Contact], is_fixed: &[bool], is_stuck: bool) -> Result<Vec<Left>, Error> {
        let bodies = self.bodies();
        let fixed = |t: Element<TriangleId>| {
            let first = bodies.vertex_range(t.body).start;
            let corners = self.meshes[t.body.index()].triangles()[t.id.index()];
            corners.iter().all(|v| is_fixed[first + v.index()])
        };
        let one_sided = |c: &Contact| {
            if !c.is_within_a_body() {
                return false;
            }
            let topology = self.meshes[c.a.body.index()].topology();
            let [a, b] = [c.a.id, c.b.id].map(|t| topology.component_of(t));
            a == b
                && topology.component_orientation(a) == Orientation::NonOrientable
                && untangle::closed_components(topology)[a]
        };
        let reason = |c: &Contact| match c {
            c if fixed(c.a) && fixed(c.b) => Reason::Fixed,
            c if one_sided(c) => Reason::OneSided,
            _ if is_stuck => Reason::Stuck,
            _ => Reason::Unfinished,
        };
        let mut out = Vec::new();
        for why in [Reason::Fixed, Reason::OneSided, Reason::Stuck, Reason::Unfinished] {
            let these: Vec<Contact> = contacts.iter().filter(|c| reason(c) == why).copied().collect();
            out.extend(self.places_of(&these)?.into_iter().map(|place| Left { place, why }));
        }
        out.sort_by_key(|left| std::cmp::Reverse(left.place.contacts));
        Ok(out)
    }

    /// Whether each vertex is fixed, across bodies.
    fn fixed_vertices(&self, more: &[Element<VertexId>]) -> Result<Vec<bool>, Error> {
        let bodies = self.bodies();
        let mut is_fixed = vec![false; bodies.vertex_count()];
        for id in self.ids() {
            is_fixed[bodies.vertex_range(id)].fill(self.filter.is_fixed(id));
        }
        for vertex in more {
            self.check_body(vertex.body)?;
            let range = bodies.vertex_range(vertex.body);
            if vertex.id.index() >= range.len() {
                let value = format!("vertex {} of body {}", vertex.id, vertex.body);
                return Err(ParamError { parameter: "fixed", value, expected: "a vertex of the body" }.into());
            }
            is_fixed[range.start + vertex.id.index()] = true;
        }
        Ok(is_fixed)
    }

    fn laid_out_positions(&self) -> Vec<Point> {
        self.positions.iter().flatten().copied().collect()
    }

    fn pairs(&self, contacts: &[Contact]) -> Vec<TrianglePair> {
        let bodies = self.bodies();
        let id = |t: Element<TriangleId>| TriangleId(bodies.triangle_range(t.body).start as u32 + t.id.0);
        contacts.iter().map(|c| TrianglePair { a: id(c.a), b: id(c.b) }).collect()
    }

    /// Close pairs of features by ids across bodies, what is filtered left out; and how close that was. Where that would be very
    /// many, only the closest count: they keep what is close on its side, and detection decides. Where most triangles meet in
    /// single vertices, as needles round one edge do, finding them alone is quadratic, and none is told.
    fn close_pairs(&mut self, radius: f64, out: &mut Proximity) -> Result<f64, Error> {
        let filter = self.filter.clone();
        let most = 100_000 + 256 * self.bodies().triangles().len();
        let mut close = Closeness { most, ..Closeness::below(radius) };
        if radius == 0.0 || self.is_crowded() {
            *out = Proximity::default();
            return Ok(0.0);
        }
        for _ in 0..NARROWER {
            match self.hierarchy()?.proximity_allowed(&close, &|a, b| filter.allows(a, b), out) {
                Err(Error::TooManyPairs { .. }) => close.distance *= 0.25,
                ended => return ended.map(|_| close.distance),
            }
        }
        // So many all but touch that none is told, nor asked for again.
        Ok(0.0)
    }

    /// Moves every body that is there.
    fn put_all(&mut self, positions: &[Point]) -> Result<(), Error> {
        let ids: Vec<BodyId> = self.ids().collect();
        for id in ids {
            let theirs = &positions[self.bodies().vertex_range(id)];
            if theirs != self.positions[id.index()] {
                self.swap_positions(id, &mut theirs.to_vec())?;
            }
        }
        Ok(())
    }
}
