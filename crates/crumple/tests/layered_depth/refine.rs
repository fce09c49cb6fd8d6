//! Bounds as near as asked.

use crumple::Error;
use crumple::methods::layered_depth::{LayeredDepth, Refined, Resolution, Stop, Tolerance};
use crumple::{BodyId, Frame, Positions};
use crumple_scenes::{Surface, shapes};

use super::{assert_holds, ball, cuboid, exact, mesh_of, overlap, turned};

fn refine(a: &Surface, b: &Surface, n: u32, tolerance: Tolerance) -> Result<Refined, Error> {
    let mesh = mesh_of(&[a, b]);
    let bodies = [Positions::from(&a.positions), Positions::from(&b.positions)];
    let mut method = LayeredDepth::default();
    method.update(&mesh, Frame::new(&bodies)).unwrap().refined_overlap(
        [BodyId(0), BodyId(1)],
        Resolution::rays(n),
        tolerance,
    )
}

#[test]
fn bounds_become_as_near_as_asked() {
    let torus = shapes::torus(16, 9, 0.7, 0.3).outward();
    for (a, b) in [
        (ball(5, [0.0; 3], 1.0), ball(5, [0.5, 0.4, 0.3], 1.0)),
        (torus.clone(), turned(torus, 0.9)),
        (ball(3, [0.0; 3], 1.0), turned(cuboid([-0.2; 3], [1.3, 1.1, 0.9]), 0.5)),
    ] {
        let truth = exact(&a, &b);
        for tolerance in [1e-2, 1e-4, 1e-5] {
            let r = refine(&a, &b, 32, Tolerance::Relative(tolerance)).unwrap();
            assert_eq!(r.stop, Stop::Reached, "{r:?}");
            assert_holds(&r.overlap, truth, "refined");
            assert!(r.overlap.upper - r.overlap.lower <= tolerance * r.overlap.lower, "{r:?}");
        }
        let r = refine(&a, &b, 32, Tolerance::Absolute(1e-3)).unwrap();
        assert!(r.stop == Stop::Reached && r.overlap.upper - r.overlap.lower <= 1e-3, "{r:?}");
        // Layers and spans stay those of the image.
        assert_eq!(r.overlap.spans, overlap(&a, &b, 32).spans);
    }
}

#[test]
fn the_end_of_the_lattice_is_told() {
    let (a, b) = (ball(2, [0.0; 3], 1.0), ball(2, [0.5, 0.4, 0.3], 1.0));
    let r = refine(&a, &b, 32, Tolerance::Absolute(0.0)).unwrap();
    assert_eq!(r.stop, Stop::Lattice);
    assert_holds(&r.overlap, exact(&a, &b), "end of the lattice");
    assert!(r.overlap.upper - r.overlap.lower < 2e-6 * r.overlap.lower, "{r:?}");
    let error = refine(&a, &b, 32, Tolerance::Relative(f64::NAN)).unwrap_err();
    assert!(matches!(error, Error::Param(_)), "{error}");
    let apart = refine(&a, &ball(2, [5.0, 0.0, 0.0], 1.0), 32, Tolerance::Relative(1e-9)).unwrap();
    assert_eq!((apart.stop, apart.overlap.upper), (Stop::Reached, 0.0));
}
