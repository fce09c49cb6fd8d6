//! Pictures of answers.

use crumple::methods::layered_depth::{IntersectionSurface, Overlap, SelfOverlap};
use crumple::{Bodies, Distance, Drawing, Mesh, Tone};
use crumple_io::picture::{
    Boxes, Color, ColorMap, Image, Legend, Lines, Picture, Points, Surface, View, palette,
};

use crate::args::Common;
use crate::check::FrameRow;
use crate::world::World;

/// An empty picture, upright as the user has it.
fn canvas<'a>(common: &Common) -> Picture<'a> {
    Picture::new(1200, 900).view(View::auto().up(common.up.direction()))
}

/// The corners of a body's triangles as the renderer takes them.
pub fn corners(body: &Mesh) -> &[[u32; 3]] {
    bytemuck::cast_slice(body.triangles())
}

/// Bodies with their colliding triangles highlighted, and the vertices inside tets as balls coloured by depth.
pub fn check(common: &Common, mesh: &Bodies, positions: &[Vec<[f64; 3]>], row: &FrameRow) -> Image {
    let hits: Vec<Vec<u32>> = (0..mesh.meshes().len() as u32).map(|b| colliding(row, b)).collect();
    let inside: Vec<[f64; 3]> =
        row.vertex_tets.iter().map(|c| positions[c.vertex[0] as usize][c.vertex[1] as usize]).collect();
    let depths: Vec<f64> = row.vertex_tets.iter().map(|c| c.depth).collect();
    let deepest = depths.iter().copied().fold(0.0, f64::max);
    let mut picture = canvas(common).caption(row.verdict());
    for (b, body) in mesh.meshes().iter().enumerate() {
        let surface = Surface::new(&positions[b], corners(body)).color(palette::body(b)).highlight(&hits[b]);
        picture = picture.surface(if inside.is_empty() { surface } else { surface.opacity(0.35) });
        if corners(body).is_empty() {
            picture = picture.points(Points::new(&positions[b]).color(palette::body(b)));
        }
    }
    let keys =
        mesh.meshes().iter().enumerate().map(|(b, body)| (palette::body(b), body.name().to_owned())).take(6);
    let marks = [(palette::HIGHLIGHT, "colliding".to_owned())].into_iter().filter(|_| row.collides());
    picture = picture.legend(Legend::keys(keys.chain(marks)));
    if !inside.is_empty() {
        picture = picture
            .points(Points::new(&inside).values(&depths, ColorMap::Ember, 0.0, deepest))
            .legend(Legend::bar("depth of vertices inside tets", ColorMap::Ember, 0.0, deepest));
    }
    picture.render()
}

/// Bodies with the method's structure: triangles by region, boxes, lines and points.
pub fn structure(common: &Common, mesh: &Bodies, positions: &[Vec<[f64; 3]>], drawing: &Drawing) -> Image {
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
    let mut picture = canvas(common);
    for (b, body) in mesh.meshes().iter().enumerate() {
        let surface = Surface::new(&positions[b], corners(body)).triangle_colors(&classes[b]);
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

/// Triangles of one body that collide, each once.
pub fn colliding(row: &FrameRow, body: u32) -> Vec<u32> {
    let mut hits: Vec<u32> = (row.triangle_pairs.iter())
        .flat_map(|&[ba, a, bb, b]| [(ba, a), (bb, b)])
        .filter(|(owner, _)| *owner == body)
        .map(|(_, t)| t)
        .collect();
    hits.sort_unstable();
    hits.dedup();
    hits
}

/// A ghosted surface with the points inside and outside.
pub fn inside(common: &Common, world: &World, inside: &[bool]) -> Image {
    let colors: Vec<Color> =
        inside.iter().map(|&i| if i { palette::HIGHLIGHT } else { palette::STRUCTURE }).collect();
    let surface = Surface::new(&world.positions[0], corners(&world.mesh.meshes()[0]))
        .color(palette::body(0))
        .opacity(0.25);
    let count = inside.iter().filter(|i| **i).count();
    canvas(common)
        .surface(surface)
        .points(Points::new(&world.positions[1]).colors(&colors))
        .legend(Legend::keys([(palette::HIGHLIGHT, "inside"), (palette::STRUCTURE, "outside")]))
        .caption(format!("{count} of {} points are inside", inside.len()))
        .render()
}

/// Two ghosted surfaces, what they share, its box and its centre.
pub fn overlap(
    common: &Common,
    world: &World,
    found: &Overlap,
    shared: Option<&IntersectionSurface>,
) -> Image {
    let boxes: Vec<[[f64; 3]; 2]> = found.bounds.into_iter().collect();
    let centre: Vec<[f64; 3]> = found.centroid.into_iter().collect();
    let shown = shared.map(swollen);
    ghosts(common, world, shown.as_ref())
        .boxes(Boxes::new(&boxes).color(palette::HIGHLIGHT))
        .points(Points::new(&centre).color(palette::HIGHLIGHT).see_through(1.0))
        .caption(format!(
            "shared volume {:.6}, between {:.6} and {:.6}",
            found.volume, found.lower, found.upper
        ))
        .render()
}

/// A ghosted surface and the volume in which it overlaps itself.
pub fn self_overlap(
    common: &Common,
    world: &World,
    found: &SelfOverlap,
    shared: Option<&IntersectionSurface>,
) -> Image {
    let shown = shared.map(swollen);
    ghosts(common, world, shown.as_ref())
        .caption(format!(
            "overlaps itself in a volume of {:.6}, between {:.6} and {:.6}",
            found.volume, found.lower, found.upper
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
fn ghosts<'a>(common: &Common, world: &'a World, volume: Option<&'a IntersectionSurface>) -> Picture<'a> {
    let mut picture = canvas(common);
    if let Some(volume) = volume.filter(|v| !v.triangles.is_empty()) {
        picture =
            picture.surface(Surface::new(&volume.positions, &volume.triangles).color(palette::HIGHLIGHT));
    }
    for (b, body) in world.mesh.meshes().iter().enumerate() {
        picture = picture
            .surface(Surface::new(&world.positions[b], corners(body)).color(palette::body(b)).opacity(0.4));
    }
    picture
}

/// Two surfaces, the shortest connection and the two triangles at its ends.
pub fn distance(common: &Common, world: &World, found: &Distance) -> Image {
    let ends = [[found.a.point, found.b.point]];
    let points = [found.a.point, found.b.point];
    let hit = [found.a.triangle, found.b.triangle].map(|t| [world.mesh.locate_triangle(t).1.0]);
    let mut picture = canvas(common);
    for (b, body) in world.mesh.meshes().iter().enumerate() {
        let surface = Surface::new(&world.positions[b], corners(body)).color(palette::body(b)).opacity(0.75);
        picture = picture.surface(surface.highlight_in(palette::NEAR, &hit[b]));
    }
    picture
        .lines(Lines::new(&ends).color(palette::HIGHLIGHT).see_through(1.0))
        .points(Points::new(&points).color(palette::HIGHLIGHT).see_through(1.0))
        .caption(format!("distance {}", found.distance))
        .render()
}
