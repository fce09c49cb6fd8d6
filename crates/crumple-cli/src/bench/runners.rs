//! One runner per question: how a method is driven through frames and what it counts.

use anyhow::{Result, bail};
use crumple::methods::distance_hierarchy::{DistanceHierarchy, DistanceParams};
use crumple::methods::layered_depth::{LayeredDepth, LayeredDepthParams};
use crumple::{BodyId, Contacts, Detector, Frame, Guarantee, Mesh, Pairs, Positions, TrianglePair};

use super::scene::BenchScene;
use super::{Answer, Number};
use crate::args::{BenchArgs, Question};
use crate::methods;

/// A method at work on a scene, asked one question frame after frame.
pub trait Runner {
    /// The method's name.
    fn method(&self) -> &'static str;
    /// What its answers are worth.
    fn guarantee(&self) -> Guarantee;
    /// Follows the frame.
    fn update(&mut self, frame: Frame<'_>) -> Result<()>;
    /// Answers.
    fn query(&mut self, frame: Frame<'_>) -> Result<Answer>;
}

/// The runner for a question.
pub fn new<'s>(args: &BenchArgs, question: Question, scene: &'s BenchScene) -> Result<Box<dyn Runner + 's>> {
    let mesh = &scene.mesh;
    if args.body.is_some_and(|k| k >= mesh.bodies().len()) {
        bail!("{}: there is no body {}; it has {}", scene.name, args.body.unwrap_or(0), mesh.bodies().len());
    }
    if args.body.is_some() && question != Question::Within {
        bail!("--body goes with --question self");
    }
    if (args.within.is_some() || args.cold) && question != Question::Distance {
        bail!("--within and --cold go with --question distance");
    }
    if args.within.is_some_and(|eps| eps.is_nan() || eps < 0.0) {
        bail!("--within wants a distance that is not negative");
    }
    let slices = scene.slices(0);
    let frame = Frame::new(&slices);
    Ok(match question {
        Question::Within => Box::new(SelfPairs::new(args, mesh, frame)?),
        Question::Pairs => {
            let detector = methods::surfaces(args.method, mesh, frame)?;
            Box::new(BodyPairs { mesh, detector, out: Contacts::default() })
        }
        Question::Tets => {
            let detector = methods::solids(args.method, methods::Tets::Vertices)?;
            Box::new(Tets { mesh, detector, out: Contacts::default() })
        }
        Question::Inside => Box::new(Inside::new(scene)?),
        Question::Overlap => Box::new(Overlap::new(scene)?),
        Question::Distance => Box::new(Distances {
            mesh,
            hierarchy: DistanceHierarchy::new(
                mesh,
                frame,
                DistanceParams { warm_start: !args.cold, ..DistanceParams::default() },
            )?,
            within: args.within,
        }),
    })
}

/// Intersecting pairs within bodies.
struct SelfPairs {
    mesh: Mesh,
    only: Option<usize>,
    detector: Box<dyn Detector>,
    out: Contacts,
}

impl SelfPairs {
    fn new(args: &BenchArgs, mesh: &Mesh, frame: Frame<'_>) -> Result<Self> {
        let (mesh, slices) = match args.body {
            Some(k) => (Mesh::new([mesh.bodies()[k].clone()])?, vec![frame.bodies()[k]]),
            None => (mesh.clone(), frame.bodies().to_vec()),
        };
        let detector = methods::surfaces(args.method, &mesh, Frame::new(&slices))?;
        Ok(Self { mesh, only: args.body, detector, out: Contacts::default() })
    }

    fn with_frame<T>(&mut self, frame: Frame<'_>, work: impl FnOnce(&mut Self, Frame<'_>) -> T) -> T {
        match self.only {
            Some(k) => work(self, Frame::new(&[frame.bodies()[k]])),
            None => work(self, frame),
        }
    }
}

impl Runner for SelfPairs {
    fn method(&self) -> &'static str {
        self.detector.name()
    }

    fn guarantee(&self) -> Guarantee {
        self.detector.guarantee()
    }

    fn update(&mut self, frame: Frame<'_>) -> Result<()> {
        Ok(self.with_frame(frame, |s, f| s.detector.update(&s.mesh, f))?)
    }

    fn query(&mut self, frame: Frame<'_>) -> Result<Answer> {
        self.with_frame(frame, |s, f| s.detector.contacts(&s.mesh, f, Pairs::Within, &mut s.out));
        let share = |p: &&TrianglePair| {
            let [a, b] = [p.a, p.b].map(|t| self.mesh.triangles()[t.index()]);
            a.iter().any(|v| b.contains(v))
        };
        let neighbours = self.out.triangle_pairs.iter().filter(share).count() as u64;
        let results = Number::Count(self.out.triangle_pairs.len() as u64 - neighbours);
        Ok(Answer { results, neighbours, bounds: None })
    }
}

/// Intersecting pairs between bodies.
struct BodyPairs<'s> {
    mesh: &'s Mesh,
    detector: Box<dyn Detector>,
    out: Contacts,
}

