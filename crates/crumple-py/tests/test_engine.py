"""Every result equals the Rust engine's, bit for bit, on every scene of the suite."""

from __future__ import annotations

import json
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


def check_frame(scene: crumple.Scene, of: Dir, frame: int) -> int:
    def expected(name: str) -> Any:
        return of.expected(frame, name)

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

    same(scene.edge_penetrations().edge_tets, expected("edge_tets"))
    inside = scene.penetrations()
    same(inside.vertex_tets, expected("vertex_tets"))
    numbers = expected("vertex_tet_numbers")
    same(inside.weights, numbers[:, :4])
    same(inside.depths, numbers[:, 4])
    same(inside.directions, numbers[:, 5:])

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


def test_every_scene_of_the_suite(answers: Path) -> None:
    scenes, rows, untangled = sorted(path for path in answers.iterdir() if path.is_dir()), 0, 0
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
    assert rows > 10_000 and untangled > 10


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
