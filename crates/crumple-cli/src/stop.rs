//! Ctrl-C: the first asks to stop after the frame at hand, so that what was found is written; the second stops at once.

use std::sync::atomic::{AtomicBool, Ordering};

static IS_ASKED: AtomicBool = AtomicBool::new(false);

/// Takes Ctrl-C over, for a command that can stop between frames.
pub fn listen() {
    // Where the handler cannot be set, Ctrl-C ends the program at once, as it always did.
    let _ = ctrlc::set_handler(|| {
        if IS_ASKED.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
        eprintln!("crumple: stopping after this frame; once more stops at once");
    });
}

/// Whether Ctrl-C was pressed.
pub fn is_asked() -> bool {
    IS_ASKED.load(Ordering::Relaxed)
}
