//! Layers by their rules, pixel by pixel.

use crumple::methods::layered_depth::image::{BadLayers, Layer, Layers, View};
use crumple::methods::layered_depth::{Holes, LayeredDepth, LayeredDepthParams, Resolution};
use crumple::{Bodies, BodyId, Frame, Positions, VertexId};
use crumple_scenes::{Surface, shapes};
use proptest::prelude::*;

use super::{ball, cuboid, mesh_of, overlap, turned};

/// What is asked of a view of two surfaces.
fn viewed<R>(a: &Surface, b: &Surface, resolution: Resolution, f: impl FnOnce(View<'_>) -> R) -> R {
    viewed_by(LayeredDepth::default(), [a, b], resolution, f)
}

fn accepting() -> LayeredDepth {
    LayeredDepth::new(LayeredDepthParams { holes: Holes::Accept })
}

fn viewed_by<R>(
    mut method: LayeredDepth,
    [a, b]: [&Surface; 2],
    resolution: Resolution,
    f: impl FnOnce(View<'_>) -> R,
) -> R {
    let mesh = mesh_of(&[a, b]);
    let bodies = [Positions::from(&a.positions), Positions::from(&b.positions)];
    let mut volumes = method.update(&mesh, Frame::new(&bodies)).unwrap();
    f(volumes.view([BodyId(0), BodyId(1)], resolution).unwrap().unwrap())
}

/// The rules of [`View`] to the letter: every triangle against every ray, in 128 bits.
fn by_the_rules(view: &View<'_>, body: usize) -> Vec<Vec<Layer>> {
    let lattice = *view.lattice();
    let s = lattice.shift;
    let cross = |p: [i128; 3], q: [i128; 3], r: [i128; 2]| {
        (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0])
    };
    let owns = |p: [i128; 3], q: [i128; 3]| q[1] < p[1] || (q[1] == p[1] && q[0] > p[0]);
    let mut columns = Vec::new();
    for j in 0..i128::from(lattice.resolution[1]) {
        for i in 0..i128::from(lattice.resolution[0]) {
            let ray = [(2 * i + 1) << (s - 1), (2 * j + 1) << (s - 1)];
            let mut column = Vec::new();
            for (t, corners) in view.triangles(body).iter().enumerate() {
                let at = |v: VertexId| {
                    let [x, y, z, _] = view.vertices(body)[v.index()];
                    [x, y, z].map(i128::from)
                };
                let [a, mut b, mut c] = corners.map(at);
                let mut area = cross(a, b, [c[0], c[1]]);
                if area == 0 {
                    continue;
                }
                let step = if area < 0 { 1 } else { -1 };
                if area < 0 {
                    (b, c, area) = (c, b, -area);
                }
                let covers = |p, q| cross(p, q, ray) > 0 || (cross(p, q, ray) == 0 && owns(p, q));
                if covers(a, b) && covers(b, c) && covers(c, a) {
                    let sum = cross(b, c, ray) * a[2] + cross(c, a, ray) * b[2] + cross(a, b, ray) * c[2];
                    column.push(Layer::new(sum.div_euclid(area) as i32, (t as u32).into(), step));
                }
            }
            column.sort();
            columns.push(column);
        }
    }
    columns
}

fn assert_by_the_rules(view: &mut View<'_>) {
    for body in 0..2 {
        assert!(view.far(body).is_empty());
        let layers = view.layers(body);
        let expected = by_the_rules(view, body);
        let [nx, ny] = view.lattice().resolution;
        for j in 0..ny {
            for i in 0..nx {
                assert_eq!(layers.of([i, j]), expected[(j * nx + i) as usize], "body {body} pixel {i} {j}");
            }
        }
        assert_eq!(layers.unbalanced_rays(), 0);
    }
}

#[test]
fn layers_follow_the_rules() {
    let torus = shapes::torus(14, 9, 0.7, 0.3).outward();
    let tilted = turned(cuboid([-0.4; 3], [0.9, 1.3, 0.7]), 0.6);
    for (a, b) in [
        (ball(4, [0.0; 3], 1.0), ball(3, [0.3, 0.2, 0.1], 0.9)),
        (torus.clone(), tilted.clone()),
        (tilted, ball(5, [0.2, 0.0, 0.4], 0.7).flipped()),
        // Centres of an odd number of pixels lie on the symmetry planes of both: ties everywhere.
        (cuboid([-1.0; 3], [2.0; 3]), shapes::box_surface([4, 4, 4], [2.0; 3])),
        (ball(4, [0.0; 3], 1.0).joined(&ball(4, [0.5, 0.0, 0.0], 1.0)), torus),
    ] {
        for n in [1, 5, 16] {
            viewed(&a, &b, Resolution::rays(n), |mut view| assert_by_the_rules(&mut view));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    /// Tetrahedra on a small grid: rays through vertices and edges, faces along the rays, no volume at all.
    #[test]
    fn ties_on_a_grid_keep_the_balance(
        p in prop::collection::vec(prop::array::uniform3(0i8..5), 8),
        n in 1u32..9,
    ) {
        let tet = |p: &[[i8; 3]]| Surface {
            positions: p.iter().map(|p| p.map(f64::from)).collect(),
            triangles: vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]],
        };
        let (a, b) = (tet(&p[..4]), tet(&p[4..]));
        let mesh = mesh_of(&[&a, &b]);
        let bodies = [Positions::from(&a.positions), Positions::from(&b.positions)];
        let mut method = LayeredDepth::default();
        let mut volumes = method.update(&mesh, Frame::new(&bodies)).unwrap();
        if let Some(mut view) = volumes.view([BodyId(0), BodyId(1)], Resolution::rays(n)).unwrap() {
            assert_by_the_rules(&mut view);
        }
    }
}

#[test]
fn spans_are_those_of_the_overlap() {
    let (a, b) = (ball(12, [0.0; 3], 1.0), shapes::torus_knot(160, 8, 0.25));
    let o = overlap(&a, &b, 60);
    viewed(&a, &b, Resolution::rays(60), |mut view| {
        let layers = [view.layers(0), view.layers(1)];
        assert_eq!([0, 1].map(|k| layers[k].depth_complexity()), o.depth_complexity);
        assert_eq!([0, 1].map(|k| layers[k].count()), o.layers);
        let spans = layers[0].common(&layers[1]).unwrap();
        assert_eq!(spans.len(), o.spans);
        assert!((spans.volume() - o.sampled).abs() < 1e-7 * o.sampled, "{} {o:?}", spans.volume());
        let (c, d) = (spans.centroid().unwrap(), o.centroid.unwrap());
        assert!((0..3).all(|k| (c[k] - d[k]).abs() < 1e-6));
        assert_eq!(layers[1].common(&layers[0]).unwrap(), spans);
        let middles: Vec<[f64; 3]> =
            spans.segments().map(|[from, to]| std::array::from_fn(|k| 0.5 * (from[k] + to[k]))).collect();
        for s in [&a, &b] {
            let mesh = mesh_of(&[s]);
            let bodies = [Positions::from(&s.positions)];
            let mut method = LayeredDepth::default();
            let inside =
                method.update(&mesh, Frame::new(&bodies)).unwrap().inside(BodyId(0), &middles).unwrap();
            assert!(inside.iter().all(|&inside| inside));
        }
    });
}

#[test]
fn layers_from_elsewhere_are_checked_and_sorted() {
    let (a, b) = (ball(4, [0.0; 3], 1.0), ball(3, [0.3, 0.2, 0.1], 0.9));
    viewed(&a, &b, Resolution::rays(9), |mut view| {
        let layers = view.layers(0);
        let lattice = *view.lattice();
        let (starts, mut list) = (layers.starts().to_vec(), layers.as_slice().to_vec());
        for c in 0..lattice.columns() {
            list[starts[c] as usize..starts[c + 1] as usize].reverse();
        }
        assert_eq!(Layers::from_parts(lattice, starts.clone(), list.clone()).unwrap(), layers);
        let bad = |starts: Vec<u32>| Layers::from_parts(lattice, starts, list.clone()).unwrap_err();
        assert_eq!(bad(starts[1..].to_vec()), BadLayers::Starts { starts: 81, columns: 81 });
        let mut wrong = starts.clone();
        wrong[40] = wrong[41] + 1;
        assert_eq!(bad(wrong), BadLayers::Order { column: 40 });
        let mut wrong = starts.clone();
        wrong[81] += 1;
        assert_eq!(bad(wrong), BadLayers::Order { column: 80 });
        let other = viewed(&a, &b, Resolution::rays(10), |mut view| view.layers(1));
        assert_eq!(layers.common(&other).unwrap_err(), BadLayers::Lattices);
    });
}

#[test]
fn far_triangles_are_crossed_too() {
    // Triangles of a million, seen through a window of one: beyond ±2^30 units.
    let slab = cuboid([-1e6, -1e6, -1e6], [2e6, 2e6, 1e6]);
    let small = ball(5, [3.0, 4.0, 0.1], 0.5);
    viewed(&slab, &small, Resolution::rays(32), |mut view| {
        assert_eq!(view.far(0).len(), 12);
        let [slab, small] = [view.layers(0), view.layers(1)];
        let top = view.lattice().size[2];
        for j in 0..32 {
            for i in 0..32 {
                let depths: Vec<i32> = slab.of([i, j]).iter().map(|l| l.depth).collect();
                assert!(depths.len() == 2 && depths[0] == -(1 << 30) && (depths[1] - top).abs() <= 1);
            }
        }
        let spans = slab.common(&small).unwrap();
        let below: f64 = small.spans().volume();
        assert!((spans.volume() - below).abs() < 1e-6 * below);
    });
}

#[test]
fn slim_triangles_may_be_far_along_the_rays() {
    // A pillar that leans, a twelfth of the window across and twenty times as long along the rays.
    let pillar = cuboid([-0.02, -0.02, -1.0], [0.04, 0.04, 2.0]);
    let leaning = cuboid([-1.0, -1.0, -0.02], [2.0, 2.0, 0.04])
        .joined(&pillar.mapped(|[x, y, z]| [x + 0.06 * z, y + 0.03 * z, z]));
    let plate = cuboid([-1.0, -1.0, -0.05], [2.0, 2.0, 0.1]);
    viewed(&leaning, &plate, Resolution::rays(37), |mut view| {
        assert!(!view.far(0).is_empty());
        for body in 0..2 {
            let layers = view.layers(body);
            view.validate(body, &layers).unwrap();
            assert_eq!(layers.unbalanced_rays(), 0);
        }
    });
}

#[test]
fn an_open_mesh_has_unbalanced_rays() {
    let (closed, mut open) = (ball(4, [0.5, 0.0, 0.0], 1.0), ball(4, [0.0; 3], 1.0));
    let removed = open.triangles.swap_remove(17).map(|v| open.positions[v as usize]);
    let mesh = mesh_of(&[&open]);
    let bodies = [Positions::from(&open.positions)];
    let mut method = accepting();
    let layers = method
        .update(&mesh, Frame::new(&bodies))
        .unwrap()
        .layers_of(BodyId(0), Resolution::rays(128))
        .unwrap()
        .unwrap();
    let lattice = *layers.lattice();
    let mut count = 0;
    for pixel in layers.unbalanced() {
        // Each runs through the hole.
        let [x, y] = lattice.centre(pixel).map(f64::from);
        let [u, v] = [lattice.axes[0], lattice.axes[1]];
        let at = lattice.world([x, y, 0.0]);
        let side = |p: [f64; 3], q: [f64; 3]| (q[u] - p[u]) * (at[v] - p[v]) - (q[v] - p[v]) * (at[u] - p[u]);
        let [a, b, c] = removed;
        let sides = [side(a, b), side(b, c), side(c, a)];
        assert!(sides.iter().all(|&s| s >= -1e-9) || sides.iter().all(|&s| s <= 1e-9), "{sides:?}");
        count += 1;
    }
    assert!(count > 10 && count == layers.unbalanced_rays());
    let o = super::ask(&closed, &open, Holes::Accept, Resolution::rays(128)).unwrap();
    viewed_by(accepting(), [&closed, &open], Resolution::rays(128), |mut view| {
        assert_eq!([0, 1].map(|k| view.layers(k).unbalanced_rays()), o.unbalanced_rays);
    });
}

#[test]
fn bodies_that_left_the_mesh_do_not_confuse_the_others() {
    let [a, b, c] = [ball(3, [0.0; 3], 1.0), ball(4, [0.5, 0.0, 0.0], 1.0), ball(2, [0.0, 0.6, 0.0], 1.0)];
    let first = mesh_of(&[&a, &b]);
    let mut method = LayeredDepth::default();
    let bodies = [Positions::from(&a.positions), Positions::from(&b.positions)];
    method
        .update(&first, Frame::new(&bodies))
        .unwrap()
        .overlap([BodyId(0), BodyId(1)], Resolution::rays(20))
        .unwrap();
    // Mesh b stays, body a goes, body c is new.
    let second = Bodies::new([first.meshes()[1].clone(), mesh_of(&[&c]).meshes()[0].clone()]).unwrap();
    let bodies = [Positions::from(&b.positions), Positions::from(&c.positions)];
    let o = method
        .update(&second, Frame::new(&bodies))
        .unwrap()
        .overlap([BodyId(0), BodyId(1)], Resolution::rays(20))
        .unwrap();
    assert_eq!(o, overlap(&b, &c, 20));
}

#[test]
fn a_box_without_volume_has_no_layers_and_a_thin_one_is_an_error() {
    let (a, b) = (cuboid([0.0; 3], [1.0; 3]), cuboid([1.0, 0.0, 0.0], [1.0; 3]));
    let mesh = mesh_of(&[&a, &b]);
    let bodies = [Positions::from(&a.positions), Positions::from(&b.positions)];
    let size = Resolution::PixelSize(0.1);
    let mut method = LayeredDepth::default();
    let both = [BodyId(0), BodyId(1)];
    assert_eq!(method.update(&mesh, Frame::new(&bodies)).unwrap().layers(both, size).unwrap(), None);
    let b = cuboid([1.0f64.next_down(), 0.0, 0.0], [1e9, 1.0, 1.0]);
    let bodies = [Positions::from(&a.positions), Positions::from(&b.positions)];
    assert!(method.update(&mesh, Frame::new(&bodies)).unwrap().layers(both, size).is_err());
}

#[cfg(feature = "parallel")]
#[test]
fn many_threads_draw_the_same_layers() {
    let (a, b) = (ball(12, [0.0; 3], 1.0), shapes::torus_knot(200, 8, 0.25));
    let run = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| viewed(&a, &b, Resolution::rays(150), |mut view| [view.layers(0), view.layers(1)]))
    };
    let one = run(1);
    assert!([2, 3, 5].iter().all(|&threads| run(threads) == one));
}
