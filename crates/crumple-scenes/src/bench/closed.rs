//! Closed surfaces of 12k to 520k triangles: in pairs, and with points.

use crate::{
    LazyBody, LazyScene, Surface,
    shapes::{blob, point_cloud, torus_knot},
    vector::{Rotation, add, bounds, dot, scale, unit},
};

/// The five models, by size.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClosedModel {
    /// Trefoil tube, 12,000 triangles.
    Knot12k,
    /// Blob of 50,000 triangles.
    Blob50k,
    /// Blob of 109,520 triangles.
    Blob110k,
    /// Blob of 151,380 triangles.
    Blob150k,
    /// Blob of 518,420 triangles.
    Blob520k,
}

impl ClosedModel {
    /// The name of a body that is this model.
    pub fn name(self) -> &'static str {
        match self {
            Self::Knot12k => "knot12k",
            Self::Blob50k => "blob50k",
            Self::Blob110k => "blob110k",
            Self::Blob150k => "blob150k",
            Self::Blob520k => "blob520k",
        }
    }

    /// The mesh; `variant` chooses among blobs of the same size.
    pub fn surface(self, variant: u64) -> Surface {
        let (n, seed) = match self {
            Self::Knot12k => return torus_knot(200, 30, 0.42),
            Self::Blob50k => (50, 11),
            Self::Blob110k => (74, 12),
            Self::Blob150k => (87, 13),
            Self::Blob520k => (161, 14),
        };
        blob(n, seed + 100 * variant, 0.0)
    }
}

/// Two models in two frames: side by side and overlapping by 0.30, then with centres that nearly coincide.
pub fn pair(name: &str, a: ClosedModel, b: ClosedModel) -> LazyScene {
    pair_of(name, (a.name(), a.surface(0)), (b.name(), b.surface(1)))
}

/// The same with any two surfaces and their names.
pub fn pair_of(name: &str, (a, first): (&str, Surface), (b, second): (&str, Surface)) -> LazyScene {
    let turned = Rotation::about([1.0, 2.0, 3.0], 0.7);
    let d = unit([1.0, 0.05, -0.03]);
    let far = first.positions.iter().map(|&p| dot(p, d)).fold(f64::NEG_INFINITY, f64::max);
    let near = second.positions.iter().map(|&p| dot(turned.apply(p), d)).fold(f64::INFINITY, f64::min);
    let shift = scale(d, far - near - 0.30);
    let deep = Rotation::about([3.0, -1.0, 2.0], 0.9).after(&turned);
    let second = LazyBody::moving(b, second, move |p, frame| match frame {
        0 => add(turned.apply(p), shift),
        _ => add(deep.apply(p), [0.21, -0.13, 0.17]),
    });
    LazyScene::new(name, 2, vec![LazyBody::still(a, first), second])
}

/// One model and 100,000 random points in its box.
pub fn inside(name: &str, model: ClosedModel) -> LazyScene {
    inside_of(name, model.surface(0))
}

/// The same with any surface.
pub fn inside_of(name: &str, surface: Surface) -> LazyScene {
    let (lo, hi) = bounds(&surface.positions);
    let points = LazyBody::still_points("points", point_cloud(100_000, lo, hi, 5));
    LazyScene::new(name, 1, vec![LazyBody::still("surface", surface), points])
}
