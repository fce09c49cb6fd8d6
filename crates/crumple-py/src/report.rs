//! Interactive reports: one page that opens in any browser.

use std::path::PathBuf;
use std::sync::Mutex;

use crumple_report::{FrameLabel, Options, Recorder};
use pyo3::prelude::*;

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

fn written() -> PyErr {
    Error::new_err("this report is written; start another one")
}

#[pymethods]
impl Report {
    /// `frames` says how many there will be, where that is known: a long sequence then keeps the positions of some only.
    #[new]
    #[pyo3(signature = (title, *, up: "Axis"="y", frames=1))]
    fn new(title: String, up: &str, frames: usize) -> PyResult<Self> {
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
    fn note(&self, text: &str) -> PyResult<()> {
        let mut state = self.state.lock().map_err(|_| PyErr::from(Fault::Broken))?;
        state.recorder.as_mut().ok_or_else(written)?.note(text);
        Ok(())
    }

    /// Writes the page, an .html file; nothing can be recorded afterwards.
    fn save(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        let recorder = self.state.lock().map_err(|_| PyErr::from(Fault::Broken))?.recorder.take();
        let recorder = recorder.ok_or_else(written)?;
        py.detach(|| catch(|| recorder.finish().save(&path)))?.named("")
    }

    fn __len__(&self) -> PyResult<usize> {
        Ok(self.state.lock().map_err(|_| PyErr::from(Fault::Broken))?.frames)
    }

    fn __repr__(&self) -> PyResult<String> {
        let state = self.state.lock().map_err(|_| PyErr::from(Fault::Broken))?;
        let told =
            if state.recorder.is_some() { format!("{} frames", state.frames) } else { "written".to_owned() };
        Ok(format!("Report('{}', {told})", self.title))
    }
}
