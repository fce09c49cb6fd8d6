//! Which reader reads which file.

use std::io::Read;
use std::path::Path;

use crate::sniff::Content;
use crate::{MeshData, ReadError, Source, gltf, gmsh, medit, numpy, obj, off, ply, stl, tetgen, vtk, xyz};

/// A mesh format that can be read, told by the file's extension (case ignored, a final `.gz` ignored).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
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
    /// NumPy array of shape (n, 3): a body of points.
    Numpy,
    /// FBX, text and binary.
    #[cfg(feature = "fbx")]
    Fbx,
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
        (Format::Numpy, &["npy", "npz"]),
        #[cfg(feature = "fbx")]
        (Format::Fbx, &["fbx"]),
    ];

    /// The format that the extension of `path` names.
    pub fn of(path: &Path) -> Option<Self> {
        let mut name = path.file_name()?.to_string_lossy().to_ascii_lowercase();
        if let Some(stem) = name.strip_suffix(".gz") {
            name = stem.to_owned();
        }
        let (_, extension) = name.rsplit_once('.')?;
        Self::from_name(extension)
    }

    /// The format with this extension, for an option such as `--format obj`; case and a leading dot are ignored.
    pub fn from_name(name: &str) -> Option<Self> {
        let name = name.strip_prefix('.').unwrap_or(name).to_ascii_lowercase();
        Self::ALL
            .iter()
            .find(|(_, extensions)| extensions.contains(&name.as_str()))
            .map(|(format, _)| *format)
    }

    /// The format that unpacked content looks like, by its first bytes; `None` where nothing is characteristic.
    pub fn sniff(bytes: &[u8]) -> Option<Self> {
        match Content::of(bytes)? {
            Content::Known(format) => Some(format),
            Content::Foreign(_) => None,
        }
    }

    /// What people call the format.
    pub fn name(self) -> &'static str {
        match self {
            Self::Obj => "OBJ",
            Self::Ply => "PLY",
            Self::Stl => "STL",
            Self::Off => "OFF",
            Self::Gltf => "glTF",
            Self::Points => "rows of numbers",
            Self::Vtk => "legacy VTK",
            Self::VtkXml => "VTK XML",
            Self::Gmsh => "Gmsh",
            Self::Medit => "Medit",
            Self::TetgenNode | Self::TetgenEle => "TetGen",
            Self::Numpy => "NumPy",
            #[cfg(feature = "fbx")]
            Self::Fbx => "FBX",
        }
    }
}

/// What to read, and as what.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ReadOptions {
    /// The format; by default the one that the extension names.
    pub format: Option<Format>,
    /// Whether texture coordinates are wanted. They cost time, and no question about collisions needs them.
    pub uvs: bool,
}

impl ReadOptions {
    /// Reads as this format, whatever the name says.
    #[must_use]
    pub fn with_format(mut self, format: Format) -> Self {
        self.format = Some(format);
        self
    }

    /// Reads texture coordinates too.
    #[must_use]
    pub fn with_uvs(mut self) -> Self {
        self.uvs = true;
        self
    }
}

/// Reads a mesh file.
pub fn read(path: &Path) -> Result<MeshData, ReadError> {
    read_with(path, &ReadOptions::default())
}

/// Reads a mesh file as `options` say.
pub fn read_with(path: &Path, options: &ReadOptions) -> Result<MeshData, ReadError> {
    read_source_with(path, &Source::open(path)?, options)
}

/// Reads standard input, a pipe or anything else to its end; `name` stands in messages.
///
/// ```
/// use crumple_io::{Format, read_from};
/// let triangle = read_from("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n".as_bytes(), Format::Obj, "standard input")?;
/// assert_eq!(triangle.polygons.len(), 1);
/// # Ok::<(), crumple_io::ReadError>(())
/// ```
pub fn read_from(reader: impl Read, format: Format, name: &str) -> Result<MeshData, ReadError> {
    let source = Source::from_reader(name, reader)?;
    read_source_with(Path::new(name), &source, &ReadOptions::default().with_format(format))
}

/// Reads bytes as the format that the extension of `path` names.
pub fn read_source(path: &Path, source: &Source) -> Result<MeshData, ReadError> {
    read_source_with(path, source, &ReadOptions::default())
}

/// Reads bytes as `options` say; `path` tells where files beside it lie.
pub fn read_source_with(path: &Path, source: &Source, options: &ReadOptions) -> Result<MeshData, ReadError> {
    let Some(format) = options.format.or_else(|| Format::of(path)) else {
        let known: Vec<_> = Format::ALL.iter().flat_map(|(_, e)| e.iter().map(|e| format!(".{e}"))).collect();
        let looks_like = Content::of(&source.bytes).map(Content::name);
        return Err(ReadError::UnknownFormat {
            file: source.name.clone(),
            looks_like,
            known: known.join(" "),
        });
    };
    let data = match format {
        Format::Obj => obj::read(source, options),
        Format::Ply => ply::read(source, options),
        Format::Stl => stl::read(source),
        Format::Off => off::read(source),
        Format::Gltf => gltf::read(path, source, options),
        Format::Points => xyz::read(source),
        Format::Vtk => vtk::read_legacy(source),
        Format::VtkXml => vtk::read_xml(source),
        Format::Gmsh => gmsh::read(source),
        Format::Medit => medit::read(source),
        Format::TetgenNode => tetgen::read_node(path, source),
        Format::TetgenEle => tetgen::read_ele(path, source),
        Format::Numpy => numpy::read(source),
        #[cfg(feature = "fbx")]
        Format::Fbx => crate::fbx::read(source, options),
    };
    data.map_err(|error| hinted(error, format, source))
}

/// Tells when the content looks like another format than the one it was read as.
fn hinted(error: ReadError, format: Format, source: &Source) -> ReadError {
    match (error, Content::of(&source.bytes)) {
        (ReadError::Malformed { file, place, what }, Some(content))
            if file == source.name && !content.is(format) =>
        {
            let (looks, named) = (content.name(), format.name());
            let what = format!("{what} (the content looks like {looks}, though it was read as {named})");
            ReadError::Malformed { file, place, what }
        }
        (error, _) => error,
    }
}
