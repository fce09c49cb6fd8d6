//! The vertices, own edges and triangles of a body's blocks as boxes, eight at a time.
//!
//! A box holds an element and whatever is within its reach, so that two elements can be close only where their boxes overlap, whatever
//! the distance is and whoever gives it: half of it to each side, half of each body's thickness, or what each vertex reaches.
//! Within a block elements are in an order in which eight that follow each other are neighbours, and so are boxes of such rows.

use super::super::bounds::Scale;
use super::super::regions::{Block, Regions};
use super::height_field::Borders;
use crate::Mesh;
use crate::geometry::Point;
use crate::geometry::simd::{self, F32x4, F32x8, Ids, Kernel, Row, Simd, multiversion};
use crate::methods::swept_bvh::hubs::is_crowded;

/// Vertices, edges and triangles of all blocks, block after block. A vertex or an edge belongs to the first block that has it.
#[derive(Debug, Clone, Default)]
pub(super) struct Elements {
    /// The mesh that the lists are of.
    mesh: Option<Mesh>,
    /// How often they were made.
    pub version: u64,
    /// The frame of the boxes, and the reach that all vertices have in them; none when each has its own.
    frame: u64,
    reach: Option<f64>,
    /// Whether very many triangles of the mesh meet in single vertices.
    pub is_crowded: bool,
    /// Where each vertex is, and how far it reaches, rounded up.
    pub images: Vec<[f32; 4]>,
    /// The furthest in each block.
    pub reaches: Vec<f32>,
    pub vertices: BoxRows<1>,
    pub edges: BoxRows<2>,
    pub triangles: BoxRows<3>,
    /// The ends of all edges, the smaller first, in order: an edge's id is its place here.
    pub ends: Vec<[u32; 2]>,
    /// What is round the regions.
    pub borders: Borders,
}

/// How far the vertices of a body reach.
#[derive(Clone, Copy)]
pub(super) enum VertexReach<'a> {
    /// All as far.
    All(f64),
    /// Each as far as its own number says.
    Each(&'a [f64]),
}

/// Elements with N corners as boxes: rows of eight, and groups of eight rows. A block begins with a row and a group of its own.
#[derive(Debug, Clone, Default)]
pub(super) struct BoxRows<const N: usize> {
    /// Eight ids a row; [`NONE`] fills the last row of a block.
    pub ids: Vec<u32>,
    /// Their corners, ids within the body, element by element and row by row; what fills a row repeats its last element.
    pub elements: Vec<[u32; N]>,
    pub corners: Vec<[Ids; N]>,
    /// Low and high corners of the boxes. What fills a row has a box that overlaps nothing.
    pub boxes: Vec<[Row; 6]>,
    /// The same of the rows, eight at a time.
    pub groups: Vec<[Row; 6]>,
    /// The first row and the first group of each block, and one past the last.
    pub first_row: Vec<u32>,
    pub first_group: Vec<u32>,
    /// The box of each block's elements.
    pub extents: Vec<Extent>,
}

/// No element.
pub(super) const NONE: u32 = u32::MAX;

/// Where no box is.
const AWAY: [Row; 6] = {
    let (low, high) = (Row([f32::INFINITY; 8]), Row([f32::NEG_INFINITY; 8]));
    [low, low, low, high, high, high]
};

/// A box.
#[derive(Debug, Clone, Copy)]
pub(super) struct Extent {
    pub low: [f32; 3],
    pub high: [f32; 3],
}

impl Extent {
    const EMPTY: Self = Self { low: [f32::INFINITY; 3], high: [f32::NEG_INFINITY; 3] };

    /// One of eight.
    #[inline(always)]
    pub fn of(boxes: &[Row; 6], lane: usize) -> Self {
        let [x, y, z, u, v, w] = boxes;
        Self { low: [x.0[lane], y.0[lane], z.0[lane]], high: [u.0[lane], v.0[lane], w.0[lane]] }
    }

    fn add(&mut self, other: &Self) {
        for k in 0..3 {
            self.low[k] = self.low[k].min(other.low[k]);
            self.high[k] = self.high[k].max(other.high[k]);
        }
    }
}

