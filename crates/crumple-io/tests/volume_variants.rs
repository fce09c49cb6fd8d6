//! Variants of the volume formats that the sample files do not show, written by hand.

use std::fs;
use std::path::Path;

use crumple_io::{MeshData, Source, read, read_source};

fn parse(name: &str, bytes: impl AsRef<[u8]>) -> Result<MeshData, String> {
    let source = Source::from_bytes(name, bytes.as_ref().to_vec()).map_err(|e| e.to_string())?;
    read_source(Path::new(name), &source).map_err(|e| e.to_string())
}

fn good(name: &str, bytes: impl AsRef<[u8]>) -> MeshData {
    parse(name, bytes).unwrap_or_else(|e| panic!("{e}"))
}

fn faces(mesh: &MeshData) -> Vec<Vec<u32>> {
    mesh.polygons.iter().map(<[u32]>::to_vec).collect()
}

#[test]
fn legacy_vtk_of_version_2_with_metadata_fields_and_lower_case() {
    let text = "# vtk DataFile Version 2.0\r\nCELLS 5 in the title\r\nascii\r\ndataset unstructured_grid\r\n\
        FIELD FieldData 2\r\nmany 2 2 int\r\n1 2 3\r\n4\r\nMETADATA\r\nINFORMATION 1\r\nNAME x LOCATION y\r\n\r\n\
        name 1 1 string\r\nPOINTS 9 9 float\r\n\
        points 4 float\r\n0 0 0 1 0 0 0 1 0 0 0 0.1\r\nMETADATA\r\nINFORMATION 0\r\n\r\n\
        CELLS 3 12\r\n4 0 1 2 3\r\n3 0 1 2\r\n2 0 1\r\n\r\nCELL_TYPES 3\r\n10\r\n5\r\n3\r\n\
        CELL_DATA 3\r\nSCALARS whatever that nobody reads";
    let mesh = good("a.vtk", text);
    // The decimal 0.1 of a file that says "float" is still the nearest double.
    assert_eq!(mesh.positions[3], [0.0, 0.0, 0.1]);
    assert_eq!(mesh.tets, [[0, 1, 2, 3]]);
    assert_eq!(
        mesh.notes,
        ["1 line elements ignored", "1 surface elements ignored, because the file has tets"]
    );
}

#[test]
fn legacy_vtk_of_points_alone_and_of_strips() {
    let points = "# vtk DataFile Version 4.2\nt\nASCII\nDATASET POLYDATA\nPOINTS 2 int\n1 2 3\n4 5 6\n";
    assert_eq!(good("a.VTK", points).positions, [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]);
    let strips = "# vtk DataFile Version 4.2\nt\nASCII\nDATASET POLYDATA\nPOINTS 5 int\n0 0 0 1 0 0 0 1 0 1 1 0 0 2 0\n\
        VERTICES 1 2\n1 0\nTRIANGLE_STRIPS 1 6\n5 0 1 2 3 4\nPOLYGONS 1 5\n4 0 1 3 2\n";
    let mesh = good("a.vtk", strips);
    assert_eq!(faces(&mesh), [&[0, 1, 2][..], &[2, 1, 3], &[2, 3, 4], &[0, 1, 3, 2]]);
    assert_eq!(mesh.notes, ["1 point elements ignored"]);
}

#[test]
fn legacy_vtk_with_curved_and_other_cells() {
    let text = "# vtk DataFile Version 3.0\nt\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 10 int\n\
        0 0 0 1 0 0 2 0 0 3 0 0 4 0 0 5 0 0 6 0 0 7 0 0 8 0 0 9 0 0\n\
        CELLS 4 33\n10 0 1 2 3 4 5 6 7 8 9\n6 0 1 2 3 4 5\n4 0 1 2 3\n9 0 1 2 3 4 5 6 7 8\n\
        CELL_TYPES 4\n24 22 8 12\n";
    let mesh = good("a.vtk", text);
    assert_eq!((mesh.positions.len(), &mesh.tets[..]), (10, &[[0, 1, 2, 3]][..]));
    assert_eq!(
        mesh.notes,
        [
            "1 hexahedra ignored",
            "2 curved elements read by their corners, as straight ones",
            "2 surface elements ignored, because the file has tets"
        ]
    );
}

