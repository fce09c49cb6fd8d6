//! Regions and distances, drawn from the published hierarchy (M25).

use std::f64::consts::TAU;

use anyhow::{Context, Result};
use crumple::methods::distance_hierarchy::published::{Published, PublishedParams};
use crumple::{BodyId, Frame};
use crumple_io::picture::{Color, Image, Legend, Lines, Points, palette};
use crumple_scenes::papers::madera::{Model, UNIT};
use crumple_scenes::vector::{bounds, scale};
use crumple_scenes::{LazyBody, LazyScene};

use super::experiments::Experiment;
use super::unit;
use crate::reproduce::claim::Claim;
use crate::reproduce::finding::Finding;
use crate::reproduce::lab::{Extent, Pose, Stage};
use crate::reproduce::limits;
use crate::reproduce::measure::{least, sum};
use crate::reproduce::scenery::{HALF, bodies, canvas, surface};
use crate::reproduce::sheet::{Sheet, Value, row};

/// The paper's colours of levels 1, 2 and 3.
const LEVELS: [(Color, &str); 3] = [
    (Color::hex(0xd6_2c_1f), "level 1"),
    (Color::hex(0x1f_9d_3a), "level 2"),
    (Color::hex(0x1f_5f_d6), "level 3"),
];
/// Steps from which the unit of an experiment is derived for a picture.
const STEPS: usize = 10;
/// Every so many steps are looked at for lines of all three levels.
const EVERY: usize = 5;
/// How far apart the two pawns of Fig. 7 stand, over their height.
const GAP: f64 = 0.02;
/// By how much more than its radius a vertex may be off its sphere: rounding of two ways to a distance.
const ROUNDING: f64 = 1e-12;
/// Corners of a drawn circle.
const CORNERS: usize = 48;

type Segment = [[f64; 3]; 2];

/// The published method at a pose, after a step.
fn stepped(stage: &Stage, pose: &Pose, params: PublishedParams) -> Result<Published> {
    let slices = pose.slices();
    let mut published = Published::new(&stage.mesh, Frame::new(&slices), params)?;
    published.step();
    Ok(published)
}

/// Live distances as lines by level, and how many of each there are.
fn live(published: &Published, pose: &Pose, linked: usize) -> (Vec<Segment>, Vec<Color>, [usize; 3]) {
    let (mut segments, mut colors, mut counts) = (Vec::new(), Vec::new(), [0; 3]);
    for (pair, record) in published.numcd().iter().enumerate() {
        let [a, b] = record.bodies.map(|b| b.index());
        for cd in published.cd(pair).iter().filter(|cd| b < linked && (1..=3).contains(&cd.level)) {
            segments.push([pose.0[a][cd.middles[0].index()], pose.0[b][cd.middles[1].index()]]);
            colors.push(LEVELS[cd.level - 1].0);
            counts[cd.level - 1] += 1;
        }
    }
    (segments, colors, counts)
}

/// A picture of live distances: image, lines of each level, step, levels of the hierarchy.
type Linked = (Image, [usize; 3], usize, usize);

/// Some bodies of an experiment at the first of the steps with lines of all three levels, else at the last; the first `linked`
/// of them have lines.
fn lines(experiment: &Experiment, shown: &[usize], linked: usize) -> Result<Linked> {
    let whole = Stage::named(experiment.id)?;
    let unit = unit::derived(experiment, &whole, STEPS)?;
    let some = shown.iter().map(|b| whole.scene.bodies[*b].clone()).collect();
    let stage = Stage::of(LazyScene::new("some", whole.scene.frames, some))?;
    let last = stage.scene.frames - 1;
    let mut drawn = None;
    for step in (0..last).step_by(EVERY).chain([last]) {
        let pose = stage.pose(step);
        let published = stepped(&stage, &pose, experiment.params(experiment.best, unit))?;
        let (segments, colors, counts) = live(&published, &pose, linked);
        let is_whole = counts.iter().all(|n| *n > 0);
        if is_whole || step == last {
            let image = bodies(canvas(HALF), &stage, &pose, 0.55)
                .lines(Lines::new(&segments).colors(&colors))
                .legend(Legend::keys(LEVELS))
                .render();
            drawn = Some((image, counts, step, published.levels()));
            break;
        }
    }
    drawn.context("a step")
}

