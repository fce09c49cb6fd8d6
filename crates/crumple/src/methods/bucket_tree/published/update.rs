//! Following the frame: every primitive finds its bucket anew.

use super::{Boxes, FixedTree, Placement, PublishedBucketTree, PublishedParams};
use crate::geometry::Aabb32;
use crate::geometry::Map;
use crate::methods::bucket_tree::grid::Shape;
use crate::methods::bucket_tree::keys::Layout;
use crate::methods::bucket_tree::mapping;
use crate::methods::bucket_tree::triangles::BodyTriangles;
use crate::parallel;
use crate::{Bodies, Frame, FrameError, Mesh, TriangleId};

impl PublishedBucketTree {
    pub(super) fn follow(&mut self, bodies: &Bodies, frame: Frame<'_>) -> Result<(), FrameError> {
        frame.check(bodies)?;
        self.follow_bodies(bodies);
        for (tree, positions) in self.trees.iter_mut().zip(frame.iter()) {
            tree.triangles.widen(positions);
        }
        if !self.map.is_some_and(|map| self.map_triangles(frame, &map)) {
            let map = mapping::fit_frame(frame);
            self.map_triangles(frame, &map);
            self.map = Some(map);
        }
        let params = self.params;
        parallel::for_each(&mut self.trees, |_, tree| tree.build(&params));
        Ok(())
    }

    fn follow_bodies(&mut self, bodies: &Bodies) {
        self.trees.truncate(bodies.meshes().len());
        for (n, mesh) in bodies.meshes().iter().enumerate() {
            match self.trees.get_mut(n) {
                Some(tree) => tree.follow_body(mesh),
                None => self.trees.push(FixedTree {
                    triangles: BodyTriangles::new(mesh),
                    axes: Default::default(),
                    octree: Default::default(),
                }),
            }
        }
    }

    /// Boxes of every triangle; says whether they suit the map.
    fn map_triangles(&mut self, frame: Frame<'_>, map: &Map) -> bool {
        for (tree, positions) in self.trees.iter_mut().zip(frame.iter()) {
            tree.triangles.map_triangles(positions, map);
        }
        mapping::is_fit(&self.trees.iter().fold(Aabb32::EMPTY, |all, t| all.union(&t.triangles.extent.all)))
    }
}

impl FixedTree {
    /// Takes over the next version of the body; the sorted axes follow the keys of the triangles.
    fn follow_body(&mut self, mesh: &Mesh) {
        let old = &self.triangles.mesh;
        if old.is_same(mesh) {
            return;
        }
        let renamed: Vec<u32> = (0..old.triangles().len() as u32)
            .map(|t| mesh.triangle_with_key(old.triangle_key(TriangleId(t))).map_or(u32::MAX, |t| t.0))
            .collect();
        self.axes.rename(&renamed);
        self.triangles.mesh = mesh.clone();
    }

    fn build(&mut self, params: &PublishedParams) {
        let BodyTriangles { keyed, extent, .. } = &mut self.triangles;
        let layout = Layout { bits: params.levels.into(), shape: Shape::Stretched, slack: params.slack };
        let is_renewed = keyed.renew_grid(&extent.points, &layout);
        match params.placement {
            Placement::Direct if is_renewed => keyed.renew_keys(),
            Placement::Direct => {}
            Placement::Sorted => self.axes.renew_keys(keyed, params.sort_budget),
        }
        self.octree.build(keyed, params.boxes == Boxes::Refitted);
    }
}
