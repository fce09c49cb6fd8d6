//! Every answer of the engine on a scene, as tables.

use std::error::Error;
use std::path::Path;

use crumple::{BodyId, Closeness, Frame, Mesh, Resolution, Scene, UntangleOptions};
use crumple_io::{SceneDir, SceneElements};

use crate::{budgets, table, topology, write};

/// Frames of a scene that are asked about.
const FRAMES: usize = 3;
/// Rounds of untangling, and contacts up to which it is tried.
const ROUNDS: usize = 5;
const TANGLED: usize = 2000;
/// Rays for volumes.
const RAYS: u32 = 32;

/// What is written, or why not.
pub type Done = Result<(), Box<dyn Error>>;

/// Writes scenes and answers; all scenes of the suite when none is named.
pub fn write(folder: &Path, names: &[&str]) -> Done {
    let all: Vec<&str> = crumple_scenes::suite().map(|(name, _)| name).collect();
    for name in if names.is_empty() { &all } else { names } {
        let place = write::scene(folder, name, FRAMES)?;
        answer(&place).map_err(|e| format!("{name}: {e}"))?;
    }
    Ok(())
}

/// The scene of a directory, at its first frame.
pub fn load(dir: &SceneDir) -> Result<Scene, Box<dyn Error>> {
    let mut scene = Scene::new();
    for (b, body) in dir.bodies.iter().enumerate() {
        let mesh = match &body.elements {
            SceneElements::Triangles(t) => Mesh::from_triangles(&body.name, body.vertices, t),
            SceneElements::Tets(t) => Mesh::from_tets(&body.name, body.vertices, t),
            SceneElements::Points => Mesh::from_points(&body.name, body.vertices),
        }?;
        scene.add(mesh, &positions(dir, b, 0)?)?;
    }
    Ok(scene)
}

/// Where a body is in a frame.
pub fn positions(dir: &SceneDir, body: usize, frame: usize) -> Result<Vec<[f64; 3]>, Box<dyn Error>> {
    let mut positions = Vec::new();
    dir.read_positions(body, frame, &mut positions)?;
    Ok(positions)
}

fn answer(place: &Path) -> Done {
    let dir = SceneDir::open(place)?;
    let mut scene = load(&dir)?;
    for frame in 0..dir.frames {
        if frame > 0 {
            for b in 0..dir.bodies.len() {
                scene.set_positions(BodyId(b as u32), &positions(&dir, b, frame)?)?;
            }
        }
        let to = Target { place, frame };
        budgets::contacts(&mut scene, &to)?;
        touching(&mut scene, &to)?;
        step(&mut scene, &to)?;
        close(&mut scene, &to)?;
        in_tets(&mut scene, &to)?;
        volumes(&mut scene, &to)?;
        budgets::distances(&mut scene, &to)?;
        distances(&mut scene, &to)?;
        if frame + 1 < dir.frames {
            let next = (0..dir.bodies.len())
                .map(|b| positions(&dir, b, frame + 1))
                .collect::<Result<Vec<_>, _>>()?;
            to.put("safe_step", &[[scene.safe_step(Frame::from(&next))?]])?;
        }
    }
    let last = Target { place, frame: dir.frames - 1 };
    untangle(&mut scene, &last)?;
    topology::change(&mut scene, &last)
}

/// Where the answers of a frame go.
pub struct Target<'a> {
    place: &'a Path,
    frame: usize,
}

impl Target<'_> {
    /// Writes one table.
    pub fn put<T: table::Cell, const N: usize>(&self, name: &str, rows: &[[T; N]]) -> Done {
        Ok(table::write(self.place, &format!("frame{}_{name}", self.frame), rows)?)
    }
}

