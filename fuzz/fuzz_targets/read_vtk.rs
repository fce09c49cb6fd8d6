#![no_main]

mod check;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| drop(check::read("fuzz.vtk", bytes)));
