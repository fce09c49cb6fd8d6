use super::*;
use crate::{BodyId, TetId, TetKey, TriangleId, TriangleKey, VertexId};
use proptest::prelude::*;

fn strip(n: u32, twist: bool) -> Mesh {
    // A band of n quads; closing it with a twist gives a Möbius strip.
    let quad = |i: u32| {
        let (a, b) = (2 * i, 2 * i + 1);
        let (c, d) = if i + 1 < n {
            (2 * i + 2, 2 * i + 3)
        } else if twist {
            (1, 0)
        } else {
            (0, 1)
        };
        [[a, b, c], [b, d, c]]
    };
    let triangles: Vec<_> = (0..n).flat_map(quad).collect();
    Mesh::from_triangles("strip", 2 * n as usize, &triangles).unwrap()
}

#[test]
fn a_band_has_two_loops_and_a_moebius_strip_one() {
    let band = strip(6, false);
    assert_eq!(band.topology().boundary_loops().len(), 2);
    assert_eq!(band.topology().orientation(), Orientation::Consistent);
    let moebius = strip(6, true);
    assert_eq!(moebius.topology().boundary_loops().len(), 1);
    assert_eq!(moebius.topology().boundary_loops()[0].vertices.len(), 12);
    assert_eq!(moebius.topology().orientation(), Orientation::NonOrientable);
}

#[test]
fn the_minority_is_flipped() {
    let body = Mesh::from_triangles("b", 5, &[[0, 1, 2], [1, 3, 2], [3, 2, 4]]).unwrap();
    // Triangle 2 runs 3 -> 2 as triangle 1 does.
    assert_eq!(body.topology().orientation(), Orientation::Inconsistent);
    let flipped: Vec<_> = (0..3).map(|t| body.topology().is_flipped(TriangleId(t))).collect();
    assert_eq!(flipped, [false, false, true]);
}

#[test]
fn faults_are_found_by_element() {
    // Three triangles on one edge, a bow tie at vertex 0, a duplicate, a collapsed triangle, an unused vertex.
    let triangles = [[0, 1, 2], [1, 0, 3], [0, 1, 4], [0, 5, 6], [2, 0, 1], [7, 7, 8]];
    let body = Mesh::from_triangles("b", 10, &triangles).unwrap();
    let topology = body.topology();
    let edge = topology.non_manifold_edges();
    assert_eq!(edge.len(), 1);
    assert_eq!(topology.edges()[edge[0].index()], [VertexId(0), VertexId(1)]);
    assert_eq!(topology.non_manifold_vertices(), [VertexId(0)]);
    assert_eq!(topology.duplicates().collect::<Vec<_>>(), [(TriangleId(4), TriangleId(0))]);
    assert_eq!(topology.collapsed(), [TriangleId(5)]);
    assert_eq!(topology.unused_vertices(), [VertexId(9)]);
    assert!(!topology.is_closed());
}

#[test]
fn a_huge_fan_is_analysed_in_linear_time() {
    let n = 200_000;
    let triangles: Vec<_> = (0..n).map(|i| [0, 1 + 2 * i, 2 + 2 * i]).collect();
    let body = Mesh::from_triangles("fan", 1 + 2 * n as usize, &triangles).unwrap();
    assert_eq!(body.topology().non_manifold_vertices(), [VertexId(0)]);
    assert_eq!(body.topology().component_count(), n as usize);
    let steps: usize = body.topology().boundary_loops().iter().map(|l| l.vertices.len()).sum();
    assert_eq!(steps, 3 * n as usize);
}

