//! The hash: prime table sizes (T22), functions (T14, T23).

use anyhow::Result;
use crumple::methods::spatial_hash::published::{HashFunction, PublishedParams};
use crumple_io::report::{Plot, Scale, Series};

use super::factors;
use super::sweeps::{Cost, costs};
use crate::reproduce::claim::Claim;
use crate::reproduce::finding::Finding;
use crate::reproduce::lab::{Extent, Stage, smallest};
use crate::reproduce::limits;
use crate::reproduce::measure::{cell, mean_of, most, rows, sum};
use crate::reproduce::sheet::{Sheet, Value, digits, row};

/// The functions that the paper prints or names, and a modern one.
pub const FUNCTIONS: [(&str, HashFunction); 5] = [
    ("as printed", HashFunction::Paper),
    ("with true primes", HashFunction::Primes),
    ("additive", HashFunction::Additive),
    ("rotating", HashFunction::Rotating),
    ("modern mixer", HashFunction::Mixer),
];

/// The factors of the function that the paper prints.
const PRINTED: [u32; 3] = [73_856_093, 19_349_663, 83_492_791];

/// T22: prime and composite sizes, side by side.
pub fn primes(extent: Extent) -> Result<Finding> {
    /// A prime and composites beside it.
    const GROUPS: [&[u32]; 4] =
        [&[997, 996, 1000, 1024], &[4999, 4998, 5000], &[8191, 8190, 8192], &[9973, 9972, 9984, 10_000]];
    let stage = Stage::named("T28")?;
    let mut sheet = Sheet::new([
        "table size",
        "factors",
        "is",
        "strangers per tet",
        "of an even spread",
        "excess",
        "prime and best of its group",
        "neighbours alike",
        "per step",
    ]);
    for sizes in GROUPS {
        let with = |n: &u32| PublishedParams { table_size: Some(*n), ..PublishedParams::default() };
        let costs = costs(&stage, &sizes.iter().map(with).collect::<Vec<_>>(), extent)?;
        // A perfect hash spreads the other vertices evenly over the entries that a tet looks into.
        let even = |n: u32, c: &Cost| c.cells * stage.mesh.vertex_count() as f64 / f64::from(n);
        let excess: Vec<f64> = sizes.iter().zip(&costs).map(|(n, c)| c.strangers / even(*n, c)).collect();
        let best = smallest(&excess);
        for ((n, c), excess) in sizes.iter().zip(&costs).zip(&excess) {
            let is_prime = factors(*n).len() == 1;
            let parts = if is_prime { "prime".to_owned() } else { product(&factors(*n)) };
            let wins = if is_prime { Value::from(usize::from(*excess <= best)) } else { Value::Nothing };
            row!(
                sheet,
                u64::from(*n),
                parts,
                if is_prime { "prime" } else { "composite" },
                c.strangers,
                even(*n, c),
                Value::Times(*excess),
                wins,
                alike(*n),
                Value::Seconds(c.seconds)
            );
        }
    }
    let how = "two vessels, as published, tables of prime size beside composite ones; excess is the number of \
               strangers over that of an even spread. “Neighbours alike” counts, for 20 × 20 × 20 cells about the origin, \
               pairs of cells that touch and share an entry.";
    Ok(Finding::new(how, sheet)
        .claim(Claim::new(
            "it is known, that hash functions work most efficiently if the hash table size is a prime number",
            "Section 4.2",
            "of 4 groups of near sizes, the prime has the fewest strangers in {%}",
            sum("prime and best of its group").over(rows("table size")).at("factors", "prime"),
            &limits::USUALLY,
        ).because(
            "What a prime protects from, cells at regular distances in one entry, the printed function does not have: its \
             factors are odd and large. Whether a size suits it is an accident, and composite sizes suit it as often.",
            "on average over the groups, primes have {} × the excess of composite sizes",
            mean_of("excess").at("is", "prime").over(mean_of("excess").at("is", "composite")).off(),
            &limits::ALMOST,
        )))
}

/// Pairs of touching cells that the printed function maps to one entry, among 20 × 20 × 20 cells about the origin.
fn alike(n: u32) -> usize {
    /// Cells from the origin to each side.
    const SIDE: i32 = 10;
    /// Of the 27 cells about one, those after it: every pair once.
    const LATER: std::ops::Range<i32> = 14..27;
    let entry = |x: i32, y: i32, z: i32| {
        let part = |i: i32, p: u32| (i as u32).wrapping_mul(p);
        (part(x, PRINTED[0]) ^ part(y, PRINTED[1]) ^ part(z, PRINTED[2])) % n
    };
    let mut count = 0;
    for x in -SIDE..SIDE {
        for y in -SIDE..SIDE {
            for z in -SIDE..SIDE {
                let here = entry(x, y, z);
                for d in LATER {
                    let (dx, dy, dz) = (d / 9 - 1, d / 3 % 3 - 1, d % 3 - 1);
                    count += usize::from(entry(x + dx, y + dy, z + dz) == here);
                }
            }
        }
    }
    count
}

