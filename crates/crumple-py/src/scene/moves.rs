//! Positions, frame after frame.

use crumple::{BodyId, Frame, Positions};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyTuple};

use super::Scene;
use crate::arrays::{Points, Table, points, refuse};
use crate::errors::BodyError;
use crate::ids::Body;

/// Positions for some bodies; the others stay where they are.
pub struct Next<'py>(Vec<(BodyId, Points<'py>)>);

impl<'py> Next<'py> {
    /// A dict from bodies to positions; a list with one entry for each body that is there, None for one that stays; or the
    /// positions of the only body that is not fixed.
    pub fn new(scene: &Scene, given: &Bound<'py, PyAny>) -> PyResult<Self> {
        let py = given.py();
        if let Ok(dict) = given.cast::<PyDict>() {
            let entry = |(body, positions): (Bound<'py, PyAny>, Bound<'py, PyAny>)| {
                let body: Body = body.extract()?;
                Ok((body.0, Points::new(&positions, &format!("positions of body {}", body.0))?))
            };
            return dict.iter().map(entry).collect::<PyResult<_>>().map(Self);
        }
        let (ids, moving) = scene.with(py, |state| {
            let ids: Vec<BodyId> = state.scene.ids().collect();
            let is_moving = |id: &BodyId| !state.scene.is_fixed(*id).unwrap_or(true);
            let moving: Vec<BodyId> = ids.iter().copied().filter(is_moving).collect();
            (ids, moving)
        })?;
        if let Some(list) = per_body(given)? {
            if list.len() != ids.len() {
                let what = format!("{} entries were given for {} bodies", list.len(), ids.len());
                return Err(refuse("positions", what));
            }
            let entries = ids.into_iter().zip(list).filter(|(_, p)| !p.is_none());
            let entry = |(id, p): (BodyId, Bound<'py, PyAny>)| {
                Ok((id, Points::new(&p, &format!("positions of body {id}"))?))
            };
            return entries.map(entry).collect::<PyResult<_>>().map(Self);
        }
        match moving[..] {
            [body] => Ok(Self(vec![(body, Points::new(given, "positions")?)])),
            _ => Err(refuse(
                "positions",
                format!("{} bodies can move: give a dict from bodies to positions", moving.len()),
            )),
        }
    }

    /// The positions that were given, by body.
    pub fn views(&self) -> Vec<(BodyId, Positions<'_>)> {
        self.0.iter().map(|(body, points)| (*body, points.view())).collect()
    }
}

/// The entries of a list of positions; nothing where it is one body's positions as nested lists.
fn per_body<'py>(given: &Bound<'py, PyAny>) -> PyResult<Option<Vec<Bound<'py, PyAny>>>> {
    let entries: Vec<Bound<'py, PyAny>> = match (given.cast::<PyList>(), given.cast::<PyTuple>()) {
        (Ok(list), _) => list.iter().collect(),
        (_, Ok(tuple)) => tuple.iter().collect(),
        _ => return Ok(None),
    };
    // A row of three numbers is a point; a body's positions are a list of rows.
    let is_point = |entry: &Bound<'py, PyAny>| entry.extract::<Vec<f64>>().is_ok_and(|row| !row.is_empty());
    Ok(if entries.first().is_some_and(is_point) { None } else { Some(entries) })
}

/// A whole frame out of the positions of some bodies and of the scene as it is.
pub fn with_frame<T>(
    scene: &mut crumple::Scene,
    next: &[(BodyId, Positions<'_>)],
    work: impl FnOnce(&mut crumple::Scene, Frame<'_>) -> Result<T, crumple::Error>,
) -> Result<T, crumple::Error> {
    let still: Vec<Vec<[f64; 3]>> = scene
        .current_frame()
        .iter()
        .enumerate()
        .map(|(body, p)| {
            let is_given = next.iter().any(|(id, _)| id.index() == body);
            if is_given { Vec::new() } else { (0..p.len()).map(|v| p.get(v)).collect() }
        })
        .collect();
    let mut frame: Vec<Positions<'_>> = still.iter().map(Positions::from).collect();
    for &(body, positions) in next {
        scene.mesh(body)?;
        frame[body.index()] = positions;
    }
    work(scene, Frame::new(&frame))
}

#[pymethods]
impl Scene {
    /// Moves one body: float32 or float64, (n, 3). An array in C order is read where it lies.
    #[pyo3(signature = (body, positions: "ArrayLike"))]
    fn set_positions(&self, py: Python<'_>, body: Body, positions: &Bound<'_, PyAny>) -> PyResult<()> {
        let given = Points::new(positions, "positions")?;
        let view = given.view();
        self.change(py, "positions", |scene| scene.set_positions(body.0, view))
    }

    /// Puts one body elsewhere and returns where it was. Not a motion: `impacts` takes it to have been there all along.
    #[pyo3(signature = (body, positions: "ArrayLike"))]
    fn swap_positions(
        &self,
        py: Python<'_>,
        body: Body,
        positions: &Bound<'_, PyAny>,
    ) -> PyResult<Table<f64>> {
        let mut own = Points::new(positions, "positions")?.to_vec();
        let before = self.change(py, "positions", |scene| {
            scene.swap_positions(body.0, &mut own)?;
            Ok::<_, crumple::Error>(own)
        })?;
        Ok(points(py, &before))
    }

    /// Moves several bodies at once, or none if one of them cannot be: a dict from bodies to positions, or a list with one
    /// entry for each body that is there (None: it stays).
    #[pyo3(signature = (positions: "Positions"))]
    fn set_all_positions(&self, py: Python<'_>, positions: &Bound<'_, PyAny>) -> PyResult<()> {
        let next = Next::new(self, positions)?;
        let views = next.views();
        self.change(py, "positions", |scene| {
            with_frame(scene, &views, |scene, frame| frame.check(scene.bodies()).map_err(Into::into))?;
            views.iter().try_for_each(|&(body, positions)| scene.set_positions(body, positions))
        })
    }

    /// Where all bodies are: a dict from bodies to (n, 3) float64, copies.
    #[pyo3(signature = () -> "dict[int, F64]")]
    fn current_frame<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let found = self.ask(py, "", |scene| {
            let of = |id: BodyId| Ok((id, scene.positions(id)?.to_vec()));
            scene.ids().map(of).collect::<Result<Vec<_>, crumple::Error>>()
        })?;
        let dict = PyDict::new(py);
        for (id, positions) in found {
            dict.set_item(id.0, points(py, &positions))?;
        }
        Ok(dict)
    }

    /// Begins a step here: the next motions lead away from where the bodies are now. Asking a question does it too.
    fn begin_step(&self, py: Python<'_>) -> PyResult<()> {
        Ok(self.with(py, |state| state.scene.begin_step())?)
    }
}

/// The error for a body that is not there.
pub fn no_body(body: BodyId) -> PyErr {
    BodyError::new_err(format!("body: there is no body {body}"))
}
