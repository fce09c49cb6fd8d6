//! How large the cells are: measured on a sample of the tets, in every frame.

use super::Snapshot;
use super::bundles::{Bundle, extent};
use super::lattice::{Lattice, UNIT_BITS};
use crate::geometry::simd::WIDTH;

/// Cells of the fast way are this much longer than the mean extent of a bundle. On tets-B to E anything from 0.7 to 1.5
/// is within 7 % of the best: fewer rows against more vertices in each.
const CELL_PER_EXTENT: f64 = 1.1;
/// From one level to the next cells are this many powers of two larger.
const LEVEL_BITS: u32 = 2;
/// Levels span at most this many steps: coarser tets walk the last one, or are tested in full.
const MAX_STEPS: i32 = 7;
/// A level is built for at least this many tets: sorting V vertices costs as much as about 100 tets that scan them all.
const FEW_TETS: usize = 64;
/// The mean extent is taken as it was while the measured one is within this factor of it, so that cells do not change their size
/// with every breath of a body (T-A9): 1.25 stays within the 7 % of [`CELL_PER_EXTENT`].
const HYSTERESIS: f64 = 1.25;
/// Bundles that are looked at.
const SAMPLE: usize = 128;

/// Cell sizes for one frame.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Sizing {
    /// What positions are rounded to.
    pub lattice: Lattice,
    /// Edge length of a cell, as a power of two of units, and the longest extent that it is meant for; ascending.
    pub levels: Vec<LevelSize>,
    /// The mean extent that cells were last chosen for; 0 before that.
    mean: f64,
    /// Extents seen in the sample: scratch.
    octaves: Vec<Octave>,
}

/// One size of cells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct LevelSize {
    /// A cell is 2^bits units long.
    pub bits: u32,
    /// Bundles up to this extent, in units, belong here.
    pub longest: u32,
}

/// Bundles of the sample whose extents have one binary exponent.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Octave {
    exponent: i32,
    count: usize,
    sum: f64,
}

impl Sizing {
    /// Measures the frame; returns the mean extent of bundles over that of their tets.
    pub fn measure(&mut self, view: &Snapshot<'_>, bundles: &[Bundle], cell_size: Option<f64>) -> f64 {
        self.octaves.clear();
        let mut middle = Middle::default();
        let (mut wide, mut single) = (0.0, 0.0);
        let picks = sample(bundles.len());
        for (n, pick) in picks.clone().enumerate() {
            let corners = bundles[pick].positions(view);
            let all = extent(&corners);
            self.count(all);
            wide += all;
            single += extent(&[corners[0], corners[WIDTH], corners[2 * WIDTH], corners[3 * WIDTH]]);
            middle.add(n, picks.len(), corners[0]);
        }
        if bundles.is_empty() {
            // Surfaces only.
            let picks = sample(view.bodies.triangles().len());
            for (n, pick) in picks.clone().enumerate() {
                let corners = view.triangle(pick);
                self.count(extent(&corners));
                middle.add(n, picks.len(), corners[0]);
            }
        }
        self.octaves.sort_unstable_by_key(|o| o.exponent);
        self.choose(middle.point(), bundles.len(), cell_size);
        if single > 0.0 { wide / single } else { 1.0 }
    }

    /// Chooses the lattice and the levels for what was counted.
    fn choose(&mut self, origin: [f64; 3], bundles: usize, cell_size: Option<f64>) {
        let (found, measured) = self.main_extent();
        if !(found <= HYSTERESIS * self.mean && self.mean <= HYSTERESIS * found) {
            self.mean = found;
        }
        let mean = self.mean;
        let cell = cell_size.unwrap_or(CELL_PER_EXTENT * mean);
        let by_size = cell_size.is_none() && measured;
        let share = WIDTH * bundles.div_ceil(sample(bundles).len().max(1));
        let steps = if by_size { self.steps(mean, share) } else { 1 };
        let first = steps.trailing_zeros() as i32 - MAX_STEPS * i32::from(by_size);
        self.lattice = Lattice::new(origin, cell * step_factor(first));
        self.levels.clear();
        for step in (0..32).filter(|s| steps >> s & 1 == 1) {
            let bits = UNIT_BITS + LEVEL_BITS * (step - steps.trailing_zeros()).min(MAX_STEPS as u32);
            self.levels
                .push(LevelSize { bits, longest: (2.0 / CELL_PER_EXTENT * f64::from(1u32 << bits)) as u32 });
        }
        self.levels.dedup();
    }

