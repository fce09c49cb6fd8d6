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

use std::sync::atomic::{AtomicU64, Ordering};

use self::clusters::Clusters;
use self::contours::Ranks;
use self::fans::twins_and_rings;
use self::gather::{Placed, gather, pack_crumbs};
use self::grow::{grow_patches, grow_regions};
use self::merge::members;
use self::order::spatial_order;
use self::rows::into_rows;
use self::tree::Draft;
use self::upkeep::Upkeep;
use super::one_ring::OneRings;
use crate::Mesh;
use crate::geometry::Point;
use crate::geometry::predicates::exponent;
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
    pub one_rings: OneRings,
    pub shared_vertices: SharedVertices,
    /// What repairs need; made by the first.
    upkeep: Option<Box<Upkeep>>,
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
        round: impl Fn(&Graph) -> Option<MergeGroups>,
    ) -> Self {
        let Neighbours { copies, half_edges, one_rings } = Neighbours::of(body);
        let positions = &within_unit(positions)[..];
        let mut centres = centres_of(&half_edges, positions);
        let mut half_edges = half_edges;
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

        let mut draft = Draft::of_patches(is_region);
        let roots = grow_regions(graph, &pieces, round, &mut draft);
        // A root stands where its first patch does: clusters gather whole components, near enough is enough.
        let mut items: Vec<Placed> =
            roots.into_iter().map(|(node, patch)| (centre_of(pieces[patch as usize][0]), node)).collect();
        let (tree, order) = if items.is_empty() {
            (Tree::default(), Vec::new())
        } else {
            let root = gather(&mut items, &mut draft);
            Tree::lay_out(&draft, root, &sizes)
        };

        let mut ids = vec![0u32; sizes.iter().sum::<u32>() as usize];
        let (mut rest, mut places) = (&mut ids[..], Vec::with_capacity(order.len()));
        for &p in &order {
            let (place, others) = rest.split_at_mut(sizes[p as usize] as usize);
            rest = others;
            places.push((p, place));
        }
        parallel::for_each_chunk(&mut places, PIECE, |_, places| {
            for (p, place) in places {
                let all = pieces[*p as usize].iter().flat_map(|&c| triangles(c));
                place.iter_mut().zip(all).for_each(|(place, &t)| *place = t);
                into_rows(place, centre);
            }
        });
        let mut ranks = vec![0u32; half_edges.corners.len()];
        ids.iter().zip(0..).for_each(|(&t, rank)| ranks[t as usize] = rank);
        let places = Ranks { half_edges: &half_edges, triangles: &ids, of: &ranks };
        let trace = || Contours::trace(&tree, &places);
        let cut = || {
            let sizes = order.iter().map(|&p| sizes[p as usize] as usize);
            let mut patches = Patches::new(&half_edges.corners, ids.clone(), sizes);
            if names.is_some() {
                ids.iter().enumerate().for_each(|(place, &t)| patches.rename(place, name(t)));
            }
            let shared_vertices = SharedVertices::new(&patches, body.vertex_count());
            (patches, shared_vertices)
        };
        // Each has something that one thread does alone.
        let (contours, (patches, shared_vertices)) = if parallel::is_worth(ids.len(), parallel::WORTH) {
            parallel::join(trace, cut)
        } else {
            (trace(), cut())
        };
        let version = next_version();
        Self { version, copies, patches, tree, contours, one_rings, shared_vertices, upkeep: None }
    }
}

/// A number that no other hierarchy has.
fn next_version() -> u64 {
    static LAST: AtomicU64 = AtomicU64::new(0);
    LAST.fetch_add(1, Ordering::Relaxed) + 1
}

/// What is next to what in a body.
struct Neighbours<'a> {
    copies: Copies,
    half_edges: HalfEdges<'a>,
    one_rings: OneRings,
}

impl<'a> Neighbours<'a> {
    fn of(body: &'a Mesh) -> Self {
        if let Some((twins, one_rings)) = twins_and_rings(body) {
            let corners: &[[u32; 3]] = bytemuck::cast_slice(body.triangles());
            let half_edges = HalfEdges { corners: corners.into(), twins };
            return Self { copies: Copies::default(), half_edges, one_rings };
        }
        let copies = Copies::new(body);
        let half_edges = HalfEdges::new(body, &copies);
        let one_rings = OneRings::new(&half_edges, body, &copies);
        Self { copies, half_edges, one_rings }
    }
}

/// The middle of each triangle.
fn centres_of(half_edges: &HalfEdges<'_>, positions: &[Point]) -> Vec<[f32; 3]> {
    let mut centres = vec![[0f32; 3]; half_edges.corners.len()];
    parallel::for_each_chunk(&mut centres, parallel::WORTH, |first, centres| {
        for (centre, corners) in centres.iter_mut().zip(&half_edges.corners[first..]) {
            let [p, q, r] = corners.map(|v| positions[v as usize]);
            *centre = std::array::from_fn(|k| ((p[k] + q[k] + r[k]) / 3.0) as f32);
        }
    });
    centres
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

/// Positions times a power of two that takes them into [−1, 1]³, so that no area or length underflows or overflows.
/// Exact, but for coordinates that are nothing beside the largest.
fn within_unit(positions: &[Point]) -> Vec<Point> {
    let largest = positions.as_flattened().iter().fold(0f64, |m, x| if x.abs() > m { x.abs() } else { m });
    // Two factors, since the inverse of a subnormal number is no finite power of two.
    let shift = -1 - exponent(largest);
    let factors = [shift / 2, shift - shift / 2].map(|e| f64::from_bits(((1023 + e) as u64) << 52));
    let mut scaled = vec![[0.0; 3]; positions.len()];
    parallel::for_each_chunk(&mut scaled, parallel::WORTH, |first, scaled| {
        for (scaled, p) in scaled.iter_mut().zip(&positions[first..]) {
            *scaled = p.map(|x| x * factors[0] * factors[1]);
        }
    });
    scaled
}