#[test]
fn faults_of_legacy_vtk_say_where() {
    let head = "# vtk DataFile Version 3.0\nt\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 3 float\n0 0 0\n1 0 0\n0 1 0\n";
    for (tail, what) in [
        ("CELLS 1 4\n3 0 1 3\n", "line 10: cell 0 has vertex 3, but vertices are numbered 0 to 2"),
        ("CELLS 1 4\n3 0 1 -1\n", "line 10: cell 0 has vertex -1"),
        ("CELLS 1 4\n3 0 1", "line 10: the file ends where a node of a cell should be"),
        ("CELLS 1 4\n3 0 1 2\n", "line 11: CELLS without CELL_TYPES"),
        ("CELLS 1 4\n3 0 1 2\nCELL_TYPES 1\n", "line 12: the file ends where a cell type should be"),
        ("CELLS 1 4\n3 0 1 2\nCELL_TYPES 1\n10\n", "line 12: cell 0 has type 10, which has 4 nodes, not 3"),
        ("CELLS 1 4\n3 0 1 2\nCELL_TYPES 2\n5 5\n", "line 12: 1 cells, but 2 cell types"),
        ("CELLS 1 3\n3 0 1 2\n", "line 10: cell 0 goes beyond the announced size 3"),
        ("CELLS 1 5\n3 0 1 2\n", "line 10: the cells take 4 numbers where 5 were announced"),
        ("CELL_TYPES 1\n5\n", "line 9: CELL_TYPES without CELLS"),
        ("CELLS 3 3\nOFFSETS vtktypeint64\n0 3 2", "line 11: offset 2 of cell 2 is out of order"),
        ("CELLS 2 3\nOFFSETS vtktypeint64\n1 3", "line 11: offset 1 of cell 0 is out of order"),
        ("CELLS 2 3\nOFFSETS vtktypeint64\n0 2", "line 11: the last offset should be 3"),
        ("WHAT 1\n", "line 9: unknown keyword \"WHAT\""),
        ("POINTS 0 float\n", "line 9: a second POINTS"),
    ] {
        let error = parse("a.vtk", format!("{head}{tail}")).unwrap_err();
        assert!(error.starts_with("a.vtk, ") && error.contains(what), "{error}");
    }
    for (text, what) in [
        (head.replace("1 0 0", "1 nan 0"), "line 7: vertex 1 is not finite"),
        (head.replace("1 0 0", "1 1e999 0"), "vertex 1 is not finite"),
        (
            head.replace("UNSTRUCTURED_GRID", "STRUCTURED_GRID"),
            "line 4: dataset \"STRUCTURED_GRID\" is not read",
        ),
        (head.replace("ASCII", "BINARY"), "the data ends in y: 4 bytes needed"),
        (head.replace("float", "bit"), "line 5: unknown data type \"bit\""),
        (head.replace("vtk DataFile", "x"), "line 1: a VTK file begins with"),
        (head.replace("POINTS", "FIELD a 1\nPOINTS"), "line 6: the number of tuples"),
    ] {
        let error = parse("a.vtk", text).unwrap_err();
        assert!(error.contains(what), "{error}");
    }
}

