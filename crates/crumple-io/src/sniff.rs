//! What a file is by its first bytes, for a hint when its name says something else.

use crate::Format;

/// What content looks like.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Content {
    /// A format that is read here.
    Known(Format),
    /// A format that is not, by its name.
    Foreign(&'static str),
}

#[cfg(feature = "fbx")]
const FBX: Content = Content::Known(Format::Fbx);
#[cfg(not(feature = "fbx"))]
const FBX: Content = Content::Foreign("FBX, which this build does not read");

/// Signatures at the very start.
const SIGNATURES: &[(&[u8], Content)] = &[
    (b"ply\n", Content::Known(Format::Ply)),
    (b"ply\r", Content::Known(Format::Ply)),
    (b"glTF", Content::Known(Format::Gltf)),
    (b"# vtk DataFile", Content::Known(Format::Vtk)),
    (b"$MeshFormat", Content::Known(Format::Gmsh)),
    (b"\x93NUMPY", Content::Known(Format::Numpy)),
    (b"PXR-USDC", Content::Foreign("binary USD, which is not read")),
    (b"#usda", Content::Foreign("USD, which is not read")),
    (b"Ogawa", Content::Foreign("Alembic, which is not read")),
    (b"Kaydara FBX Binary", FBX),
    (b"; FBX", FBX),
    (b"BLENDER", Content::Foreign("a Blender file, which is not read")),
    (b"POINTCACHE2", Content::Foreign("a PC2 point cache, which is given after its mesh")),
    (b"\x89HDF\r\n", Content::Foreign("HDF5, which is not read")),
    (b"ISO-10303-21", Content::Foreign("STEP, which is not read")),
];

/// As far as one looks for words.
const LOOK: usize = 4096;

impl Content {
    /// What `bytes` look like; `None` where nothing is characteristic.
    pub fn of(bytes: &[u8]) -> Option<Self> {
        let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
        if let Some((_, content)) = SIGNATURES.iter().find(|(signature, _)| bytes.starts_with(signature)) {
            return Some(*content);
        }
        let head = &bytes[..bytes.len().min(LOOK)];
        let holds = |word: &[u8]| head.windows(word.len()).any(|window| window.eq_ignore_ascii_case(word));
        if bytes.starts_with(b"PK\x03\x04") {
            let content =
                if holds(b".npy") { Self::Known(Format::Numpy) } else { Self::Foreign("a ZIP archive") };
            return Some(content);
        }
        if is_binary_stl(bytes) {
            return Some(Self::Known(Format::Stl));
        }
        if holds(b"<VTKFile") {
            return Some(Self::Known(Format::VtkXml));
        }
        let mut lines = head.split(|&byte| byte == b'\n' || byte == b'\r').map(<[u8]>::trim_ascii);
        let first = lines.find(|line| !line.is_empty() && !line.starts_with(b"#"))?;
        if first.starts_with(b"{") {
            return (holds(b"\"asset\"") || holds(b"\"meshes\"")).then_some(Self::Known(Format::Gltf));
        }
        let word = first.split(u8::is_ascii_whitespace).next()?;
        let format = match word {
            b"v" | b"vn" | b"vt" | b"f" | b"o" | b"g" | b"mtllib" | b"usemtl" => Format::Obj,
            b"OFF" | b"COFF" | b"NOFF" | b"CNOFF" | b"STOFF" | b"off" => Format::Off,
            b"MeshVersionFormatted" => Format::Medit,
            b"solid" if holds(b"facet") => Format::Stl,
            _ => return None,
        };
        Some(Self::Known(format))
    }

    /// What people call it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Known(format) => format.name(),
            Self::Foreign(name) => name,
        }
    }

    /// Whether it may well be this format.
    pub fn is(self, format: Format) -> bool {
        self == Self::Known(format)
    }
}

/// Whether the count at byte 80 is exactly what the size asks for.
fn is_binary_stl(bytes: &[u8]) -> bool {
    let count = bytes.get(80..84).and_then(|count| count.try_into().ok()).map_or(0, u32::from_le_bytes);
    count > 0 && 84 + u64::from(count) * 50 == bytes.len() as u64
}
