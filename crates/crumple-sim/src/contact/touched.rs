//! Which pairs are to be looked at again: those at vertices that were moved, in the order of the pairs.

use super::nearing::Guard;

/// The pairs at each vertex, and of which a vertex was moved. Of hundreds of thousands of pairs a few are looked at in every round.
#[derive(Debug, Default)]
pub(super) struct Touched {
    /// One past the last entry of each vertex.
    ends: Vec<u32>,
    /// Pairs, vertex after vertex.
    pairs: Vec<u32>,
    /// A bit for each pair: to be looked at in this round, and in the next.
    now: Vec<u64>,
    next: Vec<u64>,
    is_built: bool,
}

impl Touched {
    /// The pairs are others now.
    pub fn forget(&mut self) {
        self.is_built = false;
    }

    /// Nothing was moved yet. Makes the lists of pairs where they are not known.
    pub fn begin(&mut self, all: &[Guard], vertices: usize) {
        self.now.clear();
        self.now.resize(all.len().div_ceil(64), 0);
        self.next.clone_from(&self.now);
        if self.is_built {
            return;
        }
        self.is_built = true;
        self.ends.clear();
        self.ends.resize(vertices + 1, 0);
        for pair in all {
            let v = pair.vertices();
            for k in 0..4 {
                self.ends[v[k] as usize + 1] += 1;
            }
        }
        for v in 0..vertices {
            self.ends[v + 1] += self.ends[v];
        }
        self.pairs.clear();
        self.pairs.resize(4 * all.len(), 0);
        // Where the next entry of each vertex goes: in the end, one past its last.
        for (i, pair) in all.iter().enumerate() {
            let v = pair.vertices();
            for k in 0..4 {
                let at = &mut self.ends[v[k] as usize];
                self.pairs[*at as usize] = i as u32;
                *at += 1;
            }
        }
    }

    /// A vertex was moved for a pair: its pairs are looked at in the next round, and those that come after that pair in this one.
    pub fn mark(&mut self, v: u32, by: usize) {
        let v = v as usize;
        let begin = if v == 0 { 0 } else { self.ends[v - 1] };
        for &pair in &self.pairs[begin as usize..self.ends[v] as usize] {
            let (word, bit) = (pair as usize / 64, 1 << (pair % 64));
            self.next[word] |= bit;
            if pair as usize > by {
                self.now[word] |= bit;
            }
        }
    }

    /// The next round begins.
    pub fn turn(&mut self) {
        std::mem::swap(&mut self.now, &mut self.next);
        self.next.fill(0);
    }

    /// The first pair of this round from a number on.
    pub fn first_from(&self, from: usize) -> Option<usize> {
        let (first, above) = (from / 64, u64::MAX << (from % 64));
        let words = self.now.iter().enumerate().skip(first);
        let mut rest = words.map(|(w, bits)| (w, if w == first { bits & above } else { *bits }));
        rest.find(|(_, bits)| *bits != 0).map(|(w, bits)| 64 * w + bits.trailing_zeros() as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contact::pair::{Kind, Meeting, Pair};

    #[test]
    fn pairs_of_moved_vertices_come_in_order() {
        let meeting = Meeting { thickness: 1.0, friction: 0.0 };
        // A chain: pair i has the vertices i to i + 3.
        let all: Vec<Guard> =
            (0..200).map(|i| Pair::new(Kind::EdgeEdge, [i, i + 1, i + 2, i + 3], meeting).guard()).collect();
        let mut touched = Touched::default();
        touched.begin(&all, 203);
        assert_eq!(touched.first_from(0), None);
        touched.mark(66, 64);
        let seen = |touched: &Touched| {
            let next = |i: &usize| touched.first_from(i + 1);
            std::iter::successors(touched.first_from(0), next).collect::<Vec<usize>>()
        };
        // In this round those after pair 64, in the next all of the vertex.
        assert_eq!(seen(&touched), [65, 66]);
        touched.turn();
        assert_eq!(seen(&touched), [63, 64, 65, 66]);
        touched.turn();
        assert_eq!(seen(&touched), []);
        touched.mark(0, 199);
        touched.mark(202, 199);
        touched.turn();
        assert_eq!(seen(&touched), [0, 199]);
    }
}
