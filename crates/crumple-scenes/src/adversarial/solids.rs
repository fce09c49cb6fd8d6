//! Tets: inverted, flat, crossing without a vertex inside, of very different sizes, and a bar through itself.

use crate::{
    LazyBody, LazyScene, Solid,
    motions::{Bend, Squash},
    shapes::{tet_ball, tet_bar, tet_box, tet_soup},
    vector::{Point, add},
};

/// A box of tets whose inner vertices are pulled out through its side: sound, flat in places, inverted; and a small box
/// inside it.
pub fn inverted(name: &str) -> LazyScene {
    let outer = LazyBody::moving_solid("outer", tet_box([3, 3, 3], [3.0; 3]), |[x, y, z], frame| {
        let inner = x.abs() < 1.0 && y.abs() < 1.0 && z.abs() < 1.0;
        // Half a cell is where the first tets are flat; two cells is outside.
        if inner { [x + 0.5 * frame as f64, y, z] } else { [x, y, z] }
    });
    let probe = LazyBody::still_solid(
        "probe",
        tet_box([2, 1, 1], [1.0, 0.5, 0.5]).mapped(|p| add(p, [0.75, 0.1, 0.2])),
    );
    LazyScene::new(name, 5, vec![outer, probe])
}

/// A box of tets pressed flat layer by layer, and loose tets whose corners lie on the plane it ends in.
pub fn flat(name: &str) -> LazyScene {
    let wall = Squash { axis: 2, wall: 1.0, rate: -1.0 };
    let pressed = LazyBody::moving_solid("pressed", tet_box([2, 2, 2], [2.0; 3]), move |p, frame| {
        wall.at(p, frame as f64)
    });
    let loose = Solid {
        positions: vec![
            [0.5, 0.25, -1.0],
            [0.5, 0.25, 2.0],
            [0.0, 0.0, -1.0],
            [1.0, 1.0, 3.0],
            [0.25, 0.0, -1.0],
            [-0.5, -0.5, 0.0],
            [3.0, 0.0, 0.0],
            [0.0, 3.0, 1.0],
        ],
        tets: vec![[0, 1, 2, 3], [4, 5, 6, 7]],
    };
    LazyScene::new(name, 3, vec![pressed, LazyBody::still_solid("loose", loose)])
}

/// Two bars crossed like a plus sign: deep in each other, and no vertex of one is inside the other (T38, T-A16).
pub fn crossed_bars(name: &str) -> LazyScene {
    // One cube long in the middle third: the long tets reach across without a vertex in the overlap.
    let bar = tet_bar(1, 4.0, 1.0);
    let bodies = vec![
        LazyBody::still_solid("along-x", bar.clone()),
        LazyBody::moving_solid("along-y", bar, |[x, y, z], frame| [-y, x, z + 0.125 + 0.25 * frame as f64]),
    ];
    LazyScene::new(name, 3, bodies)
}

/// 150 small tets, one huge tet round half of them, and one that is long and thin (T43).
pub fn mixed_sizes(name: &str) -> LazyScene {
    let huge = Solid {
        positions: vec![[-20.0, -15.0, -10.0], [25.0, -12.0, -11.0], [0.0, 22.0, -9.0], [1.0, 0.0, 0.05]],
        tets: vec![[0, 1, 2, 3]],
    }
    .oriented();
    let thin = Solid {
        positions: vec![[-30.0, -20.0, -25.0], [30.0, 20.0, 25.0], [0.02, 0.0, 0.0], [0.0, 0.02, 0.01]],
        tets: vec![[0, 1, 2, 3]],
    }
    .oriented();
    let drift = |v: Point| move |p: Point, frame: usize| std::array::from_fn(|k| p[k] + v[k] * frame as f64);
    let bodies = vec![
        LazyBody::moving_solid("small", tet_soup(150, 0.3, 81), drift([0.02, 0.01, -0.03])),
        LazyBody::moving_solid("huge", huge, drift([0.0, 0.1, 0.05])),
        LazyBody::moving_solid("thin", thin, drift([0.0, 0.03, -0.03])),
    ];
    LazyScene::new(name, 3, bodies)
}

/// A bar that bends into a ring and on through its own end.
pub fn bar_through_itself(name: &str) -> LazyScene {
    let bar = tet_box([16, 2, 2], [4.0, 0.5, 0.5]);
    let roll = Bend { amount: 1.45, rate: 0.12 };
    let body = LazyBody::moving_solid("bar", bar, move |[x, y, z], frame| {
        let [x, y, z] = roll.at([x, y, z], frame as f64);
        [x, y + 0.02 * x, z]
    });
    LazyScene::new(name, 4, vec![body])
}

/// Two balls of tets drifting into each other, on both sides of all coordinate planes.
pub fn balls(name: &str) -> LazyScene {
    let bodies = vec![
        LazyBody::still_solid("still", tet_ball(3)),
        LazyBody::moving_solid("moving", tet_ball(3), |p, frame| {
            let s = 1.6 - 0.4 * frame as f64;
            add(p, [s, 0.3 * s, -0.2 * s])
        }),
    ];
    LazyScene::new(name, 4, bodies)
}
