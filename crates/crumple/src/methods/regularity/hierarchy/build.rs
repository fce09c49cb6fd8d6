//! From a body to its hierarchy: merge, lay out, trace the contours. Once per topology.

use super::contours::Outlines;
use super::half_edges::{HalfEdges, NONE};
use super::merge::{Graph, Limits, members};
use super::patches::{LANES, Patches};
use super::shared_vertices::Borders;
use super::tree::{Draft, Tree};
use crate::Mesh;
use crate::geometry::Point;
use crate::geometry::triangle;
use crate::geometry::vector::{dot, sub};
use crate::methods::regularity::one_ring::Stars;
use crate::methods::regularity::published::Labels;

/// Something to be gathered by position: a point of it, and its number.
type Placed = (Point, u32);

/// What the topology of one body gives, once.
pub(crate) struct Hierarchy {
    pub patches: Patches,
    pub tree: Tree,
    pub outlines: Outlines,
    pub stars: Stars,
    pub borders: Borders,
    /// The paper's own adjacency, where asked for.
    pub labels: Option<Labels>,
}

/// The parameters that shape the hierarchy.
#[derive(Clone, Copy)]
pub(crate) struct Shape {
    /// Children of a node.
    pub arity: usize,
    /// Triangles of a patch.
    pub patch: usize,
    /// Whether the paper's own adjacency is stored.
    pub with_labels: bool,
}

impl Hierarchy {
    /// Builds the hierarchy of a body in the pose of `positions`, which only guides the shapes of regions.
    pub fn new(body: &Mesh, positions: &[Point], shape: Shape) -> Self {
        let half_edges = HalfEdges::new(body);
        let centres: Vec<Point> = half_edges
            .corners
            .iter()
            .map(|c| {
                let [p, q, r] = c.map(|v| positions[v as usize]);
                std::array::from_fn(|k| (p[k] + q[k] + r[k]) / 3.0)
            })
            .collect();
        let (graph, clusters) = grow_patches(&half_edges, positions, shape);
        let mut triangles = members(&clusters, graph.len());
        let (pieces, is_region) = pack_crumbs(&graph, &triangles, &centres, shape.patch);
        let sizes: Vec<u32> =
            pieces.iter().map(|p| p.iter().map(|&c| graph.size[c as usize]).sum()).collect();
        let centre_of = |piece: &[u32]| {
            centre(piece.iter().flat_map(|&c| triangles.row(c as usize)).map(|&t| &centres[t as usize]))
        };
        let piece_centres: Vec<Point> = pieces.iter().map(|p| centre_of(p)).collect();

        let mut draft = Draft::of_patches(is_region);
        let mut roots = grow_regions(graph, &pieces, shape.arity, &mut draft);
        // A root stands where its first patch does: clusters gather whole components, near enough is enough.
        let mut items: Vec<Placed> =
            roots.drain(..).map(|(node, patch)| (piece_centres[patch as usize], node)).collect();
        let (tree, order) = if items.is_empty() {
            (Tree::default(), Vec::new())
        } else {
            let root = gather(&mut items, &mut draft);
            Tree::lay_out(&draft, root, &sizes)
        };

        let mut places = Vec::with_capacity(half_edges.corners.len());
        for &patch in &order {
            let first = places.len();
            for &c in &pieces[patch as usize] {
                places.extend_from_slice(triangles.row_mut(c as usize));
            }
            into_groups(&mut places[first..], &centres);
        }
        let stars = Stars::new(&half_edges, body);
        let half_edges = half_edges.reordered(&places);
        let patches = Patches::new(&half_edges, places, order.iter().map(|&p| sizes[p as usize]));
        let outlines = Outlines::trace(&tree, &half_edges);
        let borders = Borders::new(&patches, body.vertex_count());
        let mut made = Self { patches, tree, outlines, stars, borders, labels: None };
        if shape.with_labels {
            made.labels = Some(Labels::new(&made, body));
        }
        made
    }
}

/// Merges triangles until unions would outgrow a patch. Returns the graph of patches and the patch of each triangle.
fn grow_patches(half_edges: &HalfEdges, positions: &[Point], shape: Shape) -> (Graph, Vec<u32>) {
    let at = |v: u32| &positions[v as usize];
    let areas: Vec<f64> = half_edges.corners.iter().map(|c| triangle::area(&c.map(|v| *at(v)))).collect();
    let lengths: Vec<f32> = half_edges
        .corners
        .iter()
        .flat_map(|&[a, b, c]| [(a, b), (b, c), (c, a)])
        .map(|(v, w)| {
            let d = sub(at(w), at(v));
            dot(&d, &d).sqrt() as f32
        })
        .collect();
    let mut graph = Graph::of_triangles(&half_edges.twins, &lengths, &areas);
    let mut clusters: Vec<u32> = (0..areas.len() as u32).collect();
    let full = shape.patch as u32;
    let mut target = 2;
    while target < 2 * full {
        // Unions may exceed the doubled size by half, so that nothing is left alone among full neighbours.
        let limits = Limits { arity: usize::MAX, size: (target + target / 2).min(full) };
        let before = graph.len();
        if let Some((group, groups)) = graph.round(limits) {
            graph = graph.contract(&group, groups);
            clusters.iter_mut().for_each(|c| *c = group[*c as usize]);
        }
        // Near the full size rounds go on while they still merge one region in 64.
        if target < full || graph.len() * 64 >= before * 63 {
            target *= 2;
        }
    }
    (graph, clusters)
}

