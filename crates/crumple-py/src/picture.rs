//! Pictures of scenes and meshes, drawn without a window.

use crumple::{BodyId, Drawing, Tone};
use crumple_io::picture::{
    Boxes, Color, ColorMap, Image, Legend, Lines, Points, Surface, Theme, View, palette,
};
use numpy::{PyArray3, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::arrays::{point, refuse};
use crate::counts;
use crate::errors::detached;
use crate::mesh::Mesh;
use crate::scene::Scene;

/// A picture: shows itself in notebooks, is an array of shape (height, width, 3) uint8, and writes itself as PNG.
#[pyclass(frozen, module = "crumple")]
pub struct Picture {
    image: Image,
}

#[pymethods]
impl Picture {
    /// Pixels in a row.
    #[getter]
    fn width(&self) -> u32 {
        self.image.width()
    }

    /// Rows.
    #[getter]
    fn height(&self) -> u32 {
        self.image.height()
    }

    /// The bytes of a PNG file.
    fn png<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &py.detach(|| self.image.to_png()))
    }

    /// Writes a PNG file.
    fn save(&self, py: Python<'_>, path: std::path::PathBuf) -> PyResult<()> {
        if !path.extension().is_some_and(|e| e.eq_ignore_ascii_case("png")) {
            return Err(refuse("path", format!("{} does not end in .png", path.display())));
        }
        let saved = py.detach(|| self.image.save(&path));
        saved.map_err(|e| std::io::Error::new(e.kind(), format!("{}: {e}", path.display())).into())
    }

    /// The pixels, (height, width, 3) uint8.
    fn pixels(&self, py: Python<'_>) -> PyResult<Py<PyArray3<u8>>> {
        let (height, width) = (self.image.height() as usize, self.image.width() as usize);
        let array = PyArray3::<u8>::zeros(py, [height, width, 3], false);
        array.readwrite().as_slice_mut()?.copy_from_slice(self.image.pixels());
        Ok(array.unbind())
    }

    #[pyo3(signature = (dtype: "Any"=None, copy=None) -> "NDArray[Any]")]
    fn __array__<'py>(
        &self,
        py: Python<'py>,
        dtype: Option<&Bound<'py, PyAny>>,
        copy: Option<bool>,
    ) -> PyResult<Bound<'py, PyAny>> {
        if copy == Some(false) {
            return Err(refuse("copy", "the pixels of a picture are always a copy"));
        }
        let pixels = self.pixels(py)?.into_bound(py).into_any();
        match dtype {
            None => Ok(pixels),
            Some(dtype) => pixels.call_method1("astype", (dtype,)),
        }
    }

    fn _repr_png_<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        self.png(py)
    }

    fn __repr__(&self) -> String {
        format!("Picture({} x {})", self.image.width(), self.image.height())
    }
}

/// How a picture is taken.
struct Look {
    size: (u32, u32),
    view: View,
    theme: Theme,
    caption: Option<String>,
}

impl Look {
    fn new(
        size: (u32, u32),
        up: &str,
        from: Option<&Bound<'_, PyAny>>,
        close_up: bool,
        dark: bool,
        caption: Option<String>,
    ) -> PyResult<Self> {
        let side = 1..=crumple_io::picture::Picture::MAX_SIDE;
        if !side.contains(&size.0) || !side.contains(&size.1) {
            return Err(refuse("size", format!("{size:?} is not between 1 and {} a side", side.end())));
        }
        let up = upright(up)?;
        let view = from
            .map_or(Ok(View::auto()), |from| Ok::<_, PyErr>(View::looking_from(point(from, "view_from")?)))?;
        let view = if close_up { view.up(up).close_up() } else { view.up(up) };
        Ok(Self { size, view, theme: if dark { Theme::Dark } else { Theme::Light }, caption })
    }

    fn canvas<'a>(&self) -> crumple_io::picture::Picture<'a> {
        crumple_io::picture::Picture::new(self.size.0, self.size.1).view(self.view).theme(self.theme)
    }
}

