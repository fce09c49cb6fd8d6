//! A world that has come to rest stays bit for bit as it is, until it is touched.

mod support;

use crumple_sim::{Settings, Solid, Surface, VertexId, World};
use support::{DT, block, floor};

#[test]
fn what_rests_stays_until_it_is_pulled() {
    let mut world = World::new(Settings { rests: true, ..Settings::default() }).unwrap();
    let (corners, tets) = block([3, 3, 3], 0.5, [0.0, 0.4, 0.0]);
    let body = world.add_solid("block", &corners, &tets, Solid::default()).unwrap();
    let (points, triangles) = floor(4.0, 0.0);
    world.add_fixed("floor", &points, &triangles, Surface::with_friction(0.5)).unwrap();
    let mut frames = 0;
    while world.step(DT).unwrap().substeps > 0 {
        frames += 1;
        assert!(frames < 1200, "it never came to rest");
    }
    // It fell first.
    assert!(frames > 30, "{frames}");
    let (hash, at) = (world.hash(), world.positions(body).unwrap().to_vec());
    for _ in 0..10 {
        let report = world.step(DT).unwrap();
        assert_eq!((report.substeps, report.intersections), (0, 0));
    }
    assert_eq!(world.hash(), hash);
    let grab = world.grab(body, VertexId(0)).unwrap();
    let up = [at[0][0], at[0][1] + 1.0, at[0][2]];
    world.pull(grab, up).unwrap();
    for _ in 0..60 {
        assert!(world.step(DT).unwrap().substeps > 0);
    }
    let held = world.positions(body).unwrap()[0][1];
    assert!(held > at[0][1] + 0.2, "{held}");
    // Let go, it falls again.
    world.release(grab);
    for _ in 0..40 {
        let _ = world.step(DT).unwrap();
    }
    assert!(world.positions(body).unwrap()[0][1] < held - 0.1);
}
