//! The invariants of the page, by number.

use super::BucketTree;
use super::image::Image;
use crate::geometry::Aabb;
use crate::{Bodies, Broken, Frame};

impl BucketTree {
    pub(super) fn check(&self, bodies: &Bodies, frame: Frame<'_>) -> Result<(), Broken> {
        let broken = |invariant, what| Err(Broken { method: "bucket-tree", invariant, what });
        for (b, (tree, positions)) in self.trees.iter().zip(frame.iter()).enumerate() {
            if !tree.body.is_same(&bodies.meshes()[b]) || tree.places.images.len() != tree.triangles().len() {
                return broken("O1", format!("the tree of body {b} is that of another version"));
            }
            let bounds = |c: &[u32; 3]| Aabb::of(&c.map(|v| positions.get(v as usize)));
            let images: Vec<Image> =
                tree.triangles().iter().map(|c| Image::of(&bounds(c), &self.map)).collect();
            if let Err((invariant, what)) = tree.tree.check(&images, &tree.places) {
                return broken(invariant, format!("body {b}: {what}"));
            }
        }
        Ok(())
    }
}
