//! Meshes from parameters.
//!
//! Closed surfaces are oriented outward, tets positively. Sizes are about 1 unless a parameter says otherwise; the
//! caller places and deforms. No function panics on small arguments: counts are raised to the least that makes sense.

mod blob;
mod fan;
mod one_sided;
mod polycube;
mod revolution;
mod scroll;
mod sheet;
mod soup;
mod sphere;
mod tets;
mod torus;
mod tube;

pub use blob::{Waves, blob};
pub use fan::{disc, fan};
pub use one_sided::{klein_bottle, moebius_strip};
pub use polycube::{VoxelBox, box_surface, human, polycube, smoothed, tooth};
pub use revolution::{capsule, cone, cylinder, pawn, revolution};
pub use scroll::scroll;
pub use sheet::{sheet, sheet_triangles, sheet_uv};
pub use soup::{point_cloud, tet_soup, triangle_soup};
pub use sphere::{icosphere, uv_sphere, uv_sphere_triangles};
pub use tets::{cube_tets, grid_tets, tet_ball, tet_bar, tet_box};
pub use torus::{torus, torus_knot, torus_knot_of, torus_triangles};
pub use tube::{Centreline, TubeGrid, tet_tube};
