//! Volumes: how much bodies share, and what is inside.

use crumple::BodyId;
use crumple::methods::layered_depth::{self, Holes, Resolution, Stop, Tolerance};
use pyo3::prelude::*;

use super::{Scene, choose};
use crate::arrays::{Column, Points, Table, column, points, refuse};
use crate::counts;
use crate::ids::Body;
use crate::mesh::Mesh;

/// The volume that two closed bodies share: always `lower <= true volume <= upper`.
#[pyclass(frozen, get_all, module = "crumple")]
pub struct Overlap {
    /// The best estimate, within the bounds.
    volume: f64,
    /// Never above the true volume.
    lower: f64,
    /// Never below the true volume.
    upper: f64,
    /// The sum of the rays' spans times the area of a pixel; may lie outside the bounds.
    sampled: f64,
    /// Rays across the common box.
    resolution: (u32, u32),
    /// The axis along which the rays run: 0, 1 or 2.
    axis: usize,
    /// Most layers of each body on one ray.
    depth_complexity: (u32, u32),
    /// Layers of each body on all rays within the common box.
    layers: (usize, usize),
    /// Stretches of rays inside both bodies.
    spans: usize,
    /// Rays with more entries than exits or the reverse, of each body; only an open surface has any.
    unbalanced_rays: (usize, usize),
    /// Centre of mass of the common volume; None where there is none.
    centroid: Option<(f64, f64, f64)>,
    /// A box that holds the common volume, (2, 3) float64; None where there is none.
    bounds: Option<Table<f64>>,
    /// How fast the volume grows as a vertex moves, (n, 3) float64 for each of the two bodies; None unless asked for.
    gradient: Option<(Table<f64>, Table<f64>)>,
    /// Why refinement ended: "reached", "lattice", "work" or "open"; None unless a tolerance was asked for.
    stop: Option<&'static str>,
    /// What the bounds are worth: "sampled" with rigorous bounds, or "unproved" for an open surface.
    guarantee: String,
}

impl Overlap {
    fn new(py: Python<'_>, found: &layered_depth::Overlap) -> Self {
        Self {
            volume: found.volume,
            lower: found.lower,
            upper: found.upper,
            sampled: found.sampled,
            resolution: found.resolution.into(),
            axis: found.axis,
            depth_complexity: found.depth_complexity.into(),
            layers: found.layers.into(),
            spans: found.spans,
            unbalanced_rays: found.unbalanced_rays.into(),
            centroid: found.centroid.map(Into::into),
            bounds: found.bounds.map(|b| points(py, &b)),
            gradient: None,
            stop: None,
            guarantee: found.guarantee.to_string(),
        }
    }
}

#[pymethods]
impl Overlap {
    fn __float__(&self) -> f64 {
        self.volume
    }

    fn __repr__(&self) -> String {
        format!("Overlap({:?}, between {:?} and {:?})", self.volume, self.lower, self.upper)
    }
}

/// How deep two closed bodies are in each other, along the direction in which their common volume falls fastest.
#[pyclass(frozen, get_all, module = "crumple")]
pub struct VolumeDepth {
    /// The way out of the second body, of length 1.
    direction: (f64, f64, f64),
    /// The longest stretch along it inside both bodies that a ray met, within the bounds.
    depth: f64,
    /// The longest stretch there is, is not below this.
    lower: f64,
    /// The longest stretch there is, is not above this.
    upper: f64,
    /// Where the stretch begins and ends, (2, 3) float64: the second body leaves when its point at the first end is moved to the
    /// other.
    ends: Table<f64>,
    /// Moved along the direction by so much, the second body is surely parted from the first, whatever their shapes.
    parting: f64,
    /// What the bounds are worth: "sampled" with rigorous bounds, or "unproved" for an open surface.
    guarantee: String,
}

#[pymethods]
impl VolumeDepth {
    fn __float__(&self) -> f64 {
        self.depth
    }

    fn __repr__(&self) -> String {
        format!("VolumeDepth({:?}, between {:?} and {:?})", self.depth, self.lower, self.upper)
    }
}

/// The volume in which a closed body overlaps itself or is turned over; a lower bound above 0 proves that it does.
#[pyclass(frozen, get_all, module = "crumple")]
pub struct SelfOverlap {
    /// The best estimate, within the bounds.
    volume: f64,
    /// Never above the true volume.
    lower: f64,
    /// Never below the true volume.
    upper: f64,
    /// Rays across the body's box.
    resolution: (u32, u32),
    /// Rays with an invalid order of front and back faces.
    misordered_rays: usize,
    /// Rays with more entries than exits or the reverse; only an open surface has any.
    unbalanced_rays: usize,
    /// Whether the body as a whole is inside out.
    is_inside_out: bool,
    /// What the bounds are worth.
    guarantee: String,
}

