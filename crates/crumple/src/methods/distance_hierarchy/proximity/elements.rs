//! The vertices, own edges and triangles of a body's blocks as boxes, eight at a time.
//!
//! A box holds an element and whatever is within its reach, so that two elements can be close only where their boxes overlap, whatever
//! the distance is and whoever gives it: half of it to each side, half of each body's thickness, or what each vertex reaches.
//! Within a block elements are in an order in which eight that follow each other are neighbours, and so are boxes of such rows.
//!
//! An edit of k elements that moves nothing is followed at its cost: the regions tell which blocks it wrote ([`Upkeep::written`]).
//!
//! [`Upkeep::written`]: super::super::regions::Regions::upkeep

use std::collections::BTreeMap;
use std::sync::Arc;

use super::super::bounds::Scale;
use super::super::regions::{Block, Regions};
use super::borders::Borders;
use super::edges::{EdgeTable, sides};
use super::rows::{BoxRows, Fill, placed};
use crate::geometry::Point;
use crate::geometry::simd::{self, F32x4, multiversion};
use crate::mesh::Fates;
use crate::methods::swept_bvh::hubs::Crowding;
use crate::{Mesh, TriangleId, VertexId};

/// Vertices, edges and triangles of all blocks, block after block. Every vertex and every edge belongs to one block that has it.
#[derive(Debug, Clone, Default)]
pub(super) struct Elements {
    /// The mesh and the regions that the lists are of.
    of: Option<(Mesh, Arc<()>)>,
    /// How many of the blocks that edits wrote they have followed.
    written: usize,
    /// The frame of the boxes, and the reach that all vertices have in them; none when each has its own.
    frame: u64,
    reach: Option<f64>,
    pub crowding: Crowding,
    /// Where each vertex is, and how far it reaches, rounded up.
    pub images: Vec<[f32; 4]>,
    /// The furthest in each block.
    pub reaches: Vec<f32>,
    pub vertices: BoxRows<1>,
    pub edges: BoxRows<2>,
    pub triangles: BoxRows<3>,
    /// The corners of all triangles by their ids, and the ends of all edges by their numbers.
    pub corners: Vec<[u32; 3]>,
    pub table: EdgeTable,
    /// What is round the regions.
    pub borders: Borders,
}

/// What edits did to the body since its elements were listed.
enum Changed {
    Nothing,
    Some { fates: Fates, before: Mesh },
}

/// How far the vertices of a body reach.
#[derive(Clone, Copy)]
pub(super) enum VertexReach<'a> {
    /// All as far.
    All(f64),
    /// Each as far as its own number says.
    Each(&'a [f64]),
}

impl Elements {
    /// Brings the boxes to the frame, to which the regions must have been refitted; positions are the body's own. Where nothing
    /// moved and nothing else was asked, what edits did not touch stays.
    pub fn follow(
        &mut self,
        mesh: &Mesh,
        regions: &Regions,
        (frame, scale): (u64, &Scale),
        positions: &[Point],
        reach: VertexReach<'_>,
    ) {
        let all = match reach {
            VertexReach::All(all) => Some(all),
            VertexReach::Each(_) => None,
        };
        let changed = self.changed(mesh, regions).filter(|_| self.images.len() <= positions.len());
        let is_placed = self.frame == frame && all.is_some() && self.reach == all && changed.is_some();
        let placed = if is_placed { self.images.len() } else { 0 };
        self.images.resize(positions.len(), [0.0; 4]);
        let new = &mut self.images[placed..];
        take_images(&positions[placed..], scale, new);
        match reach {
            VertexReach::All(all) => {
                let far = scale.limit(all);
                new.iter_mut().for_each(|image| image[3] = far);
            }
            VertexReach::Each(each) => {
                new.iter_mut().zip(each).for_each(|(image, &r)| image[3] = scale.limit(r));
            }
        }
        let written = match changed {
            Some(Changed::Nothing) => Vec::new(),
            Some(Changed::Some { fates, before }) => self.edit(&before, mesh, &fates, regions),
            None => {
                self.deal_out(mesh, regions);
                Vec::new()
            }
        };
        self.of = Some((mesh.clone(), regions.identity.clone()));
        (self.frame, self.reach) = (frame, all);
        let furthest = |block: &Block| {
            let slots = &regions.slots[block.first_chunk as usize..][..block.chunks.into()];
            slots.as_flattened().iter().map(|&v| self.images[v as usize][3]).fold(0.0, f32::max)
        };
        self.reaches.clear();
        if all.is_none() {
            self.reaches.extend(regions.blocks.iter().map(furthest));
        }
        let (images, is_same, only) = (&self.images[..], all.is_some(), is_placed.then_some(&written[..]));
        simd::dispatch(Fill { rows: &mut self.vertices, only, images, is_same });
        simd::dispatch(Fill { rows: &mut self.edges, only, images, is_same });
        simd::dispatch(Fill { rows: &mut self.triangles, only, images, is_same });
    }

