"""Other packages on real meshes, where they answer the same question; they test in floating point, we exactly."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pytest

import crumple
from conftest import sphere


def truth(data: Path) -> dict[str, tuple[int, int]]:
    """Self-intersecting pairs by CGAL with exact predicates: all, and those without a common vertex."""
    rows = {}
    for line in (data / "README.md").read_text().splitlines():
        cells = [cell.strip() for cell in line.split("|")]
        if len(cells) > 8 and cells[1].startswith("`") and cells[6].isdigit() and cells[7].isdigit():
            rows[cells[1].strip("`")] = (int(cells[6]), int(cells[7]))
    return rows


def test_self_intersections_equal_cgal(data: Path) -> None:
    checked = 0
    for name, (all_pairs, apart) in truth(data).items():
        path = data / name
        if not path.is_file():
            continue
        mesh = crumple.read(path)
        found = crumple.check(mesh)
        pairs = found.triangle_pairs
        corners = mesh.triangles.astype(np.int64)
        shares = (corners[pairs[:, 1]][:, :, None] == corners[pairs[:, 3]][:, None]).any(axis=(1, 2))
        degenerate = {d.element for d in found.diagnostics if d.kind == "degenerate-triangle"}
        if degenerate:
            continue  # CGAL lists zero-area faces as themselves only
        assert (len(pairs), int((~shares).sum())) == (all_pairs, apart), name
        checked += 1
    assert checked >= 8


def test_frames_of_a_sequence_equal_cgal(data: Path) -> None:
    folder = data / "sequences" / "rumba-dancer"
    with (folder / "self_pairs_per_frame.csv").open() as file:
        expected = [int(row["pairs_total"]) for row in csv.DictReader(file)]
    sequence = crumple.Sequence(folder / "topology.obj", folder / "positions.f32")
    scene = crumple.Scene()
    body = scene.add(sequence.mesh)
    found = []
    for positions in sequence:
        scene.set_positions(body, positions)
        found.append(len(scene.contacts()))
    assert found == expected


def test_inside_as_trimesh_and_igl(data: Path) -> None:
    mesh = crumple.read(data / "surfaces" / "elephant.off")
    low, high = mesh.points.min(axis=0), mesh.points.max(axis=0)
    points = np.random.default_rng(1).uniform(low, high, (2000, 3))
    inside = crumple.inside(mesh, points)
    assert 100 < inside.sum() < 1900
    compared = 0
    try:
        import igl

        winding = igl.fast_winding_number(mesh.points, mesh.triangles.astype(np.int64), points)
        clear = np.abs(np.abs(winding) - 0.5) > 0.2
        np.testing.assert_array_equal(inside[clear], (np.abs(winding) > 0.5)[clear])
        compared += 1
    except (ImportError, AttributeError):
        pass
    try:
        import rtree  # noqa: F401

        np.testing.assert_array_equal(inside, mesh.to_trimesh().contains(points))
        compared += 1
    except ImportError:
        pass
    if not compared:
        pytest.skip("neither igl nor trimesh with rtree is installed")


def test_volume_as_trimesh() -> None:
    pytest.importorskip("trimesh")
    mesh = crumple.Mesh(*sphere(3))
    shared = crumple.overlap(mesh, mesh.with_points(1.5 * mesh.points), tolerance=1e-3)
    assert shared.lower <= mesh.to_trimesh().volume <= shared.upper


def test_distances_as_igl(data: Path) -> None:
    igl = pytest.importorskip("igl")
    a, b = crumple.read(data / "surfaces" / "elephant.off"), crumple.read(data / "surfaces" / "knot2.off")
    far = b.with_points(b.points - b.points.min(axis=0) + a.points.max(axis=0) + 0.1)
    found = crumple.distance(a, far)
    assert found is not None
    from_vertices = igl.point_mesh_squared_distance(far.points, a.points, a.triangles.astype(np.int64))[0]
    assert found.distance <= np.sqrt(from_vertices.min()) * (1 + 1e-12)
    back = igl.point_mesh_squared_distance(np.array([found.b.point]), a.points, a.triangles.astype(np.int64))[0]
    assert np.sqrt(float(np.ravel(back)[0])) == pytest.approx(found.distance, rel=1e-9)


def test_steps_and_contacts_as_ipctk(data: Path) -> None:
    ipctk = pytest.importorskip("ipctk")
    folder = data / "sequences" / "tshirt-drape"
    sequence = crumple.Sequence(folder / "topology.obj", folder / "positions.f32")
    mesh = sequence.mesh
    faces = mesh.triangles.astype(np.int32)
    theirs = ipctk.CollisionMesh(mesh.points, mesh.edges.astype(np.int32), faces)
    scene = crumple.Scene()
    body = scene.add(mesh)
    for frame in (60, 120, 200):
        x, y = sequence[frame], sequence[frame] + 20 * (sequence[frame + 1] - sequence[frame])
        scene.swap_positions(body, x)
        assert bool(len(scene.contacts())) == ipctk.has_intersections(theirs, x)
        ours, step = scene.safe_step(y), ipctk.compute_collision_free_stepsize(theirs, x, y)
        # Theirs is conservative by design: it may stop early, never late.
        assert step <= ours * (1 + 1e-6) and (ours == 1.0 or step > 0.5 * ours), frame


def test_proximity_as_ipctk(data: Path) -> None:
    """Counts that ipctk gave once, of meshes (`name`) and of frames of sequences (`name#frame`)."""
    checked = 0
    for row in csv.DictReader((data / "truth" / "proximity.csv").open()):
        name, _, frame = row["mesh_or_sequence_frame"].partition("#")
        path = data / name
        if frame:
            sequence = crumple.Sequence(path / "topology.obj", path / "positions.f32")
            mesh = sequence.mesh.with_points(sequence[int(frame)])
        else:
            mesh = crumple.read(path)
        near = crumple.proximity(mesh, within=float(row["d"]))
        expected = int(row["vertex_face_pairs"]), int(row["edge_edge_pairs"])
        assert (len(near.vertex_triangles), len(near.edge_edges)) == expected, row
        checked += 1
    assert checked >= 4
