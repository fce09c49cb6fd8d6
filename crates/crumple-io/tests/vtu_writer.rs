//! What the VTU and PVD writers write is read back to the bit.

use std::path::Path;

use crumple_io::write::{self, VtuCells, VtuColumn, VtuMesh, VtuValues};
use crumple_io::{MeshData, Polygons, Sequence, Source, read, read_source};

const POSITIONS: [[f64; 3]; 5] =
    [[0.1, 1.0 / 3.0, -0.0], [1e-300, 2.0, 5.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1e17]];

fn written(cells: VtuCells<'_>, cell_data: &[VtuColumn<'_>], point_data: &[VtuColumn<'_>]) -> Vec<u8> {
    let mut file = Vec::new();
    let mesh = VtuMesh { positions: &POSITIONS, cells, cell_data, point_data };
    mesh.write(&mut file).unwrap();
    file
}

fn read_back(file: Vec<u8>) -> MeshData {
    let source = Source::from_bytes("written.vtu", file).unwrap();
    let mesh = read_source(Path::new("written.vtu"), &source).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(mesh.positions, POSITIONS);
    mesh
}

#[test]
fn cells_of_every_kind_come_back() {
    let triangles = [[0, 1, 2], [2, 3, 4], [4, 1, 0]];
    let mesh = read_back(written(VtuCells::Triangles(&triangles), &[], &[]));
    assert_eq!(mesh.polygons, Polygons::from_triangles(&triangles));
    let tets = [[0, 1, 2, 3], [4, 3, 2, 1]];
    assert_eq!(read_back(written(VtuCells::Tets(&tets), &[], &[])).tets, tets);
    let mut polygons = Polygons::default();
    polygons.push(&[0, 1, 2, 3, 4]);
    polygons.push(&[0, 1, 2]);
    polygons.push(&[3, 2, 1, 0]);
    assert_eq!(read_back(written(VtuCells::Polygons(&polygons), &[], &[])).polygons, polygons);
    let points = read_back(written(VtuCells::Points, &[], &[]));
    assert!(points.polygons.is_empty() && points.tets.is_empty());
    assert_eq!(points.notes, ["5 point elements ignored"]);
}

/// The raw bytes of a column of a written file.
fn column<'f>(file: &'f [u8], section: &str, name: &str) -> &'f [u8] {
    let head_end = file.windows(2).position(|w| w == b"\n_").unwrap() + 2;
    let head = std::str::from_utf8(&file[..head_end]).unwrap();
    let section =
        head.split(&format!("<{section}")).nth(1).unwrap().split(&format!("</{section}")).next().unwrap();
    let tag = section.lines().find(|line| line.contains(&format!("Name=\"{name}\""))).unwrap();
    let at: usize = tag.split("offset=\"").nth(1).unwrap().split('"').next().unwrap().parse().unwrap();
    let (size, data) = file[head_end + at..].split_at(8);
    &data[..u64::from_le_bytes(size.try_into().unwrap()) as usize]
}

#[test]
fn tets_and_surfaces_share_a_file_with_flags_depths_and_bodies() {
    let tets = MeshData {
        positions: POSITIONS.to_vec(),
        tets: vec![[0, 1, 2, 3], [1, 2, 3, 4]],
        ..MeshData::default()
    };
    let mut quad = MeshData { positions: POSITIONS[..4].to_vec(), ..MeshData::default() };
    quad.polygons.push(&[0, 1, 2, 3]);
    let mut soft = write::MarkedBody::new("soft -- one", &tets);
    soft.marks.tets = Some(&[false, true]);
    soft.marks.depths = Some(&[0.0, 0.0, 0.0, 0.0, 2.5]);
    let mut plate = write::MarkedBody::new("plate", &quad);
    plate.marks.triangles = Some(&[true, false]);
    plate.marks.vertices = Some(&[true, false, false, false]);
    let mut file = Vec::new();
    write::vtu(&mut file, &[soft, plate]).unwrap();
    assert_eq!(column(&file, "Cells", "types"), [10, 10, 9]);
    assert_eq!(column(&file, "CellData", "collides"), [0, 1, 1]);
    assert_eq!(column(&file, "CellData", "body"), [0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0]);
    assert_eq!(column(&file, "PointData", "collides"), [0, 1, 1, 1, 1, 1, 0, 0, 0]);
    assert_eq!(column(&file, "PointData", "depth")[32..40], 2.5f64.to_le_bytes());
    assert_eq!(column(&file, "PointData", "depth").len(), 9 * 8);
    assert_eq!(column(&file, "PointData", "body")[16..24], [0, 0, 0, 0, 1, 0, 0, 0]);
    let head = String::from_utf8_lossy(&file[..400]).into_owned();
    assert!(head.contains("<!-- body 0: soft - - one -->\n<!-- body 1: plate -->"), "{head}");
    let source = Source::from_bytes("both.vtu", file).unwrap();
    let back = read_source(Path::new("both.vtu"), &source).unwrap();
    assert_eq!(back.tets, tets.tets);
    assert_eq!(back.positions.len(), 9);
}

