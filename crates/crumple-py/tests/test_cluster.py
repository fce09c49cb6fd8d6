"""Dask and Ray: the rows of one machine, on two workers, also when one of them is killed."""

from __future__ import annotations

import collections
import importlib
import importlib.util
import os
import re
import shutil
import signal
import subprocess
import time
import urllib.request
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import crumple
from crumple._tasks import Row
from conftest import sphere


class Dask:
    """Two worker processes of Dask."""

    def __init__(self) -> None:
        distributed = pytest.importorskip("distributed", reason="dask.distributed is not installed")
        self.cluster = distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address="127.0.0.1:0")
        self.client = distributed.Client(self.cluster)
        self.face = importlib.import_module("crumple.dask")
        self.options: dict[str, Any] = {"client": self.client}

    def kill(self) -> None:
        """Kills a worker that has something to do."""
        pids = self.client.run(os.getpid)
        self.pids = set(pids.values())
        busy = until(lambda: self.client.run_on_scheduler(busy_workers))
        os.kill(pids[busy[0]], signal.SIGKILL)

    def has_noticed(self) -> bool:
        """Whether Dask knows of a worker that died."""
        return set(self.client.run(os.getpid).values()) != self.pids

    def progress(self, kind: str) -> dict[str, int]:
        """How many tasks of a kind are in which state, as the dashboard's own server tells."""
        pytest.importorskip("prometheus_client")
        page = self.cluster.dashboard_link.removesuffix("/status")
        assert get(f"{page}/status")
        states = {}
        for line in get(f"{page}/metrics").decode().splitlines():
            m = re.match(r"dask_scheduler_prefix_state_totals_total\{(.*)\} (\S+)", line)
            labels = dict(re.findall(r'(\w+)="([^"]*)"', m[1])) if m else {}
            if m and labels["task_prefix_name"] == kind:
                states[labels["state"]] = int(float(m[2]))
        return states

    def close(self) -> None:
        self.client.close()
        self.cluster.close()


class Ray:
    """Two worker processes of Ray."""

    def __init__(self) -> None:
        self.ray = pytest.importorskip("ray", reason="ray is not installed")
        # Ray runs workers at a niceness of 15 unless told: on a busy machine they would hardly run at all.
        os.environ.setdefault("RAY_worker_niceness", "0")
        has_dashboard = importlib.util.find_spec("aiohttp_cors") is not None
        self.ray.init(num_cpus=2, include_dashboard=has_dashboard, log_to_driver=False)
        self.has_dashboard = has_dashboard
        self.face = importlib.import_module("crumple.ray")
        self.options: dict[str, Any] = {}

    def kill(self) -> None:
        """Kills a worker while it does a task of ours; Ray names processes after their tasks."""
        psutil = pytest.importorskip("psutil")

        def busy() -> list[Any]:
            family = psutil.Process().children(recursive=True)
            return [p for p in family if p.is_running() and p.cmdline()[:1] and p.cmdline()[0].startswith("ray::crumple-")]

        until(busy)[0].kill()

    def has_noticed(self) -> bool:
        return any(task.attempt_number > 0 for task in self.tasks())

    def tasks(self) -> list[Any]:
        """All tasks, as the dashboard's server tells its own client."""
        if not self.has_dashboard:
            pytest.skip("ray[default], which has the dashboard, is not installed")
        return list(importlib.import_module("ray.util.state").list_tasks(limit=10_000, detail=True, raise_on_missing_output=False))

    def progress(self, kind: str) -> dict[str, int]:
        states = [task.state for task in self.tasks() if task.name.startswith(f"{kind} ")]
        named = {"FINISHED": "memory", "RUNNING": "processing"}
        return dict(collections.Counter(named.get(state, state) for state in states))

    def close(self) -> None:
        self.ray.shutdown()


def busy_workers(dask_scheduler: Any) -> list[str]:
    return [worker.address for worker in dask_scheduler.workers.values() if worker.processing]


def get(address: str) -> bytes:
    with urllib.request.urlopen(address, timeout=60) as page:
        return bytes(page.read())


def until(asked: Callable[[], Any], seconds: float = 60) -> Any:
    """The first answer that is not empty."""
    end = time.monotonic() + seconds
    while not (found := asked()):
        assert time.monotonic() < end, "nothing came"
        time.sleep(0.005)
    return found