/// A place in the plane of a row, to bring neighbours together.
type Placed<const N: usize> = ([f32; 3], u32, [u32; N]);

impl Elements {
    /// Brings the boxes to the frame, to which the regions must have been refitted; positions are the body's own.
    pub fn follow(
        &mut self,
        mesh: &Mesh,
        regions: &Regions,
        (frame, scale): (u64, &Scale),
        positions: &[Point],
        reach: VertexReach<'_>,
    ) {
        let is_new = !self.mesh.as_ref().is_some_and(|m| m.is_same(mesh))
            || self.vertices.extents.len() != regions.blocks.len();
        let all = match reach {
            VertexReach::All(all) => Some(all),
            VertexReach::Each(_) => None,
        };
        if !is_new && self.frame == frame && all.is_some() && self.reach == all {
            return;
        }
        self.images.resize(positions.len(), [0.0; 4]);
        take_images(positions, scale, &mut self.images);
        match reach {
            VertexReach::All(all) => {
                let far = scale.limit(all);
                self.images.iter_mut().for_each(|image| image[3] = far);
            }
            VertexReach::Each(each) => {
                self.images.iter_mut().zip(each).for_each(|(image, &r)| image[3] = scale.limit(r));
            }
        }
        if is_new {
            self.deal_out(mesh, regions);
            self.version += 1;
            self.mesh = Some(mesh.clone());
        }
        let furthest = |block: &Block| {
            let slots = &regions.slots[block.first_chunk as usize..][..block.chunks.into()];
            slots.as_flattened().iter().map(|&v| self.images[v as usize][3]).fold(0.0, f32::max)
        };
        self.reaches.clear();
        if all.is_none() {
            self.reaches.extend(regions.blocks.iter().map(furthest));
        }
        let (images, is_same) = (&self.images[..], all.is_some());
        simd::dispatch(Fill { rows: &mut self.vertices, images, is_same });
        simd::dispatch(Fill { rows: &mut self.edges, images, is_same });
        simd::dispatch(Fill { rows: &mut self.triangles, images, is_same });
        (self.frame, self.reach) = (frame, all);
    }

    /// Gives every vertex and every edge to a block. An edge from a vertex to itself is none.
    fn deal_out(&mut self, mesh: &Mesh, regions: &Regions) {
        self.is_crowded = is_crowded(mesh);
        self.borders = Borders::new(regions);
        let owned = self.own_edges(mesh.vertex_count(), regions);
        let Self { images, ends, vertices, edges, triangles, .. } = self;
        vertices.clear();
        edges.clear();
        triangles.clear();
        let (mut own_vertices, mut own_edges, mut own_triangles) = (Vec::new(), Vec::new(), Vec::new());
        for (block, owned) in regions.blocks.iter().zip(&owned) {
            own_vertices.clear();
            own_vertices.extend(
                (0..block.own).map(|slot| regions.vertex(block, slot.into())).map(|v| placed(images, v, [v])),
            );
            vertices.push_block(&mut own_vertices);
            own_edges.clear();
            own_edges.extend(owned.iter().map(|&rank| placed(images, rank, ends[rank as usize])));
            edges.push_block(&mut own_edges);
            own_triangles.clear();
            let ids = &regions.triangles[block.first as usize..][..block.count.into()];
            own_triangles.extend(
                ids.iter().zip(corners(regions, block)).map(|(&id, corners)| placed(images, id, corners)),
            );
            triangles.push_block(&mut own_triangles);
        }
    }