/// `2^13`, `2 · 3 · 7^2`.
fn product(factors: &[u32]) -> String {
    let mut parts: Vec<(u32, usize)> = Vec::new();
    for f in factors {
        match parts.last_mut() {
            Some((p, n)) if p == f => *n += 1,
            _ => parts.push((*f, 1)),
        }
    }
    let power = |(p, n): &(u32, usize)| if *n == 1 { p.to_string() } else { format!("{p}^{n}") };
    parts.iter().map(power).collect::<Vec<_>>().join(" · ")
}

/// T14, T23: five functions in small and large tables.
pub fn functions(extent: Extent) -> Result<Finding> {
    /// Primes, about the numbers of the paper and beyond.
    const SIZES: [u32; 5] = [499, 1999, 9973, 29_989, 99_991];
    let stage = Stage::named("T28")?;
    let mut sheet =
        Sheet::new(["function", "table size", "strangers per tet", "per step", "against the fastest"]);
    let mut all = Vec::new();
    for n in SIZES {
        let base = PublishedParams { table_size: Some(n), ..PublishedParams::default() };
        all.push(costs(&stage, &FUNCTIONS.map(|(_, hash)| PublishedParams { hash, ..base }), extent)?);
    }
    for (f, (name, _)) in FUNCTIONS.iter().enumerate() {
        for (n, costs) in SIZES.iter().zip(&all) {
            let c = &costs[f];
            row!(sheet, *name, u64::from(*n), c.strangers, Value::Seconds(c.seconds), Value::times(c.times));
        }
    }
    let last: Vec<f64> = all[SIZES.len() - 1].iter().map(|c| c.strangers).collect();
    let first: Vec<f64> = all[0].iter().map(|c| c.strangers).collect();
    let plot = |title: &str, unit: &str, y: &dyn Fn(&Cost) -> f64| {
        let plot = Plot::new(title).x("table size", Scale::Log).y(unit, Scale::Log);
        FUNCTIONS.iter().enumerate().fold(plot, |plot, (f, (name, _))| {
            let points = SIZES.iter().zip(&all).map(|(n, costs)| (f64::from(*n), y(&costs[f])));
            plot.series(Series::line(*name, points))
        })
    };
    let how = "two vessels, as published but for the function; strangers are vertices of other cells that a tet \
               meets in an entry.";
    let met = |name: &str, n: u32| cell("strangers per tet").at("function", name).at("table size", n);
    let slowest = |n: u32| most("against the fastest").at("table size", n);
    let (small, large) = (SIZES[0], SIZES[SIZES.len() - 1]);
    Ok(Finding::new(how, sheet)
        .claim(Claim::new(
            "The function can be evaluated very efficiently and produces a comparatively small number of hash collisions \
             for small hash tables.",
            "Section 4.1",
            "in a table of 499 the printed function lets a tet meet {} × the strangers of the additive one",
            met("as printed", small).over(met("additive", small)),
            &limits::LESS,
        ))
        .claim(Claim::new(
            "The function can be evaluated very efficiently and produces a comparatively small number of hash collisions \
             for small hash tables.",
            "Section 4.1",
            "and {} × the strangers of the rotating one",
            met("as printed", small).over(met("rotating", small)),
            &limits::LESS,
        ))
        .claim(Claim::new(
            "the quality of the hash function is less important for larger hash tables",
            "Section 4.1",
            "the slowest function over the fastest is, in the largest table, {} × what it is in the smallest",
            slowest(large).over(slowest(small)),
            &limits::LESS,
        ).because(
            "A poor function uses few entries however many there are: its strangers hardly fall with the table, those of a \
             good function do, so that the choice weighs more.",
            "the additive function leaves {} × the strangers of a mixer in the largest table, over the same in the smallest",
            met("additive", large)
                .over(met("modern mixer", large))
                .over(met("additive", small).over(met("modern mixer", small))),
            &limits::MORE,
        ))
        .remark(format!(
            "The second constant is called prime and is {}; with the prime 19349669 a tet meets {} strangers in \
             the smallest table. In the largest, {} remain with the printed function and {} with a modern mixer: \
             neighbouring cells that the printed one maps alike, whatever the size of the table.",
            product(&factors(PRINTED[1])),
            digits(first[1]),
            digits(last[0]),
            digits(last[4])
        ))
        .plot(plot("Strangers met by a tet", "vertices of other cells", &|c| c.strangers))
        .plot(plot("Time per step", "milliseconds", &|c| 1e3 * c.seconds)))
}
