//! The invariants of the page, by number.

use super::BucketTree;
use super::image::Image;
use crate::geometry::Aabb;
use crate::{Broken, Frame, Mesh};

impl BucketTree {
    pub(super) fn check(&self, mesh: &Mesh, frame: Frame<'_>) -> Result<(), Broken> {
        let broken = |invariant, what| Err(Broken { method: "bucket-tree", invariant, what });
        for (b, (tree, &positions)) in self.trees.iter().zip(frame.bodies()).enumerate() {
            if !tree.body.is_same(&mesh.bodies()[b]) || tree.places.images.len() != tree.triangles().len() {
                return broken("O1", format!("the tree of body {b} is that of another version"));
            }
            for (t, corners) in tree.triangles().iter().enumerate() {
                let bounds = Aabb::of(&corners.map(|v| positions.get(v as usize)));
                let (expected, image) = (Image::of(&bounds, &self.map), &tree.places.images[t]);
                if (image.low3(), image.high3()) != (expected.low3(), expected.high3()) {
                    return broken("O2", format!("triangle {t} of body {b} is not in its box"));
                }
            }
            if let Err((invariant, what)) = tree.tree.check(&tree.places) {
                return broken(invariant, format!("body {b}: {what}"));
            }
        }
        Ok(())
    }
}
