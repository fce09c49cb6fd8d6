"""Edits, cuts and fusing, and scenes that follow them."""

from __future__ import annotations

import numpy as np
import pytest

import crumple
from conftest import CORNERS, FLAT, ONE, TET, sphere


def grid(n: int) -> crumple.Mesh:
    x, y = np.meshgrid(np.linspace(0, 1, n + 1), np.linspace(0, 1, n + 1), indexing="ij")
    points = np.stack([x.ravel(), y.ravel(), np.zeros(x.size)], axis=1)
    a = (np.arange(n)[:, None] * (n + 1) + np.arange(n)).ravel()
    quads = np.stack([a, a + n + 1, a + n + 2, a + 1], axis=1)
    return crumple.Mesh(points, np.concatenate([quads[:, [0, 1, 2]], quads[:, [0, 2, 3]]]), name="grid")


def test_keys_last_while_numbers_close_up() -> None:
    mesh = grid(3)
    edit = mesh.edit()
    edit.remove_triangle(4)
    middle = edit.split_edge(*(int(v) for v in mesh.triangles[7][:2]), 0.25)
    new = edit.add_vertex([5, 5, 5])
    edit.add_triangle([0, 1, new])
    after, changes = edit.finish()
    a, b = (mesh.points[v] for v in mesh.triangles[7][:2])
    np.testing.assert_allclose(after.points[middle], 0.75 * a + 0.25 * b)
    np.testing.assert_array_equal(after.points[new], [5, 5, 5])
    assert 4 in changes.triangles_removed and 7 in changes.triangles_removed and after.version == 1
    assert len(np.unique(after.triangle_keys)) == len(after.triangles) and 4 not in after.triangle_keys
    kept = np.intersect1d(after.triangle_keys, mesh.triangle_keys)
    for key in kept:
        place = np.flatnonzero(after.triangle_keys == key)[0]
        np.testing.assert_array_equal(after.triangles[place], mesh.triangles[key])
    pieces = changes.triangle_parents == 7
    assert pieces.sum() == 2 and (changes.triangle_parents == -1).sum() == 1
    assert changes.vertices.tolist() == [middle, new]


def test_tets_are_edited() -> None:
    mesh = crumple.Mesh(np.concatenate([CORNERS, [[4, 4, 4]]]), tets=[[0, 1, 2, 3], [1, 2, 3, 4]])
    edit = mesh.edit()
    middle = edit.split_tet(0, [0.25] * 4)
    copy = edit.duplicate_vertex_of_tets(1, [1])
    assert edit.tet(1)[0] == copy
    after, changes = edit.finish()
    assert len(after.tets) == 5 and changes.tets_removed.tolist() == [0] and changes.tets_changed.tolist() == [1]
    np.testing.assert_allclose(after.points[middle], CORNERS.mean(axis=0))
    assert (changes.tet_parents == 0).sum() == 4


def test_a_scene_follows_edits() -> None:
    scene = crumple.Scene()
    sheet = scene.add(grid(8))
    needle = scene.add([[0.43, 0.41, -1], [0.43, 0.41, 1], [0.44, 0.41, 1]], ONE)
    hit = scene.contacts().triangle_pairs
    assert len(hit) == 1
    mesh = scene.mesh(sheet)
    edit = mesh.edit()
    edit.remove_triangle(int(mesh.triangle_keys[hit[0, 1]]))
    after, _ = edit.finish()
    scene.replace(sheet, after)
    assert len(scene.contacts()) == 0 and scene.name(needle) == ""


