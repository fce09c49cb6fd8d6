//! `crumple overlap`: the volume that two closed surfaces share, or in which one overlaps itself.

use std::path::Path;
use std::time::Instant;

use anyhow::{Context, Result, bail};
use crumple::methods::layered_depth::{
    Gradient, LayeredDepth, LayeredDepthParams, LayeredError, Overlap, Resolution, SelfOverlap, SpanSurface,
    Spans, Stop,
};
use crumple::{BodyId, Frame, Question};
use crumple_io::{MeshData, Polygons};
use serde::Serialize;

use crate::args::{Common, MethodArg, OverlapArgs};
use crate::methods;
use crate::output::{self, duration, thousands};
use crate::views;
use crate::world::World;

/// The JSON document.
#[derive(Serialize)]
struct Report {
    schema: &'static str,
    volume: f64,
    lower: f64,
    upper: f64,
    resolution: [u32; 2],
    depth_complexity: [u32; 2],
    centroid: Option<[f64; 3]>,
    bounds: Option<[[f64; 3]; 2]>,
    guarantee: crumple::Guarantee,
    /// The sum of the spans times the area of a pixel, as the paper has it.
    sampled: f64,
    axis: usize,
    layers: [usize; 2],
    spans: usize,
    unbalanced_rays: [usize; 2],
    #[serde(skip_serializing_if = "Option::is_none")]
    refined: Option<RefinedRow>,
    #[serde(skip_serializing_if = "Option::is_none")]
    gradient: Option<GradientRow>,
    #[serde(skip_serializing_if = "Option::is_none")]
    mesh: Option<MeshRow>,
    seconds: Seconds,
}

#[derive(Serialize)]
struct RefinedRow {
    stop: &'static str,
    blocks: usize,
}

/// How fast the volume grows as each vertex moves, and as each body moves as a whole.
#[derive(Serialize)]
struct GradientRow {
    total: [[f64; 3]; 2],
    a: Vec<[f64; 3]>,
    b: Vec<[f64; 3]>,
}

/// The surface that was written.
#[derive(Serialize)]
struct MeshRow {
    file: String,
    vertices: usize,
    triangles: usize,
    volume: f64,
}

#[derive(Serialize)]
struct Seconds {
    load: f64,
    query: f64,
}

/// The JSON document for one surface.
#[derive(Serialize)]
struct SelfReport {
    schema: &'static str,
    volume: f64,
    lower: f64,
    upper: f64,
    resolution: [u32; 2],
    misordered_rays: usize,
    unbalanced_rays: usize,
    inside_out: bool,
    guarantee: crumple::Guarantee,
    #[serde(skip_serializing_if = "Option::is_none")]
    mesh: Option<MeshRow>,
    seconds: Seconds,
}

/// Measures.
pub fn run(args: &OverlapArgs, common: &Common) -> Result<()> {
    let start = Instant::now();
    let files: Vec<_> = [Some(&args.a), args.b.as_ref()].into_iter().flatten().cloned().collect();
    let world = World::load(&files)?;
    let load = output::seconds(start);
    let params = LayeredDepthParams {
        resolution: Resolution::Pixels([args.resolution; 2]),
        ..LayeredDepthParams::default()
    };
    let method = LayeredDepth::new(params)?;
    if files.len() == 1 {
        return run_self(args, common, &world, method, load);
    }
    methods::explain(common, MethodArg::Auto, &world.mesh, &[Question::Overlap]);
    let start = Instant::now();
    let is_shown = args.mesh.is_some() || common.picture.is_some();
    let found = Found::new(args, &world, method, is_shown)?;
    let seconds = Seconds { load, query: output::seconds(start) };
    let surface = is_shown.then(|| surface(found.spans.as_ref()));
    if let Some(path) = &common.picture {
        views::overlap(common, &world, &found.overlap, surface.as_ref())
            .save(path)
            .with_context(|| format!("cannot write {}", path.display()))?;
    }
    let mesh = match (&args.mesh, surface) {
        (Some(path), Some(surface)) => Some(write(path, surface, found.spans.as_ref())?),
        _ => None,
    };
    let Found { overlap, refined, gradient, .. } = found;
    let report = Report {
        schema: "crumple.overlap/1",
        volume: overlap.volume,
        lower: overlap.lower,
        upper: overlap.upper,
        resolution: overlap.resolution,
        depth_complexity: overlap.depth_complexity,
        centroid: overlap.centroid,
        bounds: overlap.bounds,
        guarantee: overlap.guarantee,
        sampled: overlap.sampled,
        axis: overlap.axis,
        layers: overlap.layers,
        spans: overlap.spans,
        unbalanced_rays: overlap.unbalanced_rays,
        refined: refined.map(|(stop, blocks)| RefinedRow { stop: name(stop), blocks }),
        gradient: gradient.map(|g| {
            let total = [g.total(0), g.total(1)];
            let [a, b] = g.bodies;
            GradientRow { total, a, b }
        }),
        mesh,
        seconds,
    };
    output::emit(common, &report, || report.text())
}

/// All that was asked about two surfaces.
struct Found {
    overlap: Overlap,
    refined: Option<(Stop, usize)>,
    gradient: Option<Gradient>,
    /// `None` where the boxes have no common volume, and where nobody asked.
    spans: Option<Spans>,
}

