//! The invariants of the method's page, checked on what was drawn.

use super::layers::Layers;
use super::spans::Spans;
use super::view::View;
use crate::{Broken, TriangleId};

fn broken(invariant: &'static str, what: String) -> Broken {
    Broken { method: "layered-depth", invariant, what }
}

impl View<'_> {
    /// Checks I1 to I3: that these are the layers of a body of this view. A surface with holes breaks I3.
    pub fn validate(&self, body: usize, layers: &Layers) -> Result<(), Broken> {
        if layers.lattice() != self.lattice() {
            return Err(broken("I1", "the layers are of another lattice".to_owned()));
        }
        let mut expected = vec![Vec::new(); self.lattice().columns()];
        for t in 0..self.triangles(body).len() as u32 {
            self.cross(body, TriangleId(t), |column, layer| expected[column].push(layer));
        }
        for (column, expected) in expected.iter_mut().enumerate() {
            let [x, y] = layers.pixel(column);
            let found = layers.column(column);
            if !found.is_sorted_by(|a, b| a < b) {
                return Err(broken("I2", format!("the layers of pixel ({x}, {y}) are not in order")));
            }
            expected.sort_unstable();
            if found != expected {
                let (n, m) = (found.len(), expected.len());
                return Err(broken(
                    "I1",
                    format!("pixel ({x}, {y}) has {n} layers, its ray crosses {m} triangles, or others"),
                ));
            }
            let balance: i32 = found.iter().map(|l| l.winding()).sum();
            if balance != 0 {
                return Err(broken(
                    "I3",
                    format!("the ray of pixel ({x}, {y}) enters {balance} times more often than it leaves"),
                ));
            }
        }
        Ok(())
    }
}

impl Spans {
    /// Checks I4 against the layers of the bodies.
    pub fn validate(&self, bodies: &[&Layers]) -> Result<(), Broken> {
        let size = self.lattice().size[2];
        let order = |s: &super::Span| (s.pixel[1], s.pixel[0], s.depth[0]);
        for (k, span) in self.as_slice().iter().enumerate() {
            let [x, y] = span.pixel;
            let fault = |what: &str| Err(broken("I4", format!("a span of pixel ({x}, {y}) {what}")));
            if span.depth[0] >= span.depth[1] || span.depth[0] < 0 || span.depth[1] > size {
                return fault("is empty or leaves the volume of interest");
            }
            if let Some(next) = self.as_slice().get(k + 1)
                && (order(span) >= order(next)
                    || (span.pixel == next.pixel && span.depth[1] >= next.depth[0]))
            {
                return fault("is not before the next one");
            }
            if bodies.iter().any(|layers| layers.winding(span.pixel, span.depth[0]) == 0) {
                return fault("begins outside a body");
            }
        }
        Ok(())
    }
}
