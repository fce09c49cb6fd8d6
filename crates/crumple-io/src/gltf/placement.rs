//! Where the nodes of the scene graph put their meshes.

use super::json::{Document, Node};
use crate::{Place, ReadError, Source};

/// An affine map: three columns of the linear part, then the shift.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Placement([[f64; 3]; 4]);

impl Placement {
    pub const IDENTITY: Self = Self([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [0.0; 3]]);

    /// The node's own map, relative to its parent.
    fn of(node: &Node) -> Self {
        if let Some(m) = &node.matrix {
            // Column-major; the last row of an affine matrix is 0 0 0 1.
            return Self([
                [m[0], m[1], m[2]],
                [m[4], m[5], m[6]],
                [m[8], m[9], m[10]],
                [m[12], m[13], m[14]],
            ]);
        }
        let [x, y, z, w] = node.rotation.as_deref().copied().unwrap_or([0.0, 0.0, 0.0, 1.0]);
        let scale = node.scale.as_deref().copied().unwrap_or([1.0; 3]);
        let shift = node.translation.as_deref().copied().unwrap_or([0.0; 3]);
        let rotation = [
            [1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y + z * w), 2.0 * (x * z - y * w)],
            [2.0 * (x * y - z * w), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z + x * w)],
            [2.0 * (x * z + y * w), 2.0 * (y * z - x * w), 1.0 - 2.0 * (x * x + y * y)],
        ];
        let column = |k: usize| rotation[k].map(|c| c * scale[k]);
        Self([column(0), column(1), column(2), shift])
    }

    /// First `inner`, then `self`.
    fn after(&self, inner: &Self) -> Self {
        let [a, b, c, shift] = inner.0;
        Self([self.turn(a), self.turn(b), self.turn(c), self.apply(shift)])
    }

    /// The linear part alone.
    fn turn(&self, p: [f64; 3]) -> [f64; 3] {
        let m = &self.0;
        std::array::from_fn(|k| m[0][k] * p[0] + m[1][k] * p[1] + m[2][k] * p[2])
    }

    /// The image of a point. The identity returns its argument bit by bit.
    pub fn apply(&self, p: [f64; 3]) -> [f64; 3] {
        if *self == Self::IDENTITY {
            return p;
        }
        let turned = self.turn(p);
        std::array::from_fn(|k| turned[k] + self.0[3][k])
    }

    /// Whether it turns left hands into right ones.
    pub fn mirrors(&self) -> bool {
        let [a, b, c, _] = self.0;
        let cross = [b[1] * c[2] - b[2] * c[1], b[2] * c[0] - b[0] * c[2], b[0] * c[1] - b[1] * c[0]];
        a[0] * cross[0] + a[1] * cross[1] + a[2] * cross[2] < 0.0
    }
}

/// A mesh at its place.
pub(super) struct Instance {
    /// The node; none where the file has meshes only.
    pub node: Option<u32>,
    pub mesh: u32,
    pub place: Placement,
    pub skinned: bool,
}

/// All meshes of the scene, depth first in the order of the file.
///
/// The scene is the one that the file names, else its first; without any scene, all nodes that are nobody's child;
/// without any node, each mesh once as it is stored.
pub(super) fn instances(source: &Source, document: &Document) -> Result<Vec<Instance>, ReadError> {
    let fault = |what: String| Err(source.error(Place::File, what));
    let nodes = &document.nodes;
    let roots: Vec<u32> = match document.scene {
        Some(scene) => match document.scenes.get(scene as usize) {
            Some(scene) => scene.nodes.clone(),
            None => return fault(format!("scene {scene} does not exist")),
        },
        None if !document.scenes.is_empty() => document.scenes[0].nodes.clone(),
        None if nodes.is_empty() => {
            let meshes = 0..document.meshes.len() as u32;
            let stored = |mesh| Instance { node: None, mesh, place: Placement::IDENTITY, skinned: false };
            return Ok(meshes.map(stored).collect());
        }
        None => {
            let mut is_child = vec![false; nodes.len()];
            for &child in nodes.iter().flat_map(|node| node.children.iter()) {
                if let Some(flag) = is_child.get_mut(child as usize) {
                    *flag = true;
                }
            }
            (0..nodes.len() as u32).filter(|&node| !is_child[node as usize]).collect()
        }
    };
    let mut instances = Vec::new();
    let mut seen = vec![false; nodes.len()];
    // Nodes to visit, each with the number of its parent's placement.
    let mut places = vec![Placement::IDENTITY];
    let mut stack: Vec<(u32, u32)> = roots.into_iter().rev().map(|root| (root, 0)).collect();
    while let Some((index, parent)) = stack.pop() {
        let Some(node) = nodes.get(index as usize) else {
            return fault(format!("node {index} does not exist"));
        };
        // Each node once: the scene is a forest, so that this loop ends.
        if std::mem::replace(&mut seen[index as usize], true) {
            return fault(format!("node {index} has two parents or is its own ancestor"));
        }
        let (own, parent) = (Placement::of(node), places[parent as usize]);
        let place = if own == Placement::IDENTITY { parent } else { parent.after(&own) };
        if let Some(mesh) = node.mesh {
            instances.push(Instance { node: Some(index), mesh, place, skinned: node.skin.is_some() });
        }
        stack.extend(node.children.iter().rev().map(|&child| (child, places.len() as u32)));
        places.push(place);
    }
    Ok(instances)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scale_turn_shift_in_this_order() {
        let node = Node {
            children: Box::default(),
            mesh: None,
            name: None,
            skin: None,
            matrix: None,
            translation: Some(Box::new([10.0, 0.0, 0.0])),
            // A quarter turn around z.
            rotation: Some(Box::new([0.0, 0.0, 0.5f64.sqrt(), 0.5f64.sqrt()])),
            scale: Some(Box::new([2.0, 3.0, -4.0])),
        };
        let place = Placement::of(&node);
        let p = place.apply([1.0, 1.0, 1.0]);
        for (got, expected) in p.iter().zip([7.0, 2.0, -4.0]) {
            assert!((got - expected).abs() < 1e-14, "{p:?}");
        }
        assert!(place.mirrors());
        assert!(!Placement::IDENTITY.mirrors());
        let twice = place.after(&place).apply([1.0, 1.0, 1.0]);
        let again = place.apply(p);
        assert!(twice.iter().zip(again).all(|(a, b)| (a - b).abs() < 1e-12), "{twice:?} {again:?}");
    }
}