/// The direction that points up.
pub fn upright(up: &str) -> PyResult<[f64; 3]> {
    match up {
        "x" => Ok([1.0, 0.0, 0.0]),
        "y" => Ok([0.0, 1.0, 0.0]),
        "z" => Ok([0.0, 0.0, 1.0]),
        _ => Err(refuse("up", format!("{up:?} is none of \"x\", \"y\", \"z\""))),
    }
}

#[pymethods]
impl Scene {
    /// Draws the bodies, what collides highlighted, vertices inside tets as balls coloured by depth.
    ///
    /// `up` is "x", "y" or "z"; `view_from` a direction, or the side that shows most; `close_up` frames the contacts;
    /// `structure` draws what the method that finds contacts looks at, instead of what it finds.
    #[pyo3(signature = (size=(1200, 900), *, up: "Axis"="y", view_from: "ArrayLike | None"=None, close_up=false, dark=false, structure=false, caption=None))]
    #[allow(clippy::too_many_arguments)]
    fn picture(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = counts::size)] size: (u32, u32),
        up: &str,
        view_from: Option<&Bound<'_, PyAny>>,
        close_up: bool,
        dark: bool,
        structure: bool,
        caption: Option<String>,
    ) -> PyResult<Picture> {
        let look = Look::new(size, up, view_from, close_up, dark, caption)?;
        let image = self.ask(py, "", |scene| {
            if structure {
                let drawing = scene.draw()?;
                Ok::<_, crumple::Error>(draw_structure(&look, scene, &drawing))
            } else {
                draw_contacts(&look, scene)
            }
        })?;
        Ok(Picture { image })
    }
}

#[pymethods]
impl Mesh {
    /// Draws it, with some triangles highlighted.
    #[pyo3(signature = (size=(1200, 900), *, highlight: "ArrayLike | None"=None, up: "Axis"="y", view_from: "ArrayLike | None"=None, close_up=false, dark=false, caption=None))]
    #[allow(clippy::too_many_arguments)]
    fn picture(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = counts::size)] size: (u32, u32),
        highlight: Option<&Bound<'_, PyAny>>,
        up: &str,
        view_from: Option<&Bound<'_, PyAny>>,
        close_up: bool,
        dark: bool,
        caption: Option<String>,
    ) -> PyResult<Picture> {
        let look = Look::new(size, up, view_from, close_up, dark, caption)?;
        let hits = highlight.map_or(Ok(Vec::new()), |given| crate::arrays::ids(given, "highlight"))?;
        if let Some(wrong) = hits.iter().find(|t| **t as usize >= self.topology.triangles().len()) {
            return Err(refuse("highlight", format!("there is no triangle {wrong}")));
        }
        let image = detached(py, "", || {
            let picture = look.canvas().caption(look.caption.clone().unwrap_or_default());
            let triangles: &[[u32; 3]] = bytemuck::cast_slice(self.topology.triangles());
            let picture = if triangles.is_empty() {
                picture.points(Points::new(&self.positions).color(palette::body(0)))
            } else {
                picture.surface(
                    Surface::new(&self.positions, triangles).color(palette::body(0)).highlight(&hits),
                )
            };
            Ok::<_, crumple::Error>(picture.render())
        })?;
        Ok(Picture { image })
    }
}

