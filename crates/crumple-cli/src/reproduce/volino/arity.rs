//! How many children a region has (V5).

use anyhow::Result;
use crumple::methods::regularity::published::{Published, PublishedParams, Rules};
use crumple::{BodyId, Detector, Frame, Pairs};
use crumple_io::report::{Plot, Scale, Series};

use super::found;
use crate::reproduce::claim::Claim;
use crate::reproduce::finding::Finding;
use crate::reproduce::lab::{Extent, Stage};
use crate::reproduce::limits;
use crate::reproduce::measure::{least, mean_of, most, sum};
use crate::reproduce::sheet::{Sheet, Value, row};

/// Regions that merge into one.
const ARITIES: [usize; 5] = [2, 3, 4, 6, 8];

/// V5: hierarchies of two to eight children.
pub fn children(_: Extent) -> Result<Finding> {
    let mut sheet = Sheet::new([
        "surface",
        "arity",
        "mean children",
        "children / arity",
        "most children",
        "levels",
        "levels / logarithm",
        "calls",
        "triangle tests",
        "work / least",
    ]);
    let mut plot =
        Plot::new("Work of a query").x("children", Scale::Linear).y("over the least", Scale::Linear);
    for (what, name, frame) in
        [("sphere", "sphere-20k", 0), ("crossing sheet", "loop-20k", 2), ("crumpled sheet", "crumple-20k", 2)]
    {
        let stage = Stage::named(name)?;
        let pose = stage.pose(frame);
        let slices = pose.slices();
        let mut rows = Vec::new();
        for arity in ARITIES {
            let params = PublishedParams { rules: Rules::WithContours, arity, ..PublishedParams::default() };
            let mut method = Published::new(params)?;
            method.update(&stage.mesh, Frame::new(&slices))?;
            found(&stage, &pose, &mut method, Pairs::Within)?;
            rows.push((arity, method.shape(BodyId(0))?, method.stats()));
        }
        let work = |k: usize| (rows[k].2.calls + rows[k].2.tests) as f64;
        let best = (0..rows.len()).map(work).fold(f64::INFINITY, f64::min);
        let triangles = stage.mesh.triangles().len() as f64;
        for (k, (arity, shape, stats)) in rows.iter().enumerate() {
            let log = triangles.ln() / (*arity as f64).ln();
            row!(
                sheet,
                what,
                *arity,
                shape.mean_children,
                Value::Share(shape.mean_children / *arity as f64),
                shape.most_children,
                shape.levels,
                Value::Times(shape.levels as f64 / log),
                stats.calls,
                stats.tests,
                Value::Times(work(k) / best)
            );
        }
        let points: Vec<_> = rows.iter().enumerate().map(|(k, r)| (r.0 as f64, work(k) / best)).collect();
        plot = plot.series(Series::line(what, points));
    }
    let how = "the published hierarchy with contours, merged by 2, 3, 4, 6 and 8, on three surfaces of 20,000 triangles. Work is calls \
               of the search and triangle tests. A union stays smaller than asked for only where its last free neighbour is taken.";
    Ok(Finding::new(how, sheet)
        .claim(
            Claim::new(
                "Have O(1) maximal number of children for every node (The best value is 2).",
                "Section 2.3.1",
                "with two children the search does {} × the least work of all numbers, at most",
                most("work / least").at("arity", 2),
                &limits::OPTIMAL,
            )
            .because(
                "Fewer children make a deeper tree: more regions are asked on the way down, which wider nodes skip.",
                "on average over the surfaces, trees of two have {} levels more than trees of four",
                mean_of("levels").at("arity", 2).minus(mean_of("levels").at("arity", 4)),
                &limits::SOME,
            ),
        )
        .claim(Claim::new(
            "grouping several elements (a practical good value is 3)",
            "Section 2.3.1",
            "with three children the search does {} × the least work, at most",
            most("work / least").at("arity", 3),
            &limits::OPTIMAL,
        ).because(
            "Which number is best depends on the surface; three is never the worst.",
            "at its best three does {} × the least work",
            least("work / least").at("arity", 3),
            &limits::OPTIMAL,
        ))
        .claim(Claim::new(
            "Have O(1) maximal number of children for every node",
            "Section 2.3.1",
            "no node has more children than asked for: {} do",
            sum("most children").minus(sum("arity")),
            &limits::NONE,
        ))
        .plot(plot))
}
