//! The `crumple` program: one file per command.
//!
//! It is a library with one function, so that it is compiled beside the engine and not after it: a program waits for all that
//! it is linked with.

mod args;
mod bench;
mod check;
mod convert;
mod cut;
mod demo;
mod distance;
mod gpu;
mod hints;
mod info;
mod inside;
mod judge;
mod marked;
mod merge;
mod output;
mod overlap;
mod page;
mod prefetch;
mod proximity;
mod reproduce;
mod results;
mod sampled;
mod simulate;
mod step;
mod stop;
mod tile;
mod untangle;
mod views;
mod world;

use std::process::ExitCode;

use anyhow::Result;
use args::{Cli, Command};
use clap::{CommandFactory, FromArgMatches};

/// Nothing collides, or there was nothing to collide.
const CLEAN: u8 = 0;
/// Something collides.
const COLLIDES: u8 = 1;
/// Bad input or usage.
const BAD: u8 = 2;
/// Stopped by Ctrl-C, with what was done by then written.
const STOPPED: u8 = 130;

/// Runs the program with the arguments of this process; its exit status.
pub fn run() -> ExitCode {
    output::start_clock();
    let matches = Cli::command().get_matches();
    let mut cli = Cli::from_arg_matches(&matches).unwrap_or_else(|e| e.exit());
    if let (Some(Command::Check(check)), Some(matches)) =
        (&mut cli.command, matches.subcommand_matches("check"))
    {
        check.gather(matches);
    }
    match run_on_threads(&cli) {
        Ok(_) if stop::is_asked() => ExitCode::from(STOPPED),
        Ok(status) => ExitCode::from(status),
        Err(error) => {
            eprintln!("crumple: {}", told(&error));
            ExitCode::from(BAD)
        }
    }
}

/// An error and its causes on one line; a cause that is told already is not told again.
fn told(error: &anyhow::Error) -> String {
    error.chain().skip(1).map(ToString::to_string).fold(error.to_string(), |text, cause| {
        if text.ends_with(&cause) { text } else { format!("{text}: {cause}") }
    })
}

/// Runs the command on its threads; the exit status.
fn run_on_threads(cli: &Cli) -> Result<u8> {
    let threads = cli.common.threads.map_or(0, usize::from);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build()?;
    pool.install(|| dispatch(cli))
}

fn dispatch(cli: &Cli) -> Result<u8> {
    let common = &cli.common;
    results::check(common, cli.command.as_ref())?;
    let verdict = |collides: bool| if collides { COLLIDES } else { CLEAN };
    let done = match &cli.command {
        None => demo::run(common),
        Some(Command::Check(args)) => return check::run(args, common).map(verdict),
        Some(Command::Step(args)) => return step::run(args, common).map(verdict),
        Some(Command::Untangle(args)) => return untangle::run(args, common).map(verdict),
        Some(Command::Judge(args)) => return judge::run(args, common),
        Some(Command::Merge(args)) => return merge::run(args, common),
        Some(Command::Tile(args)) => tile::run(args, common),
        Some(Command::Proximity(args)) => proximity::run(args, common),
        Some(Command::Simulate(args)) => simulate::run(args, common),
        Some(Command::Inside(args)) => inside::run(args, common),
        Some(Command::Overlap(args)) => overlap::run(args, common),
        Some(Command::Distance(args)) => distance::run(args, common),
        Some(Command::Cut(args)) => cut::run(args, common),
        Some(Command::Info(args)) => info::run(args, common),
        Some(Command::Convert(args)) => convert::run(args, common),
        Some(Command::Bench(args)) => bench::run(args, common),
        Some(Command::Reproduce(args)) => reproduce::run(args, common),
        Some(Command::Page(args)) => page::run(args),
        Some(Command::Completions { shell }) => {
            let mut script = Vec::new();
            clap_complete::generate(*shell, &mut Cli::command(), "crumple", &mut script);
            output::print(String::from_utf8_lossy(&script).trim_end())
        }
        Some(Command::Manual) => {
            let mut page = Vec::new();
            clap_mangen::Man::new(Cli::command()).render(&mut page)?;
            output::print(String::from_utf8_lossy(&page).trim_end())
        }
    };
    done.map(|()| CLEAN)
}
