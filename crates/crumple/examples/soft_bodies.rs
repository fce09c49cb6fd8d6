//! Two soft blocks that are pushed apart by how deep their vertices are in each other.
//!
//! `cargo run --release -p crumple --example soft_bodies`

use crumple::{Error, Mesh, Scene};
use crumple_scenes::shapes;

fn main() -> Result<(), Error> {
    let block = shapes::tet_box([6, 6, 6], [1.0; 3]);
    let mut bodies =
        [block.positions.clone(), block.positions.iter().map(|p| [p[0] + 0.8, p[1] + 0.1, p[2]]).collect()];
    let mut scene = Scene::new();
    let mesh = Mesh::from_tets("block", block.positions.len(), &block.tets)?;
    let ids = [scene.add(mesh.clone(), &bodies[0])?, scene.add(mesh, &bodies[1])?];

    for frame in 0..40 {
        let penetrations = scene.penetrations()?;
        let deepest = penetrations.iter().map(|p| p.depth).fold(0.0, f64::max);
        if frame % 10 == 0 {
            println!("frame {frame}: {} vertices inside, at most {deepest:.4} deep", penetrations.len());
        }
        if penetrations.is_empty() {
            println!("apart after {frame} frames");
            return Ok(());
        }
        // Each vertex goes a part of its way out; the tet that it is in gives way by its weights.
        for hit in &penetrations {
            let (vertex, tet) = (hit.vertex, hit.tet);
            let push = hit.direction.map(|d| 0.2 * (hit.depth + 1e-4) * d);
            let corners = scene.mesh(tet.body)?.tets()[tet.id.index()];
            let [v, t] =
                [vertex.body, tet.body].map(|b| ids.iter().position(|id| *id == b).expect("one of the two"));
            (0..3).for_each(|k| bodies[v][vertex.id.index()][k] += push[k]);
            for (corner, weight) in corners.iter().zip(hit.weights) {
                (0..3).for_each(|k| bodies[t][corner.index()][k] -= weight * push[k]);
            }
        }
        for (id, positions) in ids.into_iter().zip(&bodies) {
            scene.set_positions(id, positions)?;
        }
    }
    println!("still {} vertices inside", scene.penetrations()?.len());
    Ok(())
}
