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

/// Does `work` on pieces of the outputs, told the place of its first. Without threads there is one piece.
pub(super) fn in_pieces<O: Send>(
    outputs: &mut [O],
    piece: usize,
    work: impl Fn(usize, &mut [O]) + Sync + Send,
) {
    #[cfg(feature = "parallel")]
    if threads() > 1 {
        use rayon::prelude::*;
        outputs.par_chunks_mut(piece).enumerate().for_each(|(i, outputs)| work(i * piece, outputs));
        return;
    }
    let _ = piece;
    work(0, outputs);
}

/// Like [`in_pieces`], with two outputs side by side.
pub(super) fn in_pieces_of_two<O: Send, P: Send>(
    outputs: (&mut [O], &mut [P]),
    piece: usize,
    work: impl Fn(usize, &mut [O], &mut [P]) + Sync + Send,
) {
    #[cfg(feature = "parallel")]
    if threads() > 1 {
        use rayon::prelude::*;
        let pieces = outputs.0.par_chunks_mut(piece).zip(outputs.1.par_chunks_mut(piece));
        pieces.enumerate().for_each(|(i, (o, p))| work(i * piece, o, p));
        return;
    }
    let _ = piece;
    work(0, outputs.0, outputs.1);
}

/// Cuts `items` into as many pieces as there are outputs, and does `work` on each piece with its output.
pub(super) fn spread<T: Sync, O: Send>(
    items: &[T],
    outputs: &mut [O],
    work: impl Fn(&[T], &mut O) + Sync + Send,
) {
    let piece = items.len().div_ceil(outputs.len()).max(1);
    #[cfg(feature = "parallel")]
    if outputs.len() > 1 {
        use rayon::prelude::*;
        let pieces = items.par_chunks(piece).zip(outputs.par_iter_mut());
        pieces.for_each(|(items, output)| work(items, output));
        return;
    }
    for (items, output) in items.chunks(piece).zip(outputs) {
        work(items, output);
    }
}