@pytest.fixture(scope="module", params=[Dask, Ray])
def crew(request: pytest.FixtureRequest) -> Iterator[Any]:
    engine = request.param()
    yield engine
    engine.close()


@pytest.fixture
def body() -> crumple.Mesh:
    return crumple.Mesh(*sphere(2, centre=(2.1, 0, 0)), name="body")


@pytest.fixture
def frames(tmp_path: Path) -> list[Path]:
    """A ball that moves into another one, is squeezed flat through itself and out again."""
    points, triangles = sphere(2)
    paths = [tmp_path / f"ball_{k:02}.ply" for k in range(13)]
    for k, path in enumerate(paths):
        squeezed = points * [1, 1, np.cos(0.5 * k)] + [0.03 * k, 0.001 * k * k, 0]
        crumple.Mesh(squeezed + 1e-3 * np.sin(37 * points[:, ::-1] + k), triangles).write(path)
    return paths


def same(rows: list[Row], expected: list[dict[str, Any]]) -> None:
    assert len(rows) == len(expected)
    for row, want in zip(rows, expected):
        for name, value in want.items():
            found = getattr(row, name)
            assert (found is None) == (value is None), name
            assert value is None or np.array_equal(found, value), f"{row.name}, frame {row.frame}: {name}"


def alone(path: Path, body: crumple.Mesh) -> dict[str, Any]:
    """What one process says about one file."""
    found = crumple.check(path, fixed=[body])
    return {
        "name": str(path),
        "triangle_pairs": found.triangle_pairs,
        "points": found.points,
        "vertex_tets": found.vertex_tets,
        "edge_tets": found.edge_tets,
        "error": None,
    }


def moving(frames: list[Path], body: crumple.Mesh) -> list[dict[str, Any]]:
    """What one process says about a sequence, with the way to each frame."""
    rows = [{**alone(path, body), "frame": k} for k, path in enumerate(frames)]
    rows[0].update(impact_vertex_triangles=None, impact_edge_edges=None)
    for k in range(1, len(frames)):
        ball, other = (crumple.read(frames[j]) for j in (k - 1, k))
        scene = crumple.Scene()
        moved = scene.add(ball)
        scene.add(body, fixed=True)
        scene.begin_step()
        scene.set_positions(moved, other.points)
        hits = scene.impacts()
        rows[k].update(impact_vertex_triangles=hits.vertex_triangles, impact_edge_edges=hits.edge_edges)
    return rows


def test_files(crew: Any, frames: list[Path], body: crumple.Mesh, tmp_path: Path) -> None:
    bad = tmp_path / "broken.obj"
    bad.write_text("v 0 0 0\nf 1 2 3\n")
    rows = crew.face.check_files(tmp_path, fixed=[body], files_per_task=3, **crew.options)
    assert [row.name for row in rows] == [*map(str, frames), str(bad)]
    assert rows[-1].error and "broken.obj" in rows[-1].error and not rows[-1]
    same(rows[:-1], [alone(path, body) for path in frames])
    assert any(rows) and not all(rows[:-1])
    until(lambda: crew.progress("crumple-files").get("memory", 0) >= 5)  # the dashboard may lag behind


@pytest.mark.parametrize("size", [1, 4, 100])
def test_a_sequence(crew: Any, frames: list[Path], body: crumple.Mesh, size: int) -> None:
    rows = crew.face.check_sequence(*frames, fixed=[body], frames_per_task=size, continuous=True, **crew.options)
    expected = moving(frames, body)
    assert sum(len(row["impact_edge_edges"]) for row in expected[1:]) > 100
    same(rows, expected)


def test_a_bad_frame_is_a_row(crew: Any, frames: list[Path], body: crumple.Mesh) -> None:
    expected = moving(frames, body)
    crumple.Mesh(*sphere(1)).write(frames[7])
    for size in (3, 7, 100):
        rows = crew.face.check_sequence(*frames, fixed=[body], frames_per_task=size, continuous=True, **crew.options)
        assert rows[7].error and rows[7].triangle_pairs is None
        unknown = {"impact_vertex_triangles": None, "impact_edge_edges": None}
        same(rows[:7] + rows[8:], expected[:7] + [{**expected[8], **unknown}] + expected[9:])


