//! Which reader reads which file.

use std::path::Path;

use crate::{MeshData, ReadError, Source, gltf, gmsh, medit, obj, off, ply, stl, tetgen, vtk, xyz};

/// A mesh format that can be read, told by the file's extension (case ignored, a final `.gz` ignored).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Format {
    /// Wavefront OBJ.
    Obj,
    /// PLY, text and binary.
    Ply,
    /// STL, text and binary.
    Stl,
    /// OFF and its variants, as text.
    Off,
    /// glTF 2.0 with its buffers, or GLB.
    Gltf,
    /// Rows of x y z: a body of points.
    Points,
    /// Legacy VTK, text and binary.
    Vtk,
    /// VTK XML: unstructured grids and polygonal data.
    VtkXml,
    /// Gmsh 2.2 and 4.1, text and binary.
    Gmsh,
    /// Medit, as text.
    Medit,
    /// TetGen points, with the tets beside them.
    TetgenNode,
    /// TetGen tets, with the points beside them.
    TetgenEle,
}

impl Format {
    /// Every format, with the extensions that name it.
    pub const ALL: &'static [(Format, &'static [&'static str])] = &[
        (Format::Obj, &["obj"]),
        (Format::Ply, &["ply"]),
        (Format::Stl, &["stl"]),
        (Format::Off, &["off"]),
        (Format::Gltf, &["gltf", "glb"]),
        (Format::Points, &["xyz", "csv", "txt", "pts"]),
        (Format::Vtk, &["vtk"]),
        (Format::VtkXml, &["vtu", "vtp"]),
        (Format::Gmsh, &["msh"]),
        (Format::Medit, &["mesh", "meshb"]),
        (Format::TetgenNode, &["node"]),
        (Format::TetgenEle, &["ele"]),
    ];

    /// The format that the extension of `path` names.
    pub fn of(path: &Path) -> Option<Self> {
        let mut name = path.file_name()?.to_string_lossy().to_ascii_lowercase();
        if let Some(stem) = name.strip_suffix(".gz") {
            name = stem.to_owned();
        }
        let (_, extension) = name.rsplit_once('.')?;
        Self::ALL.iter().find(|(_, extensions)| extensions.contains(&extension)).map(|(format, _)| *format)
    }
}

/// Reads a mesh file.
pub fn read(path: &Path) -> Result<MeshData, ReadError> {
    read_source(path, &Source::open(path)?)
}

/// Reads bytes as the format that the extension of `path` names.
pub fn read_source(path: &Path, source: &Source) -> Result<MeshData, ReadError> {
    let Some(format) = Format::of(path) else {
        let known: Vec<_> = Format::ALL.iter().flat_map(|(_, e)| e.iter().map(|e| format!(".{e}"))).collect();
        return Err(ReadError::UnknownFormat { file: source.name.clone(), known: known.join(" ") });
    };
    match format {
        Format::Obj => obj::read(source),
        Format::Ply => ply::read(source),
        Format::Stl => stl::read(source),
        Format::Off => off::read(source),
        Format::Gltf => gltf::read(path, source),
        Format::Points => xyz::read(source),
        Format::Vtk => vtk::read_legacy(source),
        Format::VtkXml => vtk::read_xml(source),
        Format::Gmsh => gmsh::read(source),
        Format::Medit => medit::read(source),
        Format::TetgenNode => tetgen::read_node(path, source),
        Format::TetgenEle => tetgen::read_ele(path, source),
    }
}
