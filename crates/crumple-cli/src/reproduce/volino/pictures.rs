//! Hierarchies, tested regions, stored vertices and directions, drawn (V10, V22 to V24).

use std::collections::BTreeSet;

use anyhow::Result;
use crumple::methods::regularity::published::Rules;
use crumple::{BodyId, Detector, Drawing, Frame, Pairs, Tone};
use crumple_io::picture::{Color, ColorMap, Image, Legend, Lines, Picture, Points, Surface, View, palette};
use crumple_scenes::shapes::icosphere;
use crumple_scenes::vector::{dot, scale, unit};
use crumple_scenes::{Elements, LazyBody, LazyScene, Rng};

use super::{found, published};
use crate::output::thousands;
use crate::reproduce::finding::Finding;
use crate::reproduce::lab::{Pose, Stage, spread};
use crate::reproduce::scenery::{HALF, canvas, surface};
use crate::reproduce::sheet::{Sheet, digits, row};

/// The regions of a drawing: one class per triangle, `u32::MAX` where none is.
struct Painted {
    classes: Vec<Vec<u32>>,
    regions: usize,
}

impl Painted {
    fn new(stage: &Stage, drawing: &Drawing) -> Self {
        let count = |b: usize| stage.mesh.meshes()[b].triangles().len();
        let mut classes: Vec<Vec<u32>> =
            (0..stage.mesh.meshes().len()).map(|b| vec![u32::MAX; count(b)]).collect();
        let mut regions = BTreeSet::new();
        for (triangle, tone) in &drawing.triangles {
            if let Tone::Group(group) = tone {
                let (body, local) = stage.mesh.locate_triangle(*triangle);
                classes[body.index()][local.index()] = *group;
                regions.insert((body, *group));
            }
        }
        Self { classes, regions: regions.len() }
    }

    fn onto<'a>(&'a self, mut picture: Picture<'a>, stage: &'a Stage, pose: &'a Pose) -> Picture<'a> {
        for (b, classes) in self.classes.iter().enumerate() {
            picture = picture.surface(surface(stage, pose, b).classes(classes));
        }
        picture
    }
}

/// V22: levels of the hierarchy of a cloth.
pub fn levels() -> Result<Finding> {
    let stage = Stage::named("V22")?;
    let pose = stage.pose(2);
    let slices = pose.slices();
    let detector = published(&stage, &pose, Rules::AsPublished)?;
    let shape = detector.shape(BodyId(0))?;
    let deepest = shape.levels;
    let mut sheet = Sheet::new(["level", "regions", "triangles per region"]);
    let triangles = stage.mesh.triangles().len();
    let mut counts = Vec::new();
    let mut images = Vec::new();
    for level in 2..=7_usize {
        let mut drawing = Drawing::default();
        detector.draw_level(&stage.mesh, Frame::new(&slices), level, &mut drawing);
        let painted = Painted::new(&stage, &drawing);
        counts.push(painted.regions as f64);
        row!(sheet, level, painted.regions, triangles as f64 / painted.regions as f64);
        images.push((painted.onto(canvas(HALF), &stage, &pose).render(), painted.regions, level));
    }
    let ratios: Vec<f64> = counts.windows(2).map(|w| w[1] / w[0]).collect();
    let log = (triangles as f64).ln() / 3_f64.ln();
    let how = format!(
        "a cloth of {} triangles, merged by three as in the paper; the root is level 0.",
        thousands(triangles)
    );
    let finding = Finding::new(how, sheet)
        .check(
            ratios.iter().all(|r| (2.0..=4.5).contains(r)),
            format!(
                "each level has {} to {} × the regions of the one above (2 to 4.5)",
                digits(ratios.iter().copied().fold(f64::INFINITY, f64::min)),
                digits(ratios.iter().copied().fold(0.0, f64::max))
            ),
        )
        .check(
            (2.5..=3.0).contains(&shape.mean_children),
            format!("a region has {} children on average (3 are asked for)", digits(shape.mean_children)),
        )
        .check(
            (deepest as f64) <= 2.0 * log,
            format!("{deepest} levels in all, at most twice the logarithm, {}", digits(log)),
        );
    Ok(images.into_iter().fold(finding, |f, (image, n, level)| {
        f.picture(image, format!("Fig. 3, level {level}: {n} regions."))
    }))
}

/// The regions that a query looks at.
fn tested(stage: &Stage, pose: &Pose, pairs: Pairs) -> Result<Painted> {
    let slices = pose.slices();
    let mut detector = published(stage, pose, Rules::AsPublished)?;
    found(stage, pose, &mut detector, pairs)?;
    let mut drawing = Drawing::default();
    detector.update(&stage.mesh, Frame::new(&slices))?.draw(&mut drawing);
    Ok(Painted::new(stage, &drawing))
}

