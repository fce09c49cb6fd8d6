//! Holds many random scenes to brute force: `crumple-testkit COUNT [SEED]`.

use std::process::ExitCode;

use crumple_testkit::{Tally, hold};

fn main() -> ExitCode {
    let mut numbers = std::env::args().skip(1).map(|a| a.parse::<u64>());
    let (Some(Ok(count)), first) = (numbers.next(), numbers.next().and_then(Result::ok).unwrap_or(0)) else {
        eprintln!("usage: crumple-testkit COUNT [SEED]");
        return ExitCode::from(2);
    };
    let mut sum = Tally::default();
    for seed in first..first + count {
        match std::panic::catch_unwind(|| hold(seed, 48)) {
            Ok(Ok(tally)) => {
                sum += tally;
                if (seed + 1 - first).is_multiple_of(1000) {
                    eprintln!("{} scenes: {sum:?}", seed + 1 - first);
                }
            }
            Ok(Err(what)) => {
                println!("seed {seed}: {what}");
                return ExitCode::FAILURE;
            }
            Err(_) => {
                println!("seed {seed}: panic");
                return ExitCode::FAILURE;
            }
        }
    }
    println!("{count} scenes from seed {first}, none fails: {sum:?}");
    ExitCode::SUCCESS
}
