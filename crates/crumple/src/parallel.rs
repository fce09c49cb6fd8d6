//! Work on the current thread pool, or on the calling thread where there is none: the one place that knows of threads.
//!
//! Every function here hands out the same pieces, with the same numbers, on any number of threads; only who works on a
//! piece, and when, differs. A result that is a function of its piece is therefore the same everywhere. Where work is cut
//! into as many shares as there are outputs, the caller joins the outputs in their order.

use std::ops::Range;
use std::sync::{Mutex, MutexGuard};

/// Below this many vertices, or items of like cost, a loop stays on one thread: waking another takes about as long.
pub(crate) const WORTH: usize = 4096;

/// How many threads work together.
#[inline]
pub(crate) fn threads() -> usize {
    #[cfg(feature = "parallel")]
    return rayon::current_num_threads();
    #[cfg(not(feature = "parallel"))]
    1
}

/// How many outputs to prepare for unequal pieces of work: one on one thread, else enough to even them out.
pub(crate) fn shares() -> usize {
    match threads() {
        1 => 1,
        n => 8 * n,
    }
}

/// Whether there are several threads, and more than `least` items for them.
#[inline]
pub(crate) fn is_worth(items: usize, least: usize) -> bool {
    items > least && threads() > 1
}

/// Share `index` of `0..len` cut into `shares` of equal size; the last ones may be shorter or empty.
pub(crate) fn share(len: usize, shares: usize, index: usize) -> Range<usize> {
    let size = len.div_ceil(shares.max(1));
    (index * size).min(len)..((index + 1) * size).min(len)
}

/// Something that is made beside everything else: on a thread of its own where there are several, otherwise when it is taken.
#[derive(Debug)]
pub(crate) struct Later<T>(Mutex<Making<T>>);

enum Making<T> {
    #[cfg(feature = "parallel")]
    Begun(std::thread::JoinHandle<T>),
    Waiting(Box<dyn FnOnce() -> T + Send>),
}

impl<T> std::fmt::Debug for Making<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Making")
    }
}

impl<T: Send + 'static> Later<T> {
    /// Begins, if there are threads.
    pub fn new(make: impl FnOnce() -> T + Send + 'static) -> Self {
        #[cfg(feature = "parallel")]
        if threads() > 1
            && let Ok(alone) = rayon::ThreadPoolBuilder::new().num_threads(1).build()
        {
            // In a pool of one: those who work on frames are not to wait for pieces of this.
            return Self(Mutex::new(Making::Begun(std::thread::spawn(move || alone.install(make)))));
        }
        Self(Mutex::new(Making::Waiting(Box::new(make))))
    }

    /// Takes it, and waits for it where it is not ready.
    pub fn take(self) -> T {
        match self.0.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner) {
            #[cfg(feature = "parallel")]
            Making::Begun(thread) => thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
            Making::Waiting(make) => make(),
        }
    }
}

/// Does both, at the same time where there are threads. Ask [`is_worth`] before.
#[inline]
pub(crate) fn join<A: Send, B: Send>(a: impl FnOnce() -> A + Send, b: impl FnOnce() -> B + Send) -> (A, B) {
    #[cfg(feature = "parallel")]
    return rayon::join(a, b);
    #[cfg(not(feature = "parallel"))]
    (a(), b())
}

/// Something to be worked on in pieces.
trait Cut: Send + Sized {
    fn total(&self) -> usize;

    /// The first `at`, and the others.
    fn cut(self, at: usize) -> (Self, Self);
}

impl<T: Send> Cut for &mut [T] {
    fn total(&self) -> usize {
        self.len()
    }

    fn cut(self, at: usize) -> (Self, Self) {
        self.split_at_mut(at)
    }
}

impl Cut for Range<usize> {
    fn total(&self) -> usize {
        self.len()
    }

    fn cut(self, at: usize) -> (Self, Self) {
        let middle = self.start + at;
        (self.start..middle, middle..self.end)
    }
}

/// Two things of one length, side by side.
impl<A: Cut, B: Cut> Cut for (A, B) {
    fn total(&self) -> usize {
        self.0.total()
    }

    fn cut(self, at: usize) -> (Self, Self) {
        let ((a, rest_a), (b, rest_b)) = (self.0.cut(at), self.1.cut(at));
        ((a, b), (rest_a, rest_b))
    }
}

/// Items, and an output for every `size` of them.
struct Shares<'a, T, U> {
    items: &'a mut [T],
    outputs: &'a mut [U],
    size: usize,
}

impl<T: Send, U: Send> Cut for Shares<'_, T, U> {
    fn total(&self) -> usize {
        self.items.len()
    }

    fn cut(self, at: usize) -> (Self, Self) {
        let Self { items, outputs, size } = self;
        let ((items, more_items), (outputs, more)) =
            (items.split_at_mut(at), outputs.split_at_mut(at / size));
        (Self { items, outputs, size }, Self { items: more_items, outputs: more, size })
    }
}

