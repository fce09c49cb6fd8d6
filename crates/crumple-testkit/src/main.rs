//! Holds many random scenes to brute force: `crumple-testkit COUNT [SEED]`.

use std::process::ExitCode;

use crumple_testkit::{Tally, hold};

fn main() -> ExitCode {
    let mut numbers = std::env::args().skip(1).map(|a| a.parse::<u64>());
    let (Some(Ok(count)), first) = (numbers.next(), numbers.next().and_then(Result::ok).unwrap_or(0)) else {
        eprintln!("usage: crumple-testkit COUNT [SEED]");
        return ExitCode::from(2);
    };
    let (mut sum, mut failed) = (Tally::default(), 0);
    for seed in first..first + count {
        match std::panic::catch_unwind(|| hold(seed, 48)) {
            Ok(Ok(tally)) => sum += tally,
            Ok(Err(what)) => {
                println!("seed {seed}: {what}");
                failed += 1;
            }
            Err(_) => {
                println!("seed {seed}: panic");
                failed += 1;
            }
        }
        if (seed + 1 - first).is_multiple_of(1000) {
            eprintln!("{} scenes, {failed} fail: {sum:?}", seed + 1 - first);
        }
    }
    println!("{count} scenes from seed {first}, {failed} fail: {sum:?}");
    if failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
