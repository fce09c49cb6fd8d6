//! Procedural meshes, motions and set-ups that tests, benchmarks, demonstrations and fuzzing share.
