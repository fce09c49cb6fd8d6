//! The invariants of the page, by number.

use super::BucketTree;
use super::triangles::BodyTriangles;
use crate::geometry::{Aabb, Aabb32, Map};
use crate::{Bodies, Broken, Frame, Positions};

/// A broken invariant of this method.
pub(super) fn broken(invariant: &'static str, what: String) -> Broken {
    Broken { method: "bucket-tree", invariant, what }
}

impl BucketTree {
    pub(super) fn check(&self, bodies: &Bodies, frame: Frame<'_>) -> Result<(), Broken> {
        for (b, (tree, positions)) in self.trees.iter().zip(frame.iter()).enumerate() {
            let keyed = &tree.triangles.keyed;
            if !tree.triangles.mesh.is_same(&bodies.meshes()[b])
                || keyed.images.len() != tree.triangles.corners().len()
            {
                return Err(broken("O1", format!("the tree of body {b} is that of another version")));
            }
            let Some(map) = &self.map else { continue };
            let images = tree.triangles.images(positions, map);
            if let Err((invariant, what)) = tree.octree.check(&images, keyed) {
                return Err(broken(invariant, format!("body {b}: {what}")));
            }
        }
        Ok(())
    }
}

impl BodyTriangles {
    /// The box of each triangle, found without the tree.
    pub(super) fn images(&self, positions: Positions<'_>, map: &Map) -> Vec<Aabb32> {
        let bounds = |c: &[u32; 3]| Aabb::of(&c.map(|v| positions.get(v as usize)));
        self.corners().iter().map(|c| Aabb32::image(&bounds(c), map)).collect()
    }
}
