//! Ids as arguments: what is no id is an error that names the argument.

use crumple::BodyId;
use pyo3::exceptions::{PyOverflowError, PyTypeError};
use pyo3::prelude::*;

use crate::errors::{BodyError, Error};

fn number(given: Borrowed<'_, '_, PyAny>, argument: &str, raise: fn(String) -> PyErr) -> PyResult<u32> {
    match given.extract::<i64>() {
        Ok(value) => {
            u32::try_from(value).map_err(|_| raise(format!("{argument}: {value} is no number of 32 bits")))
        }
        Err(error) if error.is_instance_of::<PyOverflowError>(given.py()) => {
            Err(raise(format!("{argument}: {} is no number of 32 bits", *given)))
        }
        Err(_) => {
            Err(PyTypeError::new_err(format!("{argument}: an integer is wanted, not {}", given.get_type())))
        }
    }
}

/// The id of a body.
#[derive(Clone, Copy)]
pub struct Body(pub BodyId);

impl<'py> FromPyObject<'_, 'py> for Body {
    type Error = PyErr;

    fn extract(given: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        number(given, "body", BodyError::new_err::<String>).map(|id| Self(BodyId(id)))
    }
}

/// The number of a vertex.
#[derive(Clone, Copy)]
pub struct Vertex(pub crumple::VertexId);

impl<'py> FromPyObject<'_, 'py> for Vertex {
    type Error = PyErr;

    fn extract(given: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        number(given, "vertex", Error::new_err::<String>).map(|id| Self(crumple::VertexId(id)))
    }
}

/// The key of an element.
#[derive(Clone, Copy)]
pub struct Key(pub u32);

impl<'py> FromPyObject<'_, 'py> for Key {
    type Error = PyErr;

    fn extract(given: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        number(given, "key", Error::new_err::<String>).map(Self)
    }
}
