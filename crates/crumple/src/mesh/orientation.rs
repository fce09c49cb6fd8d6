//! Components of a surface, and whether each can be, and is, oriented.

use super::topology::NO_EDGE;
use crate::csr::Csr;

/// Do neighbouring triangles run in the same sense?
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "kebab-case"))]
pub enum Orientation {
    /// Yes, everywhere.
    Consistent,
    /// No, but turning some triangles round would do it.
    Inconsistent,
    /// No, and no choice would do it (a Möbius strip).
    NonOrientable,
}

impl std::fmt::Display for Orientation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Consistent => "consistent",
            Self::Inconsistent => "inconsistent",
            Self::NonOrientable => "non-orientable",
        })
    }
}

pub(super) struct Oriented {
    pub component: Vec<u32>,
    pub verdicts: Vec<Orientation>,
    pub flipped: Vec<bool>,
}

/// Floods each component through its edges. Only edges of exactly two triangles carry orientation; edges of more
/// join components but say nothing about sides.
pub(super) fn orient(
    triangles: &[[u32; 3]],
    edges: &[[u32; 2]],
    triangle_edges: &[[u32; 3]],
    edge_triangles: &Csr,
) -> Oriented {
    const NONE: u32 = u32::MAX;
    let n = triangles.len();
    let mut component = vec![NONE; n];
    let mut flipped = vec![false; n];
    let mut sided = vec![false; n];
    // An edge is crossed once, so that thousands of triangles on one edge are flooded in linear time.
    let mut crossed = vec![false; edges.len()];
    let mut verdicts = Vec::new();
    let mut members = Vec::new();
    for first in 0..n as u32 {
        if component[first as usize] != NONE {
            continue;
        }
        let id = verdicts.len() as u32;
        members.clear();
        members.push(first);
        component[first as usize] = id;
        let mut next = 0;
        while next < members.len() {
            for &e in triangle_edges[members[next] as usize].iter().filter(|&&e| e != NO_EDGE) {
                if std::mem::replace(&mut crossed[e as usize], true) {
                    continue;
                }
                for &t in edge_triangles.row(e as usize) {
                    if component[t as usize] == NONE {
                        component[t as usize] = id;
                        members.push(t);
                    }
                }
            }
            next += 1;
        }
        verdicts.push(orient_component(
            &members,
            triangles,
            edges,
            triangle_edges,
            edge_triangles,
            &mut flipped,
            &mut sided,
        ));
    }
    Oriented { component, verdicts, flipped }
}

fn orient_component(
    members: &[u32],
    triangles: &[[u32; 3]],
    edges: &[[u32; 2]],
    triangle_edges: &[[u32; 3]],
    edge_triangles: &Csr,
    flipped: &mut [bool],
    sided: &mut [bool],
) -> Orientation {
    let along = |t: u32, e: u32| {
        let [a, b] = edges[e as usize];
        let c = triangles[t as usize];
        (0..3).any(|k| c[k] == a && c[(k + 1) % 3] == b)
    };
    let mut twisted = false;
    let mut any_flip = false;
    let mut queue = Vec::new();
    for &root in members {
        if sided[root as usize] {
            continue;
        }
        sided[root as usize] = true;
        queue.clear();
        queue.push(root);
        let (mut next, mut turned) = (0, 0);
        while next < queue.len() {
            let t = queue[next];
            for &e in triangle_edges[t as usize].iter().filter(|&&e| e != NO_EDGE) {
                let &[x, y] = edge_triangles.row(e as usize) else { continue };
                // A collapsed triangle may hold an edge twice; it says nothing about sides.
                if x == y {
                    continue;
                }
                let other = if x == t { y } else { x };
                let wanted = flipped[t as usize] ^ (along(t, e) == along(other, e));
                if !sided[other as usize] {
                    sided[other as usize] = true;
                    flipped[other as usize] = wanted;
                    turned += usize::from(wanted);
                    queue.push(other);
                } else if flipped[other as usize] != wanted {
                    twisted = true;
                }
            }
            next += 1;
        }
        // The majority stays as it is.
        if 2 * turned > queue.len() {
            queue.iter().for_each(|&t| flipped[t as usize] ^= true);
            turned = queue.len() - turned;
        }
        any_flip |= turned > 0;
    }
    if twisted {
        Orientation::NonOrientable
    } else if any_flip {
        Orientation::Inconsistent
    } else {
        Orientation::Consistent
    }
}
