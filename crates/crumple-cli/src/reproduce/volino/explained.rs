//! The explanatory figures: what causes self-collision, and a direction that sees everything (V24; Figs 1, 2, 5 and 6).

use anyhow::{Context, Result};
use crumple::methods::regularity::published::{Published, PublishedParams, Rules};
use crumple::{BodyId, Detector, Drawing, Frame, Pairs};
use crumple_io::picture::{Image, Legend, Lines, Points, Surface, View, palette};
use crumple_scenes::shapes::icosphere;
use crumple_scenes::vector::{dot, scale};
use crumple_scenes::{Elements, LazyBody, LazyScene, Rng};

use super::{found, published};
use crate::reproduce::claim::Claim;
use crate::reproduce::finding::Finding;
use crate::reproduce::lab::{Extent, Pose, Stage};
use crate::reproduce::limits;
use crate::reproduce::measure::cell;
use crate::reproduce::scenery::{HALF, canvas, surface};
use crate::reproduce::sheet::{Sheet, Value, row};
use crate::views::corners;

/// Half angles of the two caps, in degrees: one that twelve directions surely see, one that they do not.
const NARROW: f64 = 47.0;
const WIDE: f64 = 80.0;
/// Triangles along an edge of the icosahedron that the caps are cut from.
const FINE: usize = 24;
/// How long directions are drawn, over the radius.
const REACH: f64 = 1.45;
/// How long the direction of Fig. 2 is drawn, from the surface on; and how far below the region its plane lies.
const ARROW: [f64; 2] = [1.0, 1.6];
const BELOW: f64 = 0.5;
/// Every so many edges of the contour a line drops to the plane.
const DROPS: usize = 6;
/// A right angle in degrees.
const RIGHT: f64 = 90.0;
/// Numbers of directions: the paper's figure, and corners and faces of an icosahedron.
const SAMPLED: [usize; 2] = [12, 32];
/// Random directions by which the widest gap between sampled ones is estimated.
const TRIES: usize = 40_000;

/// The published method with so many directions, at a pose.
fn with(stage: &Stage, pose: &Pose, directions: usize) -> Result<Published> {
    let slices = pose.slices();
    let mut method = Published::new(PublishedParams { directions, ..PublishedParams::default() })?;
    method.update(&stage.mesh, Frame::new(&slices))?;
    Ok(method)
}

/// The largest angle between any direction and the nearest sampled one, in degrees, by trying many.
fn covering(directions: &[[f64; 3]]) -> f64 {
    let mut rng = Rng::new(5);
    let nearest = |d: [f64; 3]| directions.iter().map(|s| dot(*s, d)).fold(-1.0, f64::max);
    let worst = (0..TRIES).map(|_| nearest(rng.direction())).fold(1.0, f64::min);
    worst.acos().to_degrees()
}

/// A cap of a sphere about z.
fn cap(half_angle: f64) -> Result<Stage> {
    let ball = icosphere(FINE);
    let low = half_angle.to_radians().cos();
    let triangles: Vec<[u32; 3]> = (ball.triangles.iter().copied())
        .filter(|t| t.iter().all(|v| ball.positions[*v as usize][2] >= low))
        .collect();
    let positions = ball.positions;
    let body =
        LazyBody::new("cap", Elements::Triangles(triangles), positions.len(), move |_| positions.clone());
    Stage::of(LazyScene::new("cap", 1, vec![body]))
}

/// A cap as the engine sees it.
struct Seen {
    image: Image,
    triangles: usize,
    /// Directions that all triangles face.
    whole: u32,
    /// Calls and triangle tests of the search.
    calls: u64,
    tests: u64,
    /// The first of those directions.
    direction: Option<[f64; 3]>,
}