    /// What is not as it was when these lists were made; `None` when they are of other regions.
    fn changed(&self, mesh: &Mesh, regions: &Regions) -> Option<Changed> {
        let (before, identity) = self.of.as_ref()?;
        if !Arc::ptr_eq(identity, &regions.identity) {
            return None;
        }
        if before.is_same(mesh) {
            return Some(Changed::Nothing);
        }
        let ids = mesh.changed_since(before)?.triangles;
        let fates = Fates::of(before, mesh, &ids);
        Some(Changed::Some { fates, before: before.clone() })
    }

    /// Gives every vertex and every edge to a block.
    fn deal_out(&mut self, mesh: &Mesh, regions: &Regions) {
        self.crowding = Crowding::of(mesh);
        self.borders = Borders::new(regions);
        self.corners.clear();
        self.corners.extend_from_slice(bytemuck::cast_slice(mesh.triangles()));
        self.written = regions.upkeep.as_ref().map_or(0, |upkeep| upkeep.written().len());
        self.vertices.clear();
        self.edges.clear();
        self.triangles.clear();
        let owned = self.table.deal_out(mesh.vertex_count(), regions);
        for (b, edges) in owned.into_iter().enumerate() {
            self.set_block(b, regions);
            self.set_edges(b, edges);
        }
    }

    /// Lists the own vertices and the triangles of a block.
    fn set_block(&mut self, b: usize, regions: &Regions) {
        let (block, images) = (&regions.blocks[b], &self.images);
        let own = (0..block.own).map(|slot| regions.vertex(block, slot.into()));
        self.vertices.set_block(b, &mut own.map(|v| placed(images, v, [v])).collect::<Vec<_>>());
        let ids = &regions.triangles[block.first as usize..][..block.count.into()];
        let own = ids.iter().zip(corners(regions, block));
        self.triangles
            .set_block(b, &mut own.map(|(&id, corners)| placed(images, id, corners)).collect::<Vec<_>>());
    }

    /// Lists the own edges of a block.
    fn set_edges(&mut self, b: usize, edges: Vec<u32>) {
        let (images, ends) = (&self.images, self.table.ends());
        let own = edges.into_iter().map(|e| placed(images, e, ends[e as usize]));
        self.edges.set_block(b, &mut own.collect::<Vec<_>>());
    }

    /// Follows an edit: blocks that it wrote are listed anew, and so are those that take over an edge from them. Yields them.
    fn edit(&mut self, before: &Mesh, now: &Mesh, fates: &Fates, regions: &Regions) -> Vec<u32> {
        let upkeep = regions.upkeep.as_ref().expect("kept from the first edit on");
        let mut written = upkeep.written()[self.written..].to_vec();
        self.written = upkeep.written().len();
        written.sort_unstable();
        written.dedup();
        self.crowding.follow(before, now, fates);
        self.borders.follow(regions, upkeep, &written);
        self.corners.resize(now.triangle_count(), [0; 3]);
        for &t in fates.come.iter().chain(fates.renamed.iter().map(|[_, new]| new)) {
            self.corners[t as usize] = now.triangle(TriangleId(t)).map(|v| v.0);
        }
        let known = |b: &&u32| (**b as usize) < self.edges.spans.len();
        let freed: Vec<u32> =
            written.iter().filter(known).flat_map(|&b| self.edges.ids_of(b as usize)).collect();
        freed.iter().for_each(|&e| self.table.release(e));
        let mut lists: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
        for &b in &written {
            self.set_block(b as usize, regions);
            let table = &mut self.table;
            lists.insert(b, sides(regions, b as usize).filter_map(|ends| table.claim(ends, b)).collect());
        }
        for e in freed.into_iter().filter(|&e| self.table.is_free(e)).collect::<Vec<_>>() {
            let [v, w] = self.table.ends()[e as usize];
            let beside =
                now.adjacency().star(v).find(|&t| now.triangle(TriangleId(t)).contains(&VertexId(w)));
            if let Some(t) = beside {
                let b = upkeep.block_of(t);
                self.table.claim([v, w], b);
                lists.entry(b).or_insert_with(|| self.edges.ids_of(b as usize).collect()).push(e);
            }
        }
        let all = lists.keys().copied().collect();
        for (b, edges) in lists {
            self.set_edges(b as usize, edges);
        }
        all
    }
}

/// The corners of a block's triangles, ids within the body.
pub(super) fn corners<'a>(regions: &'a Regions, block: &'a Block) -> impl Iterator<Item = [u32; 3]> + 'a {
    regions.corners(block).iter().map(|corners| corners.map(|slot| regions.vertex(block, slot.into())))
}

multiversion! {
    /// Where positions are, in single precision.
    fn take_images<S: Simd>(simd: S, positions: &[Point], scale: &Scale, images: &mut [[f32; 4]]) {
        for (image, position) in images.iter_mut().zip(positions) {
            S::F32x4::map(simd, position, &scale.map).store(image);
        }
    }
}
