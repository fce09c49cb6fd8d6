"""Dask: the rows of one machine, on two workers."""

from __future__ import annotations

import importlib
import os
import shutil
import subprocess
from collections.abc import Iterator
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
        self.cluster = distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None)
        self.client = distributed.Client(self.cluster)
        self.face = importlib.import_module("crumple.dask")
        self.options: dict[str, Any] = {"client": self.client}

    def names(self) -> str:
        """The names that the dashboard groups tasks by."""
        return str(self.client.run_on_scheduler(lambda dask_scheduler: list(dask_scheduler.task_prefixes)))

    def close(self) -> None:
        self.client.close()
        self.cluster.close()


@pytest.fixture(scope="module")
def crew() -> Iterator[Any]:
    engine = Dask()
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
    assert "crumple-files" in crew.names()


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
