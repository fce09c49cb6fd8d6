//! Stage 3a: the stretches of rays inside both bodies (H15).

use super::super::lattice::Lattice;
use super::layers::{BadLayers, Layer, Layers};

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
            merge([self.column(c)], |[w]| w != 0, &mut |ends| f(ends.depth()))
        })
    }

    /// The stretches of rays inside both bodies.
    pub fn common(&self, other: &Self) -> Result<Spans, BadLayers> {
        if self.lattice() != other.lattice() {
            return Err(BadLayers::Lattices);
        }
        let column = |c: usize| [self.column(c), other.column(c)];
        Ok(Spans::collect(*self.lattice(), |c, f| merge(column(c), is_common, &mut |ends| f(ends.depth()))))
    }

    /// Where front and back faces come in an invalid order (H31): the stretches of rays whose winding number is
    /// neither 0 nor that of a sound body, 1, or −1 where the body as a whole is inside out. There the body overlaps
    /// itself or is turned over.
    pub fn misordered(&self) -> Spans {
        let sign = self.sign();
        Spans::collect(*self.lattice(), |c, f| {
            merge([self.column(c)], |[w]| w != 0 && w != sign, &mut |ends| f(ends.depth()));
        })
    }

    /// 1, or −1 for a body that is inside out: the sign of the winding number's integral over all rays.
    pub fn sign(&self) -> i32 {
        let integral: i64 = self.as_slice().iter().map(|l| -i64::from(l.step()) * i64::from(l.depth)).sum();
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

/// Whether a point is inside two bodies.
#[inline(always)]
pub(crate) fn is_common([a, b]: [i32; 2]) -> bool {
    a != 0 && b != 0
}

/// The ends of a stretch: the body whose surface is crossed, and the layer; `None` where the stretch goes on for ever.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Ends {
    pub from: (usize, Layer),
    pub to: Option<(usize, Layer)>,
}

impl Ends {
    pub fn depth(&self) -> [i32; 2] {
        [self.from.1.depth, self.to.map_or(i32::MAX, |(_, layer)| layer.depth)]
    }
}

/// Calls `f` with each stretch of a ray where the winding numbers of the bodies are as wanted, lowest first.
pub(crate) fn merge<const N: usize>(
    columns: [&[Layer]; N],
    is_wanted: impl Fn([i32; N]) -> bool,
    f: &mut dyn FnMut(Ends),
) {
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
        match from {
            None if is_wanted(winding) => from = Some((k, layer)),
            Some(start) if !is_wanted(winding) => {
                f(Ends { from: start, to: Some((k, layer)) });
                from = None;
            }
            _ => {}
        }
    }
    if let Some(from) = from {
        f(Ends { from, to: None });
    }
}
