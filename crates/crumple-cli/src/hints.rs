//! Where a person may have gone wrong: remarks beside an answer that is right for what was asked.

use std::path::{Path, PathBuf};

use crate::output::{file_name, last_number};
use crate::world::World;

/// Bodies whose sizes differ by more than this may be in different units: a metre has 100 centimetres.
const UNITS: f64 = 80.0;

/// What the user of a world should know: mixed units.
pub fn units(world: &World) -> Option<String> {
    let scene = &world.scene;
    let sizes = scene.ids().filter_map(|id| {
        let bounds = scene.bounds(id).ok().flatten()?;
        let size = (0..3).map(|k| (bounds.max[k] - bounds.min[k]).powi(2)).sum::<f64>().sqrt();
        (size > 0.0 && size.is_finite()).then(|| (size, scene.mesh(id).map_or("", |m| m.name())))
    });
    let sizes: Vec<(f64, &str)> = sizes.collect();
    let largest = sizes.iter().max_by(|a, b| a.0.total_cmp(&b.0))?;
    let smallest = sizes.iter().min_by(|a, b| a.0.total_cmp(&b.0))?;
    let ratio = largest.0 / smallest.0;
    (ratio > UNITS).then(|| {
        format!(
            "{} is {:.3e} across and {} only {:.3e}, {ratio:.0} times less: are both in the same units?",
            largest.1, largest.0, smallest.1, smallest.0
        )
    })
}

/// Whether files that were given as bodies look like frames: their names differ in a number only, and they have the same
/// faces.
pub fn frames(files: &[PathBuf], world: &World) -> Option<String> {
    let [first, .., last] = files else { return None };
    let pattern = without_number(first)?;
    let meshes = world.scene.bodies().meshes();
    let is_alike = files.iter().all(|f| without_number(f).as_ref() == Some(&pattern))
        && meshes.len() == files.len()
        && !meshes[0].triangles().is_empty()
        && meshes
            .iter()
            .all(|m| m.vertex_count() == meshes[0].vertex_count() && m.triangles() == meshes[0].triangles());
    is_alike.then(|| {
        format!(
            "{} to {} have the same faces: if they are frames of one body, say --sequence before them",
            file_name(first),
            file_name(last)
        )
    })
}

/// A path with its last number replaced; `None` when there is none in the file's name.
fn without_number(path: &Path) -> Option<PathBuf> {
    let name = path.file_name()?.to_str()?;
    let number = last_number(name)?;
    Some(path.with_file_name(format!("{}#{}", &name[..number.start], &name[number.end..])))
}

/// What to say of a folder that was given where a file is needed.
pub fn folder(path: &Path) -> String {
    let mut extensions: Vec<String> = (std::fs::read_dir(path).into_iter().flatten().flatten())
        .filter(|entry| crumple_io::Format::of(&entry.path()).is_some())
        .filter_map(|entry| Some(entry.path().extension()?.to_string_lossy().into_owned()))
        .collect();
    extensions.sort();
    match extensions.chunk_by(|a, b| a == b).max_by_key(|run| run.len()) {
        None => format!("{}: is a directory, and has no mesh file in it", path.display()),
        Some(most) => {
            let all = path.join(format!("*.{}", most[0]));
            format!(
                "{}: is a directory; for the {} files in it as frames say --sequence '{}'",
                path.display(),
                most.len(),
                all.display()
            )
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_number_is_the_frame() {
        let of = |name: &str| without_number(Path::new(name)).map(|p| p.display().to_string());
        assert_eq!(of("seq/shot.1001.ply").as_deref(), Some("seq/shot.#.ply"));
        assert_eq!(of("b2_10.obj"), of("b2_9.obj"));
        assert_ne!(of("b2_10.obj"), of("b3_10.obj"));
        assert_eq!(of("shirt.obj"), None);
    }
}
