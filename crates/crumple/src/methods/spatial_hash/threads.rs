//! Work on the current thread pool, or on this thread where there is none.

/// How many threads work together.
pub(super) fn count() -> usize {
    #[cfg(feature = "parallel")]
    return rayon::current_num_threads();
    #[cfg(not(feature = "parallel"))]
    1
}

/// Below this many items a loop stays on one thread: waking another takes about as long as 4096 vertices.
pub(super) const WORTH: usize = 4096;

/// Calls `work` with every chunk of `items`, and where it begins. Chunks are alike on any number of threads.
pub(super) fn for_each_chunk<T: Send>(items: &mut [T], size: usize, work: impl Fn(usize, &mut [T]) + Sync) {
    #[cfg(feature = "parallel")]
    if count() > 1 && items.len() > size {
        use rayon::prelude::*;
        items.par_chunks_mut(size).enumerate().for_each(|(n, chunk)| work(n * size, chunk));
        return;
    }
    for (n, chunk) in items.chunks_mut(size).enumerate() {
        work(n * size, chunk);
    }
}

/// Does both, at the same time where there are threads and `is_worth_it`.
pub(super) fn both(is_worth_it: bool, a: impl FnOnce() + Send, b: impl FnOnce() + Send) {
    #[cfg(feature = "parallel")]
    if is_worth_it && count() > 1 {
        rayon::join(a, b);
        return;
    }
    let _ = is_worth_it;
    a();
    b();
}