    fn count(&mut self, extent: f64) {
        if !(extent > 0.0 && extent.is_finite()) {
            return;
        }
        let exponent = (extent.to_bits() >> 52) as i32;
        match self.octaves.iter_mut().find(|o| o.exponent == exponent) {
            Some(o) => {
                o.count += 1;
                o.sum += extent;
            }
            None => self.octaves.push(Octave { exponent, count: 1, sum: extent }),
        }
    }

    /// The mean extent in the two neighbouring octaves that hold most tets; 1 and `false` when every tet is a point.
    fn main_extent(&self) -> (f64, bool) {
        let window = |o: &Octave| {
            let two =
                self.octaves.iter().filter(move |p| p.exponent == o.exponent || p.exponent == o.exponent + 1);
            two.fold((0, 0.0), |(n, sum), p| (n + p.count, sum + p.sum))
        };
        let best = self.octaves.iter().map(window).max_by_key(|w| w.0);
        best.map_or((1.0, false), |(n, sum)| (sum / n as f64, true))
    }

    /// Which levels are worth building: bit s stands for cells 4^(s − MAX_STEPS) times those of the mean extent.
    fn steps(&self, mean: f64, share: usize) -> u32 {
        let mut count = [0usize; 2 * MAX_STEPS as usize + 1];
        for o in &self.octaves {
            let step = ((o.sum / o.count as f64 / mean).log2() / f64::from(LEVEL_BITS)).round() as i32;
            count[(step.clamp(-MAX_STEPS, MAX_STEPS) + MAX_STEPS) as usize] += o.count * share;
        }
        let busy = (0..count.len()).filter(|&s| count[s] >= FEW_TETS).fold(0, |m, s| m | 1 << s);
        if busy == 0 { 1 << MAX_STEPS } else { busy }
    }
}

fn step_factor(step: i32) -> f64 {
    f64::from(1u32 << LEVEL_BITS).powi(step)
}

/// Numbers spread evenly over all, with a jitter so that meshes made of a repeated pattern show all of it.
fn sample(all: usize) -> impl ExactSizeIterator<Item = usize> + Clone {
    // A sixteenth of a small mesh is enough.
    let picks = SAMPLE.min(all.div_ceil(16).max(16)).min(all);
    (0..picks as u32).map(move |n| {
        let (from, to) = (n as usize * all / picks, (n as usize + 1) * all / picks);
        from + n.wrapping_mul(0x9E37_79B1).rotate_left(16) as usize % (to - from)
    })
}

/// The middle of a sample: the median of nine points in each coordinate, so that one stray body does not move it.
#[derive(Default)]
struct Middle([[f64; 3]; 9]);

impl Middle {
    /// Takes point `n` of `count`.
    fn add(&mut self, n: usize, count: usize, p: [f64; 3]) {
        // Fewer than nine points take several places each.
        let all = self.0.len();
        self.0[n * all / count..((n + 1) * all).div_ceil(count)].fill(p);
    }

    fn point(mut self) -> [f64; 3] {
        std::array::from_fn(|k| {
            self.0.sort_unstable_by(|a, b| a[k].total_cmp(&b[k]));
            self.0[4][k]
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_keep_their_size_while_extents_change_little() {
        let mut sizing = Sizing::default();
        let mut unit = |extent: f64| {
            sizing.octaves.clear();
            (0..64).for_each(|_| sizing.count(extent));
            sizing.choose([0.0; 3], 64, None);
            sizing.lattice.unit()
        };
        let first = unit(1.0);
        assert!([1.1, 0.9, 1.24, 0.81, 1.0].iter().all(|&extent| unit(extent) == first));
        let wider = unit(1.3);
        assert!((wider / first - 1.3).abs() < 1e-12);
        assert_eq!(unit(1.05), wider, "and back only when it is as far off again");
        assert!((unit(1.0) / first - 1.0).abs() < 1e-12);
    }
}
