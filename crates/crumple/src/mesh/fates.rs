//! What an edit did to the elements that it touched, as a structure that keeps them must follow it.

use super::Mesh;
use crate::{TetId, TriangleId};

/// What became of the elements of one kind that an edit touched.
#[derive(Debug, Default)]
pub(crate) struct Fates {
    /// Old ids of what is not there any more as it was.
    pub gone: Vec<u32>,
    /// New ids of what was not there.
    pub come: Vec<u32>,
    /// The same element under its old id and its new one.
    pub renamed: Vec<[u32; 2]>,
}

impl Fates {
    /// Looks at the triangles that are not the same in two versions, by their ids.
    pub fn of(before: &Mesh, now: &Mesh, ids: &[u32]) -> Self {
        let follow = |[from, to]: [&Mesh; 2], id: u32| {
            let there = to.triangle_with_key(from.triangle_key(TriangleId(id)))?;
            (to.triangle(there) == from.triangle(TriangleId(id))).then_some(there.0)
        };
        Self::sort([before, now], ids, Mesh::triangle_count, follow)
    }

    /// The same of tets.
    pub fn of_tets(before: &Mesh, now: &Mesh, ids: &[u32]) -> Self {
        let follow = |[from, to]: [&Mesh; 2], id: u32| {
            let there = to.tet_with_key(from.tet_key(TetId(id)))?;
            (to.tet(there) == from.tet(TetId(id))).then_some(there.0)
        };
        Self::sort([before, now], ids, Mesh::tet_count, follow)
    }

    /// `follow` says under which id an element of the first mesh, with the same corners, is in the second.
    fn sort(
        [before, now]: [&Mesh; 2],
        ids: &[u32],
        count: impl Fn(&Mesh) -> usize,
        follow: impl Fn([&Mesh; 2], u32) -> Option<u32>,
    ) -> Self {
        let mut fates = Self::default();
        for &id in ids.iter().filter(|&&id| (id as usize) < count(before)) {
            match follow([before, now], id) {
                Some(new) => fates.renamed.push([id, new]),
                None => fates.gone.push(id),
            }
        }
        let is_new = |&&id: &&u32| (id as usize) < count(now) && follow([now, before], id).is_none();
        fates.come.extend(ids.iter().filter(is_new));
        fates
    }
}
