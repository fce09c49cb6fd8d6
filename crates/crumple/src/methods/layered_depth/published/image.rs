//! A layered depth image with one rendering per layer (H8 to H10).

use super::super::image::view::View;
use super::super::lattice::Lattice;
use super::NearPlane;

/// A layered depth image as the paper makes it.
#[derive(Debug, Clone, PartialEq)]
pub struct PublishedImage {
    pub(crate) lattice: Lattice,
    /// Where the rays start.
    near: NearPlane,
    /// Fragments of each pixel (the stencil buffer).
    counts: Vec<u32>,
    /// Depth from the near face, layer after layer, in the order of rendering; sorted within each pixel.
    layers: Vec<Vec<i32>>,
    /// Fragments of all renderings, those that the near and the far plane clip included.
    drawn: u64,
}

impl PublishedImage {
    /// Renders a body once per layer.
    pub(crate) fn render(view: &View<'_>, body: usize, near: NearPlane) -> Self {
        let lattice = *view.lattice();
        let far = lattice.size[2];
        let depth = |z: i32| if near == NearPlane::Min { z } else { far - z };
        let mut counts = vec![0u32; lattice.columns()];
        let mut drawn = 0;
        let mut pass = |n: u32, counts: &mut [u32]| {
            counts.fill(0);
            let mut buffer = vec![far; lattice.columns()];
            for (column, layer) in view.crossings(body) {
                drawn += 1;
                let column = column as usize;
                // What lies before the near plane or beyond the far plane is clipped.
                if (0..=far).contains(&layer.depth) {
                    counts[column] += 1;
                    if counts[column] <= n {
                        buffer[column] = depth(layer.depth);
                    }
                }
            }
            buffer
        };
        let mut layers = vec![pass(1, &mut counts)];
        let most = counts.iter().copied().max().unwrap_or(0);
        for n in 2..=most {
            layers.push(pass(n, &mut counts));
        }
        let mut image = Self { lattice, near, counts, layers, drawn };
        image.sort();
        image
    }

    /// Sorts the first n_p depths of each pixel.
    fn sort(&mut self) {
        let mut depths = Vec::new();
        for column in 0..self.counts.len() {
            let count = self.counts[column] as usize;
            depths.clear();
            depths.extend(self.layers[..count].iter().map(|layer| layer[column]));
            depths.sort_unstable();
            depths.iter().zip(&mut self.layers).for_each(|(&d, layer)| layer[column] = d);
        }
    }

    /// How often the body was rendered: the depth complexity n_max, and once where there is nothing.
    pub fn passes(&self) -> usize {
        self.layers.len()
    }

    /// Fragments of all renderings, those that the near and the far plane clip included: what rendering in software pays for.
    pub fn drawn(&self) -> u64 {
        self.drawn
    }

    /// Most layers of one pixel (n_max in the paper).
    pub fn depth_complexity(&self) -> u32 {
        self.counts.iter().copied().max().unwrap_or(0)
    }

    /// Layers of all pixels.
    pub(crate) fn count(&self) -> usize {
        self.counts.iter().map(|&n| n as usize).sum()
    }

    /// The map of depth complexities: the layers of each pixel (n_p in the paper), row after row.
    pub fn counts(&self) -> &[u32] {
        &self.counts
    }

    /// Stretches inside the body, in lattice depth, lowest first.
    pub(crate) fn intervals(&self, column: usize) -> impl Iterator<Item = [i32; 2]> + '_ {
        let far = self.lattice.size[2];
        let count = self.counts[column] as usize;
        let pairs = count.div_ceil(2);
        (0..pairs).map(move |k| {
            let k = if self.near == NearPlane::Min { k } else { pairs - 1 - k };
            let from = self.layers[2 * k][column];
            let to = if 2 * k + 1 < count { self.layers[2 * k + 1][column] } else { far };
            if self.near == NearPlane::Min { [from, to] } else { [far - to, far - from] }
        })
    }

    /// Whether the nearest ray is inside the body at a point's depth (H16); wrong near the surface (H-A13).
    pub fn contains(&self, point: &[f64; 3]) -> bool {
        let at = self.lattice.snap(point);
        if (0..3).any(|k| at[k] < 0 || at[k] > self.lattice.size[k]) {
            return false;
        }
        let pixel =
            [0, 1].map(|k| (at[k] >> self.lattice.shift).min(self.lattice.resolution[k] as i32 - 1) as u32);
        self.intervals(self.lattice.column(pixel)).any(|[from, to]| from <= at[2] && at[2] <= to)
    }
}
