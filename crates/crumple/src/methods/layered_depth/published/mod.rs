//! The paper to the letter: opposite views, one rendering per layer, entries and exits by turns.
//!
//! Each body is seen from its own outside face (H3); the two faces are opposite (H-A9). The first pass stores the first
//! fragment of each pixel and counts them all; pass n stores the n-th (H8, H9), up to the last (H-A1). Then each pixel
//! sorts its first n_p depths (H10) and takes them by turns as entry and exit; an entry without an exit lasts to the far
//! plane (H-A8). Orientation is not looked at, so that a body that overlaps itself comes out wrong (H-A16).

use super::image::spans::Spans;
use super::image::view::View;
use super::lattice::Lattice;
use super::voi::{self, Near, Voi};
use super::volume::overlap::Overlap;
use super::{Error, LayeredDepth};
use crate::{Bodies, BodyId, Frame, Guarantee, Positions};

/// A layered depth image as the paper makes it.
#[derive(Debug, Clone, PartialEq)]
pub struct PublishedImage {
    lattice: Lattice,
    /// Where the rays start.
    near: Near,
    /// Fragments of each pixel (the stencil buffer).
    counts: Vec<u32>,
    /// Depth from the near face, layer after layer, in the order of rendering; sorted within each pixel.
    layers: Vec<Vec<i32>>,
}

impl PublishedImage {
    /// Renders a body once per layer.
    fn render(view: &View<'_>, body: usize, near: Near) -> Self {
        let lattice = *view.lattice();
        let far = lattice.size[2];
        let depth = |z: i32| if near == Near::Min { z } else { far - z };
        let mut counts = vec![0u32; lattice.columns()];
        let pass = |n: u32, counts: &mut [u32]| {
            counts.fill(0);
            let mut buffer = vec![far; lattice.columns()];
            for (column, layer) in view.crossings(body) {
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
        let mut image = Self { lattice, near, counts, layers };
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

    /// Most layers of one pixel (n_max in the paper).
    pub fn depth_complexity(&self) -> u32 {
        self.counts.iter().copied().max().unwrap_or(0)
    }

    /// The map of depth complexities: the layers of each pixel (n_p in the paper), row after row.
    pub fn counts(&self) -> &[u32] {
        &self.counts
    }

    /// Stretches inside the body, in lattice depth, lowest first.
    fn intervals(&self, column: usize) -> impl Iterator<Item = [i32; 2]> + '_ {
        let far = self.lattice.size[2];
        let count = self.counts[column] as usize;
        let pairs = count.div_ceil(2);
        (0..pairs).map(move |k| {
            let k = if self.near == Near::Min { k } else { pairs - 1 - k };
            let from = self.layers[2 * k][column];
            let to = if 2 * k + 1 < count { self.layers[2 * k + 1][column] } else { far };
            if self.near == Near::Min { [from, to] } else { [far - to, far - from] }
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

impl LayeredDepth {
    /// The images of two bodies and the volume of interest as the paper has them; `None` where the boxes have no
    /// common volume.
    pub fn published_images(
        &mut self,
        bodies: &Bodies,
        frame: Frame<'_>,
        a: BodyId,
        b: BodyId,
    ) -> Result<Option<(Voi, [PublishedImage; 2])>, Error> {
        let Some(view) = self.see(bodies, frame, &[a, b], voi::as_published)? else { return Ok(None) };
        let voi = *view.voi();
        Ok(Some((voi, [0, 1].map(|k| PublishedImage::render(&view, k, voi.near[k])))))
    }

    /// The image of one body over its box, as the paper has it; `None` where the box has no volume.
    pub fn published_image(
        &mut self,
        bodies: &Bodies,
        frame: Frame<'_>,
        body: BodyId,
    ) -> Result<Option<PublishedImage>, Error> {
        let view = self.see(bodies, frame, &[body], voi::as_published)?;
        Ok(view.map(|view| PublishedImage::render(&view, 0, view.voi().near[0])))
    }

    /// [`overlap`](Self::overlap) as published: the sum of the spans, without a bound but the volume of interest.
    pub(crate) fn overlap_as_published(
        &mut self,
        bodies: &Bodies,
        frame: Frame<'_>,
        a: BodyId,
        b: BodyId,
    ) -> Result<Overlap, Error> {
        let none = Overlap { guarantee: Guarantee::AsPublished, ..Overlap::default() };
        let Some((voi, images)) = self.published_images(bodies, frame, a, b)? else { return Ok(none) };
        let [a, b] = &images;
        let spans = Spans::collect(a.lattice, |c, f| {
            let mut others = b.intervals(c).peekable();
            for mine in a.intervals(c) {
                while let Some(other) = others.peek() {
                    f([mine[0].max(other[0]), mine[1].min(other[1])]);
                    if other[1] > mine[1] {
                        break;
                    }
                    others.next();
                }
            }
        });
        let size = voi.bounds.size();
        let count = |image: &PublishedImage| image.counts.iter().map(|&n| n as usize).sum();
        Ok(Overlap {
            volume: spans.volume(),
            upper: (size[0] * size[1] * size[2]).next_up(),
            sampled: spans.volume(),
            resolution: a.lattice.resolution,
            axis: voi.axis,
            depth_complexity: [a.depth_complexity(), b.depth_complexity()],
            layers: [count(a), count(b)],
            spans: spans.len(),
            centroid: spans.centroid(),
            bounds: spans.bounds(),
            ..none
        })
    }

    /// [`inside`](Self::inside) as published: the nearest ray decides.
    pub(crate) fn inside_as_published(
        &mut self,
        bodies: &Bodies,
        frame: Frame<'_>,
        body: BodyId,
        points: Positions<'_>,
    ) -> Result<Vec<bool>, Error> {
        super::points::check(points)?;
        let image = self.published_image(bodies, frame, body)?;
        let inside = |i: usize| image.as_ref().is_some_and(|image| image.contains(&points.get(i)));
        Ok((0..points.len()).map(inside).collect())
    }
}
