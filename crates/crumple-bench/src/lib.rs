//! What the benchmarks share: a mesh to test, its candidate pairs, plain-f64 rivals, a clock.
//!
//! A crate of its own because parry3d, the peer to compare with, may be a dependency here (feature `parry`) without the
//! engine's own builds and tests ever compiling it.

pub mod mesh;
#[cfg(feature = "parry")]
pub mod peer;
pub mod plain;

use std::hint::black_box;
use std::time::Instant;

/// One thing to time.
pub struct Entry<'a> {
    /// Its name in the table.
    pub name: &'a str,
    /// Runs once over all items and returns a count that must not change.
    pub run: &'a dyn Fn() -> usize,
}

/// Times all entries in turn for some rounds and prints the best of each, per item and relative to the first.
pub fn compare(title: &str, items: usize, rounds: usize, entries: &[Entry<'_>]) {
    let mut best = vec![f64::INFINITY; entries.len()];
    let mut counts = vec![0; entries.len()];
    for _ in 0..rounds {
        for (i, entry) in entries.iter().enumerate() {
            let start = Instant::now();
            counts[i] = black_box((entry.run)());
            best[i] = best[i].min(start.elapsed().as_secs_f64());
        }
    }
    println!("{title}: {items} items, best of {rounds} rounds");
    for (i, entry) in entries.iter().enumerate() {
        let ns = best[i] * 1e9 / items as f64;
        println!("  {:<44} {ns:8.1} ns  {:5.2}x  count {}", entry.name, best[i] / best[0], counts[i]);
    }
}
