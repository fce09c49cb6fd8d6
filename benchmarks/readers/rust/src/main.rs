//! `readers PEER FILE ROUNDS`: the best of some readings of a file, from the path to arrays in memory, as
//! `seconds vertices faces`; `readers sequence DIR ROUNDS` reads the frames of a sequence. A peer that cannot read the file says why and ends with status 1.

use std::error::Error;
use std::fs::File;
use std::io::BufReader;
use std::path::Path;
use std::time::Instant;

/// Numbers of vertices and faces.
type Counts = (usize, usize);

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = std::env::args().collect();
    let [_, peer, file, rounds] = &words[..] else { return Err("readers PEER FILE ROUNDS".into()) };
    let path = Path::new(file);
    let read: fn(&Path) -> Result<Counts, Box<dyn Error>> = match peer.as_str() {
        "crumple" => crumple,
        "sequence" => sequence,
        "tobj" => tobj,
        "obj-rs" => obj_rs,
        "mesh-loader" => mesh_loader,
        "ply-rs-bw" => ply_rs,
        "serde_ply" => serde_ply_text,
        "stl_io" => stl,
        "vtkio" => vtk,
        _ => return Err(format!("no peer {peer}").into()),
    };
    let (mut best, mut counts) = (f64::INFINITY, (0, 0));
    for _ in 0..rounds.parse()? {
        let start = Instant::now();
        counts = read(path)?;
        best = best.min(start.elapsed().as_secs_f64());
    }
    println!("{best} {} {}", counts.0, counts.1);
    Ok(())
}

fn crumple(path: &Path) -> Result<Counts, Box<dyn Error>> {
    let data = crumple_io::read(path)?;
    Ok((data.positions.len(), data.polygons.len()))
}

/// All frames of a folder of numbered files, one after the other, as `crumple check --sequence` reads them.
fn sequence(path: &Path) -> Result<Counts, Box<dyn Error>> {
    let mut files: Vec<_> = std::fs::read_dir(path)?.map(|entry| Ok(entry?.path())).collect::<Result<_, std::io::Error>>()?;
    files.sort();
    let sequence = crumple_io::Sequence::open(&files)?;
    let mut positions = Vec::new();
    for frame in 0..sequence.len() {
        sequence.read_frame(frame, &mut positions)?;
    }
    Ok((positions.len(), sequence.len()))
}

fn tobj(path: &Path) -> Result<Counts, Box<dyn Error>> {
    let options = tobj::LoadOptions { ignore_points: true, ignore_lines: true, ..Default::default() };
    let (models, _) = tobj::load_obj(path, &options)?;
    let mesh = &models[0].mesh;
    Ok((mesh.positions.len() / 3, mesh.indices.len() / 3))
}

fn obj_rs(path: &Path) -> Result<Counts, Box<dyn Error>> {
    let raw = obj::raw::parse_obj(BufReader::new(File::open(path)?))?;
    Ok((raw.positions.len(), raw.polygons.len()))
}

fn mesh_loader(path: &Path) -> Result<Counts, Box<dyn Error>> {
    let scene = mesh_loader::Loader::default().load(path)?;
    let mesh = &scene.meshes[0];
    Ok((mesh.vertices.len(), mesh.faces.len()))
}

fn ply_rs(path: &Path) -> Result<Counts, Box<dyn Error>> {
    use ply_rs_bw::{parser::Parser, ply::DefaultElement};
    let mut file = BufReader::with_capacity(1 << 20, File::open(path)?);
    let ply = Parser::<DefaultElement>::new().read_ply(&mut file)?;
    Ok((ply.payload["vertex"].len(), ply.payload["face"].len()))
}

fn serde_ply_text(path: &Path) -> Result<Counts, Box<dyn Error>> {
    #[derive(serde::Deserialize)]
    #[allow(dead_code)]
    struct Vertex {
        x: f64,
        y: f64,
        z: f64,
    }
    #[derive(serde::Deserialize)]
    #[allow(dead_code)]
    struct Face {
        vertex_indices: Vec<u32>,
    }
    #[derive(serde::Deserialize)]
    struct Mesh {
        vertex: Vec<Vertex>,
        face: Vec<Face>,
    }
    let mesh: Mesh = serde_ply::from_reader(BufReader::with_capacity(1 << 20, File::open(path)?))?;
    Ok((mesh.vertex.len(), mesh.face.len()))
}

fn stl(path: &Path) -> Result<Counts, Box<dyn Error>> {
    let mesh = stl_io::read_stl(&mut BufReader::with_capacity(1 << 20, File::open(path)?))?;
    Ok((mesh.vertices.len(), mesh.faces.len()))
}

fn vtk(path: &Path) -> Result<Counts, Box<dyn Error>> {
    let mut file = vtkio::Vtk::import(path)?;
    file.load_all_pieces()?;
    let vtkio::model::DataSet::UnstructuredGrid { pieces, .. } = file.data else { return Err("no grid".into()) };
    let vtkio::model::Piece::Inline(piece) = &pieces[0] else { return Err("no piece".into()) };
    Ok((piece.points.len() / 3, piece.cells.types.len()))
}