fn touching(scene: &mut Scene, to: &Target<'_>) -> Done {
    let found = scene.contacts()?;
    let rows: Vec<[u32; 4]> = found.iter().map(|c| [c.a.body.0, c.a.id.0, c.b.body.0, c.b.id.0]).collect();
    to.put("contacts", &rows)?;
    let mut points = Vec::new();
    let mut starts = vec![[0u32]];
    for contact in &found {
        points.extend_from_slice(scene.intersection(contact)?.as_ref().map_or(&[][..], |i| i.points()));
        starts.push([points.len() as u32]);
    }
    to.put("outlines", &points)?;
    to.put("outline_starts", &starts)?;
    let (places, place_of) = scene.places_of_contacts()?;
    to.put("place_of", &place_of.into_iter().map(|p| [p]).collect::<Vec<_>>())?;
    let rows: Vec<[f64; 5]> =
        places.iter().map(|p| [p.length, p.centre[0], p.centre[1], p.centre[2], p.size]).collect();
    to.put("places", &rows)?;
    let curves = scene.intersection_curves()?;
    to.put("curve_lengths", &curves.iter().map(|c| [c.length]).collect::<Vec<_>>())?;
    let points = curves.iter().flat_map(|c| c.points.iter().map(|p| p.point));
    to.put("curve_points", &points.collect::<Vec<_>>())?;
    let triangles = curves.iter().flat_map(|c| c.triangles.iter().map(|t| t.map(|t| t.0)));
    to.put("curve_triangles", &triangles.collect::<Vec<_>>())?;
    let slopes = curves.iter().flat_map(|c| c.gradient.iter().map(|(_, slope)| *slope));
    to.put("curve_gradient", &slopes.collect::<Vec<_>>())
}

/// Moves the bodies apart, last of all, where there is not too much to undo.
fn untangle(scene: &mut Scene, to: &Target<'_>) -> Done {
    if scene.contacts()?.len() > TANGLED {
        return Ok(());
    }
    let mut options = UntangleOptions::default();
    options.rounds = ROUNDS;
    let done = scene.untangle(&options)?;
    to.put("untangled", &[[done.before, done.after, done.rounds, done.moved].map(|n| n as u32)])?;
    let points = scene.current_frame().iter().flat_map(|p| (0..p.len()).map(move |v| p.get(v)));
    to.put("untangled_positions", &points.collect::<Vec<_>>())
}

fn step(scene: &mut Scene, to: &Target<'_>) -> Done {
    let found = scene.impacts()?;
    let rows: Vec<[u32; 4]> = (found.vertex_triangles.iter())
        .map(|i| [i.vertex.body.0, i.vertex.id.0, i.triangle.body.0, i.triangle.id.0])
        .collect();
    to.put("impact_vertex_triangles", &rows)?;
    let rows: Vec<[u32; 6]> = (found.edge_edges.iter())
        .map(|i| [i.a.body.0, i.a.id[0].0, i.a.id[1].0, i.b.body.0, i.b.id[0].0, i.b.id[1].0])
        .collect();
    to.put("impact_edge_edges", &rows)?;
    let times = found.vertex_triangles.iter().map(|i| i.time).chain(found.edge_edges.iter().map(|i| i.time));
    to.put("impact_times", &times.map(|t| [t.after, t.by]).collect::<Vec<_>>())
}

fn close(scene: &mut Scene, to: &Target<'_>) -> Done {
    // A hundredth of the scene's diagonal.
    let (mut min, mut max) = ([f64::INFINITY; 3], [f64::NEG_INFINITY; 3]);
    for id in scene.ids() {
        for p in scene.positions(id)? {
            (min, max) = ([0, 1, 2].map(|k| p[k].min(min[k])), [0, 1, 2].map(|k| p[k].max(max[k])));
        }
    }
    let diagonal = (0..3).map(|k| (max[k] - min[k]).powi(2)).sum::<f64>().sqrt();
    let within = 0.01 * if diagonal.is_finite() { diagonal } else { 0.0 };
    to.put("within", &[[within]])?;
    let found = scene.proximity(&Closeness::below(within))?;
    let rows: Vec<[u32; 4]> = (found.vertex_triangles.iter())
        .map(|p| [p.vertex.body.0, p.vertex.id.0, p.triangle.body.0, p.triangle.id.0])
        .collect();
    to.put("close_vertex_triangles", &rows)?;
    let rows: Vec<[u32; 6]> = (found.edge_edges.iter())
        .map(|p| [p.a.body.0, p.a.id[0].0, p.a.id[1].0, p.b.body.0, p.b.id[0].0, p.b.id[1].0])
        .collect();
    to.put("close_edge_edges", &rows)?;
    let vertices = found.vertex_triangles.iter().map(|p| {
        let ([a, b, c], n) = (p.weights, p.normal);
        [p.distance, n[0], n[1], n[2], 1.0, -a, -b, -c]
    });
    let edges = found.edge_edges.iter().map(|p| {
        let ([s, t], n) = (p.weights, p.normal);
        [p.distance, n[0], n[1], n[2], 1.0 - s, s, t - 1.0, -t]
    });
    to.put("close_numbers", &vertices.chain(edges).collect::<Vec<_>>())?;
    let motion = scene.safe_motion(within)?;
    to.put("safe_motion", &motion.into_iter().flatten().map(|b| [b]).collect::<Vec<_>>())?;
    budgets::close(scene, within, to)
}

