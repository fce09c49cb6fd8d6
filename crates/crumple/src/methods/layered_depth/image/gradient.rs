//! How the common volume changes when vertices move: the force that pushes two bodies apart.
//!
//! Seen along one axis, the volume of the spans is a sum of depths, and the depth of a layer is the mean of its
//! triangle's corners by their weights at the ray. So the derivative along that axis is read off the ends of the spans:
//! an end where the span leaves the common volume adds the area of a pixel to the corners by their weights, an end where
//! it enters takes as much away. Three views, one along each axis, give the three components; a face that one view sees
//! edge-on has no component there. Each span adds as much as it takes away, so the sums over both bodies cancel.

use super::super::merge::{is_common, merge};
use super::super::{Resolution, Volumes};
use super::layers::Layers;
use super::view::View;
use crate::{BodyId, Error, Guarantee};

/// The derivative of the common volume by the positions of the vertices.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Gradient {
    /// The volume of the spans seen along x, y and z: three estimates, whose spread tells what sampling does.
    pub sampled: [f64; 3],
    /// For each body and each of its vertices, how fast the volume grows as the vertex moves. To push the bodies
    /// apart, go the other way.
    pub bodies: [Vec<[f64; 3]>; 2],
    /// Rays of each body that were left out because entries and exits do not balance; only an open mesh has any.
    pub unbalanced_rays: [usize; 2],
    /// What it is worth: the exact derivative of a sampled volume.
    pub guarantee: Guarantee,
}

impl Gradient {
    /// How fast the volume grows as a body moves as a whole. Those of the two bodies cancel.
    pub fn total(&self, body: usize) -> [f64; 3] {
        let add = |s: [f64; 3], g: &[f64; 3]| [s[0] + g[0], s[1] + g[1], s[2] + g[2]];
        self.bodies[body].iter().fold([0.0; 3], add)
    }
}

impl Volumes<'_> {
    /// The gradient of the common volume, from three views.
    pub fn gradient(&mut self, bodies: [BodyId; 2], resolution: Resolution) -> Result<Gradient, Error> {
        resolution.check()?;
        self.admit_both(bodies)?;
        let zero = |id: BodyId| vec![[0.0; 3]; self.bodies.meshes()[id.index()].vertex_count()];
        let mut gradient = Gradient {
            sampled: [0.0; 3],
            bodies: bodies.map(zero),
            unbalanced_rays: [0; 2],
            guarantee: Guarantee::Sampled,
        };
        for axis in 0..3 {
            let Some(mut view) = self.view_along(bodies, axis, resolution)? else { break };
            let layers = [view.layers(0), view.layers(1)];
            gradient.add(&view, &layers, axis);
        }
        Ok(gradient)
    }
}

impl Gradient {
    /// Adds what is seen along one axis.
    fn add(&mut self, view: &View<'_>, layers: &[Layers; 2], axis: usize) {
        let lattice = view.lattice();
        let unit = lattice.unit();
        let side = f64::from(1u32 << lattice.shift);
        let area = side * side * unit[0] * unit[1];
        for column in 0..lattice.columns() {
            let lists = [layers[0].column(column), layers[1].column(column)];
            let balance = lists.map(|l| l.iter().map(|l| l.winding()).sum::<i32>());
            if balance != [0, 0] {
                for k in 0..2 {
                    self.unbalanced_rays[k] += usize::from(balance[k] != 0);
                }
                continue;
            }
            let pixel = layers[0].pixel(column);
            merge(lists, [0; 2], is_common, |stretch| {
                let [from, to] = stretch.depth();
                let Some((begin, end)) = stretch.from.zip(stretch.to).filter(|_| from < to) else { return };
                self.sampled[axis] += f64::from(to - from) * area * unit[2];
                for ((body, layer), sign) in [(begin, -1.0), (end, 1.0)] {
                    let weights = view.weights(body, layer.triangle(), pixel);
                    let corners = view.triangles(body)[layer.triangle().index()];
                    for (vertex, weight) in corners.iter().zip(weights) {
                        self.bodies[body][vertex.index()][axis] += sign * weight * area;
                    }
                }
            });
        }
    }
}
