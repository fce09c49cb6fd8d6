//! What each thread finds, and how their work is shared out.

use std::ops::Range;

use super::vertex_buffer::VertexBuffer;
use crate::parallel;
use crate::{Stats, TetId, VertexId};

/// A vertex and a tet as one key, by vertex when sorted.
#[inline(always)]
pub(super) fn pack(vertex: u32, tet: u32) -> u64 {
    u64::from(vertex) << 32 | u64::from(tet)
}

/// The vertex and the tet of a key.
pub(super) fn unpack(key: u64) -> (VertexId, TetId) {
    (VertexId((key >> 32) as u32), TetId(key as u32))
}

/// What one worker found of a kind of pairs, and its scratch memory.
#[derive(Debug, Clone)]
pub(super) struct Worker<T> {
    pub found: Vec<T>,
    pub near: VertexBuffer,
    pub stats: Stats,
}

impl<T> Worker<T> {
    /// Takes a pair, if it meets where that is wanted.
    #[inline(always)]
    pub fn candidate(&mut self, pair: T, exact: bool, meets: impl FnOnce() -> bool) {
        self.stats.candidates += 1;
        if !exact || meets() {
            self.found.push(pair);
        }
    }
}

impl<T> Default for Worker<T> {
    fn default() -> Self {
        Self { found: Vec::new(), near: VertexBuffer::default(), stats: Stats::default() }
    }
}

/// Workers that share a search, and all that they found.
#[derive(Debug, Clone)]
pub(super) struct Workers<T> {
    each: Vec<Worker<T>>,
    /// Sorted, and each once.
    pub all: Vec<T>,
}

impl<T> Default for Workers<T> {
    fn default() -> Self {
        Self { each: Vec::new(), all: Vec::new() }
    }
}

impl<T: Copy + Ord + Send> Workers<T> {
    /// Lets the workers search the pieces of `0..total`, each of at least `least`.
    pub fn search(
        &mut self,
        total: usize,
        least: usize,
        work: impl Fn(Range<usize>, &mut Worker<T>) + Sync,
    ) -> Stats {
        // Several shares a thread, so that one with many hits does not keep the others waiting.
        let size = total.div_ceil(parallel::shares()).max(least);
        self.each.resize_with(total.div_ceil(size), Worker::default);
        parallel::for_each(&mut self.each, |n, worker| {
            worker.found.clear();
            worker.stats = Stats::default();
            work(n * size..total.min((n + 1) * size), worker);
        });
        self.all.clear();
        let mut stats = Stats::default();
        for worker in &self.each {
            self.all.extend_from_slice(&worker.found);
            stats += worker.stats;
        }
        self.all.sort_unstable();
        self.all.dedup();
        stats
    }
}
