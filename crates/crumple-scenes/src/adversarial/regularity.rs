//! Surfaces that refute one shortcut each in the reasoning from normals and contours (checklist 5.4).

use std::{collections::HashMap, f64::consts::TAU};

use super::still;
use crate::{
    LazyBody, LazyScene, Surface,
    shapes::{fan, sheet_triangles, sheet_uv},
    trig,
    vector::Point,
};

/// A strip that goes round twice with all normals up, its second turn sinking through the first (finding 2). Without
/// the contour test, "one direction sees it whole" would call it free of self-collision.
///
/// The first turn rises by 0.6; the second runs level at a height that falls from frame to frame, so that the crossing
/// wanders round the ramp. Every triangle's projection along z is counter-clockwise in every frame.
pub fn spiral_ramp(name: &str) -> LazyScene {
    const AROUND: usize = 64;
    const ACROSS: usize = 3;
    let positions: Vec<Point> = sheet_uv(ACROSS, AROUND).map(|(u, v)| [u, v, 0.0]).collect();
    let surface = Surface { positions, triangles: sheet_triangles(ACROSS, AROUND) };
    let body = LazyBody::moving("ramp", surface, |[u, v, _], frame| {
        let turn = 2.0 * v;
        let (s, c) = trig::sin_cos(TAU * turn);
        let r = 1.0 + u;
        let level = 0.52 - 0.08 * frame as f64;
        // Half a turn for the way down from the first turn's end to the second's level.
        let z = if turn <= 1.0 { 0.6 * turn } else { 0.6 + (level - 0.6) * (2.0 * (turn - 1.0)).min(1.0) };
        [r * c, r * s, z]
    });
    LazyScene::new(name, 4, vec![body])
}

/// Two square sheets, 16 and 12 cells wide, cut open along a slit of 4 cells and joined crosswise: an annulus of 800
/// triangles (finding 3). All normals point up, the two contours project to nested squares that do not touch, and yet 17
/// pairs of triangles without a common vertex cross. The slit's ends are branch vertices: their stars wind twice.
pub fn slit_annulus(name: &str) -> LazyScene {
    still(name, [("annulus", slit_annulus_surface())])
}

fn slit_annulus_surface() -> Surface {
    /// Which vertex a lattice point is: one of either sheet, one of the two slit sides, or a slit end.
    #[derive(Clone, Copy, PartialEq, Eq, Hash)]
    enum Part {
        Sheet(bool),
        Side(bool),
        End,
    }
    let mut surface = Surface::default();
    let mut ids = HashMap::new();
    for (upper, half) in [(true, 8_i32), (false, 6)] {
        let mut vertex = |x: i32, y: i32, above: bool| {
            let part = match (y, x.abs()) {
                (0, 2) => Part::End,
                // Crosswise: what the upper sheet has above the slit continues in the lower sheet below it.
                (0, 0 | 1) => Part::Side(above == upper),
                _ => Part::Sheet(upper),
            };
            let z = match part {
                Part::End => 0.0,
                Part::Side(true) => 0.5,
                Part::Side(false) => -0.5,
                Part::Sheet(true) => 1.0,
                Part::Sheet(false) => -1.0,
            };
            *ids.entry((x, y, part)).or_insert_with(|| {
                surface.positions.push([f64::from(x), f64::from(y), z]);
                surface.positions.len() as u32 - 1
            })
        };
        for x in -half..half {
            for y in -half..half {
                let above = y >= 0;
                let [a, b, c, d] =
                    [(x, y), (x + 1, y), (x + 1, y + 1), (x, y + 1)].map(|(x, y)| vertex(x, y, above));
                surface.triangles.extend([[a, b, c], [a, c, d]]);
            }
        }
    }
    surface
}

/// Two turns of triangles round one vertex, in two rings, all normals up; the rim's height follows the half angle, so
/// that the second turn must pass through the first. The contour is one closed curve that crosses itself.
pub fn branch_vertex(name: &str) -> LazyScene {
    const N: usize = 17;
    let star = fan(N, 2.0);
    let mut surface = star.clone();
    // A second ring of twice the radius.
    surface.positions.extend(star.positions[1..].iter().map(|p| [2.0 * p[0], 2.0 * p[1], 0.0]));
    for k in 0..N as u32 {
        let next = (k + 1) % N as u32;
        let (a, b, c, d) = (1 + k, 1 + N as u32 + k, 1 + N as u32 + next, 1 + next);
        surface.triangles.extend([[a, b, c], [a, c, d]]);
    }
    // Heights by index: positions alone do not tell the first turn from the second.
    for (v, p) in surface.positions.iter_mut().enumerate().skip(1) {
        let ring = if v > N { 2.0 } else { 1.0 };
        let half_angle = TAU * ((v - 1) % N) as f64 / N as f64;
        p[2] = 0.3 * ring * trig::cos(half_angle + 0.3);
    }
    still(name, [("star", surface)])
}

/// 64 triangles round one vertex: flat, as a cone, folded flat onto itself, folded and crossing.
pub fn fan_of_many(name: &str) -> LazyScene {
    let body = LazyBody::moving("fan", fan(64, 1.0), |[x, y, _], frame| match frame {
        0 => [x, y, 0.0],
        1 => [x, y, 0.5 * (x * x + y * y)],
        2 => [x.abs(), y, 0.0],
        _ => [x.abs(), y, 0.4 * x * y],
    });
    LazyScene::new(name, 4, vec![body])
}

/// Two triangles with one common vertex, both facing up, the contour of one inside that of the other, which intersect
/// (finding 4).
pub fn nested_neighbours(name: &str) -> LazyScene {
    let positions =
        vec![[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0], [1.0, 0.4, 0.5], [0.4, 1.0, -0.5]];
    still(name, [("pair", Surface { positions, triangles: vec![[0, 1, 2], [0, 3, 4]] })])
}

/// Two regions of three triangles that share an edge and a vertex; all projected areas are positive, each contour is
/// simple, the contours meet at shared vertices and edges only, and still a triangle of one crosses two of the other
/// (finding 4).
pub fn edge_neighbours(name: &str) -> LazyScene {
    let [u, v, t, y, x, p, q] = [0, 1, 2, 3, 4, 5, 6];
    let positions = vec![
        [0.0, 0.0, 0.0],
        [2.0, 0.0, 0.0],
        [0.0, 3.0, 0.0],
        [3.2, 0.9, 1.0],
        [3.0, 2.0, 0.0],
        [0.0, -1.0, 0.0],
        [5.0, -1.0, 10.0],
    ];
    let triangles = vec![[t, u, v], [t, v, y], [t, y, x], [u, p, q], [u, q, v], [v, q, x]];
    still(name, [("regions", Surface { positions, triangles })])
}

/// A sheet that folds over along a line of its grid: flat, half folded, folded flat onto itself (every triangle then
/// lies on another), folded through itself.
pub fn folded_sheet(name: &str) -> LazyScene {
    const N: usize = 8;
    let positions = sheet_uv(N, N).map(|(u, v)| [8.0 * u - 4.0, 8.0 * v, 0.0]).collect();
    let surface = Surface { positions, triangles: sheet_triangles(N, N) };
    let body = LazyBody::moving("sheet", surface, |[x, y, z], frame| match (frame, x > 0.0) {
        (0, _) | (_, false) => [x, y, z],
        (1, true) => [0.0, y, x],
        (2, true) => [-x, y, z],
        _ => [-x, y, 0.5 * (y - 3.75)],
    });
    LazyScene::new(name, 4, vec![body])
}