fn draw_contacts(look: &Look, scene: &mut crumple::Scene) -> Result<Image, crumple::Error> {
    let (contacts, found) = (scene.contacts()?, scene.penetrations()?);
    let ids: Vec<BodyId> = scene.ids().collect();
    let hits: Vec<Vec<u32>> = ids
        .iter()
        .map(|&id| {
            let sides = contacts.iter().flat_map(|c| [c.a, c.b]);
            let mut hits: Vec<u32> = sides.filter(|t| t.body == id).map(|t| t.id.0).collect();
            hits.sort_unstable();
            hits.dedup();
            hits
        })
        .collect();
    let at = |p: &crumple::Penetration| Ok(scene.positions(p.vertex.body)?[p.vertex.id.index()]);
    let inside = found.iter().map(at).collect::<Result<Vec<[f64; 3]>, crumple::Error>>()?;
    let depths: Vec<f64> = found.iter().map(|p| p.depth).collect();
    let deepest = depths.iter().copied().fold(0.0, f64::max);
    let verdict =
        format!("{} intersecting triangle pairs, {} vertices in tets", contacts.len(), inside.len());
    let mut picture = look.canvas().caption(look.caption.clone().unwrap_or(verdict));
    let mut keys = Vec::new();
    for (k, &id) in ids.iter().enumerate() {
        let (mesh, positions) = (scene.mesh(id)?, scene.positions(id)?);
        let triangles: &[[u32; 3]] = bytemuck::cast_slice(mesh.triangles());
        let color = palette::body(k);
        if k < 6 {
            keys.push((color, mesh.name().to_owned()));
        }
        if triangles.is_empty() {
            picture = picture.points(Points::new(positions).color(color));
        } else {
            let surface = Surface::new(positions, triangles).color(color).highlight(&hits[k]);
            picture = picture.surface(if inside.is_empty() { surface } else { surface.opacity(0.35) });
        }
    }
    if !contacts.is_empty() {
        keys.push((palette::HIGHLIGHT, "colliding".to_owned()));
    }
    picture = picture.legend(Legend::keys(keys));
    if !inside.is_empty() {
        picture = picture
            .points(Points::new(&inside).values(&depths, ColorMap::Ember, 0.0, deepest))
            .legend(Legend::bar("depth of vertices inside tets", ColorMap::Ember, 0.0, deepest));
    }
    Ok(picture.render())
}

fn draw_structure(look: &Look, scene: &crumple::Scene, drawing: &Drawing) -> Image {
    let bodies = scene.bodies();
    let mut colors: Vec<Vec<Color>> = (bodies.meshes().iter().enumerate())
        .map(|(b, mesh)| vec![palette::body(b); mesh.triangles().len()])
        .collect();
    for &(triangle, tone) in &drawing.triangles {
        let (body, triangle) = bodies.locate_triangle(triangle);
        colors[body.index()][triangle.index()] = color(tone);
    }
    let boxes: Vec<[[f64; 3]; 2]> = drawing.boxes.iter().map(|b| [b.0, b.1]).collect();
    let box_colors: Vec<Color> = drawing.boxes.iter().map(|b| color(b.2)).collect();
    let lines: Vec<[[f64; 3]; 2]> = drawing.lines.iter().map(|l| [l.0, l.1]).collect();
    let line_colors: Vec<Color> = drawing.lines.iter().map(|l| color(l.2)).collect();
    let points: Vec<[f64; 3]> = drawing.points.iter().map(|p| p.0).collect();
    let point_colors: Vec<Color> = drawing.points.iter().map(|p| color(p.1)).collect();
    let opacity = if boxes.is_empty() && lines.is_empty() { 1.0 } else { 0.5 };
    let mut picture = look.canvas().caption(look.caption.clone().unwrap_or_default());
    for id in scene.ids() {
        let (Ok(mesh), Ok(positions)) = (scene.mesh(id), scene.positions(id)) else { continue };
        let triangles: &[[u32; 3]] = bytemuck::cast_slice(mesh.triangles());
        let surface = Surface::new(positions, triangles).triangle_colors(&colors[id.index()]);
        picture = picture.surface(surface.opacity(opacity));
    }
    picture
        .boxes(Boxes::new(&boxes).colors(&box_colors))
        .lines(Lines::new(&lines).colors(&line_colors))
        .points(Points::new(&points).colors(&point_colors))
        .render()
}

/// The colour of a tone, as the program has it.
fn color(tone: Tone) -> Color {
    match tone {
        Tone::Level(level) => {
            [palette::HIGHLIGHT, palette::CLEAR, palette::NEAR, palette::HIGHLIGHT_B][usize::from(level) % 4]
        }
        Tone::Group(group) => palette::class(group as usize),
        Tone::Visited => palette::STRUCTURE,
        Tone::Hit => palette::HIGHLIGHT,
    }
}
