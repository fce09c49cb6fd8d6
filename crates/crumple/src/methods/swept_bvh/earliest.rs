//! The earliest impact: a bound of its time while the search runs, and its choice at the end.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::geometry::Point;
use crate::narrow::continuous::{ImpactTime, edge_edge, vertex_triangle};
use crate::{Features, Impact, TriangleId, VertexId};

/// Room for what two reports of one contact may differ by: 2^-40 each, see [`choose`].
const SLACK: f64 = 1.0 / (1u64 << 38) as f64;

/// Up to which time impacts matter; shared by all threads.
#[derive(Debug)]
pub(crate) struct Horizon {
    /// The bits of the earliest time known by which something has hit; only if the earliest is wanted. Bits of numbers that
    /// are not negative are in their order.
    earliest: Option<AtomicU64>,
}

impl Horizon {
    /// All impacts matter.
    pub fn all() -> Self {
        Self { earliest: None }
    }

    /// Only the earliest one does.
    pub fn first() -> Self {
        Self { earliest: Some(AtomicU64::new(1f64.to_bits())) }
    }

    /// Impacts after this time do not matter; at least 2^-38, at most 1.
    #[inline]
    pub fn until(&self) -> f64 {
        let earliest =
            self.earliest.as_ref().map_or(1.0, |bits| f64::from_bits(bits.load(Ordering::Relaxed)));
        (earliest + SLACK).min(1.0)
    }

    /// The same, rounded up: the factor is more than the two roundings.
    #[inline]
    pub fn until_f32(&self) -> f32 {
        ((self.until() * (1.0 + 1e-6)) as f32).min(1.0)
    }

    /// Something has hit.
    #[inline]
    pub fn lower(&self, time: ImpactTime) {
        if let Some(bits) = &self.earliest {
            bits.fetch_min(time.by.to_bits(), Ordering::Relaxed);
        }
    }
}

/// The earliest of the impacts found under a horizon, on any number of threads the same.
///
/// `time` gives the time of a pair anew, without a horizon. Let A and B be the least `after` and the least `by` of all pairs of the
/// step. The earliest contact lies in [A, B], which is at most 2^-40 wide as every interval is. Pairs with `after` ≤ B may be the
/// first; the least of them by features is told, with [A, B].
///
/// All of these have been found. The horizon never falls below B − 2^-40 + 2^-38: it is a `by` of some pair, so that pair
/// hits before it, and its interval without a horizon ends within 2^-40 of that contact. A pair with `after` ≤ B hits by
/// B + 2^-40, which is before the horizon.
pub(crate) fn choose(
    found: &[Impact],
    horizon: &Horizon,
    time: impl Fn(Features) -> Option<ImpactTime>,
) -> Option<Impact> {
    let until = horizon.until();
    let found: Vec<Impact> = (found.iter().filter(|i| i.time.after <= until))
        .filter_map(|i| Some(Impact { features: i.features, time: time(i.features)? }))
        .collect();
    let after = found.iter().map(|i| i.time.after).fold(f64::INFINITY, f64::min);
    let by = found.iter().map(|i| i.time.by).fold(f64::INFINITY, f64::min);
    let first = found.iter().filter(|i| i.time.after <= by).map(|i| i.features).min()?;
    Some(Impact { features: first, time: ImpactTime { after, by } })
}

/// When two features first touch, without a horizon.
pub(crate) fn time_of(
    features: Features,
    corners: impl Fn(TriangleId) -> [VertexId; 3],
    [start, end]: [&[Point]; 2],
) -> Option<ImpactTime> {
    let (ask, vertices): (fn(&_, &_, f64) -> _, _) = match features {
        Features::VertexTriangle(v, t) => {
            let [t0, t1, t2] = corners(t);
            (vertex_triangle, [v, t0, t1, t2])
        }
        Features::EdgeEdge([v0, v1], [w0, w1]) => (edge_edge, [v0, v1, w0, w1]),
    };
    ask(&vertices.map(|v| start[v.index()]), &vertices.map(|v| end[v.index()]), 1.0)
}
