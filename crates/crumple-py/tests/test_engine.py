"""Every result equals the Rust engine's, bit for bit, on every scene of the suite."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import crumple


class Dir:
    """A scene directory and the engine's answers beside it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        manifest = json.loads((folder / "manifest.json").read_text())
        self.frames: int = manifest["frames"]
        self.bodies: list[dict[str, Any]] = manifest["objects"]

    def positions(self, body: int, frame: int) -> Any:
        return np.fromfile(self.folder / f"obj{body}_v_{frame:03}.f64").reshape(-1, 3)

    def scene(self) -> crumple.Scene:
        scene = crumple.Scene()
        for b, body in enumerate(self.bodies):
            corners = np.fromfile(self.folder / f"obj{b}_e.u32", dtype=np.uint32)
            elements: dict[str, Any] = {}
            if body["kind"] == "tri":
                elements = {"triangles": corners.reshape(-1, 3)}
            elif body["kind"] == "tet":
                elements = {"tets": corners.reshape(-1, 4)}
            assert scene.add(self.positions(b, 0), **elements, name=body["name"]) == b
        return scene

    def expected(self, frame: int, name: str) -> Any:
        return np.load(self.folder / f"frame{frame}_{name}.npy")


def same(found: Any, expected: Any) -> None:
    found = np.asarray(found)
    if expected.shape[1:] == (1,) and found.ndim == 1:
        expected = expected[:, 0]
    if found.size == expected.size == 0:
        return
    assert found.shape == expected.shape
    np.testing.assert_array_equal(found, expected)


#: Visits of a structure: as few as in the reference.
VISITS = 40


def within_visits(scene: crumple.Scene, expected: Callable[[str], Any]) -> None:
    """Contacts within a budget, before all are known."""
    found = scene.contacts_budgeted(visits=VISITS)
    same(found.contacts.triangle_pairs, expected("within_contacts"))
    same(found.undecided.bodies, expected("undecided_bodies"))
    same(found.undecided.boxes.reshape(-1, 3), expected("undecided_corners"))
    same(found.undecided.most, expected("undecided_most"))
    assert found.is_complete == (len(found.undecided) == 0)


def close_in_other_ways(scene: crumple.Scene, within: float, expected: Callable[[str], Any]) -> None:
    """Pairs that may be close, nearest triangles, vertices with a reach of their own."""
    candidates = scene.proximity_candidates(within)
    same(candidates.vertex_triangles, expected("candidate_vertex_triangles"))
    assert len(candidates.edge_edges) == expected("candidate_edge_edges")[0, 0]
    near = scene.proximity(within)
    same(near.distances[near.nearest_triangles], expected("nearest"))
    sizes = [scene.mesh(b).vertex_count for b in scene.ids()]
    reach = np.split(np.where(np.arange(sum(sizes)) % 3 == 0, 0.5 * within, 0.0), np.cumsum(sizes)[:-1])
    same(scene.proximity(reach=dict(zip(scene.ids(), reach))).distances, expected("reach_distances"))


def check_frame(scene: crumple.Scene, of: Dir, frame: int) -> int:
    def expected(name: str) -> Any:
        return of.expected(frame, name)

    within_visits(scene, expected)
    contacts = scene.contacts()
    same(contacts.triangle_pairs, expected("contacts"))
    same(contacts.outlines[0], expected("outlines"))
    same(contacts.outlines[1], expected("outline_starts"))
    places, place_of = scene.places_of_contacts()
    same(place_of, expected("place_of"))
    same(scene.places_of(contacts.triangle_pairs).centres, places.centres)
    same(places.lengths, expected("places")[:, 0])
    same(places.centres, expected("places")[:, 1:4])
    same(places.sizes, expected("places")[:, 4])

    curves = list(scene.intersection_curves())
    same([curve.length for curve in curves], expected("curve_lengths"))
    for name in ("points", "triangles", "gradient"):
        parts = [getattr(curve, name) for curve in curves]
        same(np.concatenate(parts) if parts else np.zeros(0), expected(f"curve_{name}"))

    impacts = scene.impacts()
    same(impacts.vertex_triangles, expected("impact_vertex_triangles"))
    same(impacts.edge_edges, expected("impact_edge_edges"))
    same(impacts.times, expected("impact_times"))

    within = float(expected("within")[0, 0])
    near = scene.proximity(within)
    same(near.vertex_triangles, expected("close_vertex_triangles"))
    same(near.edge_edges, expected("close_edge_edges"))
    numbers = expected("close_numbers")
    same(near.distances, numbers[:, 0])
    same(near.normals, numbers[:, 1:4])
    same(near.weights, numbers[:, 4:])
    motion = scene.safe_motion(within)
    same(np.concatenate([motion[b] for b in scene.ids()]), expected("safe_motion"))

    close_in_other_ways(scene, within, expected)

    same(scene.edge_penetrations().edge_tets, expected("edge_tets"))
    inside = scene.penetrations()
    same(inside.vertex_tets, expected("vertex_tets"))
    numbers = expected("vertex_tet_numbers")
    same(inside.weights, numbers[:, :4])
    same(inside.depths, numbers[:, 4])
    same(inside.directions, numbers[:, 5:8])
    same(inside.inverted, numbers[:, 8] == 1)

    selves = expected("self_overlaps")
    points = np.concatenate([scene.positions(b) for b in scene.ids()])
    flags = [scene.inside(int(row[0]), points) for row in selves]
    same(np.concatenate(flags) if flags else np.zeros(0), expected("inside"))
    for row in selves:
        found = scene.self_overlap(int(row[0]), 32)
        assert [found.volume, found.lower, found.upper] == row[1:].tolist()
    rows = expected("overlaps")
    for row in rows:
        shared = scene.overlap(int(row[0]), int(row[1]), 32)
        assert [shared.volume, shared.lower, shared.upper] == row[2:].tolist()
    if len(rows):
        gradient = scene.overlap(int(rows[0][0]), int(rows[0][1]), 32, gradient=True).gradient
        assert gradient is not None
        same(np.concatenate(gradient), expected("gradient"))

    for row in expected("within_distances"):
        d = scene.distance_budgeted(int(row[0]), int(row[1]), visits=VISITS)
        assert d is not None and [d.distance, d.lower, d.upper] == row[2:].tolist()
    for row in expected("distances"):
        d = scene.distance(int(row[0]), int(row[1]))
        assert d is not None
        assert [d.distance, d.lower, d.upper, d.a.triangle, d.b.triangle] == row[2:].tolist()
    margin = float(expected("margin")[0, 0])
    found = [scene.closer_than(int(a), int(b), margin) for a, b in scene.box_pairs(margin)]
    close = [np.column_stack([pairs.triangle_pairs, pairs.distances]) for pairs in found]
    same(np.concatenate(close) if close else np.zeros(0), expected("near"))
    if frame + 1 < of.frames:
        following = [of.positions(b, frame + 1) for b in range(len(of.bodies))]
        assert scene.safe_step(following) == expected("safe_step")[0, 0]
    return len(contacts) + len(impacts) + len(near) + len(inside) + len(rows)


