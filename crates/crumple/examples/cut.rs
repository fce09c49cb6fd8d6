//! A sheet is cut by a blade, its halves part, and one falls on the other.
//!
//! `cargo run --release -p crumple --example cut`

use crumple::cut::{Blade, cut};
use crumple::{Mesh, Scene};
use crumple_scenes::shapes;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let sheet = shapes::sheet(20, 20, [2.0, 2.0]);
    let mesh = Mesh::from_triangles("sheet", sheet.positions.len(), &sheet.triangles)?;
    let mut scene = Scene::new();
    let id = scene.add(mesh.clone(), &sheet.positions)?;
    let bounds = scene.bounds(id)?.expect("it has vertices");
    let middle = bounds.centre();

    let blade = Blade::plane([
        middle,
        [middle[0], middle[1] + 1.0, middle[2]],
        [middle[0], middle[1], middle[2] + 1.0],
    ])?;
    let halves = cut(&mesh, &sheet.positions, &blade)?;
    println!(
        "{} pieces, {} vertices along the cut",
        halves.body.topology().component_count(),
        halves.seam.len()
    );

    // The half to the right is lifted and turned over, until it lies across the other.
    for frame in 0..=10 {
        let angle = std::f64::consts::PI * 0.55 * f64::from(frame) / 10.0;
        let fold = |p: &[f64; 3]| {
            let x = p[0] - middle[0];
            if x <= 0.0 {
                *p
            } else {
                [middle[0] + 0.01 + x * angle.cos(), p[1], p[2] + 0.02 + x * angle.sin()]
            }
        };
        let positions: Vec<[f64; 3]> = halves.positions.iter().map(fold).collect();
        if frame == 0 {
            scene.replace(id, halves.body.clone(), &positions)?;
        } else {
            scene.set_positions(id, &positions)?;
        }
        println!("frame {frame}: {} pairs of triangles touch", scene.contacts()?.len());
    }
    Ok(())
}