#[test]
fn columns_stand_behind_the_mesh_at_their_offsets() {
    let flags = [true, false, true];
    let depth = [0.5, 0.25, 0.0, -1.0, 7.0];
    let file = written(
        VtuCells::Triangles(&[[0, 1, 2], [2, 3, 4], [4, 1, 0]]),
        &[
            VtuColumn { name: "collides", values: VtuValues::Flags(&flags) },
            VtuColumn { name: "body", values: VtuValues::Integers(&[7, 8, 9]) },
        ],
        &[
            VtuColumn { name: "direction", values: VtuValues::Vectors(&POSITIONS) },
            VtuColumn { name: "depth <m> & \"more\"", values: VtuValues::Numbers(&depth) },
        ],
    );
    read_back(file.clone());
    let head_end = file.windows(2).position(|w| w == b"\n_").unwrap() + 2;
    let head = std::str::from_utf8(&file[..head_end]).unwrap();
    let column = |name: &str, bytes: usize| {
        let tag = head.lines().find(|line| line.contains(&format!("Name=\"{name}\""))).unwrap();
        let offset = tag.split("offset=\"").nth(1).unwrap().split('"').next().unwrap();
        let at = head_end + offset.parse::<usize>().unwrap();
        assert_eq!(file[at..at + 8], (bytes as u64).to_le_bytes(), "{name}");
        &file[at + 8..at + 8 + bytes]
    };
    assert_eq!(column("collides", 3), [1, 0, 1]);
    assert_eq!(column("body", 12), [7, 0, 0, 0, 8, 0, 0, 0, 9, 0, 0, 0]);
    assert_eq!(column("direction", 120)[..8], 0.1f64.to_le_bytes());
    assert_eq!(column("depth &lt;m&gt; &amp; &quot;more&quot;", 40)[24..32], (-1f64).to_le_bytes());
    assert!(head.contains("<CellData Scalars=\"collides\">"));
}

#[test]
fn a_column_of_wrong_length_is_refused() {
    let column = [VtuColumn { name: "c", values: VtuValues::Flags(&[true]) }];
    let cells = VtuCells::Triangles(&[[0, 1, 2], [2, 3, 4]]);
    let mesh = VtuMesh { positions: &POSITIONS, cells, cell_data: &column, point_data: &[] };
    let error = mesh.write(&mut Vec::new()).unwrap_err().to_string();
    assert_eq!(error, "column \"c\" has 1 rows, not 2");
}

#[test]
fn a_written_sequence_is_read_as_one() {
    let folder = tempfile::tempdir().unwrap();
    let names = ["a & b 0.vtu", "a & b 1.vtu"];
    for name in names {
        std::fs::write(folder.path().join(name), written(VtuCells::Triangles(&[[0, 1, 2]]), &[], &[]))
            .unwrap();
    }
    let mut list = Vec::new();
    write::pvd(&mut list, names.iter().enumerate().map(|(k, &name)| (k as f64 / 24.0, name))).unwrap();
    let path = folder.path().join("run.pvd");
    std::fs::write(&path, list).unwrap();
    let sequence = Sequence::open(&[path]).unwrap();
    assert_eq!(sequence.len(), 2);
    let mut positions = Vec::new();
    sequence.read_frame(1, &mut positions).unwrap();
    assert_eq!(positions, POSITIONS);
}

#[test]
fn a_mesh_is_written_by_its_extension() {
    let folder = tempfile::tempdir().unwrap();
    let mut surface = MeshData { positions: POSITIONS.to_vec(), ..MeshData::default() };
    surface.polygons.push(&[0, 1, 2, 3]);
    surface.polygons.push(&[2, 3, 4]);
    // Triangles 0 and 1 are the first polygon, which is marked when one of them is.
    let path = folder.path().join("A.VTU.gz");
    crumple_io::write(&path, &surface, Some(&[false, true, false])).unwrap();
    assert_eq!(read(&path).unwrap(), surface);
    let mut file = Vec::new();
    let mut body = write::MarkedBody::new("", &surface);
    body.marks.triangles = Some(&[false, true, false]);
    write::vtu(&mut file, &[body]).unwrap();
    let collides = [2, 0, 0, 0, 0, 0, 0, 0, 1, 0];
    assert!(file.windows(10).any(|window| window == collides));
    assert!(crumple_io::write(&path, &surface, Some(&[true])).is_err());

    let tets = MeshData { positions: POSITIONS.to_vec(), tets: vec![[0, 1, 2, 3]], ..MeshData::default() };
    let path = folder.path().join("tets.vtu");
    crumple_io::write(&path, &tets, None).unwrap();
    assert_eq!(read(&path).unwrap(), tets);
}