def done_tasks(crew: Any) -> int:
    """How many ranges of frames the dashboard says were done, in all calls so far."""
    return int(crew.progress("crumple-frames").get("memory", 0))


def settled(count: Callable[[], int]) -> int:
    """A number of the dashboard, which may lag behind, when it has come to rest."""
    last = -1
    while (now := count()) != last:
        last = now
        time.sleep(2)
    return now


def test_a_killed_worker_costs_only_its_task(crew: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    points, triangles = sphere(5)  # so large that tasks are left when a third of the answers have come
    paths = [tmp_path / f"ball_{k:02}.ply" for k in range(24)]
    for k, path in enumerate(paths):
        bent = points * [1, 1, np.cos(k)] + 1e-3 * np.sin(37 * points[:, ::-1] + k)
        crumple.Mesh(bent, triangles).write(path)
    engine, seen = crew.face._engine, {"answers": 0}
    earlier = settled(lambda: done_tasks(crew))

    def watched(told: Any) -> Any:
        """The engine; a worker is killed when a third of the answers have come."""

        def run(tasks: Sequence[Any]) -> Iterator[Any]:
            for k, answer in enumerate(engine(told)(tasks)):
                if k == len(tasks) // 3:
                    crew.kill()
                    until(lambda: done_tasks(crew) - earlier > k)  # as the dashboard tells
                seen["answers"] += 1
                yield answer

        return run

    monkeypatch.setattr(crew.face, "_engine", watched)
    rows = crew.face.check_sequence(*paths, continuous=True, frames_per_task=1, **crew.options)
    until(crew.has_noticed)
    assert seen["answers"] == len(paths) and not any(row.error for row in rows)
    sequence = crumple.Sequence(*paths)
    scene = crumple.Scene()
    ball = scene.add(sequence.mesh)
    for k, row in enumerate(rows):
        scene.begin_step()
        scene.set_positions(ball, sequence[k])
        assert np.array_equal(row.triangle_pairs, scene.contacts().triangle_pairs), k
        if k:
            hits = scene.impacts()
            assert np.array_equal(row.impact_vertex_triangles, hits.vertex_triangles), k
            assert np.array_equal(row.impact_edge_edges, hits.edge_edges), k
    assert sum(map(bool, rows)) > 3


def test_tiles(crew: Any, tmp_path: Path) -> None:
    program = os.environ.get("CRUMPLE") or shutil.which("crumple")
    if not program:
        pytest.skip("CRUMPLE does not name the program that makes tiles")
    (a, f), (b, g) = sphere(3), sphere(3, centre=(0.7, 0.3, 0.1))
    whole = crumple.Mesh(np.concatenate([a, b]), np.concatenate([f, g + len(a)]))
    whole.write(tmp_path / "whole.ply")
    tile = [program, "tile", str(tmp_path / "whole.ply"), "--tiles", "6", "--out", str(tmp_path / "tiles")]
    subprocess.run(tile, check=True, capture_output=True)
    document = crew.face.check_tiles(tmp_path / "tiles", program=program, **crew.options)
    expected = crumple.check(tmp_path / "whole.ply").triangle_pairs
    assert len(expected) > 100 and document["frames"][0]["triangle_pairs"] == expected.tolist()
    (tmp_path / "tiles" / "tile_003.ply").write_text("ply\n")
    with pytest.raises(crumple.Error, match="tile_003"):
        crew.face.check_tiles(tmp_path / "tiles", program=program, **crew.options)


def test_what_is_refused(crew: Any, tmp_path: Path) -> None:
    with pytest.raises(crumple.Error, match="no mesh files"):
        crew.face.check_files(tmp_path, **crew.options)
    with pytest.raises(crumple.Error, match="files_per_task"):
        crew.face.check_files(["a.obj"], files_per_task=0, **crew.options)
    with pytest.raises(crumple.Error, match="no tiles"):
        crew.face.check_tiles(tmp_path, program="crumple", **crew.options)
    assert crew.face.check_files([], **crew.options) == []
    [row] = crew.face.check_files([tmp_path / "absent.obj"], **crew.options)
    assert row.error and "absent.obj" in row.error