#[test]
fn two_tets_have_six_outward_faces() {
    let body = Mesh::from_tets("pair", 5, &[[0, 1, 2, 3], [1, 2, 3, 4]]).unwrap();
    assert_eq!(body.triangles().len(), 6);
    assert_eq!(body.tet_of(TriangleId(0)), Some((TetId(0), 1)));
    assert_eq!(body.tet_of(TriangleId(5)), Some((TetId(1), 2)));
    assert_eq!(body.tet_topology().neighbour(TetId(0), 0), Some(TetId(1)));
    assert_eq!(body.tet_topology().neighbour(TetId(1), 3), Some(TetId(0)));
    assert_eq!(body.tet_topology().neighbour(TetId(0), 1), None);
    assert_eq!(body.tet_topology().edges().len(), 9);
    assert!(body.topology().is_closed());
    // A single positive tet: every face's normal points away from the opposite vertex.
    let p = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    let tet = Mesh::from_tets("tet", 4, &[[0, 1, 2, 3]]).unwrap();
    for (t, corners) in tet.triangles().iter().enumerate() {
        let [a, b, c] = corners.map(|v| glam::DVec3::from(p[v.index()]));
        let apex = glam::DVec3::from(p[tet.tet_of(TriangleId(t as u32)).unwrap().1 as usize]);
        assert!((b - a).cross(c - a).dot(apex - a) < 0.0);
    }
}

#[test]
fn polygons_keep_their_numbers() {
    let polygons: [&[u32]; 4] = [&[0, 1, 2, 3], &[0, 1], &[1, 2, 3], &[0, 1, 2, 3, 4]];
    let body = Mesh::from_polygons("p", 5, polygons).unwrap();
    let owners: Vec<_> = (0..6).map(|t| body.polygon_of(TriangleId(t)).0).collect();
    assert_eq!(owners, [0, 0, 2, 3, 3, 3]);
    assert_eq!(body.triangles()[5], [0, 3, 4].map(VertexId));
    assert_eq!(body.polygon_count(), 4);
}

#[test]
fn bad_indices_are_named() {
    let error = Mesh::from_triangles("b", 3, &[[0, 1, 2], [0, 1, 3]]).unwrap_err();
    assert_eq!(error.to_string(), "triangle 1 uses vertex 3, but there are only 3 vertices");
    assert!(Mesh::from_tets("b", 3, &[[0, 1, 2, 9]]).is_err());
}

#[test]
fn empty_bodies_are_bodies() {
    let bodies =
        Bodies::new([Mesh::from_triangles("none", 0, &[]).unwrap(), Mesh::from_points("cloud", 7).unwrap()])
            .unwrap();
    assert_eq!(bodies.vertex_count(), 7);
    assert!(bodies.triangles().is_empty());
    assert_eq!(bodies.mesh(BodyId(0)).topology().orientation(), Orientation::Consistent);
    assert_eq!(bodies.locate_vertex(VertexId(3)), (BodyId(1), VertexId(3)));
}

