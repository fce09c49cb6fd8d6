//! Pictures of answers.

use crumple::methods::layered_depth::{IntersectionSurface, Overlap, SelfOverlap};
use crumple::{BodyId, Distance, Drawing, Mesh, Scene, Tone};
use crumple_io::picture::{
    Boxes, Color, ColorMap, Image, Legend, Lines, Picture, Points, Surface, View, palette,
};

use crate::args::Common;
use crate::check::FrameRow;

/// An empty picture, upright as the user has it.
fn canvas<'a>(common: &Common) -> Picture<'a> {
    Picture::new(1200, 900).view(View::auto().up(common.upward()))
}

/// The bodies by name: the first two, and how many more.
pub fn names(scene: &Scene) -> String {
    let meshes = scene.bodies().meshes();
    let first: Vec<&str> = meshes.iter().take(2).map(Mesh::name).collect();
    let more = meshes.len().saturating_sub(2);
    if more > 0 { format!("{} and {more} more", first.join(", ")) } else { first.join(", ") }
}

/// The corners of a body's triangles as the renderer takes them.
pub fn corners(body: &Mesh) -> &[[u32; 3]] {
    bytemuck::cast_slice(body.triangles())
}

/// Bodies with their colliding triangles highlighted, and the vertices inside tets as balls coloured by depth.
pub fn check(common: &Common, scene: &Scene, row: &FrameRow, title: &str) -> Image {
    let hits: Vec<Vec<u32>> = scene.bodies().body_ids().map(|b| colliding(row, b)).collect();
    let inside: Vec<[f64; 3]> =
        row.vertex_tets.iter().map(|p| positions(scene, p.vertex.body)[p.vertex.id.index()]).collect();
    let depths: Vec<f64> = row.vertex_tets.iter().map(|c| c.depth).collect();
    let deepest = depths.iter().copied().fold(0.0, f64::max);
    let mut picture = canvas(common).caption(format!("{title}: {}", row.verdict()));
    for (b, body) in scene.bodies().meshes().iter().enumerate() {
        let positions = positions(scene, BodyId(b as u32));
        let surface = Surface::new(positions, corners(body)).color(palette::body(b)).highlight(&hits[b]);
        picture = picture.surface(if inside.is_empty() { surface } else { surface.opacity(0.35) });
        if corners(body).is_empty() {
            picture = picture.points(Points::new(positions).color(palette::body(b)));
        }
    }
    let keys = scene
        .bodies()
        .meshes()
        .iter()
        .enumerate()
        .map(|(b, body)| (palette::body(b), body.name().to_owned()))
        .take(6);
    let marks = [(palette::HIGHLIGHT, "colliding".to_owned())].into_iter().filter(|_| row.collides());
    picture = picture.legend(Legend::keys(keys.chain(marks)));
    if !inside.is_empty() {
        picture = picture
            .points(Points::new(&inside).values(&depths, ColorMap::Ember, 0.0, deepest))
            .legend(Legend::bar("depth of vertices inside tets", ColorMap::Ember, 0.0, deepest));
    }
    picture.render()
}

/// A body after a cut: its parts in colours of their own, the rims of the cut on top.
pub fn cut(
    common: &Common,
    mesh: &Mesh,
    positions: &[[f64; 3]],
    parts: &[u32],
    rims: &[[[f64; 3]; 2]],
) -> Image {
    canvas(common)
        .caption(format!("{} after the cut", mesh.name()))
        .surface(Surface::new(positions, corners(mesh)).classes(parts))
        .lines(Lines::new(rims).color(palette::HIGHLIGHT).on_top())
        .render()
}

/// Bodies with the method's structure: triangles by region, boxes, lines and points.
pub fn structure(common: &Common, scene: &Scene, drawing: &Drawing, title: &str) -> Image {
    let mesh = scene.bodies();
    let mut classes: Vec<Vec<Color>> = (mesh.meshes().iter().enumerate())
        .map(|(b, body)| vec![palette::body(b); body.triangles().len()])
        .collect();
    for &(triangle, tone) in &drawing.triangles {
        let (body, triangle) = mesh.locate_triangle(triangle);
        classes[body.index()][triangle.index()] = color(tone);
    }
    let boxes: Vec<[[f64; 3]; 2]> = drawing.boxes.iter().map(|b| [b.0, b.1]).collect();
    let box_colors: Vec<Color> = drawing.boxes.iter().map(|b| color(b.2)).collect();
    let lines: Vec<[[f64; 3]; 2]> = drawing.lines.iter().map(|l| [l.0, l.1]).collect();
    let line_colors: Vec<Color> = drawing.lines.iter().map(|l| color(l.2)).collect();
    let points: Vec<[f64; 3]> = drawing.points.iter().map(|p| p.0).collect();
    let point_colors: Vec<Color> = drawing.points.iter().map(|p| color(p.1)).collect();
    let opacity = if boxes.is_empty() && lines.is_empty() { 1.0 } else { 0.5 };
    let mut picture = canvas(common).caption(title);
    for (b, body) in mesh.meshes().iter().enumerate() {
        let surface =
            Surface::new(positions(scene, BodyId(b as u32)), corners(body)).triangle_colors(&classes[b]);
        picture = picture.surface(surface.opacity(opacity));
    }
    picture
        .boxes(Boxes::new(&boxes).colors(&box_colors))
        .lines(Lines::new(&lines).colors(&line_colors))
        .points(Points::new(&points).colors(&point_colors))
        .render()
}