impl Runner for BodyPairs<'_> {
    fn method(&self) -> &'static str {
        self.detector.name()
    }

    fn guarantee(&self) -> Guarantee {
        self.detector.guarantee()
    }

    fn update(&mut self, frame: Frame<'_>) -> Result<()> {
        Ok(self.detector.update(self.mesh, frame)?)
    }

    fn query(&mut self, frame: Frame<'_>) -> Result<Answer> {
        self.detector.contacts(self.mesh, frame, Pairs::Between, &mut self.out);
        Ok(Answer::count(self.out.triangle_pairs.len()))
    }
}

/// Vertices inside tets.
struct Tets<'s> {
    mesh: &'s Mesh,
    detector: Box<dyn Detector>,
    out: Contacts,
}

impl Runner for Tets<'_> {
    fn method(&self) -> &'static str {
        self.detector.name()
    }

    fn guarantee(&self) -> Guarantee {
        self.detector.guarantee()
    }

    fn update(&mut self, frame: Frame<'_>) -> Result<()> {
        Ok(self.detector.update(self.mesh, frame)?)
    }

    fn query(&mut self, frame: Frame<'_>) -> Result<Answer> {
        self.detector.contacts(self.mesh, frame, Pairs::All, &mut self.out);
        Ok(Answer::count(self.out.vertex_tets.len()))
    }
}

/// Points of the points body inside the surface.
struct Inside<'s> {
    mesh: &'s Mesh,
    surface: BodyId,
    points: BodyId,
    layers: LayeredDepth,
}

impl<'s> Inside<'s> {
    fn new(scene: &'s BenchScene) -> Result<Self> {
        let mesh = &scene.mesh;
        let find =
            |points: bool| mesh.body_ids().find(|&b| mesh.body(b).triangle_list().is_empty() == points);
        let layers = LayeredDepth::new(LayeredDepthParams::default())?;
        match (find(false), find(true)) {
            (Some(surface), Some(points)) => Ok(Self { mesh, surface, points, layers }),
            _ => bail!("{}: question inside needs a surface and a points body", scene.name),
        }
    }
}

impl Runner for Inside<'_> {
    fn method(&self) -> &'static str {
        "layered-depth"
    }

    fn guarantee(&self) -> Guarantee {
        Guarantee::Proved
    }

    fn update(&mut self, _: Frame<'_>) -> Result<()> {
        Ok(())
    }

    fn query(&mut self, frame: Frame<'_>) -> Result<Answer> {
        let points: Positions<'_> = frame.bodies()[self.points.index()];
        let inside = self.layers.inside(self.mesh, frame, self.surface, points)?;
        Ok(Answer::count(inside.iter().filter(|i| **i).count()))
    }
}

/// The volume common to the two bodies, with bounds, at 128 x 128.
struct Overlap<'s> {
    mesh: &'s Mesh,
    layers: LayeredDepth,
}

impl<'s> Overlap<'s> {
    fn new(scene: &'s BenchScene) -> Result<Self> {
        if scene.mesh.bodies().len() != 2 {
            bail!("{}: question overlap needs two bodies, it has {}", scene.name, scene.mesh.bodies().len());
        }
        Ok(Self { mesh: &scene.mesh, layers: LayeredDepth::new(LayeredDepthParams::default())? })
    }
}

impl Runner for Overlap<'_> {
    fn method(&self) -> &'static str {
        "layered-depth"
    }

    fn guarantee(&self) -> Guarantee {
        Guarantee::Sampled
    }

    fn update(&mut self, _: Frame<'_>) -> Result<()> {
        Ok(())
    }

    fn query(&mut self, frame: Frame<'_>) -> Result<Answer> {
        let found = self.layers.overlap(self.mesh, frame, BodyId(0), BodyId(1))?;
        Ok(Answer {
            results: Number::Amount(found.volume),
            neighbours: 0,
            bounds: Some([found.lower, found.upper]),
        })
    }
}

/// The sum of the distances of all pairs of bodies, or the number of pairs of vertices within a margin.
struct Distances<'s> {
    mesh: &'s Mesh,
    hierarchy: DistanceHierarchy,
    within: Option<f64>,
}

impl Runner for Distances<'_> {
    fn method(&self) -> &'static str {
        "distance-hierarchy"
    }

    fn guarantee(&self) -> Guarantee {
        Guarantee::Proved
    }

    fn update(&mut self, frame: Frame<'_>) -> Result<()> {
        Ok(self.hierarchy.update(self.mesh, frame)?)
    }

    fn query(&mut self, _: Frame<'_>) -> Result<Answer> {
        if let Some(margin) = self.within {
            let count = self.hierarchy.count_all_vertices_within(margin);
            return Ok(Answer { results: Number::Count(count), neighbours: 0, bounds: None });
        }
        let sum = self.hierarchy.all_pairs().iter().map(|p| p.distance.distance).sum();
        Ok(Answer { results: Number::Amount(sum), neighbours: 0, bounds: None })
    }
}
