//! What was read from OBJ is written as OBJ and PLY and read back unchanged.

#![no_main]

mod check;

use crumple_io::write::{PlyEncoding, obj, ply};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let Some(mut data) = check::read("fuzz.obj", bytes) else { return };
    data.notes.clear();
    let mut out = Vec::new();
    obj(&mut out, &data, None, None).unwrap();
    assert_eq!(check::read("fuzz.obj", &out).as_ref(), Some(&data));
    for encoding in [PlyEncoding::Binary, PlyEncoding::Ascii] {
        out.clear();
        ply(&mut out, &data, None, encoding).unwrap();
        assert_eq!(check::read("fuzz.ply", &out).as_ref(), Some(&data));
    }
});