#[pymethods]
impl SelfOverlap {
    fn __float__(&self) -> f64 {
        self.volume
    }

    fn __repr__(&self) -> String {
        format!("SelfOverlap({:?}, between {:?} and {:?})", self.volume, self.lower, self.upper)
    }
}

/// How finely to sample: so many rays along either side, or pixels of a length.
fn resolution(rays: u32, pixel_size: Option<f64>) -> Resolution {
    pixel_size.map_or(Resolution::rays(rays), Resolution::PixelSize)
}

fn stopped(stop: Stop) -> &'static str {
    match stop {
        Stop::Reached => "reached",
        Stop::Lattice => "lattice",
        Stop::Open => "open",
        _ => "work",
    }
}

#[pymethods]
impl Scene {
    /// The volume that two closed bodies share, with rigorous bounds.
    ///
    /// `resolution` is the number of rays along either side of the common box, or `pixel_size` their distance. `tolerance`
    /// refines until the bounds are as near, as a part of the volume. `gradient` tells too how the volume grows as vertices move.
    ///
    /// >>> import crumple, numpy as np
    /// >>> corners = np.array([[0, 0, 0], [4, 0, 0], [0, 4, 0], [0, 0, 4]], dtype=float)
    /// >>> scene = crumple.Scene()
    /// >>> a = scene.add(corners, tets=[[0, 1, 2, 3]])
    /// >>> b = scene.add(corners + 1, tets=[[0, 1, 2, 3]])
    /// >>> shared = scene.overlap(a, b)                     # a tet of legs 1
    /// >>> shared.lower <= 1 / 6 <= shared.upper
    /// True
    #[pyo3(signature = (a, b, resolution=128, *, pixel_size=None, tolerance=None, gradient=false))]
    #[allow(clippy::too_many_arguments)]
    fn overlap(
        &self,
        py: Python<'_>,
        a: Body,
        b: Body,
        #[pyo3(from_py_with = counts::resolution)] resolution: u32,
        pixel_size: Option<f64>,
        tolerance: Option<f64>,
        gradient: bool,
    ) -> PyResult<Overlap> {
        let (pair, resolution) = ([a.0, b.0], self::resolution(resolution, pixel_size));
        let (found, stop, slopes) = self.ask(py, "", |scene| {
            check(scene, &pair)?;
            let (found, stop) = match tolerance {
                None => (scene.overlap(pair, resolution)?, None),
                Some(part) => {
                    let refined =
                        scene.volumes()?.refined_overlap(pair, resolution, Tolerance::Relative(part))?;
                    (refined.overlap, Some(stopped(refined.stop)))
                }
            };
            let slopes = gradient.then(|| scene.volumes()?.gradient(pair, resolution)).transpose()?;
            Ok::<_, crumple::Error>((found, stop, slopes))
        })?;
        let gradient = slopes.map(|g| (points(py, &g.bodies[0]), points(py, &g.bodies[1])));
        Ok(Overlap { stop, gradient, ..Overlap::new(py, &found) })
    }

