//! Pictures of answers.

use crumple::methods::layered_depth::Overlap;
use crumple::{Body, Distance, Mesh};
use crumple_io::picture::{Boxes, Color, Image, Legend, Lines, Picture, Points, Surface, palette};

use crate::check::FrameRow;
use crate::world::World;

const SIZE: (u32, u32) = (1200, 900);

/// The corners of a body's triangles as the renderer takes them.
pub fn corners(body: &Body) -> &[[u32; 3]] {
    bytemuck::cast_slice(body.triangle_list())
}

/// Bodies with their colliding triangles highlighted and the vertices inside tets as balls.
pub fn check(mesh: &Mesh, positions: &[Vec<[f64; 3]>], row: &FrameRow) -> Image {
    let hits: Vec<Vec<u32>> = (0..mesh.bodies().len() as u32).map(|b| colliding(row, b)).collect();
    let inside: Vec<[f64; 3]> =
        row.vertex_tets.iter().map(|c| positions[c.vertex[0] as usize][c.vertex[1] as usize]).collect();
    let mut picture = Picture::new(SIZE.0, SIZE.1).caption(row.verdict());
    for (b, body) in mesh.bodies().iter().enumerate() {
        let surface = Surface::new(&positions[b], corners(body)).color(palette::body(b)).highlight(&hits[b]);
        picture = picture.surface(if inside.is_empty() { surface } else { surface.opacity(0.35) });
        if corners(body).is_empty() {
            picture = picture.points(Points::new(&positions[b]).color(palette::body(b)));
        }
    }
    if !inside.is_empty() {
        picture = picture.points(Points::new(&inside).color(palette::HIGHLIGHT_B));
    }
    let keys =
        mesh.bodies().iter().enumerate().map(|(b, body)| (palette::body(b), body.name().to_owned())).take(6);
    let marks = [(palette::HIGHLIGHT, "colliding".to_owned())].into_iter().filter(|_| row.collides());
    picture.legend(Legend::keys(keys.chain(marks))).render()
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
pub fn inside(world: &World, inside: &[bool]) -> Image {
    let colors: Vec<Color> =
        inside.iter().map(|&i| if i { palette::HIGHLIGHT } else { palette::STRUCTURE }).collect();
    let surface = Surface::new(&world.positions[0], corners(&world.mesh.bodies()[0]))
        .color(palette::body(0))
        .opacity(0.25);
    let count = inside.iter().filter(|i| **i).count();
    Picture::new(SIZE.0, SIZE.1)
        .surface(surface)
        .points(Points::new(&world.positions[1]).colors(&colors))
        .legend(Legend::keys([(palette::HIGHLIGHT, "inside"), (palette::STRUCTURE, "outside")]))
        .caption(format!("{count} of {} points are inside", inside.len()))
        .render()
}

/// Two ghosted surfaces, the box of what they share and its centre.
pub fn overlap(world: &World, found: &Overlap) -> Image {
    let boxes: Vec<[[f64; 3]; 2]> = found.bounds.into_iter().collect();
    let centre: Vec<[f64; 3]> = found.centroid.into_iter().collect();
    let mut picture = Picture::new(SIZE.0, SIZE.1);
    for (b, body) in world.mesh.bodies().iter().enumerate() {
        picture = picture
            .surface(Surface::new(&world.positions[b], corners(body)).color(palette::body(b)).opacity(0.4));
    }
    picture
        .boxes(Boxes::new(&boxes).color(palette::HIGHLIGHT))
        .points(Points::new(&centre).color(palette::HIGHLIGHT).see_through(1.0))
        .caption(format!(
            "shared volume {:.6}, between {:.6} and {:.6}",
            found.volume, found.lower, found.upper
        ))
        .render()
}

/// Two surfaces, the shortest connection and the two triangles at its ends.
pub fn distance(world: &World, found: &Distance) -> Image {
    let ends = [[found.a.point, found.b.point]];
    let points = [found.a.point, found.b.point];
    let hit = [found.a.triangle, found.b.triangle].map(|t| [world.mesh.locate_triangle(t).1.0]);
    let mut picture = Picture::new(SIZE.0, SIZE.1);
    for (b, body) in world.mesh.bodies().iter().enumerate() {
        let surface = Surface::new(&world.positions[b], corners(body)).color(palette::body(b)).opacity(0.75);
        picture = picture.surface(surface.highlight_in(palette::NEAR, &hit[b]));
    }
    picture
        .lines(Lines::new(&ends).color(palette::HIGHLIGHT).see_through(1.0))
        .points(Points::new(&points).color(palette::HIGHLIGHT).see_through(1.0))
        .caption(format!("distance {}", found.distance))
        .render()
}