    /// Lists all edges, and yields those of each block.
    fn own_edges(&mut self, vertices: usize, regions: &Regions) -> Vec<Vec<u32>> {
        // The larger end and the block of every side of every triangle, by the smaller end.
        let mut first = vec![0u32; vertices + 2];
        let sides = || {
            regions.blocks.iter().enumerate().flat_map(|(b, block)| {
                let sides = corners(regions, block).flat_map(|[p, q, r]| [[p, q], [q, r], [r, p]]);
                sides.filter(|[v, w]| v != w).map(move |[v, w]| (v.min(w), v.max(w), b as u32))
            })
        };
        sides().for_each(|(v, _, _)| first[v as usize + 2] += 1);
        for v in 2..first.len() {
            first[v] += first[v - 1];
        }
        let mut others = vec![(0u32, 0u32); first[vertices + 1] as usize];
        for (v, w, b) in sides() {
            let next = &mut first[v as usize + 1];
            others[*next as usize] = (w, b);
            *next += 1;
        }
        self.ends.clear();
        let mut owned = vec![Vec::new(); regions.blocks.len()];
        for v in 0..vertices {
            let row = &mut others[first[v] as usize..first[v + 1] as usize];
            row.sort_unstable();
            let mut last = None;
            for &mut (w, b) in row {
                if last != Some(w) {
                    owned[b as usize].push(self.ends.len() as u32);
                    self.ends.push([v as u32, w]);
                    last = Some(w);
                }
            }
        }
        owned
    }

    /// The id of an edge, the smaller end first.
    pub fn edge(&self, ends: [u32; 2]) -> Option<u32> {
        self.ends.binary_search(&ends).ok().map(|rank| rank as u32)
    }
}

/// The corners of a block's triangles, ids within the body.
fn corners<'a>(regions: &'a Regions, block: &'a Block) -> impl Iterator<Item = [u32; 3]> + 'a {
    regions.corners(block).iter().map(|corners| corners.map(|slot| regions.vertex(block, slot.into())))
}

/// An element with its centre, times the number of corners.
fn placed<const N: usize>(images: &[[f32; 4]], id: u32, corners: [u32; N]) -> Placed<N> {
    let mut sum = [0.0; 3];
    for v in corners {
        (0..3).for_each(|k| sum[k] += images[v as usize][k]);
    }
    (sum, id, corners)
}

/// Brings neighbours together: halves, across the longest side of their centres' box, until a row is left. Halves are whole rows.
fn order<const N: usize>(elements: &mut [Placed<N>]) {
    if elements.len() <= 8 {
        return elements.sort_unstable_by_key(|e| e.1);
    }
    let (mut low, mut high) = ([f32::INFINITY; 3], [f32::NEG_INFINITY; 3]);
    for (at, ..) in elements.iter() {
        for k in 0..3 {
            (low[k], high[k]) = (low[k].min(at[k]), high[k].max(at[k]));
        }
    }
    let axis = (0..3).fold(0, |best, k| if high[k] - low[k] > high[best] - low[best] { k } else { best });
    let middle = elements.len().div_ceil(8).div_ceil(2) * 8;
    elements.select_nth_unstable_by(middle - 1, |p, q| p.0[axis].total_cmp(&q.0[axis]).then(p.1.cmp(&q.1)));
    let (left, right) = elements.split_at_mut(middle);
    order(left);
    order(right);
}

impl<const N: usize> BoxRows<N> {
    fn clear(&mut self) {
        self.ids.clear();
        self.elements.clear();
        self.corners.clear();
        self.first_row.clear();
        self.first_row.push(0);
        self.first_group.clear();
        self.first_group.push(0);
        self.extents.clear();
        self.boxes.clear();
        self.groups.clear();
    }

    /// Adds the elements of the next block.
    fn push_block(&mut self, elements: &mut [Placed<N>]) {
        order(elements);
        for eight in elements.chunks(8) {
            let element = |i: usize| &eight[i.min(eight.len() - 1)];
            self.ids.extend((0..8).map(|i| eight.get(i).map_or(NONE, |e| e.1)));
            self.elements.extend((0..8).map(|i| element(i).2));
            self.corners.push(std::array::from_fn(|c| Ids(std::array::from_fn(|i| element(i).2[c]))));
            self.boxes.push(AWAY);
        }
        let rows = elements.len().div_ceil(8);
        self.groups.resize(self.groups.len() + rows.div_ceil(8), AWAY);
        self.first_row.push(self.corners.len() as u32);
        self.first_group.push(self.groups.len() as u32);
        self.extents.push(Extent::EMPTY);
    }

