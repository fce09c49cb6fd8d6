//! VertexDepth depth on overlaps whose depth is known.

use crumple::methods::spatial_hash::{PenetrationDepth, SpatialHashParams, VertexDepth};
use crumple::{Bodies, Contacts, Detector, Frame, Mesh, Pairs, Positions};
use crumple_scenes::Solid;
use crumple_scenes::shapes::tet_box;

use crate::hash_at;

/// Contacts of some solids, each with its penetration: (body of the vertex, vertex, body of the tet).
fn penetrations(solids: &[Solid]) -> Vec<((u32, u32, u32), VertexDepth)> {
    let bodies = solids.iter().map(|s| Mesh::from_tets("solid", s.positions.len(), &s.tets).expect("valid"));
    let mesh = Bodies::new(bodies).expect("small");
    let positions: Vec<Positions<'_>> = solids.iter().map(|s| Positions::from(&s.positions)).collect();
    let frame = Frame::new(&positions);
    let mut hash = hash_at(&mesh, frame, SpatialHashParams::default()).expect("valid parameters");
    let (mut contacts, mut out) = (Contacts::default(), Vec::new());
    hash.update(&mesh, frame).unwrap().contacts(Pairs::All, &mut contacts);
    PenetrationDepth::default().compute(&mesh, frame, &contacts.vertex_tets, &mut out);
    assert_eq!(out.len(), contacts.vertex_tets.len());
    let name = contacts.vertex_tets.iter().map(|c| {
        let (a, v) = mesh.locate_vertex(c.vertex);
        (a.0, v.0, mesh.locate_tet(c.tet).0.0)
    });
    let mut named: Vec<_> = name.zip(out).collect();
    named.sort_by_key(|n| n.0);
    named.dedup_by_key(|n| n.0);
    named
}

fn slab() -> Solid {
    tet_box([6, 6, 4], [6.0, 6.0, 4.0])
}

/// A slender box whose lower end is at height `z`, slightly off the grid of the slab.
fn box_at(z: f64) -> Solid {
    tet_box([2, 2, 8], [1.0, 1.0, 8.0]).mapped(|p| [p[0] + 0.137, p[1] - 0.211, p[2] + 4.0 + z])
}

#[test]
fn pressed_into_a_slab_the_depth_is_the_height_below_its_top() {
    // Deeper than half the slab the nearest surface is below; the way out stays up.
    for z in [1.75, 0.25, -1.15] {
        let solids = [slab(), box_at(z)];
        let inside: Vec<_> = penetrations(&solids).into_iter().filter(|n| n.0.0 == 1).collect();
        let below = solids[1].positions.iter().filter(|p| p[2] <= 2.0).count();
        assert_eq!(inside.len(), below);
        for ((_, v, _), penetration) in inside {
            let height = 2.0 - solids[1].positions[v as usize][2];
            assert!((penetration.depth - height).abs() < 1e-9, "{penetration:?} at {height} below");
            assert!((penetration.direction[2] - 1.0).abs() < 1e-9);
        }
    }
}

#[test]
fn a_body_wholly_inside_has_the_nearest_surface() {
    let small = tet_box([2, 2, 2], [0.5; 3]).mapped(|p| [p[0] + 0.1, p[1] + 0.2, p[2] + 1.3]);
    let inside: Vec<_> = penetrations(&[slab(), small.clone()]).into_iter().filter(|n| n.0.0 == 1).collect();
    assert_eq!(inside.len(), small.positions.len());
    for ((_, v, _), penetration) in inside {
        let height = 2.0 - small.positions[v as usize][2];
        assert!((penetration.depth - height).abs() < 1e-12);
        assert!((penetration.direction[2] - 1.0).abs() < 1e-12);
    }
}

#[test]
fn the_order_of_bodies_does_not_matter() {
    let (a, b) = (slab(), box_at(0.4).mapped(|p| [p[0] + 0.3 * p[2], p[1], p[2]]));
    let forth = penetrations(&[a.clone(), b.clone()]);
    let mut back = penetrations(&[b, a]);
    for name in &mut back {
        name.0 = (1 - name.0.0, name.0.1, 1 - name.0.2);
    }
    back.sort_by_key(|n| n.0);
    assert!(!forth.is_empty());
    assert_eq!(forth, back);
}

#[test]
fn a_body_through_itself_has_a_way_out() {
    let scene = crumple_scenes::by_name("bar-through-itself").expect("registered");
    for frame in 0..scene.frames() {
        let body = &scene.bodies[0];
        let solid = Solid { positions: body.frames[frame].clone(), tets: body.elements.tets().to_vec() };
        for (_, penetration) in penetrations(&[solid]) {
            let length: f64 = penetration.direction.iter().map(|x| x * x).sum();
            assert!(
                (length - 1.0).abs() < 1e-12 && penetration.depth.is_finite() && penetration.depth >= 0.0
            );
        }
    }
}