/// V23: which regions are looked at.
pub fn why_tested() -> Result<Finding> {
    let mut sheet =
        Sheet::new(["surface", "triangles", "question", "regions looked at", "share of triangles"]);
    let mut finding = Vec::new();
    let (mut sphere, mut self_share) = (Vec::new(), 1.0);
    for (what, name, frame, pairs) in [
        ("sphere", "sphere-5k", 0, Pairs::Within),
        ("sphere", "sphere-80k", 0, Pairs::Within),
        ("crossing sheet", "loop-5k", 2, Pairs::Within),
        ("crossing sheet", "loop-80k", 2, Pairs::Within),
        ("cloth and body", "V20", 10, Pairs::Within),
        ("cloth and body", "V20", 10, Pairs::Between),
    ] {
        let stage = Stage::named(name)?;
        let pose = stage.pose(frame);
        let painted = tested(&stage, &pose, pairs)?;
        let triangles = stage.mesh.triangles().len();
        let question = if pairs == Pairs::Within { "itself" } else { "the other" };
        let share = painted.regions as f64 / triangles as f64;
        row!(sheet, what, triangles, question, painted.regions, crate::reproduce::sheet::Value::Share(share));
        if what == "sphere" {
            sphere.push(painted.regions as f64);
        }
        if what == "cloth and body" && pairs == Pairs::Within {
            self_share = share;
        }
        let figure = match (what, pairs) {
            ("sphere", _) => "Fig. 8",
            ("crossing sheet", _) => "Fig. 9",
            _ => "Fig. 10",
        };
        let caption = format!(
            "{figure}: {what} of {triangles} triangles against {question}, {} regions looked at.",
            painted.regions
        );
        finding.push((painted.onto(canvas(HALF), &stage, &pose).render(), caption));
    }
    let growth = spread(&sphere);
    let how = "the smallest regions that the published search looks at, each in its own colour; where it goes down to \
               single triangles, something collides or nearly does.";
    let result = Finding::new(how, sheet)
        .check(
            growth <= 2.0,
            format!(
                "16 times the triangles of the sphere, {} × the regions looked at (allowed: 2)",
                digits(growth)
            ),
        )
        .check(
            self_share <= 0.5,
            format!(
                "for the cloth and body against themselves {} % as many regions as triangles (at most half)",
                digits(100.0 * self_share)
            ),
        );
    Ok(finding.into_iter().fold(result, |f, (image, caption)| f.picture(image, caption)))
}

/// V10: how many vertices are stored round a contour.
pub fn stored() -> Result<Finding> {
    let mut sheet = Sheet::new(["surface", "regions", "stored vertices, mean", "longest", "without any"]);
    let (mut means, mut empty) = (Vec::new(), 0);
    for (what, name) in [
        ("sphere", "sphere-20k"),
        ("crossing sheet", "loop-20k"),
        ("cloth", "V22"),
        ("crumpled", "crumple-20k"),
    ] {
        let stage = Stage::named(name)?;
        let pose = stage.pose(0);
        let detector = published(&stage, &pose, Rules::AsPublished)?;
        let Some(stats) = detector.adjacency(BodyId(0))? else { continue };
        let mean = stats.entries as f64 / stats.regions.max(1) as f64;
        means.push(mean);
        // The whole of an open surface has a contour and no neighbour.
        let is_open = !stage.mesh.meshes()[0].topology().boundary_loops().is_empty();
        empty += stats.empty.saturating_sub(usize::from(is_open));
        row!(sheet, what, stats.regions, mean, stats.longest, stats.empty);
    }
    let most = means.iter().copied().fold(0.0, f64::max);
    let how = "the published hierarchy; a vertex is stored where the region across the contour changes.";
    Ok(Finding::new(how, sheet)
        .check(
            !means.is_empty() && most <= 6.0,
            format!("{} entries on average at most (claimed: hardly more than 6)", digits(most)),
        )
        .check(empty == 0, format!("{empty} regions with neighbours store nothing (claimed: none)")))
}

/// The twelve corners of an icosahedron.
fn icosahedron() -> Vec<[f64; 3]> {
    let g = 0.5 * (1.0 + 5_f64.sqrt());
    let mut out = Vec::new();
    for a in [-1.0, 1.0] {
        for b in [-g, g] {
            out.extend([[0.0, a, b], [a, b, 0.0], [b, 0.0, a]].map(unit));
        }
    }
    out
}

