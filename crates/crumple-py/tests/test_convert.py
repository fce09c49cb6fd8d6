"""Meshes of other packages, in and out, none of them needed."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import crumple
from conftest import CORNERS, FLAT, ONE, TET, sphere


def same(mesh: crumple.Mesh, points: Any, triangles: Any) -> None:
    np.testing.assert_array_equal(mesh.points, points)
    np.testing.assert_array_equal(mesh.triangles, triangles)


def test_trimesh() -> None:
    trimesh = pytest.importorskip("trimesh")
    points, triangles = sphere(1)
    theirs = trimesh.Trimesh(points, triangles, process=False)
    same(crumple.as_mesh(theirs), points, triangles)
    back = crumple.Mesh(points, triangles).to_trimesh()
    assert back.is_watertight and np.array_equal(back.vertices, points)
    scene = crumple.Scene()
    assert len(scene.mesh(scene.add(theirs, name="theirs")).triangles) == len(triangles)


def test_meshio(tmp_path: Path) -> None:
    meshio = pytest.importorskip("meshio")
    points, triangles = sphere(1)
    same(crumple.as_mesh(meshio.Mesh(points, [("triangle", triangles)])), points, triangles)
    tets = crumple.as_mesh(meshio.Mesh(CORNERS, [("triangle", ONE), ("tetra", TET)]))
    assert tets.tets.tolist() == TET.tolist()
    mixed = crumple.as_mesh(meshio.Mesh(np.zeros((5, 3)), [("triangle", [[0, 1, 2]]), ("quad", [[0, 1, 3, 4]])]))
    assert mixed.polygon_count == 2 and mixed.polygon_of_triangle.tolist() == [0, 1, 1]
    assert crumple.as_mesh(meshio.Mesh(points, [("vertex", [[0]])])).triangles.shape == (0, 3)
    for mesh in (crumple.Mesh(points, triangles), crumple.Mesh(CORNERS, tets=TET), crumple.Mesh(FLAT)):
        again = crumple.as_mesh(mesh.to_meshio())
        same(again, mesh.points, mesh.triangles)
        assert again.is_solid == mesh.is_solid
    crumple.Mesh(points, triangles).to_meshio().write(tmp_path / "a.vtu")
    same(crumple.read(tmp_path / "a.vtu"), points, triangles)


def test_pyvista() -> None:
    pyvista = pytest.importorskip("pyvista")
    points, triangles = sphere(1)
    same(crumple.as_mesh(pyvista.PolyData.from_regular_faces(points, triangles)), points, triangles)
    mixed = pyvista.PolyData(np.zeros((5, 3)), faces=[3, 0, 1, 2, 4, 0, 1, 3, 4])
    assert crumple.as_mesh(mixed).polygon_of_triangle.tolist() == [0, 1, 1]
    for mesh in (crumple.Mesh(points, triangles), crumple.Mesh(CORNERS, tets=TET)):
        again = crumple.as_mesh(mesh.to_pyvista())
        same(again, mesh.points, mesh.triangles)
        assert again.is_solid == mesh.is_solid
    assert crumple.Mesh(FLAT).to_pyvista().n_points == 3
    scene = crumple.Scene()
    scene.add(points, triangles, name="ball"), scene.add(points + [0.5, 0, 0], triangles)
    scene.add(CORNERS / 4, tets=TET, name="tet"), scene.add(CORNERS / 4 + 0.1, tets=TET, name="other")
    blocks = scene.to_pyvista()
    assert blocks.n_blocks == 4 and blocks["ball"].cell_data["collides"].sum() > 0
    assert blocks["other"].point_data["depth"].max() > 0 and blocks["tet"].cell_data["collides"].all()


def test_open3d() -> None:
    open3d = pytest.importorskip("open3d", exc_type=ImportError)
    points, triangles = sphere(1)
    legacy = crumple.Mesh(points, triangles).to_open3d()
    same(crumple.as_mesh(legacy), points, triangles)
    tensor = open3d.t.geometry.TriangleMesh.from_legacy(legacy)
    same(crumple.as_mesh(tensor), points.astype(np.float32), triangles)
    assert crumple.as_mesh(crumple.Mesh(CORNERS, tets=TET).to_open3d()).tets.tolist() == TET.tolist()


def test_without_any_of_them() -> None:
    """The same shapes by hand, so that this holds where none is installed."""
    points, triangles = sphere(1)
    same(crumple.as_mesh(SimpleNamespace(vertices=points, faces=triangles)), points, triangles)
    quads = crumple.as_mesh(SimpleNamespace(vertices=np.zeros((4, 3)), faces=[[0, 1, 2, 3]]))
    assert quads.polygon_count == 1 and len(quads.triangles) == 2
    cells = [SimpleNamespace(type="tetra", data=TET)]
    assert crumple.as_mesh(SimpleNamespace(points=CORNERS, cells=cells)).is_solid
    flat = np.insert(triangles, 0, 3, axis=1).ravel()
    same(crumple.as_mesh(SimpleNamespace(points=points, faces=flat)), points, triangles)
    assert crumple.as_mesh(SimpleNamespace(points=CORNERS, cells_dict={10: TET})).is_solid
    assert len(crumple.as_mesh(SimpleNamespace(points=CORNERS, cells_dict={9: TET})).triangles) == 2
    same(crumple.as_mesh(SimpleNamespace(vertices=points, triangles=triangles)), points, triangles)
    assert crumple.as_mesh(SimpleNamespace(vertices=CORNERS, tetras=TET)).is_solid
    with pytest.raises(crumple.Error, match="goes beyond"):
        crumple.as_mesh(SimpleNamespace(points=CORNERS, faces=np.array([3, 0, 1, 2, 4, 0])))


def test_none_is_imported() -> None:
    code = "import sys, crumple; print(sorted(set(sys.modules) & {'trimesh', 'meshio', 'pyvista', 'open3d', 'torch'}))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
