//! Stage 3a: the stretches of rays inside both bodies (H15).

use super::super::lattice::Lattice;
use super::super::merge::{is_common, merge};
use super::layers::{BadLayers, Layers};

/// A stretch of a ray inside all bodies asked about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Span {
    /// The pixel.
    pub pixel: [u32; 2],
    /// From and to, in lattice units within the volume of interest.
    pub depth: [i32; 2],
}

/// The intersection volume as the paper has it: stretches of rays, each the axis of a box as wide as a pixel.
#[derive(Debug, Clone, PartialEq)]
pub struct Spans {
    lattice: Lattice,
    /// By row, pixel and depth; stretches of one pixel do not touch.
    list: Vec<Span>,
}

impl Layers {
    /// The stretches of rays inside this body: where the winding number is not zero.
    pub fn spans(&self) -> Spans {
        Spans::collect(*self.lattice(), |c, f| {
            merge([self.column(c)], [0], |[w]| w != 0, |stretch| f(stretch.depth()))
        })
    }

    /// The stretches of rays inside both bodies.
    pub fn common(&self, other: &Self) -> Result<Spans, BadLayers> {
        if self.lattice() != other.lattice() {
            return Err(BadLayers::Lattices);
        }
        let column = |c: usize| [self.column(c), other.column(c)];
        Ok(Spans::collect(*self.lattice(), |c, f| {
            merge(column(c), [0; 2], is_common, |stretch| f(stretch.depth()))
        }))
    }

    /// Where front and back faces come in an invalid order (H31): the stretches of rays whose winding number is
    /// neither 0 nor that of a sound body, 1, or −1 where the body as a whole is inside out. There the body overlaps
    /// itself or is turned over.
    pub fn misordered(&self) -> Spans {
        let sign = self.sign();
        Spans::collect(*self.lattice(), |c, f| {
            merge([self.column(c)], [0], |[w]| w != 0 && w != sign, |stretch| f(stretch.depth()));
        })
    }

    /// 1, or −1 for a body that is inside out: the sign of the winding number's integral over all rays.
    pub fn sign(&self) -> i32 {
        let integral: i64 =
            self.as_slice().iter().map(|l| -i64::from(l.winding()) * i64::from(l.depth)).sum();
        if integral < 0 { -1 } else { 1 }
    }
}

impl Spans {
    pub(crate) fn collect(lattice: Lattice, mut column: impl FnMut(usize, &mut dyn FnMut([i32; 2]))) -> Self {
        let mut list: Vec<Span> = Vec::new();
        for y in 0..lattice.resolution[1] {
            for x in 0..lattice.resolution[0] {
                let pixel = [x, y];
                column(lattice.column(pixel), &mut |[from, to]| {
                    let depth = [from.max(0), to.min(lattice.size[2])];
                    if depth[0] >= depth[1] {
                        return;
                    }
                    match list.last_mut() {
                        // A body that ends where it begins again does not end.
                        Some(last) if last.pixel == pixel && last.depth[1] >= depth[0] => {
                            last.depth[1] = depth[1];
                        }
                        _ => list.push(Span { pixel, depth }),
                    }
                });
            }
        }
        Self { lattice, list }
    }

    /// The lattice of the image.
    pub fn lattice(&self) -> &Lattice {
        &self.lattice
    }

    /// By row, pixel and depth.
    pub fn as_slice(&self) -> &[Span] {
        &self.list
    }

    /// Whether no ray meets the volume. It may be there all the same, between the rays (H33).
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Number of stretches.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// The sum of the stretches times the area of a pixel: an estimate without a bound.
    pub fn volume(&self) -> f64 {
        self.lattice.volume(self.length() as f64 * (1u64 << (2 * self.lattice.shift)) as f64)
    }

    fn length(&self) -> i64 {
        self.list.iter().map(|s| i64::from(s.depth[1] - s.depth[0])).sum()
    }

    /// The middle of all stretches; `None` where there are none.
    pub fn centroid(&self) -> Option<[f64; 3]> {
        let length = self.length() as f64;
        let mut moment = [0.0; 3];
        for span in &self.list {
            let [from, to] = span.depth.map(f64::from);
            let [x, y] = self.lattice.centre(span.pixel).map(f64::from);
            for (sum, at) in moment.iter_mut().zip([x, y, 0.5 * (from + to)]) {
                *sum += (to - from) * at;
            }
        }
        (length > 0.0).then(|| self.lattice.world(moment.map(|m| m / length)))
    }

    /// The box of the stretches, each as wide as its pixel; `None` where there are none.
    pub fn bounds(&self) -> Option<[[f64; 3]; 2]> {
        let shift = self.lattice.shift;
        let (mut low, mut high) = ([i32::MAX; 3], [i32::MIN; 3]);
        for Span { pixel: [x, y], depth } in &self.list {
            let from = [(x << shift) as i32, (y << shift) as i32, depth[0]];
            let to = [((x + 1) << shift) as i32, ((y + 1) << shift) as i32, depth[1]];
            for k in 0..3 {
                (low[k], high[k]) = (low[k].min(from[k]), high[k].max(to[k]));
            }
        }
        (!self.is_empty()).then(|| [low, high].map(|p| self.lattice.world(p.map(f64::from))))
    }

    /// The ends of each stretch in space.
    pub fn segments(&self) -> impl Iterator<Item = [[f64; 3]; 2]> + '_ {
        self.list.iter().map(|span| {
            let [x, y] = self.lattice.centre(span.pixel).map(f64::from);
            span.depth.map(|z| self.lattice.world([x, y, f64::from(z)]))
        })
    }
}
