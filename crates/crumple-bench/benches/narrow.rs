//! Exact triangle tests beside a plain `f64` interval test and parry3d, on the candidate pairs of one frame.
//!
//! `cargo bench -p crumple-bench --features parry --bench narrow -- [SCENE]`, where SCENE is a scene directory; without
//! it a crumpled sheet is made. All entries take turns within one run; what counts is their ratio.

use crumple::geometry::Point;
use crumple::geometry::predicates::Settled;
use crumple::narrow::{contact, tri_tri, tri_tri_distance, vertex_tet};
use crumple_bench::mesh::{Pair, Surface};
use crumple_bench::{Entry, compare, plain};
use std::path::PathBuf;

fn main() -> std::io::Result<()> {
    let scene = std::env::args().skip(1).find(|a| !a.starts_with('-')).map(PathBuf::from);
    let surface = match &scene {
        Some(dir) => Surface::read(dir)?,
        None => Surface::crumpled(150),
    };
    let (apart, neighbours) = surface.candidates();
    println!("{} triangles", surface.triangles.len());
    triangles(&surface, &apart);
    sharing(&surface, &neighbours);
    measures(&surface, &apart[..apart.len().min(50_000)]);
    tets(&surface, &apart);
    Ok(())
}

/// How many pairs pass; a macro, so that each test is compiled into its own loop.
macro_rules! count {
    ($pairs:expr, |$s:ident, $t:ident| $test:expr) => {
        &|range| $pairs[range].iter().filter(|&&($s, $t)| $test).count()
    };
}

fn triangles(m: &Surface, pairs: &[Pair]) {
    #[cfg(feature = "parry")]
    let parry = crumple_bench::peer::triangles(m);
    compare(
        "triangles without a common vertex",
        pairs.len(),
        25,
        &[
            Entry {
                name: "plain f64 interval test, corners copied",
                run: count!(pairs, |s, t| {
                    let (a, b) = (m.copy(s), m.copy(t));
                    plain::tri_tri(a.each_ref(), b.each_ref())
                }),
            },
            Entry {
                name: "plain f64 interval test",
                run: count!(pairs, |s, t| plain::tri_tri(m.corners(s), m.corners(t))),
            },
            Entry {
                name: "tri_tri::intersects, corners copied",
                run: count!(pairs, |s, t| tri_tri::intersects(&m.copy(s), &m.copy(t))),
            },
            Entry {
                name: "tri_tri::intersects_at",
                run: count!(pairs, |s, t| tri_tri::intersects_at(m.corners(s), m.corners(t))),
            },
            Entry { name: "tri_tri::meets_at", run: count!(pairs, |s, t| meets(m, s, t)) },
            #[cfg(feature = "parry")]
            Entry {
                name: "parry3d query::intersection_test",
                run: count!(pairs, |s, t| crumple_bench::peer::intersect(
                    &parry[s as usize],
                    &parry[t as usize]
                )),
            },
        ],
    );
    let mut tally = Settled::default();
    for &(s, t) in pairs {
        tri_tri::intersects_tallied(m.corners(s), m.corners(t), &mut tally);
    }
    let all = tally.filtered + tally.exact;
    println!("  signs settled by the filter: {} of {all}", tally.filtered);
}

fn meets(m: &Surface, s: u32, t: u32) -> bool {
    tri_tri::meets_at(m.triangles[s as usize], m.corners(s), m.triangles[t as usize], m.corners(t))
}

fn sharing(m: &Surface, pairs: &[Pair]) {
    let meets = Entry { name: "tri_tri::meets_at", run: count!(pairs, |s, t| meets(m, s, t)) };
    compare("triangles with a common vertex or edge", pairs.len(), 25, &[meets]);
}

fn measures(m: &Surface, pairs: &[Pair]) {
    // A hundredth of a typical edge.
    let edge = (0..3).map(|k| (m.copy(0)[0][k] - m.copy(0)[1][k]).powi(2)).sum::<f64>();
    let limit = 1e-2 * edge.sqrt();
    let entries = [
        Entry {
            name: "tri_tri_distance::closest",
            run: count!(pairs, |s, t| tri_tri_distance::closest(&m.copy(s), &m.copy(t)).distance == 0.0),
        },
        Entry {
            name: "tri_tri_distance::closest_up_to 1 % of an edge",
            run: count!(pairs, |s, t| tri_tri_distance::closest_up_to(&m.copy(s), &m.copy(t), limit)
                .is_some()),
        },
        Entry {
            name: "contact::contact",
            run: count!(pairs, |s, t| contact::contact(&m.copy(s), &m.copy(t)).is_some()),
        },
    ];
    compare("distance and contact of two triangles", pairs.len(), 5, &entries);
}

/// A corner of one triangle against a tet over the other, about as high as an edge is long.
fn tets(m: &Surface, pairs: &[Pair]) {
    let cases: Vec<(Point, [Point; 4])> = pairs
        .iter()
        .map(|&(s, t)| {
            let (a, b) = (m.copy(s), m.copy(t));
            let turned = |k: usize| b[1][(k + 1) % 3] - b[2][(k + 1) % 3];
            let top = std::array::from_fn(|k| b[0][k] + 0.5 * (a[1][k] - b[1][k]) + turned(k));
            (a[0], [b[0], b[1], b[2], top])
        })
        .collect();
    let entries = [
        Entry {
            name: "plain f64 barycentric (T10)",
            run: &|range| cases[range].iter().filter(|(p, t)| plain::in_tet(p, t)).count(),
        },
        Entry {
            name: "vertex_tet::contains",
            run: &|range| cases[range].iter().filter(|(p, t)| vertex_tet::contains(p, t)).count(),
        },
        Entry {
            name: "vertex_tet::contains_by_half_spaces (T11)",
            run: &|range| {
                cases[range].iter().filter(|(p, t)| vertex_tet::contains_by_half_spaces(p, t)).count()
            },
        },
    ];
    compare("a vertex and a tet, in memory order", cases.len(), 25, &entries);
}
