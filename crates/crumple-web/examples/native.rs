//! The playground's worlds without a browser, on one thread: CPU milliseconds a step, and a hash of where everything is.
//!
//! `cargo run --release --example native -- [FRAMES] [WORLD…]`; `tests/compare.mjs` runs the same in WebAssembly. A row is the world,
//! the mean, the longest step, the hash, and the means of the stages. The organ is cut through on the way.

use cpu_time::ThreadTime;
use crumple_sim::{StageSeconds, Stroke};
use crumple_web::examples;

/// The frame before which the organ is cut through.
const CUT: u32 = 50;

/// Seconds of this thread; other work on the machine does not count.
fn seconds() -> f64 {
    thread_local!(static START: ThreadTime = ThreadTime::now());
    START.with(|start| start.elapsed().as_secs_f64())
}

fn main() {
    let mut args = std::env::args().skip(1);
    let frames: u32 = args.next().map_or(200, |n| n.parse().expect("a number of frames"));
    let chosen: Vec<String> = args.collect();
    // The others cross at the start.
    let free = examples::NAMES[..5].iter().filter(|n| chosen.is_empty() || chosen.iter().any(|c| c == *n));
    for name in free {
        let mut example = examples::by_name(name).expect("it is in the list").expect("it can be built");
        example.world.set_clock(seconds);
        let (mut sum, mut longest) = (StageSeconds::default(), 0.0_f64);
        let (mut passes, mut substeps, mut contacts, mut watched) = (0, 0, 0, 0);
        for frame in 0..frames {
            if *name == "organ" && frame == CUT {
                let [from, to] = [[0.05, 1.4], [0.1, 0.2]].map(|[x, y]| [[x, y, 1.0], [x, y, -1.0]]);
                let begin = seconds();
                let done = example.world.stroke(&Stroke { from, to }).expect("the blade is one");
                assert!(done.parted > 0, "{done:?}");
                sum.step += seconds() - begin;
            }
            let report = example.step(1.0 / 60.0).expect("it steps");
            assert_eq!(report.intersections, 0, "{name}, frame {}", report.frame);
            sum.add(&report.seconds);
            longest = longest.max(report.seconds.step);
            passes += report.passes;
            substeps += report.substeps;
            contacts += report.contacts;
            watched += report.watched;
        }
        let mean = |x: f64| x / f64::from(frames);
        let ms = |seconds: f64| mean(1e3 * seconds);
        print!("{name} {:.3} {:.3} {:016x}", ms(sum.step), 1e3 * longest, example.world.hash());
        print!(" detect {:.2} solve {:.2} certify {:.2}", ms(sum.detect), ms(sum.solve), ms(sum.certify));
        print!(" verify {:.2} passes {:.2}", ms(sum.verify), mean(passes.into()));
        let counts = [f64::from(substeps), contacts as f64, watched as f64].map(mean);
        println!(" substeps {:.1} contacts {:.0} watched {:.0}", counts[0], counts[1], counts[2]);
    }
}
