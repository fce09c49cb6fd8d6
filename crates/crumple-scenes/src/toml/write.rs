//! A scene written out in full, so that a failure found by chance can be kept.

use std::fmt::Write as _;

use crate::{Elements, Expect, Scene};

/// The scene as a file that [`parse`](super::parse) reads back to the same bits: every mesh and every frame in numbers.
pub fn write(scene: &Scene) -> String {
    let mut out = String::new();
    // Writing to a String cannot fail.
    let _ = writeln!(out, "name = {:?}\nframes = {}", scene.name, scene.frames());
    for body in &scene.bodies {
        let _ = writeln!(out, "\n[[body]]\nname = {:?}\n[body.shape]\nkind = \"mesh\"", body.name);
        let still = body.frames.windows(2).all(|w| w[0] == w[1]);
        match &body.frames[..] {
            [first, ..] if still => rows(&mut out, "vertices", first),
            frames => {
                out.push_str("frames = [\n");
                for positions in frames {
                    let _ = writeln!(out, "  {},", positions_text(positions));
                }
                out.push_str("]\n");
            }
        }
        match &body.elements {
            Elements::Triangles(t) => rows(&mut out, "triangles", t),
            Elements::Tets(t) => rows(&mut out, "tets", t),
            Elements::Points => {}
        }
    }
    expectations(&mut out, &scene.expect);
    out
}

fn rows(out: &mut String, key: &str, rows: &[impl std::fmt::Debug]) {
    let _ = writeln!(out, "{key} = [");
    for row in rows {
        let _ = writeln!(out, "  {row:?},");
    }
    out.push_str("]\n");
}

/// `Debug` prints the shortest digits that read back to the same number, always with a point or an exponent.
fn positions_text(positions: &[[f64; 3]]) -> String {
    format!("{positions:?}")
}

fn expectations(out: &mut String, e: &Expect) {
    if e.is_empty() {
        return;
    }
    out.push_str("\n[expect]\n");
    let counts = [
        ("self", e.self_pairs),
        ("neighbours", e.neighbour_pairs),
        ("pairs", e.pairs),
        ("tets", e.tets),
        ("inside", e.inside),
    ];
    for (key, count) in counts {
        if let Some(n) = count {
            let _ = writeln!(out, "{key} = {n}");
        }
    }
    if let Some(d) = e.distance {
        let _ = writeln!(out, "distance = {d:?}");
    }
}
