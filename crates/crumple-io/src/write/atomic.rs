//! Files that are whole or not there.
//!
//! Content goes to a temporary file beside the target, which takes the target's name only when everything is written: a
//! full disk, an error or a stop in between leaves what was there before.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use super::WriteError;

/// Writes a file by `content`, whole or not at all; an error names the file.
///
/// What is not a regular file (`/dev/stdout`, a pipe) is written directly. A link is followed, and a file that is there
/// keeps its permissions; one that is read-only is refused.
///
/// ```
/// let path = std::env::temp_dir().join(format!("crumple-doc-{}.txt", std::process::id()));
/// crumple_io::write_file(&path, |out| out.write_all(b"whole"))?;
/// assert_eq!(std::fs::read(&path)?, b"whole");
/// # std::fs::remove_file(&path)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn write_file(
    path: &Path,
    content: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<(), WriteError> {
    save(path, content).map_err(|source| WriteError::Io { file: path.display().to_string(), source })
}

/// As [`write_file`], with the system's own error.
pub(crate) fn save(path: &Path, content: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let permissions = match fs::metadata(path) {
        Ok(there) if there.is_dir() => {
            return Err(io::Error::new(io::ErrorKind::IsADirectory, "is a directory"));
        }
        Ok(there) if !there.is_file() => {
            let mut out = BufWriter::new(OpenOptions::new().write(true).open(path)?);
            content(&mut out)?;
            return out.flush();
        }
        Ok(there) if there.permissions().readonly() => {
            return Err(io::Error::new(io::ErrorKind::PermissionDenied, "is read-only"));
        }
        Ok(there) => Some(there.permissions()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        Err(error) => return Err(error),
    };
    // The file behind a link, not the link, is replaced.
    let target = if permissions.is_some() { path.canonicalize()? } else { path.to_owned() };
    let (file, mut temporary) = Temporary::beside(&target)?;
    let mut out = BufWriter::new(file);
    content(&mut out)?;
    let file = out.into_inner().map_err(io::IntoInnerError::into_error)?;
    if let Some(permissions) = permissions {
        file.set_permissions(permissions)?;
    }
    // Windows renames no open file.
    drop(file);
    fs::rename(&temporary.path, &target)?;
    temporary.is_kept = true;
    Ok(())
}

/// A file that is removed unless it is kept.
struct Temporary {
    path: PathBuf,
    is_kept: bool,
}

impl Temporary {
    fn beside(target: &Path) -> io::Result<(File, Self)> {
        static NUMBER: AtomicU64 = AtomicU64::new(0);
        let Some(name) = target.file_name() else {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "is not the name of a file"));
        };
        loop {
            let number = NUMBER.fetch_add(1, Ordering::Relaxed);
            let mut hidden = std::ffi::OsString::from(".");
            hidden.push(name);
            hidden.push(format!(".{}-{number}.tmp", std::process::id()));
            let path = target.with_file_name(hidden);
            match OpenOptions::new().write(true).create_new(true).open(&path) {
                Ok(file) => return Ok((file, Self { path, is_kept: false })),
                // Left over by a process of the same number that was stopped.
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        if !self.is_kept {
            let _ = fs::remove_file(&self.path);
        }
    }
}
