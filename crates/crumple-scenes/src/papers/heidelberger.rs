//! Heidelberger, Teschner, Gross 2003: five models with the faces and the depth complexities of Table 2 (H25), pairs of
//! them (H21–H24), and particles on a deforming body (H26).

use crate::{
    Elements, LazyBody, LazyScene, Rng, Surface,
    bench::{inside_of, pair_of},
    shapes::{Waves, scroll, torus_knot_of, uv_sphere},
    vector::Point,
};

/// Stand-ins for the paper's models: as many faces, and as many layers along the shortest way through the whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Model {
    /// A knot of 12,000 faces.
    Knot,
    /// 50,000 faces.
    Rabbit,
    /// 109,520 faces.
    Reptile,
    /// 151,380 faces.
    Santa,
    /// 518,420 faces.
    Dragon,
}

impl Model {
    /// In the order of Table 2.
    pub const ALL: [Self; 5] = [Self::Knot, Self::Rabbit, Self::Reptile, Self::Santa, Self::Dragon];

    /// The paper's name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Knot => "Knot",
            Self::Rabbit => "Rabbit",
            Self::Reptile => "Reptile",
            Self::Santa => "Santa",
            Self::Dragon => "Dragon",
        }
    }

    /// The depth complexity of the whole model in Table 2.
    pub fn depth(self) -> u32 {
        match self {
            Self::Knot | Self::Rabbit | Self::Santa => 8,
            Self::Reptile => 12,
            Self::Dragon => 10,
        }
    }

    /// The mesh, about 2 across.
    pub fn surface(self) -> Surface {
        match self {
            Self::Knot => torus_knot_of([8, 3], 600, 10, 0.34),
            Self::Rabbit => scroll(100, 251, 2.0),
            Self::Reptile => scroll(148, 371, 3.0),
            Self::Santa => scroll(174, 436, 2.0),
            Self::Dragon => scroll(490, 530, 2.5),
        }
    }
}

/// Two models in two frames: overlapping slightly, then deeply.
pub fn pair(name: &str, a: Model, b: Model) -> LazyScene {
    pair_of(name, (a.name(), a.surface()), (b.name(), b.surface()))
}

/// One model and 100,000 random points in its box.
pub fn points(name: &str, model: Model) -> LazyScene {
    inside_of(name, model.surface())
}

/// A wobbling body of 10,000 triangles under a snowfall of 20,000 particles; those that leave at the bottom come back
/// at the top.
pub fn particles(name: &str) -> LazyScene {
    const FLAKES: usize = 20_000;
    const TOP: f64 = 2.0;
    const FALL: f64 = 4.0;
    let Surface { positions, triangles } = uv_sphere(100, 51);
    let waves = Waves::new(9, 41);
    let body = LazyBody::new("body", Elements::Triangles(triangles), positions.len(), move |frame| {
        waves.displace(&positions, 0.1 * frame as f64, 0.25)
    });
    let mut rng = Rng::new(42);
    let flakes: Vec<(Point, f64)> = (0..FLAKES)
        .map(|_| (rng.in_box([-1.5, -1.5, 0.0], [1.5, 1.5, FALL]), rng.range(0.03, 0.08)))
        .collect();
    let snow = LazyBody::new("particles", Elements::Points, FLAKES, move |frame| {
        let at = |&([x, y, z], speed): &(Point, f64)| {
            let fallen = (z + speed * frame as f64) % FALL;
            [x, y, TOP - fallen]
        };
        flakes.iter().map(at).collect()
    });
    LazyScene::new(name, 100, vec![body, snow])
}
