//! Random tets, many of them on a small grid so that corners meet, faces touch and volumes vanish.

use crumple::methods::spatial_hash::published::{
    HashFunction, InsideTest, Passes, PublishedParams, TableKind,
};
use crumple::methods::spatial_hash::{Find, SpatialHashParams};
use crumple::{Bodies, Contacts, Detector, Frame, Mesh, Pairs, Positions};
use proptest::prelude::*;

use crate::{Way, hash_at, oracle};

/// Vertices and tets of one body; tets may repeat a vertex, and vertices may be unused.
#[derive(Debug, Clone)]
struct Soup {
    positions: Vec<[f64; 3]>,
    tets: Vec<[u32; 4]>,
    triangles: Vec<[u32; 3]>,
}

/// Points on a grid of 5, or anywhere, or a few far ones among many near ones.
fn points(n: usize) -> impl Strategy<Value = Vec<[f64; 3]>> {
    let grid = (-2i8..=2).prop_map(f64::from);
    let real = -2.0..2.0f64;
    prop_oneof![
        prop::collection::vec(prop::array::uniform3(grid), n),
        prop::collection::vec(prop::array::uniform3(real.clone()), n),
        prop::collection::vec(prop::array::uniform3(prop_oneof![9 => real, 1 => -1e6..1e6f64]), n),
    ]
}

fn soup() -> impl Strategy<Value = Soup> {
    (4usize..24).prop_flat_map(|n| {
        let index = 0..n as u32;
        let tets = prop::collection::vec(prop::array::uniform4(index.clone()), 1..20);
        let triangles = prop::collection::vec(prop::array::uniform3(index), 0..6);
        (points(n), tets, triangles).prop_map(|(positions, tets, triangles)| Soup {
            positions,
            tets,
            triangles,
        })
    })
}

/// Where the scene is, and how large: shifts and scales by powers of two, so that ties stay ties.
fn place() -> impl Strategy<Value = (f64, f64)> {
    prop_oneof![
        Just((1.0, 0.0)),
        Just((1.0, -3.0)),
        Just((1.0, 1_048_576.0)),
        Just((1.0 / 1024.0, -65536.0)),
        Just((2f64.powi(-120), 0.0)),
        Just((2f64.powi(140), 0.0)),
    ]
}

fn mesh_of(soups: &[Soup]) -> (Bodies, Vec<Vec<[f64; 3]>>) {
    let mut bodies = Vec::new();
    let mut positions = Vec::new();
    for soup in soups {
        bodies.push(Mesh::from_tets("solid", soup.positions.len(), &soup.tets).expect("in range"));
        bodies
            .push(Mesh::from_triangles("surface", soup.positions.len(), &soup.triangles).expect("in range"));
        positions.push(soup.positions.clone());
        positions.push(soup.positions.iter().map(|p| [p[1], p[2], p[0]]).collect());
    }
    (Bodies::new(bodies).expect("small"), positions)
}

fn ways() -> impl Strategy<Value = Way> {
    let cell = prop_oneof![2 => Just(None), 1 => (0.05..8.0f64).prop_map(Some)];
    let size = prop_oneof![2 => Just(None), 1 => (1u32..200).prop_map(Some)];
    let hash = prop::sample::select(&HashFunction::ALL[..]);
    let published = (hash, any::<bool>(), any::<bool>(), size).prop_map(|(hash, one, sorted, table_size)| {
        Way::Published(PublishedParams {
            hash,
            table_size,
            passes: if one { Passes::One } else { Passes::Two },
            table: if sorted { TableKind::Sorted } else { TableKind::Stamped },
            test: InsideTest::Exact,
            ..Default::default()
        })
    });
    let way = prop_oneof![2 => Just(Way::Ours(SpatialHashParams::default())), 1 => published];
    (way, cell).prop_map(|(way, cell_size)| with_cell_size(way, |_| cell_size))
}

fn with_cell_size(way: Way, size: impl Fn(Option<f64>) -> Option<f64>) -> Way {
    match way {
        Way::Ours(p) => Way::Ours(SpatialHashParams { cell_size: size(p.cell_size), ..p }),
        Way::Published(p) => Way::Published(PublishedParams { cell_size: size(p.cell_size), ..p }),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn random_tets_equal_brute_force(
        soups in prop::collection::vec(soup(), 1..3),
        (scale, shift) in place(),
        way in ways(),
    ) {
        let (mesh, mut positions) = mesh_of(&soups);
        for p in positions.iter_mut().flatten().flatten() {
            *p = *p * scale + shift;
        }
        let bodies: Vec<Positions<'_>> = positions.iter().map(Positions::from).collect();
        let frame = Frame::new(&bodies);
        let mut hash = with_cell_size(way, |size| size.map(|l| l * scale)).at(&mesh, frame);
        hash.update(&mesh, frame).unwrap().validate().expect("invariants hold");
        for pairs in [Pairs::All, Pairs::Within, Pairs::Between] {
            let mut out = Contacts::default();
            hash.update(&mesh, frame).unwrap().contacts(pairs, &mut out);
            prop_assert_eq!(&out.vertex_tets, &oracle(&mesh, frame, pairs).vertex_tets);
        }
    }

    #[test]
    fn random_edges_and_triangles_equal_brute_force(soups in prop::collection::vec(soup(), 1..3), (scale, shift) in place()) {
        use crumple::methods::brute_force::{Ask, BruteForce};
        let (mesh, mut positions) = mesh_of(&soups);
        for p in positions.iter_mut().flatten().flatten() {
            *p = *p * scale + shift;
        }
        let bodies: Vec<Positions<'_>> = positions.iter().map(Positions::from).collect();
        let frame = Frame::new(&bodies);
        let find = Find { vertex_tets: false, edge_tets: true, triangle_pairs: true };
        let mut hash = hash_at(&mesh, frame, SpatialHashParams { find, ..Default::default() }).expect("valid");
        let mut brute = BruteForce::new(Ask { triangles: true, vertices: false, edges: true });
        brute.update(&mesh, frame).expect("finite");
        let (mut ours, mut truth) = (Contacts::default(), Contacts::default());
        hash.update(&mesh, frame).unwrap().contacts(Pairs::All, &mut ours);
        brute.update(&mesh, frame).unwrap().contacts(Pairs::All, &mut truth);
        prop_assert_eq!(ours, truth);
    }

    /// A sequence of unrelated frames through one detector equals a new detector for each.
    #[test]
    fn updated_equals_built_afresh(soup in soup(), frames in prop::collection::vec(points(24), 2..5), way in ways()) {
        let mesh = Bodies::new([Mesh::from_tets("solid", soup.positions.len(), &soup.tets).expect("in range")]).expect("small");
        let mut kept: Option<Box<dyn Detector>> = None;
        for positions in &frames {
            let positions = [Positions::from(&positions[..soup.positions.len()])];
            let frame = Frame::new(&positions);
            let mut fresh = way.at(&mesh, frame);
            let kept = kept.get_or_insert_with(|| way.at(&mesh, frame));
            kept.update(&mesh, frame).expect("finite");
            let (mut a, mut b) = (Contacts::default(), Contacts::default());
            kept.update(&mesh, frame).unwrap().contacts(Pairs::All, &mut a);
            fresh.update(&mesh, frame).unwrap().contacts(Pairs::All, &mut b);
            prop_assert_eq!(a, b);
        }
    }
}
