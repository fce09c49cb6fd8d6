//! Volumes: how much bodies share, and what is inside.

use super::bodies::lay_out;
use super::planner::is_open;
use super::{Answer, Scene};
use crate::methods::layered_depth::{
    Holes, IntersectionSurface, LayeredDepth, LayeredDepthParams, Overlap, Resolution, VolumeDepth, Volumes,
};
use crate::{BodyId, Error, Guarantee, Positions, Stats};

impl Scene {
    /// The volume that two closed bodies share, with bounds.
    ///
    /// ```
    /// use crumple::{Mesh, Resolution, Scene};
    /// let corners = [[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0], [0.0, 0.0, 4.0]];
    /// let tet = Mesh::from_tets("tet", 4, &[[0, 1, 2, 3]])?;
    /// let mut scene = Scene::new();
    /// let a = scene.add(tet.clone(), &corners[..])?;
    /// let b = scene.add(tet, &corners.map(|p| p.map(|x| x + 1.0))[..])?;
    /// let shared = scene.overlap([a, b], Resolution::rays(64))?;
    /// assert!(shared.lower <= 1.0 / 6.0 && 1.0 / 6.0 <= shared.upper); // a tet of legs 1
    /// # Ok::<(), crumple::Error>(())
    /// ```
    pub fn overlap(&mut self, pair: [BodyId; 2], resolution: Resolution) -> Result<Overlap, Error> {
        self.check_bodies(&pair)?;
        self.volumes()?.overlap(pair, resolution)
    }

    /// How deep two closed bodies are in each other, along the direction in which the volume that they share falls fastest, with
    /// bounds; `None` where they surely share none. See [`VolumeDepth`].
    ///
    /// ```
    /// # use crumple::{Mesh, Resolution, Scene};
    /// # let corners = [[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0], [0.0, 0.0, 4.0]];
    /// # let tet = Mesh::from_tets("tet", 4, &[[0, 1, 2, 3]])?;
    /// # let mut scene = Scene::new();
    /// # let a = scene.add(tet.clone(), &corners[..])?;
    /// # let b = scene.add(tet, &corners.map(|p| p.map(|x| x + 1.0))[..])?;
    /// // A corner of b reaches into the slanted face of a.
    /// let found = scene.depth([a, b], Resolution::rays(64))?.expect("they share volume");
    /// assert!(found.lower <= found.depth && found.depth <= found.upper);
    /// assert!(found.direction.iter().all(|x| (x - 3f64.sqrt().recip()).abs() < 1e-3));
    /// assert!((found.depth - 3f64.sqrt().recip()).abs() < 0.05); // 64 rays see the corner that well
    /// # Ok::<(), crumple::Error>(())
    /// ```
    pub fn depth(&mut self, pair: [BodyId; 2], resolution: Resolution) -> Result<Option<VolumeDepth>, Error> {
        self.check_bodies(&pair)?;
        self.volumes()?.depth(pair, resolution)
    }

    /// The pairs of closed bodies that share volume, or may within the bounds, in order. Open surfaces have no volume and
    /// are left out.
    ///
    /// ```
    /// # use crumple::{Mesh, Scene};
    /// # let corners = [[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0], [0.0, 0.0, 4.0]];
    /// # let tet = Mesh::from_tets("tet", 4, &[[0, 1, 2, 3]])?;
    /// # let mut scene = Scene::new();
    /// # let a = scene.add(tet.clone(), &corners[..])?;
    /// # let b = scene.add(tet, &corners.map(|p| p.map(|x| x + 1.0))[..])?;
    /// let shared = scene.overlaps(crumple::Resolution::rays(32))?;
    /// assert_eq!((shared.len(), shared[0].0), (1, [a, b]));
    /// # Ok::<(), crumple::Error>(())
    /// ```
    pub fn overlaps(&mut self, resolution: Resolution) -> Result<Vec<([BodyId; 2], Overlap)>, Error> {
        let is_solid: Vec<bool> = self.meshes.iter().map(|b| b.triangle_count() > 0 && !is_open(b)).collect();
        let near = self.box_pairs(0.0);
        let mut volumes = self.volumes()?;
        let mut out = Vec::new();
        for [a, b] in near {
            if is_solid[a.index()] && is_solid[b.index()] {
                let overlap = volumes.overlap([a, b], resolution)?;
                if overlap.upper > 0.0 {
                    out.push(([a, b], overlap));
                }
            }
        }
        Ok(out)
    }