/// Two pawns side by side.
fn pawns() -> Result<Stage> {
    let pawn = Model::Pawn.surface().mapped(|p| scale(p, UNIT));
    let (low, high) = bounds(&pawn.positions);
    let aside = high[0] - low[0] + GAP * (high[2] - low[2]);
    let other = pawn.clone().mapped(|p| [p[0] + aside, p[1], p[2]]);
    Stage::of(LazyScene::new(
        "pawns",
        1,
        vec![LazyBody::still("left", pawn), LazyBody::still("right", other)],
    ))
}

/// Fig. 4: level 1 of the two pawns: every distance that is compared, and those that are expanded.
fn compared(stage: &Stage, pose: &Pose, published: &Published) -> Result<(Image, [usize; 2])> {
    let middles = [0, 1].map(|b| published.regions(BodyId(b), 1));
    let [left, right] = middles;
    let (left, right) = (left?, right?);
    let mut all = Vec::new();
    for a in &left {
        all.extend(right.iter().map(|b| [pose.0[0][a.middle.index()], pose.0[1][b.middle.index()]]));
    }
    let of_level_1 = published.cd(0).iter().filter(|cd| cd.level == 1);
    let chosen: Vec<Segment> =
        of_level_1.map(|cd| [pose.0[0][cd.middles[0].index()], pose.0[1][cd.middles[1].index()]]).collect();
    let points: Vec<[f64; 3]> = all.iter().flatten().copied().collect();
    let image = bodies(canvas(HALF), stage, pose, 0.35)
        .lines(Lines::new(&all).color(palette::STRUCTURE).width(1.0).see_through(0.6))
        .lines(Lines::new(&chosen).color(LEVELS[0].0).width(3.0).on_top())
        .points(Points::new(&points).color(palette::STRUCTURE).size(6.0).see_through(0.6))
        .legend(Legend::keys([(LEVELS[0].0, "expanded"), (palette::STRUCTURE, "compared")]))
        .render();
    Ok((image, [all.len(), chosen.len()]))
}

/// Fig. 6: where `DV` begins and where its walk ends.
fn walks(stage: &Stage, pose: &Pose, published: &Published) -> (Image, usize) {
    let at = |c: [BodyId; 2], v: [crumple::VertexId; 2]| [0, 1].map(|k| pose.0[c[k].index()][v[k].index()]);
    let starts: Vec<Segment> = published.collisions().iter().map(|c| at(c.bodies, c.vertices)).collect();
    let ends: Vec<Segment> = published.collisions().iter().map(|c| at(c.bodies, c.end)).collect();
    let walked = starts.iter().zip(&ends).filter(|(a, b)| a != b).count();
    let image = bodies(canvas(HALF), stage, pose, 0.45)
        .lines(Lines::new(&starts).color(palette::STRUCTURE).width(1.5).on_top())
        .lines(Lines::new(&ends).color(LEVELS[2].0).width(3.0).on_top())
        .legend(Legend::keys([(LEVELS[2].0, "closest pair"), (palette::STRUCTURE, "where the walk began")]))
        .render();
    (image, walked)
}

/// Three great circles.
fn sphere(centre: [f64; 3], radius: f64) -> Vec<Segment> {
    let mut out = Vec::new();
    for k in 0..3 {
        let at = |i: usize| {
            let (sin, cos) = (TAU * i as f64 / CORNERS as f64).sin_cos();
            let mut p = centre;
            p[(k + 1) % 3] += radius * cos;
            p[(k + 2) % 3] += radius * sin;
            p
        };
        out.extend((0..CORNERS).map(|i| [at(i), at(i + 1)]));
    }
    out
}

/// Fig. 2: a region of level 1, its vertices, and the sphere of its epsilon round the middle vertex.
fn region(stage: &Stage, pose: &Pose, published: &Published) -> Result<(Image, usize)> {
    let regions = published.regions(BodyId(0), 1)?;
    let one = regions.iter().max_by_key(|r| r.vertices.len()).context("a region")?;
    let own: Vec<[f64; 3]> = one.vertices.iter().map(|v| pose.0[0][*v as usize]).collect();
    let middle = pose.0[0][one.middle.index()];
    let distance = |p: &[f64; 3]| (0..3).map(|k| (p[k] - middle[k]).powi(2)).sum::<f64>().sqrt();
    let outside = own.iter().filter(|p| distance(p) > one.radius * (1.0 + ROUNDING)).count();
    let circles = sphere(middle, one.radius);
    let image = canvas(HALF)
        .surface(surface(stage, pose, 0).opacity(0.6))
        .lines(Lines::new(&circles).color(palette::STRUCTURE).width(1.5))
        .points(Points::new(&own).color(palette::CLEAR).size(4.0).see_through(0.6))
        .points(Points::new(&[middle]).color(palette::HIGHLIGHT).size(11.0).on_top())
        .legend(Legend::keys([
            (palette::HIGHLIGHT, "middle vertex"),
            (palette::CLEAR, "vertices of the region"),
        ]))
        .render();
    Ok((image, outside))
}

