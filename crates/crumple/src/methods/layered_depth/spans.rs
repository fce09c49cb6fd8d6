//! Stage 3a: the stretches of rays inside both bodies (H15).

use super::lattice::Lattice;
use super::layer::{BadLayers, Layer, Layers};

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
        Spans::collect(*self.lattice(), |c, f| merge([self.column(c)], f))
    }

    /// The stretches of rays inside both bodies.
    pub fn common(&self, other: &Self) -> Result<Spans, BadLayers> {
        if self.lattice() != other.lattice() {
            return Err(BadLayers::Lattices);
        }
        Ok(Spans::collect(*self.lattice(), |c, f| merge([self.column(c), other.column(c)], f)))
    }
}

impl Spans {
    pub(super) fn collect(lattice: Lattice, mut column: impl FnMut(usize, &mut dyn FnMut([i32; 2]))) -> Self {
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
        self.length() as f64 * (1u64 << (2 * self.lattice.shift)) as f64 * self.lattice.unit_volume()
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

    /// The ends of each stretch in space.
    pub fn segments(&self) -> impl Iterator<Item = [[f64; 3]; 2]> + '_ {
        self.list.iter().map(|span| {
            let [x, y] = self.lattice.centre(span.pixel).map(f64::from);
            span.depth.map(|z| self.lattice.world([x, y, f64::from(z)]))
        })
    }
}

/// Calls `f` with each stretch of a ray where the winding numbers of all bodies differ from zero, lowest first. What is
/// not left again goes on to the end.
fn merge<const N: usize>(columns: [&[Layer]; N], f: &mut dyn FnMut([i32; 2])) {
    if columns.iter().any(|c| c.is_empty()) {
        return;
    }
    let (mut winding, mut next) = ([0; N], [0; N]);
    let mut from = None;
    loop {
        // The lowest of the next layers; of the first body where several are equal.
        let mut first: Option<(usize, Layer)> = None;
        for k in 0..N {
            if let Some(&layer) = columns[k].get(next[k])
                && first.is_none_or(|(_, lowest)| layer.depth < lowest.depth)
            {
                first = Some((k, layer));
            }
        }
        let Some((k, layer)) = first else { break };
        next[k] += 1;
        winding[k] += layer.step();
        let is_common = winding.iter().all(|&w| w != 0);
        match from {
            None if is_common => from = Some(layer.depth),
            Some(start) if !is_common => {
                f([start, layer.depth]);
                from = None;
            }
            _ => {}
        }
    }
    if let Some(start) = from {
        f([start, i32::MAX]);
    }
}
