//! The occupied buckets as boxes, with what collides marked (figure 5 of the paper).

use super::BucketTree;
use super::structure::Structure;
use crate::geometry::Aabb;
use crate::{Bodies, BodyId, Drawing, Frame, Tone, TriangleId};

impl BucketTree {
    /// Buckets, and as hits the leaves that hold a triangle of the last query's pairs, with all their triangles. Leaves
    /// are the buckets themselves in a tree of fixed depth; in the adaptive tree they are blocks of eight, as a bucket
    /// of hundreds would tell little.
    pub(super) fn draw_buckets(&self, bodies: &Bodies, frame: Frame<'_>, into: &mut Drawing) {
        let mut is_hit = vec![false; bodies.triangles().len()];
        for &key in &self.found {
            for t in [key >> 32, key & u64::from(u32::MAX)] {
                if let Some(hit) = is_hit.get_mut(t as usize) {
                    *hit = true;
                }
            }
        }
        for (b, (tree, positions)) in self.trees.iter().zip(frame.iter()).enumerate() {
            let first = bodies.triangle_range(BodyId(b as u32)).start as u32;
            let around = |items: &[u32]| {
                let all = items.iter().flat_map(|&t| tree.triangles()[t as usize]);
                all.fold(Aabb::EMPTY, |all, v| all.with(&positions.get(v as usize)))
            };
            let collides = |items: &[u32]| items.iter().any(|t| is_hit[(first + t) as usize]);
            let is_adaptive = matches!(tree.tree, Structure::Adaptive(_));
            tree.tree.each_bucket(|_, items| {
                if is_adaptive || !collides(items) {
                    let bounds = around(items);
                    into.boxes.push((bounds.min, bounds.max, Tone::Visited));
                }
            });
            tree.tree.each_leaf(|items| {
                if collides(items) {
                    let bounds = around(items);
                    into.boxes.push((bounds.min, bounds.max, Tone::Hit));
                    into.triangles.extend(items.iter().map(|t| (TriangleId(first + t), Tone::Hit)));
                }
            });
        }
    }
}
