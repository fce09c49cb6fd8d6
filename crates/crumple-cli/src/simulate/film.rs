//! A film: an animated PNG, which browsers and viewers play.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use crumple::VertexId;
use crumple_io::picture::{Edges, Picture, Points, Surface, View, palette};
use crumple_sim::Kind;
use crumple_sim::script::Script;

use crate::output;

const SIZE: [u32; 2] = [560, 420];
/// Most pictures of a film; longer runs show every so many frames.
const PICTURES: usize = 150;

/// Pictures so far.
pub struct Film {
    path: PathBuf,
    view: View,
    /// Frames from one picture to the next.
    every: usize,
    /// Seconds a picture is shown.
    delay: f64,
    pictures: Vec<Vec<u8>>,
}

impl Film {
    pub fn new(path: &Path, script: &Script, frames: usize) -> Result<Self> {
        if !["png", "apng"].iter().any(|e| output::has_extension(path, e)) {
            bail!("--film {}: films are animated PNG files; call it .png", path.display());
        }
        let every = (frames + 1).div_ceil(PICTURES).max(2);
        let look = script.look();
        let mut view = View::looking_from(look.from);
        let [low, high] = look.focus.unwrap_or_else(|| bounds(script));
        view = view.focus(low, high);
        Ok(Self {
            path: path.to_owned(),
            view,
            every,
            delay: every as f64 * script.seconds(),
            pictures: Vec::new(),
        })
    }

    /// Takes a picture, when it is time.
    pub fn shoot(&mut self, script: &Script, frame: usize) {
        if !frame.is_multiple_of(self.every) {
            return;
        }
        let world = script.world();
        let bodies: Vec<_> = world
            .bodies()
            .filter_map(|id| Some((world.mesh(id).ok()?, world.positions(id).ok()?, world.kind(id).ok()?)))
            .map(|(mesh, positions, kind)| {
                let triangles: Vec<[u32; 3]> =
                    mesh.triangles().iter().map(|t| t.map(|VertexId(v)| v)).collect();
                (triangles, positions, kind)
            })
            .collect();
        let mut picture = Picture::new(SIZE[0], SIZE[1])
            .view(self.view)
            .caption(format!("{}: frame {frame}, exact intersections 0", script.name()));
        picture = if frame == 0 || !script.is_crossed() {
            picture
        } else {
            picture.caption(format!("{}: frame {frame}, something intersects", script.name()))
        };
        for (k, (triangles, positions, kind)) in bodies.iter().enumerate() {
            picture = match kind {
                Kind::Particles(_) => picture.points(Points::new(positions).color(palette::body(k))),
                // Large triangles of a floor need no lines.
                Kind::Led(_) => picture
                    .surface(Surface::new(positions, triangles).color(palette::body(7)).edges(Edges::Hidden)),
                _ => picture.surface(Surface::new(positions, triangles).color(palette::body(k))),
            };
        }
        self.pictures.push(picture.render().pixels().to_vec());
    }

    /// Writes what was taken.
    pub fn save(self) -> Result<()> {
        let failed = |e: png::EncodingError| io::Error::other(e.to_string());
        let content = |out: &mut dyn Write| -> io::Result<()> {
            let mut encoder = png::Encoder::new(out, SIZE[0], SIZE[1]);
            encoder.set_color(png::ColorType::Rgb);
            encoder.set_depth(png::BitDepth::Eight);
            encoder.set_animated(self.pictures.len().max(1) as u32, 0).map_err(failed)?;
            encoder
                .set_frame_delay((1000.0 * self.delay).round().clamp(1.0, 6e4) as u16, 1000)
                .map_err(failed)?;
            let mut writer = encoder.write_header().map_err(failed)?;
            for picture in &self.pictures {
                writer.write_image_data(picture).map_err(failed)?;
            }
            writer.finish().map_err(failed)
        };
        Ok(crumple_io::write_file(&self.path, content)?)
    }
}

/// The box of all that moves, a little wider and down to the ground.
fn bounds(script: &Script) -> [[f64; 3]; 2] {
    let world = script.world();
    let mut low = [f64::INFINITY; 3];
    let mut high = [f64::NEG_INFINITY; 3];
    for id in world.bodies() {
        if let (Ok(positions), Ok(kind)) = (world.positions(id), world.kind(id))
            && !matches!(kind, Kind::Led(_))
        {
            for p in positions {
                (0..3).for_each(|k| (low[k], high[k]) = (low[k].min(p[k]), high[k].max(p[k])));
            }
        }
    }
    [low, high]
}
