//! Where the pages of units are, seen from other folders.

use std::path::{Component, Path, PathBuf};

/// The folder of a file; the current one for none.
pub fn folder_of(file: Option<&Path>) -> &Path {
    file.and_then(Path::parent).filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// The way to `to` from the folder `from`, by their names alone: links to folders are taken for folders.
pub fn relative(from: &Path, to: &Path) -> PathBuf {
    let (from, to) = (plain(from), plain(to));
    let shared = from.iter().zip(&to).take_while(|(a, b)| a == b).count();
    let up = from[shared..].iter().map(|_| Path::new(".."));
    up.chain(to[shared..].iter().map(PathBuf::as_path)).collect()
}

/// An absolute path as its parts, without `.` and `..`.
fn plain(path: &Path) -> Vec<PathBuf> {
    let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let mut parts: Vec<PathBuf> = Vec::new();
    for part in absolute.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => drop(parts.pop()),
            part => parts.push(AsRef::<Path>::as_ref(&part).to_owned()),
        }
    }
    parts
}

/// A path as links have it: with `/` on every system.
pub fn text(path: &Path) -> String {
    path.iter().map(|part| part.to_string_lossy()).collect::<Vec<_>>().join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ways_between_folders() {
        let way = |from: &str, to: &str| text(&relative(from.as_ref(), to.as_ref()));
        assert_eq!(way(".", "pages/a.html"), "pages/a.html");
        assert_eq!(way("out", "pages/a.html"), "../pages/a.html");
        assert_eq!(way("/a/b/c", "/a/x/../d/e.html"), "../../d/e.html");
        assert_eq!(way("a/./b", "a/b/e.html"), "e.html");
        assert_eq!(folder_of(Some("verdicts.jsonl".as_ref())), Path::new("."));
        assert_eq!(folder_of(Some("a/verdicts.jsonl".as_ref())), Path::new("a"));
    }
}
