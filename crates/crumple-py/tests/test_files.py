"""Files, sequences, pictures."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import crumple
from conftest import CORNERS, FLAT, ONE, TET, sphere


@pytest.mark.parametrize("extension", ["obj", "ply", "vtu", "obj.gz"])
def test_what_is_written_is_read(tmp_path: Path, extension: str) -> None:
    points, triangles = sphere(2, centre=(0.1, 0.2, 1e-7))
    path = tmp_path / f"ball.{extension}"
    crumple.write(path, crumple.Mesh(points, triangles))
    again = crumple.read(path)
    np.testing.assert_array_equal(again.points, points)
    np.testing.assert_array_equal(again.triangles, triangles)
    assert again.name == path.name and crumple.read(str(path), name="ball").name == "ball"


def test_tets_and_quads_and_marks(tmp_path: Path) -> None:
    solid = crumple.Mesh(CORNERS, tets=TET)
    solid.write(tmp_path / "solid.vtu")
    assert crumple.read(tmp_path / "solid.vtu").tets.tolist() == TET.tolist()
    quads = crumple.Mesh([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]], polygons=[[0, 1, 2, 3]])
    (tmp_path / "quad.obj").write_text("v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3 4\n")
    read = crumple.read(tmp_path / "quad.obj")
    np.testing.assert_array_equal(read.triangles, quads.triangles)
    read.write(tmp_path / "again.obj", collides=np.array([True, False]))
    text = (tmp_path / "again.obj").read_text()
    assert "f 1 2 3 4" in text and "usemtl collides" in text


def test_scenes_are_written_with_what_collides(tmp_path: Path) -> None:
    scene = crumple.Scene()
    scene.add(*sphere(2), name="a"), scene.add(*sphere(2, centre=(0.5, 0, 0)), name="b")
    crumple.write(tmp_path / "both.obj", scene)
    text = (tmp_path / "both.obj").read_text()
    assert "o a" in text and "o b" in text and "usemtl collides" in text
    parts = crumple.read(tmp_path / "both.obj").split_objects()
    assert [part.name for part in parts] == ["a", "b"]
    found = crumple.check(tmp_path / "both.obj", split=True)
    np.testing.assert_array_equal(found.triangle_pairs[:, [0, 2]], scene.contacts().triangle_pairs[:, [0, 2]])


def test_one_call_on_files(tmp_path: Path) -> None:
    for name, centre in (("a", 0.0), ("b", 1.0)):
        crumple.write(tmp_path / f"{name}.ply", crumple.Mesh(*sphere(2, centre=(centre, 0, 0))))
    a, b = tmp_path / "a.ply", str(tmp_path / "b.ply")
    found = crumple.check(a, b)
    assert found and found.guarantee == "proved" and len(found.points) == len(found.triangle_pairs) > 0
    assert len(found.places) == 1 and found.diagnostics == [] and not crumple.check(a)
    assert not crumple.check(fixed=[a, b])
    assert crumple.distance(a, b).distance == 0  # type: ignore[union-attr]
    assert 0.5 < crumple.overlap(a, b).volume < 2
    assert crumple.inside(a, [[0, 0, 0], [2, 0, 0]]).tolist() == [True, False]
    assert len(crumple.proximity(a, b, within=0.05)) > 0 and crumple.self_overlap(a).upper < 0.01
    assert len(crumple.impacts(a, b)) == 0 and len(crumple.impacts([a, b], [b, a])) > 0
    solid = crumple.Mesh(CORNERS, tets=TET)
    assert len(crumple.penetrations(solid, solid.with_points(CORNERS + 1))) == 1


def test_sequences(tmp_path: Path) -> None:
    points, triangles = sphere(1)
    for frame in range(12):
        crumple.write(tmp_path / f"f{frame}.ply", crumple.Mesh(points + [0, 0, frame], triangles))
    shell_order = sorted(tmp_path.glob("f*.ply"))
    sequence = crumple.Sequence(*shell_order)
    assert len(sequence) == 12 and sequence.file(10).name == "f10.ply"
    for frame, positions in enumerate(sequence):
        np.testing.assert_array_equal(positions, points + [0, 0, frame])
    np.testing.assert_array_equal(sequence[-1], sequence[11])
    raw = tmp_path / "cache.f32"
    np.stack([points, points + 1]).astype("<f4").tofile(raw)
    cached = crumple.Sequence(tmp_path / "f0.ply", raw)
    np.testing.assert_array_equal(cached[1], (points + 1).astype(np.float32))
    scene = crumple.Scene()
    scene.set_positions(scene.add(cached.mesh), cached[1])


def test_pictures(tmp_path: Path) -> None:
    scene = crumple.Scene()
    scene.add(*sphere(2), name="a"), scene.add(*sphere(2, centre=(0.5, 0, 0)), name="b")
    picture = scene.picture((160, 120), up="z", close_up=True)
    pixels = np.asarray(picture)
    assert pixels.shape == (120, 160, 3) and pixels.dtype == np.uint8 and (picture.width, picture.height) == (160, 120)
    vermilion = (pixels[..., 0] > 180) & (pixels[..., 1] < 120) & (pixels[..., 2] < 80)
    assert vermilion.sum() > 20, "what collides is highlighted"
    assert np.asarray(picture, dtype=float).dtype == float
    png = picture._repr_png_()
    assert png.startswith(b"\x89PNG") and png == picture.png()
    picture.save(tmp_path / "a.png")
    assert (tmp_path / "a.png").read_bytes() == png
    np.testing.assert_array_equal(scene.picture((160, 120), up="z", close_up=True).pixels(), pixels)
    others = [
        scene.picture((160, 120), dark=True), scene.picture((160, 120), structure=True),
        scene.picture((160, 120), view_from=[1, 0, 0], caption="from the right"),
        crumple.Mesh(*sphere(1)).picture((160, 120), highlight=[3]), crumple.Mesh(FLAT).picture((160, 120)),
        crumple.check(crumple.Mesh(FLAT, ONE)).picture((160, 120)),
    ]  # fmt: skip
    for other in others:
        assert np.asarray(other).shape == (120, 160, 3) and not np.array_equal(other.pixels(), pixels)


def test_every_mesh_that_we_keep_is_read(meshes: Path) -> None:
    read = 0
    for path in sorted(meshes.rglob("*")):
        if path.is_file():
            try:
                mesh = crumple.read(path)
            except (crumple.FileError, crumple.MeshError, OSError):
                continue
            read += 1
            assert mesh.vertex_count == len(mesh.points)
            crumple.Scene().add(mesh)
    assert read > 10
