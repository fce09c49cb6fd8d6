//! The occupied buckets as boxes, with those that collide marked (figure 5 of the paper).

use super::BucketTree;
use crate::geometry::Aabb;
use crate::{BodyId, Drawing, Frame, Mesh, Tone, TriangleId};

impl BucketTree {
    /// Buckets that hold a triangle of the last query's pairs are hits, and so are their triangles.
    pub(super) fn draw_buckets(&self, mesh: &Mesh, frame: Frame<'_>, into: &mut Drawing) {
        let mut is_hit = vec![false; mesh.triangles().len()];
        for &key in &self.found {
            for t in [key >> 32, key & u64::from(u32::MAX)] {
                if let Some(hit) = is_hit.get_mut(t as usize) {
                    *hit = true;
                }
            }
        }
        for (b, (tree, &positions)) in self.trees.iter().zip(frame.bodies()).enumerate() {
            let first = mesh.triangle_range(BodyId(b as u32)).start as u32;
            tree.tree.each_bucket(|_, items| {
                let bounds = items.iter().fold(Aabb::EMPTY, |all, &t| {
                    let corners = tree.triangles()[t as usize];
                    corners.iter().fold(all, |all, &v| all.with(&positions.get(v as usize)))
                });
                let collides = items.iter().any(|t| is_hit[(first + t) as usize]);
                let tone = if collides { Tone::Hit } else { Tone::Level(0) };
                into.boxes.push((bounds.min, bounds.max, tone));
                if collides {
                    into.triangles.extend(items.iter().map(|t| (TriangleId(first + t), Tone::Hit)));
                }
            });
        }
    }
}
