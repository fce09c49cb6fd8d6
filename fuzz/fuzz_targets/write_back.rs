//! The mesh that was read from OBJ is written as OBJ and PLY and read back unchanged; names may be tidied up.

#![no_main]

mod check;

use crumple_io::write::{MarkedBody, PlyEncoding, obj, ply};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let Some(data) = check::read("fuzz.obj", bytes) else { return };
    let body = [MarkedBody::new("", &data)];
    let check = |name: &str, out: &[u8]| {
        let back = check::read(name, out).unwrap();
        assert_eq!((back.positions, back.polygons), (data.positions.clone(), data.polygons.clone()));
    };
    let mut out = Vec::new();
    obj(&mut out, &body, None).unwrap();
    check("fuzz.obj", &out);
    for encoding in [PlyEncoding::Binary, PlyEncoding::Ascii] {
        out.clear();
        ply(&mut out, &body, encoding).unwrap();
        check("fuzz.ply", &out);
    }
});
