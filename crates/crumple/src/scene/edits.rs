//! Bodies that are edited where they are: elements come and go, and everything follows at the cost of the change.

use super::bodies::check_counts;
use super::{Scene, StepState};
use crate::geometry::Aabb;
use crate::{BodyId, Changes, Edit, Error, FrameError, MAX_COORDINATE, Mesh, MeshError, VertexId};

impl Scene {
    /// Changes a body's elements where it is: `change` makes an edit of it, whose new vertices are where their parents put them
    /// or where [`Edit::add_vertex_at`] says.
    ///
    /// Nothing moves, so that what is asked next costs the change and the search, not the body: lists, topology and the
    /// structures that answer [`Scene::contacts`] are changed in place. If `change` fails the body stays as it is.
    ///
    /// ```
    /// use crumple::{Mesh, Scene, TriangleKey};
    /// let mut scene = Scene::new();
    /// let two = Mesh::from_triangles("two", 6, &[[0, 1, 2], [3, 4, 5]])?;
    /// let body = scene.add(two, &[[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0],
    ///                             [1.0, 1.0, -1.0], [1.0, 1.0, 1.0], [3.0, 3.0, 1.0]][..])?;
    /// assert_eq!(scene.contacts()?.len(), 1);
    /// let changes = scene.edit(body, |edit| edit.remove_triangle(TriangleKey(0)))?;
    /// assert_eq!(changes.triangles_removed, [TriangleKey(0)]);
    /// assert!(scene.contacts()?.is_empty());
    /// # Ok::<(), crumple::Error>(())
    /// ```
    pub fn edit<T>(
        &mut self,
        id: BodyId,
        change: impl FnOnce(&mut Edit) -> Result<T, MeshError>,
    ) -> Result<Changes, Error> {
        let mut edit = self.mesh(id)?.edit();
        change(&mut edit)?;
        let (mesh, changes) = edit.finish();
        let before = self.positions[id.index()].len();
        changes.extend_positions(&mut self.positions[id.index()]);
        self.edited(id, mesh, before)?;
        Ok(changes)
    }

    /// Takes the next version of a body in whose positions, from `before` on, are those of new vertices; they are taken off
    /// again where that is an error.
    pub(super) fn edited(&mut self, id: BodyId, mesh: Mesh, before: usize) -> Result<(), Error> {
        let others = self.meshes.iter().enumerate().filter(|(i, _)| *i != id.index()).map(|(_, b)| b);
        let counted = check_counts(others.chain([&mesh])).map_err(Error::from);
        let positions = &mut self.positions[id.index()];
        let placed = first_fault(id, positions, before).map_or(Ok(()), |fault| Err(fault.into()));
        if let Err(error) = counted.and(placed) {
            positions.truncate(before);
            return Err(error);
        }
        if let Some(bounds) = self.boxes[id.index()].get_mut() {
            *bounds = bounds.union(&Aabb::of(&positions[before..]));
        }
        let has_moved = std::mem::take(&mut self.has_before[id.index()]);
        self.lay_in(id, mesh);
        self.outdate_by_edit();
        if has_moved {
            self.step_state = StepState::Unknown;
        }
        Ok(())
    }

    /// A body was edited, and nothing moved.
    pub(super) fn outdate_by_edit(&mut self) {
        self.surfaces.outdate_by_edit();
        self.solids.outdate_by_edit();
        self.depths.outdate_by_edit();
        self.distances.outdate_by_edit();
        self.stoppable.outdate_by_edit();
        self.near.outdate();
        (self.contacts, self.in_tets) = (None, None);
        self.step_state.outdate_by_edit();
    }
}

/// The first position from `from` on that is not finite or too large.
fn first_fault(body: BodyId, positions: &[[f64; 3]], from: usize) -> Option<FrameError> {
    let bad = |p: &[f64; 3]| p.iter().any(|x| x.is_nan() || x.abs() > MAX_COORDINATE);
    let v = from + positions[from..].iter().position(bad)?;
    let (vertex, position) = (VertexId(v as u32), positions[v]);
    Some(if position.iter().all(|x| x.is_finite()) {
        FrameError::TooLarge { body, vertex, position }
    } else {
        FrameError::NotFinite { body, vertex, position }
    })
}
