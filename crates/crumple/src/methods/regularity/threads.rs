//! Work spread over the current thread pool; on one thread, plain loops.

/// How many outputs a list of work should have: one without threads, else enough to even out unequal pieces.
pub(super) fn chunks() -> usize {
    match threads() {
        1 => 1,
        n => 8 * n,
    }
}

#[cfg(feature = "parallel")]
fn threads() -> usize {
    rayon::current_num_threads()
}

#[cfg(not(feature = "parallel"))]
fn threads() -> usize {
    1
}

/// Does `work` on each item and the output in the same place, with scratch memory that each thread makes for itself.
pub(super) fn each<T: Sync, O: Send, S>(
    items: &[T],
    outputs: &mut [O],
    scratch: impl Fn() -> S + Sync + Send,
    work: impl Fn(&mut S, &T, &mut O) + Sync + Send,
) {
    #[cfg(feature = "parallel")]
    if threads() > 1 {
        use rayon::prelude::*;
        let pairs = items.par_iter().zip(outputs).with_min_len(64);
        pairs.for_each_init(scratch, |scratch, (item, output)| work(scratch, item, output));
        return;
    }
    let mut scratch = scratch();
    items.iter().zip(outputs).for_each(|(item, output)| work(&mut scratch, item, output));
}

/// Cuts `items` into as many pieces as there are outputs, and does `work` on each item with its piece's output.
pub(super) fn spread<T: Sync, O: Send>(
    items: &[T],
    outputs: &mut [O],
    work: impl Fn(&T, &mut O) + Sync + Send,
) {
    let piece = items.len().div_ceil(outputs.len()).max(1);
    #[cfg(feature = "parallel")]
    if outputs.len() > 1 {
        use rayon::prelude::*;
        let pieces = items.par_chunks(piece).zip(outputs.par_iter_mut());
        pieces.for_each(|(items, output)| items.iter().for_each(|item| work(item, output)));
        return;
    }
    for (items, output) in items.chunks(piece).zip(outputs) {
        items.iter().for_each(|item| work(item, output));
    }
}
