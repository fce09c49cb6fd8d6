//! The `crumple` program.
fn main() {}
