//! A cloth that falls on a ball and never passes through it: springs, and steps that touch nothing.
//!
//! `cargo run --release -p crumple --example cloth`

use crumple::{Error, Frame, Mesh, Scene};
use crumple_scenes::shapes;

const SIDE: usize = 24;
const TIME_STEP: f64 = 0.01;
const STIFFNESS: f64 = 400.0;

fn main() -> Result<(), Error> {
    let (mut cloth, triangles) = sheet();
    let ball = shapes::icosphere(12);
    let mut scene = Scene::new();
    let cloth_id = scene.add(Mesh::from_triangles("cloth", cloth.len(), &triangles)?, &cloth)?;
    let ball_id =
        scene.add(Mesh::from_triangles("ball", ball.positions.len(), &ball.triangles)?, &ball.positions)?;
    scene.set_fixed(ball_id, true)?;

    let mut velocities = vec![[0.0; 3]; cloth.len()];
    for frame in 0..150 {
        let forces = forces(&cloth, &velocities);
        for ((p, v), f) in cloth.iter_mut().zip(&mut velocities).zip(&forces) {
            (0..3).for_each(|k| v[k] += TIME_STEP * f[k]);
            (0..3).for_each(|k| p[k] += TIME_STEP * v[k]);
        }
        // Move as far as nothing is touched; what was stopped loses its speed.
        let wanted = [cloth.clone(), ball.positions.clone()];
        let step = scene.step_to(Frame::from(&wanted))?;
        cloth.copy_from_slice(scene.positions(cloth_id)?);
        if step.share < 1.0 {
            velocities.iter_mut().flatten().for_each(|v| *v *= 0.5 * step.share);
        }
        if frame % 30 == 29 {
            let lowest = cloth.iter().map(|p| p[2]).fold(f64::INFINITY, f64::min);
            println!(
                "frame {frame}: share {:.3}, lowest point {lowest:.3}, {} contacts",
                step.share,
                scene.contacts()?.len()
            );
        }
    }
    assert!(scene.contacts()?.is_empty(), "nothing crosses, at any speed");
    Ok(())
}

/// A square sheet above the ball.
fn sheet() -> (Vec<[f64; 3]>, Vec<[u32; 3]>) {
    let at = |i: usize| 3.0 * i as f64 / SIDE as f64 - 1.5;
    let positions = (0..=SIDE).flat_map(|j| (0..=SIDE).map(move |i| [at(i), at(j), 1.3])).collect();
    let row = SIDE as u32 + 1;
    let quads = (0..SIDE as u32).flat_map(|j| (0..SIDE as u32).map(move |i| j * row + i));
    let triangles = quads.flat_map(|a| [[a, a + 1, a + row], [a + 1, a + row + 1, a + row]]).collect();
    (positions, triangles)
}

/// Gravity, a little drag, and springs along the edges and diagonals of the grid.
fn forces(positions: &[[f64; 3]], velocities: &[[f64; 3]]) -> Vec<[f64; 3]> {
    let mut forces: Vec<[f64; 3]> =
        velocities.iter().map(|v| [-0.5 * v[0], -0.5 * v[1], -9.81 - 0.5 * v[2]]).collect();
    let (row, rest) = (SIDE + 1, 3.0 / SIDE as f64);
    let mut pull = |a: usize, b: usize, rest: f64| {
        let d: [f64; 3] = std::array::from_fn(|k| positions[b][k] - positions[a][k]);
        let length = d.iter().map(|x| x * x).sum::<f64>().sqrt().max(1e-9);
        for k in 0..3 {
            let f = STIFFNESS * (length - rest) * d[k] / length;
            forces[a][k] += f;
            forces[b][k] -= f;
        }
    };
    for j in 0..row {
        for i in 0..row {
            let a = j * row + i;
            let (right, up) = (i + 1 < row, j + 1 < row);
            right.then(|| pull(a, a + 1, rest));
            up.then(|| pull(a, a + row, rest));
            (right && up).then(|| pull(a + 1, a + row, rest * 2f64.sqrt()));
        }
    }
    forces
}