#[test]
fn keys_outlive_edits() {
    let body = Mesh::from_triangles("b", 4, &[[0, 1, 2], [0, 2, 3]]).unwrap();
    let mut edit = body.edit();
    let first = edit.split_edge(VertexId(0), VertexId(2), 0.25).unwrap();
    assert_eq!(first, VertexId(4));
    // The pieces of the first split can be split again within the same edit.
    edit.split_edge(VertexId(4), VertexId(1), 0.5).unwrap();
    edit.remove_triangle(TriangleKey(4)).unwrap();
    let (next, changes) = edit.finish();
    assert_eq!(next.version(), 1);
    assert_eq!(changes.triangles_removed, [TriangleKey(0), TriangleKey(1)]);
    // Keys 2 and 3 came from triangle 0 and were split; 4 was removed.
    let mut keys: Vec<_> =
        (0..next.triangles().len()).map(|t| next.triangle_key(TriangleId(t as u32)).0).collect();
    keys.sort_unstable();
    assert_eq!(keys, [5, 6, 7, 8, 9]);
    assert_eq!(next.triangle_with_key(TriangleKey(2)), None);
    assert!((0..5).all(|t| next.polygon_of(TriangleId(t)).0 < 2));
    let mut positions = vec![[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [4.0, 4.0, 0.0], [0.0, 4.0, 0.0]];
    changes.extend_positions(&mut positions);
    assert_eq!(positions[4], [1.0, 1.0, 0.0]);
    assert_eq!(positions[5], [2.5, 0.5, 0.0]);
    // A second edit starts from the keys of the first.
    let (last, changes) = {
        let mut edit = next.edit();
        assert!(edit.remove_triangle(TriangleKey(0)).is_err());
        edit.remove_triangle(TriangleKey(5)).unwrap();
        edit.add_triangle([0, 1, 2].map(VertexId)).unwrap();
        edit.finish()
    };
    assert_eq!(changes.triangles_added[0].key, TriangleKey(10));
    assert_eq!(last.triangles().len(), 5);
    assert_eq!(last.polygon_count(), 3);
}

#[test]
fn a_duplicated_vertex_opens_a_surface() {
    let band = strip(4, false);
    let topology = band.topology();
    let cut: Vec<_> =
        topology.triangles_at(VertexId(0)).iter().map(|t| band.triangle_key(*t)).take(1).collect();
    let mut edit = band.edit();
    let copy = edit.duplicate_vertex(VertexId(0), &cut).unwrap();
    assert!(edit.duplicate_vertex(VertexId(5), &cut).is_err(), "triangle 0 does not use vertex 5");
    let (next, changes) = edit.finish();
    assert_eq!(changes.triangles_changed, cut);
    assert_eq!(changes.vertices[0].parents, [(VertexId(0), 1.0)]);
    assert_eq!(next.topology().triangles_at(copy).len(), 1);
    assert_eq!(next.topology().triangles_at(VertexId(0)).len(), topology.triangles_at(VertexId(0)).len() - 1);
}

#[test]
fn boundary_faces_keep_their_keys_while_tets_change() {
    let body = Mesh::from_tets("pair", 5, &[[0, 1, 2, 3], [1, 2, 3, 4]]).unwrap();
    let mut edit = body.edit();
    assert!(edit.remove_triangle(TriangleKey(0)).is_err());
    edit.remove_tet(TetKey(1)).unwrap();
    let (one, changes) = edit.finish();
    assert_eq!(one.triangles().len(), 4);
    assert_eq!(changes.triangles_removed, [3, 4, 5].map(TriangleKey));
    assert_eq!(changes.triangles_added.len(), 1);
    assert_eq!(one.triangle_with_key(TriangleKey(0)), Some(TriangleId(0)));
    let mut edit = one.edit();
    edit.split_tet(TetKey(0), [0.25; 4]).unwrap();
    let (four, changes) = edit.finish();
    assert_eq!(four.tets().len(), 4);
    assert_eq!(four.triangles().len(), 4);
    assert_eq!(changes.tets_added.len(), 4);
    assert!(four.topology().is_closed());
}

#[test]
fn triangles_on_one_edge_cost_linear_time() {
    // A polygon that runs round three vertices again and again, and a fan of triangles that share an edge: looking at
    // every pair of triangles of an edge would take the better part of an hour.
    const MANY: u32 = 1_000_000;
    let corners: Vec<u32> = (0..MANY).map(|i| i % 3).collect();
    let polygon = Mesh::from_polygons("polygon", 3, [&corners[..]]).unwrap();
    assert_eq!(polygon.topology().edges().len(), 3);
    assert_eq!(polygon.topology().component_count(), 1);
    let triangles: Vec<[u32; 3]> = (2..MANY).map(|v| [0, 1, v]).collect();
    let book = Mesh::from_triangles("book", MANY as usize, &triangles).unwrap();
    assert_eq!(book.topology().non_manifold_edges().len(), 1);
    assert!(book.topology().non_manifold_vertices().is_empty());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]
    #[test]
    fn edges_are_counted_without_a_topology(
        triangles in prop::collection::vec([0u32..14, 0..14, 0..14], 0..60),
    ) {
        let mesh = Mesh::from_triangles("any", 14, &triangles).expect("few");
        let (counted, is_closed) = (mesh.edge_count(), mesh.is_closed());
        prop_assert_eq!(counted, mesh.topology().edges().len());
        prop_assert_eq!(counted, mesh.edge_count());
        prop_assert_eq!(is_closed, mesh.topology().is_closed());
        prop_assert_eq!(is_closed, mesh.adjacency().is_closed());
    }
}
