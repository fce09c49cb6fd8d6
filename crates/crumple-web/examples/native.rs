//! The playground's worlds without a browser, on one thread: milliseconds a step, and a hash of where everything is.
//!
//! `cargo run --release --example native -- [FRAMES]`; `tests/compare.mjs` runs the same in WebAssembly.

use crumple_web::examples;

fn main() {
    let frames: u32 = std::env::args().nth(1).map_or(200, |n| n.parse().expect("a number of frames"));
    // The others cross at the start.
    for name in &examples::NAMES[..5] {
        let mut example = examples::by_name(name).expect("it is in the list").expect("it can be built");
        let (mut seconds, mut longest) = (0.0, 0.0_f64);
        for _ in 0..frames {
            let report = example.step(1.0 / 60.0).expect("it steps");
            assert_eq!(report.intersections, 0, "{name}, frame {}", report.frame);
            seconds += report.seconds.step;
            longest = longest.max(report.seconds.step);
        }
        let mean = 1e3 * seconds / f64::from(frames);
        println!("{name} {mean:.3} {:.3} {:016x}", 1e3 * longest, example.world.hash());
    }
}
