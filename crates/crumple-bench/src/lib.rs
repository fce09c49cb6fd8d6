//! What the benchmarks share: a mesh to test, its candidate pairs, plain-f64 rivals, a clock.
//!
//! A crate of its own because parry3d, the peer to compare with, may be a dependency here (feature `parry`) without the
//! engine's own builds and tests ever compiling it.

pub mod mesh;
#[cfg(feature = "parry")]
pub mod peer;
pub mod plain;

use std::hint::black_box;
use std::ops::Range;
use std::time::Instant;

/// One thing to time.
pub struct Entry<'a> {
    /// Its name in the table.
    pub name: &'a str,
    /// Runs over the items in a range and returns a count.
    pub run: &'a dyn Fn(Range<usize>) -> usize,
}

/// Times all entries in turn and prints nanoseconds an item, relative to the first entry, and the count.
///
/// Items are taken in portions of about a millisecond; each portion's time is its best over the rounds. On a busy machine
/// a portion that is not interrupted comes along sooner than a whole pass.
pub fn compare(title: &str, items: usize, rounds: usize, entries: &[Entry<'_>]) {
    const PORTION: usize = 16 * 1024;
    let portions: Vec<Range<usize>> =
        (0..items).step_by(PORTION).map(|from| from..items.min(from + PORTION)).collect();
    let mut best = vec![vec![f64::INFINITY; portions.len()]; entries.len()];
    let mut counts = vec![0; entries.len()];
    for _ in 0..rounds {
        counts.fill(0);
        for (j, portion) in portions.iter().enumerate() {
            for (i, entry) in entries.iter().enumerate() {
                let start = Instant::now();
                counts[i] += black_box((entry.run)(portion.clone()));
                best[i][j] = best[i][j].min(start.elapsed().as_secs_f64());
            }
        }
    }
    println!("{title}: {items} items, best of {rounds} rounds");
    let total: Vec<f64> = best.iter().map(|b| b.iter().sum()).collect();
    for (i, entry) in entries.iter().enumerate() {
        let ns = total[i] * 1e9 / items as f64;
        println!("  {:<46} {ns:8.1} ns  {:5.2}x  count {}", entry.name, total[i] / total[0], counts[i]);
    }
}
