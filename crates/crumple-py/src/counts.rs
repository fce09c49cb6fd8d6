//! Counts as arguments: what is none is an error that names the argument.

use pyo3::exceptions::{PyOverflowError, PyTypeError};
use pyo3::prelude::*;

use crate::arrays::refuse;

/// What an argument counts, or the error that names it.
pub trait Count: Sized {
    /// Out of what a caller handed over as `argument`.
    fn count(given: &Bound<'_, PyAny>, argument: &str) -> PyResult<Self>;
}

fn whole<T: TryFrom<i128>>(given: &Bound<'_, PyAny>, argument: &str) -> PyResult<T> {
    let wrong = || refuse(argument, format!("{given} is no number of {} bits", 8 * size_of::<T>()));
    match given.extract::<i128>() {
        Ok(value) => T::try_from(value).map_err(|_| wrong()),
        Err(error) if error.is_instance_of::<PyOverflowError>(given.py()) => Err(wrong()),
        Err(_) => {
            Err(PyTypeError::new_err(format!("{argument}: an integer is wanted, not {}", given.get_type())))
        }
    }
}

impl Count for u32 {
    fn count(given: &Bound<'_, PyAny>, argument: &str) -> PyResult<Self> {
        whole(given, argument)
    }
}

impl Count for u64 {
    fn count(given: &Bound<'_, PyAny>, argument: &str) -> PyResult<Self> {
        whole(given, argument)
    }
}

impl Count for usize {
    fn count(given: &Bound<'_, PyAny>, argument: &str) -> PyResult<Self> {
        whole(given, argument)
    }
}

impl<T: Count> Count for Option<T> {
    fn count(given: &Bound<'_, PyAny>, argument: &str) -> PyResult<Self> {
        if given.is_none() { Ok(None) } else { T::count(given, argument).map(Some) }
    }
}

impl<T: Count> Count for (T, T) {
    fn count(given: &Bound<'_, PyAny>, argument: &str) -> PyResult<Self> {
        let pair: Vec<Bound<'_, PyAny>> = given
            .extract()
            .map_err(|_| PyTypeError::new_err(format!("{argument}: two integers are wanted, not {given}")))?;
        match &pair[..] {
            [a, b] => Ok((T::count(a, argument)?, T::count(b, argument)?)),
            _ => Err(refuse(argument, format!("two integers are wanted, not {}", pair.len()))),
        }
    }
}

/// A function for each argument, named like it: for `#[pyo3(from_py_with = …)]`.
macro_rules! arguments {
    ($($name:ident)*) => {
        $(
            #[doc = concat!("The argument `", stringify!($name), "`.")]
            pub fn $name<T: Count>(given: &Bound<'_, PyAny>) -> PyResult<T> {
                T::count(given, stringify!($name))
            }
        )*
    };
}

arguments!(frames groups mask member most resolution rounds size threads visits);
