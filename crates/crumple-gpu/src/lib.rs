//! Layered depth images by compute shaders.

mod adapter;
mod band;
mod choice;
mod chunk;
mod device;
mod draw;
mod error;
mod gpu;
mod scan;

pub use adapter::{Adapter, Wanted, adapters};
pub use choice::LayersOn;
pub use error::GpuError;
pub use gpu::Gpu;
#[cfg(test)]
mod testing;
#[cfg(test)]
mod wide;
