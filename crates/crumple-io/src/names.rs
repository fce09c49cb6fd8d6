//! Names of objects, groups and materials, as runs over the faces of a file.

use std::collections::HashMap;
use std::sync::Arc;

use crate::Part;

/// Takes names as they come between the faces, and makes them [`Part`]s.
#[derive(Debug)]
pub(crate) struct Names {
    known: HashMap<Vec<u8>, Arc<str>>,
    parts: Vec<Part>,
    /// The names from `current.faces.start` on.
    current: Part,
}

/// Which of the three names a statement sets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Level {
    Object,
    Group,
    Material,
}

impl Default for Names {
    fn default() -> Self {
        let none: Arc<str> = Arc::from("");
        let current = Part {
            object: Arc::clone(&none),
            group: Arc::clone(&none),
            material: Arc::clone(&none),
            faces: 0..0,
        };
        Self { known: HashMap::from([(Vec::new(), none)]), parts: Vec::new(), current }
    }
}

impl Names {
    /// From face `face` on, this is the name at `level`. Bytes that are not UTF-8 are replaced.
    pub fn set(&mut self, face: usize, level: Level, name: &[u8]) {
        let name = match self.known.get(name) {
            Some(known) => Arc::clone(known),
            None => {
                let new: Arc<str> = String::from_utf8_lossy(name).into();
                self.known.insert(name.to_vec(), Arc::clone(&new));
                new
            }
        };
        let slot = match level {
            Level::Object => &self.current.object,
            Level::Group => &self.current.group,
            Level::Material => &self.current.material,
        };
        if *slot == name {
            return;
        }
        self.close(face);
        match level {
            Level::Object => self.current.object = name,
            Level::Group => self.current.group = name,
            Level::Material => self.current.material = name,
        }
    }

    /// The parts of a file of so many faces; none if no face has a name.
    pub fn finish(mut self, faces: usize) -> Vec<Part> {
        self.close(faces);
        let is_named =
            |part: &Part| [&part.object, &part.group, &part.material].iter().any(|name| !name.is_empty());
        if self.parts.iter().any(is_named) { self.parts } else { Vec::new() }
    }

    /// Ends the current run before `face`.
    fn close(&mut self, face: usize) {
        let start = self.current.faces.start;
        self.current.faces = face..face;
        if start == face {
            return;
        }
        match self.parts.last_mut() {
            // Names that were changed and changed back without a face between.
            Some(last) if last.same_names(&self.current) => last.faces.end = face,
            _ => self.parts.push(Part { faces: start..face, ..self.current.clone() }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_cover_all_faces_and_are_as_long_as_can_be() {
        let mut names = Names::default();
        names.set(2, Level::Object, b"a");
        names.set(2, Level::Material, b"red");
        names.set(5, Level::Material, b"blue");
        names.set(5, Level::Material, b"red");
        names.set(7, Level::Group, b"g");
        names.set(9, Level::Group, b"h");
        let parts = names.finish(9);
        let shown: Vec<_> =
            parts.iter().map(|p| (&*p.object, &*p.group, &*p.material, p.faces.clone())).collect();
        assert_eq!(shown, [("", "", "", 0..2), ("a", "", "red", 2..7), ("a", "g", "red", 7..9)]);
    }

    #[test]
    fn without_names_there_are_no_parts() {
        assert!(Names::default().finish(4).is_empty());
        let mut late = Names::default();
        late.set(4, Level::Object, b"after the last face");
        assert!(late.finish(4).is_empty());
    }
}
