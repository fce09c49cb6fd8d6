//! A random scene, followed frame by frame with edits, held to brute force on every question.

use crumple::geometry::Aabb;
use crumple::methods::brute_force::{self, Ask, BruteForce};
use crumple::narrow::continuous;
use crumple::{
    Answer, Bodies, BodyId, Closeness, Contact, Contacts, Detector, Distance, Element, Error, Frame, Mesh,
    Pairs, Resolution, Scene, SurfaceMethod, TetId, TriangleId, TrianglePair, VertexId,
};
use crumple_scenes::random::{Mix, scene_of};
use crumple_scenes::{Rng, SceneBody};

use crate::entrants::Entrants;

/// What was compared.
#[derive(Debug, Clone, Copy, Default)]
pub struct Tally {
    /// Frames.
    pub frames: usize,
    /// Edits between frames.
    pub edits: usize,
    /// Pairs of triangles that intersect.
    pub contacts: usize,
    /// Vertices in tets.
    pub vertices: usize,
    /// Distances of bodies.
    pub distances: usize,
    /// Points asked to be inside.
    pub points: usize,
    /// Volumes that bodies share, held between their bounds.
    pub volumes: usize,
    /// Vertex–triangle and edge–edge pairs, and pairs of triangles, closer than a distance.
    pub near: usize,
    /// Vertices that hit triangles and edges that hit edges between two frames.
    pub impacts: usize,
}

impl std::ops::AddAssign for Tally {
    fn add_assign(&mut self, other: Self) {
        self.frames += other.frames;
        self.edits += other.edits;
        self.contacts += other.contacts;
        self.vertices += other.vertices;
        self.distances += other.distances;
        self.points += other.points;
        self.volumes += other.volumes;
        self.near += other.near;
        self.impacts += other.impacts;
    }
}

/// Makes a scene of a seed, follows it with every method, and compares all answers with brute force. The error says what
/// differs; the seed and the size tell where.
pub fn hold(seed: u64, size: usize) -> Result<Tally, String> {
    let mix = [Mix::Surfaces, Mix::Closed, Mix::Solids, Mix::Anything][(seed % 4) as usize];
    let generated = scene_of(mix, seed, size);
    let mut rng = Rng::new(seed ^ 0x5eed);
    let mut tally = Tally::default();
    let mut bodies: Vec<Following> = generated.bodies.iter().map(Following::new).collect();
    let methods = [None, Some(SurfaceMethod::Regularity), Some(SurfaceMethod::BucketTree)];
    let mut scenes: Vec<Scene> =
        methods.iter().map(|m| start(&bodies, *m)).collect::<Result<_, _>>().map_err(text)?;
    let mut entrants = Entrants::new();
    let reach = [0.0, 0.01, 0.1][rng.below(3)];
    for frame in 0..generated.frames() {
        let before: Vec<Vec<[f64; 3]>> = bodies.iter().map(|b| b.positions.clone()).collect();
        let mut is_edited = false;
        for (body, data) in bodies.iter_mut().zip(&generated.bodies) {
            body.go_to(data, frame);
        }
        if frame > 0 && rng.chance(0.5) {
            let chosen = rng.below(bodies.len());
            is_edited = bodies[chosen].edit(&mut rng);
            tally.edits += usize::from(is_edited);
        }
        for scene in &mut scenes {
            for (id, body) in (0..).map(BodyId).zip(&bodies) {
                if scene.mesh(id).map_err(text)?.is_same(&body.mesh) {
                    scene.set_positions(id, &body.positions).map_err(text)?;
                } else {
                    scene.replace(id, body.mesh.clone(), &body.positions).map_err(text)?;
                }
            }
        }
        let at = |e: String| format!("frame {frame}: {e}");
        // An edit ends a step: its body was not there before.
        if frame > 0 && !is_edited {
            impacts(&mut scenes[0], &bodies, &before, &mut tally).map_err(at)?;
        }
        compare(&mut scenes, &mut entrants, &bodies, mix, &mut tally).map_err(at)?;
        near(&mut scenes[0], &bodies, reach, &mut tally).map_err(at)?;
        tally.frames += 1;
    }
    Ok(tally)
}

fn text(error: Error) -> String {
    error.to_string()
}

fn start(bodies: &[Following], method: Option<SurfaceMethod>) -> Result<Scene, Error> {
    let mut scene = Scene::new();
    scene.use_surface_method(method);
    for body in bodies {
        scene.add(body.mesh.clone(), &body.positions)?;
    }
    Ok(scene)
}

/// A body as it is now: edited, and somewhere.
struct Following {
    mesh: Mesh,
    positions: Vec<[f64; 3]>,
    /// Where vertices that edits added came from.
    added: Vec<Vec<(VertexId, f64)>>,
}

