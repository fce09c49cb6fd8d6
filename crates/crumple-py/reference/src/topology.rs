//! Bodies that are edited and cut where they are.

use crumple::cut::Blade;
use crumple::{BodyId, Edit, Mesh, MeshError, Scene, TetId, TetKey, TriangleId, VertexId};

use crate::answers::{Done, Target};

/// Edits every body, then cuts every body, and asks what touches after each.
pub fn change(scene: &mut Scene, to: &Target<'_>) -> Done {
    let ids: Vec<BodyId> = scene.ids().collect();
    for &id in &ids {
        let mesh = scene.mesh(id)?.clone();
        let changes = scene.edit(id, |edit| edit_one(edit, &mesh))?;
        to.put(
            &format!("edit{}_vertices", id.0),
            &changes.vertices.iter().map(|v| [v.vertex.0]).collect::<Vec<_>>(),
        )?;
    }
    contacts(scene, "edited_contacts", to)?;
    let mut seams = Vec::new();
    for &id in &ids {
        let Some(bounds) = scene.bounds(id)? else { continue };
        let [x, y, z] = [0, 1, 2].map(|k| 0.5 * (bounds.min[k] + bounds.max[k]));
        let size = [0, 1, 2].map(|k| bounds.max[k] - bounds.min[k]).into_iter().fold(0.0, f64::max);
        let size = if size > 0.0 { size } else { 1.0 };
        let plane = Blade::plane([[x, y, z], [x, y + size, z], [x, y, z + size]])?;
        seams.push([scene.cut(id, &plane).map_or(u32::MAX, |done| done.seam.len() as u32)]);
    }
    to.put("seams", &seams)?;
    contacts(scene, "cut_contacts", to)?;
    scene.forget_cuts();
    contacts(scene, "open_contacts", to)
}

/// Removes the last element and splits the first, where there are two.
fn edit_one(edit: &mut Edit, mesh: &Mesh) -> Result<(), MeshError> {
    if mesh.tet_count() > 1 {
        edit.remove_tet(mesh.tet_key(TetId(mesh.tet_count() as u32 - 1)))?;
        edit.split_tet(TetKey(0), [0.25; 4])?;
    } else if !mesh.is_solid() && mesh.triangle_count() > 1 {
        edit.remove_triangle(mesh.triangle_key(TriangleId(mesh.triangle_count() as u32 - 1)))?;
        let [a, b, _]: [VertexId; 3] = mesh.triangle(TriangleId(0));
        if a != b {
            edit.split_edge(a, b, 0.5)?;
        }
    }
    Ok(())
}

fn contacts(scene: &mut Scene, name: &str, to: &Target<'_>) -> Done {
    let found = scene.contacts()?;
    let rows = found.iter().map(|c| [c.a.body.0, c.a.id.0, c.b.body.0, c.b.id.0]);
    to.put(name, &rows.collect::<Vec<_>>())
}
