//! Seconds, for reports.

#[cfg(target_family = "wasm")]
mod page {
    use wasm_bindgen::prelude::*;

    #[wasm_bindgen]
    extern "C" {
        #[wasm_bindgen(js_namespace = performance)]
        fn now() -> f64;
    }

    /// Seconds since the page was loaded.
    pub fn seconds() -> f64 {
        now() / 1000.0
    }
}

#[cfg(target_family = "wasm")]
pub use page::seconds;

#[cfg(not(target_family = "wasm"))]
pub use crumple_sim::clock::system as seconds;
