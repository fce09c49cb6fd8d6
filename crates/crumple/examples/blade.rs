//! A body of 50,400 tets that sways while a blade passes through it, 200 frames: cut a little further in each, followed, and
//! searched for contacts. The halves part behind the blade, close again, and are pressed into each other in the end.
//!
//! `cargo run --release -p crumple --example blade -- docs/blade.png`: a film-strip, and what a frame costs.

use std::fs::File;
use std::io::BufWriter;
use std::time::{Duration, Instant};

use crumple::cut::Blade;
use crumple::{BodyId, Mesh, Scene};
use crumple_io::picture::{Image, Picture, Surface, View, palette};
use crumple_scenes::shapes;

const FRAMES: usize = 200;
/// The frame in which the blade leaves the body.
const THROUGH: usize = 140;
const CELLS: [usize; 3] = [48, 15, 14];
/// A power of two, so that the middle of an edge across the plane of the cut lies on it to the bit.
const CELL: f64 = 1.0 / 16.0;
/// How far behind the blade's edge the sides begin to part: elements there are cut whole.
const TIP: f64 = 3.0 * CELL;
/// Frames that are drawn.
const DRAWN: [usize; 6] = [10, 50, 90, 130, 165, 199];
const SIZE: [u32; 2] = [300, 300];

/// The body at rest, and on which side of the cut each vertex is: 0 where it is not open.
struct Sides {
    rest: Vec<[f64; 3]>,
    side: Vec<f64>,
}

impl Sides {
    /// Where vertices are in a frame in which the blade's edge is at `edge`.
    fn at(&self, frame: usize, edge: f64) -> Vec<[f64; 3]> {
        let phase = 0.05 * frame as f64;
        // Opens while the blade moves, and closes from then on until the sides overlap.
        let late = frame.saturating_sub(THROUGH) as f64 / (FRAMES - THROUGH) as f64;
        let open = 0.18 * (1.0 - 1.15 * late);
        let place = |(p, side): (&[f64; 3], &f64)| {
            let behind = (edge - TIP - p[0]).max(0.0);
            let sway = 0.12 * (2.0 * p[0] + phase).sin();
            [p[0], p[1] + side * open * behind.min(1.0), p[2] + sway]
        };
        self.rest.iter().zip(&self.side).map(place).collect()
    }

    /// Follows a cut: new vertices, and the sides of those that are open now.
    fn follow(&mut self, cut: &crumple::cut::Incision) {
        cut.changes.extend_positions(&mut self.rest);
        self.side.resize(self.rest.len(), 0.0);
        for v in cut.seam.iter().flatten() {
            let round = cut.body.adjacency().tets_at(*v);
            let corners = round.iter().flat_map(|&t| cut.body.tet(t));
            let sum: f64 = corners.map(|w| self.rest[w.index()][1]).sum();
            self.side[v.index()] = sum.signum();
        }
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args().nth(1);
    let solid = shapes::tet_box(CELLS, CELLS.map(|n| n as f64 * CELL));
    // To the nearest half cell, exactly.
    let rest: Vec<[f64; 3]> =
        solid.positions.iter().map(|p| p.map(|x| (2.0 * x / CELL).round() * CELL / 2.0)).collect();
    let mesh = Mesh::from_tets("block", rest.len(), &solid.tets)?;
    let side = rest.iter().map(|p| p[1].signum()).collect();
    let (mut scene, mut sides) = (Scene::new(), Sides { rest, side });
    let id = scene.add(mesh, &sides.rest)?;
    let half = CELLS[0] as f64 * CELL / 2.0;
    let step = (2.0 * half + TIP) / THROUGH as f64;
    let (mut edge, mut images) = (-half, Vec::new());
    let (mut cutting, mut detecting) = (Vec::new(), Vec::new());
    let (mut touching, mut last) = (0, 0);
    for frame in 0..FRAMES {
        let start = Instant::now();
        if frame < THROUGH {
            let ends = [edge - TIP, edge + step].map(|x| [x, 0.0, -2.0]);
            let cut = scene.cut(id, &Blade::sweep(&ends, [0.0, 0.0, 4.0])?)?;
            sides.follow(&cut);
        }
        cutting.push(start.elapsed());
        edge += step;
        let positions = sides.at(frame, edge);
        let start = Instant::now();
        scene.set_positions(id, &positions)?;
        let (pairs, inside) = (scene.contacts()?.len(), scene.vertices_in_tets()?.len());
        detecting.push(start.elapsed());
        touching += usize::from(pairs > 0);
        last = pairs + inside;
        if path.is_some() && DRAWN.contains(&frame) {
            images.push(draw(&mut scene, id)?);
        }
    }
    let mesh = scene.mesh(id)?;
    println!("{} tets became {}; {FRAMES} frames", solid.tets.len(), mesh.tet_count());
    println!("cut: {}", summary(&mut cutting[..THROUGH]));
    println!("follow and detect: {}", summary(&mut detecting));
    println!("contacts in {touching} frames; {last} in the last, in which the sides are pressed together");
    match path {
        Some(path) => save(&path, &images),
        None => Ok(()),
    }
}

/// Mean, median and largest.
fn summary(times: &mut [Duration]) -> String {
    let ms = |t: Duration| 1e3 * t.as_secs_f64();
    let mean = ms(times.iter().sum()) / times.len() as f64;
    times.sort_unstable();
    let (middle, most) = (ms(times[times.len() / 2]), ms(times[times.len() - 1]));
    format!("{mean:.2} ms a frame, median {middle:.2}, at most {most:.2}")
}

fn draw(scene: &mut Scene, id: BodyId) -> Result<Image, crumple::Error> {
    let contacts = scene.contacts()?;
    let hits: Vec<u32> = contacts.iter().flat_map(|c| [c.a.id.0, c.b.id.0]).collect();
    let view =
        View::looking_from([-1.0, -0.9, 1.1]).up([0.0, 0.0, 1.0]).focus([-1.5, -0.7, -0.6], [1.5, 0.7, 0.6]);
    let triangles: Vec<[u32; 3]> = scene.mesh(id)?.triangles().iter().map(|t| t.map(|v| v.0)).collect();
    let surface = Surface::new(scene.positions(id)?, &triangles).color(palette::body(0)).highlight(&hits);
    Ok(Picture::new(SIZE[0], SIZE[1]).view(view).surface(surface).render())
}

/// The images side by side.
fn save(path: &str, images: &[Image]) -> Result<(), Box<dyn std::error::Error>> {
    let width = SIZE[0] * images.len() as u32;
    let mut encoder = png::Encoder::new(BufWriter::new(File::create(path)?), width, SIZE[1]);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_compression(png::Compression::High);
    let mut pixels = Vec::with_capacity(3 * (width * SIZE[1]) as usize);
    for y in 0..SIZE[1] as usize {
        let row = 3 * SIZE[0] as usize;
        images.iter().for_each(|image| pixels.extend_from_slice(&image.pixels()[y * row..(y + 1) * row]));
    }
    let mut writer = encoder.write_header()?;
    writer.write_image_data(&pixels)?;
    Ok(writer.finish()?)
}
