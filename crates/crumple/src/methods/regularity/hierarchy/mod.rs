//! The hierarchy of regions of one body: built once per topology, from triangles up.

mod clusters;
mod contours;
mod copies;
mod fans;
mod gather;
mod grow;
mod half_edges;
mod merge;
mod order;
mod repair;
mod retrace;
mod rows;
mod scale;
mod shared_vertices;
mod tree;
mod upkeep;

pub(crate) use self::contours::{ContourEdge, Contours};
pub(crate) use self::copies::{Copies, pairs_of_copies};
pub(crate) use self::half_edges::{HalfEdges, NONE, next};
#[cfg(feature = "published")]
pub(crate) use self::merge::shape_factor;
pub(crate) use self::merge::{Graph, MergeGroups};
pub(crate) use self::repair::{Edited, Repaired};
pub(crate) use self::shared_vertices::SharedVertices;
pub(crate) use self::tree::{Node, Tree};

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering::Relaxed};

use self::clusters::Clusters;
use self::contours::Ranks;
use self::fans::{rings, twins};
use self::gather::{Placed, gather, pack_crumbs};
use self::grow::{grow_patches, grow_regions};
use self::merge::members;
use self::order::spatial_order;
use self::rows::into_rows;
use self::scale::{Scale, centres_of};
use self::tree::Draft;
use self::upkeep::Upkeep;
use super::one_ring::OneRings;
use crate::Mesh;
use crate::csr::exclusive_sums;
use crate::geometry::Point;
use crate::parallel;
use crate::patches::Patches;

/// What the topology of one body gives, once.
#[derive(Debug)]
pub(crate) struct Hierarchy {
    /// Another one after each change: what is remembered of a hierarchy of another version does not hold.
    pub version: u64,
    pub copies: Copies,
    /// All triangles but copies, in the order of the tree: places are ranks.
    pub patches: Patches,
    pub tree: Tree,
    pub contours: Contours,
    /// What is round vertices; made by the first query that is left with neighbours to test.
    at_vertices: OnceLock<AtVertices>,
    /// What repairs need; made by the first.
    upkeep: Option<Box<Upkeep>>,
}

/// What tests of neighbours need to know.
#[derive(Debug)]
pub(crate) struct AtVertices {
    pub one_rings: OneRings,
    pub shared: SharedVertices,
}

/// Patches that one thread takes at a time.
const PIECE: usize = 64;

impl Hierarchy {
    /// Builds the hierarchy of a body, with two children to a node and patches of at most so many triangles, in the pose of
    /// `positions`, which only guides the shapes of regions.
    pub fn new(body: &Mesh, positions: &[Point], patch_size: usize) -> Self {
        Self::by_rounds(body, positions, patch_size, Graph::pairs)
    }

