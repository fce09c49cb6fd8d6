"""Arrays in without a copy of ours, arrays out that own their memory."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import crumple
from crumple import _crumple
from conftest import CORNERS, FLAT, ONE, TET, sphere


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_arrays_in_c_order_are_read_where_they_lie(dtype: Any) -> None:
    points = np.random.default_rng(1).random((1000, 3)).astype(dtype)
    assert _crumple._address(points) == points.ctypes.data
    view = points[100:200]
    assert _crumple._address(view) == view.ctypes.data
    points.flags.writeable = False
    assert _crumple._address(points) == points.ctypes.data


def test_other_arrays_are_converted() -> None:
    points = np.random.default_rng(1).random((10, 3))
    for other in (np.asfortranarray(points), points[::2], points[:, ::-1], points.astype(">f8")):
        assert _crumple._address(other) != other.ctypes.data
    raw = np.zeros(10 * 24 + 1, np.uint8)[1:].view(np.float64).reshape(10, 3)  # not aligned
    raw[:] = points
    assert _crumple._address(raw) != raw.ctypes.data
    scene = crumple.Scene()
    body = scene.add(points)
    variants = (np.asfortranarray(points), points.astype(">f8"), raw, points.tolist(), [tuple(p) for p in points])
    for same in variants:
        scene.set_positions(body, same)
        np.testing.assert_array_equal(scene.positions(body), points)
    for narrow in (np.float16, np.int8, np.uint64):
        scene.set_positions(body, (10 * points).astype(narrow))
        np.testing.assert_array_equal(scene.positions(body), (10 * points).astype(narrow).astype(float))


def test_single_precision_is_widened_without_loss() -> None:
    points = np.random.default_rng(2).random((10, 3)).astype(np.float32)
    scene = crumple.Scene()
    np.testing.assert_array_equal(scene.positions(scene.add(points)), points.astype(float))


@pytest.mark.parametrize("dtype", [np.int8, np.int32, np.int64, np.uint16, np.uint32, np.uint64])
def test_elements_of_every_width(dtype: Any) -> None:
    mesh = crumple.Mesh(FLAT, ONE.astype(dtype))
    assert mesh.triangles.dtype == np.uint32
    np.testing.assert_array_equal(mesh.triangles, ONE)


def arrays_of(answer: Any) -> list[Any]:
    values = [getattr(answer, name) for name in dir(answer) if not name.startswith("_")]
    flat = [v for value in values for v in (value if isinstance(value, tuple) else [value])]
    return [v for v in flat if isinstance(v, np.ndarray)]


def test_results_own_their_memory_and_outlive_the_scene() -> None:
    scene = crumple.Scene()
    a = scene.add(*sphere(1))
    b = scene.add(*sphere(1, centre=(1, 0, 0)))
    c, d = scene.add(CORNERS, tets=TET), scene.add(CORNERS + 0.5, tets=TET)
    scene.begin_step()
    scene.set_positions(a, sphere(1, centre=(0.1, 0, 0))[0])
    answers: list[Any] = [
        scene.contacts(), scene.impacts(), scene.proximity(0.2), scene.penetrations(), scene.edge_penetrations(),
        scene.overlap(a, b, gradient=True), scene.places(), scene.closer_than(c, d, 1.0), scene.mesh(a),
        scene.proximity_candidates(0.2), scene.contacts_budgeted(visits=0).undecided,
    ]  # fmt: skip
    found = [array for answer in answers for array in arrays_of(answer)]
    found += [scene.positions(a), scene.inside(a, CORNERS), scene.box_pairs(), *scene.safe_motion(1.0).values()]
    found += [scene.swap_positions(a, sphere(1)[0])]
    found += arrays_of(scene.edit(c, lambda edit: edit.split_tet(0, [0.25] * 4)))
    assert len(found) > 25
    before = [array.copy() for array in found]
    del scene, answers
    for array, copy in zip(found, before):
        assert array.flags.owndata and array.flags.writeable and array.flags.c_contiguous
        np.testing.assert_array_equal(array, copy)
        array.fill(0)


def test_what_is_handed_over_may_be_changed_afterwards() -> None:
    points = FLAT.copy()
    scene = crumple.Scene()
    body = scene.add(points, ONE)
    points[:] = 9
    np.testing.assert_array_equal(scene.positions(body), FLAT)
    scene.positions(body)[:] = 7
    np.testing.assert_array_equal(scene.positions(body), FLAT)
