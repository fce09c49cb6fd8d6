//! Legends: what the colours mean.

use super::{Color, ColorMap};
use crate::report::ticks;

/// What is written beside the scene to explain its colours.
#[derive(Debug, Clone, PartialEq)]
pub enum Legend {
    /// A colour bar with its title and a few numbers below.
    Bar {
        /// The quantity and its unit.
        title: String,
        /// The colours.
        map: ColorMap,
        /// The value at the left end.
        low: f64,
        /// The value at the right end.
        high: f64,
    },
    /// Colours with their meaning.
    Keys(Vec<(Color, String)>),
}

impl Legend {
    /// A colour bar over `low..=high`.
    pub fn bar(title: impl Into<String>, map: ColorMap, low: f64, high: f64) -> Self {
        Self::Bar { title: title.into(), map, low, high }
    }

    /// A list of colours with their meaning.
    pub fn keys<S: Into<String>>(keys: impl IntoIterator<Item = (Color, S)>) -> Self {
        Self::Keys(keys.into_iter().map(|(color, text)| (color, text.into())).collect())
    }
}

/// Numbers to write under a colour bar: place from 0 to 1, and text.
pub(super) fn bar_ticks(low: f64, high: f64) -> Vec<(f64, String)> {
    let span = high * 0.5 - low * 0.5;
    if !(span > 0.0 && span.is_finite()) {
        return vec![(0.5, ticks::number(low))];
    }
    let place = |v: f64| (v * 0.5 - low * 0.5) / span;
    ticks::linear(low, high, 4).into_iter().map(|t| (place(t.value), t.label)).collect()
}
