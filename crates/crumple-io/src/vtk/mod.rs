//! VTK meshes: the legacy format (`.vtk`) and the XML formats (`.vtu`, `.vtp`).
//!
//! Read are unstructured grids and polygonal data: triangles, quads, polygons, pixels, triangle strips and
//! tets; the rest is counted in a note. Triangles of a strip follow each other where the strip stands. Cells of
//! polygonal data come in the order of the file (VTK itself numbers polygons before strips, wherever they stand).

mod cell_type;
mod legacy;
mod xml;

pub(crate) use legacy::read as read_legacy;
pub(crate) use xml::read as read_xml;
