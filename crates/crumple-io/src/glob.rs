//! File names by pattern, for shells that do not expand `frame_*.ply` themselves.

use std::path::PathBuf;

use crate::ReadError;
use crate::sequence::natural_key;

/// The files whose names match `pattern`, in natural order: `f1 f2 f10`.
///
/// `*`, `?`, `[a-z]` and `**` mean what they mean in a shell. A name of an existing file is that file, even if it has
/// such characters; a name without them is returned as it is, so that whoever opens it says that it is not there.
pub fn expand_glob(pattern: &str) -> Result<Vec<PathBuf>, ReadError> {
    if !pattern.contains(['*', '?', '[']) || PathBuf::from(pattern).exists() {
        return Ok(vec![PathBuf::from(pattern)]);
    }
    let bad = |what: &str| ReadError::Io {
        file: pattern.to_owned(),
        source: std::io::Error::new(std::io::ErrorKind::InvalidInput, format!("not a pattern: {what}")),
    };
    let mut found = Vec::new();
    for path in glob::glob(pattern).map_err(|error| bad(error.msg))? {
        found.push(path.map_err(|error| ReadError::Io {
            file: error.path().display().to_string(),
            source: error.into(),
        })?);
    }
    if found.is_empty() {
        return Err(ReadError::NoMatch { pattern: pattern.to_owned() });
    }
    found.sort_by_cached_key(|path| natural_key(&path.to_string_lossy()));
    Ok(found)
}
