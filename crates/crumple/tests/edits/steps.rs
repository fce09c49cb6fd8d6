//! Impacts in scenes whose bodies are edited and move in turn.

use crumple::methods::brute_force;
use crumple::{Bodies, BodyId, Features, Frame, Mesh, Scene, StepMethod, TriangleId, VertexId};
use crumple_scenes::Rng;

use super::shapes::{Point, block, sheet, soup};

/// All impacts that a scene tells, as brute force numbers them.
fn impacts(scene: &mut Scene) -> Vec<Features> {
    let found = scene.impacts().unwrap();
    let bodies = scene.bodies();
    let vertex = |body: BodyId, v: VertexId| VertexId(bodies.vertex_range(body).start as u32 + v.0);
    let triangle = |t: TriangleId, body| TriangleId(bodies.triangle_range(body).start as u32 + t.0);
    let vertex_triangles = found.vertex_triangles.iter().map(|hit| {
        let (v, t) = (hit.vertex, hit.triangle);
        Features::VertexTriangle(vertex(v.body, v.id), triangle(t.id, t.body))
    });
    let edge_edges = found.edge_edges.iter().map(|hit| {
        Features::EdgeEdge(hit.a.id.map(|v| vertex(hit.a.body, v)), hit.b.id.map(|v| vertex(hit.b.body, v)))
    });
    vertex_triangles.chain(edge_edges).collect()
}

/// Edits while nothing moves, edits of a body that stands while another one moves, of one that moved, and of several before a
/// question: by both methods, taken in turn and each for itself.
#[test]
fn impacts_in_scenes_follow_edits() {
    let mut rng = Rng::new(1919);
    let (mut all, mut at_rest) = (0, 0);
    for round in 0..12 {
        let list = [sheet(5), soup(60, &mut rng), block(1)];
        let mut scenes: [Scene; 3] = std::array::from_fn(|_| Scene::new());
        for scene in &mut scenes {
            list.iter().for_each(|(mesh, at)| _ = scene.add(mesh.clone(), at).unwrap());
        }
        scenes[0].use_step_method(StepMethod::SweptBvh);
        scenes[1].use_step_method(StepMethod::Regularity);
        let mut now: Vec<Vec<Point>> = list.iter().map(|(_, at)| at.clone()).collect();
        let mut start = now.clone();
        let mut has_moved = false;
        for turn in 0..16 {
            if rng.chance(0.3) {
                start.clone_from(&now);
                let b = rng.below(3);
                for p in &mut now[b] {
                    let by = rng.in_ball();
                    *p = std::array::from_fn(|k| p[k] + 0.05 * by[k]);
                }
                for scene in &mut scenes {
                    scene.set_positions(BodyId(b as u32), &now[b]).unwrap();
                }
                has_moved = true;
            }
            for _ in 0..rng.below(3) {
                let id = BodyId(rng.below(3) as u32);
                edit(&mut scenes, id, &mut now[id.index()], &mut rng);
                has_moved |= start[id.index()] != now[id.index()][..start[id.index()].len()];
                start[id.index()].clone_from(&now[id.index()]);
            }
            if rng.chance(0.3) {
                let method = [StepMethod::SweptBvh, StepMethod::Regularity][rng.below(2)];
                scenes[2].use_step_method(method);
            }
            if rng.chance(0.2) {
                // Another step than the scene's, which is forgotten.
                let far: Vec<Vec<Point>> =
                    now.iter().map(|b| b.iter().map(|p| p.map(|x| 1.1 * x)).collect()).collect();
                scenes.iter_mut().for_each(|scene| _ = scene.safe_step(Frame::from(&far)).unwrap());
            }
            let bodies = Bodies::new(scenes[0].bodies().meshes().iter().cloned()).unwrap();
            let (from, to) = (Frame::from(&start), Frame::from(&now));
            let hits = brute_force::impacts::impacts(&bodies, from, to).unwrap();
            let truth: Vec<Features> = hits.iter().map(|hit| hit.features).collect();
            for (which, scene) in scenes.iter_mut().enumerate() {
                assert_eq!(impacts(scene), truth, "scene {which}, round {round}, turn {turn}");
            }
            all += truth.len();
            at_rest += usize::from(!std::mem::take(&mut has_moved));
        }
    }
    assert!(all > 400 && at_rest > 50, "{all} impacts, {at_rest} times at rest");
}

/// A random edit of a body, in all scenes: an element goes, an edge is split, or a triangle comes, within the others or far away.
fn edit(scenes: &mut [Scene], id: BodyId, positions: &mut Vec<Point>, rng: &mut Rng) {
    let mesh: Mesh = scenes[0].mesh(id).unwrap().clone();
    let kind = rng.below(4);
    let far = if rng.chance(0.3) { 2.0 } else { 1.0 };
    let corners: [Point; 3] = std::array::from_fn(|_| rng.in_box([0.0; 3], [far; 3]));
    let edges = mesh.topology().edges();
    let edge = edges[rng.below(edges.len())];
    let element = rng.below(if mesh.is_solid() { mesh.tet_count() } else { mesh.triangle_count() }) as u32;
    let mut made = None;
    for scene in scenes {
        let changes = scene
            .edit(id, |edit| match kind {
                0 if mesh.is_solid() && mesh.tet_count() > 2 => {
                    edit.remove_tet(mesh.tet_key(crumple::TetId(element)))
                }
                0 if !mesh.is_solid() && mesh.triangle_count() > 2 => {
                    edit.remove_triangle(mesh.triangle_key(TriangleId(element)))
                }
                1 if !mesh.is_solid() => {
                    let [a, b, c] = corners.map(|p| edit.add_vertex_at(p));
                    edit.add_triangle([a, b, c]).map(drop)
                }
                2 if !mesh.is_solid() => {
                    let c = edit.add_vertex_at(corners[0]);
                    edit.add_triangle([edge[0], edge[1], c]).map(drop)
                }
                _ => edit.split_edge(edge[0], edge[1], 0.4).map(drop),
            })
            .unwrap();
        made.get_or_insert(changes);
    }
    made.unwrap().extend_positions(positions);
}
