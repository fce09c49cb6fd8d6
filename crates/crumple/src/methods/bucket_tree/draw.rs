//! The occupied buckets as boxes, with what collides marked (figure 5 of the paper).

use super::descent::{Hierarchy, each_bucket, each_leaf};
use super::triangles::BodyTriangles;
use crate::geometry::Aabb;
use crate::{Bodies, BodyId, Drawing, Frame, Tone, TriangleId};

/// A tree of each body, and what the last query found.
pub(super) struct Sketch<'a> {
    pub bodies: &'a Bodies,
    pub frame: Frame<'a>,
    /// Pairs of triangles, packed.
    pub found: &'a [u64],
}

impl Sketch<'_> {
    /// Buckets, and as hits the leaves that hold a triangle of the last query's pairs, with all their triangles. Leaves
    /// are the buckets themselves in a tree of fixed depth; in the adaptive tree they are blocks of eight, as a bucket
    /// of hundreds would tell little.
    pub fn draw<'t, H: Hierarchy + 't>(
        &self,
        trees: impl Iterator<Item = (&'t BodyTriangles, &'t H)>,
        into: &mut Drawing,
    ) {
        let mut is_hit = vec![false; self.bodies.triangles().len()];
        for &key in self.found {
            for t in [key >> 32, key & u64::from(u32::MAX)] {
                if let Some(hit) = is_hit.get_mut(t as usize) {
                    *hit = true;
                }
            }
        }
        for (b, ((triangles, tree), positions)) in trees.zip(self.frame.iter()).enumerate() {
            let first = self.bodies.triangle_range(BodyId(b as u32)).start as u32;
            let around = |items: &[u32]| {
                let all = items.iter().flat_map(|&t| triangles.corners()[t as usize]);
                all.fold(Aabb::EMPTY, |all, v| all.with(&positions.get(v as usize)))
            };
            let collides = |items: &[u32]| items.iter().any(|t| is_hit[(first + t) as usize]);
            each_bucket(tree, |is_leaf, items| {
                if !(is_leaf && collides(items)) {
                    let bounds = around(items);
                    into.boxes.push((bounds.min, bounds.max, Tone::Visited));
                }
            });
            each_leaf(tree, |items| {
                if collides(items) {
                    let bounds = around(items);
                    into.boxes.push((bounds.min, bounds.max, Tone::Hit));
                    into.triangles.extend(items.iter().map(|t| (TriangleId(first + t), Tone::Hit)));
                }
            });
        }
    }
}
