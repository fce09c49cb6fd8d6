//! Names, materials and texture coordinates that a file gives are kept, and objects can be taken apart.

use std::path::Path;

use crumple_io::{Format, MeshData, ReadOptions, Source, Uvs, read_source_with};

fn read(name: &str, text: &str) -> MeshData {
    let source = Source::from_bytes(name, text.into()).unwrap();
    read_source_with(Path::new(name), &source, &ReadOptions::default().with_uvs()).unwrap()
}

/// Two objects that share vertex 3, a quad among them, and a face before any name.
const SCENE: &str = "mtllib a b.mtl\nv 9 9 9\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nv 2 2 2\nvt 0 0\nvt 1 0\nvt 0 1 0\nvt 1\n\
f 2 3 4\no shirt\nusemtl red cloth\nf 2/1 3/2 5/4 4/3\ng sleeve\nf 3/2 5/4 4/-2\no body\nusemtl\nf 4 5 6\no shirt\nf 2//1 3//1 6//1\n";

#[test]
fn obj_names_are_runs_of_faces() {
    let mesh = read("scene.obj", SCENE);
    let parts: Vec<_> =
        mesh.parts.iter().map(|p| (&*p.object, &*p.group, &*p.material, p.faces.clone())).collect();
    assert_eq!(
        parts,
        [
            ("", "", "", 0..1),
            ("shirt", "", "red cloth", 1..2),
            ("shirt", "sleeve", "red cloth", 2..3),
            ("body", "sleeve", "", 3..4),
            ("shirt", "sleeve", "", 4..5),
        ]
    );
    assert_eq!(mesh.material_libraries, ["a b.mtl"]);
    assert_eq!(mesh.polygons.get(1).len(), 4);
    assert!(mesh.notes.is_empty());
}

#[test]
fn obj_texture_coordinates_belong_to_corners() {
    let mesh = read("scene.obj", SCENE);
    assert_eq!(mesh.uvs.coordinates, [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 0.0]]);
    const N: u32 = Uvs::NONE;
    assert_eq!(mesh.uvs.corners, [N, N, N, 0, 1, 3, 2, 1, 3, 2, N, N, N, N, N, N]);
    // Only where they are asked for.
    let source = Source::from_bytes("scene.obj", SCENE.into()).unwrap();
    let plain = read_source_with(Path::new("scene.obj"), &source, &ReadOptions::default()).unwrap();
    assert!(plain.uvs.is_empty());
    assert_eq!((plain.parts, plain.polygons), (mesh.parts, mesh.polygons));
    // A texture does not make a mesh unreadable.
    let bad = read("bad.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nvt x 0\nvt nan 2\nf 1/1 2/2 3/9\nf 1/-9 2/0 3\n");
    assert_eq!(bad.uvs.coordinates, [[0.0, 0.0], [0.0, 2.0]]);
    assert_eq!(bad.uvs.corners, [0, 1, N, N, N, N]);
    assert_eq!(bad.notes, ["5 texture coordinates that are not there or no numbers ignored"]);
}

#[test]
fn objects_of_an_obj_come_apart_with_the_way_back() {
    let mesh = read("scene.obj", SCENE);
    let objects = mesh.split_objects();
    let names: Vec<_> = objects.iter().map(|o| o.name.as_str()).collect();
    assert_eq!(names, ["", "shirt", "body"]);
    assert_eq!(objects[1].faces, [1, 2, 4]);
    assert_eq!(objects[1].vertices, [1, 2, 3, 4, 5]);
    assert_eq!(objects[2].vertices, [3, 4, 5]);
    for object in &objects {
        assert_eq!(object.mesh.positions.len(), object.vertices.len());
        for (v, &original) in object.vertices.iter().enumerate() {
            assert_eq!(object.mesh.positions[v], mesh.positions[original as usize]);
        }
        for (f, &original) in object.faces.iter().enumerate() {
            let back: Vec<u32> =
                object.mesh.polygons.get(f).iter().map(|&v| object.vertices[v as usize]).collect();
            assert_eq!(back, mesh.polygons.get(original as usize));
            let uv_of = |mesh: &MeshData, f| -> Vec<Option<[f64; 2]>> {
                let uvs = &mesh.uvs;
                let corners = uvs.corners.get(mesh.polygons.corner_range(f)).unwrap_or_default();
                corners.iter().map(|&uv| uvs.coordinates.get(uv as usize).copied()).collect()
            };
            let (here, there) = (uv_of(&object.mesh, f), uv_of(&mesh, original as usize));
            assert!(here == there || here.is_empty() && there.iter().all(Option::is_none));
        }
        assert_eq!(object.mesh.parts.last().unwrap().faces.end, object.faces.len());
    }
    assert_eq!(objects[1].mesh.parts.len(), 3);
}

#[test]
fn groups_stand_in_for_objects_and_a_nameless_file_is_one() {
    let text = "v 0 0 0\nv 1 0 0\nv 0 1 0\ng left\nf 1 2 3\ng right\nf 3 2 1\n";
    let names: Vec<_> = read("g.obj", text).split_objects().into_iter().map(|o| o.name).collect();
    assert_eq!(names, ["left", "right"]);
    let one = read("n.obj", "v 7 7 7\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 2 3 4\n");
    let objects = one.split_objects();
    assert_eq!(objects.len(), 1);
    assert_eq!(objects[0].mesh, one);
    assert_eq!(objects[0].vertices, [0, 1, 2, 3]);
}

