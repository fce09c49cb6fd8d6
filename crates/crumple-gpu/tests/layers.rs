//! Layers of the graphics processor against those of the engine: all columns, all fields, no tolerance.

use std::sync::{LazyLock, Mutex};

use crumple::methods::layered_depth::image::{Layers, View};
use crumple::methods::layered_depth::{Holes, LayeredDepth, LayeredDepthParams, Resolution};
use crumple::{Bodies, BodyId, Frame, Mesh, Positions};
use crumple_gpu::{Gpu, GpuError, Wanted};
use crumple_scenes::{Surface, shapes};
use proptest::prelude::*;

/// One for all tests, so that its memory has seen other images before.
static GPU: LazyLock<Mutex<Result<Gpu, GpuError>>> = LazyLock::new(|| Mutex::new(Gpu::new(&Wanted::Any)));

/// What is asked of the device; where there is none the test says so and is skipped, unless `CRUMPLE_GPU_REQUIRED` is
/// set.
fn with_gpu(f: impl FnOnce(&mut Gpu)) {
    match &mut *GPU.lock().unwrap_or_else(|e| e.into_inner()) {
        Ok(gpu) => f(gpu),
        Err(why) if std::env::var_os("CRUMPLE_GPU_REQUIRED").is_none() => eprintln!("SKIPPED: {why}"),
        Err(why) => panic!("CRUMPLE_GPU_REQUIRED is set, but {why}"),
    }
}