const VTU: &str = r#"<?xml version="1.0"?>
<VTKFile type="UnstructuredGrid" version="0.1" byte_order="LittleEndian">
<UnstructuredGrid>
<Piece NumberOfPoints="3" NumberOfCells="1">
<PointData><DataArray type="Float32" Name="connectivity" format="ascii">9 9 9</DataArray></PointData>
<Points><DataArray type="Float32" NumberOfComponents="3" format="ascii">0 0 0 <InformationKey name="a"><Value>1</Value></InformationKey>
</DataArray></Points>
<Cells>
<DataArray type="Int32" Name="types" format="ascii">5</DataArray>
<DataArray type="Int32" Name="connectivity" format="ascii">0 1 2</DataArray>
<DataArray type="Int32" Name="offsets" format="ascii">3</DataArray>
<DataArray type="String" Name="unread" format="ascii">x</DataArray>
</Cells>
</Piece>
<!-- a comment with <tags> -->
</UnstructuredGrid>
</VTKFile>"#;

fn vtu() -> String {
    VTU.replace("0 0 0 <", "0 0 0 1 0 0 0 1 0.1 <")
        .replace("<DataArray type=\"String\" Name=\"unread\" format=\"ascii\">x</DataArray>\n", "")
}

#[test]
fn pieces_of_a_vtu_follow_each_other() {
    let one = good("a.vtu", vtu());
    assert_eq!(one.positions[2], [0.0, 1.0, 0.1]);
    assert_eq!(faces(&one), [[0, 1, 2]]);
    let piece = vtu()[vtu().find("<Piece").unwrap()..vtu().find("<!--").unwrap()].to_owned();
    let two = good("a.vtu", vtu().replace("<!--", &format!("{piece}<!--")));
    assert_eq!(two.positions.len(), 6);
    assert_eq!(faces(&two), [[0, 1, 2], [3, 4, 5]]);
}

#[test]
fn strips_of_a_vtp_stand_where_they_stand() {
    let vtp = vtu()
        .replace("UnstructuredGrid", "PolyData")
        .replace("NumberOfCells=\"1\"", "NumberOfStrips=\"1\" NumberOfPolys=\"1\"")
        .replace("<Cells>", "<Strips><DataArray type=\"Int8\" Name=\"offsets\">4</DataArray><DataArray type=\"Int8\" Name=\"connectivity\">2 1 0 1</DataArray></Strips><Polys>")
        .replace("</Cells>", "</Polys>");
    assert_eq!(faces(&good("a.VTP", vtp)), [[2, 1, 0], [0, 1, 1], [0, 1, 2]]);
}