fn in_tets(scene: &mut Scene, to: &Target<'_>) -> Done {
    let found = scene.edge_penetrations()?;
    let rows: Vec<[u32; 5]> = found
        .iter()
        .map(|p| [p.edge.body.0, p.edge.id[0].0, p.edge.id[1].0, p.tet.body.0, p.tet.id.0])
        .collect();
    to.put("edge_tets", &rows)?;
    let found = scene.penetrations()?;
    let rows: Vec<[u32; 4]> =
        found.iter().map(|p| [p.vertex.body.0, p.vertex.id.0, p.tet.body.0, p.tet.id.0]).collect();
    to.put("vertex_tets", &rows)?;
    let numbers = found.iter().map(|p| {
        let (w, d) = (p.weights, p.direction);
        let inverted = f64::from(u8::from(p.cause == crumple::Cause::Inverted));
        [w[0], w[1], w[2], w[3], p.depth, d[0], d[1], d[2], inverted]
    });
    to.put("vertex_tet_numbers", &numbers.collect::<Vec<_>>())
}

fn volumes(scene: &mut Scene, to: &Target<'_>) -> Done {
    let closed: Vec<BodyId> = (scene.ids())
        .filter(|&id| scene.mesh(id).is_ok_and(|m| !m.triangles().is_empty() && m.topology().is_closed()))
        .collect();
    let (mut selves, mut flags) = (Vec::new(), Vec::new());
    let points: Vec<[f64; 3]> =
        scene.current_frame().iter().flat_map(|p| (0..p.len()).map(move |v| p.get(v))).collect();
    for &id in &closed {
        // A one-sided surface is closed but has no inside; it is left out by both.
        let Ok(inside) = scene.inside(id, &points) else { continue };
        flags.extend(inside.iter().map(|&is| [u8::from(is)]));
        let found = scene.volumes()?.self_overlap(id, Resolution::rays(RAYS))?;
        selves.push([f64::from(id.0), found.volume, found.lower, found.upper]);
    }
    to.put("inside", &flags)?;
    to.put("self_overlaps", &selves)?;
    let found = scene.overlaps(Resolution::rays(RAYS)).unwrap_or_default();
    let rows: Vec<[f64; 5]> = (found.iter())
        .map(|([a, b], o)| [f64::from(a.0), f64::from(b.0), o.volume, o.lower, o.upper])
        .collect();
    to.put("overlaps", &rows)?;
    let mut slopes = Vec::new();
    if let Some((pair, _)) = found.first() {
        let found = scene.volumes()?.gradient(*pair, Resolution::rays(RAYS))?;
        slopes.extend(found.bodies.into_iter().flatten());
    }
    to.put("gradient", &slopes)
}

fn distances(scene: &mut Scene, to: &Target<'_>) -> Done {
    let ids: Vec<BodyId> = scene.ids().collect();
    let mut rows = Vec::new();
    for (i, &a) in ids.iter().enumerate() {
        for &b in &ids[i + 1..] {
            if let Some(d) = scene.distance([a, b])? {
                let triangles = [d.a.triangle.0, d.b.triangle.0].map(f64::from);
                rows.push([
                    f64::from(a.0),
                    f64::from(b.0),
                    d.distance,
                    d.lower,
                    d.upper,
                    triangles[0],
                    triangles[1],
                ]);
            }
        }
    }
    to.put("distances", &rows)?;
    let margin = 0.5 * rows.iter().map(|row| row[2]).fold(0.0, f64::max);
    let mut near = Vec::new();
    for [a, b] in scene.box_pairs(margin) {
        let found = scene.closer_than([a, b], margin)?;
        near.extend(found.iter().map(|p| [f64::from(p.pair.a.0), f64::from(p.pair.b.0), p.distance]));
    }
    to.put("margin", &[[margin]])?;
    to.put("near", &near)
}
