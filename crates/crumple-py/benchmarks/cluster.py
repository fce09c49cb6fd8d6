"""What a cluster costs: one sequence checked by one process, by two workers of Dask and by two workers of Ray, in one run.

    python crates/crumple-py/benchmarks/cluster.py [--frames 96] [--level 5] [--rounds 3]

Prints a table: waiting time (the best of some rounds, in which all take turns), processor time of all processes in that round, tasks,
bytes of all tasks and of all answers, and how busy the machine was. Engines that are not installed are left out. Rows are compared with
those of one process. Needs psutil.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import pickle
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import psutil

import crumple
from crumple import _tasks
from crumple._tasks import Row, Task

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))
from conftest import sphere  # noqa: E402

FRAMES_PER_TASK = 8


def sequence(folder: Path, frames: int, level: int) -> list[str]:
    """A ball that swings flat and back, as a mesh and raw positions."""
    points, triangles = sphere(level)
    crumple.Mesh(points, triangles).write(folder / "ball.ply")
    wobble = np.sin(37 * points[:, ::-1])
    scales = np.cos(np.linspace(0, 3, frames))
    bent = [points * [1, 1, scale] + 1e-3 * wobble * (1 + scale) for scale in scales]
    np.stack(bent).astype(np.float32).tofile(folder / "ball.f32")
    return [str(folder / "ball.ply"), str(folder / "ball.f32")]


def alone(tasks: Sequence[Task]) -> Iterator[tuple[Task, Any, str | None]]:
    """An engine of one process: the tasks one after the other, as a worker would do them. Counts what would travel."""
    for task in tasks:
        answer = task.work()
        moved["tasks"] += 1
        moved["sent"] += len(pickle.dumps(task))
        moved["answered"] += len(pickle.dumps(answer))
        yield task, answer, None


moved = {"tasks": 0, "sent": 0, "answered": 0}


def same(a: list[Row], b: list[Row]) -> bool:
    return all(x.name == y.name and np.array_equal(x.triangle_pairs, y.triangle_pairs) for x, y in zip(a, b, strict=True))


def processor_time() -> float:
    """Of this process and all that it started, so far."""
    here = psutil.Process()
    spent = [p.cpu_times() for p in [here, *here.children(recursive=True)]]
    return float(sum(times.user + times.system for times in spent))


Work = Callable[[], list[Row]]


def engines(paths: list[str]) -> Iterator[tuple[str, Work]]:
    """Each engine that is installed, ready to work; it is closed when the next one is asked for."""
    yield "one process", lambda: _tasks.check_sequence(alone, paths, False, (), FRAMES_PER_TASK, 1)
    with contextlib.suppress(ImportError):
        import distributed
        import crumple.dask

        with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster:
            with distributed.Client(cluster) as client:
                options: dict[str, Any] = {"frames_per_task": FRAMES_PER_TASK, "client": client}
                yield "Dask, two workers", lambda: crumple.dask.check_sequence(*paths, **options)
    with contextlib.suppress(ImportError):
        import ray
        import crumple.ray

        # As Dask's: Ray runs workers at a niceness of 15 unless told.
        os.environ.setdefault("RAY_worker_niceness", "0")
        ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
        yield "Ray, two workers", lambda: crumple.ray.check_sequence(*paths, frames_per_task=FRAMES_PER_TASK)
        ray.shutdown()


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--frames", type=int, default=96)
    parser.add_argument("--level", type=int, default=5, help="subdivisions of the ball: 5 has 20,480 triangles")
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    os.environ.setdefault("RAYON_NUM_THREADS", "1")
    best: dict[str, tuple[float, float]] = {}
    rows: list[Row] = []
    before = os.getloadavg()[0]
    with tempfile.TemporaryDirectory() as folder:
        paths = sequence(Path(folder), options.frames, options.level)
        for _ in range(options.rounds):
            for name, work in engines(paths):
                # The workers' imports are no part of the work.
                work()
                start, spent = time.perf_counter(), processor_time()
                found = work()
                took = (time.perf_counter() - start, processor_time() - spent)
                rows = rows or found
                assert same(rows, found), name
                best[name] = min(best.get(name, took), took)
    after = os.getloadavg()[0]
    counts = {name: number // (2 * options.rounds) for name, number in moved.items()}
    pairs = sum(len(row.triangle_pairs) for row in rows if row.triangle_pairs is not None)
    print(f"{options.frames} frames of {20 * 4**options.level:,} triangles, {pairs:,} pairs, {counts['tasks']} tasks of")
    print(f"{counts['sent'] / counts['tasks']:,.0f} bytes, answers of {counts['answered'] / 1e6:.2f} MB in all;")
    print(f"{os.cpu_count()} processors, processes that wanted to run: {before:.1f} before, {after:.1f} after\n")
    print("| engine | waiting time, s | beside one process | processor time, s |\n|---|--:|--:|--:|")
    for name, (waited, used) in best.items():
        print(f"| {name} | {waited:.2f} | {best['one process'][0] / waited:.2f}× | {used:.2f} |")


if __name__ == "__main__":
    main()
