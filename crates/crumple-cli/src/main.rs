//! The `crumple` program; see the library beside it.

fn main() -> std::process::ExitCode {
    crumple_cli::run()
}
