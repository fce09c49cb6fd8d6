//! One suite for all methods: every scene of `testdata/scenes`, every method, every frame, against brute force.

mod kit;

use crumple::methods::brute_force::{Ask, BruteForce};
use crumple::methods::bucket_tree::published::{Boxes, PublishedBucketTree, PublishedParams};
use crumple::methods::bucket_tree::{BucketTree, BucketTreeParams};
use crumple::methods::regularity::{Regularity, RegularityParams};
use crumple::methods::spatial_hash::{Find, SpatialHash, SpatialHashParams};
use kit::Entrant;

const TRIANGLES: Ask = Ask { triangles: true, vertices: false, edges: false };
const TETS: Ask = Ask { triangles: false, vertices: true, edges: true };

/// Runs every scene on one method, on the calling thread's pool.
fn run(entrant: &Entrant) {
    for (name, text) in crumple_scenes::suite() {
        let scene = crumple_scenes::toml::parse(text).unwrap_or_else(|e| panic!("{name}: {e}")).collect();
        kit::run(&scene, entrant);
    }
}

/// Runs every scene on one thread and on two; both are held to the oracle, so they are equal.
fn run_on_threads(entrant: &Entrant) {
    #[cfg(feature = "parallel")]
    for threads in [1, 2] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| run(entrant));
    }
    #[cfg(not(feature = "parallel"))]
    run(entrant);
}

/// The oracle itself: a fresh build and bodies in the opposite order give the same rows. Three scenes suffice, since
/// everything else it would be compared with is itself.
#[test]
fn brute_force_does_not_depend_on_order() {
    for name in ["boxes-stacked", "sheets-coplanar-snapped", "tets-and-cloth"] {
        for (name, text) in crumple_scenes::suite().filter(|(scene, _)| scene.contains(name)) {
            let scene = crumple_scenes::toml::parse(text).unwrap_or_else(|e| panic!("{name}: {e}")).collect();
            for (make, answers) in [
                ((|| Box::new(BruteForce::surfaces()) as Box<dyn crumple::Detector>) as fn() -> _, TRIANGLES),
                (|| Box::new(BruteForce::solids()), TETS),
            ] {
                kit::run(&scene, &Entrant { name: "brute force", make, answers });
            }
        }
    }
}

#[test]
fn bucket_tree_equals_brute_force() {
    run_on_threads(&Entrant {
        name: "bucket tree",
        make: || Box::new(BucketTree::new(BucketTreeParams::default()).unwrap()),
        answers: TRIANGLES,
    });
    run(&Entrant {
        name: "bucket tree, three levels, sorted orders, smaller node first",
        make: || {
            let params = PublishedParams { levels: 3, boxes: Boxes::Refitted, ..Default::default() };
            Box::new(PublishedBucketTree::new(params).unwrap())
        },
        answers: TRIANGLES,
    });
}

#[test]
fn regularity_equals_brute_force() {
    run_on_threads(&Entrant {
        name: "regularity",
        make: || Box::new(Regularity::new(RegularityParams::default()).unwrap()),
        answers: TRIANGLES,
    });
}

#[test]
fn spatial_hash_equals_brute_force() {
    run_on_threads(&Entrant {
        name: "spatial hash",
        make: || {
            let find = Find { edge_tets: true, ..Find::default() };
            let params = SpatialHashParams { find, ..SpatialHashParams::default() };
            Box::new(SpatialHash::new(params).unwrap())
        },
        answers: TETS,
    });
}