/// Packs clusters that border on nothing and fill no patch with what lies near them. Returns the clusters of each
/// patch, and whether it is one region.
fn pack_crumbs(
    graph: &Graph,
    triangles: &crate::mesh::Csr,
    centres: &[Point],
    patch: usize,
) -> (Vec<Vec<u32>>, Vec<bool>) {
    let is_crumb = |c: usize| graph.is_alone(c) && 2 * graph.size[c] as usize <= patch;
    let (crumbs, mut pieces): (Vec<_>, Vec<_>) = (0..graph.len()).partition(|&c| is_crumb(c));
    let mut pieces: Vec<Vec<u32>> = pieces.drain(..).map(|c| vec![c as u32]).collect();
    let mut items: Vec<Placed> = crumbs
        .into_iter()
        .map(|c| (centre(triangles.row(c).iter().map(|&t| &centres[t as usize])), c as u32))
        .collect();
    let size = |items: &[Placed]| items.iter().map(|&(_, c)| graph.size[c as usize] as usize).sum::<usize>();
    let mut stack: Vec<&mut [Placed]> = vec![&mut items];
    while let Some(some) = stack.pop() {
        if some.is_empty() {
            continue;
        }
        if size(some) <= patch {
            pieces.push(some.iter().map(|&(_, c)| c).collect());
            continue;
        }
        let middle = some.len() / 2;
        let (low, high) = halve(some, middle);
        stack.extend([high, low]);
    }
    let is_region = pieces.iter().map(|p| p.len() == 1).collect();
    (pieces, is_region)
}

/// Merges patches into regions until no neighbours are left. Returns the roots, each with its first patch.
fn grow_regions(graph: Graph, pieces: &[Vec<u32>], arity: usize, draft: &mut Draft) -> Vec<(u32, u32)> {
    // Crumbs have no links, so they pass through the rounds as they are.
    let mut node = vec![NONE; graph.len()];
    let mut first = vec![NONE; graph.len()];
    for (patch, piece) in pieces.iter().enumerate() {
        node[piece[0] as usize] = patch as u32;
        first[piece[0] as usize] = patch as u32;
    }
    let mut graph = graph;
    let limits = Limits { arity, size: u32::MAX };
    while let Some((group, groups)) = graph.round(limits) {
        let parts = members(&group, groups);
        let children = |g: usize| -> Vec<u32> { parts.row(g).iter().map(|&r| node[r as usize]).collect() };
        let next: Vec<u32> = (0..groups).map(|g| draft.join(children(g), true)).collect();
        first = (0..groups).map(|g| first[parts.row(g)[0] as usize]).collect();
        node = next;
        graph = graph.contract(&group, groups);
    }
    node.into_iter().zip(first).filter(|&(n, _)| n != NONE).collect()
}

/// Puts nodes under one root by halving space.
fn gather(items: &mut [Placed], draft: &mut Draft) -> u32 {
    if let [(_, only)] = items {
        return *only;
    }
    let middle = items.len() / 2;
    let (low, high) = halve(items, middle);
    let children = vec![gather(low, draft), gather(high, draft)];
    draft.join(children, false)
}

/// Orders the triangles of a patch so that each run of eight lies close together.
fn into_groups(places: &mut [u32], centres: &[Point]) {
    let mut items: Vec<Placed> = places.iter().map(|&t| (centres[t as usize], t)).collect();
    let mut stack: Vec<&mut [Placed]> = vec![&mut items];
    while let Some(some) = stack.pop() {
        let groups = some.len().div_ceil(LANES);
        if groups < 2 {
            some.sort_unstable_by_key(|&(_, t)| t);
            continue;
        }
        let (low, high) = halve(some, groups / 2 * LANES);
        stack.extend([low, high]);
    }
    for (place, (_, t)) in places.iter_mut().zip(&items) {
        *place = *t;
    }
}

/// Splits items along their longest extent, `middle` of them on the lower side; equal centres by id.
fn halve(items: &mut [Placed], middle: usize) -> (&mut [Placed], &mut [Placed]) {
    let (mut min, mut max) = ([f64::INFINITY; 3], [f64::NEG_INFINITY; 3]);
    for (p, _) in items.iter() {
        for k in 0..3 {
            min[k] = min[k].min(p[k]);
            max[k] = max[k].max(p[k]);
        }
    }
    let axis = (0..3).max_by(|&i, &j| (max[i] - min[i]).total_cmp(&(max[j] - min[j]))).expect("three axes");
    if middle < items.len() {
        items.select_nth_unstable_by(middle, |(p, i), (q, j)| p[axis].total_cmp(&q[axis]).then(i.cmp(j)));
    }
    items.split_at_mut(middle)
}

fn centre<'p>(points: impl Iterator<Item = &'p Point>) -> Point {
    let (mut sum, mut n) = ([0.0; 3], 0.0);
    for p in points {
        (0..3).for_each(|k| sum[k] += p[k]);
        n += 1.0;
    }
    sum.map(|x| x / n)
}