/// M25: sphere, lines by level, both parts at work.
pub fn drawn(_: Extent) -> Result<Finding> {
    let first = Experiment::by_id("M19").context("experiment 1")?;
    let second = Experiment::by_id("M21").context("experiment 2")?;
    let third = Experiment::by_id("M23").context("experiment 3")?;
    let mut sheet = Sheet::new([
        "objects",
        "step",
        "levels",
        "level 1",
        "level 2",
        "level 3",
        "vertices outside their sphere",
    ]);
    let two = pawns()?;
    let pose = two.pose(0);
    let unit = unit::smallest(first, &pose);
    let published = stepped(&two, &pose, first.params(first.best, unit))?;
    let (segments, colors, counts) = live(&published, &pose, 2);
    let (ball, outside) = region(&two, &pose, &published)?;
    row!(sheet, "two pawns", 0_usize, published.levels(), counts[0], counts[1], counts[2], outside);
    let near = bodies(canvas(HALF), &two, &pose, 0.55)
        .lines(Lines::new(&segments).colors(&colors))
        .legend(Legend::keys(LEVELS))
        .render();
    let (pairs, [compared_count, expanded]) = compared(&two, &pose, &published)?;
    let (walk, walked) = walks(&two, &pose, &published);
    let humans = lines(second, &[0, 1, 2, 3], 3)?;
    let tooth = lines(third, &[0, 1], 2)?;
    for (name, (_, counts, step, levels)) in [("three humans", &humans), ("tooth and cylinder", &tooth)] {
        row!(sheet, name, *step, *levels, counts[0], counts[1], counts[2], Value::Nothing);
    }
    let how = "the published hierarchy with set 3: two pawns side by side, with the smallest unit of M19's sweep so that lines can be \
               told apart, and the scenes of experiments 2 and 3, in units derived as M19 says, at the first step that has lines of all three levels; columns count the lines.";
    let colour = |column: &str, words: &'static str| {
        Claim::new(
            "Red, green, and blue lines represent the first, second, and third level respectively.",
            "Section 4, Fig. 7",
            words,
            least(column),
            &limits::SOME,
        )
    };
    Ok(Finding::new(how, sheet)
        .claim(colour("level 1", "at least {} red lines in every scene"))
        .claim(colour("level 2", "at least {} green ones"))
        .claim(colour("level 3", "at least {} blue ones").because(
            "A pawn of 610 vertices has no third level: the regions of its second have fewer than 30, where Fig. 1 stops.",
            "its hierarchy has {} levels",
            sum("levels").at("objects", "two pawns"),
            &limits::BELOW_THREE,
        ))
        .claim(Claim::new(
            "ε is the greatest distance from the middle vertex to a vertex of a region.",
            "Section 3.1, Fig. 2",
            "{} vertices of the drawn region lie outside its sphere",
            sum("vertices outside their sphere").at("objects", "two pawns"),
            &limits::NONE,
        ))
        .picture(ball, "Fig. 2: a region of level 1, its middle vertex, and the sphere that its epsilon makes.")
        .picture(
            pairs,
            format!("Fig. 4: DMV on level 1: of {compared_count} distances between middle vertices {expanded} are expanded."),
        )
        .picture(
            walk,
            format!("Fig. 6: DV on the last level: the closest pairs of colliding regions; {walked} walks left their regions."),
        )
        .picture(near, "Fig. 7: two pawns in close proximity, set 3; the closer, the deeper the levels.")
        .picture(
            humans.0,
            format!("Fig. 8: three humans and a torus at step {}, set 3; distances between the humans.", humans.2),
        )
        .picture(tooth.0, format!("Experiment 3: tooth and cylinder at step {}, set 3.", tooth.2)))
}
