//! The boundary surface of a tetrahedral mesh.

use crate::csr::Csr;
use crate::geometry::tet::FACES;

/// Faces that belong to exactly one tet, ordered by (tet, local face), with the way back.
pub(super) fn boundary_faces(vertices: u32, tets: &[[u32; 4]]) -> (Vec<[u32; 3]>, Vec<(u32, u8)>) {
    let owners = face_owners(vertices, tets);
    let (mut triangles, mut faces) = (Vec::new(), Vec::new());
    for (place, &partner) in owners.iter().enumerate() {
        if partner == BOUNDARY {
            let (t, f) = (place / 4, place % 4);
            triangles.push(FACES[f].map(|c| tets[t][c]));
            faces.push((t as u32, f as u8));
        }
    }
    (triangles, faces)
}

/// A face of one tet only.
pub(super) const BOUNDARY: u32 = u32::MAX;
/// A face of three or more tets.
pub(super) const CROWDED: u32 = u32::MAX - 1;

/// For each place `4 * tet + face`: the place of the same face in the other tet, [`BOUNDARY`] or [`CROWDED`].
pub(super) fn face_owners(vertices: u32, tets: &[[u32; 4]]) -> Vec<u32> {
    let key = |place: u32| {
        let tet = tets[place as usize / 4];
        let mut face = FACES[place as usize % 4].map(|c| tet[c]);
        face.sort_unstable();
        face
    };
    // Bucket the faces by their smallest vertex, so that only short rows need a sort.
    let mut rows =
        Csr::from_pairs(vertices as usize, (0..4 * tets.len() as u32).map(|place| (key(place)[0], place)));
    let mut partner = vec![BOUNDARY; 4 * tets.len()];
    for v in 0..vertices as usize {
        let row = rows.row_mut(v);
        row.sort_unstable_by_key(|&place| (key(place), place));
        for group in row.chunk_by(|&a, &b| key(a) == key(b)) {
            match *group {
                [_] => {}
                [a, b] => (partner[a as usize], partner[b as usize]) = (b, a),
                _ => group.iter().for_each(|&place| partner[place as usize] = CROWDED),
            }
        }
    }
    partner
}
