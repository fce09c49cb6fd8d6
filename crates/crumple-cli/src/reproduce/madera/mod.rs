//! Madera, Day, Laycock 2007: a distance hierarchy.

mod experiments;
mod models;
mod pictures;
mod runs;
mod unit;

use super::{Experiment, Paper};

pub static PAPER: Paper = Paper {
    short: "Madera et al. 2007",
    citation: "F. A. Madera, A. M. Day, S. D. Laycock: A Distance Hierarchy to Detect Collisions Between Deformable \
               Objects, University of East Anglia, 2007",
    idea: "How close are they, and where? Each object is cut into regions, and these into smaller ones; a region is \
           stood for by its middle vertex, which follows the deformation by itself. Distances of middle vertices are \
           compared level by level, and regions closer than an epsilon of the level are opened.",
    machine: "Pentium 4, 3 GHz, 1 GB",
    summary: "It claims that distances between middle vertices of regions, compared level by level with epsilons set by \
              hand, find all collisions of deforming objects at the right choice of epsilons. The hierarchy is cheap and \
              follows the deformation, but a distance of middle vertices bounds nothing unless the radii of both regions \
              are added: epsilons by hand lose collisions, and the last one decides what a collision is. Crumple keeps the \
              hierarchy and prunes by current radii and the margin asked for, on regions of triangles, so that no epsilon \
              is set and no pair is lost.",
    experiments: &[
        Experiment {
            ids: &["M18"],
            title: "The five models and their regions",
            source: "Table 1, Sections 3.1 and 3.3",
            claim: "Torus 768 vertices, 1536 faces, 2304 edges; pawn 610, 1216, 1824; human 946, 1888, 40; cylinder \
                    258, 512, 768; tooth 1202, 2400, 3600.",
            run: models::table,
        },
        Experiment {
            ids: &["M17"],
            title: "What the stages cost",
            source: "Sections 3.1 to 3.3",
            claim: "At most 64 pairs of regions are compared at level 1 and usually fewer than 30 opened; a vertex \
                    normally has fewer than 10 neighbours.",
            run: models::costs,
        },
        Experiment {
            ids: &["M19", "M20"],
            title: "Experiment 1: tori and pawns",
            source: "Section 4, Table 2, Fig. 9",
            claim: "Ten objects, 300 steps. Sets 1 and 2 of the epsilons miss collisions, sets 4 and 5 report too many; \
                    set 3 finds all with the fewest nodes: 76, 288 and 151 at levels 1 to 3.",
            run: runs::tori_and_pawns,
        },
        Experiment {
            ids: &["M21", "M22"],
            title: "Experiment 2: three humans and a torus",
            source: "Section 4, Table 3, Fig. 10",
            claim: "200 steps. Sets 2 and 3 report the same number of collisions; set 3 opens far fewer nodes and saves \
                    5 of 30 ms a step.",
            run: runs::humans_and_torus,
        },
        Experiment {
            ids: &["M23", "M24"],
            title: "Experiment 3: tooth and cylinder",
            source: "Section 4, Table 4, Fig. 11",
            claim: "100 steps. With convex regions the number of collisions hardly depends on the epsilons; set 3: 199 \
                    collisions in 24 ms.",
            run: runs::tooth_and_cylinder,
        },
        Experiment {
            ids: &["M25"],
            title: "Regions and distances, drawn",
            source: "Figs 2, 4, 6, 7 and 8",
            claim: "A region as a sphere, distances of levels 1, 2 and 3 in red, green and blue, humans and a torus.",
            run: pictures::drawn,
        },
    ],
};
