//! Work on the current thread pool, or on this thread where there is none.

/// How many threads work together.
pub(super) fn count() -> usize {
    #[cfg(feature = "parallel")]
    return rayon::current_num_threads();
    #[cfg(not(feature = "parallel"))]
    1
}

/// Calls `work` with chunks of a list, or with all of it.
pub(super) fn for_each_chunk<T: Send>(items: &mut [T], size: usize, work: impl Fn(&mut [T]) + Sync) {
    #[cfg(feature = "parallel")]
    if count() > 1 && items.len() > size {
        use rayon::prelude::*;
        items.par_chunks_mut(size).for_each(&work);
        return;
    }
    let _ = size;
    work(items);
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