/// The corners and the face centres of an icosahedron.
fn with_faces() -> Vec<[f64; 3]> {
    let corners = icosahedron();
    let near = |a: usize, b: usize| dot(corners[a], corners[b]) > 0.4;
    let mut out = corners.clone();
    for a in 0..12 {
        for b in a + 1..12 {
            for c in b + 1..12 {
                if near(a, b) && near(b, c) && near(a, c) {
                    let sum = std::array::from_fn(|k| corners[a][k] + corners[b][k] + corners[c][k]);
                    out.push(unit(sum));
                }
            }
        }
    }
    out
}

/// The largest angle between any direction and the nearest sampled one, in degrees, by trying many.
fn covering(directions: &[[f64; 3]]) -> f64 {
    let mut rng = Rng::new(5);
    let nearest = |d: [f64; 3]| directions.iter().map(|s| dot(*s, d)).fold(-1.0, f64::max);
    let worst = (0..40_000).map(|_| nearest(rng.direction())).fold(1.0, f64::min);
    worst.acos().to_degrees()
}

/// A cap of a sphere about z, and how many of the directions see all of it.
fn cap(half_angle: f64, directions: &[[f64; 3]]) -> Result<(Image, usize)> {
    let ball = icosphere(24);
    let low = half_angle.to_radians().cos();
    let triangles: Vec<[u32; 3]> = (ball.triangles.iter().copied())
        .filter(|t| t.iter().all(|v| ball.positions[*v as usize][2] >= low))
        .collect();
    let normal = |t: &[u32; 3]| {
        unit(scale(std::array::from_fn(|k| t.iter().map(|v| ball.positions[*v as usize][k]).sum()), 1.0))
    };
    let sees = |d: &[f64; 3], t: &[u32; 3]| dot(*d, normal(t)) > 0.0;
    let common: Vec<[f64; 3]> =
        directions.iter().filter(|d| triangles.iter().all(|t| sees(d, t))).copied().collect();
    let colors: Vec<Color> = (triangles.iter())
        .map(|t| directions.iter().filter(|d| sees(d, t)).count() as f64)
        .map(|n| ColorMap::Ember.of(n, 0.0, directions.len() as f64))
        .collect();
    let stage = Stage::of(LazyScene::new(
        "cap",
        1,
        vec![LazyBody::new("cap", Elements::Triangles(triangles.clone()), ball.positions.len(), {
            let positions = ball.positions.clone();
            move |_| positions.clone()
        })],
    ))?;
    let pose = stage.pose(0);
    let rays = |of: &[[f64; 3]]| of.iter().map(|d| [[0.0; 3], scale(*d, 1.45)]).collect::<Vec<_>>();
    let (all, good) = (rays(directions), rays(&common));
    let tips: Vec<_> = common.iter().map(|d| scale(*d, 1.45)).collect();
    let image = canvas(HALF)
        .view(View::looking_from([1.0, -1.6, 0.7]).up([0.0, 0.0, 1.0]))
        .surface(Surface::new(&pose.0[0], &triangles).triangle_colors(&colors))
        .lines(Lines::new(&all))
        .lines(Lines::new(&good).color(palette::CLEAR).width(4.0).see_through(0.6))
        .points(Points::new(&tips).color(palette::CLEAR).size(10.0))
        .legend(Legend::keys([(palette::CLEAR, "sees every triangle"), (palette::STRUCTURE, "does not")]))
        .floor(false)
        .render();
    Ok((image, common.len()))
}

/// V24: the explanatory figures of directions.
pub fn explained() -> Result<Finding> {
    let (twelve, many) = (icosahedron(), with_faces());
    let mut sheet =
        Sheet::new(["directions", "covering radius", "regions are seen whole up to a half angle of"]);
    let radii = [&twelve, &many].map(|d| covering(d));
    for (d, radius) in [&twelve, &many].into_iter().zip(radii) {
        row!(sheet, d.len(), format!("{radius:.1}°"), format!("{:.1}°", 90.0 - radius));
    }
    let (narrow, seen) = cap(90.0 - radii[0] - 5.0, &twelve)?;
    let (wide, unseen) = cap(80.0, &twelve)?;
    let how = "caps of a sphere and the twelve corners of an icosahedron as directions; the colour of a triangle says how \
               many directions face it.";
    Ok(Finding::new(how, sheet)
        .check(
            seen > 0,
            format!(
                "{seen} of 12 directions see the narrower cap whole, as its half angle of {:.0}° promises",
                85.0 - radii[0]
            ),
        )
        .check(unseen == 0, format!("{unseen} see the cap of 80° whole: it must be divided"))
        .remark(
            "A direction that exists and is not among the samples costs a subdivision, never a collision.",
        )
        .picture(
            narrow,
            "Figs 2, 5 and 6: directions that face every triangle of the region remain after the AND.",
        )
        .picture(wide, "A region that is too round: no direction remains."))
}
