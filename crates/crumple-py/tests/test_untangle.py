"""Curves along which surfaces cross, surfaces moved until they do not, and where contacts are."""

from __future__ import annotations

import numpy as np
import pytest

import crumple
from conftest import FLAT, ONE, sphere


def crossing() -> tuple[crumple.Scene, int, int]:
    """Two balls that cross in one circle."""
    scene = crumple.Scene()
    return scene, scene.add(*sphere(3), name="a"), scene.add(*sphere(3, centre=(1.0, 0.03, 0.01)), name="b")


def test_two_balls_cross_in_a_circle() -> None:
    scene, a, b = crossing()
    curves = scene.intersection_curves()
    assert len(curves) == 1 and curves.guarantee == "proved" and curves.stats["contacts"] == len(scene.contacts())
    [curve] = curves
    assert curve.kind == "closed" and curve.ends is None and curve.bodies == (a, b) and "closed" in repr(curve)
    assert curve.length == pytest.approx(2 * np.pi * np.sqrt(3) / 2, rel=0.05)
    closed = np.concatenate([curve.points, curve.points[:1]])
    assert np.linalg.norm(np.diff(closed, axis=0), axis=1).sum() == pytest.approx(curve.length)
    assert len(curve.triangles) == len(curve.points)
    # Each point is the mean of its parts' corners by the weights, on both sides.
    for side, body in enumerate((a, b)):
        mesh = scene.mesh(body)
        for k, kind in enumerate(curve.part_kinds[:, side]):
            v, w = curve.parts[k, 2 * side : 2 * side + 2]
            corners = mesh.points[[[v], [v, w], mesh.triangles[v] if kind == 2 else []][kind]]
            weights = curve.weights[k, 3 * side : 3 * side + len(corners)]
            np.testing.assert_allclose(weights @ corners, curve.points[k], atol=1e-12)
    caps = [len(cut) for cut in curve.cut_off if cut is not None]
    assert len(caps) == 2 and all(0 < cap < 0.3 * len(sphere(3)[0]) for cap in caps)
    with pytest.raises(IndexError, match="curve 1"):
        curves[1]
    assert curves[-1].length == curve.length


def test_the_gradient_shortens_the_curve() -> None:
    scene, a, b = crossing()
    [curve] = scene.intersection_curves()
    h, slope = 1e-4, 0.0
    for body in (a, b):
        mine = curve.gradient_vertices[:, 0] == body
        step = np.zeros_like(scene.positions(body))
        step[curve.gradient_vertices[mine, 1]] = -curve.gradient[mine]
        slope += (step**2).sum()
        scene.set_positions(body, scene.positions(body) + h * step)
    [shorter] = scene.intersection_curves()
    assert shorter.length == pytest.approx(curve.length - h * slope, abs=0.02 * h * slope)


def test_open_ends_and_touching() -> None:
    scene = crumple.Scene()
    scene.add(FLAT, ONE)
    wall = scene.add([[1, 1, -1], [1, 1, 1], [1.5, 1, 1]], ONE)
    assert scene.intersection_curves()[0].ends == ("border", "border")
    scene.set_positions(wall, [[1, 1, 0], [1, 1, 1], [1.5, 1, 1]])
    assert [curve.kind for curve in scene.intersection_curves()] == ["point"]
    scene.set_positions(wall, [[1, 1, 3], [1, 1, 4], [1.5, 1, 4]])
    assert list(scene.intersection_curves()) == []


def test_untangling_moves_what_may_move() -> None:
    scene, a, b = crossing()
    still = scene.positions(b)
    scene.set_fixed(b)
    scene.swap_positions(a, scene.positions(a) * 0.9 + [-0.85, 0, 0])
    before = len(scene.contacts())
    done = scene.untangle()
    assert done.before == before > 0 and done.after == len(scene.contacts()) == 0
    assert len(done.left) == 0 and done.why == [] and done.moved > 0 and 0 < done.mean <= done.largest
    np.testing.assert_array_equal(scene.positions(b), still)