    /// The rows of a block.
    pub fn rows(&self, block: usize) -> std::ops::Range<usize> {
        self.first_row[block] as usize..self.first_row[block + 1] as usize
    }

    /// How many elements of a row there are.
    #[inline(always)]
    pub fn count(&self, row: usize) -> usize {
        let ids = &self.ids[8 * row..8 * row + 8];
        if ids[7] != NONE { 8 } else { ids.iter().filter(|id| **id != NONE).count() }
    }
}

multiversion! {
    /// Where positions are, in single precision.
    fn take_images<S: Simd>(simd: S, positions: &[Point], scale: &Scale, images: &mut [[f32; 4]]) {
        for (image, position) in images.iter_mut().zip(positions) {
            S::F32x4::map(simd, position, &scale.map).store(image);
        }
    }
}

/// One corner of each of eight elements.
#[inline(always)]
pub(super) fn eight_corners<S: Simd>(simd: S, images: &[[f32; 4]], ids: &Ids) -> [S::F32x8; 3] {
    let [a, b, c, d, e, f, g, h] = ids.0;
    S::F32x4::transpose([
        S::F32x4::load(simd, &images[a as usize]),
        S::F32x4::load(simd, &images[b as usize]),
        S::F32x4::load(simd, &images[c as usize]),
        S::F32x4::load(simd, &images[d as usize]),
        S::F32x4::load(simd, &images[e as usize]),
        S::F32x4::load(simd, &images[f as usize]),
        S::F32x4::load(simd, &images[g as usize]),
        S::F32x4::load(simd, &images[h as usize]),
    ])
}

/// Writes boxes.
struct Fill<'a, const N: usize> {
    rows: &'a mut BoxRows<N>,
    images: &'a [[f32; 4]],
    /// Whether all vertices reach as far as the first.
    is_same: bool,
}

impl<const N: usize> Kernel for Fill<'_, N> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let Self { rows, images, is_same } = self;
        let mut reach = S::F32x8::splat(simd, images.first().map_or(0.0, |image| image[3]));
        for block in 0..rows.extents.len() {
            let mut extent = Extent::EMPTY;
            let (first, end) = (rows.first_row[block] as usize, rows.first_row[block + 1] as usize);
            for row in first..end {
                let corners = &rows.corners[row];
                let mut low = eight_corners(simd, images, &corners[0]);
                let mut high = low;
                for ids in &corners[1..] {
                    let at = eight_corners(simd, images, ids);
                    for k in 0..3 {
                        (low[k], high[k]) = (low[k].min(at[k]), high[k].max(at[k]));
                    }
                }
                if !is_same {
                    let mut far = Row([0.0; 8]);
                    for ids in corners {
                        for i in 0..8 {
                            let own = images[ids.0[i] as usize][3];
                            far.0[i] = if own > far.0[i] { own } else { far.0[i] };
                        }
                    }
                    reach = S::F32x8::load(simd, &far);
                }
                let (mut boxes, mut whole) = (AWAY, Extent::EMPTY);
                for k in 0..3 {
                    let (below, above) = (low[k] - reach, high[k] + reach);
                    below.store(&mut boxes[k]);
                    above.store(&mut boxes[3 + k]);
                    (whole.low[k], whole.high[k]) = (below.reduce_min(), above.reduce_max());
                }
                if row + 1 == end {
                    for i in rows.count(row)..8 {
                        for k in 0..6 {
                            boxes[k].0[i] = AWAY[k].0[i];
                        }
                    }
                }
                rows.boxes[row] = boxes;
                let group = &mut rows.groups[rows.first_group[block] as usize + (row - first) / 8];
                for k in 0..3 {
                    group[k].0[(row - first) % 8] = whole.low[k];
                    group[3 + k].0[(row - first) % 8] = whole.high[k];
                }
                extent.add(&whole);
            }
            rows.extents[block] = extent;
        }
    }
}
