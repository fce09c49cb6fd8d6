//! Arrays in and out.
//!
//! In: float32 and float64 arrays of shape (n, 3) in C order are read where they lie; anything else that numpy can turn into
//! such an array without loss is turned first. Indices are taken as uint32 where they lie, other integers are checked.
//! Out: tables that own their memory, filled in one pass.

use crumple::Positions;
use numpy::{
    Element, PyArray1, PyArray2, PyArrayDyn, PyArrayMethods, PyReadonlyArrayDyn, PyUntypedArray,
    PyUntypedArrayMethods,
};
use pyo3::intern;
use pyo3::prelude::*;

use crate::errors::Error;

/// A table of numbers that owns its memory.
pub type Table<T> = Py<PyArray2<T>>;
/// A column of numbers that owns its memory.
pub type Column<T> = Py<PyArray1<T>>;

/// Rows from which on a table is filled without the interpreter's lock.
const MANY: usize = 1 << 16;

/// Points of a caller, read where they lie.
pub enum Points<'py> {
    /// Double precision.
    F64(PyReadonlyArrayDyn<'py, f64>),
    /// Single precision.
    F32(PyReadonlyArrayDyn<'py, f32>),
}

impl<'py> Points<'py> {
    /// Points out of what a caller handed over as `argument`.
    pub fn new(given: &Bound<'py, PyAny>, argument: &str) -> PyResult<Self> {
        if let Some(points) = Self::as_it_is(given)? {
            return points.shaped(argument);
        }
        let array = as_array(given, argument)?;
        let (kind, size) = kind_of(&array)?;
        let wanted = match (kind, size) {
            ('f', 4) => "float32",
            ('f', 2 | 8) | ('i' | 'u', _) => "float64",
            _ => {
                let dtype = array.getattr(intern!(given.py(), "dtype"))?;
                return Err(refuse(argument, format!("float32 or float64 is wanted, not {dtype}")));
            }
        };
        let numpy = given.py().import(intern!(given.py(), "numpy"))?;
        let array = numpy.call_method1(intern!(given.py(), "require"), (array, wanted, "CA"))?;
        match Self::as_it_is(&array)? {
            Some(points) => points.shaped(argument),
            None => Err(refuse(argument, "cannot be made an array of floats in C order")),
        }
    }

    /// The array itself, where it is one that can be read in place.
    fn as_it_is(given: &Bound<'py, PyAny>) -> PyResult<Option<Self>> {
        if let Ok(array) = given.cast::<PyArrayDyn<f64>>() {
            return Ok(in_place(array)?.map(Self::F64));
        }
        if let Ok(array) = given.cast::<PyArrayDyn<f32>>() {
            return Ok(in_place(array)?.map(Self::F32));
        }
        Ok(None)
    }

    fn shaped(self, argument: &str) -> PyResult<Self> {
        let shape = match &self {
            Self::F64(a) => a.shape(),
            Self::F32(a) => a.shape(),
        };
        match shape {
            [_, 3] => Ok(self),
            _ => Err(refuse(argument, format!("the shape (n, 3) is wanted, not {}", shown(shape)))),
        }
    }

    /// As the engine takes them.
    pub fn view(&self) -> Positions<'_> {
        match self {
            Self::F64(a) => Positions::F64(a.as_slice().expect("in C order").as_chunks().0),
            Self::F32(a) => Positions::F32(a.as_slice().expect("in C order").as_chunks().0),
        }
    }

    /// In double precision, as memory of our own.
    pub fn to_vec(&self) -> Vec<[f64; 3]> {
        match self.view() {
            Positions::F64(p) => p.to_vec(),
            Positions::F32(p) => p.iter().map(|x| x.map(f64::from)).collect(),
        }
    }

    /// Where the engine reads.
    pub fn address(&self) -> usize {
        match self.view() {
            Positions::F64(p) => p.as_ptr().addr(),
            Positions::F32(p) => p.as_ptr().addr(),
        }
    }
}

/// An array that is in C order and aligned, borrowed.
fn in_place<'py, T: Element>(
    array: &Bound<'py, PyArrayDyn<T>>,
) -> PyResult<Option<PyReadonlyArrayDyn<'py, T>>> {
    let is_aligned = array.data().is_aligned();
    if !array.is_c_contiguous() || !is_aligned {
        return Ok(None);
    }
    array.try_readonly().map(Some).map_err(|e| Error::new_err(e.to_string()))
}

