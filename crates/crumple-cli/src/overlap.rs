//! `crumple overlap`: the volume that two closed surfaces share, or in which one overlaps itself.

use std::path::Path;
use std::time::Instant;

use anyhow::{Context, Result, bail};

use crumple::methods::layered_depth::{
    Gradient, IntersectionSurface, Overlap, Resolution, SelfOverlap, Stop, VolumeDepth,
};
use crumple::{BodyId, Question};
use crumple_io::{MeshData, Polygons};
use serde::Serialize;

use crate::args::{Common, OverlapArgs};
use crate::gpu::{self, Drawer};
use crate::output::{self, real, thousands};
use crate::world::World;
use crate::{sampled, views};

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
    /// How deep they are in each other along the direction in which the volume falls fastest; null where they share none.
    depth: Option<VolumeDepth>,
    /// Why there is no depth although they may share a volume.
    #[serde(skip_serializing_if = "Option::is_none")]
    depth_unresolved: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    refined: Option<RefinedRow>,
    /// Who drew the layers, with `--gpu`.
    #[serde(skip_serializing_if = "Option::is_none")]
    drawn: Option<String>,
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
    /// The sides of a cell: what is thinner may be missed.
    cell: [f64; 3],
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
    /// Who drew the layers, with `--gpu`.
    #[serde(skip_serializing_if = "Option::is_none")]
    drawn: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    mesh: Option<MeshRow>,
    seconds: Seconds,
}

/// Measures.
pub fn run(args: &OverlapArgs, common: &Common) -> Result<()> {
    let start = Instant::now();
    let files: Vec<_> = [Some(&args.a), args.b.as_ref()].into_iter().flatten().cloned().collect();
    let mut world = World::load(&files)?;
    let load = output::seconds(start);
    let mut drawer = gpu::choose(common, args.gpu.as_deref())?;
    if files.len() == 1 {
        return run_self(args, common, &mut world, drawer, load);
    }
    output::explain(common, &world.scene, &[Question::Overlap]);
    output::hint(common, &world);
    let (start, busy) = (Instant::now(), output::busy("measuring"));
    let is_shown = args.mesh.is_some() || common.picture.is_some();
    let found = Found::new(args, &mut world, drawer.as_mut(), is_shown)?;
    let seconds = Seconds { load, query: output::seconds(start) };
    // Not part of the question that is timed.
    let depth = world.scene.depth([BodyId(0), BodyId(1)], Resolution::rays(args.resolution));
    let (depth, depth_unresolved) = match depth {
        Err(why @ crumple::Error::Unresolved { .. }) => (None, Some(why.to_string())),
        other => (other.map_err(|e| world.blame(0, e))?, None),
    };
    drop(busy);
    if let Some(path) = &common.picture {
        views::overlap(common, &world.scene, &found.overlap, found.surface.as_ref())
            .save(path)
            .with_context(|| format!("cannot write {}", path.display()))?;
    }
    let Found { overlap, refined, gradient, surface } = found;
    let mesh = match (&args.mesh, surface) {
        (Some(path), Some(surface)) => Some(write(path, surface)?),
        _ => None,
    };
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
        depth,
        depth_unresolved,
        drawn: drawer.map(|d| d.to_string()),
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
    /// `None` where nobody asked.
    surface: Option<IntersectionSurface>,
}

impl Found {
    fn new(
        args: &OverlapArgs,
        world: &mut World,
        mut drawer: Option<&mut Drawer>,
        is_shown: bool,
    ) -> Result<Self> {
        let (both, resolution) = ([BodyId(0), BodyId(1)], Resolution::rays(args.resolution));
        let mut measure = || -> Result<Self, crumple::Error> {
            let mut volumes = world.scene.volumes()?;
            let (overlap, refined) = match (args.tolerance, drawer.as_deref_mut()) {
                (None, Some(drawer)) => (sampled::overlap(&mut volumes, resolution, drawer)?, None),
                (None, None) => (volumes.overlap(both, resolution)?, None),
                (Some(tolerance), _) => {
                    let refined = volumes.refined_overlap(both, resolution, tolerance)?;
                    (refined.overlap, Some((refined.stop, refined.blocks)))
                }
            };
            let gradient = args.gradient.then(|| volumes.gradient(both, resolution)).transpose()?;
            let surface = is_shown.then(|| resolved(volumes.intersection(&both, resolution)));
            Ok(Self { overlap, refined, gradient, surface: surface.transpose()? })
        };
        measure().map_err(|e| world.blame(0, e))
    }
}

