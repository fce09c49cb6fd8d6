//! Two vessels that branch: the shape of set-up D (T28), with its exact counts.
//!
//! A vessel is a trunk that parts into two branches, and each of these into two more. Its cross-section is a grid of
//! 6 × 6 cubes pressed into a disc; where it parts, each half of the grid goes its own way and becomes a disc again. With
//! 20, 16 and 16 layers of cubes a vessel has 49 · 21 + 56 · 16 + 64 · 16 = 2949 vertices and 36 · 52 = 1872 cubes; five tets
//! a cube and six in 897 of them are 10,257 tets.

use std::collections::HashMap;

use crate::{
    Elements, LazyBody, LazyScene, Solid,
    shapes::cube_tets,
    trig::{cos, sin, sin_cos},
    vector::Point,
};

/// Cubes across a trunk; even, so that it can be halved, and halved again the other way.
const ACROSS: usize = 6;
/// Layers of cubes in the trunk, in a branch, in a twig.
const LAYERS: [usize; 3] = [20, 16, 16];
/// Cubes of each vessel that are cut into six tets.
const SIX: usize = 897;
/// Height of a layer.
const HEIGHT: f64 = 0.11;
/// Radius of the trunk, of a branch, of a twig.
const RADII: [f64; 3] = [0.26, 0.19, 0.14];

/// A vertex of the grid: its place in the cross-section, its layer, and on which side it went at each parting.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct Node {
    at: [usize; 3],
    sides: [Option<bool>; 2],
}

/// The cubes and vertices of a vessel.
struct Tree {
    nodes: Vec<Node>,
    tets: Vec<[u32; 4]>,
}

impl Tree {
    fn new() -> Self {
        let mut ids: HashMap<Node, u32> = HashMap::new();
        let mut nodes = Vec::new();
        let mut corners: Vec<([usize; 3], [u32; 8])> = Vec::new();
        for k in 0..LAYERS.iter().sum() {
            for i in 0..ACROSS {
                for j in 0..ACROSS {
                    let corner = std::array::from_fn(|c| {
                        let node = Node::new([i + (c >> 2), j + ((c >> 1) & 1), k + (c & 1)], [i, j]);
                        *ids.entry(node).or_insert_with(|| {
                            nodes.push(node);
                            nodes.len() as u32 - 1
                        })
                    });
                    corners.push(([i, j, k], corner));
                }
            }
        }
        let cubes = corners.len();
        let mut tets = Vec::new();
        for (n, (at, corner)) in corners.into_iter().enumerate() {
            let is_six = (n + 1) * SIX / cubes > n * SIX / cubes;
            tets.extend(cube_tets(at.iter().sum::<usize>() % 2 == 0, is_six).map(|t| t.map(|c| corner[c])));
        }
        Self { nodes, tets }
    }
}

impl Node {
    /// A corner of a cube. Above a parting, corners on the cut belong to the half of their cube.
    fn new(at: [usize; 3], cube: [usize; 2]) -> Self {
        let parted = [LAYERS[0], LAYERS[0] + LAYERS[1]];
        let side = |n: usize| (at[2] > parted[n]).then_some(cube[n] >= ACROSS / 2);
        Self { at, sides: [side(0), side(1)] }
    }

    /// Where it is in vessel `o` (0 or 1) at frame `f`.
    fn place(&self, o: f64, f: f64) -> Point {
        let [u, v] = [0, 1].map(|n| 2.0 * self.at[n] as f64 / ACROSS as f64 - 1.0);
        let layer = self.at[2] as f64;
        let pulse = 1.0 + 0.08 * sin(0.45 * layer + 0.4 * f + o);
        let mut p = disc(u, v).map(|x| pulse * RADII[0] * x);
        let mut square = [u, v];
        let mut centre = [0.0; 2];
        for (n, side) in self.sides.iter().enumerate() {
            let Some(side) = side else { break };
            let sign = if *side { 1.0 } else { -1.0 };
            let above = layer - LAYERS[..=n].iter().sum::<usize>() as f64;
            // From the half of a disc to a disc of its own, further and further to the side.
            let blend = smooth(above / 8.0);
            square[n] = 2.0 * square[n] - sign;
            centre[n] += sign * (0.5 * RADII[n] + 0.035 * above);
            let own = disc(square[0], square[1]);
            for k in 0..2 {
                let target = centre[k] + pulse * RADII[n + 1] * own[k];
                p[k] += blend * (target - p[k]);
            }
        }
        let z = HEIGHT * (layer - 0.5 * LAYERS.iter().sum::<usize>() as f64);
        // The trunks wind about each other; the second vessel hangs upside down.
        let turn = 0.5 * layer / 8.0 + 0.06 * f;
        let p = [p[0] + 0.16 * cos(turn), p[1] + 0.16 * sin(turn), z];
        let (s, c) = sin_cos(0.9 * o);
        let [x, y, z] = [c * p[0] - s * p[1], s * p[0] + c * p[1], p[2]];
        if o > 0.5 { [x, -y, -z] } else { [x, y, z] }
    }
}

/// The square from -1 to 1 pressed into a disc.
fn disc(u: f64, v: f64) -> [f64; 2] {
    [u * (1.0 - 0.5 * v * v).sqrt(), v * (1.0 - 0.5 * u * u).sqrt()]
}

/// From 0 to 1 with level ends.
fn smooth(t: f64) -> f64 {
    let t = t.clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}

/// Two vessels that entwine and interpenetrate in places.
pub fn vessels(name: &str, frames: usize) -> LazyScene {
    let bodies = [0.0, 1.0].map(|o| {
        let Tree { nodes, tets } = Tree::new();
        let positions = nodes.iter().map(|n| n.place(o, 0.0)).collect();
        let Solid { tets, .. } = Solid { positions, tets }.oriented();
        LazyBody::new(format!("vessel{o}"), Elements::Tets(tets), nodes.len(), move |frame| {
            nodes.iter().map(|n| n.place(o, frame as f64)).collect()
        })
    });
    LazyScene::new(name, frames, bodies.into())
}
