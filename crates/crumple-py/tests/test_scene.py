"""Frames, filters, steps: what a scene does over time."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest

import crumple
from conftest import CORNERS, FLAT, ONE, TET, sphere


def test_the_ten_lines() -> None:
    points, triangles = sphere(2, radius=0.5, centre=(0, 0, 2))
    frames = [points - [0, 0, 0.25 * k] for k in range(9)]
    scene = crumple.Scene()
    shirt = scene.add(points, triangles, name="shirt")
    body = scene.add(crumple.Mesh(*sphere(3)), fixed=True, name="body")
    hits = []
    for x in frames:
        scene.set_positions(shirt, x)
        hits.append((len(scene.contacts()), scene.impacts().first is not None, len(scene.proximity(0.1))))
    assert hits[0] == (0, False, 0)
    assert all(any(hit[k] for hit in hits) for k in range(3))
    assert scene.inside(body, points - [0, 0, 2]).all()
    shared = scene.overlap(shirt, body)
    assert shared.lower <= shared.volume <= shared.upper and shared.volume > 0.4
    found = scene.distance(shirt, body)
    assert found is not None and found.contains == "b" and float(found) > 0.4


def test_ids_last() -> None:
    scene = crumple.Scene()
    a, b, c = (scene.add(CORNERS + k, tets=TET, name=f"tet {k}") for k in range(3))
    pairs = scene.contacts().triangle_pairs
    removed = scene.remove(a)
    assert removed.name == "tet 0" and np.array_equal(removed.points, CORNERS)
    assert scene.ids() == [b, c] and len(scene) == 2 and scene.id("tet 1") == b
    np.testing.assert_array_equal(scene.contacts().triangle_pairs, pairs[(pairs[:, 0] != a) & (pairs[:, 2] != a)])
    assert scene.add(CORNERS, tets=TET) == 3


def test_filters_hold() -> None:
    scene = crumple.Scene()
    a, b, c = (scene.add(CORNERS + at, tets=TET) for at in (0, 1, 1.2))

    def pairs() -> set[tuple[int, int]]:
        found = scene.contacts().triangle_pairs
        inside = scene.penetrations().vertex_tets
        rows = [(int(x), int(y)) for x, _, y, _ in np.concatenate([found, inside])]
        return {(min(p), max(p)) for p in rows}

    assert pairs() == {(a, b), (a, c), (b, c)}
    scene.ignore(c, a)
    assert pairs() == {(a, b), (b, c)}
    scene.ignore(a, c, False)
    scene.set_fixed(b)
    scene.set_fixed(c)
    assert scene.is_fixed(b) and pairs() == {(a, b), (a, c)}
    scene.set_groups(a, member=1, mask=2)
    scene.set_groups(b, member=2, mask=1)
    scene.set_groups(c, member=4)
    assert pairs() == {(a, b)}
    assert scene.box_pairs().tolist() == [[a, b]]


def test_parts_of_the_contacts_make_the_whole() -> None:
    scene = crumple.Scene()
    scene.add(np.concatenate([CORNERS, CORNERS + 1]), tets=[[0, 1, 2, 3], [4, 5, 6, 7]])
    scene.add(CORNERS + 0.5, tets=TET)
    within, between = (scene.contacts_of(pairs).triangle_pairs for pairs in ("within", "between"))  # type: ignore[arg-type]
    assert len(within) and len(between)
    assert (within[:, 0] == within[:, 2]).all() and (between[:, 0] != between[:, 2]).all()
    both = np.concatenate([within, between])
    np.testing.assert_array_equal(both[np.lexsort(both.T[::-1])], scene.contacts().triangle_pairs)


def test_forced_methods_agree_and_explain_says_so() -> None:
    scene = crumple.Scene()
    scene.add(*sphere(2)), scene.add(*sphere(2, centre=(0.5, 0, 0)))
    scene.add(CORNERS / 4, tets=TET)
    expected, inside = scene.contacts().triangle_pairs, scene.penetrations().vertex_tets
    assert len(expected) and scene.contacts().guarantee == "proved" and scene.contacts().stats["contacts"] > 0
    for method in ("bucket-tree", "brute-force", "regularity", None):
        scene.use_surface_method(method)  # type: ignore[arg-type]
        found = scene.contacts()
        np.testing.assert_array_equal(found.triangle_pairs, expected)
        assert method in (None, found.method)
    scene.use_solid_method("brute-force")
    np.testing.assert_array_equal(scene.penetrations().vertex_tets, inside)
    choices = {choice.question: choice for choice in scene.explain()}
    assert choices["penetrations"].method == "brute-force" and "asked for" in choices["penetrations"].why


def gap_rows(scene: crumple.Scene, near: crumple.Proximity) -> None:
    """For each row the gap is the weighted sum of the four vertices, as the class says."""
    x = {body: scene.positions(body) for body in scene.ids()}
    k = len(near.vertex_triangles)
    for i in range(len(near)):
        a, b = near.bodies[i]
        on_a = 1 if i < k else 2
        corners = [x[int(a)][v] for v in near.vertices[i][:on_a]] + [x[int(b)][v] for v in near.vertices[i][on_a:]]
        gap = (near.weights[i][:, None] * np.array(corners)).sum(axis=0)
        np.testing.assert_allclose(gap, near.distances[i] * near.normals[i], atol=1e-12)
        assert abs(near.weights[i][:on_a].sum() - 1) < 1e-12 and abs(near.weights[i][on_a:].sum() + 1) < 1e-12


def test_proximity_is_a_stencil_of_four_vertices() -> None:
    scene = crumple.Scene()
    a = scene.add(*sphere(1))
    scene.add(*sphere(1, centre=(2.03, 0.1, 0.05)))
    near = scene.proximity(0.15)
    assert len(near.vertex_triangles) and len(near.edge_edges) and (near.distances < 0.15).all()
    gap_rows(scene, near)
    assert set(np.unique(near.features)) <= set(range(7))
    thick = scene.proximity(thickness={a: 0.3})
    between = near.bodies[:, 0] != near.bodies[:, 1]
    assert between.sum() == (thick.bodies[:, 0] != thick.bodies[:, 1]).sum()
    assert len(scene.proximity(0.15, pairs="within")) + len(scene.proximity(0.15, pairs="between")) == len(near)
    own = scene.proximity(1.0, pairs="within")
    assert len(own) and len(scene.proximity(1.0, pairs="within", rest={})) == 0


def test_steps_touch_nothing() -> None:
    scene = crumple.Scene()
    low, high = scene.add(FLAT, ONE, fixed=True), scene.add(FLAT / 10 + [1, 1, 2], ONE)
    down = FLAT / 10 + [1, 1, -2]
    share = scene.safe_step(down)  # only one body can move
    assert share == scene.safe_step({high: down}) == scene.safe_step([None, down]) and abs(share - 0.5) < 1e-11
    apart = scene.safe_step(down, thickness=0.5)
    assert abs(apart - 0.375) < 1e-6 and apart == scene.safe_step_apart(down, 0.5)
    step = scene.step_to({high: down})
    assert 0.49 < step.share < 0.5 and step.blocked_by is not None
    assert step.blocked_by.kind == "vertex-triangle" and step.blocked_by.elements[2:] == [low, 0]
    assert len(scene.contacts()) == 0
    scene.set_positions(high, down)
    first = scene.first_impact()
    assert first is not None and first.time[0] == scene.impacts().first[0]  # type: ignore[index]


def test_shares_of_each_vertex_are_safe_and_large_where_nothing_is_near() -> None:
    rng = np.random.default_rng(3)
    points, triangles = sphere(2)
    scene = crumple.Scene()
    a, b = scene.add(points, triangles), scene.add(points + [2.2, 0, 0], triangles)
    goal = {a: points + [0.4, 0, 0] + 0.02 * rng.random(points.shape), b: points + [2.0, 0, 0]}
    assert scene.safe_step(goal) < 1.0
    shares = scene.safe_step(goal, per_vertex=True)
    assert set(shares) == {a, b} and shares[a].min() < 1.0
    moved = {body: scene.positions(body) + shares[body][:, None] * (goal[body] - scene.positions(body)) for body in goal}
    assert scene.safe_step(moved) == 1.0
    scene.begin_step()
    scene.set_all_positions(moved)
    assert len(scene.impacts()) == 0 and len(scene.contacts()) == 0
    alone = crumple.Scene()
    body = alone.add(FLAT, ONE)
    np.testing.assert_array_equal(alone.safe_step({body: FLAT + 100}, per_vertex=True)[body], [1, 1, 1])


def test_swapping_is_not_a_motion() -> None:
    scene = crumple.Scene()
    scene.add(FLAT, ONE)
    ball = scene.add(FLAT / 10 + [1, 1, 2], ONE)
    scene.begin_step()
    before = scene.swap_positions(ball, FLAT / 10 + [1, 1, -2])
    np.testing.assert_array_equal(before, FLAT / 10 + [1, 1, 2])
    assert len(scene.impacts()) == 0
    scene.begin_step()
    scene.set_positions(ball, before)
    assert len(scene.impacts()) == 3


def test_volumes() -> None:
    scene = crumple.Scene()
    a, b = scene.add(CORNERS, tets=TET), scene.add(CORNERS + 1, tets=TET)
    fine = scene.overlap(a, b, tolerance=1e-3)
    assert fine.stop == "reached" and fine.lower <= 1 / 6 <= fine.upper and fine.upper - fine.lower <= 1e-3 * fine.upper
    assert [(x, y) for x, y, _ in scene.overlaps()] == [(a, b)]
    surface = scene.intersection_surface([a, b])
    assert surface.is_closed and abs(volume(surface) - 1 / 6) < 1e-3
    twice = np.concatenate([CORNERS, CORNERS + 1])
    own = crumple.self_overlap(crumple.Mesh(twice, tets=[[0, 1, 2, 3], [4, 5, 6, 7]]))
    assert own.lower <= 1 / 6 <= own.upper and own.misordered_rays > 0
    assert scene.overlap(a, b, pixel_size=0.1).resolution in [(30, 30), (31, 31)]


def test_depth_from_the_common_volume() -> None:
    points, triangles = sphere(3)
    scene = crumple.Scene()
    a, b = scene.add(points, triangles), scene.add(points + [1.2, 0, 0], triangles)
    found = scene.depth(a, b)
    assert found is not None and found.lower <= found.depth == float(found) <= found.upper and found.guarantee == "sampled"
    # Two spheres of radius 1 at distance 1.2: 0.8 deep, along the line of their centres.
    assert abs(found.depth - 0.8) < 0.05 and found.direction[0] > 0.99 and found.parting >= 0.8
    np.testing.assert_allclose(found.ends[1] - found.ends[0], found.depth * np.array(found.direction), atol=0.02)
    scene.set_positions(b, points + 1.001 * found.parting * np.array(found.direction) + [1.2, 0, 0])
    assert scene.depth(a, b) is None
    with pytest.raises(crumple.BodyError):
        scene.depth(a, 7)


def test_the_skin_of_a_tet_is_as_it_was_asked_for() -> None:
    scene = crumple.Scene()
    scene.add(CORNERS, tets=TET)
    other = scene.add(CORNERS + 0.25, tets=TET)

    def count(touch: Any, weld: float | None = None) -> int:
        scene.set_touch(touch, weld=weld)
        found = scene.penetrations()
        assert found.guarantee == "proved" and len(scene.vertices_in_tets()) == len(found)
        return len(found)

    deep = float(np.nextafter(0.25, 0))
    assert [count("closed"), count("open"), count(deep), count(0.25), count("closed", weld=0.5)] == [1, 1, 1, 0, 0]
    scene.set_positions(other, CORNERS + [4, 0, 0])  # corner to corner
    assert [count("closed"), count("open"), count("closed", weld=0)] == [2, 0, 0]
    for touch, weld in [("ajar", None), (-1, None), (None, None), ("open", -1), (float("nan"), None)]:
        with pytest.raises(crumple.Error):
            scene.set_touch(touch, weld=weld)


def volume(mesh: crumple.Mesh) -> float:
    x, y, z = (mesh.points[mesh.triangles[:, k]] for k in range(3))
    return float(np.einsum("ij,ij->i", x, np.cross(y, z)).sum() / 6)


def test_the_gradient_is_the_derivative() -> None:
    """Moving a whole body: the sum of its gradient against differences of the volume."""
    points, triangles = sphere(3)
    scene = crumple.Scene()
    a, b = scene.add(points, triangles), scene.add(points + [1.2, 0.3, 0.1], triangles)
    gradient = scene.overlap(a, b, 256, gradient=True).gradient
    assert gradient is not None
    np.testing.assert_allclose(gradient[0].sum(axis=0), -gradient[1].sum(axis=0), atol=1e-9)
    for axis in range(3):
        h = 0.02 * np.eye(3)[axis]
        volumes = []
        for sign in (1, -1):
            scene.set_positions(a, points + sign * h)
            volumes.append(scene.overlap(a, b, 256, tolerance=1e-4).volume)
        slope = (volumes[0] - volumes[1]) / 0.04
        assert abs(gradient[0].sum(axis=0)[axis] - slope) < 0.01, (axis, slope)


def test_closeness_over_time() -> None:
    scene = crumple.Scene()
    a, b = scene.add(FLAT, ONE), scene.add(FLAT + [0, 0, 1], ONE)
    found = scene.distance(a, b)
    assert found is not None and (found.distance, found.bodies) == (1, (a, b)) and 0.999 < found.lower <= 1 <= found.upper < 1.001
    assert found.a.point[2] == 0 and found.b.point[2] == 1 and found.guarantee == "proved"
    assert scene.distance(a, a) is None and scene.safety(a, b) is None
    near = scene.closer_than(a, b, 2.0)
    assert near.triangle_pairs.tolist() == [[0, 0]] and near.distances.tolist() == [1.0]
    assert [d.bodies for d in scene.distances(1.5)] == [(a, b)] and scene.distances(0.5) == []
    scene.set_positions(b, FLAT + [0, 0, 0.75])
    safety = scene.safety(a, b)
    assert safety is not None and safety[0] == pytest.approx(0.25) and safety[1] == 2.0


def test_diagnostics() -> None:
    mesh = crumple.Mesh(np.concatenate([FLAT, [[9, 9, 9]]]), [[0, 1, 2], [0, 1, 2], [0, 0, 1]])
    kinds = [d.kind for d in mesh.diagnose()]
    assert "duplicate-triangle" in kinds and "degenerate-triangle" in kinds and "unused-vertices" in kinds
    scene = crumple.Scene()
    scene.add(FLAT)
    body = scene.add(mesh)
    assert {d.body for d in scene.diagnose() if d.kind == "duplicate-triangle"} == {body}


def test_meshes_are_pickled() -> None:
    for mesh in (crumple.Mesh(*sphere(1), name="ball"), crumple.Mesh(CORNERS, tets=TET), crumple.Mesh(FLAT)):
        again = pickle.loads(pickle.dumps(mesh))
        assert repr(again) == repr(mesh)
        np.testing.assert_array_equal(again.points, mesh.points)
        np.testing.assert_array_equal(again.triangles, mesh.triangles)


def two_balls(threads: int | None = None) -> tuple[crumple.Scene, int, int]:
    scene = crumple.Scene(threads=threads)
    return scene, scene.add(*sphere(3)), scene.add(*sphere(3, centre=(0.7, 0.3, 0.1)))


def boxes_of(scene: crumple.Scene, body: int) -> tuple[np.ndarray, np.ndarray]:
    corners = scene.positions(body)[scene.mesh(body).triangles]
    return corners.min(axis=1), corners.max(axis=1)


def test_contacts_within_a_budget() -> None:
    """What is found is right; what is missing lies between regions that are named, no more of it than they say."""
    whole, a, b = two_balls()
    expected = {tuple(row) for row in whole.contacts().triangle_pairs.tolist()}
    sizes, seen = [], set()
    for visits in (0, 30, 300, 3000, 10**9):
        scene, *_ = two_balls()
        found = scene.contacts_budgeted(visits=visits)
        rows = {tuple(row) for row in found.contacts.triangle_pairs.tolist()}
        assert rows <= expected and len(rows) == len(found)
        assert found.contacts.guarantee == ("proved" if found.is_complete else "partial")
        assert found.contacts.points.shape == (len(rows), 3) and len(found.undecided) == len(found.undecided.most)
        missing = expected - rows
        assert len(missing) <= found.undecided.most.sum() and (found.is_complete <= (not missing))
        lower, upper = zip(*(boxes_of(scene, body) for body in (a, b)))
        bodies, boxes = found.undecided.bodies, found.undecided.boxes
        assert boxes.shape == (len(found.undecided), 2, 6) and boxes.flags.owndata
        for p, s, q, t in missing:
            holds = [
                (bodies[:, k] == body) & (boxes[:, k, :3] <= upper[body][x]).all(axis=1) & (boxes[:, k, 3:] >= lower[body][x]).all(axis=1)
                for k, (body, x) in enumerate([(p, s), (q, t)])
            ]  # fmt: skip
            assert (holds[0] & holds[1]).any(), (visits, p, s, q, t)
        sizes.append(len(rows))
        seen.add(found.is_complete)
    assert sizes[0] == 0 and sizes == sorted(sizes) and sizes[-1] == len(expected) and seen == {False, True}
    scene, *_ = two_balls()
    assert scene.contacts_budgeted(60.0).is_complete and len(scene.contacts_budgeted()) == len(expected)
    scene, *_ = two_balls()
    assert len(scene.contacts_budgeted(0.0)) == 0 and not scene.contacts_budgeted(0.0).is_complete


def test_distance_within_a_budget() -> None:
    scene = crumple.Scene()
    a, b = scene.add(*sphere(3)), scene.add(*sphere(3, centre=(3.1, 0.2, 0.4)))
    exact = scene.distance(a, b)
    assert exact is not None
    widths = []
    for visits in (0, 20, 200, 10**9):
        scene = crumple.Scene()
        a, b = scene.add(*sphere(3)), scene.add(*sphere(3, centre=(3.1, 0.2, 0.4)))
        found = scene.distance_budgeted(a, b, visits=visits)
        assert found is not None and found.lower <= exact.upper and exact.lower <= found.upper
        np.testing.assert_allclose(np.linalg.norm(np.subtract(found.a.point, found.b.point)), found.upper, rtol=1e-9)
        widths.append(found.upper - found.lower)
    assert widths[0] > 10 * widths[-1] and widths[-1] <= exact.upper - exact.lower
    assert scene.distance_budgeted(a, a, visits=1) is None and scene.distance_budgeted(a, b, 60.0) is not None


def test_reach_is_a_distance_for_each_vertex() -> None:
    scene, a, b = two_balls()
    far = {a: 0.05 * np.random.default_rng(4).random(len(scene.positions(a)))}
    far[b] = 0.05 * np.random.default_rng(5).random(len(scene.positions(b)))
    near, all_near = scene.proximity(reach=far), scene.proximity(0.1)

    def side(rows: crumple.Proximity, k: int) -> np.ndarray:
        """The largest reach of the corners on one side of each row."""
        first = np.where(np.arange(len(rows)) < len(rows.vertex_triangles), 1, 2)
        at = np.array([far[a], far[b]])[rows.bodies[:, [0, 0, 0, 0]] * (k == 0) + rows.bodies[:, [1, 1, 1, 1]] * (k == 1), rows.vertices]
        mine = (np.arange(4) < first[:, None]) == (k == 0)
        return np.where(mine, at, 0.0).max(axis=1)

    limit = side(all_near, 0) + side(all_near, 1)
    kept = all_near.distances < limit
    assert 100 < kept.sum() < len(kept)
    np.testing.assert_array_equal(near.distances, all_near.distances[kept])
    np.testing.assert_array_equal(near.vertices, all_near.vertices[kept])
    assert len(scene.proximity(reach={})) == 0
    candidates = scene.proximity_candidates(reach=far)
    rows = {tuple(row) for row in candidates.vertex_triangles.tolist()}
    assert {tuple(row) for row in near.vertex_triangles.tolist()} <= rows and candidates.stats["candidates"] >= 0
    edges = {tuple(row) for row in candidates.edge_edges.tolist()}
    assert {tuple(row) for row in near.edge_edges.tolist()} <= edges and len(candidates) == len(rows) + len(edges)
    assert len(scene.proximity_candidates(0.1, pairs="between")) < len(scene.proximity_candidates(thickness={a: 0.2, b: 0.2}))


def test_nearest_triangles_are_rows() -> None:
    scene, *_ = two_balls()
    near = scene.proximity(0.1)
    rows = near.vertex_triangles
    best: dict[tuple[int, int], int] = {}
    for k, (body, vertex, *_rest) in enumerate(rows.tolist()):
        if (body, vertex) not in best or near.distances[k] < near.distances[best[body, vertex]]:
            best[body, vertex] = k
    assert near.nearest_triangles.tolist() == [best[key] for key in sorted(best)] and len(best) > 100


def test_pairs_of_named_bodies_alone() -> None:
    flat = np.array([[0, 0, 0], [4, 0, 0], [0, 4, 0]], dtype=float)
    scene = crumple.Scene()
    low, middle, high = (scene.add(flat + [0, 0, z], [[0, 1, 2]]) for z in (0.0, 0.25, 0.5))
    near = scene.proximity(0.75)
    for named in ([], [low], [middle, high], (low, middle, high)):
        found = scene.proximity(0.75, bodies=named)
        wanted = np.isin(near.bodies, list(named)).any(axis=1)
        assert np.array_equal(found.bodies, near.bodies[wanted]) and np.array_equal(found.distances, near.distances[wanted])
        assert len(scene.proximity_candidates(0.75, bodies=named)) >= len(found)
    scene.remove(middle)
    assert len(scene.proximity(0.75, bodies=[high])) > 0
    with pytest.raises(crumple.BodyError):
        scene.proximity(0.75, bodies=[middle])
