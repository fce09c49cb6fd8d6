//! Why the graphics processor is not used.

/// Why layers were not drawn by a graphics processor.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum GpuError {
    /// No driver offers an adapter.
    #[error("no graphics adapter was found; is a driver for {backends} installed?")]
    NoAdapter {
        /// The interfaces that were asked.
        backends: String,
    },
    /// What was found emulates a graphics processor.
    #[error("only software adapters were found ({found}), which are slower than the engine's own path")]
    OnlySoftware {
        /// Their names.
        found: String,
    },
    /// No adapter has the wanted name.
    #[error("no graphics adapter has {wanted:?} in its name; found: {found}")]
    NoSuchAdapter {
        /// The wanted name.
        wanted: String,
        /// The names of those that were found.
        found: String,
    },
    /// The adapter was found but cannot be used.
    #[error("the graphics adapter {adapter} cannot be used: {reason}")]
    Refused {
        /// Its name.
        adapter: String,
        /// What the driver says.
        reason: String,
    },
    /// The device failed at work: out of memory, lost, or at fault.
    #[error("the graphics adapter {adapter} failed: {reason}")]
    Failed {
        /// Its name.
        adapter: String,
        /// What the driver says.
        reason: String,
    },
    /// There is more work than the device's counters count, or more layers on one ray than a buffer holds.
    #[error("the image is too large for the graphics adapter {adapter}: {what}")]
    TooLarge {
        /// Its name.
        adapter: String,
        /// What there is too much of.
        what: &'static str,
    },
}
