//! Bodies that are cut, torn, split and fused while they deform: after every edit the answers are those of brute force, and
//! what is kept is no more than what is needed. `CRUMPLE_EDITS` says how many edits.

mod compare;
mod memory;
mod shapes;
mod steps;
mod world;

use std::sync::atomic::Ordering;

use crumple::methods::brute_force;
use crumple::methods::bucket_tree::{BucketTree, BucketTreeParams};
use crumple::methods::regularity::{Regularity, RegularityParams};
use crumple::{Bodies, BodyId, Contacts, Detector, Frame, Mesh, Pairs, Scene, TriangleId};
use crumple_scenes::Rng;

use self::memory::HELD;
use self::shapes::{Point, closed_box, sheet, soup};
use self::world::World;

/// Whether one body holds another, while both are edited: components come off and grow together, the outer surface opens, closes
/// and is turned in part.
#[test]
fn containment_follows_edits() {
    let mut rng = Rng::new(7);
    let mut scene = Scene::new();
    let (outer, at) = closed_box(6);
    let outer = scene.add(outer, &at).unwrap();
    let (inner, at) = sheet(7);
    let at: Vec<Point> = at.iter().map(|p| p.map(|x| 0.2 + 0.6 * x)).collect();
    let inner = scene.add(inner, &at).unwrap();
    let mut seen = [0; 3];
    for edit in 0..200 {
        match rng.below(6) {
            // A hole that is closed by the next edit of this kind, or the turned triangle there is turned back.
            0 | 1 => {
                let mesh = scene.mesh(outer).unwrap().clone();
                let t = TriangleId(rng.below(mesh.triangle_count()) as u32);
                let [a, b, c] = mesh.triangle(t);
                let is_opened = rng.chance(0.2);
                let change = |edit: &mut crumple::Edit| {
                    edit.remove_triangle(mesh.triangle_key(t))?;
                    if is_opened { Ok(()) } else { edit.add_triangle([a, c, b]).map(drop) }
                };
                scene.edit(outer, change).unwrap();
            }
            2 => {
                let (mesh, at) = closed_box(6);
                scene.replace(outer, mesh, &at).unwrap();
            }
            3 if edit % 5 == 0 => {
                // A piece of its own, which may lie outside.
                let by = rng.in_box([0.3; 3], [1.4; 3]);
                scene
                    .edit(inner, |edit| {
                        let new =
                            [0.0, 0.05, 0.1].map(|x| edit.add_vertex_at([by[0] + x, by[1], by[2] + x * x]));
                        edit.add_triangle(new)
                    })
                    .unwrap();
            }
            _ => {
                let mesh = scene.mesh(inner).unwrap().clone();
                if mesh.triangle_count() < 20 {
                    let (mesh, _) = sheet(7);
                    scene.replace(inner, mesh, &at).unwrap();
                } else {
                    let key = mesh.triangle_key(TriangleId(rng.below(mesh.triangle_count()) as u32));
                    scene.edit(inner, |edit| edit.remove_triangle(key)).unwrap();
                }
            }
        }
        let found = scene.distances(f64::INFINITY).unwrap();
        let truth =
            brute_force::distance(scene.bodies(), scene.current_frame(), outer, inner).unwrap().unwrap();
        assert_eq!(found[0].distance.distance, truth.distance, "edit {edit}");
        assert_eq!(found[0].distance.contains, truth.contains, "edit {edit}");
        seen[truth.contains.map_or(2, |c| c as usize)] += 1;
    }
    assert!(seen[0] > 20 && seen[2] > 20, "{seen:?}");
}

