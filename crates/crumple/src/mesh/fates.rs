//! What an edit did to the triangles that it touched, as a structure that keeps them must follow it.

use super::Mesh;
use crate::TriangleId;

/// What became of the triangles that an edit touched.
#[derive(Debug, Default)]
pub(crate) struct Fates {
    /// Old ids of what is not there any more as it was.
    pub gone: Vec<u32>,
    /// New ids of what was not there.
    pub come: Vec<u32>,
    /// The same triangle under its old id and its new one.
    pub renamed: Vec<[u32; 2]>,
}

impl Fates {
    /// Looks at the triangles that are not the same in two versions, by their ids.
    pub fn of(before: &Mesh, now: &Mesh, ids: &[u32]) -> Self {
        let mut fates = Self::default();
        for &id in ids.iter().filter(|&&id| (id as usize) < before.triangle_count()) {
            let old = TriangleId(id);
            let new = now.triangle_with_key(before.triangle_key(old));
            match new.filter(|&new| now.triangle(new) == before.triangle(old)) {
                Some(new) => fates.renamed.push([id, new.0]),
                None => fates.gone.push(id),
            }
        }
        for &id in ids.iter().filter(|&&id| (id as usize) < now.triangle_count()) {
            let new = TriangleId(id);
            let old = before.triangle_with_key(now.triangle_key(new));
            if old.is_none_or(|old| before.triangle(old) != now.triangle(new)) {
                fates.come.push(id);
            }
        }
        fates
    }
}