#[test]
fn nodes_of_a_gltf_are_objects() {
    let folder: std::path::PathBuf =
        [env!("CARGO_MANIFEST_DIR"), "..", "..", "testdata", "meshes"].iter().collect();
    let mesh = crumple_io::read(&folder.join("box.gltf")).unwrap();
    let objects = mesh.split_objects();
    assert_eq!(objects.len(), 2, "{:?}", mesh.parts);
    assert_ne!(objects[0].name, objects[1].name);
    assert_eq!(objects.iter().map(|o| o.faces.len()).sum::<usize>(), mesh.polygons.len());
    assert_eq!(objects[0].mesh.positions.len(), 8);
}

#[test]
fn gltf_names_materials_and_texture_coordinates() {
    use base64::Engine;
    let numbers: Vec<u8> = [0f32, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.5, 1.0, 0.25, 0.75, 1.0]
        .iter()
        .flat_map(|n| n.to_le_bytes())
        .collect();
    let data = base64::engine::general_purpose::STANDARD.encode(&numbers);
    let text = format!(
        r#"{{"asset":{{"version":"2.0"}},"scene":0,"scenes":[{{"nodes":[0,1]}}],
        "nodes":[{{"mesh":0,"name":"cloth"}},{{"mesh":1}}],
        "meshes":[{{"primitives":[{{"attributes":{{"POSITION":0,"TEXCOORD_0":1}},"material":0}},
                                  {{"attributes":{{"POSITION":0}}}}]}},
                  {{"primitives":[{{"attributes":{{"POSITION":0}}}}]}}],
        "materials":[{{"name":"silk"}}],
        "accessors":[{{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3"}},
                     {{"bufferView":1,"componentType":5126,"count":3,"type":"VEC2"}}],
        "bufferViews":[{{"buffer":0,"byteOffset":0,"byteLength":36}},{{"buffer":0,"byteOffset":36,"byteLength":24}}],
        "buffers":[{{"byteLength":60,"uri":"data:application/octet-stream;base64,{data}"}}]}}"#
    );
    let mesh = read("t.gltf", &text);
    let parts: Vec<_> =
        mesh.parts.iter().map(|p| (&*p.object, &*p.group, &*p.material, p.faces.clone())).collect();
    assert_eq!(
        parts,
        [
            ("cloth", "primitive 0", "silk", 0..1),
            ("cloth", "primitive 1", "", 1..2),
            ("node 1", "", "", 2..3)
        ]
    );
    assert_eq!(mesh.uvs.coordinates[..3], [[0.0, 0.5], [1.0, 0.25], [0.75, 1.0]]);
    assert_eq!(mesh.uvs.coordinates.len(), mesh.positions.len());
    let objects = mesh.split_objects();
    assert_eq!(objects[0].mesh.uvs.coordinates.len(), 3);
}

#[test]
fn ply_texture_coordinates_belong_to_vertices() {
    for (s, t) in [("s", "t"), ("u", "v"), ("texture_u", "texture_v")] {
        let text = format!(
            "ply\nformat ascii 1.0\nelement vertex 3\nproperty float {s}\nproperty float x\nproperty float y\n\
             property float z\nproperty float {t}\nelement face 1\nproperty list uchar int vertex_indices\nend_header\n\
             0.5 0 0 0 1\n0.25 1 0 0 0\n0 0 1 0 0.75\n3 0 1 2\n"
        );
        let mesh = read("t.ply", &text);
        assert_eq!(mesh.uvs.coordinates, [[0.5, 1.0], [0.25, 0.0], [0.0, 0.75]]);
        assert_eq!(mesh.positions[1], [1.0, 0.0, 0.0]);
    }
}

/// A reader that compares every row with every other would sit for hours over so many.
const MANY: usize = 400_000;

#[test]
fn large_polygons_duplicates_fans_and_many_names_are_read_in_linear_time() {
    let three = "v 0 0 0\nv 1 0 0\nv 0 1 0\n";
    let polygon = read("polygon.obj", &format!("{three}f{}\n", " 1 2 3".repeat(MANY)));
    assert_eq!(polygon.polygons.corner_count(), 3 * MANY);
    let duplicates = read("duplicates.obj", &format!("{three}{}", "f 1 2 3\n".repeat(MANY)));
    assert_eq!(duplicates.polygons.len(), MANY);
    let rows: String =
        (0..MANY).map(|k| format!("o n{k}\ng g{k}\nusemtl m{k}\nmtllib l{k}\nf 1 2 3\n")).collect();
    let names = read("names.obj", &format!("{three}{rows}"));
    assert_eq!(names.parts.len(), MANY);
    let points: String = (0..MANY).map(|k| format!("{k} 0 1\n")).collect();
    let faces: String = (2..MANY).map(|k| format!("3 0 {} {k}\n", k - 1)).collect();
    let fan = read("fan.off", &format!("OFF\n{MANY} {} 0\n{points}{faces}", MANY - 2));
    assert_eq!(fan.polygons.len(), MANY - 2);
    let facet =
        "facet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\n";
    let same = read("same.stl", &format!("solid\n{}endsolid\n", facet.repeat(MANY)));
    assert_eq!((same.positions.len(), same.polygons.len()), (3, MANY));
}

#[test]
fn objects_named_again_and_again_are_one() {
    let named = read(
        "names.obj",
        &format!("v 0 0 0\nv 1 0 0\nv 0 1 0\n{}", "o a\nf 1 2 3\no b\nf 1 2 3\n".repeat(2000)),
    );
    assert_eq!(named.split_objects().len(), 2);
}

#[test]
fn a_format_is_named_with_or_without_its_dot() {
    assert_eq!(Format::from_name(".OBJ"), Some(Format::Obj));
    assert_eq!(Format::from_name("obj"), Some(Format::Obj));
}