def check_untangled(scene: crumple.Scene, of: Dir) -> bool:
    """Whether something was undone, as in Rust."""
    last = of.frames - 1
    if not (of.folder / f"frame{last}_untangled.npy").exists():
        return False
    done = scene.untangle(rounds=5)
    assert [done.before, done.after, done.rounds, done.moved] == of.expected(last, "untangled")[0].tolist(), of.folder.name
    same(np.concatenate(list(scene.current_frame().values())), of.expected(last, "untangled_positions"))
    return done.after < done.before


def change_one(mesh: crumple.Mesh) -> Callable[[crumple.Edit], None]:
    """Removes the last element and splits the first, where there are two."""

    def change(edit: crumple.Edit) -> None:
        if len(mesh.tets) > 1:
            edit.remove_tet(int(mesh.tet_keys[-1]))
            edit.split_tet(0, [0.25] * 4)
        elif not mesh.is_solid and len(mesh.triangles) > 1:
            edit.remove_triangle(int(mesh.triangle_keys[-1]))
            a, b, _ = (int(v) for v in mesh.triangles[0])
            if a != b:
                edit.split_edge(a, b, 0.5)

    return change


def check_changed(scene: crumple.Scene, of: Dir) -> int:
    """Edits and cuts every body, as in Rust; how many contacts the cuts left out."""

    def expected(name: str) -> Any:
        return of.expected(of.frames - 1, name)

    for body in scene.ids():
        changes = scene.edit(body, change_one(scene.mesh(body)))
        same(changes.vertices, expected(f"edit{body}_vertices"))
    same(scene.contacts().triangle_pairs, expected("edited_contacts"))
    seams = []
    for body in scene.ids():
        bounds = scene.bounds(body)
        if bounds is None:
            continue
        middle, size = 0.5 * (bounds[0] + bounds[1]), (bounds[1] - bounds[0]).max() or 1.0
        plane = crumple.Blade.plane(middle + size * np.array([[0, 0, 0], [0, 1, 0], [0, 0, 1]]))
        try:
            seams.append(len(scene.cut(body, plane).seam))
        except crumple.Error:
            seams.append(2**32 - 1)
    same(seams, expected("seams"))
    fresh = scene.contacts().triangle_pairs
    same(fresh, expected("cut_contacts"))
    scene.forget_cuts()
    same(scene.contacts().triangle_pairs, expected("open_contacts"))
    assert not scene.has_fresh_cuts()
    return len(scene.contacts()) - len(fresh)


def test_every_scene_of_the_suite(answers: Path) -> None:
    scenes = sorted(path for path in answers.iterdir() if path.is_dir())
    rows = untangled = left_out = 0
    assert len(scenes) > 40
    for folder in scenes:
        of = Dir(folder)
        scene = of.scene()
        for frame in range(of.frames):
            if frame:
                for b in range(len(of.bodies)):
                    scene.set_positions(b, of.positions(b, frame))
            try:
                rows += check_frame(scene, of, frame)
            except AssertionError as error:
                pytest.fail(f"{folder.name}, frame {frame}: {error}")
        untangled += check_untangled(scene, of)
        try:
            left_out += check_changed(scene, of)
        except AssertionError as error:
            pytest.fail(f"{folder.name}, changed: {error}")
    assert rows > 10_000 and untangled > 10 and left_out > 100


def test_one_thread_and_many_give_the_same(answers: Path) -> None:
    of = Dir(answers / "mid-crumple")
    one, many = crumple.Scene(threads=1), crumple.Scene(threads=3)
    for scene in (one, many):
        for b in range(len(of.bodies)):
            corners = np.fromfile(of.folder / f"obj{b}_e.u32", dtype=np.uint32).reshape(-1, 3)
            scene.add(of.positions(b, 0), corners)
    assert len(one.contacts()) > 0
    np.testing.assert_array_equal(one.contacts().triangle_pairs, many.contacts().triangle_pairs)
    np.testing.assert_array_equal(one.proximity(0.01).distances, many.proximity(0.01).distances)