/// The colour of a tone: levels run red, green, blue and on, as the papers have them.
fn color(tone: Tone) -> Color {
    match tone {
        Tone::Level(level) => {
            [palette::HIGHLIGHT, palette::CLEAR, palette::NEAR, palette::HIGHLIGHT_B][usize::from(level) % 4]
        }
        Tone::Group(group) => palette::class(group as usize),
        Tone::Visited => palette::STRUCTURE,
        Tone::Hit => palette::HIGHLIGHT,
    }
}

/// Where the vertices of a body of the scene are.
fn positions(scene: &Scene, body: BodyId) -> &[[f64; 3]] {
    scene.positions(body).expect("a body of the scene")
}

/// Triangles of one body that collide, each once.
pub fn colliding(row: &FrameRow, body: BodyId) -> Vec<u32> {
    let mut hits: Vec<u32> = (row.triangle_pairs.iter())
        .flat_map(|c| [c.a, c.b])
        .filter(|t| t.body == body)
        .map(|t| t.id.0)
        .collect();
    hits.sort_unstable();
    hits.dedup();
    hits
}

/// The first frame, ghosted, with the triangles that are hit and the paths of the vertices that hit them.
pub fn step(common: &Common, scene: &Scene, ends: &[Vec<[f64; 3]>], report: &crate::step::Report) -> Image {
    let path = |v: crumple::Element<crumple::VertexId>| {
        [positions(scene, v.body)[v.id.index()], ends[v.body.index()][v.id.index()]]
    };
    let edges = report.edge_edges.iter().flat_map(|e| [e.a, e.b]);
    let ends_of = edges.flat_map(|e| e.id.map(|id| crumple::Element { body: e.body, id }));
    let paths: Vec<[[f64; 3]; 2]> =
        report.vertex_triangles.iter().map(|i| i.vertex).chain(ends_of).map(path).collect();
    let tips: Vec<[f64; 3]> = paths.iter().map(|p| p[1]).collect();
    let hit: Vec<Vec<u32>> = (scene.bodies().body_ids())
        .map(|b| {
            report.vertex_triangles.iter().filter(|i| i.triangle.body == b).map(|i| i.triangle.id.0).collect()
        })
        .collect();
    let mut picture = canvas(common);
    for (b, body) in scene.bodies().meshes().iter().enumerate() {
        let surface = Surface::new(positions(scene, BodyId(b as u32)), corners(body)).color(palette::body(b));
        picture = picture.surface(surface.opacity(0.6).highlight(&hit[b]));
    }
    picture
        .lines(Lines::new(&paths).color(palette::HIGHLIGHT).see_through(0.6))
        .points(Points::new(&tips).color(palette::HIGHLIGHT_B).size(3.0))
        .legend(Legend::keys([
            (palette::HIGHLIGHT, "hit, and the paths of what hits"),
            (palette::HIGHLIGHT_B, "ends of paths"),
        ]))
        .caption(format!("{}: {}", names(scene), report.caption()))
        .render()
}

/// Bodies and their intersecting triangles at one time.
pub struct Moment {
    positions: Vec<Vec<[f64; 3]>>,
    hits: Vec<Vec<u32>>,
}

impl Moment {
    /// As the scene is now.
    pub fn now(scene: &mut Scene) -> Result<Self, crumple::Error> {
        let mut hits = vec![Vec::new(); scene.bodies().meshes().len()];
        for contact in &scene.contacts()? {
            [contact.a, contact.b].iter().for_each(|t| hits[t.body.index()].push(t.id.0));
        }
        let positions = scene.current_frame().iter().map(|p| (0..p.len()).map(|v| p.get(v)).collect());
        Ok(Self { positions: positions.collect(), hits })
    }
}

