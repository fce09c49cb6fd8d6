//! What is seen along the rays: bodies on the lattice of a volume of interest, ready to be drawn.

use super::super::body::SnappedBody;
use super::super::lattice::{self, LIMIT, Lattice};
use super::super::raster::centres::CentreRays;
use super::super::raster::crossings;
use super::super::voi::{self, Voi};
use super::super::{LayeredDepth, Resolution, Volumes};
use super::layers::{Layer, Layers};
use crate::geometry::Aabb;
use crate::{BodyId, Error, TriangleId, VertexId, parallel};

/// Bodies snapped to the lattice of their common volume of interest: all that is needed to draw their [`Layers`], here
/// or elsewhere.
///
/// # The rules
/// They use integers only, so that every machine draws the same layers, bit for bit.
///
/// 1. *Vertices* are those of [`vertices`](Self::vertices): x, y in the image, z along the rays, each within ±2^30.
///    [`triangles`](Self::triangles) gives the corners (a, b, c) of each triangle, turned to one side where the body's
///    own are not. Corners on a limit, at ±2^30, make a triangle *far* ([`far`](Self::far)): it is left to
///    [`cross`](Self::cross). Differences of the other coordinates fit 32 bits with a sign.
/// 2. *Rays*: that of pixel (i, j) runs up along z through (x, y) = ((i + ½)·2^s, (j + ½)·2^s), where s is
///    [`Lattice::shift`]; pixels are numbered row after row, [`Lattice::column`].
/// 3. *Orientation*: A = (b−a) × (c−a) in x and y. A triangle with A = 0 has no layers. A < 0 is an entry; then b and
///    c are swapped and A is negated. A > 0 is an exit. A is at most 2^62.
/// 4. *Coverage*: the edge function of (p → q) is E = (q−p) × (ray−p) in x and y, below 2^63. By the
///    *top-left rule* a ray through the edge counts as inside where q.y < p.y, or q.y = p.y and q.x > p.x. The ray
///    crosses the triangle where for each of the edges a→b, b→c, c→a: E > 0, or E = 0 and the rule says inside. So a
///    closed surface is entered as often as left.
/// 5. *Depth*: the floor of (E_bc·a.z + E_ca·b.z + E_ab·c.z) / A, exactly. One way, in unsigned 64 bits: let m be the
///    smallest of the three z, w = r = 0; for each bit of z − m from the 31st down: w ← 2w, r ← 2r, add to r each E
///    whose z − m has the bit, and while r ≥ A: r ← r − A, w ← w + 1. The depth is m + w.
/// 6. *Order*: layers of a ray ascend by (depth, exit, triangle), which is the order of [`Layer`]. Nothing is cut:
///    layers below and above the volume of interest belong to their ray.
#[derive(Debug)]
pub struct View<'a> {
    lattice: Lattice,
    voi: Voi,
    bodies: Vec<SnappedBody<'a>>,
    workers: &'a mut Vec<WorkerLayers>,
}

/// The crossings that one worker found.
#[derive(Debug, Default)]
pub(crate) struct WorkerLayers {
    layers: Vec<(u32, Layer)>,
    rays: CentreRays,
}

#[doc(hidden)]
impl Volumes<'_> {
    /// The layers of two bodies over the common part of their boxes; `None` where the boxes have no common volume.
    pub fn layers(
        &mut self,
        bodies: [BodyId; 2],
        resolution: Resolution,
    ) -> Result<Option<[Layers; 2]>, Error> {
        Ok(self.view(bodies, resolution)?.map(|mut view| [view.layers(0), view.layers(1)]))
    }

    /// The layers of one body over its whole box; `None` where the box has no volume.
    pub fn layers_of(&mut self, body: BodyId, resolution: Resolution) -> Result<Option<Layers>, Error> {
        Ok(self.view_of(body, resolution)?.map(|mut view| view.layers(0)))
    }

    /// Two bodies on the lattice of the common part of their boxes, seen along its shortest side.
    pub fn view(&mut self, bodies: [BodyId; 2], resolution: Resolution) -> Result<Option<View<'_>>, Error> {
        self.see(&bodies, resolution, voi::common)
    }

    /// Two bodies on the lattice of the common part of their boxes, seen along x, y or z.
    pub fn view_along(
        &mut self,
        bodies: [BodyId; 2],
        axis: usize,
        resolution: Resolution,
    ) -> Result<Option<View<'_>>, Error> {
        self.see(&bodies, resolution, |a, b| voi::common(a, b).map(|voi| Voi { axis: axis % 3, ..voi }))
    }

    /// One body on the lattice of its box, seen along its shortest side.
    pub fn view_of(&mut self, body: BodyId, resolution: Resolution) -> Result<Option<View<'_>>, Error> {
        self.see(&[body], resolution, voi::common)
    }

    /// One body or two on the lattice of a volume of interest that is found from the first and the last box.
    pub(crate) fn see(
        &mut self,
        ids: &[BodyId],
        resolution: Resolution,
        find: impl FnOnce(&Aabb, &Aabb) -> Option<Voi>,
    ) -> Result<Option<View<'_>>, Error> {
        resolution.check()?;
        let places = self.admit_all(ids)?;
        let boxes: Vec<_> = places.iter().zip(ids).map(|(&p, &id)| self.surface(p, id).2).collect();
        let Some(voi) = find(&boxes[0], &boxes[boxes.len() - 1]) else { return Ok(None) };
        let lattice = Lattice::new(&voi.bounds, voi.axis, resolution.of(&voi))
            .filter(|l| boxes.iter().all(|b| l.reaches(b)))
            .ok_or(Error::Unresolved { size: voi.bounds.size() })?;
        let frame = self.frame;
        let LayeredDepth { surfaces, vertices, workers, .. } = &mut *self.method;
        for (&id, vertices) in ids.iter().zip(vertices.iter_mut()) {
            lattice.snap_all(frame.of(id), vertices);
        }
        let bodies = places.iter().enumerate().map(|(k, &place)| {
            let vertices = (&vertices[k][..], frame.of(ids[k]));
            SnappedBody::new(lattice, surfaces[place].triangles(), vertices, &boxes[k])
        });
        Ok(Some(View { lattice, voi, bodies: bodies.collect(), workers }))
    }
}