#[test]
fn faults_of_vtu_say_where() {
    for (from, to, what) in [
        (">0 1 2<", ">0 1 3<", "line 10: cell 0 has vertex 3, but vertices are numbered 0 to 2"),
        (">0 1 2<", ">0 1 -2<", "line 10: array connectivity: number 2 should not be \"-2\""),
        (">0 1 2<", ">0 1 2 2<", "line 10: 4 nodes where the last offset says 3"),
        (">3<", ">4<", "line 11: offset 4 of cell 0 is out of order"),
        (">3<", "><", "line 8: 0 cells, but 1 cell types"),
        (">5<", ">10<", "line 10: cell 0 has type 10, which has 4 nodes, not 3"),
        (">5<", ">500<", "line 9: array types: number 0 should not be \"500\""),
        ("0.1 ", "inf ", "line 6: vertex 2 is not finite"),
        ("0.1 ", "", "line 6: 8 coordinates are not points of 3 each"),
        (
            "NumberOfPoints=\"3\"",
            "NumberOfPoints=\"4\"",
            "line 4: the piece has 3 points where NumberOfPoints says 4",
        ),
        ("NumberOfPoints=\"3\"", "", "NumberOfPoints says no number"),
        (
            "NumberOfCells=\"1\"",
            "NumberOfCells=\"2\"",
            "line 4: the piece has 1 cells where NumberOfCells says 2",
        ),
        ("\"UnstructuredGrid\"", "\"ImageData\"", "line 2: a VTK file of type \"ImageData\" is not read"),
        (
            "version=\"0.1\"",
            "compressor=\"vtkLZ4DataCompressor\"",
            "compressor \"vtkLZ4DataCompressor\" is not read",
        ),
        ("version=\"0.1\"", "header_type=\"Int8\"", "unknown header type"),
        ("LittleEndian", "MiddleEndian", "unknown byte order"),
        ("</Cells>", "</Cell>", "line 12: not well-formed XML"),
        ("</VTKFile>", "", "line 16: the file ends before </VTKFile>"),
        (
            "type=\"Float32\" NumberOfComponents=\"3\"",
            "type=\"Float32\" NumberOfComponents=\"2\"",
            "line 6: points should have 3",
        ),
        ("format=\"ascii\">0 1 2", "format=\"binary\">AAAA!AAA", "line 10: array connectivity: bad base64"),
        (
            "format=\"ascii\">0 1 2",
            "format=\"binary\">BwAAAAAAAA==",
            "array connectivity: it ends after 3 of 7 bytes",
        ),
        (
            "format=\"ascii\">0 1 2",
            "format=\"binary\">AwAAAAAAAA==",
            "array connectivity: 3 bytes are left over after 0",
        ),
        (
            "format=\"ascii\">0 1 2",
            "format=\"appended\" offset=\"0\">",
            "line 10: the file has no <AppendedData>",
        ),
        (
            "</UnstructuredGrid>",
            "</UnstructuredGrid><AppendedData encoding=\"raw\">x",
            "should begin with an underscore",
        ),
    ] {
        let text = vtu();
        assert!(text.contains(from), "{from}");
        let error = parse("a.vtu", text.replacen(from, to, 1)).unwrap_err();
        assert!(error.starts_with("a.vtu, ") && error.contains(what), "{error}");
    }
    assert!(parse("a.vtu", VTU).unwrap_err().contains("line 12: unknown data type \"String\""));
}

#[test]
fn a_zlib_bomb_in_a_vtu_is_an_error() {
    use std::io::Write;
    let size = 64u64 << 20;
    let mut packed = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::best());
    for _ in 0..size >> 16 {
        packed.write_all(&[0; 1 << 16]).unwrap();
    }
    let packed = packed.finish().unwrap();
    let mut file = format!(
        "<VTKFile type=\"UnstructuredGrid\" header_type=\"UInt64\" compressor=\"vtkZLibDataCompressor\"><UnstructuredGrid>\
         <Piece NumberOfPoints=\"{}\" NumberOfCells=\"0\"><Points><DataArray type=\"Float64\" format=\"appended\"/></Points></Piece>\
         </UnstructuredGrid><AppendedData encoding=\"raw\">_",
        size / 24
    )
    .into_bytes();
    for word in [1, size, 0, packed.len() as u64] {
        file.extend(word.to_le_bytes());
    }
    file.extend(packed);
    file.extend(b"</AppendedData></VTKFile>");
    assert!(parse("a.vtu", file).unwrap_err().contains("unpack to more than 32 times the size"));
}

/// A Gmsh file of version 4.1 in big-endian binary: parametric nodes with gaps, a curved tet, a line, a triangle.
fn big_endian_msh() -> Vec<u8> {
    let mut file = b"$MeshFormat\n4.1 1 8\n".to_vec();
    let int = |file: &mut Vec<u8>, values: &[i32]| file.extend(values.iter().flat_map(|v| v.to_be_bytes()));
    let size = |file: &mut Vec<u8>, values: &[u64]| file.extend(values.iter().flat_map(|v| v.to_be_bytes()));
    int(&mut file, &[1]);
    file.extend(b"\n$EndMeshFormat\n$Nodes\n");
    size(&mut file, &[2, 10, 5, 900]);
    int(&mut file, &[2, 1, 1]);
    size(&mut file, &[4, 900, 5, 30, 20]);
    for v in 0..4 {
        for c in [v as f64, 0.5, -1.0, 77.0, 78.0] {
            file.extend(c.to_be_bytes());
        }
    }
    int(&mut file, &[3, 1, 0]);
    size(&mut file, &[6, 101, 102, 103, 104, 105, 106]);
    for v in 4..10 {
        for c in [v as f64, 0.5, -1.0] {
            file.extend(c.to_be_bytes());
        }
    }
    file.extend(b"\n$EndNodes\n$Elements\n");
    size(&mut file, &[3, 3, 1, 3]);
    int(&mut file, &[3, 1, 11]);
    size(&mut file, &[1, 1, 5, 900, 30, 20, 101, 102, 103, 104, 105, 106]);
    int(&mut file, &[1, 1, 1]);
    size(&mut file, &[1, 2, 5, 900]);
    int(&mut file, &[2, 1, 2]);
    size(&mut file, &[1, 3, 20, 30, 5]);
    file.extend(b"\n$EndElements\n$NodeData\nanything $End\n$EndNodeData\n");
    file
}

