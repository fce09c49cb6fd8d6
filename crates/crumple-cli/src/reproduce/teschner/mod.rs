//! Teschner et al. 2003: optimized spatial hashing.

mod choices;
mod conclusions;
mod framework;
mod hashing;
mod pictures;
mod setups;
mod sweeps;

use anyhow::Result;
use crumple::methods::brute_force::{Ask, BruteForce};
use crumple::methods::spatial_hash::SpatialHash;
use crumple::methods::spatial_hash::published::{PublishedParams, PublishedSpatialHash};
use crumple::{Bodies, Contacts, Detector, Frame, FrameError, Guarantee, Pairs, Ready, TetId, VertexId};

use super::lab::{Pose, Stage, missing};
use super::{Experiment, Paper};

pub static PAPER: Paper = Paper {
    short: "Teschner et al. 2003",
    citation: "M. Teschner, B. Heidelberger, M. Müller, D. Pomeranets, M. Gross: Optimized Spatial Hashing for Collision Detection of Deformable Objects, VMV 2003",
    idea: "Which vertices are inside which tetrahedra? Space is an endless grid that a hash folds into a table. Every vertex goes into the entry of its cell; every tetrahedron looks into the entries of the cells that its box covers.",
    machine: "Intel Pentium 4, 1.8 GHz",
    summary: "It claims linear time for all vertices inside all tetrahedra of deforming objects, whatever the number of \
              objects, with cells as large as the mean edge and a simple hash. Time is linear among objects of one kind, and the \
              independence of objects and the advice on cells are still true. The hash is weaker than it seems: one of its three primes \
              is composite, it maps neighbouring cells alike in tables of any size, and prime sizes do not help it. \
              Crumple keeps the idea, compares the cell itself so that hash collisions cost nothing, decides by exact \
              signs, and finds edges that pass through tets too.",
    experiments: &[
        Experiment {
            ids: &["T25"],
            title: "Set-up A: 100 objects of 10 tets",
            source: "Tables 1 and 2",
            claim: "1000 tets, 1200 vertices: 4.3 ms a step (4.1 to 6.5, deviation 0.24).",
            run: |extent| setups::table(0, extent),
        },
        Experiment {
            ids: &["T26"],
            title: "Set-up B: 8 objects of 500 tets",
            source: "Tables 1 and 2",
            claim: "4000 tets, 1936 vertices: 12.6 ms a step (11.3 to 15.0, deviation 0.59).",
            run: |extent| setups::table(1, extent),
        },
        Experiment {
            ids: &["T27"],
            title: "Set-up C: 20 objects of 500 tets",
            source: "Tables 1 and 2",
            claim: "10,000 tets, 4840 vertices: 30.4 ms a step (28.9 to 34.4, deviation 1.25).",
            run: |extent| setups::table(2, extent),
        },
        Experiment {
            ids: &["T28"],
            title: "Set-up D: two vessels",
            source: "Tables 1 and 2",
            claim: "20,514 tets, 5898 vertices: 70.0 ms a step (68.5 to 72.1, deviation 0.86).",
            run: |extent| setups::table(3, extent),
        },
        Experiment {
            ids: &["T29"],
            title: "Set-up E: 100 objects of 500 tets",
            source: "Tables 1 and 2",
            claim: "50,000 tets, 24,200 vertices: 172.5 ms a step (170.5 to 174.6, deviation 1.08).",
            run: |extent| setups::table(4, extent),
        },
        Experiment {
            ids: &["T30", "T21"],
            title: "Size of the table, two vessels",
            source: "Section 4.2, Fig. 3",
            claim: "Larger tables are faster; much larger than the number of primitives, they are slightly slower again at most.",
            run: |extent| sweeps::table_size("T28", extent),
        },
        Experiment {
            ids: &["T31"],
            title: "Size of the table, 1000 tets",
            source: "Section 4.2, Fig. 4",
            claim: "The same on a scene of 1200 vertices and 1000 tets.",
            run: |extent| sweeps::table_size("T25", extent),
        },
        Experiment {
            ids: &["T32"],
            title: "Size of the cells, two vessels",
            source: "Section 4.3, Fig. 5",
            claim: "Cells as large as the mean edge of the tets are best (table of 9973).",
            run: |extent| sweeps::cell_size("T28", sweeps::TABLES[0], extent),
        },
        Experiment {
            ids: &["T33"],
            title: "Size of the cells, 1000 tets",
            source: "Section 4.3, Fig. 6",
            claim: "Cells as large as the mean edge of the tets are best (table of 4999).",
            run: |extent| sweeps::cell_size("T25", sweeps::TABLES[1], extent),
        },
        Experiment {
            ids: &["T20"],
            title: "Which parameter matters most",
            source: "Section 4.3",
            claim: "The size of the cells matters more than the size of the table or the hash function.",
            run: sweeps::influence,
        },
        Experiment {
            ids: &["T22"],
            title: "Prime sizes of the table",
            source: "Section 4.2",
            claim: "It is known that hash functions work best when the size of the table is prime.",
            run: hashing::primes,
        },
        Experiment {
            ids: &["T14", "T23"],
            title: "Hash functions",
            source: "Sections 4.1 and 4.2",
            claim: "The function gives few collisions in small tables beside additive and rotating ones; in large tables its quality matters less.",
            run: hashing::functions,
        },
        Experiment {
            ids: &["T11"],
            title: "Barycentric coordinates or half spaces",
            source: "Section 4.4",
            claim: "The barycentric test is slightly faster than the test of four half spaces.",
            run: choices::inside_test,
        },
        Experiment {
            ids: &["T18"],
            title: "Two passes or one",
            source: "Section 7",
            claim: "Hashing the tets in one pass is less efficient than hashing vertices in two, because a tet lands in several entries.",
            run: choices::passes,
        },
        Experiment {
            ids: &["T19"],
            title: "Linear time",
            source: "Section 5",
            claim: "O(n): cells per tet (p) and vertices per cell (q) do not depend on the number of primitives.",
            run: setups::linear,
        },
        Experiment {
            ids: &["T34"],
            title: "Objects do not count, primitives do",
            source: "Section 6",
            claim: "The time is independent of the number of objects.",
            run: conclusions::regrouped,
        },
        Experiment {
            ids: &["T35"],
            title: "Real time",
            source: "Section 6",
            claim: "15 steps a second with up to 20,000 tets and 6000 vertices.",
            run: conclusions::throughput,
        },
        Experiment {
            ids: &["T36"],
            title: "Steady over time",
            source: "Section 6, Table 2",
            claim: "The time varies slightly during a simulation: deviations of 0.6 to 5.6 % of the mean.",
            run: conclusions::steady,
        },
        Experiment {
            ids: &["T37"],
            title: "The scenes",
            source: "Table 1, Figs 2 and 7 to 10",
            claim: "Set-ups A, B and D, the hashed cells, and the tetrahedral mesh of the vessels.",
            run: pictures::scenes,
        },
        Experiment {
            ids: &["T42"],
            title: "Response, and deformable models",
            source: "Section 8, Fig. 1",
            claim: "With response, the framework will handle interacting models of several thousand tets in real time.",
            run: framework::announced,
        },
    ],
};

