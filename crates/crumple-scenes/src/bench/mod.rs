//! The benchmark scenes: the names, element counts and character of the peers' scenes, from our own generators.
//!
//! | scenes | frames | what |
//! | --- | --- | --- |
//! | `sphere-*` | 5 | a breathing sphere, 5k to 1.3M triangles; nothing touches |
//! | `loop-*` | 5 | a sheet swept along a curve that crosses itself once |
//! | `crumple-*` | 5 | a sheet folded by waves of four octaves; it crosses itself all over |
//! | `drape-*` | 5 | a cloth on a breathing body, with penetrations and hanging folds |
//! | `tets-*` | 5 | bent and twisted tet boxes that overlap; two entwined vessels (D) |
//! | `pair-*` | 2 | two closed surfaces: slightly overlapping, then deeply |
//! | `inside-*` | 1 | a closed surface and 100,000 points in its box |
//! | `near-*` | 5–10 | bodies that come close and never touch |
//! | `soup-*` | 10 | one body of loose triangles that drift with coherence, as large as their spacing |
//! | `clouds-*` | 10 | two such bodies drifting through each other |
//! | `swarm-*` | 5 | hundreds to thousands of breathing balls of 80 triangles, pressed into their neighbours |

mod closed;
mod drape;
mod near;
mod surfaces;
mod swarm;
mod tets;

pub use closed::{ClosedModel, inside, inside_of, pair, pair_of};
pub use drape::drape;
pub use near::{GAPS, near_pair, near_shell, near_ten};
pub use surfaces::{crumple, self_loop, sphere};
pub use swarm::swarm;
pub use tets::{TetBoxes, vessels};

use crate::{papers::ganovelli, registry::scenes};
use ClosedModel::{Blob50k, Blob110k, Blob150k, Blob520k, Knot12k};

scenes! {
    "sphere-5k", "breathing sphere, nothing touches", |n| sphere(n, 16);
    "sphere-20k", "breathing sphere, nothing touches", |n| sphere(n, 32);
    "sphere-80k", "breathing sphere, nothing touches", |n| sphere(n, 64);
    "sphere-320k", "breathing sphere, nothing touches", |n| sphere(n, 128);
    "sphere-1300k", "breathing sphere, nothing touches", |n| sphere(n, 256);
    "loop-5k", "sheet that crosses itself along one line", |n| self_loop(n, 50);
    "loop-20k", "sheet that crosses itself along one line", |n| self_loop(n, 100);
    "loop-80k", "sheet that crosses itself along one line", |n| self_loop(n, 200);
    "loop-320k", "sheet that crosses itself along one line", |n| self_loop(n, 400);
    "crumple-20k", "sheet folded all over itself", |n| crumple(n, 100);
    "crumple-100k", "sheet folded all over itself", |n| crumple(n, 224);
    "drape-small", "cloth of 3784 triangles on a body of 17200", |n| drape(n, [43, 44], [86, 101], 5);
    "drape-large", "cloth of 56000 triangles on a body of 111000", |n| drape(n, [160, 175], [222, 251], 5);
    "tets-A", "100 boxes of 10 tets", |n| TetBoxes::A.scene(n, 5);
    "tets-B", "8 boxes of 500 tets", |n| TetBoxes::B.scene(n, 5);
    "tets-C", "20 boxes of 500 tets", |n| TetBoxes::C.scene(n, 5);
    "tets-D", "two entwined vessels of 10200 tets", |n| vessels(n, tets::EQUAL_VESSELS, 5);
    "tets-E", "100 boxes of 500 tets", |n| TetBoxes::E.scene(n, 5);
    "tets-1M", "100 boxes of 10000 tets", |n| TetBoxes::MILLION.scene(n, 5);
    "pair-knot12k-blob50k", "overlapping slightly, then deeply", |n| pair(n, Knot12k, Blob50k);
    "pair-blob50k-blob110k", "overlapping slightly, then deeply", |n| pair(n, Blob50k, Blob110k);
    "pair-blob110k-blob150k", "overlapping slightly, then deeply", |n| pair(n, Blob110k, Blob150k);
    "pair-knot12k-blob520k", "overlapping slightly, then deeply", |n| pair(n, Knot12k, Blob520k);
    "inside-12k", "100,000 points in the box of a knot", |n| inside(n, Knot12k);
    "inside-50k", "100,000 points in the box of a blob", |n| inside(n, Blob50k);
    "inside-110k", "100,000 points in the box of a blob", |n| inside(n, Blob110k);
    "inside-150k", "100,000 points in the box of a blob", |n| inside(n, Blob150k);
    "inside-520k", "100,000 points in the box of a blob", |n| inside(n, Blob520k);
    "near-10obj", "five pawns enter five tori, never touching", near_ten;
    "near-pair-100k", "mirror images at 0.2, 0.1, 0.05, 0.02, 0.01", near_pair;
    "near-shell-100k", "nested shells, everything close to everything", near_shell;
    "soup-15k", "15,000 loose triangles, drifting", |n| ganovelli::soup(n, 15_000, 10.0, 10);
    "soup-100k", "100,000 loose triangles, drifting", |n| ganovelli::soup(n, 100_000, 10.0, 10);
    "soup-1M", "a million loose triangles, drifting", |n| ganovelli::soup(n, 1_000_000, 10.0, 10);
    "clouds-15k", "two drifting clouds of 7500 triangles", |n| ganovelli::clouds(n, 7_500, 10.0, 10);
    "clouds-100k", "two drifting clouds of 50,000 triangles", |n| ganovelli::clouds(n, 50_000, 10.0, 10);
    "clouds-1M", "two drifting clouds of 500,000 triangles", |n| ganovelli::clouds(n, 500_000, 10.0, 10);
    "swarm-1k", "1000 balls of 80 triangles, pressed together", |n| swarm(n, 10);
    "swarm-8k", "8000 balls of 80 triangles, pressed together", |n| swarm(n, 20);
}