impl Following {
    fn new(body: &SceneBody) -> Self {
        Self { mesh: crate::mesh(body), positions: body.frames[0].clone(), added: Vec::new() }
    }

    fn go_to(&mut self, data: &SceneBody, frame: usize) {
        self.positions.clone_from(&data.frames[frame]);
        for parents in &self.added {
            let mut p = [0.0; 3];
            parents.iter().for_each(|&(v, w)| (0..3).for_each(|k| p[k] += w * self.positions[v.index()][k]));
            self.positions.push(p);
        }
    }

    /// Removes an element or splits an edge; whether something was done.
    fn edit(&mut self, rng: &mut Rng) -> bool {
        let mut edit = self.mesh.edit();
        let triangles = self.mesh.triangles().len();
        let done = if self.mesh.is_solid() {
            let tet = self.mesh.tet_key(crumple::TetId(rng.below(self.mesh.tets().len()) as u32));
            self.mesh.tets().len() > 1 && edit.remove_tet(tet).is_ok()
        } else if triangles < 2 {
            false
        } else if rng.chance(0.5) {
            edit.remove_triangle(self.mesh.triangle_key(TriangleId(rng.below(triangles) as u32))).is_ok()
        } else {
            let edges = self.mesh.topology().edges();
            let [a, b] = edges[rng.below(edges.len())];
            a != b && edit.split_edge(a, b, 0.5).is_ok()
        };
        if !done {
            return false;
        }
        let (next, changes) = edit.finish();
        changes.extend_positions(&mut self.positions);
        self.added.extend(changes.vertices.iter().map(|v| v.parents.clone()));
        self.mesh = next;
        true
    }
}

fn compare(
    scenes: &mut [Scene],
    entrants: &mut Entrants,
    bodies: &[Following],
    mix: Mix,
    tally: &mut Tally,
) -> Result<(), String> {
    let all = Bodies::new(bodies.iter().map(|b| b.mesh.clone())).map_err(|e| e.to_string())?;
    let positions: Vec<Vec<[f64; 3]>> = bodies.iter().map(|b| b.positions.clone()).collect();
    let frame = Frame::from(&positions);
    let mut oracle = BruteForce::new(Ask { triangles: true, vertices: true, edges: true });
    let mut truth = Contacts::default();
    oracle.update(&all, frame).map_err(|e| e.to_string())?.contacts(Pairs::All, &mut truth);
    tally.contacts += truth.triangle_pairs.len();
    tally.vertices += truth.vertex_tets.len();
    entrants.compare(&all, frame, &truth)?;
    let vertex = |v: Element<VertexId>| VertexId(all.vertex_range(v.body).start as u32 + v.id.0);
    let tet = |t: Element<TetId>| TetId(all.tet_range(t.body).start as u32 + t.id.0);
    let vertices: Vec<_> = truth.vertex_tets.iter().map(|v| (v.vertex, v.tet)).collect();
    let edges: Vec<_> = truth.edge_tets.iter().map(|e| (e.edge, e.tet)).collect();
    for scene in &mut *scenes {
        let found = scene.contacts().map_err(text)?;
        same("contacts", &global(&all, &found), &truth.triangle_pairs, found.method)?;
        let found = scene.vertices_in_tets().map_err(text)?;
        let inside: Vec<_> = found.iter().map(|v| (vertex(v.vertex), tet(v.tet))).collect();
        same("vertices in tets", &inside, &vertices, found.method)?;
        let found = scene.edge_penetrations().map_err(text)?;
        let through: Vec<_> = (found.iter())
            .map(|e| (e.edge.id.map(|id| vertex(Element { body: e.edge.body, id })), tet(e.tet)))
            .collect();
        same("edges in tets", &through, &edges, found.method)?;
    }
    distances(&mut scenes[0], &all, frame, tally)?;
    if mix == Mix::Closed {
        insides(&mut scenes[0], &all, frame, tally)?;
        volumes(&mut scenes[0], &all, frame, &truth, tally)?;
    }
    Ok(())
}

pub(crate) fn same<T: PartialEq + std::fmt::Debug>(
    what: &str,
    found: &[T],
    truth: &[T],
    by: &str,
) -> Result<(), String> {
    if found == truth {
        return Ok(());
    }
    let odd = found.iter().zip(truth).position(|(a, b)| a != b).unwrap_or(found.len().min(truth.len()));
    Err(format!("{what} by {by}: {} rows, not {}; row {odd} differs", found.len(), truth.len()))
}

fn global(bodies: &Bodies, found: &Answer<Contact>) -> Vec<TrianglePair> {
    let id = |e: Element<TriangleId>| TriangleId(bodies.triangle_range(e.body).start as u32 + e.id.0);
    found.iter().map(|c| TrianglePair { a: id(c.a), b: id(c.b) }).collect()
}