def test_a_body_is_edited_where_it_is() -> None:
    """The same as an edit of the mesh that replaces the body, with what the scene knows kept."""
    for mesh in (grid(8), crumple.Mesh(np.concatenate([CORNERS, [[4, 4, 4]]]), tets=[[0, 1, 2, 3], [1, 2, 3, 4]])):
        one, other = crumple.Scene(), crumple.Scene()
        bodies = [scene.add(mesh) for scene in (one, other)]
        for scene in (one, other):
            scene.add(np.array([[0.43, 0.41, -1], [0.43, 0.41, 1], [0.44, 0.41, 1]]), ONE)
            assert len(scene.contacts()) > 0

        def change(edit: crumple.Edit) -> None:
            if mesh.is_solid:
                edit.split_tet(0, [0.25] * 4)
                edit.remove_tet(1)
            else:
                edit.split_edge(0, 1, 0.25)
                new = edit.add_vertex([0.4, 0.4, -0.2])
                edit.add_triangle([9, 11, new])

        edit = mesh.edit()
        change(edit)
        after, expected = edit.finish()
        other.replace(bodies[1], after)
        changes = one.edit(bodies[0], change)
        assert one.mesh(bodies[0]).version == 1 and repr(changes) == repr(expected)
        for name in (name for name in dir(changes) if not name.startswith("_")):
            np.testing.assert_array_equal(getattr(changes, name), getattr(expected, name))
        np.testing.assert_array_equal(one.positions(bodies[0]), after.points)
        np.testing.assert_array_equal(one.mesh(bodies[0]).triangle_keys, after.triangle_keys)
        np.testing.assert_array_equal(one.contacts().triangle_pairs, other.contacts().triangle_pairs)
        np.testing.assert_array_equal(one.penetrations().vertex_tets, other.penetrations().vertex_tets)
        assert len(one.contacts()) > 0


def test_an_edit_that_fails_leaves_the_body_as_it_is() -> None:
    scene = crumple.Scene()
    body = scene.add(grid(4))
    kept: list[crumple.Edit] = []

    def fails(edit: crumple.Edit) -> None:
        kept.append(edit)
        edit.remove_triangle(0)
        raise KeyError("on purpose")

    with pytest.raises(KeyError, match="on purpose"):
        scene.edit(body, fails)
    assert scene.mesh(body).version == 0 and len(scene.mesh(body).triangles) == 32
    with pytest.raises(crumple.MeshError, match="key: .*999"):
        scene.edit(body, lambda edit: edit.remove_triangle(999))
    with pytest.raises(crumple.FrameError, match="vertex 25"):
        scene.edit(body, lambda edit: edit.add_vertex([1e60, 0, 0]))
    with pytest.raises(crumple.Error, match="finished by the scene"):
        scene.edit(body, lambda edit: edit.finish())
    with pytest.raises(TypeError, match="change"):
        scene.edit(body, None)  # type: ignore[arg-type]
    with pytest.raises(crumple.BodyError, match="body"):
        scene.edit(7, lambda edit: None)
    assert scene.mesh(body).version == 0 and len(scene.positions(body)) == 25
    assert scene.edit(body, kept.append).vertices.shape == (0,) and scene.mesh(body).version == 1
    with pytest.raises(crumple.Error, match="finished"):
        kept[-1].remove_triangle(0)


def test_an_edit_may_ask_the_scene_but_not_change_the_body() -> None:
    scene = crumple.Scene()
    body, other = scene.add(grid(4)), scene.add(grid(4).with_points(grid(4).points + [0.01, 0.02, 0.5]))

    def asks(edit: crumple.Edit) -> None:
        for key in np.unique(scene.contacts().triangle_pairs[:, 1]):
            edit.remove_triangle(int(key))
        scene.set_positions(other, scene.positions(other) - [0, 0, 1])

    scene.set_positions(other, scene.positions(other) * [1, 1, 0])
    assert len(scene.contacts()) > 32
    assert len(scene.edit(body, asks).triangles_removed) == 32 and len(scene.contacts()) == 0
    with pytest.raises(crumple.Error, match="body: body 0 got other elements"):
        scene.edit(body, lambda edit: scene.replace(body, grid(2)))
    assert scene.mesh(body).version == 0 and len(scene.mesh(body).triangles) == 8


def test_cuts_are_forgotten() -> None:
    scene = crumple.Scene()
    body = scene.add(grid(8))
    scene.cut(body, crumple.Blade.plane([[0.4, 0, 0], [0.4, 1, 0], [0.4, 0, 1]]))
    assert len(scene.contacts()) == 0 and scene.has_fresh_cuts()
    scene.forget_cuts()
    assert not scene.has_fresh_cuts() and len(scene.contacts()) > 8
    mesh, fresh = scene.mesh(body), crumple.Scene()
    fresh.add(mesh)
    np.testing.assert_array_equal(scene.contacts().triangle_pairs, fresh.contacts().triangle_pairs)


