//! A graphics processor that draws layers.

use crumple::methods::layered_depth::image::{Layer, Layers, View};

use crate::adapter::{Adapter, Wanted};
use crate::chunk::Chunks;
use crate::device::Device;
use crate::draw::{Draw, Image, Parts};
use crate::error::GpuError;

/// A graphics processor that is ready to draw layers. It keeps its memory from one call to the next.
#[derive(Debug)]
pub struct Gpu {
    device: Device,
    draw: Draw,
}

impl Gpu {
    /// Opens an adapter and compiles the kernels, which takes a fraction of a second.
    pub fn new(wanted: &Wanted) -> Result<Self, GpuError> {
        let device = Device::open(wanted)?;
        let draw = Draw::new(&device);
        device.check()?;
        Ok(Self { device, draw })
    }

    /// The adapter.
    pub fn adapter(&self) -> &Adapter {
        &self.device.adapter
    }

    /// Uses no buffer larger than this, as on a device with less memory; at least 1 KB is taken. What does not fit is
    /// drawn in parts.
    pub fn limit_buffers(&mut self, bytes: u64) {
        self.device.limit_buffers(bytes);
    }

    /// The layers of a body: those of [`View::layers`], bit for bit.
    pub fn layers(&mut self, view: &View<'_>, body: usize) -> Result<Layers, GpuError> {
        let lattice = *view.lattice();
        let (vertices, triangles) = (view.vertices(body), view.triangles(body));
        let image = Image { resolution: lattice.resolution, shift: lattice.shift };
        let chunks = Chunks::new(vertices, triangles, self.device.largest);
        let mut parts = self.draw.draw(&self.device, image, &chunks)?;
        let mut far = Vec::new();
        for triangle in view.far(body) {
            view.cross(body, triangle, |column, layer| far.push((column, layer)));
        }
        parts.add(far);
        Ok(Layers::from_parts(lattice, parts.starts, parts.layers).expect("ends that never fall"))
    }
}

#[cfg(test)]
impl Gpu {
    /// As if the device were pulled out.
    pub(crate) fn destroy(&self) {
        self.device.raw.destroy();
    }
}

impl Parts {
    /// Puts further layers at the ends of their columns.
    fn add(&mut self, mut more: Vec<(usize, Layer)>) {
        if more.is_empty() {
            return;
        }
        more.sort_unstable();
        let mut layers = Vec::with_capacity(self.layers.len() + more.len());
        let (mut next, mut from) = (0, 0);
        for column in 0..self.starts.len() - 1 {
            let end = self.starts[column + 1] as usize;
            layers.extend_from_slice(&self.layers[from..end]);
            from = end;
            while let Some((_, layer)) = more.get(next).filter(|(c, _)| *c == column) {
                layers.push(*layer);
                next += 1;
            }
            self.starts[column + 1] = layers.len() as u32;
        }
        self.layers = layers;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn further_layers_join_their_columns() {
        let layer = |depth| Layer { depth, tag: 0 };
        let mut parts = Parts { starts: vec![0, 2, 2, 3], layers: [1, 2, 3].map(layer).to_vec() };
        parts.add(Vec::new());
        assert_eq!(parts.starts, [0, 2, 2, 3]);
        parts.add(vec![(2, layer(9)), (0, layer(7)), (1, layer(8)), (0, layer(6))]);
        assert_eq!(parts.starts, [0, 4, 5, 7]);
        assert_eq!(parts.layers, [1, 2, 6, 7, 8, 3, 9].map(layer));
    }
}