fn distances(scene: &mut Scene, bodies: &Bodies, frame: Frame<'_>, tally: &mut Tally) -> Result<(), String> {
    for a in bodies.body_ids() {
        for b in bodies.body_ids().filter(|b| *b > a) {
            let truth = brute_force::distance(bodies, frame, a, b).map_err(|e| e.to_string())?;
            let found = scene.distance([a, b]).map_err(text)?;
            let row = |d: Distance, [i, j]: [usize; 2]| {
                (d.distance, d.a.triangle.index() - i, d.b.triangle.index() - j, d.contains)
            };
            let first = [a, b].map(|body| bodies.triangle_range(body).start);
            let [truth, found] = [truth.map(|d| row(d, first)), found.map(|d| row(d, [0, 0]))];
            if truth != found {
                return Err(format!("distance of {a} and {b}: {found:?}, not {truth:?}"));
            }
            tally.distances += 1;
        }
    }
    Ok(())
}

fn insides(scene: &mut Scene, bodies: &Bodies, frame: Frame<'_>, tally: &mut Tally) -> Result<(), String> {
    let Some(points) = bodies.body_ids().find(|&b| bodies.mesh(b).triangles().is_empty()) else {
        return Ok(());
    };
    let points = frame.get(points).expect("one of the bodies");
    for body in bodies.body_ids().filter(|&b| !bodies.mesh(b).triangles().is_empty()) {
        // An edit may have opened a surface; then there is no inside, and both say so.
        match scene.inside(body, points) {
            Ok(found) => {
                let truth = brute_force::inside(bodies, frame, body, points).map_err(|e| e.to_string())?;
                same("points inside", &found, &truth, "layered-depth")?;
                tally.points += found.len();
            }
            Err(Error::Open { .. } | Error::OneSided { .. }) => {}
            Err(other) => return Err(text(other)),
        }
    }
    Ok(())
}

/// Where no surface meets itself its volume is plain, and what two share lies between the bounds. The oracle's own volume is
/// rounded: by less than 1e-11 of the box.
fn volumes(
    scene: &mut Scene,
    bodies: &Bodies,
    frame: Frame<'_>,
    truth: &Contacts,
    tally: &mut Tally,
) -> Result<(), String> {
    let is_plain = |body: BodyId| {
        let range = bodies.triangle_range(body);
        let is_own = |t: TriangleId| range.contains(&t.index());
        bodies.mesh(body).topology().is_closed()
            && !range.is_empty()
            && !truth.triangle_pairs.iter().any(|p| is_own(p.a) && is_own(p.b))
    };
    let plain: Vec<BodyId> = bodies.body_ids().filter(|&b| is_plain(b)).collect();
    for (k, &a) in plain.iter().enumerate() {
        for &b in &plain[k + 1..] {
            let truth = brute_force::overlap_volume(bodies, frame, a, b).map_err(|e| e.to_string())?;
            let found = scene.overlap([a, b], Resolution::rays(16)).map_err(text)?;
            let vertices = frame.get(a).expect("one of the bodies");
            let size = Aabb::of(&(0..vertices.len()).map(|v| vertices.get(v)).collect::<Vec<_>>()).size();
            let slack = 1e-11 * size[0] * size[1] * size[2];
            if !(found.lower - slack <= truth && truth <= found.upper + slack) {
                return Err(format!("{a} and {b} share {truth}, not {} to {}", found.lower, found.upper));
            }
            tally.volumes += 1;
        }
    }
    Ok(())
}

/// What is closer than a distance, as features and as triangles.
fn near(scene: &mut Scene, bodies: &[Following], reach: f64, tally: &mut Tally) -> Result<(), String> {
    let all = Bodies::new(bodies.iter().map(|b| b.mesh.clone())).map_err(|e| e.to_string())?;
    let positions: Vec<Vec<[f64; 3]>> = bodies.iter().map(|b| b.positions.clone()).collect();
    let frame = Frame::from(&positions);
    let close = Closeness::below(reach);
    let truth = brute_force::proximity(&all, frame, &close).map_err(|e| e.to_string())?;
    let found = scene.proximity(&close).map_err(text)?;
    let vertex = |v: Element<VertexId>| VertexId(all.vertex_range(v.body).start as u32 + v.id.0);
    let triangle = |t: Element<TriangleId>| TriangleId(all.triangle_range(t.body).start as u32 + t.id.0);
    let edge = |e: Element<[VertexId; 2]>| e.id.map(|id| vertex(Element { body: e.body, id }));
    let vertices: Vec<_> = (found.vertex_triangles.iter())
        .map(|p| (vertex(p.vertex), triangle(p.triangle), p.distance))
        .collect();
    let expected: Vec<_> =
        truth.vertex_triangles.iter().map(|p| (p.vertex, p.triangle, p.distance)).collect();
    same("close vertices", &vertices, &expected, "distance-hierarchy")?;
    let edges: Vec<_> = found.edge_edges.iter().map(|p| (edge(p.a), edge(p.b), p.distance)).collect();
    let expected: Vec<_> = truth.edge_edges.iter().map(|p| (p.a, p.b, p.distance)).collect();
    same("close edges", &edges, &expected, "distance-hierarchy")?;
    tally.near += vertices.len() + edges.len();
    for a in all.body_ids() {
        for b in all.body_ids().filter(|b| *b > a) {
            let truth =
                brute_force::pairs_closer_than(&all, frame, a, b, reach).map_err(|e| e.to_string())?;
            let found: Vec<_> = (scene.closer_than([a, b], reach).map_err(text)?.iter())
                .map(|n| {
                    let [s, t] =
                        [(a, n.pair.a), (b, n.pair.b)].map(|(body, id)| triangle(Element { body, id }));
                    (s, t, n.distance)
                })
                .collect();
            let expected: Vec<_> = truth.iter().map(|n| (n.pair.a, n.pair.b, n.distance)).collect();
            same("close triangles", &found, &expected, "distance-hierarchy")?;
            tally.near += found.len();
        }
    }
    Ok(())
}

