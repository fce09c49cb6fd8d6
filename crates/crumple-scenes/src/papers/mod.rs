//! The five papers' set-ups by checklist id, with the exact counts.
//!
//! T is Teschner 2003, M Madera 2007, H Heidelberger 2003, B Ganovelli 2000 (BucketTree), V Volino 1994. [`SETUPS`] says
//! which registered scenes an experiment needs; [`SCENES`] registers those that no benchmark scene provides. Where a
//! paper runs for 1000 steps, the scene has 1000 frames: take them from [`crate::lazy`], one at a time.

pub mod ganovelli;
pub mod heidelberger;
pub mod madera;
pub mod teschner;
mod vessels;
pub mod volino;

use crate::registry::scenes;
use heidelberger::Model::{Dragon, Knot, Rabbit, Reptile, Santa};

/// What one experiment needs.
#[derive(Debug, Clone, Copy)]
pub struct Setup {
    /// Checklist id.
    pub id: &'static str,
    /// One line: what the paper did.
    pub about: &'static str,
    /// Names of the scenes, in the paper's order.
    pub scenes: &'static [&'static str],
}

/// Every experiment that needs scenes.
pub static SETUPS: &[Setup] = &[
    Setup { id: "T25", about: "100 objects of 10 tets", scenes: &["T25"] },
    Setup { id: "T26", about: "8 objects of 500 tets", scenes: &["T26"] },
    Setup { id: "T27", about: "20 objects of 500 tets", scenes: &["T27"] },
    Setup { id: "T28", about: "two vessels, 20,514 tets", scenes: &["T28"] },
    Setup { id: "T29", about: "100 objects of 500 tets", scenes: &["T29"] },
    Setup { id: "T30", about: "table size, vessels", scenes: &["T28"] },
    Setup { id: "T31", about: "table size, 1000 tets", scenes: &["T25"] },
    Setup { id: "T32", about: "cell size, vessels", scenes: &["T28"] },
    Setup { id: "T33", about: "cell size, 1000 tets", scenes: &["T25"] },
    Setup { id: "T34", about: "the same tets in 1, 10, 100 objects", scenes: &["T34-1", "T34-10", "T29"] },
    Setup {
        id: "M18",
        about: "the five models of Table 1",
        scenes: &["M18-torus", "M18-pawn", "M18-human", "M18-cylinder", "M18-tooth"],
    },
    Setup { id: "M19", about: "tori and pawns, 300 steps", scenes: &["M19"] },
    Setup { id: "M21", about: "three humans and a torus, 200 steps", scenes: &["M21"] },
    Setup { id: "M23", about: "rigid tooth, deforming cylinder, 100 steps", scenes: &["M23"] },
    Setup { id: "H21", about: "12k and 50k faces", scenes: &["H21"] },
    Setup { id: "H22", about: "50k and 110k faces", scenes: &["H22"] },
    Setup { id: "H23", about: "110k and 150k faces", scenes: &["H23"] },
    Setup { id: "H24", about: "12k and 520k faces", scenes: &["H24"] },
    Setup {
        id: "H25",
        about: "100,000 points in boxes of 12k to 520k faces",
        scenes: &["H25-knot", "H25-rabbit", "H25-reptile", "H25-santa", "H25-dragon"],
    },
    Setup { id: "H26", about: "20,000 particles, 10,000 deforming faces", scenes: &["H26"] },
    Setup {
        id: "B14",
        about: "update time against the number of primitives, coherent and not",
        scenes: &[
            "B14-1000-a0",
            "B14-5000-a0",
            "B14-10000-a0",
            "B14-15000-a0",
            "B14-1000-a180",
            "B14-5000-a180",
            "B14-10000-a180",
            "B14-15000-a180",
        ],
    },
    Setup {
        id: "B13",
        about: "cone-limited motion, alpha from rigid to free",
        scenes: &["B14-15000-a0", "B14-15000-a15", "B14-15000-a45", "B14-15000-a90", "B14-15000-a180"],
    },
    Setup { id: "B15", about: "update time against levels, 15,000 primitives", scenes: &["B14-15000-a15"] },
    Setup { id: "B16", about: "1000 bucket collisions", scenes: &["B16"] },
    Setup {
        id: "V18",
        about: "sphere, growing polygon count",
        scenes: &["sphere-5k", "sphere-20k", "sphere-80k", "sphere-320k", "sphere-1300k"],
    },
    Setup {
        id: "V19",
        about: "self-crossing loop, growing polygon count",
        scenes: &["loop-5k", "loop-20k", "loop-80k", "loop-320k"],
    },
    Setup { id: "V20", about: "cloth of 3800 on a body of 17,200", scenes: &["V20"] },
    Setup { id: "V21", about: "cloth of 56,400 on a body of 111,000", scenes: &["V21"] },
    Setup { id: "V22", about: "cloth of 50,000, levels drawn", scenes: &["V22"] },
];

