//! Time for reports. Nothing that moves depends on it.

/// Seconds since some fixed moment.
pub type Clock = fn() -> f64;

/// The system's clock; always 0 where there is none (`wasm32-unknown-unknown`), until a page gives its own.
pub fn system() -> f64 {
    #[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
    {
        use std::sync::OnceLock;
        use std::time::Instant;
        static START: OnceLock<Instant> = OnceLock::new();
        START.get_or_init(Instant::now).elapsed().as_secs_f64()
    }
    #[cfg(all(target_family = "wasm", target_os = "unknown"))]
    {
        0.0
    }
}
