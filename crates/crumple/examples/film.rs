//! A moving picture of what touches: a cloth over a breathing body, contacts in vermilion, as an animated PNG.
//!
//! `cargo run --release -p crumple --example film -- docs/film.png`

use std::fs::File;
use std::io::BufWriter;

use crumple::{Mesh, Scene};
use crumple_io::picture::{Image, Picture, Surface, View, palette};
use crumple_scenes::{Elements, bench};

const FRAMES: usize = 24;
const SIZE: [u32; 2] = [480, 360];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args().nth(1).unwrap_or("film.png".into());
    let stage = bench::drape("film", [56, 56], [72, 60], FRAMES);
    let mut scene = Scene::new();
    for body in &stage.bodies {
        let Elements::Triangles(triangles) = &body.elements else { continue };
        scene.add(Mesh::from_triangles(&body.name, body.vertices, triangles)?, &body.positions(0))?;
    }
    let mut images = Vec::new();
    for frame in 0..FRAMES {
        let ids: Vec<_> = scene.ids().collect();
        for (id, body) in ids.iter().zip(&stage.bodies) {
            scene.set_positions(*id, &body.positions(frame))?;
        }
        images.push(draw(&mut scene)?);
    }
    save(&path, &images)?;
    println!("{path}: {FRAMES} frames, {} bytes", std::fs::metadata(&path)?.len());
    Ok(())
}

/// One frame, always from the same place.
fn draw(scene: &mut Scene) -> Result<Image, crumple::Error> {
    let contacts = scene.contacts()?;
    let mut hits = vec![Vec::new(); scene.bodies().meshes().len()];
    contacts.iter().flat_map(|c| [c.a, c.b]).for_each(|t| hits[t.body.index()].push(t.id.0));
    let view = View::looking_from([1.0, -1.6, 0.9])
        .up([0.0, 0.0, 1.0])
        .focus([-1.25, -1.25, -0.95], [1.25, 1.25, 1.45]);
    let mut picture = Picture::new(SIZE[0], SIZE[1]).view(view);
    let triangles: Vec<Vec<[u32; 3]>> = (scene.bodies().meshes().iter())
        .map(|m| m.triangles().iter().map(|t| t.map(|v| v.0)).collect())
        .collect();
    for (b, id) in scene.ids().enumerate() {
        let surface = Surface::new(scene.positions(id)?, &triangles[b]).color(palette::body(b));
        picture = picture.surface(surface.highlight(&hits[b]));
    }
    Ok(picture.caption(format!("{} pairs of triangles touch", contacts.len())).render())
}

/// Twelve frames a second, over and over.
fn save(path: &str, images: &[Image]) -> Result<(), Box<dyn std::error::Error>> {
    let mut encoder = png::Encoder::new(BufWriter::new(File::create(path)?), SIZE[0], SIZE[1]);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_compression(png::Compression::High);
    encoder.set_animated(images.len() as u32, 0)?;
    encoder.set_frame_delay(1, 12)?;
    let mut writer = encoder.write_header()?;
    for image in images {
        // Six bits a colour look the same in motion and are half the size.
        let pixels: Vec<u8> = image.pixels().iter().map(|p| p & 0xfc | p >> 6).collect();
        writer.write_image_data(&pixels)?;
    }
    Ok(writer.finish()?)
}
