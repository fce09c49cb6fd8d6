//! Work on the current thread pool, or on this thread where there is none.

/// How many threads work together.
pub(super) fn count() -> usize {
    #[cfg(feature = "parallel")]
    return rayon::current_num_threads();
    #[cfg(not(feature = "parallel"))]
    1
}

/// Calls `work` with matching chunks of two lists of one length.
pub(super) fn for_each_pair<A: Send, B: Send>(
    a: &mut [A],
    b: &mut [B],
    size: usize,
    work: impl Fn(&mut [A], &mut [B]) + Sync,
) {
    #[cfg(feature = "parallel")]
    if count() > 1 && a.len() > size {
        use rayon::prelude::*;
        a.par_chunks_mut(size).zip(b.par_chunks_mut(size)).for_each(|(a, b)| work(a, b));
        return;
    }
    let _ = size;
    work(a, b);
}

/// Calls `work` with every item and its number.
pub(super) fn for_each<T: Send>(items: &mut [T], work: impl Fn(usize, &mut T) + Sync) {
    #[cfg(feature = "parallel")]
    if count() > 1 && items.len() > 1 {
        use rayon::prelude::*;
        items.par_iter_mut().enumerate().for_each(|(n, item)| work(n, item));
        return;
    }
    items.iter_mut().enumerate().for_each(|(n, item)| work(n, item));
}
