//! After warm-up the layered method asks for no memory: everything it needs is kept and used again.

// A counting allocator cannot be written otherwise; it only passes calls on.
#![allow(unsafe_code)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use crumple::methods::layered_depth::{LayeredDepth, Resolution};
use crumple::{Bodies, BodyId, Frame, Mesh, Positions};
use crumple_scenes::{Surface, shapes};

thread_local! {
    /// Requests of this thread, where they are counted.
    static REQUESTS: Cell<Option<usize>> = const { Cell::new(None) };
}

/// Counts the requests of threads that ask for it.
struct Counting;

fn count() {
    // A thread that is ending has no counter left, and nothing to count.
    let _ = REQUESTS.try_with(|n| n.set(n.get().map(|n| n + 1)));
}

// SAFETY: every call goes to the system's allocator as it came; counting neither allocates nor touches the memory.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count();
        // SAFETY: the caller promises what `System` asks for.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        // SAFETY: `at` came from `System` with this layout.
        unsafe { System.dealloc(at, layout) }
    }

    unsafe fn realloc(&self, at: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count();
        // SAFETY: `at` came from `System` with this layout, and the caller promises the rest.
        unsafe { System.realloc(at, layout, size) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

/// How often `f` asks for memory on this thread.
fn requests(f: impl FnOnce()) -> usize {
    REQUESTS.set(Some(0));
    f();
    REQUESTS.take().expect("counted since")
}

/// Two bodies that deform a little, and walls that are seen edge-on.
fn frames() -> (Bodies, Vec<[Vec<[f64; 3]>; 2]>) {
    let ball = shapes::icosphere(16).outward();
    let block = shapes::box_surface([3, 3, 3], [1.5; 3]).outward().mapped(|p| p.map(|x| x + 0.3));
    let body =
        |s: &Surface| Mesh::from_triangles("body", s.positions.len(), &s.triangles).expect("a good surface");
    let mesh = Bodies::new([body(&ball), body(&block)]).expect("a good mesh");
    let swell = |s: &Surface, t: i32| -> Vec<[f64; 3]> {
        s.positions.iter().map(|v| v.map(|x| x * (1.0 + 0.01 * f64::from(t)))).collect()
    };
    (mesh, (0..6).map(|t| [swell(&ball, t % 3), swell(&block, t % 2)]).collect())
}

fn serially<R: Send>(f: impl FnOnce() -> R + Send) -> R {
    rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a pool").install(f)
}

#[test]
fn the_counter_counts() {
    assert_eq!(requests(|| drop(std::hint::black_box(vec![1u8; 100]))), 1);
    assert_eq!(requests(|| ()), 0);
}

#[test]
fn overlap_asks_for_no_memory_after_warm_up() {
    let (mesh, frames) = frames();
    serially(|| {
        let mut method = LayeredDepth::default();
        let mut ask = |p: &[Vec<[f64; 3]>; 2]| {
            let bodies = [Positions::from(&p[0]), Positions::from(&p[1])];
            let o = method
                .update(&mesh, Frame::new(&bodies))
                .expect("a good frame")
                .overlap([BodyId(0), BodyId(1)], Resolution::default())
                .expect("closed bodies");
            assert!(o.lower > 0.0);
        };
        frames.iter().for_each(&mut ask);
        assert_eq!(requests(|| frames.iter().for_each(&mut ask)), 0);
    });
}

#[test]
fn inside_asks_for_no_memory_after_warm_up() {
    let (mesh, frames) = frames();
    let points: Vec<[f64; 3]> = (0..4000)
        .map(|i| {
            [f64::from(i % 20) - 9.5, f64::from(i / 20 % 20) - 9.5, f64::from(i / 400) - 4.5].map(|x| x / 8.0)
        })
        .collect();
    serially(|| {
        let mut method = LayeredDepth::default();
        let mut out = Vec::new();
        let mut ask = |p: &[Vec<[f64; 3]>; 2]| {
            let bodies = [Positions::from(&p[0]), Positions::from(&p[1])];
            for body in [BodyId(0), BodyId(1)] {
                let mut volumes = method.update(&mesh, Frame::new(&bodies)).expect("a good frame");
                let mut solid = volumes.solid(body).expect("a closed body");
                solid.inside(&points, &mut out).expect("good points");
                assert!(out.contains(&true) && out.contains(&false));
            }
        };
        frames.iter().for_each(&mut ask);
        assert_eq!(requests(|| frames.iter().for_each(&mut ask)), 0);
    });
}