impl Found {
    fn new(args: &OverlapArgs, world: &World, mut method: LayeredDepth, is_shown: bool) -> Result<Self> {
        let slices = world.slices();
        let frame = Frame::new(&slices);
        let (a, b) = (BodyId(0), BodyId(1));
        let mut measure = || -> Result<Self, LayeredError> {
            let (overlap, refined) = match args.tolerance {
                None => (method.overlap(&world.mesh, frame, a, b)?, None),
                Some(tolerance) => {
                    let refined = method.overlap_within(&world.mesh, frame, [a, b], tolerance)?;
                    (refined.overlap, Some((refined.stop, refined.blocks)))
                }
            };
            let gradient = args.gradient.then(|| method.gradient(&world.mesh, frame, a, b)).transpose()?;
            let mut spans = None;
            if is_shown {
                spans = match method.layers(&world.mesh, frame, a, b) {
                    Ok(Some([a, b])) => Some(a.common(&b).expect("both are of one view")),
                    // Nothing to be seen, however thin it is.
                    Ok(None) | Err(LayeredError::Unresolved { .. }) => None,
                    Err(error) => return Err(error),
                };
            }
            Ok(Self { overlap, refined, gradient, spans })
        };
        measure().map_err(|e| world.blame_layers(e))
    }
}

/// One surface against itself.
fn run_self(
    args: &OverlapArgs,
    common: &Common,
    world: &World,
    mut method: LayeredDepth,
    load: f64,
) -> Result<()> {
    if args.tolerance.is_some() || args.gradient {
        bail!("--tolerance and --gradient need two surfaces");
    }
    let start = Instant::now();
    let slices = world.slices();
    let frame = Frame::new(&slices);
    let mut measure = || {
        let found = method.self_overlap(&world.mesh, frame, BodyId(0))?;
        Ok((found, method.layers_of(&world.mesh, frame, BodyId(0))?.map(|layers| layers.misordered())))
    };
    let (found, spans): (SelfOverlap, _) = measure().map_err(|e| world.blame_layers(e))?;
    let seconds = Seconds { load, query: output::seconds(start) };
    let surface = surface(spans.as_ref());
    if let Some(path) = &common.picture {
        views::self_overlap(common, world, &found, &surface)
            .save(path)
            .with_context(|| format!("cannot write {}", path.display()))?;
    }
    let mesh = args.mesh.as_ref().map(|path| write(path, surface, spans.as_ref())).transpose()?;
    let report = SelfReport {
        schema: "crumple.self-overlap/1",
        volume: found.volume,
        lower: found.lower,
        upper: found.upper,
        resolution: found.resolution,
        misordered_rays: found.misordered_rays,
        unbalanced_rays: found.unbalanced_rays,
        inside_out: found.is_inside_out,
        guarantee: found.guarantee,
        mesh,
        seconds,
    };
    output::emit(common, &report, || report.text())
}

fn surface(spans: Option<&Spans>) -> SpanSurface {
    spans.map(Spans::surface).unwrap_or_default()
}

/// Writes the volume as a closed surface.
fn write(path: &Path, surface: SpanSurface, spans: Option<&Spans>) -> Result<MeshRow> {
    let data = MeshData {
        polygons: Polygons::from_triangles(&surface.triangles),
        positions: surface.positions,
        ..MeshData::default()
    };
    crumple_io::write(path, &data, None)?;
    Ok(MeshRow {
        file: path.display().to_string(),
        vertices: data.positions.len(),
        triangles: surface.triangles.len(),
        volume: spans.map_or(0.0, Spans::volume),
    })
}

fn name(stop: Stop) -> &'static str {
    match stop {
        Stop::Reached => "reached",
        Stop::Lattice => "lattice",
        Stop::Work => "work",
        Stop::Open => "open",
    }
}

impl MeshRow {
    fn text(&self) -> String {
        format!("\n  wrote {}: {} triangles, volume {}", self.file, thousands(self.triangles), self.volume)
    }
}

impl Report {
    fn text(&self) -> String {
        let [nx, ny] = self.resolution;
        let mut text = format!(
            "shared volume {} (between {} and {})\n  {nx} x {ny} rays, {}",
            self.volume,
            self.lower,
            self.upper,
            duration(self.seconds.query)
        );
        if let Some(refined) = &self.refined {
            text += &match refined.stop {
                "reached" => format!("\n  refined in {} blocks", thousands(refined.blocks)),
                "lattice" => "\n  the bounds are as near as the lattice allows".to_owned(),
                _ => format!("\n  given up after {} blocks", thousands(refined.blocks)),
            };
        }
        if let Some(gradient) = &self.gradient {
            let [x, y, z] = gradient.total[0].map(|g| -g);
            text += &format!("\n  moving the first by ({x}, {y}, {z}) parts them fastest");
        }
        text + &self.mesh.as_ref().map_or_else(String::new, MeshRow::text)
    }
}

impl SelfReport {
    fn text(&self) -> String {
        let [nx, ny] = self.resolution;
        let text = format!(
            "overlaps itself in a volume of {} (between {} and {})\n  {} of {nx} x {ny} rays meet faces in an invalid order, {}",
            self.volume,
            self.lower,
            self.upper,
            thousands(self.misordered_rays),
            duration(self.seconds.query)
        );
        text + &self.mesh.as_ref().map_or_else(String::new, MeshRow::text)
    }
}
