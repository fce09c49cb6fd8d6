"""The interpreter's lock is free while the engine works, and scenes may be asked from many threads."""

from __future__ import annotations

import threading
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np

import crumple
from conftest import sphere


def test_python_runs_while_the_engine_works() -> None:
    scene = crumple.Scene(threads=1)
    a, b = scene.add(*sphere(5)), scene.add(*sphere(5, centre=(0.3, 0, 0)))
    done, ticks = threading.Event(), []

    def tick() -> None:
        while not done.is_set():
            ticks.append(time.perf_counter())
            time.sleep(0.0005)

    other = threading.Thread(target=tick)
    other.start()
    time.sleep(0.01)
    start = time.perf_counter()
    scene.overlap(a, b, 1024, gradient=True)
    end = time.perf_counter()
    done.set()
    other.join()
    during = [t for t in ticks if start < t < end]
    # Had the lock been held, the other thread would have stood still from start to end.
    assert len(during) > 3, (len(during), end - start)
    longest = max(np.diff([start, *during, end]))
    assert longest < 0.8 * (end - start), (longest, end - start)


def test_edits_take_turns_too() -> None:
    """One edit from many threads, and one scene that is edited and asked from many: nothing is lost, nothing waits for ever."""
    points, triangles = sphere(3)
    mesh = crumple.Mesh(points, triangles)
    edit = mesh.edit()
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(edit.remove_triangle, range(0, 400)))
    after, changes = edit.finish()
    assert changes.triangles_removed.tolist() == list(range(400)) and len(after.triangles) == len(triangles) - 400
    scene = crumple.Scene()
    bodies = [scene.add(points + [0, 0, 3.0 * k], triangles) for k in range(4)]

    def change(k: int) -> int:
        removed = scene.edit(bodies[k % 4], lambda edit: (edit.remove_triangle(k), scene.contacts())).triangles_removed
        return int(removed[0])

    with ThreadPoolExecutor(4) as pool:
        found = [pool.submit(change, k) for k in range(64)]
        told = [f.exception() for f in found]
    # Two edits of one body at a time: the later is refused, and says so.
    assert all(error is None or "got other elements" in str(error) for error in told)
    done = sum(error is None for error in told)
    assert done >= 16 and sum(len(scene.mesh(b).triangles) for b in bodies) == 4 * len(triangles) - done


def test_scenes_in_many_threads_give_what_they_give_alone() -> None:
    def ask(k: int) -> np.ndarray:
        scene = crumple.Scene()
        a, b = scene.add(*sphere(3)), scene.add(*sphere(3, centre=(0.1 * k, 0.2, 0)))
        for step in range(3):
            scene.set_positions(a, sphere(3, centre=(0.05 * step, 0, 0))[0])
            found = scene.contacts().triangle_pairs
        assert scene.distance(a, b) is not None
        return found

    alone = [ask(k) for k in range(6)]
    with ThreadPoolExecutor(6) as pool:
        together = list(pool.map(ask, range(6)))
    for x, y in zip(alone, together):
        np.testing.assert_array_equal(x, y)


def test_one_scene_from_many_threads_takes_turns() -> None:
    scene = crumple.Scene()
    bodies = [scene.add(*sphere(2, centre=(0.7 * k, 0, 0))) for k in range(4)]
    expected = scene.contacts().triangle_pairs

    def ask(k: int) -> bool:
        scene.proximity(0.1)
        scene.set_positions(bodies[k % 4], sphere(2, centre=(0.7 * (k % 4), 0, 0))[0])
        scene.distance(bodies[0], bodies[3])
        return bool(np.array_equal(scene.contacts().triangle_pairs, expected))

    with ThreadPoolExecutor(4) as pool:
        assert all(pool.map(ask, range(32)))
