//! `Figure`: a paper's figure, alive.

use crumple::{Bodies, Mesh};
use wasm_bindgen::prelude::*;

use crate::buffers::Buffers;
use crate::drawing::Drawing;
use crate::papers::{self, Look};
use crate::told;

/// Bodies that move with the time, the structure that answers about them, and the paper's own rule.
#[wasm_bindgen]
pub struct Figure {
    scene: Box<dyn papers::Scene>,
    meshes: Vec<Mesh>,
    bodies: Bodies,
    buffers: Buffers,
    look: Look,
}

#[wasm_bindgen]
impl Figure {
    /// The figure of a paper: `volino`, `ganovelli`, `teschner`, `heidelberger`, `madera`.
    #[wasm_bindgen(constructor)]
    pub fn new(name: &str) -> Result<Self, JsError> {
        let scene = papers::by_name(name).ok_or_else(|| told(format!("there is no figure {name:?}")))?;
        let meshes = scene.bodies();
        let bodies = Bodies::new(meshes.iter().cloned()).map_err(told)?;
        Ok(Self { scene, meshes, bodies, buffers: Buffers::default(), look: Look::default() })
    }

    /// Goes to a time (seconds), and looks with the exact method or by the paper's rule.
    pub fn at(&mut self, time: f64, published: bool) -> Result<(), JsError> {
        if !time.is_finite() {
            return Err(told(format!("time: {time} is not finite")));
        }
        let at = self.scene.positions(time);
        self.buffers.lay_out(&self.meshes.iter().collect::<Vec<_>>());
        self.buffers.place(at.iter().map(Vec::as_slice));
        self.look = self.scene.look(&self.bodies, &at, published).map_err(told)?;
        Ok(())
    }

    /// What to look at: a centre, and how large it is.
    #[wasm_bindgen(getter)]
    pub fn view(&self) -> Vec<f64> {
        let (centre, size) = self.scene.view();
        centre.into_iter().chain([size]).collect()
    }

    /// What it says, a line each: a name, a tab, a value.
    #[wasm_bindgen(getter)]
    pub fn facts(&self) -> String {
        let lines: Vec<String> =
            self.look.facts.iter().map(|(name, value)| format!("{name}\t{value}")).collect();
        lines.join("\n")
    }

    /// The structure.
    pub fn drawing(&self) -> Drawing {
        Drawing::new(&self.look.drawing, &self.buffers)
    }

    /// Triangles of pairs that the paper's rule misses, counted over all bodies.
    #[wasm_bindgen(getter)]
    pub fn missed(&self) -> Vec<u32> {
        self.look.missed.clone()
    }

    /// Where the arrays for drawing lie, and how long they are: positions, normals (`f32`), triangles, ranges (`u32`).
    #[wasm_bindgen(js_name = buffersAt)]
    pub fn buffers_at(&self) -> Vec<usize> {
        self.buffers.places()
    }
}
