//! Boxes in the user's space, and the map from there to unit space.

use std::collections::BTreeMap;

use glam::{IVec3, Vec3};

/// The map from the user's space to unit space.
#[derive(Debug, Clone, Copy)]
pub(super) struct Unit {
    center: [f64; 3],
    half: f64,
}

impl Unit {
    pub(super) fn of(bounds: Bounds) -> Self {
        let half = (0..3).map(|k| bounds.high[k] * 0.5 - bounds.low[k] * 0.5).fold(0.0, f64::max);
        let center = std::array::from_fn(|k| bounds.high[k] * 0.5 + bounds.low[k] * 0.5);
        Self { center, half: if half > 0.0 { half } else { 1.0 } }
    }

    pub(super) fn to(self, p: [f64; 3]) -> Vec3 {
        Vec3::from(std::array::from_fn(|k| {
            let plain = (p[k] - self.center[k]) / self.half;
            // A scene as large as the numbers themselves: halve before subtracting.
            let u = if plain.is_finite() {
                plain
            } else {
                (p[k] * 0.5 - self.center[k] * 0.5) / (self.half * 0.5)
            };
            // Far outside the focus; keeps `f32` finite. Nothing this far off lands on the screen.
            u.clamp(-1e9, 1e9) as f32
        }))
    }
}

/// A box that grows.
#[derive(Debug, Clone, Copy)]
pub(super) struct Bounds {
    pub(super) low: [f64; 3],
    pub(super) high: [f64; 3],
}

impl Bounds {
    pub(super) const EMPTY: Self = Self { low: [f64::INFINITY; 3], high: [f64::NEG_INFINITY; 3] };

    pub(super) fn add(&mut self, p: [f64; 3]) {
        self.low = std::array::from_fn(|k| self.low[k].min(p[k]));
        self.high = std::array::from_fn(|k| self.high[k].max(p[k]));
    }

    pub(super) fn is_empty(&self) -> bool {
        self.low[0] > self.high[0]
    }

    /// Grown on all sides by `share` of its largest half side, which counts as at least `least` of `whole`'s.
    pub(super) fn widened(self, share: f64, least: f64, whole: Bounds) -> Self {
        let own = Unit::of(self).half * share;
        let more = own.max(Unit::of(whole).half * least);
        Self { low: self.low.map(|x| x - more), high: self.high.map(|x| x + more) }
    }

    /// The common part with another box, or this box when there is none.
    pub(super) fn within(self, other: Bounds) -> Self {
        let low: [f64; 3] = std::array::from_fn(|k| self.low[k].max(other.low[k]));
        let high: [f64; 3] = std::array::from_fn(|k| self.high[k].min(other.high[k]));
        if (0..3).all(|k| low[k] <= high[k]) { Self { low, high } } else { self }
    }

    /// The corners in the order of their bits, x first.
    pub(super) fn corners(self) -> [[f64; 3]; 8] {
        std::array::from_fn(|c| {
            std::array::from_fn(|k| if c >> k & 1 == 0 { self.low[k] } else { self.high[k] })
        })
    }
}

/// The box of the points in the most crowded part of `whole`: three cells of fourteen along each axis.
pub(super) fn most_crowded(points: &[[f64; 3]], whole: Bounds) -> Bounds {
    const CELLS: f32 = 14.0;
    let unit = Unit::of(whole);
    let cell = |p: [f64; 3]| (unit.to(p) * (0.5 * CELLS)).floor().as_ivec3();
    let mut counts = BTreeMap::new();
    for p in points {
        *counts.entry(cell(*p).to_array()).or_insert(0_usize) += 1;
    }
    let around = |c: IVec3| -> usize {
        let near = (0..27).map(|i| c + IVec3::new(i % 3 - 1, i / 3 % 3 - 1, i / 9 - 1));
        near.filter_map(|n| counts.get(&n.to_array())).sum()
    };
    // The first of the largest, so that the choice is always the same.
    let mut best = (0, IVec3::ZERO);
    for c in counts.keys().map(|c| IVec3::from_array(*c)) {
        let count = around(c);
        if count > best.0 {
            best = (count, c);
        }
    }
    let mut bounds = Bounds::EMPTY;
    points.iter().filter(|p| (cell(**p) - best.1).abs().max_element() <= 1).for_each(|p| bounds.add(*p));
    bounds
}
