//! Stage 3a of the paper: sorted lists of crossings on one ray, merged into the stretches that are wanted (H15).

use super::image::layers::Layer;
use super::raster::fragments::Fragment;

/// Where a ray crosses a surface.
pub(crate) trait SpanCrossing: Copy {
    /// Whether it is lower than another.
    fn is_below(&self, other: &Self) -> bool;
    /// What the winding number gains.
    fn gain(&self) -> i32;
}

impl SpanCrossing for Layer {
    #[inline(always)]
    fn is_below(&self, other: &Self) -> bool {
        self.depth < other.depth
    }

    #[inline(always)]
    fn gain(&self) -> i32 {
        self.winding()
    }
}

impl SpanCrossing for Fragment {
    #[inline(always)]
    fn is_below(&self, other: &Self) -> bool {
        self.z < other.z
    }

    #[inline(always)]
    fn gain(&self) -> i32 {
        i32::from(self.step)
    }
}

/// The ends of a stretch: the body whose surface is crossed, and where; `None` where the stretch goes on for ever.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Stretch<C> {
    pub from: Option<(usize, C)>,
    pub to: Option<(usize, C)>,
}

impl Stretch<Layer> {
    pub fn depth(&self) -> [i32; 2] {
        let depth = |end: Option<(usize, Layer)>, open| end.map_or(open, |(_, layer)| layer.depth);
        [depth(self.from, i32::MIN), depth(self.to, i32::MAX)]
    }
}

impl Stretch<Fragment> {
    /// The depths of both ends, held within a range.
    #[inline(always)]
    pub fn clipped_to(&self, [low, high]: [f64; 2]) -> [f64; 2] {
        let (from, to) = (self.from.map_or(low, |(_, f)| f.z), self.to.map_or(high, |(_, f)| f.z));
        [from.max(low), to.min(high)]
    }
}

/// Calls `f` with each stretch of a ray where the winding numbers of the bodies are as wanted, lowest first. Below all
/// crossings they are `base`. A body that is nowhere on the ray leaves nothing to be wanted.
#[inline(always)]
pub(crate) fn merge<const N: usize, C: SpanCrossing>(
    columns: [&[C]; N],
    base: [i32; N],
    is_wanted: impl Fn([i32; N]) -> bool,
    mut f: impl FnMut(Stretch<C>),
) {
    if (0..N).any(|k| columns[k].is_empty() && base[k] == 0) {
        return;
    }
    let (mut winding, mut next) = (base, [0; N]);
    let mut is_open = is_wanted(winding);
    let mut from = None;
    loop {
        // The lowest of the next crossings; of the first body where several are equal.
        let mut first: Option<(usize, C)> = None;
        for k in 0..N {
            if let Some(crossing) = columns[k].get(next[k])
                && first.is_none_or(|(_, lowest)| crossing.is_below(&lowest))
            {
                first = Some((k, *crossing));
            }
        }
        let Some((k, crossing)) = first else { break };
        next[k] += 1;
        winding[k] += crossing.gain();
        match (is_open, is_wanted(winding)) {
            (false, true) => (from, is_open) = (first, true),
            (true, false) => {
                f(Stretch { from, to: first });
                is_open = false;
            }
            _ => {}
        }
    }
    if is_open {
        f(Stretch { from, to: None });
    }
}

/// Whether a point is inside two bodies.
#[inline(always)]
pub(crate) fn is_common([a, b]: [i32; 2]) -> bool {
    a != 0 && b != 0
}