/// Figs 5 and 6: the sampled directions, and those that remain after the AND of all bit fields.
fn seen(stage: &Stage) -> Result<Seen> {
    let pose = stage.pose(0);
    let slices = pose.slices();
    let mut method = with(stage, &pose, PublishedParams::default().directions)?;
    let directions = method.directions();
    let bits = method.facing(Frame::new(&slices), BodyId(0))?;
    let good: Vec<[f64; 3]> =
        directions.iter().enumerate().filter(|(i, _)| bits.whole >> i & 1 == 1).map(|(_, d)| *d).collect();
    // Directions come in opposite pairs, so that every triangle faces half of them: what differs is which.
    let mut fields = bits.triangles.clone();
    fields.sort_unstable();
    fields.dedup();
    let rank = |b: &u128| fields.binary_search(b).unwrap_or(0) as u32;
    let classes: Vec<u32> = bits.triangles.iter().map(rank).collect();
    let rays = |of: &[[f64; 3]]| of.iter().map(|d| [[0.0; 3], scale(*d, REACH)]).collect::<Vec<_>>();
    let (all, remaining) = (rays(&directions), rays(&good));
    let tips: Vec<_> = good.iter().map(|d| scale(*d, REACH)).collect();
    let faces = corners(&stage.mesh.meshes()[0]);
    let image = canvas(HALF)
        .view(View::looking_from([1.0, -1.6, 0.7]).up([0.0, 0.0, 1.0]))
        .surface(Surface::new(&pose.0[0], faces).classes(&classes))
        .lines(Lines::new(&all))
        .lines(Lines::new(&remaining).color(palette::CLEAR).width(4.0).see_through(0.6))
        .points(Points::new(&tips).color(palette::CLEAR).size(10.0))
        .legend(Legend::keys([(palette::CLEAR, "sees every triangle"), (palette::STRUCTURE, "does not")]))
        .floor(false)
        .render();
    found(stage, &pose, &mut method, Pairs::Within)?;
    let stats = method.stats();
    let triangles = stage.mesh.triangles().len();
    let direction = good.first().copied();
    Ok(Seen {
        image,
        triangles,
        whole: bits.whole.count_ones(),
        calls: stats.calls,
        tests: stats.tests,
        direction,
    })
}

/// Fig. 2: the region, a direction that sees it whole, and its contour projected along it.
fn projected(stage: &Stage, direction: [f64; 3]) -> Result<Image> {
    let pose = stage.pose(0);
    let slices = pose.slices();
    let method = published(stage, &pose, Rules::AsPublished)?;
    let mut drawing = Drawing::default();
    method.draw_level(&stage.mesh, Frame::new(&slices), 0, &mut drawing);
    let contour: Vec<[[f64; 3]; 2]> = drawing.lines.iter().map(|(a, b, _)| [*a, *b]).collect();
    // Onto a plane across the direction, below everything.
    let depth = contour.iter().flatten().map(|p| dot(*p, direction)).fold(f64::INFINITY, f64::min) - BELOW;
    let onto = |p: [f64; 3]| {
        let back = dot(p, direction) - depth;
        std::array::from_fn(|k| p[k] - back * direction[k])
    };
    let shadow: Vec<[[f64; 3]; 2]> = contour.iter().map(|s| s.map(onto)).collect();
    let dropped: Vec<[[f64; 3]; 2]> =
        contour.iter().zip(&shadow).step_by(DROPS).map(|(c, s)| [c[0], s[0]]).collect();
    let arrow = [ARROW.map(|t| scale(direction, t))];
    let tip = [arrow[0][1]];
    Ok(canvas(HALF)
        .view(View::looking_from([1.0, -1.6, 0.35]).up([0.0, 0.0, 1.0]))
        .surface(
            Surface::new(&pose.0[0], corners(&stage.mesh.meshes()[0])).color(palette::body(0)).opacity(0.7),
        )
        .lines(Lines::new(&contour).color(palette::HIGHLIGHT).width(3.0))
        .lines(Lines::new(&shadow).color(palette::body(1)).width(3.0))
        .lines(Lines::new(&dropped).color(palette::STRUCTURE).width(0.8))
        .lines(Lines::new(&arrow).color(palette::CLEAR).width(4.0).on_top())
        .points(Points::new(&tip).color(palette::CLEAR).size(10.0).on_top())
        .legend(Legend::keys([
            (palette::CLEAR, "direction V"),
            (palette::HIGHLIGHT, "contour"),
            (palette::body(1), "projected along V"),
        ]))
        .floor(false)
        .render())
}

