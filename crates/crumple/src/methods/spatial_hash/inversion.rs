//! Why a vertex is in a tet: bodies meet, or a tet nearby is inverted (T-A13).

use crate::geometry::tet;
use crate::{Bodies, Frame, TetId, VertexId, VertexTet};

use super::Snapshot;

/// Why a vertex is inside a tet.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "kebab-case"))]
pub enum Cause {
    /// Different bodies, or distant parts of one.
    Contact,
    /// The vertex and the tet are neighbours in one body, and a tet among them has no positive volume: an element to
    /// repair rather than a collision.
    Inverted,
}

impl std::fmt::Display for Cause {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Contact => "contact",
            Self::Inverted => "inverted",
        })
    }
}

impl Cause {
    /// Tells the cause of a contact in a frame that its detector has checked.
    pub fn of(bodies: &Bodies, frame: Frame<'_>, contact: &VertexTet) -> Self {
        let (body, vertex) = bodies.locate_vertex(contact.vertex);
        let (other, tet) = bodies.locate_tet(contact.tet);
        if body != other {
            return Self::Contact;
        }
        let view = Snapshot { bodies, frame };
        let first = bodies.tet_range(body).start;
        let is_inverted = |t: TetId| tet::orientation(&view.tet(first + t.index())) <= 0;
        let its = bodies.mesh(body);
        let corners = its.tet(tet);
        let neighbours: Vec<TetId> = (its.tets_round(vertex))
            .filter(|t| its.tet(*t).iter().any(|v: &VertexId| corners.contains(v)))
            .collect();
        let inverted =
            !neighbours.is_empty() && (is_inverted(tet) || neighbours.into_iter().any(is_inverted));
        if inverted { Self::Inverted } else { Self::Contact }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Mesh, Positions};

    #[test]
    fn a_vertex_pushed_through_its_own_face_is_an_inverted_tet() {
        // Two tets on one face; vertex 4 has been pushed through it, into the first.
        let body = Mesh::from_tets("pair", 5, &[[0, 1, 2, 3], [0, 2, 1, 4]]).unwrap();
        let bodies = Bodies::new([body.clone(), body]).unwrap();
        let good = vec![[0.0; 3], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0], [0.0, 0.0, 4.0], [1.0, 1.0, -4.0]];
        let mut bad = good.clone();
        bad[4] = [0.5, 0.5, 1.0];
        let positions = [Positions::from(&bad), Positions::from(&good)];
        let frame = Frame::new(&positions);
        let contact =
            |vertex, tet| VertexTet { vertex: VertexId(vertex), tet: TetId(tet), weights: [0.25; 4] };
        assert_eq!(Cause::of(&bodies, frame, &contact(4, 0)), Cause::Inverted);
        assert_eq!(Cause::of(&bodies, frame, &contact(4, 2)), Cause::Contact);
        assert_eq!(Cause::of(&bodies, frame, &contact(9, 2)), Cause::Contact);
    }
}