/// Calls `work` with every piece of `size` (the last may be shorter) and its place.
fn for_each_piece<P: Cut>(all: P, size: usize, work: &(dyn Fn(usize, P) + Sync)) {
    let group = grain(all.total().div_ceil(size)) * size;
    if threads() == 1 || all.total() <= size {
        return in_order((0, all), size, work);
    }
    let mut groups = Vec::new();
    in_order((0, all), group, |first, group| groups.push(Mutex::new(Some((first, group)))));
    at_once(0..groups.len(), &|n| {
        let group = groups[n].lock().expect("nobody else has it").take();
        in_order(group.expect("handed out once"), size, work);
    });
}

/// The same, one after the other.
fn in_order<P: Cut>((mut first, mut rest): (usize, P), size: usize, mut work: impl FnMut(usize, P)) {
    while rest.total() > size {
        let (piece, others) = rest.cut(size);
        work(first, piece);
        (first, rest) = (first + size, others);
    }
    if rest.total() > 0 {
        work(first, rest);
    }
}

/// Calls `work` with all numbers, on as many threads as there are.
///
/// By pointers, so that there is one of it: the iterators of `rayon`, made anew for each kind of items and each piece of
/// work, were a twelfth of all that the compiler had to translate.
fn at_once(numbers: Range<usize>, work: &(dyn Fn(usize) + Sync)) {
    if numbers.len() < 2 {
        return numbers.for_each(work);
    }
    let (a, b) = numbers.clone().cut(numbers.len() / 2);
    join(|| at_once(a, work), || at_once(b, work));
}

/// The size of pieces where any will do: so few that handing them out costs nothing, so many that nobody waits for long.
fn grain(len: usize) -> usize {
    len.div_ceil(64 * threads()).max(1)
}

/// Calls `work` with every item and its index.
pub(crate) fn for_each<T: Send>(items: &mut [T], work: impl Fn(usize, &mut T) + Sync) {
    let size = grain(items.len());
    for_each_piece(items, size, &|first, items: &mut [T]| {
        items.iter_mut().enumerate().for_each(|(i, item)| work(first + i, item));
    });
}

/// Calls `work` with every chunk of `size` items (the last may be shorter) and the index of its first item.
pub(crate) fn for_each_chunk<T: Send>(items: &mut [T], size: usize, work: impl Fn(usize, &mut [T]) + Sync) {
    for_each_piece(items, size, &work);
}

/// As [`for_each_chunk`], with two lists of one length side by side.
pub(crate) fn for_each_chunk_of_two<T: Send, U: Send>(
    (a, b): (&mut [T], &mut [U]),
    size: usize,
    work: impl Fn(usize, &mut [T], &mut [U]) + Sync,
) {
    debug_assert_eq!(a.len(), b.len());
    for_each_piece((a, b), size, &|first, (a, b)| work(first, a, b));
}

/// Cuts `0..len` into as many shares as there are outputs, and calls `work` with every output and its share, which may
/// be empty.
pub(crate) fn for_each_share<T: Send>(
    len: usize,
    outputs: &mut [T],
    work: impl Fn(Range<usize>, &mut T) + Sync,
) {
    let shares = outputs.len();
    for_each(outputs, |i, output| work(share(len, shares, i), output));
}

/// Cuts `items` into at most as many shares as there are outputs, and calls `work` with the index of the first item, the
/// items and the output of each. Outputs that are left over are not touched.
pub(crate) fn for_each_share_of<T: Send, U: Send>(
    items: &mut [T],
    outputs: &mut [U],
    work: impl Fn(usize, &mut [T], &mut U) + Sync,
) {
    let size = items.len().div_ceil(outputs.len().max(1)).max(1);
    let shares = Shares { items, outputs, size };
    for_each_piece(shares, size, &|first, Shares { items, outputs, .. }| {
        work(first, items, &mut outputs[0]);
    });
}

/// Calls `work` with ranges of at most `size` that make up `0..len`.
pub(crate) fn for_each_range(len: usize, size: usize, work: impl Fn(Range<usize>) + Sync) {
    for_each_piece(0..len, size, &|_, range| work(range));
}

/// The results of `work` on every chunk of `size` items, in their order; scratch memory as in [`map`].
pub(crate) fn map_chunks<T: Sync, S: Default, R: Send>(
    items: &[T],
    size: usize,
    scratch: &mut S,
    work: impl Fn(&mut S, &[T]) -> R + Sync,
) -> Vec<R> {
    map(items.chunks(size).collect(), scratch, work)
}

/// The results of `work` on every item, in their order. On one thread all use the scratch memory given; threads that join
/// in make their own.
pub(crate) fn map<T: Send, S: Default, R: Send>(
    items: Vec<T>,
    scratch: &mut S,
    work: impl Fn(&mut S, T) -> R + Sync,
) -> Vec<R> {
    if !is_worth(items.len(), 1) {
        return items.into_iter().map(|item| work(scratch, item)).collect();
    }
    let size = grain(items.len());
    let mut slots: Vec<(Option<T>, Option<R>)> = items.into_iter().map(|item| (Some(item), None)).collect();
    for_each_chunk(&mut slots, size, |_, slots| {
        let mut own = S::default();
        slots.iter_mut().for_each(|(item, result)| *result = item.take().map(|item| work(&mut own, item)));
    });
    slots.into_iter().filter_map(|(_, result)| result).collect()
}