/// Fig. 1: what collides of a surface, by exact detection.
fn colliding(name: &str, frame: usize) -> Result<Image> {
    let stage = Stage::named(name)?;
    let pose = stage.pose(frame.min(stage.scene.frames - 1));
    let mut method = published(&stage, &pose, Rules::WithContours)?;
    let pairs = found(&stage, &pose, &mut method, Pairs::Within)?.triangle_pairs;
    let mut marked: Vec<u32> = pairs.iter().flat_map(|p| [p.a.0, p.b.0]).collect();
    marked.sort_unstable();
    marked.dedup();
    Ok(canvas(HALF).surface(surface(&stage, &pose, 0).highlight(&marked)).render())
}

/// V24: the explanatory figures.
pub fn figures(_: Extent) -> Result<Finding> {
    let mut sheet = Sheet::new([
        "what",
        "half angle",
        "triangles",
        "directions that see it whole",
        "calls of the search",
        "triangle tests",
    ]);
    let caps = [cap(NARROW)?, cap(WIDE)?];
    let [narrow, wide] = [seen(&caps[0])?, seen(&caps[1])?];
    for (name, angle, of) in [("narrow cap", NARROW, &narrow), ("wide cap", WIDE, &wide)] {
        row!(sheet, name, format!("{angle:.1}°"), of.triangles, u64::from(of.whole), of.calls, of.tests);
    }
    for count in SAMPLED {
        let directions = with(&caps[0], &caps[0].pose(0), count)?.directions();
        let nothing = || Value::Nothing;
        let widest = format!("{:.1}° or less", RIGHT - covering(&directions));
        row!(
            sheet,
            format!("any cap, {count} directions"),
            widest,
            nothing(),
            nothing(),
            nothing(),
            nothing()
        );
    }
    let how = "caps of a sphere. Directions, the bit fields of all triangles and what their AND leaves are the published method's own; \
               triangles with the same bit field have the same colour. “Any cap” is 90 degrees less the widest gap between the \
               directions.";
    let direction = narrow.direction.context("a direction that sees the narrow cap")?;
    Ok(Finding::new(how, sheet)
        .claim(Claim::new(
            "If we can find an area for which (a) there exists a vector that has positive dot product with the normals of \
             every triangle of the area and if (b) the 2D projection of its contour along this direction does not \
             intersect itself, then we need not look for self-intersections within that area.",
            "Section 2.2.1",
            "a cap that a direction sees whole is answered by {} call",
            cell("calls of the search").at("what", "narrow cap"),
            &limits::ONE_CALL,
        ))
        .claim(Claim::new(
            "If the value of the resulting bitfield is 0, there is no valid direction vector.",
            "Section 2.3.4, Fig. 6",
            "a cap of 80 degrees, which no direction sees whole, is divided: {} calls",
            cell("calls of the search").at("what", "wide cap"),
            &limits::MORE,
        ))
        .remark("A direction that exists and is not among the samples costs a subdivision, never a collision.")
        .picture(
            colliding("loop-5k", 2)?,
            "Fig. 1 (a): a sheet curved enough to form a loop; triangles that collide are marked.",
        )
        .picture(
            colliding("spiral-ramp", 1)?,
            "Fig. 1 (b): a contour of such a shape that a slight fold brings superposition; triangles that collide are marked.",
        )
        .picture(
            projected(&caps[0], direction)?,
            "Fig. 2: a direction that faces every triangle, and the contour projected along it, which does not cross itself.",
        )
        .picture(narrow.image, "Figs 5 and 6: twelve directions, and those whose bit remains after the AND of all triangles.")
        .picture(wide.image, "A region that is too round: no bit remains."))
}