    /// The volume that closed bodies share as a closed surface; see [`Volumes::intersection`].
    ///
    /// ```
    /// # use crumple::{Mesh, Scene};
    /// # let corners = [[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0], [0.0, 0.0, 4.0]];
    /// # let tet = Mesh::from_tets("tet", 4, &[[0, 1, 2, 3]])?;
    /// # let mut scene = Scene::new();
    /// # let a = scene.add(tet.clone(), &corners[..])?;
    /// # let b = scene.add(tet, &corners.map(|p| p.map(|x| x + 1.0))[..])?;
    /// let shared = scene.intersection_surface(&[a, b], crumple::Resolution::rays(16))?;
    /// assert!(!shared.triangles.is_empty());
    /// # Ok::<(), crumple::Error>(())
    /// ```
    pub fn intersection_surface(
        &mut self,
        ids: &[BodyId],
        resolution: Resolution,
    ) -> Result<IntersectionSurface, Error> {
        self.check_bodies(ids)?;
        self.volumes()?.intersection(ids, resolution)
    }

    /// For each point: is it inside, or on, the surface of a closed body?
    ///
    /// ```
    /// # use crumple::{Mesh, Scene};
    /// # let corners = [[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0], [0.0, 0.0, 4.0]];
    /// # let mut scene = Scene::new();
    /// let tet = scene.add(Mesh::from_tets("tet", 4, &[[0, 1, 2, 3]])?, &corners[..])?;
    /// let inside = scene.inside(tet, &[[1.0, 1.0, 1.0], [9.0, 9.0, 9.0]][..])?;
    /// assert_eq!(inside[..], [true, false]);
    /// assert_eq!(inside.guarantee, crumple::Guarantee::Proved);
    /// # Ok::<(), crumple::Error>(())
    /// ```
    pub fn inside<'p>(
        &mut self,
        body: BodyId,
        points: impl Into<Positions<'p>>,
    ) -> Result<Answer<bool>, Error> {
        self.check_body(body)?;
        let is_still = self.seen_inside.take() == Some(body);
        let mut volumes = self.volumes()?;
        volumes.is_still = is_still;
        let rows = volumes.inside(body, points)?;
        let place = volumes.admit(body)?;
        // What a surface with holes encloses is a convention.
        let guarantee = if volumes.are_closed(&[place]) { Guarantee::Proved } else { Guarantee::Unproved };
        self.seen_inside = Some(body);
        Ok(Answer::new(rows, "layered-depth", guarantee, Stats::default()))
    }

    /// Everything else that can be asked about volumes of this frame: refinement to a tolerance, the gradient of the shared
    /// volume, how much a body overlaps itself.
    ///
    /// ```
    /// # use crumple::{Mesh, Scene};
    /// # let corners = [[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0], [0.0, 0.0, 4.0]];
    /// # let tet = Mesh::from_tets("tet", 4, &[[0, 1, 2, 3]])?;
    /// # let mut scene = Scene::new();
    /// # let a = scene.add(tet.clone(), &corners[..])?;
    /// # let b = scene.add(tet, &corners.map(|p| p.map(|x| x + 1.0))[..])?;
    /// let alone = scene.volumes()?.self_overlap(a, crumple::Resolution::rays(32))?;
    /// assert!(alone.lower <= 0.0);
    /// # Ok::<(), crumple::Error>(())
    /// ```
    pub fn volumes(&mut self) -> Result<Volumes<'_>, Error> {
        self.is_asked = true;
        let bodies = self.laid_out.get_or_init(|| lay_out(&self.meshes));
        Ok(self.layers.update(bodies, Self::frame(&self.positions, &self.boxes, &self.near))?)
    }

    /// Whether surfaces with holes are refused, which is the default, or answered without a guarantee.
    ///
    /// ```
    /// # use crumple::{Mesh, Scene};
    /// # let at = |z: f64| [[0.0, 0.0, z], [4.0, 0.0, z], [0.0, 4.0, z]];
    /// # let triangle = |name: &str| Mesh::from_triangles(name, 3, &[[0, 1, 2]]);
    /// # let mut scene = Scene::new();
    /// # let low = scene.add(triangle("low")?, &at(0.0)[..])?;
    /// # let high = scene.add(triangle("high")?, &at(1.0)[..])?;
    /// use crumple::methods::layered_depth::Holes;
    /// assert!(scene.inside(low, &[[1.0, 1.0, 1.0]][..]).is_err()); // a triangle has no inside
    /// scene.set_holes(Holes::Accept);
    /// assert!(scene.inside(low, &[[1.0, 1.0, 1.0]][..]).is_ok());
    /// # Ok::<(), crumple::Error>(())
    /// ```
    pub fn set_holes(&mut self, holes: Holes) {
        let params = LayeredDepthParams { holes };
        (self.layers, self.seen_inside) = (LayeredDepth::new(params), None);
    }

    fn check_bodies(&self, ids: &[BodyId]) -> Result<(), Error> {
        ids.iter().try_for_each(|&body| self.check_body(body))
    }
}