/// One memory for each thread, used again. What it holds must not decide a result.
#[derive(Debug, Default)]
pub(crate) struct PerThread<T>(Vec<Mutex<T>>);

impl<T: Default> PerThread<T> {
    /// Makes sure that every thread of the current pool has one.
    pub fn reserve(&mut self) {
        self.0.resize_with(threads().max(self.0.len()), Mutex::default);
    }

    /// The calling thread's own; never waits. Whoever holds it must not begin work on several threads: a thread that waits
    /// there may take up another piece of the outer work, and ask again for what it holds.
    pub fn get(&self) -> MutexGuard<'_, T> {
        self.0[thread()].lock().expect("a thread panicked with it")
    }
}

/// The index of the calling thread in the current pool, below [`threads`].
fn thread() -> usize {
    #[cfg(feature = "parallel")]
    return rayon::current_thread_index().unwrap_or(0);
    #[cfg(not(feature = "parallel"))]
    0
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fmt::Debug;
    use std::sync::atomic::{AtomicUsize, Ordering};

    /// Runs on pools of one to four threads, and hands back what all of them gave.
    fn on_any_pool<R: PartialEq + Debug + Send>(work: impl Fn() -> R + Sync) -> R {
        let alone = work();
        for n in 1..5 {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(n).build().expect("threads");
            assert_eq!(pool.install(&work), alone, "{n} threads");
        }
        alone
    }

    #[test]
    fn pieces_are_the_same_on_any_number_of_threads() {
        for len in [0usize, 1, 2, 7, 8, 100] {
            for size in [1usize, 3, 8, 200] {
                let begins: Vec<usize> = (0..len).map(|i| i / size * size).collect();
                let chunks = on_any_pool(|| {
                    let mut out = vec![usize::MAX; len];
                    for_each_chunk(&mut out, size, |first, out| out.fill(first));
                    out
                });
                assert_eq!(chunks, begins);
                let two = on_any_pool(|| {
                    let mut out = (vec![usize::MAX; len], vec![0u8; len]);
                    let both = (&mut out.0[..], &mut out.1[..]);
                    for_each_chunk_of_two(both, size, |first, a, b| {
                        a.fill(first);
                        b.fill(a.len() as u8);
                    });
                    out
                });
                assert_eq!(two.0, begins);
                assert!(two.1.iter().zip(&begins).all(|(&n, &b)| usize::from(n) == size.min(len - b)));
                let items: Vec<usize> = (0..len).collect();
                let mapped = on_any_pool(|| map_chunks(&items, size, &mut (), |(), c| (c[0], c.len())));
                let expected: Vec<_> = items.chunks(size).map(|c| (c[0], c.len())).collect();
                assert_eq!(mapped, expected);
                let sum = on_any_pool(|| {
                    let (sum, count) = (AtomicUsize::new(0), AtomicUsize::new(0));
                    for_each_range(len, size, |r| {
                        count.fetch_add(1, Ordering::Relaxed);
                        sum.fetch_add(r.sum(), Ordering::Relaxed);
                    });
                    (sum.into_inner(), count.into_inner())
                });
                assert_eq!(sum, ((0..len).sum(), len.div_ceil(size)));
            }
        }
    }

    #[test]
    fn shares_make_up_the_whole() {
        for len in [0usize, 1, 5, 24, 25] {
            for outputs in [1usize, 2, 8, 30] {
                let ranges = on_any_pool(|| {
                    let mut out = vec![7..7; outputs];
                    for_each_share(len, &mut out, |range, out| *out = range);
                    out
                });
                assert!(ranges.iter().cloned().flatten().eq(0..len), "{len} in {outputs}");
                let firsts = on_any_pool(|| {
                    let (mut items, mut out) = (vec![usize::MAX; len], vec![0; outputs]);
                    for_each_share_of(&mut items, &mut out, |first, items, out| {
                        items.iter_mut().enumerate().for_each(|(i, item)| *item = first + i);
                        *out += items.len();
                    });
                    (items, out)
                });
                assert!(firsts.0.iter().copied().eq(0..len));
                assert!(ranges.iter().map(|r| r.len()).eq(firsts.1));
            }
        }
    }

    #[test]
    fn results_come_in_order_and_memory_belongs_to_one_thread() {
        let all = on_any_pool(|| {
            let mut scratch = PerThread::<Vec<usize>>::default();
            scratch.reserve();
            map((0..1000).collect(), &mut (), |(), i: usize| {
                let mut mine = scratch.get();
                mine.clear();
                mine.extend(0..i);
                mine.len()
            })
        });
        assert!(all.into_iter().eq(0..1000));
        assert_eq!(on_any_pool(|| join(|| 1, || 2)), (1, 2));
        assert!(!is_worth(5, 5) && (shares() == 1) == (threads() == 1));
    }
}
