//! Solids whose common volume is known, at several positions.

use crumple_scenes::{Surface, shapes};

use super::{PI, assert_holds, ball, cuboid, exact, lens, overlap, turned};

fn moved(s: &Surface, by: [f64; 3]) -> Surface {
    s.clone().mapped(|p| std::array::from_fn(|k| p[k] + by[k]))
}

#[test]
fn parts_of_a_torus() {
    let torus = shapes::torus(32, 16, 0.7, 0.3).outward();
    let whole = torus.volume();
    // The tessellation is inscribed: a little less than 2 π² R r².
    let ideal = 2.0 * PI * PI * 0.7 * 0.3 * 0.3;
    assert!(whole < ideal && whole > 0.95 * ideal);
    for by in [[0.0; 3], [0.3, -1.7, 5.1], [1000.0, -2000.0, 500.0]] {
        let torus = moved(&torus, by);
        let at = |min: [f64; 3]| std::array::from_fn(|k| min[k] + by[k]);
        for (min, size, share) in [
            ([-2.0; 3], [4.0; 3], 1.0),
            ([-2.0, -2.0, 0.0], [4.0; 3], 0.5),
            ([0.0, -2.0, -2.0], [4.0; 3], 0.5),
            ([0.0, 0.0, -2.0], [4.0; 3], 0.25),
            ([0.0; 3], [4.0; 3], 0.125),
        ] {
            for n in [8, 48] {
                let o = overlap(&torus, &cuboid(at(min), size), n);
                // Far from the origin the halves are equal only up to the rounding of positions.
                assert_holds(&o, share * whole, &format!("{share} of a torus at {by:?}, {n}"));
            }
        }
    }
}

#[test]
fn balls_at_several_distances() {
    let n = 16;
    let mut worst: f64 = 0.0;
    for distance in [0.2, 0.7, 1.1, 1.6, 1.9] {
        for direction in [[1.0, 0.0, 0.0], [0.6, 0.8, 0.0], [0.48, 0.6, 0.64]] {
            let b = ball(n, direction.map(|d| d * distance), 1.0);
            let o = overlap(&ball(n, [0.0; 3], 1.0), &b, 64);
            let ideal = lens(distance);
            // Inscribed: the shells lie up to 1.3e-3 within the balls, over the surface of the lens.
            let shell = 2e-3 * 4.0 * PI;
            assert!(o.lower < ideal && o.upper > ideal - shell, "{distance} {direction:?}: {ideal} {o:?}");
            worst = worst.max((o.upper - o.lower) / ideal.max(0.1));
        }
    }
    assert!(worst < 0.02, "{worst}");
}

#[test]
fn a_tilted_box_and_a_half_space() {
    // A plane through the centre halves a box, however it is turned.
    let solid = cuboid([-0.5, -0.4, -0.3], [1.0, 0.8, 0.6]);
    for angle in [0.1, 0.7, 1.3, 2.9] {
        let solid = turned(solid.clone(), angle);
        for (k, axis) in [[4.0, 0.0, 0.0], [0.0, 4.0, 0.0], [0.0, 0.0, 4.0]].iter().enumerate() {
            let half = cuboid(std::array::from_fn(|i| if axis[i] > 0.0 { 0.0 } else { -4.0 }), [8.0; 3]);
            for n in [3, 40] {
                assert_holds(&overlap(&solid, &half, n), 0.24, &format!("half along {k} at {angle}"));
            }
        }
    }
}

#[test]
fn bounds_shrink_at_second_order_beside_a_plane() {
    // Two tilted boxes: the faces cross along straight edges, and nothing else is left open.
    let (a, b) = (
        turned(cuboid([-0.5; 3], [1.0; 3]), 0.4),
        moved(&turned(cuboid([-0.5; 3], [1.0; 3]), 1.1), [0.3, 0.2, 0.4]),
    );
    let truth = exact(&a, &b);
    let widths = [16, 32, 64, 128, 256].map(|n| {
        let o = overlap(&a, &b, n);
        assert_holds(&o, truth, "tilted boxes");
        o.upper - o.lower
    });
    assert!(widths[0] / widths[4] > 3f64.powi(4), "{widths:?}");
}
