//! Reports.
pub(crate) mod ticks;