#[test]
fn gmsh_big_endian_with_parameters_gaps_and_curved_elements() {
    let mesh = good("a.msh", big_endian_msh());
    let xs: Vec<_> = mesh.positions.iter().map(|p| p[0]).collect();
    assert_eq!(xs, (0..10).map(f64::from).collect::<Vec<_>>());
    assert_eq!(mesh.positions[9], [9.0, 0.5, -1.0]);
    assert_eq!(mesh.tets, [[1, 0, 2, 3]]);
    assert_eq!(
        mesh.notes,
        [
            "1 line elements ignored",
            "1 curved elements read by their corners, as straight ones",
            "1 surface elements ignored, because the file has tets"
        ]
    );
    let file = big_endian_msh();
    for length in 0..file.len() - 1 {
        // What stands between sections is a comment, so that a cut there is a file that ends there.
        let between = [b"$EndElements".as_slice(), b"$EndNodes"].iter().any(|mark| {
            let end = file.windows(mark.len()).position(|w| w == *mark).unwrap() + mark.len();
            (end..=end + 1).contains(&length)
        });
        assert_eq!(parse("a.msh", &file[..length]).is_ok(), between, "cut to {length} bytes");
    }
}

#[test]
fn gmsh_text_of_both_versions() {
    let v2 = "$Comments\nby hand $Nodes\n$EndComments\n$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n5\n\
        70000000 0 0 0\n2 1 0 0\n30 0.1 1 0\n4 0 0 1e-3\n5 1 1 1\n$EndNodes\n$Elements\n5\n\
        1 3 2 0 1 70000000 2 5 30\n2 2 0 2 30 4\n3 777 2 1 1 9 9 9 9\n4 15 0 2\n5 2 3 1 2 3 30 2 4\n$EndElements\n";
    let mesh = good("a.msh", v2);
    assert_eq!(mesh.positions[2], [0.1, 1.0, 0.0]);
    assert_eq!(faces(&mesh), [&[0, 1, 4, 2][..], &[1, 2, 3], &[2, 1, 3]]);
    assert_eq!(mesh.notes, ["1 elements of unknown type ignored", "1 point elements ignored"]);
    let v4 = "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Nodes\n2 3 1 9\n2 1 1 2\n9\n1\n0 0 0 0.5 0.5\n1 0 0 0.5 0.5\n\
        2 2 0 1\n4\n0 1 0\n$EndNodes\n$Elements\n2 2 1 2\n2 1 2 1\n1 9 1 4\n2 1 555 1\n2 1 1 1 1\n$EndElements\n";
    let mesh = good("a.msh", v4);
    assert_eq!(faces(&mesh), [[0, 1, 2]]);
    assert_eq!(mesh.notes, ["1 elements of unknown type ignored"]);
    for (text, from, to, what) in [
        (
            v2,
            "2 2 0 2 30 4",
            "2 2 0 2 30 40",
            "line 18: element 2 uses node 40, which the file does not have",
        ),
        (v2, "\n5 1 1 1", "\n4 1 1 1", "node 4 appears twice"),
        (v2, "\n2 1 0 0", "\n2 1 nan 0", "line 10: vertex 1 is not finite"),
        (v2, "$EndElements\n", "", "line 22: the file ends where \"$EndElements\" should be"),
        (
            v2,
            "$Elements\n5",
            "$Elements\n6",
            "line 22: an element number should be an integer, not \"$EndElements\"",
        ),
        (v2, "$Elements\n5", "$Elements\n4", "line 21: expected \"$EndElements\", found \"5\""),
        (v2, "2.2", "1.0", "line 5: Gmsh version \"1.0\" is not read"),
        (v2, "2.2", "4.0", "line 5: Gmsh version \"4.0\" is not read"),
        (v2, "$EndComments", "", "line 1: section \"Comments\" has no end"),
        (v4, "2 3 1 9", "2 4 1 9", "3 nodes where 4 were announced"),
        (v4, "2 2 1 2", "2 3 1 2", "2 elements where 3 were announced"),
        (v4, "2 2 0 1\n4", "2 2 0 1\n9", "node 9 appears twice"),
        (v4, "4.1 0 8", "4.1 2 8", "line 2: the file type is 0 (text) or 1 (binary), not 2"),
        (v4, "4.1 0 8", "4.1 1 8", "byte 20: the byte order mark"),
    ] {
        assert!(text.contains(from), "{from}");
        let error = parse("a.msh", text.replacen(from, to, 1)).unwrap_err();
        assert!(error.starts_with("a.msh") && error.contains(what), "{error}");
    }
    assert!(parse("a.msh", "$NOD\n1\n1 0 0 0\n$ENDNOD\n").unwrap_err().contains("version 1 is not read"));
}

