//! The shared volume meshes, when the environment variable `CRUMPLE_DATA` names their directory.

use std::path::PathBuf;

#[test]
fn shared_volumes_have_their_counts() {
    let Some(data) = std::env::var_os("CRUMPLE_DATA").map(PathBuf::from) else { return };
    for (name, vertices, tets) in [
        ("armadillo13k.msh", 13230, 54985),
        ("armadillo_4k.node", 1180, 3717),
        ("armadillo_4k.ele", 1180, 3717),
        ("bunny.msh", 4670, 19379),
        ("mat20x20.msh", 800, 2166),
        ("octopus.vtk", 7631, 32102),
        ("rod300x33.msh", 13333, 50511),
    ] {
        let mesh = crumple_io::read(&data.join("tets").join(name)).unwrap_or_else(|e| panic!("{e}"));
        assert_eq!((mesh.positions.len(), mesh.tets.len()), (vertices, tets), "{name}");
        // The README says that all signed volumes are positive.
        for (t, tet) in mesh.tets.iter().enumerate() {
            let [a, b, c, d] = tet.map(|v| mesh.positions[v as usize]);
            let sub = |p: [f64; 3]| [p[0] - a[0], p[1] - a[1], p[2] - a[2]];
            let (u, v, w) = (sub(b), sub(c), sub(d));
            let volume = u[0] * (v[1] * w[2] - v[2] * w[1]) - u[1] * (v[0] * w[2] - v[2] * w[0])
                + u[2] * (v[0] * w[1] - v[1] * w[0]);
            assert!(volume > 0.0, "{name}: tet {t} has volume {volume}");
        }
    }
}
