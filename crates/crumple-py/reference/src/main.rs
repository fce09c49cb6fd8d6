//! The engine's own answers and times, which the Python package is held to.
//!
//! `crumple-py-reference answers DIR [SCENE…]` writes scenes (the whole suite unless named) as directories of raw arrays,
//! each with the engine's answers to every question beside it. `crumple-py-reference times DIR QUESTION` follows a scene
//! directory and prints the seconds of a frame; `small` prints those of calls on two triangles.

mod answers;
mod budgets;
mod small;
mod table;
mod times;
mod topology;
mod write;

use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let done = match words[..] {
        ["answers", folder, ref scenes @ ..] => answers::write(Path::new(folder), scenes),
        ["scene", folder, name, frames] => {
            write::scene(Path::new(folder), name, frames.parse().unwrap_or(usize::MAX)).map(drop)
        }
        ["small"] => small::print(),
        ["times", folder, question] => times::print(Path::new(folder), question),
        _ => Err("usage: answers DIR [SCENE…] | scene DIR NAME FRAMES | times DIR QUESTION | small".into()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("crumple-py-reference: {error}");
            ExitCode::FAILURE
        }
    }
}