const MEDIT: &str = "# by hand\nMeshVersionFormatted 2\n\nDimension\n3\nVertices 4 # four\n0 0 0 1\n1 0 0 1\n0 1 0 1\n0 0 0.1 1\n\
    Corners 2\n1 2\nEdges 1\n1 2 0\nTriangles 1\n1 2 3 0\nQuadrilaterals\n1\n4 3 2 1 7\nTetraedra 1\n1 2 3 4 0\nEnd\n";

#[test]
fn medit_sections_that_are_not_read_are_passed_over() {
    let mesh = good("a.mesh", MEDIT);
    assert_eq!(mesh.positions[3], [0.0, 0.0, 0.1]);
    assert_eq!(faces(&mesh), [&[0, 1, 2][..], &[3, 2, 1, 0]]);
    assert_eq!(
        mesh.notes,
        ["1 line elements ignored", "1 sections with unknown keywords ignored, the first is \"Tetraedra\""]
    );
    for (from, to, what) in [
        ("1 2 3 0\nQ", "1 2 5 0\nQ", "line 16: element 1 has vertex 5, but vertices are numbered 1 to 4"),
        ("1 2 3 0\nQ", "0 2 3 0\nQ", "line 16: element 1 has vertex 0"),
        ("1 2 3 0\nQ", "1 2 3\nQ", "line 17: the reference of an element should be a number, not \"Quad"),
        ("1 0 0 1", "1 inf 0 1", "line 8: vertex 1 is not finite"),
        ("Dimension\n3", "Dimension\n2", "line 5: a mesh of dimension 2 is not read"),
        ("\nEnd\n", "\n", "line 22: the file ends without \"End\""),
        ("Triangles 1", "Triangles 2", "line 17: a vertex of an element should be an integer, not \"Quad"),
        ("Triangles 1", "7 1", "expected a keyword, found \"7\""),
    ] {
        if from == "Triangles 1" && to == "7 1" {
            let text = MEDIT.replace("Corners 2\n1 2\nEdges 1\n1 2 0\nTriangles", "7");
            assert!(parse("a.mesh", text).unwrap_err().contains(what));
            continue;
        }
        assert!(MEDIT.contains(from), "{from}");
        let error = parse("a.mesh", MEDIT.replacen(from, to, 1)).unwrap_err();
        assert!(error.starts_with("a.mesh, ") && error.contains(what), "{error}");
    }
    assert!(parse("a.meshb", [1, 0, 0, 0, 3, 0, 0, 0]).unwrap_err().contains("(.meshb) are not read"));
}

