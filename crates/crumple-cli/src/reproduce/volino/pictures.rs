//! Hierarchies and tested regions, drawn (V22, V23).

use std::collections::BTreeSet;

use anyhow::Result;
use crumple::methods::regularity::published::Rules;
use crumple::{BodyId, Detector, Drawing, Frame, Pairs, Tone};
use crumple_io::picture::Picture;
use crumple_scenes::shapes::{icosphere, sheet};
use crumple_scenes::{LazyBody, LazyScene};

use super::{found, published};
use crate::output::thousands;
use crate::reproduce::claim::Claim;
use crate::reproduce::finding::Finding;
use crate::reproduce::lab::{Extent, Pose, Stage};
use crate::reproduce::limits;
use crate::reproduce::measure::{cell, mean_of, power, range};
use crate::reproduce::scenery::{HALF, canvas, surface};
use crate::reproduce::sheet::{Sheet, Value, row};

/// The regions of a drawing: one class per triangle, `u32::MAX` where none is.
pub struct Painted {
    pub classes: Vec<Vec<u32>>,
    pub regions: usize,
}

impl Painted {
    /// From what the engine drew.
    pub fn new(stage: &Stage, drawing: &Drawing) -> Self {
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
pub fn levels(_: Extent) -> Result<Finding> {
    /// What the paper's figure shows, as far as our hierarchy goes.
    const SHOWN: std::ops::RangeInclusive<usize> = 5..=10;
    let stage = Stage::named("V22")?;
    let pose = stage.pose(2);
    let slices = pose.slices();
    let detector = published(&stage, &pose, Rules::AsPublished)?;
    let shape = detector.shape(BodyId(0))?;
    let mut sheet = Sheet::new([
        "level",
        "regions",
        "triangles per region",
        "children on average",
        "mean children of the tree",
        "depth / log3 n",
    ]);
    let triangles = stage.mesh.triangles().len();
    let log = (triangles as f64).ln() / 3_f64.ln();
    let mut images = Vec::new();
    let drawn = (0..shape.levels).map(|level| {
        let mut drawing = Drawing::default();
        detector.draw_level(&stage.mesh, Frame::new(&slices), level, &mut drawing);
        Painted::new(&stage, &drawing)
    });
    let drawn: Vec<Painted> = drawn.collect();
    for (level, painted) in drawn.iter().enumerate() {
        // What is a single triangle already stands on the next level, too.
        let below = drawn.get(level + 1).map(|next| next.regions as f64 / painted.regions as f64);
        row!(
            sheet,
            level,
            painted.regions,
            triangles as f64 / painted.regions.max(1) as f64,
            below.map_or(Value::Nothing, Value::Number),
            shape.mean_children,
            shape.levels as f64 / log
        );
        if SHOWN.contains(&level) {
            images.push((painted.onto(canvas(HALF), &stage, &pose).render(), painted.regions, level));
        }
    }
    let how = format!(
        "a cloth of {} triangles, merged by three as in the paper; the root is level 0, and {} levels there are in all.",
        thousands(triangles),
        shape.levels
    );
    let finding = Finding::new(how, sheet)
        .claim(Claim::new(
            "The main task consists in grouping several elements (a practical good value is 3) of a given level into a new \
             element of above level",
            "Section 2.3.1",
            "a region has {} children on average",
            mean_of("mean children of the tree"),
            &limits::THREE,
        ))
        .claim(Claim::new(
            "Have O(log n) maximal depth (the tree should be equilibrated).",
            "Section 2.3.1",
            "the depth is {} × the logarithm of the number of triangles to the base of 3",
            mean_of("depth / log3 n"),
            &limits::LOGARITHMIC,
        ));
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

/// The sphere of Fig. 7: triangles along an edge of its icosahedron, radius, height of its centre above the sheet.
const BALL: (usize, f64, f64) = (16, 0.35, 0.33);
/// The sheet of Fig. 7: squares along a side, and how long the side is.
const SHEET: (usize, f64) = (48, 2.0);

/// Fig. 7: a sphere that dips into a sheet.
fn ball_on_a_sheet() -> LazyScene {
    let (fine, radius, height) = BALL;
    let ball = icosphere(fine).mapped(|p| [radius * p[0], radius * p[1], radius * p[2] + height]);
    let flat = sheet(SHEET.0, SHEET.0, [SHEET.1; 2]);
    LazyScene::new("ball on a sheet", 1, vec![LazyBody::still("sheet", flat), LazyBody::still("ball", ball)])
}

/// V23: which regions are looked at.
pub fn why_tested(_: Extent) -> Result<Finding> {
    let mut sheet =
        Sheet::new(["surface", "triangles", "question", "regions looked at", "share of triangles"]);
    let mut finding = Vec::new();
    let ball = Stage::of(ball_on_a_sheet())?;
    for (what, name, frame, pairs) in [
        ("sphere and sheet", "", 0, Pairs::Between),
        ("sphere", "sphere-5k", 0, Pairs::Within),
        ("sphere", "sphere-20k", 0, Pairs::Within),
        ("sphere", "sphere-80k", 0, Pairs::Within),
        ("sphere", "sphere-320k", 0, Pairs::Within),
        ("crossing sheet", "loop-5k", 2, Pairs::Within),
        ("crossing sheet", "loop-80k", 2, Pairs::Within),
        ("cloth and body", "V20", 10, Pairs::Within),
        ("cloth and body", "V20", 10, Pairs::Between),
    ] {
        let of_name = if name.is_empty() { None } else { Some(Stage::named(name)?) };
        let stage = of_name.as_ref().unwrap_or(&ball);
        let pose = stage.pose(frame);
        let painted = tested(stage, &pose, pairs)?;
        let triangles = stage.mesh.triangles().len();
        let question = if pairs == Pairs::Within { "itself" } else { "the other" };
        let share = painted.regions as f64 / triangles as f64;
        row!(sheet, what, triangles, question, painted.regions, Value::Share(share));
        let figure = match (what, pairs) {
            ("sphere and sheet", _) => "Fig. 7",
            ("sphere", _) => "Fig. 8",
            ("crossing sheet", _) => "Fig. 9",
            _ => "Fig. 10",
        };
        let caption = format!(
            "{figure}: {what} of {triangles} triangles against {question}, {} regions looked at.",
            painted.regions
        );
        finding.push((painted.onto(canvas(HALF), stage, &pose).render(), caption));
    }
    let how = "the smallest regions that the published search looks at, each in its own colour; where it goes down to \
               single triangles, something collides or nearly does.";
    let looked = |surface: &str| cell("regions looked at").at("surface", surface);
    let result = Finding::new(how, sheet)
        .claim(Claim::new(
            "Fig. 8 shows that the number of hierarchy elements considered during collision detection does not increase with \
             the smoothness of discretisation.",
            "Section 3.1",
            "from 5120 to 327,680 triangles of the sphere, the regions looked at grow as triangles to the power of {}",
            power("triangles", "regions looked at").at("surface", "sphere"),
            &limits::FLAT,
        ).because(
            "The number of regions is small, and where their borders fall decides: it goes up and down with the size.",
            "with 64 times the triangles the regions grow {} × at most",
            range("regions looked at").at("surface", "sphere"),
            &limits::NEAR_PAPER,
        ))
        .claim(Claim::new(
            "Fig. 9 shows that high discretisation affects the search only on regions close to the collision points.",
            "Section 3.2",
            "16 times the triangles of the crossing sheet, {} × the regions looked at",
            looked("crossing sheet").at("triangles", 80_000).over(looked("crossing sheet").at("triangles", 5_000)),
            &limits::LESS_THAN_EIGHT,
        ))
        .claim(Claim::new(
            "for self-collision detection, the number of considered elements remains small, concentrating only on the places \
             likely to contain collision",
            "Section 3.3",
            "cloth and body against themselves: {%} as many regions as triangles",
            cell("share of triangles").at("surface", "cloth and body").at("question", "itself"),
            &limits::HALF,
        ));
    Ok(finding.into_iter().fold(result, |f, (image, caption)| f.picture(image, caption)))
}
