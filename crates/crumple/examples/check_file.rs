//! Does this mesh intersect itself, and where?
//!
//! `cargo run --release -p crumple --example check_file -- FILE`

use crumple::{Mesh, Scene};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let Some(path) = std::env::args_os().nth(1) else { return Err("which file?".into()) };
    let data = crumple_io::read(path.as_ref())?;
    let mesh = Mesh::from_polygons("file", data.positions.len(), data.polygons.iter())?;
    let mut scene = Scene::new();
    scene.add(mesh, &data.positions)?;
    let contacts = scene.contacts()?;
    println!("{} pairs of triangles intersect ({}, {})", contacts.len(), contacts.method, contacts.guarantee);
    for place in scene.places()?.iter().take(5) {
        println!("{} pairs round {:?}, crossing {} long", place.contacts, place.centre, place.length);
    }
    for oddity in scene.diagnose()?.iter().take(5) {
        println!("note: {}", oddity.text);
    }
    Ok(())
}
