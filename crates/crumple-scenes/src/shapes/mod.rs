//! Meshes from parameters.
//!
//! Closed surfaces are oriented outward, tets positively. Sizes are about 1 unless a parameter says otherwise; the
//! caller places and deforms. No function panics on small arguments: counts are raised to the least that makes sense.

mod sheet;
mod sphere;

pub use sheet::{sheet, sheet_triangles, sheet_uv};
pub use sphere::{icosphere, uv_sphere, uv_sphere_triangles};
