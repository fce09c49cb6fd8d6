//! Which corners are inside, and the numbers of the vertices on edges between inside and outside.
//!
//! Corners are bits, 64 along z to a word. A vertex lies on an edge whose ends differ; vertices are numbered by the word
//! of the edge's lower end, then by direction, then by bit. So nothing is kept but a count per word: exclusive-or tells
//! which edges are cut, and counting bits which number a vertex has.

use super::CornerGrid;
use super::rays::{DIRECTIONS, Direction, Rays, UP, along};
use crate::geometry::Point;
use crate::parallel;

/// Vertices keep this share of an edge away from its ends.
pub(crate) const MARGIN: f64 = 1.0 / 1024.0;

/// A vertex on a cut edge.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct CutVertex {
    pub at: Point,
    /// That of the triangle which is crossed, outward and of length 1; zero where it is not known.
    pub normal: Point,
}

/// A direction in cells.
fn direction_of(direction: Direction) -> Point {
    std::array::from_fn(|k| along(direction, k) as f64)
}

/// The corners of a grid.
#[derive(Debug)]
pub(crate) struct Corners {
    /// Along each axis.
    pub counts: [u32; 3],
    /// Words of a column.
    pub words: usize,
    /// Columns of a row and one more, which is empty, as is a row at the end.
    across: usize,
    bits: Vec<u64>,
    /// The number of the first vertex of each word, and the total last.
    starts: Vec<u32>,
}

impl Corners {
    /// The corners that lie in stretches of rays along z. The outermost are outside, whatever the rays say, so that the
    /// surface closes: they lie beyond the box of a body.
    pub fn new(grid: &CornerGrid, up: &Rays) -> Self {
        debug_assert_eq!(up.image.direction, UP);
        let counts = grid.counts;
        let words = counts[2].div_ceil(64) as usize;
        let across = counts[0] as usize + 1;
        let len = across * (counts[1] as usize + 1) * words;
        let mut corners = Self { counts, words, across, bits: vec![0; len], starts: Vec::new() };
        for y in 1..counts[1] - 1 {
            for x in 1..counts[0] - 1 {
                let first = corners.column(x, y);
                for range in up.inside([x, y, 0]) {
                    for z in range.start.max(1)..range.end.min(counts[2] - 1) {
                        corners.bits[first + z as usize / 64] |= 1 << (z % 64);
                    }
                }
            }
        }
        corners.number();
        corners
    }

    fn number(&mut self) {
        let mut sum = 0;
        let mut starts = Vec::with_capacity(self.bits.len() + 1);
        for y in 0..=self.counts[1] {
            for x in 0..=self.counts[0] {
                for word in 0..self.words {
                    starts.push(sum);
                    // Beyond the last column and row all is outside.
                    if x < self.counts[0] && y < self.counts[1] {
                        sum += DIRECTIONS.map(|d| self.cut([x, y], word, d).count_ones()).sum::<u32>();
                    }
                }
            }
        }
        starts.push(sum);
        self.starts = starts;
    }

    /// The place of a column's first word.
    #[inline(always)]
    fn column(&self, x: u32, y: u32) -> usize {
        (y as usize * self.across + x as usize) * self.words
    }

    /// The corners of a word of column (x, y) that are inside, or those one step along a direction from them.
    #[inline(always)]
    pub fn word(&self, [x, y]: [u32; 2], word: usize, step: Direction) -> u64 {
        let column = self.column(x + along(step, 0) as u32, y + along(step, 1) as u32);
        let bits = self.bits[column + word];
        if along(step, 2) == 0 {
            return bits;
        }
        let next = if word + 1 < self.words { self.bits[column + word + 1] } else { 0 };
        bits >> 1 | next << 63
    }

    /// A number for each corner, in the order of words.
    pub fn index(&self, [x, y, z]: [u32; 3]) -> usize {
        self.column(x, y) * 64 + z as usize
    }

    /// How many numbers there are.
    pub fn indices(&self) -> usize {
        self.bits.len() * 64
    }

    /// The corners of a word whose edges along a direction are cut.
    #[inline(always)]
    fn cut(&self, column: [u32; 2], word: usize, direction: Direction) -> u64 {
        self.word(column, word, 0) ^ self.word(column, word, direction)
    }

    /// Number of vertices.
    pub fn vertices(&self) -> usize {
        self.starts.last().map_or(0, |&n| n as usize)
    }

    /// The number of the first vertex on edges of a direction from corners of a word.
    #[inline(always)]
    fn first(&self, column: [u32; 2], word: usize, direction: Direction) -> u32 {
        let before = (1..direction).map(|d| self.cut(column, word, d).count_ones()).sum::<u32>();
        self.starts[self.column(column[0], column[1]) + word] + before
    }

    /// The vertex on the cut edge along a direction from a corner.
    #[inline(always)]
    pub fn vertex(&self, [x, y, z]: [u32; 3], direction: Direction) -> u32 {
        let word = z as usize / 64;
        let cut = self.cut([x, y], word, direction);
        self.first([x, y], word, direction) + (cut & ((1 << (z % 64)) - 1)).count_ones()
    }

    /// Puts the vertices on edges of one direction where the rays cross the surface. `normal` is that of a triangle.
    pub fn put_vertices(
        &self,
        grid: &CornerGrid,
        rays: &Rays,
        normal: &(dyn Fn(u32) -> Point + Sync),
        vertices: &mut [CutVertex],
    ) {
        let direction = rays.image.direction;
        // Vertices of a row follow each other.
        let mut rows = Vec::new();
        let mut rest = vertices;
        for y in 0..self.counts[1] {
            let [first, end] = [y, y + 1].map(|y| self.starts[self.column(0, y)]);
            let (row, more) = rest.split_at_mut((end - first) as usize);
            rows.push((y, first, row));
            rest = more;
        }
        parallel::for_each(&mut rows, |_, (y, first_of_row, row)| {
            for x in 0..self.counts[0] {
                for word in 0..self.words {
                    let mut cut = self.cut([x, *y], word, direction);
                    if cut == 0 {
                        continue;
                    }
                    let inside = self.word([x, *y], word, 0);
                    let mut vertex = (self.first([x, *y], word, direction) - *first_of_row) as usize;
                    while cut != 0 {
                        let bit = cut.trailing_zeros();
                        let corner = [x, *y, word as u32 * 64 + bit];
                        let is_inside = inside >> bit & 1 == 1;
                        let crossing = rays.crossing(corner, is_inside);
                        let t = crossing.at.clamp(MARGIN, 1.0 - MARGIN);
                        let step = direction_of(direction);
                        row[vertex] = CutVertex {
                            at: grid.world(std::array::from_fn(|k| f64::from(corner[k]) + t * step[k])),
                            normal: crossing.triangle.map_or([0.0; 3], |t| {
                                let n = normal(t);
                                // From inside to outside.
                                let slope: f64 = (0..3).map(|k| n[k] * step[k] * grid.cell[k]).sum();
                                if (slope > 0.0) == is_inside { n } else { n.map(|x| -x) }
                            }),
                        };
                        vertex += 1;
                        cut &= cut - 1;
                    }
                }
            }
        });
    }
}
