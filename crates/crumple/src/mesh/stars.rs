//! Which elements use a vertex: lists that an edit changes where it changes something.
//!
//! The corners of elements at one vertex are linked to each other. An element is put in and taken out at the cost of the stars
//! of its corners.

use super::rows::Rows;

/// The end of a list.
const END: u32 = u32::MAX;

/// The elements at each vertex; N corners each. Corner k of element e is called N · e + k.
#[derive(Debug, Clone, Default)]
pub(super) struct Stars<const N: usize> {
    /// The first corner at each vertex.
    first: Rows<u32>,
    /// For each corner of each element the next one at the same vertex.
    next: Rows<[u32; N]>,
}

impl<const N: usize> Stars<N> {
    /// The stars of all vertices.
    pub fn new(vertices: usize, elements: &[[u32; N]]) -> Self {
        let mut first = vec![END; vertices];
        let mut next = vec![[END; N]; elements.len()];
        // From the end, so that the lists ascend.
        for (e, corners) in elements.iter().enumerate().rev() {
            for k in (0..N).rev() {
                let at = &mut first[corners[k] as usize];
                next[e][k] = std::mem::replace(at, (N * e + k) as u32);
            }
        }
        Self { first: first.into(), next: next.into() }
    }

    /// Elements at a vertex, in any order; one with several corners there comes as often.
    pub fn at(&self, vertex: u32) -> impl Iterator<Item = u32> + Clone + use<'_, N> {
        let mut corner = self.first.get(vertex as usize);
        std::iter::from_fn(move || {
            let this = corner;
            if this == END {
                return None;
            }
            corner = self.next(this);
            Some(this / N as u32)
        })
    }

    /// Elements at a vertex, ascending, each once.
    pub fn sorted(&self, vertex: u32) -> Vec<u32> {
        let mut all: Vec<u32> = self.at(vertex).collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    /// A vertex that nothing uses.
    pub fn add_vertex(&mut self) {
        self.first.push(END);
    }

    /// Makes room for one more element at the end of the list of elements.
    pub fn push(&mut self) {
        self.next.push([END; N]);
    }

    /// Takes away the last element, which is in no list any more.
    pub fn pop(&mut self) {
        self.next.pop();
    }

    /// Puts an element into the lists of its corners.
    pub fn link(&mut self, element: u32, corners: &[u32; N]) {
        let mut row = [END; N];
        for k in 0..N {
            row[k] = self.first.get(corners[k] as usize);
            self.first.set(corners[k] as usize, element * N as u32 + k as u32);
        }
        self.next.set(element as usize, row);
    }

    /// Takes an element out of the lists of its corners.
    pub fn unlink(&mut self, element: u32, corners: &[u32; N]) {
        for &vertex in corners {
            let mut before = END;
            let mut corner = self.first.get(vertex as usize);
            while corner != END {
                let after = self.next(corner);
                if corner / N as u32 != element {
                    before = corner;
                } else if before == END {
                    self.first.set(vertex as usize, after);
                } else {
                    let mut row = self.next.get(before as usize / N);
                    row[before as usize % N] = after;
                    self.next.set(before as usize / N, row);
                }
                corner = after;
            }
        }
    }

    fn next(&self, corner: u32) -> u32 {
        self.next.get(corner as usize / N)[corner as usize % N]
    }
}