/// One surface against itself.
fn run_self(
    args: &OverlapArgs,
    common: &Common,
    world: &mut World,
    mut drawer: Option<Drawer>,
    load: f64,
) -> Result<()> {
    if args.tolerance.is_some() || args.gradient {
        bail!("--tolerance and --gradient need two surfaces");
    }
    let start = Instant::now();
    let resolution = Resolution::rays(args.resolution);
    let mut measure = || {
        let mut volumes = world.scene.volumes()?;
        let found = match &mut drawer {
            None => volumes.self_overlap(BodyId(0), resolution)?,
            Some(drawer) => sampled::self_overlap(&mut volumes, resolution, drawer)?,
        };
        let is_shown = args.mesh.is_some() || common.picture.is_some();
        let surface = is_shown.then(|| resolved(volumes.self_intersection(BodyId(0), resolution)));
        Ok((found, surface.transpose()?))
    };
    let (found, surface): (SelfOverlap, _) = measure().map_err(|e| world.blame(0, e))?;
    let seconds = Seconds { load, query: output::seconds(start) };
    if let Some(path) = &common.picture {
        views::self_overlap(common, &world.scene, &found, surface.as_ref())
            .save(path)
            .with_context(|| format!("cannot write {}", path.display()))?;
    }
    let mesh = args.mesh.as_ref().map(|path| write(path, surface.unwrap_or_default())).transpose()?;
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
        drawn: drawer.map(|d| d.to_string()),
        mesh,
        seconds,
    };
    output::emit(common, &report, || report.text())
}

/// A surface, with nothing to be seen where the volume is too thin for any grid.
fn resolved(
    found: Result<IntersectionSurface, crumple::Error>,
) -> Result<IntersectionSurface, crumple::Error> {
    match found {
        Err(crumple::Error::Unresolved { .. }) => Ok(IntersectionSurface::default()),
        other => other,
    }
}

/// Writes the volume as a closed surface.
fn write(path: &Path, surface: IntersectionSurface) -> Result<MeshRow> {
    let (volume, cell) = (surface.volume(), surface.cell);
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
        volume,
        cell,
    })
}

fn name(stop: Stop) -> &'static str {
    match stop {
        Stop::Reached => "reached",
        Stop::Lattice => "lattice",
        Stop::Work => "work",
        Stop::Open => "open",
        _ => "stopped",
    }
}

fn drawn(by: &Option<String>) -> String {
    by.as_ref().map_or_else(String::new, |by| format!("\n  drawn {by}"))
}

impl MeshRow {
    fn text(&self) -> String {
        format!(
            "\n  wrote {}: {} triangles, volume {}",
            self.file,
            thousands(self.triangles),
            real(self.volume)
        )
    }
}

impl Seconds {
    fn text(&self) -> String {
        format!("\n{}", output::in_all(&[("reading", self.load), ("measuring", self.query)]))
    }
}

impl Report {
    fn text(&self) -> String {
        let [nx, ny] = self.resolution;
        let volume = real(self.volume);
        let mut text = match &self.drawn {
            None => format!("shared volume {volume} (between {} and {})", real(self.lower), real(self.upper)),
            Some(_) => format!("shared volume about {volume} (sampled, without bounds)"),
        };
        text += &format!("\n  {nx} x {ny} rays");
        text += &drawn(&self.drawn);
        if let Some(refined) = &self.refined {
            text += &match refined.stop {
                "reached" => format!("\n  refined in {} blocks", thousands(refined.blocks)),
                "lattice" => "\n  the bounds are as near as the lattice allows".to_owned(),
                _ => format!("\n  given up after {} blocks", thousands(refined.blocks)),
            };
        }
        if let Some(gradient) = &self.gradient {
            text += &match gradient.total[0].map(|g| 0.0 - g) {
                [0.0, 0.0, 0.0] => "\n  no way to move the first parts them faster than another".to_owned(),
                [x, y, z] => format!("\n  moving the first by ({x}, {y}, {z}) parts them fastest"),
            };
        }
        if let Some(depth) = &self.depth {
            let [x, y, z] = depth.direction.map(real);
            let [at, lower, upper] = [depth.depth, depth.lower, depth.upper].map(real);
            text += &format!(
                "\n  depth {at} (between {lower} and {upper}), the second leaves along ({x}, {y}, {z})"
            );
        }
        if let Some(why) = &self.depth_unresolved {
            text += &format!("\n  depth not resolved: {why}");
        }
        text + &self.mesh.as_ref().map_or_else(String::new, MeshRow::text) + &self.seconds.text()
    }
}

impl SelfReport {
    fn text(&self) -> String {
        let [nx, ny] = self.resolution;
        let volume = real(self.volume);
        let mut text = match &self.drawn {
            None => {
                format!(
                    "overlaps itself in a volume of {volume} (between {} and {})",
                    real(self.lower),
                    real(self.upper)
                )
            }
            Some(_) => format!("overlaps itself in a volume of about {volume} (sampled, without bounds)"),
        };
        text += &format!(
            "\n  {} of {nx} x {ny} rays meet faces in an invalid order",
            thousands(self.misordered_rays)
        );
        text += &drawn(&self.drawn);
        text + &self.mesh.as_ref().map_or_else(String::new, MeshRow::text) + &self.seconds.text()
    }
}