impl<'a> View<'a> {
    /// One body over the whole of a lattice.
    pub(crate) fn of_one(
        lattice: Lattice,
        body: SnappedBody<'a>,
        workers: &'a mut Vec<WorkerLayers>,
    ) -> Self {
        let bounds = Aabb { min: [0.0; 3], max: lattice.size.map(f64::from) };
        let voi = Voi { bounds, axis: 2 };
        Self { lattice, voi, bodies: vec![body], workers }
    }
}

impl View<'_> {
    /// The lattice.
    pub fn lattice(&self) -> &Lattice {
        &self.lattice
    }

    /// The volume of interest.
    pub fn voi(&self) -> &Voi {
        &self.voi
    }

    /// Number of bodies, one or two.
    pub fn bodies(&self) -> usize {
        self.bodies.len()
    }

    /// The vertices of a body on the lattice: x, y, z, and 0.
    pub fn vertices(&self, body: usize) -> &[[i32; 4]] {
        self.bodies[body].vertices
    }

    /// Corners of each triangle of a body, ids within the body.
    pub fn triangles(&self, body: usize) -> &[[VertexId; 3]] {
        self.bodies[body].triangles
    }

    /// The triangles that reach beyond ±2^30, few or none, in ascending order.
    pub fn far(&self, body: usize) -> Vec<TriangleId> {
        let SnappedBody { triangles, vertices, has_far, .. } = self.bodies[body];
        if !has_far {
            return Vec::new();
        }
        let ids = (0..triangles.len() as u32).map(TriangleId);
        ids.filter(|t| lattice::is_far(&lattice::corners(vertices, &triangles[t.index()]))).collect()
    }

    /// Calls `f(column, layer)` for each ray that crosses one triangle of a body, near or far.
    pub fn cross(&self, body: usize, triangle: TriangleId, mut f: impl FnMut(usize, Layer)) {
        let SnappedBody { triangles, vertices, has_far, .. } = self.bodies[body];
        let corners = lattice::corners(vertices, &triangles[triangle.index()]);
        let give = |column, depth, step| f(column, Layer::new(depth, triangle, step));
        if has_far && lattice::is_far(&corners) {
            crossings::wide(&self.lattice, self.bodies[body].wide(triangle.0), LIMIT, give);
        } else {
            crossings::narrow(&self.lattice, corners, give);
        }
    }

    #[cfg(feature = "published")]
    /// Column and layer of each crossing of a body, always in the same order.
    pub(crate) fn crossings(&self, body: usize) -> Vec<(u32, Layer)> {
        let mut worker = WorkerLayers::default();
        self.cross_all(body, 0..self.bodies[body].triangles.len(), &mut worker);
        worker.layers
    }

    /// The layers of a body.
    pub fn layers(&mut self, body: usize) -> Layers {
        let mut layers = Layers::empty(self.lattice);
        self.layers_into(body, &mut layers);
        layers
    }

    /// The layers of a body, in memory that is used again.
    pub fn layers_into(&mut self, body: usize, out: &mut Layers) {
        out.reset(self.lattice);
        let mut workers = std::mem::take(self.workers);
        workers.resize_with(parallel::threads(), WorkerLayers::default);
        let triangles = self.bodies[body].triangles.len();
        let chunk = triangles.div_ceil(workers.len()).max(1);
        parallel::for_each(&mut workers, |k, worker| {
            worker.layers.clear();
            let range = (k * chunk).min(triangles)..((k + 1) * chunk).min(triangles);
            self.cross_all(body, range, worker);
        });
        // Counted into columns, then each short list is put in order.
        for (column, _) in workers.iter().flat_map(|p| &p.layers) {
            out.starts[*column as usize] += 1;
        }
        let mut sum = 0;
        for start in &mut out.starts {
            sum += std::mem::replace(start, sum);
        }
        out.layers.resize(sum as usize, Layer::default());
        for &(column, layer) in workers.iter().flat_map(|p| &p.layers) {
            let place = &mut out.starts[column as usize];
            out.layers[*place as usize] = layer;
            *place += 1;
        }
        // Every start has moved to the end of its column, which is the start of the next one.
        out.starts.rotate_right(1);
        out.starts[0] = 0;
        out.sort();
        *self.workers = workers;
    }

    /// Adds the crossings of all triangles in a range.
    fn cross_all(
        &self,
        body: usize,
        range: std::ops::Range<usize>,
        WorkerLayers { layers, rays }: &mut WorkerLayers,
    ) {
        rays.cross(&self.bodies[body], range, layers, |triangle, layers| {
            self.cross(body, triangle, |column, layer| layers.push((column as u32, layer)));
        });
    }

    /// The weights of a triangle's corners where a ray meets it.
    pub(crate) fn weights(&self, body: usize, triangle: TriangleId, pixel: [u32; 2]) -> [f64; 3] {
        let corners = self.bodies[body].wide(triangle.0);
        crossings::weights(corners, self.lattice.centre(pixel))
    }
}