/// Bodies before, and beside them after, with what crosses highlighted.
pub fn untangle(common: &Common, scene: &Scene, before: &Moment, after: &Moment, caption: String) -> Image {
    // Beside: along the longest side that is not upright.
    let up = common.upward();
    let (mut low, mut high) = ([f64::INFINITY; 3], [f64::NEG_INFINITY; 3]);
    for p in before.positions.iter().flatten() {
        (0..3).for_each(|k| (low[k], high[k]) = (low[k].min(p[k]), high[k].max(p[k])));
    }
    let level = (0..3).filter(|&k| up[k] == 0.0);
    let axis = level.max_by(|&i, &j| (high[i] - low[i]).total_cmp(&(high[j] - low[j]))).unwrap_or(0);
    let aside = 1.15 * (high[axis] - low[axis]).max(0.0);
    let mut moved = after.positions.clone();
    moved.iter_mut().flatten().for_each(|p| p[axis] += aside);
    let mut picture = canvas(common).caption(caption);
    for (positions, hits) in [(&before.positions, &before.hits), (&moved, &after.hits)] {
        for (b, body) in scene.bodies().meshes().iter().enumerate() {
            let surface = Surface::new(&positions[b], corners(body)).color(palette::body(b));
            picture = picture.surface(surface.highlight(&hits[b]));
        }
    }
    picture.legend(Legend::keys([(palette::HIGHLIGHT, "crosses (before, and beside it after)")])).render()
}

/// Bodies, ghosted, with a short line across every gap.
pub fn proximity(common: &Common, scene: &Scene, report: &crate::proximity::Report) -> Image {
    let at = |body: BodyId, v: crumple::VertexId| positions(scene, body)[v.index()];
    let across = |from: [f64; 3], normal: [f64; 3], distance: f64| {
        [from, std::array::from_fn(|k| from[k] - distance * normal[k])]
    };
    let vertices =
        report.vertex_triangles.iter().map(|p| across(at(p.vertex.body, p.vertex.id), p.normal, p.distance));
    let edges = report.edge_edges.iter().map(|p| {
        let [v, w] = p.a.id.map(|id| at(p.a.body, id));
        let from = std::array::from_fn(|k| (1.0 - p.weights[0]) * v[k] + p.weights[0] * w[k]);
        across(from, p.normal, p.distance)
    });
    let gaps: Vec<[[f64; 3]; 2]> = vertices.chain(edges).collect();
    let starts: Vec<[f64; 3]> = gaps.iter().map(|g| g[0]).collect();
    let mut picture = canvas(common);
    for (b, body) in scene.bodies().meshes().iter().enumerate() {
        let surface = Surface::new(positions(scene, BodyId(b as u32)), corners(body)).color(palette::body(b));
        picture = picture.surface(surface.opacity(0.5));
    }
    picture
        .lines(Lines::new(&gaps).color(palette::HIGHLIGHT).see_through(0.8))
        .points(Points::new(&starts).color(palette::HIGHLIGHT).size(2.5).see_through(0.8))
        .caption(format!(
            "{}: {} vertex-triangle and {} edge-edge pairs are close",
            names(scene),
            report.vertex_triangles.len(),
            report.edge_edges.len()
        ))
        .render()
}

/// A ghosted surface with the points inside and outside.
pub fn inside(common: &Common, scene: &Scene, inside: &[bool]) -> Image {
    let colors: Vec<Color> =
        inside.iter().map(|&i| if i { palette::HIGHLIGHT } else { palette::STRUCTURE }).collect();
    let surface = Surface::new(positions(scene, BodyId(0)), corners(&scene.bodies().meshes()[0]))
        .color(palette::body(0))
        .opacity(0.25);
    let count = inside.iter().filter(|i| **i).count();
    canvas(common)
        .surface(surface)
        .points(Points::new(positions(scene, BodyId(1))).colors(&colors))
        .legend(Legend::keys([(palette::HIGHLIGHT, "inside"), (palette::STRUCTURE, "outside")]))
        .caption(format!("{}: {count} of {} points are inside", names(scene), inside.len()))
        .render()
}

/// Two ghosted surfaces, what they share, its box and its centre.
pub fn overlap(
    common: &Common,
    scene: &Scene,
    found: &Overlap,
    shared: Option<&IntersectionSurface>,
) -> Image {
    let boxes: Vec<[[f64; 3]; 2]> = found.bounds.into_iter().collect();
    let centre: Vec<[f64; 3]> = found.centroid.into_iter().collect();
    let shown = shared.map(swollen);
    ghosts(common, scene, shown.as_ref())
        .boxes(Boxes::new(&boxes).color(palette::HIGHLIGHT))
        .points(Points::new(&centre).color(palette::HIGHLIGHT).see_through(1.0))
        .caption(format!(
            "{}: shared volume {:.6}, between {:.6} and {:.6}",
            names(scene),
            found.volume,
            found.lower,
            found.upper
        ))
        .render()
}

