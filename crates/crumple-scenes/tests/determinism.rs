//! The same bits everywhere: a hash of elements and positions of each small scene, written down once.
//!
//! A change of a scene is a change of this file: `CRUMPLE_BLESS=1 cargo test -p crumple-scenes --test determinism`
//! rewrites it.

use std::fmt::Write as _;

use crumple_scenes::{LazyScene, entries, random, suite, toml};

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/determinism.txt");

/// FNV-1a over 64-bit words.
fn hash(scene: &LazyScene, frames: usize) -> u64 {
    let mut h = 0xcbf2_9ce4_8422_2325_u64;
    let mut word = |w: u64| h = (h ^ w).wrapping_mul(0x0000_0100_0000_01b3).rotate_left(29);
    word(scene.frames as u64);
    for b in &scene.bodies {
        b.elements.triangles().iter().flatten().for_each(|&v| word(u64::from(v)));
        b.elements.tets().iter().flatten().for_each(|&v| word(u64::from(v)));
        for f in 0..scene.frames.min(frames) {
            b.positions(f).iter().flatten().for_each(|x| word(x.to_bits()));
        }
    }
    h
}

#[test]
fn every_small_scene_is_the_same_everywhere() {
    let mut text = String::new();
    for entry in entries() {
        let scene = (entry.make)();
        if scene.vertices() <= 30_000 {
            let _ = writeln!(text, "{} {:016x}", entry.name, hash(&scene, 5));
        }
    }
    for (name, file) in suite() {
        if !file.contains("\nscene = ") {
            let _ = writeln!(text, "suite/{name} {:016x}", hash(&toml::parse(file).unwrap(), 6));
        }
    }
    for seed in 0..20 {
        let _ = writeln!(text, "random/{seed} {:016x}", hash(&random::lazy(seed, 100), 4));
    }
    if std::env::var_os("CRUMPLE_BLESS").is_some() {
        std::fs::write(FILE, &text).unwrap();
        return;
    }
    let pinned = include_str!("determinism.txt");
    let changed: Vec<(&str, &str)> = text.lines().zip(pinned.lines()).filter(|(a, b)| a != b).collect();
    assert!(changed.is_empty(), "changed (now, before): {changed:?}");
    assert_eq!(text.lines().count(), pinned.lines().count());
}
