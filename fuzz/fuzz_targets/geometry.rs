//! Random scenes with edits, every method and question against brute force.

#![no_main]

libfuzzer_sys::fuzz_target!(|input: (u64, u8)| {
    let (seed, size) = input;
    if let Err(what) = crumple_testkit::hold(seed, 16 + usize::from(size)) {
        panic!("seed {seed}, size {}: {what}", 16 + usize::from(size));
    }
});
