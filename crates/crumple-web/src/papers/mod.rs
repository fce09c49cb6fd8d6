//! The papers' own rules beside the exact answers, and a figure for each paper.
//!
//! | paper | figure |
//! | --- | --- |
//! | Volino, Magnenat-Thalmann 1994 | `volino.rs`: a ramp that sinks through itself |
//! | Ganovelli, Dingliana, O'Sullivan 2000 | `ganovelli.rs`: two clouds of triangles |
//! | Teschner et al. 2003 | `teschner.rs`: twisting boxes of tets |
//! | Heidelberger, Teschner, Gross 2003 | `heidelberger.rs`: two bodies that share volume |
//! | Madera, Day, Laycock 2007 | `madera.rs`: a ring and a pawn that come close |
//!
//! `rule.rs` has the rules that list pairs, `beside.rs` all five on any bodies.

mod beside;
mod ganovelli;
mod heidelberger;
mod madera;
mod rule;
mod teschner;
mod volino;

pub use beside::{Beside, beside};
pub use rule::{Rule, compare};

use crumple::{Bodies, Drawing, Error, Mesh, Tone};

/// A figure: bodies that move with the time, and what is to be seen.
pub trait Scene {
    /// The bodies.
    fn bodies(&self) -> Vec<Mesh>;
    /// Where they are.
    fn positions(&self, time: f64) -> Vec<Vec<[f64; 3]>>;
    /// The structure with the answer, and what it says.
    fn look(&mut self, bodies: &Bodies, at: &[Vec<[f64; 3]>], published: bool) -> Result<Look, Error>;
    /// What to look at: a centre, and how large it is.
    fn view(&self) -> ([f64; 3], f64);
}

/// What there is to see, and to read.
#[derive(Debug, Default)]
pub struct Look {
    pub drawing: Drawing,
    /// A name and a value each.
    pub facts: Vec<(&'static str, String)>,
    /// Triangles that the paper's rule misses, counted over all bodies.
    pub missed: Vec<u32>,
}

/// The figure of this name.
pub fn by_name(name: &str) -> Option<Box<dyn Scene>> {
    Some(match name {
        "volino" => Box::new(volino::Ramp::new()),
        "ganovelli" => Box::new(ganovelli::Clouds::new()),
        "teschner" => Box::new(teschner::Boxes::new()),
        "heidelberger" => Box::new(heidelberger::Volumes::new()),
        "madera" => Box::new(madera::Couple::new()),
        _ => return None,
    })
}

/// A surface's mesh.
fn mesh(name: &str, surface: &crumple_scenes::Surface) -> Mesh {
    Mesh::from_triangles(name, surface.positions.len(), &surface.triangles).expect("a shape is a mesh")
}

impl Look {
    /// What a detector finds by its own structure, with the pairs that a paper's rule misses.
    fn of_rule(rule: Rule, bodies: &Bodies, at: &[Vec<[f64; 3]>], published: bool) -> Result<Self, Error> {
        let found = compare(rule, bodies, crumple::Frame::from(at))?;
        let mut drawing = found.draw(bodies, crumple::Frame::from(at), published)?;
        for t in found.hit_triangles(published) {
            drawing.triangles.push((crumple::TriangleId(t), Tone::Hit));
        }
        let facts = vec![
            ("pairs that are there, exact", found.there.to_string()),
            ("found by the paper's rule", found.found.to_string()),
            ("missed by it", found.missed.to_string()),
            ("time, exact", milliseconds(found.exact_ms)),
            ("time, paper's rule", milliseconds(found.rule_ms)),
        ];
        Ok(Self { drawing, facts, missed: if published { found.missed_triangles() } else { Vec::new() } })
    }
}

fn milliseconds(ms: f64) -> String {
    format!("{ms:.2} ms")
}