const NODE: &str = "# points\n5 3 2 1\n\n1 0 0 0 9 9 1\n2 1 0 0 9 9 1 # corner\n3 0 1 0 9 9 1\n4 0 0 0.1 9 9 1\n5 1 1 1 9 9 1\n";
const ELE: &str = "2 4 1\n1 1 2 3 4 7\n# comment\n2 5 4 3 2 7\n";

fn gzip(bytes: &str) -> Vec<u8> {
    use std::io::Write;
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(bytes.as_bytes()).unwrap();
    encoder.finish().unwrap()
}

#[test]
fn tetgen_files_find_each_other() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    fs::write(path("m.1.node"), NODE).unwrap();
    let points = read(&path("m.1.node")).unwrap();
    assert_eq!((points.positions.len(), points.tets.len()), (5, 0));
    fs::write(path("m.1.ELE.gz"), gzip(ELE)).unwrap();
    for name in ["m.1.node", "m.1.ELE.gz"] {
        let mesh = read(&path(name)).unwrap();
        assert_eq!(mesh.positions[3], [0.0, 0.0, 0.1]);
        assert_eq!(mesh.tets, [[0, 1, 2, 3], [4, 3, 2, 1]], "{name}");
    }
    fs::write(path("lonely.ele"), ELE).unwrap();
    assert!(
        read(&path("lonely.ele")).unwrap_err().to_string().contains("lonely.ele: there is no .node file")
    );
    for (node, ele, what) in [
        (NODE.replace("5 1 1 1 9", "5 1 1 nan 9"), ELE.into(), "m.1.node, line 8: vertex 4 is not finite"),
        (
            NODE.replace("5 1 1 1 9", "6 1 1 1 9"),
            ELE.into(),
            "m.1.node, line 8: point 6 where point 5 should be",
        ),
        (
            NODE.replace("1 0 0 0 9", "2 0 0 0 9"),
            ELE.into(),
            "m.1.node, line 4: points are numbered from 0 or 1",
        ),
        (
            NODE.replace("5 3 2 1", "6 3 2 1"),
            ELE.into(),
            "m.1.node, line 9: the file ends where the number of a point",
        ),
        (
            NODE.replace("4 0 0 0.1 9 9 1", "4 0 0 0.1 9 9"),
            ELE.into(),
            "m.1.node, line 7: the line ends where an attribute",
        ),
        (NODE.replace("5 3 2 1", "5 2 2 1"), ELE.into(), "m.1.node, line 2: points of dimension 2"),
        (
            NODE.into(),
            ELE.replace("5 4 3 2 7", "6 4 3 2 7"),
            "m.1.ele, line 4: tet 1 has vertex 6, but vertices are numbered 1 to 5",
        ),
        (
            NODE.into(),
            ELE.replace("5 4 3 2 7", "5 4 3"),
            "m.1.ele, line 4: the line ends where a node of a tet",
        ),
        (
            NODE.into(),
            ELE.replace("2 4 1", "3 4 1"),
            "m.1.ele, line 5: the file ends where the number of a tet",
        ),
        (NODE.into(), ELE.replace("2 4 1", "2 3 1"), "m.1.ele, line 1: a tet has 4 or 10 nodes, not 3"),
    ] {
        fs::write(path("m.1.node"), node).unwrap();
        fs::write(path("m.1.ele"), ele).unwrap();
        for name in ["m.1.node", "m.1.ele"] {
            let error = read(&path(name)).unwrap_err().to_string();
            assert!(error.contains(what), "{error}");
        }
    }
}