/// The set-up of a checklist id.
pub fn setup(id: &str) -> Option<&'static Setup> {
    SETUPS.iter().find(|s| s.id == id)
}

scenes! {
    "T25", "set-up A: 100 objects, 1000 tets, 1200 vertices, 1000 frames", teschner::a;
    "T26", "set-up B: 8 objects, 4000 tets, 1936 vertices, 1000 frames", teschner::b;
    "T27", "set-up C: 20 objects, 10,000 tets, 4840 vertices, 1000 frames", teschner::c;
    "T28", "set-up D: 2 vessels, 20,514 tets, 5898 vertices, 1000 frames", teschner::d;
    "T29", "set-up E: 100 objects, 50,000 tets, 24,200 vertices, 1000 frames", teschner::e;
    "T34-1", "set-up E's tets as one object", |n| teschner::regrouped(n, 1);
    "T34-10", "set-up E's tets as ten objects", |n| teschner::regrouped(n, 10);
    "M18-torus", "768 vertices, 1536 faces, 2304 edges", |n| madera::Model::Torus.scene(n);
    "M18-pawn", "610 vertices, 1216 faces, 1824 edges", |n| madera::Model::Pawn.scene(n);
    "M18-human", "946 vertices, 1888 faces, 2832 edges", |n| madera::Model::Human.scene(n);
    "M18-cylinder", "258 vertices, 512 faces, 768 edges", |n| madera::Model::Cylinder.scene(n);
    "M18-tooth", "1202 vertices, 2400 faces, 3600 edges", |n| madera::Model::Tooth.scene(n);
    "M19", "five tori and five pawns, 300 frames, never touching", madera::tori_and_pawns;
    "M21", "three humans round a torus, 200 frames, never touching", madera::humans_and_torus;
    "M23", "a rigid tooth comes down beside a deforming cylinder, 100 frames", madera::tooth_and_cylinder;
    "H21", "12,000 and 50,000 faces, a simple and a complex intersection", heidelberger::pair;
    "H22", "50,000 and 109,520 faces, a simple and a complex intersection", heidelberger::pair;
    "H23", "109,520 and 151,380 faces, a simple and a complex intersection", heidelberger::pair;
    "H24", "12,000 and 518,420 faces, a simple and a complex intersection", heidelberger::pair;
    "H25-knot", "12,000 faces in 8 layers, 100,000 points", |n| heidelberger::points(n, Knot);
    "H25-rabbit", "50,000 faces in 8 layers, 100,000 points", |n| heidelberger::points(n, Rabbit);
    "H25-reptile", "109,520 faces in 12 layers, 100,000 points", |n| heidelberger::points(n, Reptile);
    "H25-santa", "151,380 faces in 8 layers, 100,000 points", |n| heidelberger::points(n, Santa);
    "H25-dragon", "518,420 faces in 10 layers, 100,000 points", |n| heidelberger::points(n, Dragon);
    "H26", "20,000 falling particles and a deforming body of 10,000 faces", heidelberger::particles;
    "B14-1000-a0", "soup of 1000, rigid motion", |n| ganovelli::soup(n, 1_000, 0.0, 100);
    "B14-5000-a0", "soup of 5000, rigid motion", |n| ganovelli::soup(n, 5_000, 0.0, 100);
    "B14-10000-a0", "soup of 10,000, rigid motion", |n| ganovelli::soup(n, 10_000, 0.0, 100);
    "B14-15000-a0", "soup of 15,000, rigid motion", |n| ganovelli::soup(n, 15_000, 0.0, 100);
    "B14-15000-a15", "soup of 15,000, directions within 15 degrees", |n| ganovelli::soup(n, 15_000, 15.0, 100);
    "B14-15000-a45", "soup of 15,000, directions within 45 degrees", |n| ganovelli::soup(n, 15_000, 45.0, 100);
    "B14-15000-a90", "soup of 15,000, directions within 90 degrees", |n| ganovelli::soup(n, 15_000, 90.0, 100);
    "B14-1000-a180", "soup of 1000, free directions", |n| ganovelli::soup(n, 1_000, 180.0, 100);
    "B14-5000-a180", "soup of 5000, free directions", |n| ganovelli::soup(n, 5_000, 180.0, 100);
    "B14-10000-a180", "soup of 10,000, free directions", |n| ganovelli::soup(n, 10_000, 180.0, 100);
    "B14-15000-a180", "soup of 15,000, free directions", |n| ganovelli::soup(n, 15_000, 180.0, 100);
    "B16", "two overlapping soups of 15,000, directions within 15 degrees", |n| ganovelli::clouds(n, 15_000, 15.0, 100);
    "V20", "cloth of 3800 triangles on a body of 17,200", |n| volino::dressed(n, [38, 50], [86, 101]);
    "V21", "cloth of 56,400 triangles on a body of 111,000", |n| volino::dressed(n, [150, 188], [222, 251]);
    "V22", "cloth of 50,000 triangles alone", volino::cloth;
}
