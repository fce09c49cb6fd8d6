//! What once broke a promise.

use std::path::Path;

use crumple::methods::spatial_hash::SpatialHashParams;
use crumple::narrow::vertex_tet;
use crumple::{Bodies, Contacts, Detector, Frame, Mesh, Pairs};
use proptest::prelude::*;

use crate::hash_at;

fn are_weights(w: &[f64; 4]) -> bool {
    w.iter().all(|w| (0.0..=1.0).contains(w)) && (w.iter().sum::<f64>() - 1.0).abs() < 1e-12
}

#[test]
fn weights_in_a_needle_are_finite() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/regressions/weights_inf.mesh");
    let file = crumple_io::read(&path).unwrap();
    let bodies = Bodies::new([Mesh::from_tets("tets", file.positions.len(), &file.tets).unwrap()]).unwrap();
    let positions = vec![file.positions];
    let frame = Frame::from(&positions);
    let mut found = Contacts::default();
    let mut hash = hash_at(&bodies, frame, SpatialHashParams::default()).unwrap();
    hash.update(&bodies, frame).unwrap().contacts(Pairs::All, &mut found);
    assert!(!found.vertex_tets.is_empty());
    assert!(found.vertex_tets.iter().all(|c| are_weights(&c.weights)), "{found:?}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    /// At any scale, of tets with volume and without: corners are multiples of two or three directions.
    #[test]
    fn weights_are_weights_at_every_scale(
        along in prop::array::uniform4(prop::array::uniform3(-3i8..=3)),
        axes in prop::array::uniform3(prop::array::uniform3(-1.0..1.0f64)),
        exponent in -1000i32..300,
        thin in prop::array::uniform3(prop_oneof![3 => Just(0), 1 => -160i32..0]),
        p in prop::array::uniform3(-1i8..=1),
    ) {
        let at = |c: [i8; 3]| -> [f64; 3] {
            std::array::from_fn(|k| {
                (0..3).map(|a| f64::from(c[a]) * axes[a][k] * 2f64.powi(thin[a])).sum::<f64>() * 2f64.powi(exponent)
            })
        };
        let (p, t) = (at(p), along.map(at));
        if vertex_tet::contains(&p, &t) {
            let w = vertex_tet::weights(&p, &t);
            prop_assert!(are_weights(&w), "{w:?} for {p:?} in {t:?}");
        }
    }
}
