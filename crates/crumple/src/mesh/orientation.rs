//! Components of a surface, and whether each can be, and is, oriented.

use super::edges::{Edges, NO_EDGE};

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

/// Joins triangles through their edges, and sides where some disagree. Only edges of exactly two triangles carry
/// orientation; edges of more join components but say nothing about sides.
pub(super) fn orient(triangles: &[[u32; 3]], edges: &Edges) -> Oriented {
    let n = triangles.len();
    let (component, count) = components(n, edges);
    let mut verdicts = vec![Orientation::Consistent; count];
    let mut flipped = vec![false; n];
    // Where no edge is twisted nothing is flooded: the rule.
    let mut twisted: Vec<u32> =
        edges.twisted.iter().map(|&e| component[edges.triangles.row(e as usize)[0] as usize]).collect();
    twisted.sort_unstable();
    twisted.dedup();
    if !twisted.is_empty() {
        let mut sided = vec![false; n];
        let mut flood =
            Flood { reached: vec![false; n], crossed: vec![false; edges.ends.len()], members: Vec::new() };
        for first in 0..n as u32 {
            let id = component[first as usize];
            if flood.reached[first as usize] || twisted.binary_search(&id).is_err() {
                continue;
            }
            flood.component(first, edges);
            verdicts[id as usize] =
                orient_component(&flood.members, triangles, edges, &mut flipped, &mut sided);
        }
    }
    Oriented { component, verdicts, flipped }
}

/// The component of each triangle, numbered by lowest triangle, and how many there are.
fn components(triangles: usize, edges: &Edges) -> (Vec<u32>, usize) {
    // Each triangle points at a lower one of its component, or at itself where it is the lowest so far.
    let mut lower: Vec<u32> = (0..triangles as u32).collect();
    let find = |lower: &mut [u32], mut t: u32| {
        while lower[t as usize] != t {
            let next = lower[lower[t as usize] as usize];
            lower[t as usize] = next;
            t = next;
        }
        t
    };
    for e in 0..edges.ends.len() {
        let row = edges.triangles.row(e);
        for &t in &row[1..] {
            let (a, b) = (find(&mut lower, row[0]), find(&mut lower, t));
            lower[a.max(b) as usize] = a.min(b);
        }
    }
    let mut count = 0;
    for t in 0..triangles {
        // Those below have their numbers already.
        lower[t] = if lower[t] == t as u32 {
            count += 1;
            count - 1
        } else {
            lower[lower[t] as usize]
        };
    }
    (lower, count as usize)
}

/// Scratch of the walk through a component in the order of its edges.
struct Flood {
    reached: Vec<bool>,
    /// An edge is crossed once, so that thousands of triangles on one edge are flooded in linear time.
    crossed: Vec<bool>,
    members: Vec<u32>,
}

impl Flood {
    fn component(&mut self, first: u32, edges: &Edges) {
        self.members.clear();
        self.members.push(first);
        self.reached[first as usize] = true;
        let mut next = 0;
        while next < self.members.len() {
            for &e in edges.of_triangle[self.members[next] as usize].iter().filter(|&&e| e != NO_EDGE) {
                if std::mem::replace(&mut self.crossed[e as usize], true) {
                    continue;
                }
                for &t in edges.triangles.row(e as usize) {
                    if !std::mem::replace(&mut self.reached[t as usize], true) {
                        self.members.push(t);
                    }
                }
            }
            next += 1;
        }
    }
}

fn orient_component(
    members: &[u32],
    triangles: &[[u32; 3]],
    edges: &Edges,
    flipped: &mut [bool],
    sided: &mut [bool],
) -> Orientation {
    let along = |t: u32, e: u32| {
        let [a, b] = edges.ends[e as usize];
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
            for &e in edges.of_triangle[t as usize].iter().filter(|&&e| e != NO_EDGE) {
                let &[x, y] = edges.triangles.row(e as usize) else { continue };
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
