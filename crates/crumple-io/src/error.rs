//! The one error that every reader returns.

use std::fmt;

/// Where in a file a fault was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// A line of a text file, counted from 1.
    Line(u64),
    /// A byte of a binary file, counted from 0 (after decompression).
    Byte(u64),
    /// The file as a whole.
    File,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Line(n) => write!(f, ", line {n}"),
            Self::Byte(n) => write!(f, ", byte {n}"),
            Self::File => Ok(()),
        }
    }
}

/// A file that cannot be read, with the place of the fault.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReadError {
    /// The operating system refused.
    #[error("{file}: {source}")]
    Io {
        /// The file's name as it was given.
        file: String,
        /// What the system said.
        source: std::io::Error,
    },
    /// A directory was given where a file is needed.
    #[error("{file}: is a directory, not a file")]
    IsDirectory {
        /// The directory's name as it was given.
        file: String,
    },
    /// A device or a socket, which may never end.
    #[error("{file}: is {what}, not a file")]
    NotAFile {
        /// The name as it was given.
        file: String,
        /// What it is, with its article.
        what: &'static str,
    },
    /// No file has a name of this pattern.
    #[error("{pattern}: no file has a name like this")]
    NoMatch {
        /// The pattern as it was given.
        pattern: String,
    },
    /// No reader knows this extension.
    #[error("{file}: unknown file type{}{}; known are {known}", looks(looks_like), instead(file))]
    UnknownFormat {
        /// The file's name as it was given.
        file: String,
        /// What the content looks like, if it looks like anything.
        looks_like: Option<&'static str>,
        /// The known extensions.
        known: String,
    },
    /// The content is not what the format asks for.
    #[error("{file}{place}: {what}")]
    Malformed {
        /// The file's name as it was given.
        file: String,
        /// Line or byte.
        place: Place,
        /// What is wrong there, in one sentence.
        what: String,
    },
}

/// What to do with a file of a format that people have and that is not read.
fn instead(file: &str) -> &'static str {
    let extension = file.rsplit('.').next().unwrap_or_default().to_ascii_lowercase();
    match extension.as_str() {
        "fbx" => {
            " (a build with the feature `fbx` reads it; or export .glb or .obj, and an animation as numbered .ply, or as .pc2 or \
             .mdd beside its mesh)"
        }
        "abc" | "usd" | "usda" | "usdc" | "usdz" | "blend" | "ma" | "mb" | "c4d" | "max" | "hip" => {
            " (export .glb or .obj, and an animation as numbered .ply, or as .pc2 or .mdd beside its mesh)"
        }
        _ => "",
    }
}

/// The hint behind an unknown type.
fn looks(like: &Option<&'static str>) -> String {
    like.map(|like| format!(" (its content looks like {like})")).unwrap_or_default()
}
