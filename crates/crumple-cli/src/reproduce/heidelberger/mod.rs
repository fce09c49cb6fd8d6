//! Heidelberger, Teschner, Gross 2003: volumetric intersections by layered depth images.

mod alternatives;
mod pairs;
mod pictures;
mod points;
mod snow;
mod worst;

use super::{Experiment, Paper};

pub static PAPER: Paper = Paper {
    short: "Heidelberger et al. 2003",
    citation: "B. Heidelberger, M. Teschner, M. Gross: Volumetric Collision Detection for Deformable Objects, ETH \
               Zurich 2003 (layered depth images)",
    idea: "How much volume do they share, and is this point inside? Where the boxes of two closed surfaces overlap, \
           parallel rays note every entry and exit of each; stretches inside both are the common volume. Stages 1 \
           and 2 find that box and the layers, stage 3a intersects them, stage 3b looks points up.",
    machine: "Pentium 4, 2.8 GHz, GeForce 4 Ti 4600, 128 × 128 rays",
    summary: "It claims volumes common to two closed objects, and points inside one, from layers along parallel rays, at \
              interactive rates for hundreds of thousands of faces. Both hold, in software on one core now; only the rendering, which a graphics board did, is too slow there. The volume is \
              sampled and has no bound, the nearest ray is wrong for points near the surface, and the printed loop never \
              draws the last layer. Crumple notes all crossings in one pass on a watertight lattice, gives the volume \
              with a lower and an upper bound, and answers about points exactly.",
    experiments: &[
        Experiment {
            ids: &["H6"],
            title: "Boxes that turn with the object",
            source: "Section 3.1",
            claim: "Oriented boxes fit better, but take longer to compute for an object that deforms, and their \
                    intersection is no box.",
            run: alternatives::oriented,
        },
        Experiment {
            ids: &["H20"],
            title: "Other ways to make layers",
            source: "Section 2",
            claim: "Depth peeling makes the same layers with a more complex setup.",
            run: alternatives::peeling,
        },
        Experiment {
            ids: &["H21"],
            title: "Knot and Rabbit: 12,000 and 50,000 faces",
            source: "Table 1, Figs 7 and 8",
            claim: "Slight: depth complexity 3 and 1, 19 + 1 ms. Complex: 4 and 6, 56 + 1 ms.",
            run: |_| pairs::table(0),
        },
        Experiment {
            ids: &["H22"],
            title: "Rabbit and Reptile: 50,000 and 110,000 faces",
            source: "Table 1, Figs 7 and 8",
            claim: "Slight: depth complexity 7 and 5, 36 + 1 ms. Complex: 4 and 2, 48 + 1 ms.",
            run: |_| pairs::table(1),
        },
        Experiment {
            ids: &["H23"],
            title: "Reptile and Santa: 110,000 and 150,000 faces",
            source: "Table 1, Figs 7 and 8",
            claim: "Slight: depth complexity 1 and 3, 25 + 1 ms. Complex: 8 and 6, 114 + 1 ms.",
            run: |_| pairs::table(2),
        },
        Experiment {
            ids: &["H24"],
            title: "Knot and Dragon: 12,000 and 520,000 faces",
            source: "Section 5, Fig. 9",
            claim: "A very complex intersection, depth complexity 7 and 8: 256 ms, against 57 ms of Knot and Rabbit.",
            run: pairs::dragon,
        },
        Experiment {
            ids: &["H25"],
            title: "100,000 points in five objects",
            source: "Table 2, Fig. 10",
            claim: "Looking points up takes 26 to 28 ms whatever the object; making the layers takes 11 to 307 ms, \
                    more the more faces there are.",
            run: points::table,
        },
        Experiment {
            ids: &["H26"],
            title: "Particles on a deforming body",
            source: "Section 5, Fig. 11",
            claim: "20,000 particles and a deforming body of 10,000 faces: 29 frames a second with everything.",
            run: snow::falls,
        },
        Experiment {
            ids: &["H27"],
            title: "The worst case: boxes that coincide",
            source: "Section 5",
            claim: "When both boxes coincide the volume of interest and the depth complexity are largest, and so is \
                    the time; it can be derived from Table 2.",
            run: worst::coinciding,
        },
        Experiment {
            ids: &["H28"],
            title: "Stages, layers and queries, drawn",
            source: "Figs 1 to 6 and 10",
            claim: "Boxes, volume of interest, layers along rays, intersection volume, points inside and outside.",
            run: pictures::stages,
        },
    ],
};