fn viewed<R>(a: &Surface, b: &Surface, resolution: [u32; 2], f: impl FnOnce(View<'_>) -> R) -> Option<R> {
    let body = |s: &Surface| Mesh::from_triangles("body", s.positions.len(), &s.triangles).unwrap();
    let mesh = Bodies::new([body(a), body(b)]).unwrap();
    let bodies = [Positions::from(&a.positions), Positions::from(&b.positions)];
    let mut method = LayeredDepth::new(LayeredDepthParams { holes: Holes::Accept });
    let mut volumes = method.update(&mesh, Frame::new(&bodies)).unwrap();
    let view = volumes.view([BodyId(0), BodyId(1)], Resolution::Pixels(resolution));
    view.expect("bodies that can be sampled").map(f)
}

/// Column by column, so that a difference is found where it is.
fn assert_equal(gpu: &Layers, cpu: &Layers, what: &str) {
    assert_eq!(gpu.lattice(), cpu.lattice());
    let [nx, ny] = cpu.lattice().resolution;
    for j in 0..ny {
        for i in 0..nx {
            assert_eq!(gpu.of([i, j]), cpu.of([i, j]), "{what}, pixel {i} {j}");
        }
    }
    assert!(gpu == cpu, "{what}");
}

fn assert_view(gpu: &mut Gpu, view: &mut View<'_>, what: &str) -> usize {
    let mut layers = 0;
    for body in 0..2 {
        let (theirs, ours) = (gpu.layers(view, body).unwrap(), view.layers(body));
        assert_equal(&theirs, &ours, &format!("{what}, body {body}"));
        layers += ours.as_slice().len();
    }
    layers
}

/// Compares both bodies, and says how many layers there were.
fn compare(gpu: &mut Gpu, a: &Surface, b: &Surface, resolution: [u32; 2], what: &str) -> usize {
    viewed(a, b, resolution, |mut view| assert_view(gpu, &mut view, what)).unwrap_or(0)
}

fn cuboid(min: [f64; 3], size: [f64; 3]) -> Surface {
    let s = shapes::box_surface([1, 1, 1], [1.0; 3]).outward();
    let (lo, hi) = crumple_scenes::vector::bounds(&s.positions);
    s.mapped(|p| std::array::from_fn(|k| min[k] + size[k] * (p[k] - lo[k]) / (hi[k] - lo[k])))
}

fn ball(n: usize, centre: [f64; 3], radius: f64) -> Surface {
    shapes::icosphere(n).outward().mapped(|p| std::array::from_fn(|k| centre[k] + radius * p[k]))
}

#[test]
fn solids_are_equal_at_every_resolution() {
    let torus = shapes::torus(40, 20, 0.7, 0.3).outward();
    let pairs = [
        ("balls", ball(9, [0.0; 3], 1.0), ball(5, [0.3, 0.2, 0.1], 0.9)),
        ("torus and inverted ball", torus.clone(), ball(4, [0.2, 0.0, 0.1], 0.7).flipped()),
        ("knot and blob", shapes::torus_knot(300, 12, 0.25), shapes::blob(12, 3, 0.2)),
        ("torus and balls joined", torus, ball(4, [0.0; 3], 1.0).joined(&ball(4, [0.5, 0.0, 0.0], 1.0))),
    ];
    with_gpu(|gpu| {
        for (what, a, b) in &pairs {
            let mut layers = 0;
            for resolution in [[1, 1], [7, 7], [8, 9], [64, 64], [1, 300], [201, 3], [130, 97]] {
                layers += compare(gpu, a, b, resolution, what);
            }
            assert!(layers > 10_000, "{what}: {layers}");
        }
    });
}

/// Boxes whose edges, corners and diagonals run through the centres of pixels.
#[test]
fn ties_are_settled_alike() {
    let whole = cuboid([-1.0; 3], [2.0; 3]);
    let parts = shapes::box_surface([4, 4, 4], [2.0; 3]).outward();
    let thin = cuboid([-1.0, -1.0, 0.0], [2.0, 2.0, 1e-9]);
    with_gpu(|gpu| {
        for n in [1, 2, 3, 4, 5, 8, 15, 16, 31, 33] {
            assert!(compare(gpu, &whole, &parts, [n, n], "boxes") > 0);
            compare(gpu, &thin, &parts, [n, 2 * n], "a thin box");
        }
    });
}

/// Triangles many times larger than the image, up to just below the limit of the lattice and beyond it.
#[test]
fn near_and_far_triangles_are_equal() {
    let small = ball(6, [3.0, 4.0, 0.1], 0.5);
    with_gpu(|gpu| {
        // The limit is eight times the image, which is about 1 by 1 by 0.4.
        for size in [1.0, 3.0, 7.3, 7.7, 100.0, 1e6] {
            let slab = cuboid([3.0 - size, 4.0 - size, -0.4 * size], [2.0 * size, 2.0 * size, 0.4 * size]);
            let slanted = slab.clone().mapped(|[x, y, z]| [x, y, z + 0.3 * (x - 3.0) - 0.2 * (y - 4.0)]);
            for (what, large) in [("slab", &slab), ("slanted", &slanted)] {
                assert!(compare(gpu, large, &small, [33, 32], &format!("{what} of {size}")) > 1000);
            }
            let far = viewed(&slab, &small, [4, 4], |view| view.far(0).len()).unwrap();
            assert_eq!(far > 0, size > 7.5, "{size}");
        }
    });
}

/// Columns of 300 layers, which are sorted as heaps, and of 10,000, which the engine sorts.
#[test]
fn any_number_of_layers_is_sorted() {
    let stack = |n: usize| {
        let sheet = |k: usize| cuboid([0.0, 0.0, 2.0 * k as f64], [1.0, 1.0, 1.0]);
        let mut order: Vec<usize> = (0..n).collect();
        order.sort_by_key(|k| k * 7919 % n);
        order.into_iter().fold(Surface::default(), |stack, k| stack.joined(&sheet(k)))
    };
    with_gpu(|gpu| {
        for n in [10, 13, 150, 5000] {
            let all = cuboid([0.0, 0.0, -1.0], [1.0, 1.0, 2.0 * n as f64 + 2.0]);
            let lying = [stack(n), all].map(|s| s.mapped(|[x, y, z]| [x, y, z * 1e-5]));
            let layers = compare(gpu, &lying[0], &lying[1], [3, 4], &format!("{n} sheets"));
            assert_eq!(layers, 12 * (2 * n + 2));
        }
    });
}

/// What does not fit a buffer is drawn in parts: bands of rows, parts of a row, parts of the mesh.
#[test]
fn small_buffers_give_the_same_layers() {
    let (a, b) = (shapes::torus_knot(200, 10, 0.25), ball(8, [0.2, 0.1, 0.0], 1.2));
    with_gpu(|gpu| {
        assert!(compare(gpu, &a, &b, [50, 40], "large buffers") > 4000);
    });
    for bytes in [1 << 10, 1 << 12, 1 << 14, 1 << 16] {
        with_gpu(|_| {
            let mut gpu = Gpu::new(&Wanted::Any).unwrap();
            gpu.limit_buffers(bytes);
            assert!(compare(&mut gpu, &a, &b, [50, 40], &format!("{bytes} bytes")) > 4000);
        });
    }
}

#[test]
fn one_ray_with_more_layers_than_a_buffer_holds_is_an_error() {
    let sheet = |k: usize| cuboid([0.0, 0.0, 2e-5 * k as f64], [1.0, 1.0, 1e-5]);
    let stack = (0..100).fold(Surface::default(), |stack, k| stack.joined(&sheet(k)));
    with_gpu(|_| {
        let mut gpu = Gpu::new(&Wanted::Any).unwrap();
        gpu.limit_buffers(0);
        viewed(&stack, &stack, [2, 2], |view| {
            assert!(matches!(gpu.layers(&view, 0), Err(GpuError::TooLarge { .. })));
        });
    });
}

#[test]
fn half_a_million_triangles_are_equal() {
    let (a, b) = (shapes::blob(161, 7, 0.3), ball(20, [0.4, 0.1, 0.2], 1.0));
    assert!(a.triangles.len() > 518_000);
    with_gpu(|gpu| {
        for n in [128, 512] {
            assert!(compare(gpu, &a, &b, [n, n], "520k") > (n * n) as usize);
        }
    });
}

/// The surfaces of a directory that `CRUMPLE_DATA` names, each over its own box.
#[test]
fn real_surfaces_are_equal() {
    let Some(data) = std::env::var_os("CRUMPLE_DATA") else { return };
    let files =
        std::fs::read_dir(std::path::Path::new(&data).join("surfaces")).expect("a directory of surfaces");
    with_gpu(|gpu| {
        let mut drawn = 0;
        for file in files.map(|file| file.expect("a readable directory").path()) {
            let Ok(read) = crumple_io::read(&file) else { continue };
            let body = Mesh::from_polygons("surface", read.positions.len(), read.polygons.iter());
            let Ok(mesh) = body.and_then(|body| Bodies::new([body])) else { continue };
            let bodies = [Positions::from(&read.positions)];
            let mut method = LayeredDepth::new(LayeredDepthParams { holes: Holes::Accept });
            let mut volumes = method.update(&mesh, Frame::new(&bodies)).unwrap();
            match volumes.view_of(BodyId(0), Resolution::default()) {
                Ok(Some(mut view)) => {
                    let theirs = gpu.layers(&view, 0).unwrap();
                    assert_equal(&theirs, &view.layers(0), &file.display().to_string());
                    drawn += 1;
                }
                Ok(None) => {}
                Err(why) => eprintln!("{}: {why}", file.display()),
            }
        }
        assert!(drawn > 0, "no surface could be drawn");
        eprintln!("{drawn} surfaces");
    });
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    /// Loose triangles with corners on a small grid: edge-on, without area, twice the same, through every tie.
    #[test]
    fn soups_on_a_grid_are_equal(
        points in prop::collection::vec(prop::array::uniform3(-3i8..4), 24..60),
        resolution in prop::array::uniform2(1u32..20),
    ) {
        let loose = |p: &[[i8; 3]]| Surface {
            positions: p.iter().map(|p| p.map(f64::from)).collect(),
            triangles: (0..p.len() as u32 / 3).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]).collect(),
        };
        let (a, b) = points.split_at(points.len() / 2);
        with_gpu(|gpu| { compare(gpu, &loose(a), &loose(b), resolution, "soup on a grid"); });
    }

    /// Loose triangles of all sizes, far ones among them.
    #[test]
    fn soups_are_equal(
        points in prop::collection::vec(prop::array::uniform3(-1.0f64..1.0), 30),
        scale in prop::collection::vec(-12i32..6, 10),
        resolution in prop::array::uniform2(1u32..40),
    ) {
        let mut positions = points.clone();
        for (p, corner) in positions.iter_mut().enumerate() {
            let centre = points[p / 3 * 3];
            for k in 0..3 {
                corner[k] = centre[k] + (corner[k] - centre[k]) * f64::from(scale[p / 3]).exp2();
            }
        }
        let soup = Surface { positions, triangles: (0..10).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]).collect() };
        let window = cuboid([-0.5; 3], [1.0; 3]);
        with_gpu(|gpu| { compare(gpu, &soup, &window, resolution, "soup"); });
    }
}
