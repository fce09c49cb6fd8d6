//! Interactive reports: one page that opens in any browser.

use std::path::PathBuf;
use std::sync::Mutex;

use crumple_report::{FrameLabel, Options, Recorder};
use pyo3::prelude::*;

use crate::counts;
use crate::errors::{Error, Fault, Named, catch};
use crate::picture::upright;
use crate::scene::Scene;

/// Follows a scene from frame to frame, and writes what collides as one page that needs no network: bodies to look around
/// in, a time line, the worst frames and places first.
///
/// >>> import crumple, tempfile, pathlib
/// >>> scene = crumple.Scene()
/// >>> low = scene.add([[0, 0, 0], [4, 0, 0], [0, 4, 0]], [[0, 1, 2]], name="low")
/// >>> high = scene.add([[1, 1, -1], [1, 1, 1], [3, 3, 1]], [[0, 1, 2]], name="high")
/// >>> report = crumple.Report("two triangles")
/// >>> report.frame(scene)
/// >>> report.save(pathlib.Path(tempfile.mkdtemp()) / "report.html")
/// >>> report
/// Report('two triangles', written)
#[pyclass(frozen, module = "crumple")]
pub struct Report {
    title: String,
    state: Mutex<State>,
}

struct State {
    /// Gone once the page is written.
    recorder: Option<Recorder>,
    /// The bodies of the first frame, which all frames must have.
    meshes: Vec<crumple::Mesh>,
    frames: usize,
}

impl Report {
    /// Does some work on it. The lock is only ever waited for without the interpreter's.
    fn with<T: Send>(&self, py: Python<'_>, work: impl FnOnce(&mut State) -> T + Send) -> Result<T, Fault> {
        py.detach(|| catch(|| Ok(work(&mut *self.state.lock().map_err(|_| Fault::Broken)?)))?)
    }
}

fn written() -> PyErr {
    Error::new_err("this report is written; start another one")
}

#[pymethods]
impl Report {
    /// `frames` says how many there will be, where that is known: a long sequence then keeps the positions of some only.
    #[new]
    #[pyo3(signature = (title, *, up: "Axis"="y", frames=1))]
    fn new(title: String, up: &str, #[pyo3(from_py_with = counts::frames)] frames: usize) -> PyResult<Self> {
        let mut options = Options::new(title.clone());
        options.up = upright(up)?;
        options.frames = frames.max(1);
        let state = State { recorder: Some(Recorder::new(options)), meshes: Vec::new(), frames: 0 };
        Ok(Self { title, state: Mutex::new(state) })
    }

    /// Records the frame that a scene is in. All frames must have the bodies of the first; `name` is that of a file.
    #[pyo3(signature = (scene, name=None))]
    fn frame(&self, py: Python<'_>, scene: &Scene, name: Option<String>) -> PyResult<()> {
        scene.with(py, |asked| {
            let mut state = self.state.lock().map_err(|_| PyErr::from(Fault::Broken))?;
            let State { recorder, meshes, frames } = &mut *state;
            let recorder = recorder.as_mut().ok_or_else(written)?;
            let bodies = asked.scene.bodies().meshes().to_vec();
            if asked.scene.ids().count() != bodies.len() {
                return Err(Error::new_err(
                    "scene: a body was removed from it; a report needs all bodies from first to last",
                ));
            }
            let is_same =
                meshes.len() == bodies.len() && meshes.iter().zip(&bodies).all(|(a, b)| a.is_same(b));
            if *frames > 0 && !is_same {
                return Err(Error::new_err(
                    "scene: all frames of a report must have the bodies of the first",
                ));
            }
            let label = FrameLabel { number: *frames, name };
            recorder.frame(&mut asked.scene, &label).named("scene")?;
            (*meshes, *frames) = (bodies, *frames + 1);
            Ok(())
        })?
    }

    /// A sentence for the notes of the page.
    fn note(&self, py: Python<'_>, text: &str) -> PyResult<()> {
        let noted = self.with(py, |state| state.recorder.as_mut().map(|recorder| recorder.note(text)))?;
        noted.ok_or_else(written)
    }

    /// Writes the page, an .html file; nothing can be recorded afterwards.
    fn save(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        let recorder = self.with(py, |state| state.recorder.take())?.ok_or_else(written)?;
        py.detach(|| catch(|| recorder.finish().save(&path)))?.named("")
    }

    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        Ok(self.with(py, |state| state.frames)?)
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let frames = self.with(py, |state| state.recorder.is_some().then_some(state.frames))?;
        let told = frames.map_or("written".to_owned(), |frames| format!("{frames} frames"));
        Ok(format!("Report('{}', {told})", self.title))
    }
}