    /// The pairs of closed bodies that share volume, or may within the bounds: a list of (a, b, Overlap).
    #[pyo3(signature = (resolution=128, *, pixel_size=None))]
    fn overlaps(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = counts::resolution)] resolution: u32,
        pixel_size: Option<f64>,
    ) -> PyResult<Vec<(u32, u32, Overlap)>> {
        let resolution = self::resolution(resolution, pixel_size);
        let found = self.ask(py, "", |scene| scene.overlaps(resolution))?;
        Ok(found.into_iter().map(|([a, b], o)| (a.0, b.0, Overlap::new(py, &o))).collect())
    }

    /// How deep two closed bodies are in each other, along the direction in which the volume that they share falls fastest; None
    /// where they surely share none.
    ///
    /// >>> import crumple, numpy as np
    /// >>> corners = np.array([[0, 0, 0], [4, 0, 0], [0, 4, 0], [0, 0, 4]], dtype=float)
    /// >>> scene = crumple.Scene()
    /// >>> a = scene.add(corners, tets=[[0, 1, 2, 3]])
    /// >>> b = scene.add(corners + 1, tets=[[0, 1, 2, 3]])
    /// >>> depth = scene.depth(a, b)                        # from the corner of b straight to the slanted face of a
    /// >>> depth.lower <= 1 / 3**0.5 <= depth.upper
    /// True
    /// >>> scene.set_positions(b, corners + 9)
    /// >>> scene.depth(a, b) is None
    /// True
    #[pyo3(signature = (a, b, resolution=128, *, pixel_size=None))]
    fn depth(
        &self,
        py: Python<'_>,
        a: Body,
        b: Body,
        #[pyo3(from_py_with = counts::resolution)] resolution: u32,
        pixel_size: Option<f64>,
    ) -> PyResult<Option<VolumeDepth>> {
        let (pair, resolution) = ([a.0, b.0], self::resolution(resolution, pixel_size));
        let found = self.ask(py, "", |scene| {
            check(scene, &pair)?;
            scene.depth(pair, resolution)
        })?;
        Ok(found.map(|d| VolumeDepth {
            direction: d.direction.into(),
            depth: d.depth,
            lower: d.lower,
            upper: d.upper,
            ends: points(py, &d.ends),
            parting: d.parting,
            guarantee: d.guarantee.to_string(),
        }))
    }

    /// The volume in which a closed body overlaps itself, with rigorous bounds.
    #[pyo3(signature = (body, resolution=128, *, pixel_size=None))]
    fn self_overlap(
        &self,
        py: Python<'_>,
        body: Body,
        #[pyo3(from_py_with = counts::resolution)] resolution: u32,
        pixel_size: Option<f64>,
    ) -> PyResult<SelfOverlap> {
        let resolution = self::resolution(resolution, pixel_size);
        let found = self.ask(py, "", |scene| {
            check(scene, &[body.0])?;
            scene.volumes()?.self_overlap(body.0, resolution)
        })?;
        Ok(SelfOverlap {
            volume: found.volume,
            lower: found.lower,
            upper: found.upper,
            resolution: found.resolution.into(),
            misordered_rays: found.misordered_rays,
            unbalanced_rays: found.unbalanced_rays,
            is_inside_out: found.is_inside_out,
            guarantee: found.guarantee.to_string(),
        })
    }

    /// The volume that closed bodies share, as a closed mesh; of one body the volume in which it overlaps itself.
    #[pyo3(signature = (bodies, resolution=64, *, pixel_size=None))]
    fn intersection_surface(
        &self,
        py: Python<'_>,
        bodies: Vec<Body>,
        #[pyo3(from_py_with = counts::resolution)] resolution: u32,
        pixel_size: Option<f64>,
    ) -> PyResult<Mesh> {
        if bodies.is_empty() {
            return Err(refuse("bodies", "at least one is wanted"));
        }
        let resolution = self::resolution(resolution, pixel_size);
        let ids: Vec<BodyId> = bodies.iter().map(|b| b.0).collect();
        self.ask(py, "", |scene| {
            check(scene, &ids)?;
            let found = match ids[..] {
                [one] => scene.volumes()?.self_intersection(one, resolution)?,
                _ => scene.intersection_surface(&ids, resolution)?,
            };
            let mesh =
                crumple::Mesh::from_triangles("intersection", found.positions.len(), &found.triangles)?;
            Ok::<_, crumple::Error>(Mesh::new(mesh, found.positions))
        })
    }

    /// For each point, (n, 3): is it inside, or on, the surface of a closed body? (n,) bool, exactly.
    ///
    /// >>> import crumple
    /// >>> scene = crumple.Scene()
    /// >>> tet = scene.add([[0, 0, 0], [4, 0, 0], [0, 4, 0], [0, 0, 4]], tets=[[0, 1, 2, 3]])
    /// >>> scene.inside(tet, [[1, 1, 1], [9, 9, 9]])
    /// array([ True, False])
    #[pyo3(signature = (body, points: "ArrayLike"))]
    fn inside(&self, py: Python<'_>, body: Body, points: &Bound<'_, PyAny>) -> PyResult<Column<bool>> {
        let given = Points::new(points, "points")?;
        let view = given.view();
        let found = self.ask(py, "points", |scene| scene.inside(body.0, view))?;
        Ok(column(py, found.iter().copied()))
    }

    /// Whether surfaces with holes are refused ("refuse", the default), or answered without a guarantee ("accept").
    #[pyo3(signature = (holes: "Literal['refuse', 'accept']"))]
    fn set_holes(&self, py: Python<'_>, holes: &str) -> PyResult<()> {
        let all = [("refuse", Holes::Refuse), ("accept", Holes::Accept)].map(|(n, h)| (n.to_owned(), h));
        let holes = choose("holes", holes, all)?;
        Ok(self.with(py, |state| state.scene.set_holes(holes))?)
    }
}

/// Every body must be there: the layers of a removed one are empty, which is not an answer.
fn check(scene: &crumple::Scene, bodies: &[BodyId]) -> Result<(), crumple::Error> {
    bodies.iter().try_for_each(|&body| scene.mesh(body).map(drop))
}