/// A finite point of a caller.
pub fn point(given: &Bound<'_, PyAny>, argument: &str) -> PyResult<[f64; 3]> {
    let wrong = || refuse(argument, "three numbers are wanted");
    let numbers: Vec<f64> = given.extract().map_err(|_| wrong())?;
    let point: [f64; 3] = numbers.try_into().map_err(|_| wrong())?;
    if point.iter().all(|x| x.is_finite()) {
        Ok(point)
    } else {
        Err(refuse(argument, format!("{point:?} is not finite")))
    }
}

/// A list of numbers as `f64`.
pub fn numbers(given: &Bound<'_, PyAny>, argument: &str) -> PyResult<Vec<f64>> {
    let py = given.py();
    let array = as_array(given, argument)?;
    let shape = array.shape().to_vec();
    if shape.len() != 1 {
        return Err(refuse(argument, format!("a list is wanted, not the shape {}", shown(&shape))));
    }
    if !matches!(kind_of(&array)?.0, 'f' | 'i' | 'u') {
        let dtype = array.getattr(intern!(py, "dtype"))?;
        return Err(refuse(argument, format!("numbers are wanted, not {dtype}")));
    }
    let array =
        py.import(intern!(py, "numpy"))?.call_method1(intern!(py, "require"), (array, "float64", "CA"))?;
    let array = array.cast::<PyArrayDyn<f64>>()?;
    Ok(in_place(array)?.and_then(|a| a.as_slice().map(<[f64]>::to_vec).ok()).unwrap_or_default())
}

/// Corners of elements, `N` each; `element` names one of them in messages.
pub fn corners<const N: usize>(
    given: &Bound<'_, PyAny>,
    argument: &str,
    element: &str,
) -> PyResult<Vec<[u32; N]>> {
    let (flat, shape) = integers(given, argument, element)?;
    match shape[..] {
        [_, n] if n == N => Ok(flat.as_chunks().0.to_vec()),
        [0] => Ok(Vec::new()),
        _ => Err(refuse(argument, format!("the shape (m, {N}) is wanted, not {}", shown(&shape)))),
    }
}

/// A list of ids or keys.
pub fn ids(given: &Bound<'_, PyAny>, argument: &str) -> PyResult<Vec<u32>> {
    let (flat, shape) = integers(given, argument, "entry")?;
    match shape[..] {
        [_] => Ok(flat),
        _ => Err(refuse(argument, format!("a list is wanted, not the shape {}", shown(&shape)))),
    }
}

/// Integers of any width and shape as `u32`; the first that is none is named by its row.
pub fn integers(given: &Bound<'_, PyAny>, argument: &str, element: &str) -> PyResult<(Vec<u32>, Vec<usize>)> {
    let py = given.py();
    let array = as_array(given, argument)?;
    let shape = array.shape().to_vec();
    if array.len() == 0 {
        return Ok((Vec::new(), shape));
    }
    let (kind, size) = kind_of(&array)?;
    if !matches!(kind, 'i' | 'u') {
        let dtype = array.getattr(intern!(py, "dtype"))?;
        return Err(refuse(argument, format!("integers are wanted, not {dtype}")));
    }
    let wanted = match (kind, size) {
        ('u', 4) => "uint32",
        ('u', 8) => "uint64",
        _ => "int64",
    };
    let array =
        py.import(intern!(py, "numpy"))?.call_method1(intern!(py, "require"), (array, wanted, "CA"))?;
    let width = shape.last().copied().unwrap_or(1).max(1);
    let wrong = |at: usize, value: String| {
        let row = if shape.len() > 1 { at / width } else { at };
        refuse(argument, format!("{element} {row} has the index {value}, which is no number of 32 bits"))
    };
    let flat = if let Ok(array) = array.cast::<PyArrayDyn<u32>>() {
        in_place(array)?.and_then(|a| a.as_slice().map(<[u32]>::to_vec).ok())
    } else if let Ok(array) = array.cast::<PyArrayDyn<u64>>() {
        narrowed(array, &wrong)?
    } else if let Ok(array) = array.cast::<PyArrayDyn<i64>>() {
        narrowed(array, &wrong)?
    } else {
        None
    };
    Ok((flat.ok_or_else(|| refuse(argument, "cannot be made an array of integers in C order"))?, shape))
}

