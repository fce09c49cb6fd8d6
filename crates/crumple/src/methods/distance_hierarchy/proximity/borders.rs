//! What is round each region: the edges of its border, and the polygon that they are.

use std::collections::BTreeSet;

use super::super::regions::{Node, Regions, Upkeep};
use super::elements::corners;

/// The borders of all regions.
#[derive(Debug, Clone, Default)]
pub(super) struct Borders {
    pub nodes: Vec<Border>,
    pub blocks: Vec<Border>,
}

/// The border of a region: edges that its triangles pass in opposite directions cancel.
#[derive(Debug, Clone, Default)]
pub(super) struct Border {
    /// Sorted; `None` where they are too many for a region around this one to have a polygon.
    edges: Option<Vec<Directed>>,
    /// The vertices in turn if it is one polygon that passes each once, otherwise none.
    pub polygon: Vec<u32>,
}

/// An edge of a border from one vertex to another, the smaller first, and whether that is its direction.
type Directed = ([u32; 2], bool);

/// Longer polygons are not looked at: every edge is compared with every other.
const LONGEST: usize = 1536;

impl Borders {
    pub fn new(regions: &Regions) -> Self {
        let mut out = Self {
            nodes: vec![Border::default(); regions.nodes.len()],
            blocks: (0..regions.blocks.len()).map(|b| Border::of_block(regions, b)).collect(),
        };
        for (i, node) in regions.nodes.iter().enumerate().rev() {
            out.nodes[i] = out.around(node);
        }
        out
    }

    /// Follows an edit that wrote these blocks: they and what is above them have other borders.
    pub fn follow(&mut self, regions: &Regions, upkeep: &Upkeep, written: &[u32]) {
        self.nodes.resize(regions.nodes.len(), Border::default());
        self.blocks.resize(regions.blocks.len(), Border::default());
        let mut stale = BTreeSet::new();
        for &b in written {
            self.blocks[b as usize] = Border::of_block(regions, b as usize);
            stale.extend(upkeep.above(b as usize));
        }
        // Parents come before their children.
        for n in stale.into_iter().rev() {
            self.nodes[n as usize] = self.around(&regions.nodes[n as usize]);
        }
    }

    fn around(&self, node: &Node) -> Border {
        let mut edges = Vec::new();
        for child in &node.child[..node.count] {
            let of = if child.is_block() { &self.blocks } else { &self.nodes };
            let Some(own) = &of[child.index()].edges else { return Border::default() };
            edges.extend_from_slice(own);
        }
        Border::of(edges)
    }
}

impl Border {
    fn of_block(regions: &Regions, block: usize) -> Self {
        let block = &regions.blocks[block];
        let mut edges = Vec::with_capacity(3 * usize::from(block.count));
        for v in corners(regions, block) {
            for k in 0..3 {
                let [a, b] = [v[k], v[(k + 1) % 3]];
                if a != b {
                    edges.push(([a.min(b), a.max(b)], a < b));
                }
            }
        }
        Self::of(edges)
    }

    fn of(mut edges: Vec<Directed>) -> Self {
        cancel(&mut edges);
        let polygon = polygon(&edges).unwrap_or_default();
        // Of borders that are longer than a polygon may be, hardly one is left when they cancel.
        Self { edges: (edges.len() <= 2 * LONGEST).then_some(edges), polygon }
    }
}

/// Leaves what is not passed in both directions equally often.
fn cancel(edges: &mut Vec<Directed>) {
    // Runs that are sorted stay together.
    edges.sort();
    let mut kept = 0;
    let mut begin = 0;
    while begin < edges.len() {
        let ends = edges[begin].0;
        let end = begin + edges[begin..].iter().take_while(|e| e.0 == ends).count();
        let forth = edges[begin..end].iter().filter(|e| e.1).count();
        let back = end - begin - forth;
        for _ in 0..forth.abs_diff(back) {
            edges[kept] = (ends, forth > back);
            kept += 1;
        }
        begin = end;
    }
    edges.truncate(kept);
}

/// The edges one after the other, if they are one polygon that passes each vertex once.
fn polygon(edges: &[Directed]) -> Option<Vec<u32>> {
    if edges.is_empty() || edges.len() > LONGEST {
        return None;
    }
    let mut next: Vec<[u32; 2]> =
        edges.iter().map(|&([a, b], forth)| if forth { [a, b] } else { [b, a] }).collect();
    next.sort_unstable();
    if next.windows(2).any(|w| w[0][0] == w[1][0]) {
        return None;
    }
    let mut out = Vec::with_capacity(next.len());
    let mut at = next[0][0];
    while out.len() < next.len() {
        out.push(at);
        at = next[next.binary_search_by_key(&at, |e| e[0]).ok()?][1];
        if at == next[0][0] {
            break;
        }
    }
    (out.len() == next.len()).then_some(out)
}
