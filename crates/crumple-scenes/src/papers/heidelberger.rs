//! Heidelberger, Teschner, Gross 2003: five models with the faces and the depth complexities of Table 2 (H25), pairs of
//! them (H21–H24), and particles on a deforming body (H26).

use crate::{
    Elements, LazyBody, LazyScene, Rng, Surface,
    bench::inside_of,
    shapes::{Waves, scroll, torus_knot_of, uv_sphere},
    vector::{Point, Rotation, add, scale},
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

/// How two models lie to each other: degrees by which each is turned about x, y and z, in this order, how large the second is
/// over its own size, and where it stands.
#[derive(Debug, Clone, Copy)]
struct Placement {
    first: Point,
    second: Point,
    size: f64,
    at: Point,
}

/// Two models, as simple and as complex an intersection.
struct Pair {
    models: [Model; 2],
    frames: [Placement; 2],
}

/// The pairs of Table 1 and of Fig. 9. Placements were searched for until rays through the volume of interest cross as many
/// layers as the paper says: 3/1 and 4/6, 7/5 and 4/2, 1/3 and 8/6, and 7/8 in both frames of the last. Of what was found, simple are those with
/// the least common volume and complex those with the most.
const PAIRS: [(&str, Pair); 4] = [
    (
        "H21",
        Pair {
            models: [Model::Knot, Model::Rabbit],
            frames: [
                Placement {
                    first: [-15.0, -45.0, -5.0],
                    second: [-15.0, 0.0, -115.0],
                    size: 1.0,
                    at: [-0.85, 0.3, -1.7],
                },
                Placement {
                    first: [-65.0, 55.0, -70.0],
                    second: [-90.0, -70.0, 60.0],
                    size: 0.5,
                    at: [0.5, 0.3, 0.75],
                },
            ],
        },
    ),
    (
        "H22",
        Pair {
            models: [Model::Rabbit, Model::Reptile],
            frames: [
                Placement {
                    first: [45.0, -55.0, 60.0],
                    second: [20.0, -10.0, 5.0],
                    size: 1.0,
                    at: [0.0, 1.35, -1.3],
                },
                Placement {
                    first: [-5.0, -65.0, 30.0],
                    second: [75.0, 85.0, 70.0],
                    size: 1.0,
                    at: [0.65, -1.55, 0.05],
                },
            ],
        },
    ),
    (
        "H23",
        Pair {
            models: [Model::Reptile, Model::Santa],
            frames: [
                Placement {
                    first: [-5.0, 125.0, -45.0],
                    second: [60.0, 65.0, 45.0],
                    size: 0.4,
                    at: [0.0, 0.35, 1.3],
                },
                Placement {
                    first: [-35.0, 65.0, -15.0],
                    second: [-65.0, -70.0, 90.0],
                    size: 1.0,
                    at: [-1.1, 0.1, -0.05],
                },
            ],
        },
    ),
    (
        "H24",
        Pair {
            models: [Model::Knot, Model::Dragon],
            frames: [
                Placement {
                    first: [50.0, 40.0, 95.0],
                    second: [-40.0, -80.0, 5.0],
                    size: 0.5,
                    at: [-0.55, -0.55, -0.8],
                },
                Placement {
                    first: [30.0, 60.0, 5.0],
                    second: [70.0, -75.0, -55.0],
                    size: 0.5,
                    at: [-0.55, -0.65, -0.6],
                },
            ],
        },
    ),
];

fn turned(degrees: Point) -> Rotation {
    let about = |axis: Point, angle: f64| Rotation::about(axis, angle.to_radians());
    let [x, y, z] = degrees;
    about([0.0, 0.0, 1.0], z).after(&about([0.0, 1.0, 0.0], y).after(&about([1.0, 0.0, 0.0], x)))
}

/// A pair of Table 1 or of Fig. 9 in two frames: a simple intersection, then a complex one.
pub fn pair(name: &str) -> LazyScene {
    let (_, pair) = PAIRS.iter().find(|(id, _)| *id == name).expect("one of the pairs");
    let [a, b] = pair.models;
    let frames = pair.frames.map(|p| (turned(p.first), turned(p.second), p.size, p.at));
    let first = LazyBody::moving(a.name(), a.surface(), move |p, frame| frames[frame.min(1)].0.apply(p));
    let second = LazyBody::moving(b.name(), b.surface(), move |p, frame| {
        let (_, turned, size, at) = &frames[frame.min(1)];
        add(scale(turned.apply(p), *size), *at)
    });
    LazyScene::new(name, 2, vec![first, second])
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
