//! Sorting by some bits of a key: linear, stable, without comparisons.

use crate::csr::exclusive_sums;

/// Bits per round: the counters of one round fit the first cache.
const ROUND: u32 = 11;

/// Sorts by bits `from..from + bits` of the keys; keys equal there keep their order.
pub(super) fn sort(keys: &mut Vec<u64>, scratch: &mut Vec<u64>, from: u32, bits: u32) {
    if keys.len() < 64 {
        // Stable and short.
        keys.sort_by_key(|k| k >> from);
        return;
    }
    scratch.resize(keys.len(), 0);
    let rounds = bits.div_ceil(ROUND);
    for round in 0..rounds {
        // Even shares, so that no round has more counters than it needs.
        let begin = from + bits * round / rounds;
        let width = from + bits * (round + 1) / rounds - begin;
        let mask = (1u64 << width) - 1;
        let mut starts = [0u32; 1 << ROUND];
        for k in keys.iter() {
            starts[(k >> begin & mask) as usize] += 1;
        }
        exclusive_sums(&mut starts[..1 << width]);
        for &k in keys.iter() {
            let next = &mut starts[(k >> begin & mask) as usize];
            scratch[*next as usize] = k;
            *next += 1;
        }
        std::mem::swap(keys, scratch);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equals_a_stable_sort() {
        let mut state = 1u64;
        for n in [0usize, 1, 63, 64, 1000, 5000] {
            for bits in [0, 3, 11, 12, 21, 30] {
                let mut keys: Vec<u64> = (0..n as u64)
                    .map(|i| {
                        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                        (state >> 40 & ((1 << bits) - 1)) << 32 | (n as u64 - i)
                    })
                    .collect();
                let mut expected = keys.clone();
                expected.sort_by_key(|k| k >> 32);
                sort(&mut keys, &mut Vec::new(), 32, bits);
                assert_eq!(keys, expected, "{n} keys of {bits} bits");
            }
        }
    }
}
