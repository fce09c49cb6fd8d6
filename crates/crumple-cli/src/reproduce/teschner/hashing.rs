//! The hash: prime table sizes (T22), functions (T14, T23).

use anyhow::Result;
use crumple::methods::spatial_hash::published::{HashFunction, PublishedParams};
use crumple_io::report::{Plot, Scale, Series};

use super::factors;
use super::sweeps::{Cost, costs};
use crate::reproduce::finding::Finding;
use crate::reproduce::lab::{Stage, extremes};
use crate::reproduce::sheet::{Sheet, Value, digits, row};

/// The functions that the paper prints or names, and a modern one.
pub const FUNCTIONS: [(&str, HashFunction); 5] = [
    ("as printed", HashFunction::Paper),
    ("with true primes", HashFunction::Primes),
    ("additive", HashFunction::Additive),
    ("rotating", HashFunction::Rotating),
    ("modern mixer", HashFunction::Mixer),
];

/// T22: prime and composite sizes, side by side.
pub fn primes() -> Result<Finding> {
    /// A prime and composites beside it.
    const GROUPS: [&[u32]; 4] =
        [&[997, 996, 1000, 1024], &[4999, 4998, 5000], &[8191, 8190, 8192], &[9973, 9972, 9984, 10_000]];
    let stage = Stage::named("T28")?;
    let mut sheet =
        Sheet::new(["table size", "factors", "strangers per tet", "of an even spread", "excess", "per step"]);
    let mut best = 0;
    for sizes in GROUPS {
        let with = |n: &u32| PublishedParams { table_size: Some(*n), ..PublishedParams::default() };
        let costs = costs(&stage, &sizes.iter().map(with).collect::<Vec<_>>())?;
        let mut excesses = Vec::new();
        for (n, c) in sizes.iter().zip(&costs) {
            // A perfect hash spreads the other vertices evenly over the entries that a tet looks into.
            let even = c.cells * stage.mesh.vertex_count() as f64 / f64::from(*n);
            excesses.push(c.strangers / even);
            let excess = Value::Times(c.strangers / even);
            let parts = if factors(*n).len() == 1 { "prime".to_owned() } else { product(&factors(*n)) };
            row!(sheet, u64::from(*n), parts, c.strangers, even, excess, Value::Seconds(c.seconds));
        }
        best += usize::from(excesses[0] <= extremes(&excesses[1..]).0);
    }
    let how = "two vessels, as published, tables of prime size beside composite ones; excess is the number of \
               strangers over that of an even spread.";
    Ok(Finding::new(how, sheet).check(
        2 * best > GROUPS.len(),
        format!("the prime size has the fewest strangers in {best} of {} groups of near sizes", GROUPS.len()),
    ))
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
pub fn functions() -> Result<Finding> {
    const SIZES: [u32; 5] = [499, 1999, 9973, 29_989, 99_991];
    let stage = Stage::named("T28")?;
    let mut sheet = Sheet::new(["function", "table size", "strangers per tet", "per step"]);
    let mut all = Vec::new();
    for n in SIZES {
        let base = PublishedParams { table_size: Some(n), ..PublishedParams::default() };
        all.push(costs(&stage, &FUNCTIONS.map(|(_, hash)| PublishedParams { hash, ..base }))?);
    }
    for (f, (name, _)) in FUNCTIONS.iter().enumerate() {
        for (n, costs) in SIZES.iter().zip(&all) {
            row!(sheet, *name, u64::from(*n), costs[f].strangers, Value::Seconds(costs[f].seconds));
        }
    }
    let strangers = |n: usize| all[n].iter().map(|c| c.strangers).collect::<Vec<_>>();
    let (first, last) = (strangers(0), strangers(SIZES.len() - 1));
    let gap = |s: &[f64]| extremes(s).1 - extremes(s).0;
    let rivals = first[2].min(first[3]);
    let plot = |title: &str, unit: &str, y: &dyn Fn(&Cost) -> f64| {
        let plot = Plot::new(title).x("table size", Scale::Log).y(unit, Scale::Log);
        FUNCTIONS.iter().enumerate().fold(plot, |plot, (f, (name, _))| {
            let points = SIZES.iter().zip(&all).map(|(n, costs)| (f64::from(*n), y(&costs[f])));
            plot.series(Series::line(*name, points))
        })
    };
    let how = "two vessels, as published but for the function; strangers are vertices of other cells that a tet \
               meets in an entry.";
    Ok(Finding::new(how, sheet)
        .check(
            first[0] <= rivals,
            format!(
                "in a table of {} the printed function lets a tet meet {} strangers, the better of the others {}",
                SIZES[0],
                digits(first[0]),
                digits(rivals)
            ),
        )
        .check(
            gap(&last) < gap(&first),
            format!(
                "functions differ by {} strangers in the smallest table and by {} in the largest",
                digits(gap(&first)),
                digits(gap(&last))
            ),
        )
        .remark(format!(
            "The second constant is called prime and is {}; with the prime 19349669 a tet meets {} strangers in \
             the smallest table. In the largest, {} remain with the printed function and {} with a modern mixer: \
             neighbouring cells that the printed one maps alike, whatever the size of the table.",
            product(&factors(19_349_663)),
            digits(first[1]),
            digits(last[0]),
            digits(last[4])
        ))
        .plot(plot("Strangers met by a tet", "vertices of other cells", &|c| c.strangers))
        .plot(plot("Time per step", "milliseconds", &|c| 1e3 * c.seconds)))
}