    /// The same where `round` says which regions merge.
    pub fn by_rounds(
        body: &Mesh,
        positions: &[Point],
        patch_size: usize,
        round: impl Fn(&Graph) -> Option<MergeGroups> + Sync,
    ) -> Self {
        let (copies, mut half_edges) = neighbours_of(body);
        let scale = Scale::of(positions);
        let mut centres = centres_of(&half_edges, positions, &scale);
        let positions = &*scale.within_range(positions);
        // From here on triangles have other numbers, if there is an order.
        let names = spatial_order(&half_edges, &centres);
        if let Some(order) = &names {
            half_edges = half_edges.reordered(order);
            centres = order.iter().map(|&t| centres[t as usize]).collect();
        }
        let name = |t: u32| names.as_ref().map_or(t, |names| names[t as usize]);
        let clusters = Clusters::grow(&half_edges, &centres, patch_size, &|t| copies.is_copy(name(t)));
        let graph = clusters.graph(&half_edges, positions);
        let (graph, unions) = grow_patches(graph, Clusters::largest(patch_size), patch_size);
        let parts = members(&unions, graph.len());
        let triangles =
            |c: u32| parts.row(c as usize).iter().flat_map(|&cluster| clusters.triangles(cluster));
        let centre = |t: u32| centres[t as usize].map(f64::from);
        let centre_of = |c: u32| mean(triangles(c).map(|&t| centre(t)));
        let (pieces, is_region) = pack_crumbs(&graph, centre_of, patch_size);
        let size = |p: &Vec<u32>| p.iter().map(|&c| graph.size[c as usize]).sum();
        let sizes: Vec<u32> = pieces.iter().map(size).collect();

        let grow = || {
            let mut draft = Draft::of_patches(is_region);
            let roots = grow_regions(graph, &pieces, &round, &mut draft);
            // A root stands where its first patch does: clusters gather whole components, near enough is enough.
            let mut items: Vec<Placed> =
                roots.into_iter().map(|(node, patch)| (centre_of(pieces[patch as usize][0]), node)).collect();
            if items.is_empty() {
                return (Tree::default(), Vec::new());
            }
            let root = gather(&mut items, &mut draft);
            Tree::lay_out(&draft, root, &sizes)
        };
        // The triangles of patches, these in no order.
        let mut rows = vec![0u32; sizes.iter().sum::<u32>() as usize];
        let mut firsts = sizes.clone();
        exclusive_sums(&mut firsts);
        let mut places = cut_at(&mut rows, sizes.iter().copied());
        let mut fill = || {
            parallel::for_each_chunk(&mut places, PIECE, |first, places| {
                for (place, piece) in places.iter_mut().zip(&pieces[first..]) {
                    let all = piece.iter().flat_map(|&c| triangles(c));
                    place.iter_mut().zip(all).for_each(|(place, &t)| *place = t);
                    into_rows(place, |t| centres[t as usize]);
                }
            });
        };
        // One thread does much of the first alone.
        let is_worth = parallel::is_worth(half_edges.corners.len(), parallel::WORTH);
        let ((tree, order), ()) = if is_worth { parallel::join(grow, fill) } else { (grow(), fill()) };
        // Memory that is given back now is used again below: pages that are new cost a fifth of building.
        drop((centres, clusters, parts, pieces));

        let mut ids = vec![0u32; rows.len()];
        let ranks: Vec<AtomicU32> = half_edges.corners.iter().map(|_| AtomicU32::new(0)).collect();
        let size = |&p: &u32| sizes[p as usize];
        let mut places = cut_at(&mut ids, order.iter().map(size));
        let starts: Vec<u32> =
            order.iter().map(size).scan(0, |sum, n| Some(std::mem::replace(sum, *sum + n))).collect();
        parallel::for_each_chunk(&mut places, PIECE, |first, places| {
            for (place, (&p, rank)) in places.iter_mut().zip(order[first..].iter().zip(&starts[first..])) {
                place.copy_from_slice(&rows[firsts[p as usize] as usize..][..place.len()]);
                place.iter().zip(*rank..).for_each(|(&t, rank)| ranks[t as usize].store(rank, Relaxed));
            }
        });
        drop(rows);
        let places = Ranks { half_edges: &half_edges, triangles: &ids, of: &ranks };
        let trace = || Contours::trace(&tree, &places);
        let cut = || {
            let sizes = order.iter().map(|&p| sizes[p as usize] as usize);
            Patches::lists(&half_edges.corners, &ids, sizes)
        };
        // Each has something that one thread does alone.
        let (contours, lists) = if is_worth { parallel::join(trace, cut) } else { (trace(), cut()) };
        if names.is_some() {
            ids.iter_mut().for_each(|t| *t = name(*t));
        }
        let patches = lists.of(ids);
        let (version, at_vertices) = (next_version(), OnceLock::new());
        Self { version, copies, patches, tree, contours, at_vertices, upkeep: None }
    }

    /// What is round the vertices of the body, made when it is first asked for. Not to be called by several threads at once, of which
    /// one would wait for another that waits for it.
    pub fn find_at_vertices(&self, body: &Mesh) -> &AtVertices {
        self.at_vertices.get_or_init(|| {
            let make_rings = || {
                rings(body)
                    .unwrap_or_else(|| OneRings::new(&HalfEdges::new(body, &self.copies), body, &self.copies))
            };
            let share = || SharedVertices::new(&self.patches, body.vertex_count());
            let (one_rings, shared) = if parallel::is_worth(body.triangle_count(), parallel::WORTH) {
                parallel::join(make_rings, share)
            } else {
                (make_rings(), share())
            };
            AtVertices { one_rings, shared }
        })
    }

    /// The same where a query has asked for it before.
    #[inline]
    pub fn at_vertices(&self) -> &AtVertices {
        self.at_vertices.get().expect("found when the query was left with neighbours")
    }
}

/// A number that no other hierarchy has.
fn next_version() -> u64 {
    static LAST: AtomicU64 = AtomicU64::new(0);
    LAST.fetch_add(1, Relaxed) + 1
}

/// Triangles that equal others, and what lies across the sides of the rest.
fn neighbours_of(body: &Mesh) -> (Copies, HalfEdges<'_>) {
    if let Some(twins) = twins(body) {
        let corners: &[[u32; 3]] = bytemuck::cast_slice(body.triangles());
        return (Copies::default(), HalfEdges { corners: corners.into(), twins });
    }
    let copies = Copies::new(body);
    let half_edges = HalfEdges::new(body, &copies);
    (copies, half_edges)
}

/// Cuts a list into parts of the given sizes.
fn cut_at(mut list: &mut [u32], sizes: impl Iterator<Item = u32>) -> Vec<&mut [u32]> {
    sizes.map(|size| list.split_off_mut(..size as usize).expect("the sizes add up to its length")).collect()
}

/// The mean of some points.
fn mean(points: impl Iterator<Item = Point>) -> Point {
    let (mut sum, mut n) = ([0.0; 3], 0.0);
    for p in points {
        (0..3).for_each(|k| sum[k] += p[k]);
        n += 1.0;
    }
    sum.map(|x| x / n)
}
