//! Tables 1 and 2 of Volino & Magnenat-Thalmann 1994: recursive calls (A) and elementary tests (B) on a sphere and on a
//! surface that crosses itself, for boxes alone, the rules as published, and the rules as proved.
//!
//!     cargo run --release -p crumple --example regularity_tables [-- SIZE…]      (5k 20k 80k by default)

use std::error::Error;

use crumple::methods::regularity::{Regularity, RegularityParams, Rules};
use crumple::{Bodies, Contacts, Detector, Frame, Mesh, Pairs, Positions};

fn main() -> Result<(), Box<dyn Error>> {
    let mut sizes: Vec<String> = std::env::args().skip(1).collect();
    if sizes.is_empty() {
        sizes = ["5k", "20k", "80k"].map(String::from).to_vec();
    }
    let paper = RegularityParams::as_published();
    let ways = [
        ("boxes only", RegularityParams { rules: Rules::BoxesOnly, ..paper }),
        ("as published", paper),
        ("proved, 1 a leaf", RegularityParams { rules: Rules::Proved, ..paper }),
        ("proved", RegularityParams::default()),
    ];
    println!(
        "{:12} {:18} {:>9} {:>9} {:>10} {:>10} {:>12} {:>12}",
        "scene", "rules", "triangles", "colliding", "A", "B", "A/triangle", "A/colliding"
    );
    for scene in ["sphere", "loop"] {
        for size in &sizes {
            let name = format!("{scene}-{size}");
            let scene = crumple_scenes::lazy(&name).ok_or_else(|| format!("no scene {name}"))?;
            let body = &scene.bodies[0];
            let mesh =
                Bodies::new([Mesh::from_triangles(&body.name, body.vertices, body.elements.triangles())?])?;
            let positions = body.positions(0);
            let bodies = [Positions::from(&positions)];
            let frame = Frame::new(&bodies);
            for (rules, params) in ways {
                let mut method = Regularity::new(&mesh, frame, params)?;
                let mut out = Contacts::default();
                method.contacts(&mesh, frame, Pairs::Within, &mut out);
                let mut colliding: Vec<_> = out.triangle_pairs.iter().flat_map(|p| [p.a, p.b]).collect();
                colliding.sort_unstable();
                colliding.dedup();
                let stats = method.stats();
                let triangles = mesh.triangles().len();
                let per = |n: usize| {
                    if n == 0 { "-".into() } else { format!("{:.2}", stats.calls as f64 / n as f64) }
                };
                println!(
                    "{name:12} {rules:18} {triangles:9} {:9} {:10} {:10} {:>12} {:>12}",
                    colliding.len(),
                    stats.calls,
                    stats.tests,
                    per(triangles),
                    per(colliding.len()),
                );
            }
        }
    }
    Ok(())
}
