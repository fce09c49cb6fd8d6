//! Random scenes, edited on the way, held to brute force on every question. `CRUMPLE_RANDOM` says how many.

#[test]
fn random_scenes_equal_brute_force() {
    let count = std::env::var("CRUMPLE_RANDOM").ok().and_then(|n| n.parse().ok()).unwrap_or(300);
    for seed in 0..count {
        crumple_testkit::hold(seed, 48).unwrap_or_else(|what| panic!("seed {seed}: {what}"));
    }
}