/// A ghosted surface and the volume in which it overlaps itself.
pub fn self_overlap(
    common: &Common,
    scene: &Scene,
    found: &SelfOverlap,
    shared: Option<&IntersectionSurface>,
) -> Image {
    let shown = shared.map(swollen);
    ghosts(common, scene, shown.as_ref())
        .caption(format!(
            "{} overlaps itself in a volume of {:.6}, between {:.6} and {:.6}",
            names(scene),
            found.volume,
            found.lower,
            found.upper
        ))
        .render()
}

/// A surface moved out by a tenth of a cell, so that it is seen before the bodies' surfaces on which it lies.
pub fn swollen(surface: &IntersectionSurface) -> IntersectionSurface {
    let mut out = surface.clone();
    let mut normals = vec![[0.0; 3]; surface.positions.len()];
    for t in &surface.triangles {
        let [a, b, c] = t.map(|v| surface.positions[v as usize]);
        let [u, v]: [[f64; 3]; 2] = [b, c].map(|p| std::array::from_fn(|k| p[k] - a[k]));
        for corner in t {
            for k in 0..3 {
                let (i, j) = ((k + 1) % 3, (k + 2) % 3);
                normals[*corner as usize][k] += u[i] * v[j] - u[j] * v[i];
            }
        }
    }
    for (p, n) in out.positions.iter_mut().zip(&normals) {
        let length = n.iter().map(|x| x * x).sum::<f64>().sqrt();
        if length > 0.0 {
            *p = std::array::from_fn(|k| p[k] + 0.1 * surface.cell[k] * n[k] / length);
        }
    }
    out
}

/// All bodies, seen through, with a volume in them.
fn ghosts<'a>(common: &Common, scene: &'a Scene, volume: Option<&'a IntersectionSurface>) -> Picture<'a> {
    let mut picture = canvas(common);
    if let Some(volume) = volume.filter(|v| !v.triangles.is_empty()) {
        picture =
            picture.surface(Surface::new(&volume.positions, &volume.triangles).color(palette::HIGHLIGHT));
    }
    for (b, body) in scene.bodies().meshes().iter().enumerate() {
        picture = picture.surface(
            Surface::new(positions(scene, BodyId(b as u32)), corners(body))
                .color(palette::body(b))
                .opacity(0.4),
        );
    }
    picture
}

/// Two surfaces, the shortest connection and the two triangles at its ends; and, level after level, lines between the
/// regions that the search for it compared.
pub fn distance(common: &Common, scene: &Scene, found: &Distance, compared: &Drawing) -> Image {
    let ends = [[found.a.point, found.b.point]];
    let points = [found.a.point, found.b.point];
    let hit = [found.a.triangle, found.b.triangle].map(|t| [t.0]);
    let levels: Vec<([[f64; 3]; 2], u8)> = (compared.lines.iter())
        .filter_map(|(p, q, tone)| match tone {
            Tone::Level(level) => Some(([*p, *q], *level)),
            _ => None,
        })
        .collect();
    let lines: Vec<[[f64; 3]; 2]> = levels.iter().map(|l| l.0).collect();
    let line_colors: Vec<Color> = levels.iter().map(|l| color(Tone::Level(l.1))).collect();
    let deepest = levels.iter().map(|l| l.1).max();
    let keys = (0..deepest.map_or(0, |d| d + 1)).map(|d| (color(Tone::Level(d)), format!("level {}", d + 1)));
    let keys: Vec<(Color, String)> = keys.collect();
    let mut picture = canvas(common);
    for (b, body) in scene.bodies().meshes().iter().enumerate() {
        let surface = Surface::new(positions(scene, BodyId(b as u32)), corners(body))
            .color(palette::body(b))
            .opacity(0.75);
        picture = picture.surface(surface.highlight_in(palette::NEAR, &hit[b]));
    }
    if !keys.is_empty() {
        picture = picture.legend(Legend::keys(keys.iter().map(|(color, text)| (*color, text.as_str()))));
    }
    picture
        .lines(Lines::new(&lines).colors(&line_colors).see_through(0.6))
        .lines(Lines::new(&ends).color(palette::HIGHLIGHT).see_through(1.0))
        .points(Points::new(&points).color(palette::HIGHLIGHT).see_through(1.0))
        .caption(format!("{}: distance {}", names(scene), found.distance))
        .render()
}
