//! Small scenes that break a rule of thumb each.
//!
//! Each states what it should give, in all frames together; a test recounts it in integer arithmetic. All are small
//! enough for brute force in milliseconds.

pub mod bodies;
pub mod degenerate;
pub mod regularity;
pub mod solids;
pub mod ties;

use crate::{Entry, Expect, LazyBody, LazyScene, Surface};

/// A scene of surfaces that do not move.
fn still<const N: usize>(name: &str, surfaces: [(&str, Surface); N]) -> LazyScene {
    LazyScene::new(name, 1, surfaces.map(|(title, surface)| LazyBody::still(title, surface)).into())
}

/// Expected: pairs within a body without and with a common vertex, pairs between bodies, vertices in tets, points inside.
const fn counts([self_pairs, neighbour_pairs, pairs, tets, inside]: [u64; 5]) -> Expect {
    Expect {
        self_pairs: Some(self_pairs),
        neighbour_pairs: Some(neighbour_pairs),
        pairs: Some(pairs),
        tets: Some(tets),
        inside: Some(inside),
        distance: None,
    }
}

macro_rules! scenes {
    ($($name:literal, $about:literal, $make:expr, $expect:expr;)*) => {
        /// Scenes of this family.
        pub static SCENES: &[Entry] =
            &[$(Entry { name: $name, about: $about, make: || $make($name).expecting($expect) }),*];

        /// A scene file that refers to each, for the suite.
        pub(crate) const FILES: &[(&str, &str)] =
            &[$(($name, concat!("name = \"", $name, "\"\nscene = \"", $name, "\"\n"))),*];
    };
}

scenes! {
    "spiral-ramp", "all normals up, contour crosses itself, real self-collision", regularity::spiral_ramp, counts([44, 0, 0, 0, 0]);
    "slit-annulus", "two simple disjoint contours, all normals up, 17 crossings", regularity::slit_annulus, counts([17, 2, 0, 0, 0]);
    "branch-vertex", "a star that winds twice", regularity::branch_vertex, counts([4, 1, 0, 0, 0]);
    "fan", "64 triangles round one vertex, flat, cone, folded", regularity::fan_of_many, counts([0, 66, 0, 0, 0]);
    "nested-neighbours", "two vertex neighbours that cross, one contour in the other", regularity::nested_neighbours, counts([0, 1, 0, 0, 0]);
    "edge-neighbours", "two regions with a common edge that cross", regularity::edge_neighbours, counts([0, 2, 0, 0, 0]);
    "folded-sheet", "a sheet folded flat onto itself along a grid line", regularity::folded_sheet, counts([714, 47, 0, 0, 0]);
    "needles", "triangles 1 long and 1e-8 wide", degenerate::needles, counts([0, 0, 33, 0, 0]);
    "zero-area", "triangles that are segments and points", degenerate::zero_area, counts([712, 90, 134, 0, 0]);
    "repeated-corners", "triangles that name a vertex twice", degenerate::repeated_corners, counts([18, 7, 2, 0, 0]);
    "duplicates", "every face there twice, three ways", degenerate::duplicates, counts([576, 0, 0, 0, 0]);
    "unwelded", "a box whose triangles share no vertices", degenerate::unwelded, counts([168, 0, 0, 0, 0]);
    "coplanar", "two sheets sliding in one plane", degenerate::coplanar, counts([0, 0, 638, 0, 0]);
    "inconsistent", "one triangle in three turned over", degenerate::inconsistent, counts([416, 79, 0, 0, 0]);
    "non-manifold", "five pages on one edge, two boxes on one vertex", degenerate::non_manifold, counts([4, 26, 0, 0, 0]);
    "corner-crowd", "all but one triangle in a thousandth of the box", degenerate::corner_crowd, counts([155, 0, 0, 0, 0]);
    "hardly-anything", "an empty body and one with unused vertices", degenerate::hardly_anything, counts([0, 0, 8, 0, 0]);
    "grid-ties", "random triangles on a small integer grid", ties::grid, counts([2216, 235, 2736, 0, 0]);
    "tet-grid-ties", "random tets on a small integer grid", ties::tet_grid, counts([0, 0, 0, 677, 0]);
    "touch-point", "two boxes with one common point", ties::touch_point, counts([0, 0, 36, 0, 0]);
    "touch-edge", "two boxes with a common piece of edge", ties::touch_edge, counts([0, 0, 36, 0, 0]);
    "touch-face", "two boxes with a common piece of face", ties::touch_face, counts([0, 0, 51, 0, 0]);
    "tip-on-sheet", "a tip on a vertex, an edge, a face, and a hair above", ties::tip_on_sheet, counts([0, 0, 44, 0, 0]);
    "hair-gap", "two sheets 2^-30 apart", ties::hair_gap, Expect { distance: Some(1.0 / 1_073_741_824.0), ..counts([0, 0, 0, 0, 0]) };
    "far-1e6", "a sheet through itself, a million away", |n| ties::far(n, 1e6), counts([65, 0, 102, 0, 0]);
    "far-1e12", "a sheet through itself, 1e12 away", |n| ties::far(n, 1e12), counts([65, 0, 102, 0, 0]);
    "tiny", "a sheet through itself, 1e-60 large", |n| ties::scaled(n, 1e-60), counts([65, 0, 102, 0, 0]);
    "enormous", "a sheet through itself, 1e40 large", |n| ties::scaled(n, 1e40), counts([65, 0, 102, 0, 0]);
    "tets-inverted", "tets turned inside out", solids::inverted, counts([0, 0, 0, 284, 0]);
    "tets-flat", "tets pressed to zero volume", solids::flat, counts([0, 0, 0, 407, 0]);
    "crossed-bars", "two bars through each other, no vertex inside", solids::crossed_bars, counts([0, 0, 0, 0, 0]);
    "mixed-sizes", "one huge and one thin tet among small ones", solids::mixed_sizes, counts([0, 0, 0, 231, 0]);
    "bar-through-itself", "a bar of tets rolled through its own end", solids::bar_through_itself, counts([0, 0, 0, 38, 0]);
    "tet-balls", "two balls of tets on both sides of all axes", solids::balls, counts([0, 0, 0, 120, 0]);
    "moebius", "a one-sided strip pressed through itself", bodies::moebius, counts([69, 0, 0, 0, 0]);
    "klein", "a closed one-sided surface", bodies::klein, counts([162, 0, 0, 0, 0]);
    "nested-closed", "four closed bodies in each other, and points", bodies::nested, counts([0, 0, 0, 0, 616]);
    "winding-two", "a closed body through itself, and points", bodies::winding_two, counts([150, 0, 0, 0, 183]);
    "linked", "two tori linked like a chain", bodies::linked, counts([0, 0, 12, 0, 0]);
    "through-each-other", "a small sphere into a large one", bodies::through_each_other, counts([0, 0, 71, 0, 0]);
    "interlocked", "two combs tooth by tooth, 1/4 apart", bodies::interlocked, Expect { distance: Some(0.25), ..counts([0, 0, 0, 0, 0]) };
}
