//! One axis of a plot: which values it covers, where they lie, how they are marked.

use super::ticks::{self, Tick};

/// How values are spread along an axis.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Scale {
    /// Equal steps.
    #[default]
    Linear,
    /// Equal factors; only positive values can be shown.
    Log,
}

impl Scale {
    /// Whether a value has a place on this scale.
    pub(super) fn shows(self, value: f64) -> bool {
        value.is_finite() && (self == Self::Linear || value > 0.0)
    }
}

/// An axis laid out over pixels.
#[derive(Debug, Clone)]
pub(super) struct Axis {
    scale: Scale,
    low: f64,
    high: f64,
    from: f64,
    to: f64,
}

impl Axis {
    /// Covers all `values` that can be shown, with some air, from pixel `from` to pixel `to`.
    pub(super) fn new(scale: Scale, values: impl Iterator<Item = f64>, from: f64, to: f64) -> Self {
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        for v in values.filter(|v| scale.shows(*v)) {
            low = low.min(v);
            high = high.max(v);
        }
        if low > high {
            (low, high) = if scale == Scale::Log { (1.0, 10.0) } else { (0.0, 1.0) };
        }
        match scale {
            Scale::Linear => {
                if low >= 0.0 && low < 0.4 * high {
                    low = 0.0;
                }
                let largest = low.abs().max(high.abs());
                let air = if high * 0.5 - low * 0.5 > largest * 1e-12 {
                    (high * 0.5 - low * 0.5) * 0.08
                } else {
                    (largest * 0.05).max(1e-300)
                };
                // Air must not push a range over the end of the numbers, nor below a zero that was chosen.
                high = (high + air).min(f64::MAX);
                low = if low == 0.0 { 0.0 } else { (low - air).max(f64::MIN) };
            }
            Scale::Log => {
                let air = if high > low * 1.000_001 { (high / low).min(1e300).powf(0.04) } else { 2.0 };
                (low, high) = ((low / air).max(f64::MIN_POSITIVE), (high * air).min(f64::MAX));
            }
        }
        Self { scale, low, high, from, to }
    }

    /// The pixel of a value, or `None` where the axis does not reach or the scale has no place for it.
    pub(super) fn place(&self, value: f64) -> Option<f64> {
        if !self.scale.shows(value) {
            return None;
        }
        let t = match self.scale {
            Scale::Linear => (value * 0.5 - self.low * 0.5) / (self.high * 0.5 - self.low * 0.5),
            Scale::Log => (value.ln() - self.low.ln()) / (self.high.ln() - self.low.ln()),
        };
        (-1e-9..=1.0 + 1e-9).contains(&t).then_some(self.from + t * (self.to - self.from))
    }

    /// Where bars start: zero, or the lower end.
    pub(super) fn base(&self) -> f64 {
        self.place(0.0).unwrap_or(self.from)
    }

    /// About `count` marks with their pixels.
    pub(super) fn ticks(&self, count: usize) -> Vec<(f64, Tick)> {
        let ticks = match self.scale {
            Scale::Linear => ticks::linear(self.low, self.high, count),
            Scale::Log => ticks::logarithmic(self.low, self.high, count + 2),
        };
        ticks.into_iter().filter_map(|t| self.place(t.value).map(|p| (p, t))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_shown_value_has_a_finite_place() {
        let sets: [&[f64]; 8] = [
            &[],
            &[0.0],
            &[5.0, 5.0],
            &[-1e308, 1e308],
            &[f64::NAN, f64::INFINITY, 3.0],
            &[1e-300, 1e300],
            &[1e12, 1e12 + 1.0],
            &[-4.0, -2.0],
        ];
        for values in sets {
            for scale in [Scale::Linear, Scale::Log] {
                let axis = Axis::new(scale, values.iter().copied(), 10.0, 110.0);
                for v in values.iter().filter(|v| scale.shows(**v)) {
                    let p = axis.place(*v).unwrap_or_else(|| panic!("{v} of {values:?} has no place"));
                    assert!((10.0 - 1e-6..=110.0 + 1e-6).contains(&p), "{v} of {values:?} at {p}");
                }
                assert!(axis.ticks(5).iter().all(|(p, t)| p.is_finite() && !t.label.is_empty()));
            }
        }
    }

    #[test]
    fn values_keep_their_order() {
        let axis = Axis::new(Scale::Log, [1.0, 1000.0].into_iter(), 0.0, 300.0);
        let places: Vec<_> = [1.0, 10.0, 100.0, 1000.0].iter().map(|v| axis.place(*v).unwrap()).collect();
        for pair in places.windows(3) {
            assert!((pair[2] - pair[1] - (pair[1] - pair[0])).abs() < 1e-6);
        }
        assert_eq!(axis.place(0.0), None);
    }
}
