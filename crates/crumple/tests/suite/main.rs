//! One suite for all methods that list pairs: every scene of `testdata/scenes`, every method, every frame, against brute
//! force. [`ELSEWHERE`] names the methods that answer other questions, and where those are held to brute force.

mod kit;

use crumple::methods::brute_force::{Ask, BruteForce};
use crumple::methods::bucket_tree::published::{Boxes, PublishedBucketTree, PublishedParams};
use crumple::methods::bucket_tree::{BucketTree, BucketTreeParams};
use crumple::methods::regularity::{Regularity, RegularityParams};
use crumple::methods::spatial_hash::{Find, SpatialHash, SpatialHashParams};
use kit::Entrant;

const TRIANGLES: Ask = Ask { triangles: true, vertices: false, edges: false };
const TETS: Ask = Ask { triangles: false, vertices: true, edges: true };

/// Methods that are not here: why, and what holds them to brute force instead.
const ELSEWHERE: [(&str, &str, &str); 3] = [
    ("distance_hierarchy", "answers distances and close pairs", "distance_hierarchy.rs"),
    ("layered_depth", "answers volumes and points inside", "layered_depth/main.rs"),
    ("swept_bvh", "answers impacts of steps", "continuous/scenes.rs"),
];

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
    run(&Entrant {
        name: "spatial hash, of triangles",
        make: || {
            let find = Find { vertex_tets: false, edge_tets: false, triangle_pairs: true };
            let params = SpatialHashParams { find, ..SpatialHashParams::default() };
            Box::new(SpatialHash::new(params).unwrap())
        },
        answers: TRIANGLES,
    });
}

/// Every method is here, or is named with the reason.
#[test]
fn no_method_is_left_out() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let here = ["brute_force", "bucket_tree", "regularity", "spatial_hash"];
    let mut expected: Vec<&str> = here.into_iter().chain(ELSEWHERE.map(|(method, _, _)| method)).collect();
    expected.sort_unstable();
    let folders = std::fs::read_dir(root.join("src/methods")).expect("the methods");
    let folders = folders.map(|entry| entry.expect("readable").path()).filter(|path| path.is_dir());
    let mut found: Vec<String> =
        folders.map(|path| path.file_name().expect("a name").to_string_lossy().into_owned()).collect();
    found.sort_unstable();
    assert_eq!(found, expected);
    for (method, why, file) in ELSEWHERE {
        let text = std::fs::read_to_string(root.join("tests").join(file)).expect(file);
        assert!(text.contains("brute_force"), "{method} {why}; {file} does not hold it to brute force");
    }
}