/// What hit what since the frame before: every vertex against every triangle, every edge against every edge.
fn impacts(
    scene: &mut Scene,
    bodies: &[Following],
    before: &[Vec<[f64; 3]>],
    tally: &mut Tally,
) -> Result<(), String> {
    let found = scene.impacts().map_err(text)?;
    let all = Bodies::new(bodies.iter().map(|b| b.mesh.clone())).map_err(|e| e.to_string())?;
    let start: Vec<[f64; 3]> = before.iter().flatten().copied().collect();
    let end: Vec<[f64; 3]> = bodies.iter().flat_map(|b| &b.positions).copied().collect();
    let swept = |ids: &[VertexId]| -> Aabb {
        Aabb::of(&ids.iter().flat_map(|v| [start[v.index()], end[v.index()]]).collect::<Vec<_>>())
    };
    let at = |ids: [VertexId; 4]| [&start, &end].map(|p| ids.map(|v| p[v.index()]));
    let triangles: Vec<([VertexId; 3], Aabb)> = all.triangles().iter().map(|t| (*t, swept(t))).collect();
    let mut vertices: Vec<VertexId> = triangles.iter().flat_map(|(t, _)| *t).collect();
    vertices.sort_unstable();
    vertices.dedup();
    let mut edges: Vec<[VertexId; 2]> = (triangles.iter())
        .flat_map(|&([a, b, c], _)| [[a, b], [b, c], [c, a]])
        .filter(|[a, b]| a != b)
        .map(|[a, b]| [a.min(b), a.max(b)])
        .collect();
    edges.sort_unstable();
    edges.dedup();
    let edges: Vec<([VertexId; 2], Aabb)> = edges.into_iter().map(|e| (e, swept(&e))).collect();

    let vertex = |v: Element<VertexId>| VertexId(all.vertex_range(v.body).start as u32 + v.id.0);
    let triangle = |t: Element<TriangleId>| TriangleId(all.triangle_range(t.body).start as u32 + t.id.0);
    let edge = |e: Element<[VertexId; 2]>| e.id.map(|id| vertex(Element { body: e.body, id }));
    let mut truth = Vec::new();
    for &v in &vertices {
        let path = swept(&[v]);
        for (t, (corners, bounds)) in triangles.iter().enumerate() {
            if corners.contains(&v) || !path.overlaps(bounds) {
                continue;
            }
            let [from, to] = at([v, corners[0], corners[1], corners[2]]);
            if continuous::vertex_triangle(&from, &to, 1.0).is_some() {
                truth.push((v, TriangleId(t as u32)));
            }
        }
    }
    let hit: Vec<_> =
        found.vertex_triangles.iter().map(|i| (vertex(i.vertex), triangle(i.triangle))).collect();
    same("vertices that hit", &hit, &truth, "swept-bvh")?;
    tally.impacts += truth.len();
    let mut truth = Vec::new();
    for (i, (a, path)) in edges.iter().enumerate() {
        for (b, bounds) in &edges[i + 1..] {
            if a.iter().any(|v| b.contains(v)) || !path.overlaps(bounds) {
                continue;
            }
            let [from, to] = at([a[0], a[1], b[0], b[1]]);
            if continuous::edge_edge(&from, &to, 1.0).is_some() {
                truth.push((*a, *b));
            }
        }
    }
    let hit: Vec<_> = found.edge_edges.iter().map(|i| (edge(i.a), edge(i.b))).collect();
    same("edges that hit", &hit, &truth, "swept-bvh")?;
    tally.impacts += truth.len();
    Ok(())
}
