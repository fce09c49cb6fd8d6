"""Whatever is wrong is a ValueError that names the argument and the element; nothing is a panic."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import crumple
from crumple import _crumple
from conftest import CORNERS, FLAT, ONE, TET, sphere

NAN = np.array([[0, 0, 0], [1, np.nan, 0], [0, 1, 0]])


def small() -> tuple[crumple.Scene, int, int]:
    scene = crumple.Scene()
    return scene, scene.add(*sphere(1), name="a"), scene.add(*sphere(1, centre=(0.5, 0, 0)), name="b")


def refused(work: Callable[[], Any], *words: str, kind: type[Exception] = crumple.Error) -> None:
    with pytest.raises(kind) as caught:
        work()
    assert isinstance(caught.value, (ValueError, TypeError, OSError))
    for word in words:
        assert word in str(caught.value), f"{word!r} is not in {str(caught.value)!r}"


@pytest.mark.parametrize(
    "points, words",
    [
        (np.zeros(3), ["points", "(n, 3)", "(3,)"]),
        (np.zeros((3, 2)), ["points", "(n, 3)", "(3, 2)"]),
        (np.zeros((3, 3, 3)), ["points", "(3, 3, 3)"]),
        (np.zeros((3, 3), complex), ["points", "complex128"]),
        (np.zeros((3, 3), bool), ["points", "bool"]),
        (np.zeros((3, 3), object), ["points", "object"]),
        (np.array([["a", "b", "c"]]), ["points", "U1"]),
        ([[0, 0, 0], [1, 1]], ["points"]),
        (NAN, ["points", "vertex 1", "not finite"]),
        (np.array([[0, 0, np.inf]]), ["points", "vertex 0"]),
        (np.array([[0, 0, 0], [0, 1e60, 0]]), ["points", "vertex 1"]),
    ],
)
def test_points(points: Any, words: list[str]) -> None:
    refused(lambda: crumple.Scene().add(points, np.zeros((0, 3), int)), *words)
    refused(lambda: crumple.Mesh(points), *words)
    scene, a, _ = small()
    before = scene.positions(a)
    refused(lambda: scene.set_positions(a, points), "positions")
    refused(lambda: scene.swap_positions(a, points), "positions")
    np.testing.assert_array_equal(scene.positions(a), before)
    assert len(scene.contacts()) > 0


@pytest.mark.parametrize(
    "triangles, words",
    [
        (np.zeros((2, 4), int), ["triangles", "(m, 3)", "(2, 4)"]),
        (np.zeros(3, int), ["triangles", "(3,)"]),
        (np.zeros((1, 3)), ["triangles", "integers", "float64"]),
        (np.zeros((1, 3), bool), ["triangles", "bool"]),
        ([[0, 1, 2], [0, 1, -1]], ["triangles", "triangle 1", "-1"]),
        ([[0, 1, 2], [0, 1, 3]], ["triangles", "triangle 1", "vertex 3"]),
        (np.array([[0, 1, 2**40]]), ["triangles", "triangle 0", str(2**40)]),
        (np.array([[0, 1, 2**63]], dtype=np.uint64), ["triangles", "triangle 0"]),
        ([[0, 1, 2], [0, 1]], ["triangles"]),
        ("abc", ["triangles"]),
    ],
)
def test_elements(triangles: Any, words: list[str]) -> None:
    refused(lambda: crumple.Scene().add(FLAT, triangles), *words)
    refused(lambda: crumple.Mesh(FLAT, triangles), *words)
    if "triangle 1" in words:
        refused(lambda: crumple.Mesh(FLAT, polygons=triangles), "polygons", "polygon 1")


def test_other_elements() -> None:
    refused(lambda: crumple.Mesh(CORNERS, tets=[[0, 1, 2, 4]]), "tets", "tet 0", "vertex 4")
    refused(lambda: crumple.Mesh(CORNERS, tets=[[0, 1, 2]]), "tets", "(m, 4)")
    refused(lambda: crumple.Mesh(FLAT, ONE, tets=TET), "only one")
    refused(lambda: crumple.Mesh(FLAT, polygons=([0, 1, 2], [0, 4])), "polygons")
    refused(lambda: crumple.Mesh(FLAT, polygons=([0, 1, 2], [1, 3])), "polygons")
    refused(lambda: crumple.Mesh(FLAT, polygons=([0, 1, 2], [0, 3, 2, 3])), "polygons")
    refused(lambda: crumple.Mesh(FLAT, polygons=([0, 1, 2], [])), "polygons")
    refused(lambda: crumple.Mesh(FLAT, ONE).with_points(CORNERS), "points", "4", "3")
    refused(lambda: crumple.Mesh(FLAT, ONE).with_points(NAN), "points", "vertex 1")


def test_frames_that_do_not_fit() -> None:
    scene, a, b = small()
    n = len(scene.positions(a))
    refused(lambda: scene.set_positions(a, FLAT), "positions", "body 0", "3", str(n), kind=crumple.FrameError)
    refused(lambda: scene.set_all_positions({a: FLAT}), "positions", "body 0", kind=crumple.FrameError)
    refused(lambda: scene.set_all_positions([FLAT]), "1 entries", "2 bodies")
    refused(lambda: scene.set_all_positions([None, FLAT]), "body 1")
    refused(lambda: scene.set_all_positions(sphere(1)[0]), "2 bodies")
    refused(lambda: scene.safe_step({b: FLAT}), "next", "body 1")
    bad = sphere(1)[0]
    bad[7, 2] = np.nan
    refused(lambda: scene.step_to({a: bad}), "next", "vertex 7", "body 0", kind=crumple.FrameError)
    refused(lambda: scene.safe_step({a: bad}, per_vertex=True), "vertex 7")
    refused(lambda: scene.proximity(0.1, rest={a: bad}), "vertex 7")
    # One that fits does not move when another does not.
    before = scene.positions(a)
    refused(lambda: scene.set_all_positions({a: before + 1, b: FLAT}), "body 1")
    np.testing.assert_array_equal(scene.positions(a), before)


def test_bodies_that_are_not_there() -> None:
    scene, a, b = small()
    scene.remove(a)
    cut = crumple.Blade.plane([[0, 0, 0], [0, 1, 0], [0, 0, 1]])
    for wrong in (a, 7, -1, 2**32, 2**70):
        for work in (
            lambda: scene.set_positions(wrong, FLAT), lambda: scene.swap_positions(wrong, FLAT),
            lambda: scene.remove(wrong), lambda: scene.mesh(wrong), lambda: scene.positions(wrong),
            lambda: scene.name(wrong), lambda: scene.bounds(wrong), lambda: scene.replace(wrong, FLAT, ONE),
            lambda: scene.inside(wrong, FLAT), lambda: scene.overlap(wrong, b), lambda: scene.overlap(b, wrong),
            lambda: scene.overlap(b, wrong, gradient=True), lambda: scene.overlap(b, wrong, tolerance=0.1),
            lambda: scene.self_overlap(wrong), lambda: scene.intersection_surface([b, wrong]),
            lambda: scene.distance(b, wrong), lambda: scene.closer_than(wrong, b, 1.0), lambda: scene.safety(wrong, b),
            lambda: scene.closer_than_at_most(b, wrong, 1.0, 9), lambda: scene.distance_budgeted(b, wrong, visits=3),
            lambda: scene.edit(wrong, lambda edit: None), lambda: scene.proximity(reach={wrong: [0.1]}),
            lambda: scene.set_fixed(wrong), lambda: scene.is_fixed(wrong), lambda: scene.set_groups(wrong),
            lambda: scene.ignore(b, wrong), lambda: scene.cut(wrong, cut), lambda: scene.step_to({wrong: FLAT}),
            lambda: scene.set_all_positions({wrong: FLAT}), lambda: scene.safe_step({wrong: FLAT}),
            lambda: scene.proximity(thickness={wrong: 0.1}), lambda: scene.proximity_candidates(thickness={wrong: 0.1}),
        ):  # fmt: skip
            refused(work, "body", kind=crumple.BodyError)
    refused(lambda: scene.id("nobody"), "name", "nobody")
    with pytest.raises(TypeError, match="body"):
        scene.mesh("a")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="body"):
        scene.mesh(0.5)  # type: ignore[arg-type]
    assert scene.mesh(np.int64(b)).name == "b"  # type: ignore[arg-type]


@pytest.mark.parametrize("wrong", [-1.0, np.nan, np.inf])
def test_numbers_out_of_range(wrong: float) -> None:
    scene, a, b = small()
    refused(lambda: scene.proximity(wrong), "distance")
    refused(lambda: scene.proximity(thickness={a: wrong}), "thickness")
    refused(lambda: scene.safe_motion(wrong), "radius")
    refused(lambda: scene.distances(wrong), "margin")
    refused(lambda: scene.closer_than(a, b, wrong), "margin")
    refused(lambda: scene.closer_than_at_most(a, b, wrong, 3), "margin")
    refused(lambda: scene.set_cut_depth(wrong), "depth")
    refused(lambda: scene.untangle(gap=wrong), "gap")
    refused(lambda: scene.box_pairs(wrong), "margin")
    refused(lambda: scene.contacts_budgeted(wrong), "seconds", "not a time")
    refused(lambda: scene.distance_budgeted(a, b, wrong), "seconds", "not a time")
    reach = np.full(len(scene.positions(b)), 0.1)
    reach[7] = wrong
    refused(lambda: scene.proximity(reach={b: reach}), "reach of body 1", "vertex 7")
    refused(lambda: scene.proximity_candidates(reach={b: reach}), "reach of body 1", "vertex 7")
    refused(lambda: scene.proximity_candidates(wrong), "distance")
    refused(lambda: scene.safe_step({a: scene.positions(a)}, thickness=wrong), "thickness")
    refused(lambda: scene.safe_step_apart({a: scene.positions(a)}, wrong), "thickness")
    refused(lambda: scene.overlap(a, b, pixel_size=wrong), "resolution")
    refused(lambda: crumple.coincident(scene.mesh(a), scene.mesh(b), wrong), "within")
    if not wrong > 0:
        refused(lambda: scene.overlap(a, b, tolerance=wrong), "tolerance")


@pytest.mark.parametrize("wrong", [-1, 2**70, -(2**200)])
def test_counts_out_of_range(wrong: int) -> None:
    scene, a, b = small()
    mesh = scene.mesh(a)
    for argument, work in {
        "resolution": lambda: scene.overlap(a, b, wrong),
        "most": lambda: scene.limit_rows(wrong),
        "visits": lambda: scene.contacts_budgeted(visits=wrong),
        "member": lambda: scene.set_groups(a, wrong),
        "mask": lambda: scene.set_groups(a, mask=wrong),
        "groups": lambda: scene.add(mesh, groups=(1, wrong)),
        "rounds": lambda: scene.untangle(rounds=wrong),
        "size": lambda: scene.picture((wrong, 10)),
        "threads": lambda: crumple.Scene(threads=wrong),
        "frames": lambda: crumple.Report("x", frames=wrong),
    }.items():
        refused(work, f"{argument}: ", str(wrong))
    refused(lambda: scene.overlaps(wrong), "resolution")
    refused(lambda: scene.self_overlap(a, wrong), "resolution")
    refused(lambda: scene.intersection_surface([a, b], wrong), "resolution")
    refused(lambda: scene.closer_than_at_most(a, b, 1.0, wrong), "most")
    refused(lambda: scene.proximity(0.1, most=wrong), "most")
    refused(lambda: scene.distance_budgeted(a, b, visits=wrong), "visits")
    refused(lambda: mesh.picture((10, wrong)), "size")
    for other in (0.5, "1", None):
        with pytest.raises(TypeError, match="resolution: an integer"):
            scene.overlap(a, b, other)  # type: ignore[arg-type]
    assert len(scene.ids()) == 2 and scene.overlap(a, b, np.int64(16)).resolution == (16, 16)  # type: ignore[arg-type]


def test_lists_that_do_not_fit() -> None:
    scene, a, b = small()
    n = len(scene.positions(a))
    refused(lambda: scene.proximity(reach={a: np.zeros(3)}), "reach of body 0", "3 numbers", f"{n} vertices")
    refused(lambda: scene.proximity(reach={a: np.zeros((n, 3))}), "reach of body 0", "shape")
    refused(lambda: scene.proximity(reach={a: ["x"] * n}), "reach of body 0", "numbers")
    refused(lambda: scene.proximity(reach={7: np.zeros(n)}), "body 7", kind=crumple.BodyError)
    refused(lambda: scene.proximity(0.1, reach={}), "distance, thickness, reach")
    refused(lambda: scene.picture((1, 2, 3)), "size", "3")  # type: ignore[arg-type]
    scene.remove(b)
    refused(lambda: scene.proximity(thickness={b: 0.1}), "body 1", kind=crumple.BodyError)


def test_words_and_counts() -> None:
    scene, a, b = small()
    refused(lambda: scene.contacts_of("some"), "pairs", "within")  # type: ignore[arg-type]
    refused(lambda: scene.prepare("nothing"), "question", "contacts")  # type: ignore[arg-type]
    refused(lambda: scene.use_surface_method("magic"), "method", "regularity")  # type: ignore[arg-type]
    refused(lambda: scene.use_solid_method("magic"), "method", "spatial-hash")  # type: ignore[arg-type]
    refused(lambda: scene.set_holes("ignore"), "holes", "accept")  # type: ignore[arg-type]
    refused(lambda: scene.overlap(a, b, 0), "resolution")
    refused(lambda: scene.overlap(a, b, 100_000), "resolution")
    refused(lambda: scene.intersection_surface([]), "bodies")
    refused(lambda: scene.proximity(), "distance")
    refused(lambda: scene.proximity(0.1, thickness={}), "distance")
    refused(lambda: scene.safe_step({}, thickness=1.0, per_vertex=True), "per_vertex")  # type: ignore[call-overload]
    refused(lambda: scene.picture((0, 10)), "size")
    refused(lambda: scene.picture((10, 10_000)), "size")
    refused(lambda: scene.picture(up="north"), "up")
    refused(lambda: scene.picture(view_from=[0, 0]), "view_from")
    refused(lambda: scene.picture(view_from=[0, 0, np.nan]), "view_from")
    refused(lambda: scene.mesh(a).picture(highlight=[10_000]), "highlight", "10000")
    for threads in (0, 100_000):
        refused(lambda: crumple.Scene(threads=threads), "threads")


def test_open_surfaces_have_no_inside() -> None:
    scene = crumple.Scene()
    points, triangles = sphere(1, centre=(0.5, 0, 0))
    sheet, ball = scene.add(points, triangles[1:]), scene.add(*sphere(1))
    refused(lambda: scene.inside(sheet, FLAT), "body 0 is open", kind=crumple.OpenError)
    refused(lambda: scene.overlap(sheet, ball), "body 0 is open", kind=crumple.OpenError)
    refused(lambda: scene.self_overlap(sheet), "body 0 is open", kind=crumple.OpenError)
    scene.set_holes("accept")
    assert scene.overlap(sheet, ball).guarantee == "unproved"


def test_points_that_are_asked_about() -> None:
    scene, a, _ = small()
    refused(lambda: scene.inside(a, NAN), "points", "point 1")
    refused(lambda: scene.inside(a, np.zeros((2, 2))), "points", "(2, 2)")
    assert scene.inside(a, np.zeros((0, 3))).shape == (0,)


def test_edits() -> None:
    mesh, solid = crumple.Mesh(FLAT, ONE), crumple.Mesh(CORNERS, tets=TET)
    for wrong in (3, 10**6):
        refused(lambda: mesh.edit().remove_triangle(wrong), "triangle", str(wrong), kind=crumple.MeshError)
        refused(lambda: mesh.edit().add_triangle([0, 1, wrong]), str(wrong))
        refused(lambda: mesh.edit().split_edge(0, wrong, 0.5), str(wrong))
        refused(lambda: mesh.edit().duplicate_vertex(wrong, [0]), str(wrong))
        refused(lambda: solid.edit().remove_tet(wrong), str(wrong))
        refused(lambda: solid.edit().split_tet(wrong, [0.25] * 4), str(wrong))
    for wrong in (-1, 2**40):
        refused(lambda: mesh.edit().remove_triangle(wrong), "key", str(wrong))
        refused(lambda: mesh.edit().split_edge(wrong, 1, 0.5), "vertex", str(wrong))
    refused(lambda: mesh.edit().add_triangle([0, 1]), "corners", "3")
    refused(lambda: mesh.edit().add_vertex([0, 1]), "position")
    refused(lambda: mesh.edit().add_vertex([0, 1, np.nan]), "position")
    for at in (-0.5, 0.0, 1.0, 2.0, np.nan):
        refused(lambda: mesh.edit().split_edge(0, 1, at), "at")
    refused(lambda: mesh.edit().split_edge(0, 0, 0.5), "edge")
    refused(lambda: solid.edit().split_tet(0, [np.nan] * 4), "weights")
    refused(lambda: mesh.edit().add_tet([0, 1, 2, 0]), "tet")
    refused(lambda: solid.edit().add_triangle([0, 1, 2]), "triangle")
    edit = mesh.edit()
    edit.finish()
    refused(edit.finish, "finished")
    refused(lambda: edit.remove_triangle(0), "finished")


def test_cuts_and_fusing() -> None:
    line = [[0, 0, 0], [1, 0, 0], [2, 0, 0]]
    refused(lambda: crumple.Blade.plane(line), "points")
    refused(lambda: crumple.Blade.plane(CORNERS), "points")
    refused(lambda: crumple.Blade.plane(NAN), "points")
    refused(lambda: crumple.Blade.sweep([[0, 0, 0]], [0, 0, 1]), "polyline")
    refused(lambda: crumple.Blade.sweep(line, [1, 0, 0]), "polyline")
    refused(lambda: crumple.Blade.sweep(line, [np.inf, 0, 0]), "along")
    mesh, solid = crumple.Mesh(FLAT, ONE), crumple.Mesh(CORNERS, tets=TET)
    refused(lambda: crumple.fuse(mesh, solid), "surface")
    refused(lambda: crumple.fuse(mesh, mesh, [[0, 3]]), "vertex 3")
    refused(lambda: crumple.fuse(mesh, mesh, [[0, -1]]), "weld", "-1")
    refused(lambda: crumple.fuse(mesh, mesh, [[0, 1, 2]]), "weld")


def test_files(tmp_path: Any) -> None:
    with pytest.raises(FileNotFoundError, match="nothing.obj"):
        crumple.read(tmp_path / "nothing.obj")
    (tmp_path / "a.xyzzy").write_text("?")
    refused(lambda: crumple.read(tmp_path / "a.xyzzy"), "a.xyzzy", kind=crumple.FileError)
    (tmp_path / "b.obj").write_text("v 0 0 0\nv 1 0 0\nf 1 2 9\n")
    refused(lambda: crumple.read(tmp_path / "b.obj"), "b.obj", "line 3", kind=crumple.FileError)
    refused(lambda: crumple.read(tmp_path / "b.obj", format="magic"), "format", "magic")
    refused(lambda: crumple.read(tmp_path), "directory", kind=crumple.FileError)
    mesh = crumple.Mesh(FLAT, ONE)
    refused(lambda: mesh.write(tmp_path / "c.stl"), "c.stl", kind=crumple.FileError)
    with pytest.raises(OSError):
        mesh.write(tmp_path / "no" / "folder" / "c.obj")
    refused(lambda: mesh.write(tmp_path / "c.obj", collides=[True, False]), "collides", "2", "1")
    refused(lambda: mesh.picture((8, 8)).save(tmp_path / "c.jpg"), "path", ".png")
    refused(lambda: crumple.Sequence(), "no file")
    mesh.write(tmp_path / "c.obj")
    for wrong in (1, -2, 10**9):
        with pytest.raises(IndexError, match=str(wrong)):
            crumple.Sequence(tmp_path / "c.obj")[wrong]
    refused(lambda: crumple.as_mesh(object()), "mesh", "object")
    refused(lambda: crumple.Scene().add(object()), "mesh", "object")


def test_answers_of_the_past_say_so() -> None:
    scene, a, _ = small()
    early, late = scene.contacts(), scene.contacts()
    points = early.points
    scene.set_positions(a, scene.positions(a) + 0.1)
    np.testing.assert_array_equal(early.points, points)
    refused(lambda: late.points, "moved")


def test_a_bug_of_ours_is_an_exception_and_ends_the_scene() -> None:
    scene, other = crumple.Scene(), crumple.Scene()
    with pytest.raises(crumple.InternalError, match="on purpose"):
        _crumple._fail(scene)
    for work in (scene.contacts, scene.ids, lambda: scene.add(FLAT, ONE), lambda: len(scene)):
        with pytest.raises(crumple.InternalError, match="earlier"):
            work()  # type: ignore[operator]
    assert other.ids() == []


def test_nothing_at_all_is_fine() -> None:
    scene = crumple.Scene()
    assert len(scene.contacts()) == len(scene.impacts()) == len(scene.proximity(1.0)) == len(scene.penetrations()) == 0
    assert scene.overlaps() == scene.distances(1.0) == scene.diagnose() == scene.ids() == []
    assert scene.safe_step({}) == 1.0 and scene.step_to({}).share == 1.0
    empty = scene.add(np.zeros((0, 3)), np.zeros((0, 3), int))
    points = scene.add(FLAT)
    assert scene.distance(empty, points) is None and scene.bounds(empty) is None
    assert scene.contacts().triangle_pairs.shape == (0, 4) and scene.contacts().points.shape == (0, 3)
    assert np.asarray(scene.picture((32, 32))).shape == (32, 32, 3)
    scene.set_positions(empty, np.zeros((0, 3)))
    scene.remove(empty)
    assert scene.ids() == [points]


def test_random_arguments_never_panic() -> None:
    """Every method with every kind of wrong thing: an exception of ours or of Python's, or an answer."""
    wrong: list[Any] = [
        None, -1, 0, 1, 2**31, 2**64, 0.5, np.nan, "x", b"x", [], {}, [None], [[0, 0, 0]], FLAT, NAN, FLAT[:2],
        np.zeros((0, 3)), np.zeros((2, 0)), np.array(3.0), np.zeros((3, 3), "U1"), object(), {0: FLAT}, {0: NAN}, (0, 1),
    ]  # fmt: skip
    scene, *_ = small()
    mesh = scene.mesh(0)
    for target in (scene, mesh, mesh.edit(), crumple.Blade):
        for name in dir(target):
            if name.startswith("_") or name.startswith("to_") or name == "write":
                continue
            method = getattr(target, name)
            if not callable(method) or name in ("picture", "finish"):
                continue
            for arguments in itertools.chain([()], ((w,) for w in wrong), itertools.product(wrong, repeat=2)):
                try:
                    method(*arguments)
                except (ValueError, TypeError, OverflowError, OSError):
                    pass
    scene.contacts()


def test_rows_are_limited() -> None:
    corners = [[0, 0, 0], [4, 0, 0], [0, 4, 0], [1, 1, -1], [1, 1, 1], [3, 3, 1]]
    scene = crumple.Scene()
    scene.add(np.array(corners, dtype=float), np.array([[0, 1, 2], [3, 4, 5]]))
    scene.limit_rows(0)
    with pytest.raises(ValueError, match="more than 0"):
        scene.contacts()
    scene.limit_rows(1)
    assert len(scene.contacts()) == 1
    scene.limit_rows(None)
    assert len(scene.contacts()) == 1
