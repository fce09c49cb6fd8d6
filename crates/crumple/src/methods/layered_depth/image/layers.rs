//! Layers: where the rays of an image cross a body's surface.

use super::super::lattice::Lattice;
use crate::TriangleId;

/// One crossing of a ray and a surface.
///
/// Layers of a ray are in the order of their fields: by depth, entries before exits, then by triangle (H-A5). So equal
/// surfaces give equal lists, whoever draws them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Layer {
    /// Depth in lattice units, rounded down.
    pub depth: i32,
    /// The triangle, and 2^31 more where the ray leaves the body.
    pub tag: u32,
}

/// The bit of a tag that is set on leaving.
const LEAVES: u32 = 1 << 31;

impl Layer {
    /// An entry where `step` is 1, an exit where it is −1. Triangles count below 2^31.
    #[inline(always)]
    pub fn new(depth: i32, triangle: TriangleId, step: i32) -> Self {
        debug_assert!(triangle.0 < LEAVES);
        Self { depth, tag: triangle.0 | if step < 0 { LEAVES } else { 0 } }
    }

    /// One number in the order of the fields.
    #[inline(always)]
    fn key(self) -> i64 {
        i64::from(self.depth) << 32 | i64::from(self.tag)
    }

    /// The triangle that is crossed, its number within the body.
    #[inline(always)]
    pub fn triangle(self) -> TriangleId {
        TriangleId(self.tag & !LEAVES)
    }

    /// Whether the ray enters the body here.
    #[inline(always)]
    pub fn is_entry(self) -> bool {
        self.tag & LEAVES == 0
    }

    /// What the winding number gains here: 1 at an entry, −1 at an exit.
    #[inline(always)]
    pub fn winding(self) -> i32 {
        1 - 2 * (self.tag >> 31) as i32
    }
}

/// The layered depth image of one body (H7): for every pixel of a [`Lattice`] the crossings of its centre ray.
///
/// A ray runs through the whole body, also below and above the volume of interest, so that the winding number is known
/// where the ray enters that volume and so that each ray can be checked: a closed surface is entered as often as left.
#[derive(Debug, Clone, PartialEq)]
pub struct Layers {
    lattice: Lattice,
    /// First layer of each column, and the total last.
    pub(crate) starts: Vec<u32>,
    pub(crate) layers: Vec<Layer>,
}

/// Why arrays are not the layers of an image.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadLayers {
    /// There must be one start per pixel and the total at the end.
    #[error("{starts} starts for {columns} pixels; there must be one more than pixels")]
    Starts {
        /// Starts given.
        starts: usize,
        /// Pixels of the lattice.
        columns: usize,
    },
    /// Starts must begin at 0, never fall, and end with the number of layers.
    #[error(
        "the layers of pixel {column} do not follow those of the pixel before, or do not end with the last layer"
    )]
    Order {
        /// The first such pixel.
        column: usize,
    },
    /// Two images of different lattices cannot be laid over each other.
    #[error("the two images have different lattices")]
    Lattices,
}

impl Layers {
    /// Layers that were made elsewhere: those of column `c` (see [`Lattice::column`]) are
    /// `layers[starts[c]..starts[c + 1]]`, in any order.
    pub fn from_parts(lattice: Lattice, starts: Vec<u32>, layers: Vec<Layer>) -> Result<Self, BadLayers> {
        if starts.len() != lattice.columns() + 1 {
            return Err(BadLayers::Starts { starts: starts.len(), columns: lattice.columns() });
        }
        if starts[0] != 0 {
            return Err(BadLayers::Order { column: 0 });
        }
        if let Some(column) = starts.windows(2).position(|w| w[0] > w[1]) {
            return Err(BadLayers::Order { column });
        }
        if starts.last().is_none_or(|&end| end as usize != layers.len()) {
            return Err(BadLayers::Order { column: lattice.columns() - 1 });
        }
        let mut image = Self { lattice, starts, layers };
        image.sort();
        Ok(image)
    }

    /// An image without layers.
    pub fn empty(lattice: Lattice) -> Self {
        Self { starts: vec![0; lattice.columns() + 1], layers: Vec::new(), lattice }
    }

    /// Forgets all layers and takes another lattice.
    pub(crate) fn reset(&mut self, lattice: Lattice) {
        self.lattice = lattice;
        self.layers.clear();
        self.starts.clear();
        self.starts.resize(lattice.columns() + 1, 0);
    }

    /// Puts every column in order.
    pub(crate) fn sort(&mut self) {
        for ends in self.starts.windows(2) {
            match &mut self.layers[ends[0] as usize..ends[1] as usize] {
                [] | [_] => {}
                // Most rays that meet a body meet it twice, in an unpredictable order: sorted branch-free.
                [a, b] => {
                    let (x, y) = (*a, *b);
                    let is_turned = y.key() < x.key();
                    (*a, *b) = (if is_turned { y } else { x }, if is_turned { x } else { y });
                }
                more => more.sort_unstable_by_key(|l| l.key()),
            }
        }
    }

    /// The lattice of the image.
    pub fn lattice(&self) -> &Lattice {
        &self.lattice
    }

    /// First layer of each column, and the total last.
    pub fn starts(&self) -> &[u32] {
        &self.starts
    }

    /// All layers, column after column.
    pub fn as_slice(&self) -> &[Layer] {
        &self.layers
    }

    /// The layers of a pixel, lowest first.
    pub fn of(&self, pixel: [u32; 2]) -> &[Layer] {
        self.column(self.lattice.column(pixel))
    }

    /// The layers of a column, lowest first.
    #[inline(always)]
    pub(crate) fn column(&self, column: usize) -> &[Layer] {
        &self.layers[self.starts[column] as usize..self.starts[column + 1] as usize]
    }

    /// Whether a layer lies in the volume of interest.
    #[inline(always)]
    fn is_in_volume(&self, layer: &Layer) -> bool {
        layer.depth >= 0 && layer.depth <= self.lattice.size[2]
    }

    /// Number of layers within the volume of interest.
    pub fn count(&self) -> usize {
        self.layers.iter().filter(|l| self.is_in_volume(l)).count()
    }

    /// Most layers on one ray within the volume of interest (n_max in the paper).
    pub fn depth_complexity(&self) -> u32 {
        let within = |c: usize| self.column(c).iter().filter(|l| self.is_in_volume(l)).count() as u32;
        (0..self.lattice.columns()).map(within).max().unwrap_or(0)
    }

    /// The pixels whose rays have more entries than exits or the reverse (H-A6). A closed surface has none; what such
    /// a ray says about inside and outside is worth nothing.
    pub fn unbalanced(&self) -> impl Iterator<Item = [u32; 2]> + '_ {
        let columns = 0..self.lattice.columns();
        columns
            .filter(|&c| self.column(c).iter().map(|l| l.winding()).sum::<i32>() != 0)
            .map(|c| self.pixel(c))
    }

    /// How many rays are [unbalanced](Self::unbalanced).
    pub fn unbalanced_rays(&self) -> usize {
        self.unbalanced().count()
    }

    /// The pixel of a column.
    #[inline]
    pub(crate) fn pixel(&self, column: usize) -> [u32; 2] {
        let across = self.lattice.resolution[0] as usize;
        [(column % across) as u32, (column / across) as u32]
    }

    /// The winding number of a pixel's ray at a depth; a layer at that very depth is taken as passed.
    pub fn winding(&self, pixel: [u32; 2], depth: i32) -> i32 {
        self.of(pixel).iter().take_while(|l| l.depth <= depth).map(|l| l.winding()).sum()
    }
}