def test_what_cannot_be_undone_is_told() -> None:
    scene, a, b = crossing()
    held = [[body, v] for body in (a, b) for v in range(len(scene.positions(body)))]
    points = scene.contacts().points
    done = scene.untangle(fixed=held, rounds=3)
    assert done.after == done.before == len(points) and done.moved == 0
    assert len(done.left) == 1 and done.why == ["fixed"] and done.left.contacts.tolist() == [done.after]
    with pytest.raises(crumple.Error, match="gap"):
        scene.untangle(gap=-1.0)
    with pytest.raises(crumple.Error, match="vertex 100000"):
        scene.untangle(fixed=[[a, 100000]])
    with pytest.raises(crumple.BodyError, match="body 9"):
        scene.untangle(fixed=[[9, 0]])
    with pytest.raises(crumple.Error, match="fixed"):
        scene.untangle(fixed=[[0, 1, 2]])


def test_where_contacts_are() -> None:
    scene, a, b = crossing()
    contacts = scene.contacts()
    places, place_of = scene.places_of_contacts()
    assert len(places) == 1 and place_of.tolist() == [0] * len(contacts)
    some = scene.places_of(contacts.triangle_pairs[:3])
    assert len(some) >= 1 and some.contacts.sum() == 3 and len(scene.places_of(np.zeros((0, 4), int))) == 0
    for pair, middle in zip(contacts.triangle_pairs[:5], contacts.points):
        common = scene.intersection(pair)
        assert common is not None
        np.testing.assert_allclose(common.mean(axis=0), middle)
    far = int(np.argmin(scene.mesh(a).points[scene.mesh(a).triangles].mean(axis=1)[:, 0]))
    assert scene.intersection([a, far, b, 0]) is None
    for wrong, words in (([a, 0, b], "four"), ([a, 10**6, b, 0], "triangle 1000000"), ([9, 0, b, 0], "body 9")):
        with pytest.raises(crumple.Error, match=words):
            scene.intersection(wrong)
        with pytest.raises(crumple.Error):
            scene.places_of([wrong])


def test_the_structure_as_arrays() -> None:
    scene, *_ = crossing()
    scene.prepare("contacts")
    scene.prepare_frame("contacts")
    scene.contacts()
    drawn = scene.draw()
    assert len(drawn.boxes) + len(drawn.triangles) > 0 and "boxes" in repr(drawn)
    assert drawn.boxes.shape[1] == drawn.lines.shape[1] == 6 and drawn.triangles.shape[1] == 2
    for rows, tones in ((drawn.boxes, drawn.box_tones), (drawn.points, drawn.point_tones), (drawn.lines, drawn.line_tones)):
        assert tones.shape == (len(rows), 2)
    assert drawn.triangle_tones.shape == drawn.triangles.shape


def test_fresh_cuts_are_no_contacts() -> None:
    scene = crumple.Scene()
    points, triangles = sphere(3)
    body = scene.add(points, triangles)
    scene.set_cut_depth(0.05)
    assert not scene.has_fresh_cuts()
    cut = scene.cut(body, crumple.Blade.plane([[0.013, 0, 0], [0.013, 1, 0], [0.013, 0, 1]]))
    assert scene.has_fresh_cuts() and len(scene.contacts()) == 0
    x = cut.mesh.points.copy()
    x[:, 0] += 0.2 * (_component(cut.mesh) == 1)
    scene.set_positions(body, x)
    assert len(scene.contacts()) == 0 and not scene.has_fresh_cuts()
    with pytest.raises(crumple.Error, match="depth"):
        scene.set_cut_depth(-1.0)


def _component(mesh: crumple.Mesh) -> np.ndarray:  # type: ignore[type-arg]
    """0 for the vertices that hang together with the first, 1 for the others."""
    mark = np.zeros(mesh.vertex_count, bool)
    mark[mesh.edges[0, 0]] = True
    while True:
        reached = mark[mesh.edges].any(axis=1)
        new = mark.copy()
        new[mesh.edges[reached].ravel()] = True
        if (new == mark).all():
            return 1 - mark.astype(int)
        mark = new


def test_the_whole_frame() -> None:
    scene, a, b = crossing()
    scene.remove(a)
    frame = scene.current_frame()
    assert list(frame) == [b]
    np.testing.assert_array_equal(frame[b], scene.positions(b))
    assert len(scene.closer_than_at_most(b, b, 0.0, 10)) == 0
    with pytest.raises(crumple.Error, match="more than 3"):
        scene.closer_than_at_most(b, b, 10.0, 3)
    with pytest.raises(crumple.Error, match="more than 3"):
        scene.proximity(1.0, most=3)