/// The paper's method with a table somewhat larger than the number of primitives, as section 4.2 advises.
fn published(stage: &Stage) -> PublishedParams {
    PublishedParams {
        table_size: Some(prime_from(2 * stage.primitives() as u32)),
        ..PublishedParams::default()
    }
}

/// The paper's method or ours, to race them.
enum Contender {
    Published(Box<PublishedSpatialHash>),
    Ours(Box<SpatialHash>),
}

impl Detector for Contender {
    fn name(&self) -> &'static str {
        match self {
            Self::Published(hash) => hash.name(),
            Self::Ours(hash) => hash.name(),
        }
    }

    fn guarantee(&self) -> Guarantee {
        match self {
            Self::Published(hash) => hash.guarantee(),
            Self::Ours(hash) => hash.guarantee(),
        }
    }

    fn update<'a>(&'a mut self, bodies: &'a Bodies, frame: Frame<'a>) -> Result<Ready<'a>, FrameError> {
        match self {
            Self::Published(hash) => hash.update(bodies, frame),
            Self::Ours(hash) => hash.update(bodies, frame),
        }
    }
}

/// Detectors that begin at the same pose.
fn hashes(
    stage: &Stage,
    pose: &Pose,
    params: impl IntoIterator<Item = PublishedParams>,
) -> Result<Vec<PublishedSpatialHash>> {
    let slices = pose.slices();
    let new = |p| {
        let mut hash = PublishedSpatialHash::new(p)?;
        hash.update(&stage.mesh, Frame::new(&slices))?;
        Ok(hash)
    };
    params.into_iter().map(new).collect()
}

fn pairs_of(contacts: &Contacts) -> Vec<(VertexId, TetId)> {
    contacts.vertex_tets.iter().map(|c| (c.vertex, c.tet)).collect()
}

/// Of what exact brute force finds in some poses: how many there are, and how many a detector misses or invents.
fn against_truth(stage: &Stage, poses: &[Pose], detector: &mut PublishedSpatialHash) -> Result<[usize; 3]> {
    let mut oracle = BruteForce::new(Ask { triangles: false, vertices: true, edges: false });
    let (mut truth, mut found) = (Contacts::default(), Contacts::default());
    let mut counts = [0; 3];
    for pose in poses {
        let slices = pose.slices();
        let frame = Frame::new(&slices);
        oracle.update(&stage.mesh, frame)?.contacts(Pairs::All, &mut truth);
        detector.update(&stage.mesh, frame)?.contacts(Pairs::All, &mut found);
        let (truth, found) = (pairs_of(&truth), pairs_of(&found));
        counts[0] += truth.len();
        counts[1] += missing(&truth, &found);
        counts[2] += missing(&found, &truth);
    }
    Ok(counts)
}

/// The first prime that is not smaller.
fn prime_from(n: u32) -> u32 {
    (n.max(2)..).find(|&p| factors(p).len() == 1).expect("there is always a larger prime")
}

/// The prime factors, in order.
fn factors(mut n: u32) -> Vec<u32> {
    let mut out = Vec::new();
    let mut p = 2;
    while p * p <= n {
        while n.is_multiple_of(p) {
            out.push(p);
            n /= p;
        }
        p += 1;
    }
    if n > 1 {
        out.push(n);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn factors_multiply_to_their_number() {
        assert_eq!(factors(9973), [9973]);
        assert_eq!(factors(19_349_663), [41, 471_943]);
        assert_eq!(factors(8192), [2; 13]);
        assert_eq!([prime_from(0), prime_from(9970)], [2, 9973]);
    }
}
