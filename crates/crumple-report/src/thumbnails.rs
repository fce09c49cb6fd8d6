//! Small pictures of the worst places, by our own renderer: they are there without a script and before anything is
//! unpacked.

use std::collections::BTreeMap;

use crumple::Mesh;
use crumple_io::picture::{Picture, Points, Surface, View, palette};

use crate::places::{FramePlaces, PlaceRow};

/// What a frame looked like, kept while it is among the worst.
#[derive(Debug)]
pub(crate) struct Snapshot {
    /// Rank of the frame among the recorded ones.
    pub frame: usize,
    pub hits: usize,
    pub positions: Vec<Vec<[f64; 3]>>,
    /// Colliding triangles of each body.
    marked: BTreeMap<u32, Vec<u32>>,
    inside: Vec<[f64; 3]>,
}

/// A picture of one place.
#[derive(Debug)]
pub(crate) struct Thumbnail {
    pub frame: usize,
    pub place: usize,
    pub png: Vec<u8>,
}

/// Pixels of a thumbnail.
pub(crate) const SIZE: [u32; 2] = [384, 288];

impl Snapshot {
    pub fn new(frame: usize, hits: usize, positions: Vec<Vec<[f64; 3]>>, found: &FramePlaces) -> Self {
        let mut marked: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
        found.marks.iter().for_each(|m| marked.entry(m.body).or_default().push(m.triangle));
        marked.values_mut().for_each(|t| {
            t.sort_unstable();
            t.dedup();
        });
        let inside = found.vertices.iter().map(|(b, v, ..)| positions[b.index()][v.index()]).collect();
        Self { frame, hits, positions, marked, inside }
    }

    /// A close-up of a place.
    pub fn draw(&self, meshes: &[Mesh], place: (usize, &PlaceRow), up: [f64; 3]) -> Thumbnail {
        let (k, row) = place;
        let reach = 1.2 * row.size.max(0.04 * self.diagonal());
        let low = row.centre.map(|x| x - 0.5 * reach);
        let high = row.centre.map(|x| x + 0.5 * reach);
        let mut picture =
            Picture::new(SIZE[0], SIZE[1]).floor(false).view(View::auto().up(up).focus(low, high));
        for (b, (mesh, positions)) in meshes.iter().zip(&self.positions).enumerate() {
            let triangles: &[[u32; 3]] = bytemuck::cast_slice(mesh.triangles());
            let marked = self.marked.get(&(b as u32)).map_or(&[][..], |t| t);
            let surface = Surface::new(positions, triangles).color(palette::body(b)).highlight(marked);
            picture = picture.surface(if self.inside.is_empty() { surface } else { surface.opacity(0.4) });
        }
        let png = picture.points(Points::new(&self.inside).color(palette::HIGHLIGHT)).render().to_png();
        Thumbnail { frame: self.frame, place: k, png }
    }

    fn diagonal(&self) -> f64 {
        let (mut low, mut high) = ([f64::INFINITY; 3], [f64::NEG_INFINITY; 3]);
        for p in self.positions.iter().flatten() {
            for k in 0..3 {
                (low[k], high[k]) = (low[k].min(p[k]), high[k].max(p[k]));
            }
        }
        (0..3).map(|k| (high[k] - low[k]).powi(2)).sum::<f64>().sqrt()
    }
}