/// A hierarchy that edits have worn is replaced by one that was built in the background, while edits and motions go on.
#[test]
fn a_worn_hierarchy_is_replaced_while_edits_go_on() {
    let mut rng = Rng::new(3);
    let list = [sheet(60), soup(150, &mut rng)];
    let mut positions: Vec<Vec<Point>> = list.iter().map(|(_, at)| at.clone()).collect();
    let mut bodies = Bodies::new(list.iter().map(|(mesh, _)| mesh.clone())).unwrap();
    let mut regularity = Regularity::new(RegularityParams::default()).unwrap();
    let mut bucket_tree = BucketTree::new(BucketTreeParams::default()).unwrap();
    let mut pairs = 0;
    for round in 0..70 {
        let mesh = bodies.mesh(BodyId(0)).clone();
        let mut edit = mesh.edit();
        let first = rng.below(mesh.triangle_count());
        for n in 0..50 {
            let t = TriangleId(((first + 97 * n) % mesh.triangle_count()) as u32);
            edit.remove_triangle(mesh.triangle_key(t)).unwrap();
        }
        let edge = mesh.triangle(TriangleId(((first + 40) % mesh.triangle_count()) as u32));
        edit.split_edge(edge[0], edge[1], 0.4).ok();
        let (mesh, changes) = edit.finish();
        changes.extend_positions(&mut positions[0]);
        bodies.set_mesh(BodyId(0), mesh).unwrap();
        let is_moved = round % 3 == 0;
        if is_moved {
            positions[0].iter_mut().for_each(|p| p[2] += 0.002 * rng.in_ball()[2]);
        }
        let frame = Frame::from(&positions);
        let frame = if is_moved || round == 0 { frame } else { frame.at_rest() };
        let [mut found, mut truth] = [Contacts::default(), Contacts::default()];
        let mut ready = regularity.update(&bodies, frame).unwrap();
        ready.contacts(Pairs::All, &mut found);
        ready.validate().unwrap_or_else(|broken| panic!("round {round}: {broken}"));
        bucket_tree.update(&bodies, frame).unwrap().contacts(Pairs::All, &mut truth);
        assert_eq!(found.triangle_pairs, truth.triangle_pairs, "round {round}");
        pairs += truth.triangle_pairs.len();
    }
    assert!(pairs > 1000, "{pairs}");
}

#[test]
fn random_edits_cuts_and_fuses_equal_brute_force() {
    let edits = std::env::var("CRUMPLE_EDITS").ok().and_then(|n| n.parse().ok()).unwrap_or(150);
    let mut rng = Rng::new(19);
    let mut world = World::new(&mut rng);
    world.compare("nothing");
    for edit in 0..edits {
        let what = world.edit(&mut rng);
        world.compare(&format!("edit {edit}, {what}"));
        if rng.chance(0.4) {
            world.deform(&mut rng);
            world.compare(&format!("a motion after edit {edit}"));
        }
        if (edit + 1) % 500 == 0 {
            eprintln!(
                "{} edits, {} comparisons, {} kB held",
                edit + 1,
                world.compared,
                HELD.load(Ordering::Relaxed) >> 10
            );
        }
    }
    // A scene that has followed every edit holds little more than one that is built of what is left.
    let [auto, ..] = world.scenes;
    drop((world.bucket_tree, world.regularity));
    let before = HELD.load(Ordering::Relaxed);
    drop(auto);
    let kept = before - HELD.load(Ordering::Relaxed);
    let mut afresh = Scene::new();
    for (mesh, positions) in world.bodies.meshes().iter().zip(&world.positions) {
        let triangles: Vec<_> = mesh.triangles().iter().map(|c| c.map(|v| v.0)).collect();
        let tets: Vec<_> = mesh.tets().iter().map(|c| c.map(|v| v.0)).collect();
        let mesh = if mesh.is_solid() {
            Mesh::from_tets("new", positions.len(), &tets)
        } else {
            Mesh::from_triangles("new", positions.len(), &triangles)
        };
        afresh.add(mesh.unwrap(), positions).unwrap();
    }
    afresh.prepare(crumple::Question::Contacts).unwrap();
    let _ = afresh.contacts().unwrap();
    let before = HELD.load(Ordering::Relaxed);
    drop(afresh);
    let needed = before - HELD.load(Ordering::Relaxed);
    // Hierarchies are repaired into memory behind what they had, up to a part of the body and some hundred kB besides.
    let slack = world.bodies.meshes().len() << 21;
    assert!(kept < 4 * needed + slack, "{kept} bytes kept, {needed} needed");
}
