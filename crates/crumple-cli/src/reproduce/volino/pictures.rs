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
use crate::reproduce::claim::Claim;
use crate::reproduce::finding::Finding;
use crate::reproduce::lab::{Extent, Pose, Stage};
use crate::reproduce::limits;
use crate::reproduce::measure::{cell, mean_of, most, paper, range, sum};
use crate::reproduce::scenery::{HALF, canvas, surface};
use crate::reproduce::sheet::{Sheet, Value, row};

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
        "mean children of the tree",
        "depth / log3 n",
    ]);
    let triangles = stage.mesh.triangles().len();
    let log = (triangles as f64).ln() / 3_f64.ln();
    let mut images = Vec::new();
    for level in 0..shape.levels {
        let mut drawing = Drawing::default();
        detector.draw_level(&stage.mesh, Frame::new(&slices), level, &mut drawing);
        let painted = Painted::new(&stage, &drawing);
        row!(
            sheet,
            level,
            painted.regions,
            triangles as f64 / painted.regions.max(1) as f64,
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

/// V23: which regions are looked at.
pub fn why_tested(_: Extent) -> Result<Finding> {
    let mut sheet =
        Sheet::new(["surface", "triangles", "question", "regions looked at", "share of triangles"]);
    let mut finding = Vec::new();
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
        row!(sheet, what, triangles, question, painted.regions, Value::Share(share));
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
    let how = "the smallest regions that the published search looks at, each in its own colour; where it goes down to \
               single triangles, something collides or nearly does.";
    let looked = |surface: &str| cell("regions looked at").at("surface", surface);
    let result = Finding::new(how, sheet)
        .claim(Claim::new(
            "Fig. 8 shows that the number of hierarchy elements considered during collision detection does not increase with \
             the smoothness of discretisation.",
            "Section 3.1",
            "16 times the triangles of the sphere, {} × the regions looked at",
            range("regions looked at").at("surface", "sphere"),
            &limits::CONSTANT,
        ).because(
            "The number of regions is small, and where their borders fall decides: it goes up and down with the size, as the \
             calls of V18 do over 256 times the triangles, and does not follow it.",
            "with 16 times the triangles the regions grow {} ×",
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

/// V10: how many vertices are stored round a contour.
pub fn stored(_: Extent) -> Result<Finding> {
    let mut sheet = Sheet::new([
        "surface",
        "closed",
        "regions",
        "stored vertices, mean",
        "longest",
        "with neighbours and nothing stored",
    ]);
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
        // The whole of an open surface has a contour and no neighbour.
        let is_open = !stage.mesh.meshes()[0].topology().boundary_loops().is_empty();
        let empty = stats.empty.saturating_sub(usize::from(is_open));
        row!(sheet, what, if is_open { "no" } else { "yes" }, stats.regions, mean, stats.longest, empty);
    }
    let how = "the published hierarchy; a vertex is stored where the region across the contour changes.";
    Ok(Finding::new(how, sheet)
        .claim(Claim::new(
            "the number of adjacency elements in a list is O(1) and hardly exceeds 6",
            "Section 2.3.3",
            "the longest list has {} × 6 elements",
            most("longest").over(paper(6.0)),
            &limits::NEAR_PAPER,
        ))
        .claim(
            Claim::new(
                "We could prove that any couple of subsurfaces do have at least one of these vertices in common.",
                "Section 2.3.3",
                "{} regions that have neighbours store nothing, and have nothing in common with them",
                sum("with neighbours and nothing stored"),
                &limits::NONE,
            )
            .because(
                "When what lies across is the same region all round the contour, the label never changes: on a closed surface \
                 that happens to the regions just below the whole. Where there is an outside, it does not happen.",
                "on the open surfaces there are {}",
                sum("with neighbours and nothing stored").at("closed", "no"),
                &limits::NONE,
            ),
        )
        .picture(
            stored_round(5)?,
            "Fig. 4: a region of level 5 of a cloth (grey) and what lies across its contour: for each neighbour the largest \
             region that does not hold it. Vertices are stored where that changes.",
        ))
}

/// A region of a level, its neighbours by the highest region that does not hold it, and the vertices where these change.
fn stored_round(level: usize) -> Result<Image> {
    let stage = Stage::named("V22")?;
    let pose = stage.pose(0);
    let slices = pose.slices();
    let detector = published(&stage, &pose, Rules::AsPublished)?;
    let groups: Vec<Vec<u32>> = (1..=level)
        .map(|l| {
            let mut drawing = Drawing::default();
            detector.draw_level(&stage.mesh, Frame::new(&slices), l, &mut drawing);
            Painted::new(&stage, &drawing).classes.swap_remove(0)
        })
        .collect();
    let body = &stage.mesh.meshes()[0];
    // The region in the middle of the cloth.
    let (low, high) = crumple_scenes::vector::bounds(&pose.0[0]);
    let off = |v: usize| (0..3).map(|k| (2.0 * pose.0[0][v][k] - low[k] - high[k]).powi(2)).sum::<f64>();
    let middle = (0..body.triangles().len())
        .min_by(|a, b| off(body.triangles()[*a][0].index()).total_cmp(&off(body.triangles()[*b][0].index())))
        .unwrap_or(0);
    let is_inside = |t: usize| groups[level - 1][t] == groups[level - 1][middle];
    // The highest level at which a triangle is in another region.
    let label = |t: usize| {
        let l = (0..level).find(|l| groups[*l][t] != groups[*l][middle]).unwrap_or(level - 1);
        (l, groups[l][t])
    };
    let mut labels: Vec<(usize, u32)> = Vec::new();
    let mut classes = vec![u32::MAX; body.triangles().len()];
    let mut across: std::collections::BTreeMap<u32, BTreeSet<(usize, u32)>> = Default::default();
    for (t, triangle) in body.triangles().iter().enumerate().filter(|(t, _)| is_inside(*t)) {
        classes[t] = 7;
        for v in triangle {
            for other in body.topology().triangles_at(*v).iter().filter(|o| !is_inside(o.index())) {
                let shared = body.triangles()[other.index()].iter().filter(|w| triangle.contains(w)).count();
                if shared == 2 {
                    for w in body.triangles()[other.index()].iter().filter(|w| triangle.contains(w)) {
                        across.entry(w.0).or_default().insert(label(other.index()));
                    }
                    labels.push(label(other.index()));
                }
            }
        }
    }
    labels.sort_unstable();
    labels.dedup();
    for (t, class) in classes.iter_mut().enumerate().filter(|(t, _)| !is_inside(*t)) {
        if let Ok(k) = labels.binary_search(&label(t)) {
            *class = k as u32;
        }
    }
    let stored: Vec<[f64; 3]> =
        across.iter().filter(|(_, l)| l.len() > 1).map(|(v, _)| pose.0[0][*v as usize]).collect();
    Ok(canvas(HALF)
        .surface(surface(&stage, &pose, 0).classes(&classes))
        .points(Points::new(&stored).color(palette::HIGHLIGHT).size(9.0).on_top())
        .legend(Legend::keys([(palette::HIGHLIGHT, "stored vertex")]))
        .render())
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

/// A cap and what is to be said about it.
struct Cap {
    image: Image,
    triangles: usize,
    /// Directions that face every triangle.
    seen: usize,
    /// Calls and triangle tests of the published method with twelve directions.
    calls: u64,
    tests: u64,
}

/// A cap of a sphere about z, and how many of the directions see all of it.
fn cap(half_angle: f64, directions: &[[f64; 3]]) -> Result<Cap> {
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
    let mut detector = published(&stage, &pose, Rules::AsPublished)?;
    found(&stage, &pose, &mut detector, Pairs::Within)?;
    let stats = detector.stats();
    Ok(Cap { image, triangles: triangles.len(), seen: common.len(), calls: stats.calls, tests: stats.tests })
}

/// Fig. 1 (a): a sheet that is curved enough to hit itself.
fn curved() -> Result<Image> {
    let stage = Stage::named("loop-5k")?;
    let pose = stage.pose(2);
    let mut detector = published(&stage, &pose, Rules::AsPublished)?;
    let pairs = found(&stage, &pose, &mut detector, Pairs::Within)?.triangle_pairs;
    let mut marked: Vec<u32> = pairs.iter().flat_map(|p| [p.a.0, p.b.0]).collect();
    marked.sort_unstable();
    marked.dedup();
    Ok(canvas(HALF).surface(surface(&stage, &pose, 0).highlight(&marked)).render())
}

/// V24: the explanatory figures of directions.
pub fn explained(_: Extent) -> Result<Finding> {
    let (twelve, many) = (icosahedron(), with_faces());
    let mut sheet = Sheet::new([
        "what",
        "half angle",
        "triangles",
        "directions that see it whole",
        "calls of the search",
        "triangle tests",
    ]);
    let radii = [&twelve, &many].map(|d| covering(d));
    let narrow = cap(90.0 - radii[0] - 5.0, &twelve)?;
    let wide = cap(80.0, &twelve)?;
    let nothing = || Value::Nothing;
    for (name, angle, cap) in [("narrow cap", 85.0 - radii[0], &narrow), ("wide cap", 80.0, &wide)] {
        row!(sheet, name, format!("{angle:.1}°"), cap.triangles, cap.seen, cap.calls, cap.tests);
    }
    for (d, radius) in [&twelve, &many].into_iter().zip(radii) {
        let name = format!("any cap, {} directions", d.len());
        row!(
            sheet,
            name,
            format!("{:.1}° or less", 90.0 - radius),
            nothing(),
            nothing(),
            nothing(),
            nothing()
        );
    }
    let how = "caps of a sphere and the twelve corners of an icosahedron as directions; the colour of a triangle says how \
               many directions face it. The search is the published one with twelve directions.";
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
        .remark(
            "A direction that exists and is not among the samples costs a subdivision, never a collision.",
        )
        .picture(curved()?, "Fig. 1 (a): a sheet curved enough to form a loop; triangles that collide are marked.")
        .picture(
            narrow.image,
            "Figs 2, 5 and 6: directions that face every triangle of the region remain after the AND.",
        )
        .picture(wide.image, "A region that is too round: no direction remains."))
}