fn narrowed<T: Element + Copy + TryInto<u32> + std::fmt::Display>(
    array: &Bound<'_, PyArrayDyn<T>>,
    wrong: &dyn Fn(usize, String) -> PyErr,
) -> PyResult<Option<Vec<u32>>> {
    let Some(array) = in_place(array)? else { return Ok(None) };
    let Ok(slice) = array.as_slice() else { return Ok(None) };
    let narrow = |(at, &value): (usize, &T)| value.try_into().map_err(|_| wrong(at, value.to_string()));
    slice.iter().enumerate().map(narrow).collect::<PyResult<_>>().map(Some)
}

fn as_array<'py>(given: &Bound<'py, PyAny>, argument: &str) -> PyResult<Bound<'py, PyUntypedArray>> {
    let py = given.py();
    if let Ok(array) = given.cast::<PyUntypedArray>() {
        return Ok(array.clone());
    }
    let made = py.import(intern!(py, "numpy"))?.call_method1(intern!(py, "asarray"), (given,));
    let made = made.map_err(|e| refuse(argument, format!("cannot be made an array: {}", e.value(py))))?;
    made.cast_into::<PyUntypedArray>().map_err(|_| refuse(argument, "cannot be made an array"))
}

/// Kind and item size of an array's type, as numpy names them.
fn kind_of(array: &Bound<'_, PyUntypedArray>) -> PyResult<(char, usize)> {
    let dtype = array.getattr(intern!(array.py(), "dtype"))?;
    let kind = dtype.getattr(intern!(array.py(), "kind"))?.extract()?;
    Ok((kind, dtype.getattr(intern!(array.py(), "itemsize"))?.extract()?))
}

/// The error that names an argument.
pub fn refuse(argument: &str, what: impl std::fmt::Display) -> PyErr {
    Error::new_err(format!("{argument}: {what}"))
}

/// A shape as Python writes it.
fn shown(shape: &[usize]) -> String {
    match shape {
        [n] => format!("({n},)"),
        _ => format!("({})", shape.iter().map(usize::to_string).collect::<Vec<_>>().join(", ")),
    }
}

/// A table of `N` columns that owns its memory, filled in one pass.
pub fn table<T: Element + Copy + Send, R: Sync, const N: usize>(
    py: Python<'_>,
    rows: &[R],
    row: impl Fn(&R) -> [T; N] + Sync,
) -> Table<T> {
    let array = PyArray2::<T>::zeros(py, [rows.len(), N], false);
    {
        let mut memory = array.readwrite();
        let memory = memory.as_slice_mut().expect("new, in C order").as_chunks_mut::<N>().0;
        let mut fill = || memory.iter_mut().zip(rows).for_each(|(to, from)| *to = row(from));
        if rows.len() >= MANY {
            py.detach(fill)
        } else {
            fill()
        };
    }
    array.unbind()
}

/// Two lists as one table, one after the other.
pub fn stacked<T: Element + Copy + Send, A: Sync, B: Sync, const N: usize>(
    py: Python<'_>,
    (first, first_row): (&[A], impl Fn(&A) -> [T; N] + Sync),
    (second, second_row): (&[B], impl Fn(&B) -> [T; N] + Sync),
) -> Table<T> {
    let array = PyArray2::<T>::zeros(py, [first.len() + second.len(), N], false);
    {
        let mut memory = array.readwrite();
        let memory = memory.as_slice_mut().expect("new, in C order").as_chunks_mut::<N>().0;
        let (upper, lower) = memory.split_at_mut(first.len());
        let mut fill = || {
            upper.iter_mut().zip(first).for_each(|(to, from)| *to = first_row(from));
            lower.iter_mut().zip(second).for_each(|(to, from)| *to = second_row(from));
        };
        if first.len() + second.len() >= MANY {
            py.detach(fill)
        } else {
            fill()
        };
    }
    array.unbind()
}

/// A column that owns its memory.
pub fn column<T: Element + Copy>(py: Python<'_>, values: impl ExactSizeIterator<Item = T>) -> Column<T> {
    let array = PyArray1::<T>::zeros(py, [values.len()], false);
    {
        let mut memory = array.readwrite();
        let memory = memory.as_slice_mut().expect("new, in C order");
        memory.iter_mut().zip(values).for_each(|(to, from)| *to = from);
    }
    array.unbind()
}

/// Points that own their memory.
pub fn points(py: Python<'_>, points: &[[f64; 3]]) -> Table<f64> {
    table(py, points, |p| *p)
}
