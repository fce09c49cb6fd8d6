//! What goes wrong, as Python sees it: one family of `ValueError`s, and no panic.

use std::panic::{AssertUnwindSafe, catch_unwind};

use pyo3::create_exception;
use pyo3::exceptions::{PyOSError, PyRuntimeError, PyValueError};
use pyo3::prelude::*;

create_exception!(
    crumple,
    Error,
    PyValueError,
    "Something in the input cannot be used; the message says what and where."
);
create_exception!(
    crumple,
    MeshError,
    Error,
    "Elements that do not fit their vertices, or an edit that a mesh does not allow."
);
create_exception!(
    crumple,
    FrameError,
    Error,
    "Positions that do not fit their body: too few, too many, or not finite."
);
create_exception!(crumple, BodyError, Error, "There is no such body (any more).");
create_exception!(
    crumple,
    OpenError,
    Error,
    "The surface has a hole or only one side, so that it has no inside."
);
create_exception!(
    crumple,
    FileError,
    Error,
    "A file that cannot be read or written; the message names the line or byte."
);
create_exception!(
    crumple,
    InternalError,
    PyRuntimeError,
    "A bug in Crumple. The scene that was asked cannot be used any more."
);

/// Adds the exceptions to the module.
pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = module.py();
    module.add("Error", py.get_type::<Error>())?;
    module.add("MeshError", py.get_type::<MeshError>())?;
    module.add("FrameError", py.get_type::<FrameError>())?;
    module.add("BodyError", py.get_type::<BodyError>())?;
    module.add("OpenError", py.get_type::<OpenError>())?;
    module.add("FileError", py.get_type::<FileError>())?;
    module.add("InternalError", py.get_type::<InternalError>())
}

/// Why the engine did not answer.
pub enum Fault {
    /// A panic, with its message.
    Panic(String),
    /// A panic of an earlier call left the scene unusable.
    Broken,
}

impl From<Fault> for PyErr {
    fn from(fault: Fault) -> Self {
        match fault {
            Fault::Panic(message) => InternalError::new_err(format!("the engine failed: {message}")),
            Fault::Broken => {
                InternalError::new_err("an earlier call failed inside the engine; make a new scene")
            }
        }
    }
}

/// Anything that the engine reports, as an exception. `argument` names what the caller handed over; empty for none.
pub trait Named<T> {
    /// The result, or the exception that names the argument.
    fn named(self, argument: &str) -> PyResult<T>;
}

impl<T, E: Into<Report>> Named<T> for Result<T, E> {
    fn named(self, argument: &str) -> PyResult<T> {
        self.map_err(|error| error.into().exception(argument))
    }
}

/// An error of the engine or of a reader, whatever its type.
pub struct Report(Box<dyn Fn(String) -> PyErr>, String);

impl Report {
    fn new(error: &impl std::fmt::Display, raise: fn(String) -> PyErr) -> Self {
        Self(Box::new(raise), error.to_string())
    }

    fn exception(self, argument: &str) -> PyErr {
        let Self(raise, text) = self;
        raise(if argument.is_empty() { text } else { format!("{argument}: {text}") })
    }
}

impl From<crumple::Error> for Report {
    fn from(error: crumple::Error) -> Self {
        use crumple::Error as E;
        let raise: fn(String) -> PyErr = match &error {
            E::Frame(_) => FrameError::new_err::<String>,
            E::Mesh(_) | E::NoTriangle { .. } => MeshError::new_err::<String>,
            E::NoBody { .. } => BodyError::new_err::<String>,
            E::Open { .. } | E::OneSided { .. } => OpenError::new_err::<String>,
            _ => Error::new_err::<String>,
        };
        Self::new(&error, raise)
    }
}

impl From<crumple::MeshError> for Report {
    fn from(error: crumple::MeshError) -> Self {
        crumple::Error::from(error).into()
    }
}

impl From<crumple::ParamError> for Report {
    fn from(error: crumple::ParamError) -> Self {
        crumple::Error::from(error).into()
    }
}

impl From<crumple::cut::CutError> for Report {
    fn from(error: crumple::cut::CutError) -> Self {
        crumple::Error::from(error).into()
    }
}

impl From<crumple_io::ReadError> for Report {
    fn from(error: crumple_io::ReadError) -> Self {
        match &error {
            crumple_io::ReadError::Io { source, .. } => Self::of_system(&error, source.kind()),
            _ => Self::new(&error, FileError::new_err::<String>),
        }
    }
}

impl From<crumple_io::WriteError> for Report {
    fn from(error: crumple_io::WriteError) -> Self {
        match &error {
            crumple_io::WriteError::Io { source, .. }
                if source.kind() == std::io::ErrorKind::InvalidInput =>
            {
                Self::new(&error, FileError::new_err::<String>)
            }
            crumple_io::WriteError::Io { source, .. } => Self::of_system(&error, source.kind()),
            _ => Self::new(&error, FileError::new_err::<String>),
        }
    }
}

impl Report {
    /// `FileNotFoundError` and its kin, which Python programs expect.
    fn of_system(error: &impl std::fmt::Display, kind: std::io::ErrorKind) -> Self {
        let raise = move |text: String| match kind {
            std::io::ErrorKind::Other => PyOSError::new_err(text),
            kind => std::io::Error::new(kind, text).into(),
        };
        Self(Box::new(raise), error.to_string())
    }
}

/// Runs work that may panic: a bug of ours is an exception too, not the end of the interpreter.
pub fn catch<T>(work: impl FnOnce() -> T) -> Result<T, Fault> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|payload| {
        let text = payload.downcast_ref::<&str>().map(ToString::to_string);
        Fault::Panic(text.or_else(|| payload.downcast_ref::<String>().cloned()).unwrap_or_default())
    })
}

/// Runs work of the engine without the interpreter's lock.
pub fn detached<T: Send, E: Into<Report> + Send>(
    py: Python<'_>,
    argument: &str,
    work: impl FnOnce() -> Result<T, E> + Send,
) -> PyResult<T> {
    py.detach(|| catch(work))?.named(argument)
}
