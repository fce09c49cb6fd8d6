//! Real meshes, when the environment variable `CRUMPLE_DATA` names the data directory.

use std::path::PathBuf;

use crumple::methods::brute_force::{Ask, BruteForce};
use crumple::methods::spatial_hash::{Find, SpatialHash, SpatialHashParams};
use crumple::{Bodies, Contacts, Detector, Frame, Mesh, Pairs, Positions};

#[test]
fn real_meshes_against_themselves_and_a_copy_moved_aside() {
    let Some(data) = std::env::var_os("CRUMPLE_DATA").map(PathBuf::from) else { return };
    for name in
        ["armadillo13k.msh", "armadillo_4k.node", "bunny.msh", "mat20x20.msh", "octopus.vtk", "rod300x33.msh"]
    {
        let file = crumple_io::read(&data.join("tets").join(name)).expect(name);
        let body = Mesh::from_tets(name, file.positions.len(), &file.tets).expect(name);
        let find = Find { vertex_tets: true, edge_tets: true, triangle_pairs: false };
        let params = SpatialHashParams { find, ..SpatialHashParams::default() };

        let alone = Bodies::new([body.clone()]).expect(name);
        let here = [Positions::from(&file.positions)];
        let mut out = Contacts::default();
        let mut hash = SpatialHash::new(params).expect(name);
        hash.update(&alone, Frame::new(&here)).expect(name).contacts(Pairs::All, &mut out);
        assert!(out.is_empty(), "{name} does not meet itself");

        // Aside by a thousandth of its size, on no axis: every inner vertex is in a foreign tet.
        let size = file.positions.iter().flatten().fold(0.0f64, |m, x| m.max(x.abs()));
        let aside: Vec<[f64; 3]> = file
            .positions
            .iter()
            .map(|p| [p[0] + 1e-3 * size, p[1] - 2e-3 * size, p[2] + 1.5e-3 * size])
            .collect();
        let mesh = Bodies::new([body.clone(), body]).expect(name);
        let positions = [Positions::from(&file.positions), Positions::from(&aside)];
        let frame = Frame::new(&positions);
        let params = SpatialHashParams::default();
        let mut hash = SpatialHash::new(params).expect(name);
        hash.update(&mesh, frame).expect(name).contacts(Pairs::All, &mut out);
        let mut brute = BruteForce::new(Ask { triangles: false, vertices: true, edges: false });
        let mut truth = Contacts::default();
        brute.update(&mesh, frame).expect(name);
        brute.update(&mesh, frame).unwrap().contacts(Pairs::All, &mut truth);
        assert!(truth.vertex_tets.len() > file.positions.len() / 4, "{name} meets its copy");
        assert_eq!(out.vertex_tets, truth.vertex_tets, "{name}");
    }
}