def test_a_cut_that_was_made_elsewhere() -> None:
    blade = crumple.Blade.plane([[0.4, 0, 0], [0.4, 1, 0], [0.4, 0, 1]])
    cut, scene = grid(8).cut(blade), crumple.Scene()
    body = scene.add(cut.mesh)
    assert cut.mesh.component_count == 2 and len(scene.contacts()) > 8
    scene.add_seam(body, cut.seam)
    assert scene.has_fresh_cuts() and len(scene.contacts()) == 0
    with pytest.raises(crumple.Error, match="seam"):
        scene.add_seam(body, [[0, 10_000]])


def test_cuts() -> None:
    mesh = grid(8)
    across = crumple.Blade.plane([[0.4, 0, 0], [0.4, 1, 0], [0.4, 0, 1]])
    cut = mesh.cut(across)
    assert mesh.component_count == 1 and cut.mesh.component_count == 2 and len(cut.seam) > 8
    np.testing.assert_array_equal(cut.mesh.points[cut.seam[:, 0]], cut.mesh.points[cut.seam[:, 1]])
    slit = mesh.cut(crumple.Blade.sweep([[-1, 0.53, -1], [0.5, 0.53, -1]], along=[0, 0, 2]))
    assert slit.mesh.component_count == 1 and len(slit.seam) > 2
    scene = crumple.Scene()
    body = scene.add(mesh)
    done = scene.cut(body, across)
    assert scene.mesh(body).component_count == 2 and scene.mesh(body).version == done.mesh.version
    missed = scene.cut(body, crumple.Blade.plane([[9, 0, 0], [9, 1, 0], [9, 0, 1]]))
    assert len(missed.seam) == 0 and "0 new vertices" in repr(missed)
    solid = crumple.Mesh(CORNERS, tets=TET).cut(crumple.Blade.plane([[1, 0, 0], [1, 1, 0], [1, 0, 1]]))
    assert solid.mesh.component_count == 2 and solid.mesh.is_solid


def test_fusing() -> None:
    a, b = grid(4), grid(4).with_points(grid(4).points + [1, 0, 0])
    weld = crumple.coincident(a, b, 1e-9)
    assert len(weld) == 5
    fused = crumple.fuse(a, b, weld)
    assert fused.mesh.component_count == 1 and fused.mesh.vertex_count == 2 * 25 - 5
    np.testing.assert_array_equal(fused.mesh.points[fused.vertices], b.points)
    assert len(fused.triangles) == len(b.triangles) and len(fused.changes.triangles_added) == len(b.triangles)
    assert crumple.fuse(a, b).mesh.component_count == 2


def test_polygons_keep_their_numbers() -> None:
    points = [[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0], [2, 0, 0]]
    pair = (np.array([0, 1, 2, 3, 1, 4, 2]), np.array([0, 4, 7]))
    for polygons in (pair, [[0, 1, 2, 3]]):
        mesh = crumple.Mesh(points, polygons=polygons)
        assert mesh.triangles[:2].tolist() == [[0, 1, 2], [0, 2, 3]]
        assert mesh.polygon_of_triangle[:2].tolist() == [0, 0]
    assert crumple.Mesh(points, polygons=pair).polygon_of_triangle.tolist() == [0, 0, 1]
    scene = crumple.Scene()
    body = scene.add(crumple.Mesh(points, polygons=pair), name="renamed")
    assert scene.mesh(body).polygon_count == 2 and scene.name(body) == "renamed"


def test_what_a_mesh_tells() -> None:
    ball = crumple.Mesh(*sphere(2), name="ball")
    assert ball.is_closed and not ball.is_solid and ball.component_count == 1 and ball.version == 0
    assert len(ball.edges) == 3 * len(ball.triangles) // 2 and (ball.edges[:, 0] < ball.edges[:, 1]).all()
    solid = crumple.Mesh(CORNERS, tets=TET)
    assert solid.is_solid and len(solid.triangles) == 4 and solid.is_closed
    assert not crumple.Mesh(FLAT).is_closed and crumple.Mesh(FLAT, ONE).polygon_count == 1
