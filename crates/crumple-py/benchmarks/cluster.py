"""What a cluster costs: one sequence checked by one process, by two workers of Dask and by two workers of Ray, in one run.

    python crates/crumple-py/benchmarks/cluster.py [--frames 96] [--level 5]

Prints a table: waiting time (the best of two runs), tasks, bytes of all tasks and of all answers. Engines that are not installed are
left out. Rows are compared with those of one process.
"""

from __future__ import annotations

import argparse
import os
import pickle
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

import crumple
from crumple import _tasks
from crumple._tasks import Row, Task

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))
from conftest import sphere  # noqa: E402

FRAMES_PER_TASK, RUNS = 8, 2


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


def timed(work: Callable[[], list[Row]]) -> tuple[float, list[Row]]:
    times = []
    for _ in range(RUNS):
        start = time.perf_counter()
        rows = work()
        times.append(time.perf_counter() - start)
    return min(times), rows


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--frames", type=int, default=96)
    parser.add_argument("--level", type=int, default=5, help="subdivisions of the ball: 5 has 20,480 triangles")
    options = parser.parse_args()
    os.environ.setdefault("RAYON_NUM_THREADS", "1")
    with tempfile.TemporaryDirectory() as folder:
        paths = sequence(Path(folder), options.frames, options.level)
        took, rows = timed(lambda: _tasks.check_sequence(alone, paths, False, (), FRAMES_PER_TASK, 1))
        counts = {name: number // RUNS for name, number in moved.items()}
        found = [("one process", took)]
        try:
            import distributed
            import crumple.dask

            with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster:
                client = distributed.Client(cluster)
                took, theirs = timed(lambda: crumple.dask.check_sequence(*paths, frames_per_task=FRAMES_PER_TASK, client=client))
                client.close()
            assert same(rows, theirs)
            found.append(("Dask, two workers", took))
        except ImportError:
            pass
        try:
            import ray
            import crumple.ray

            ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
            took, theirs = timed(lambda: crumple.ray.check_sequence(*paths, frames_per_task=FRAMES_PER_TASK))
            ray.shutdown()
            assert same(rows, theirs)
            found.append(("Ray, two workers", took))
        except ImportError:
            pass
    pairs = sum(len(row.triangle_pairs) for row in rows if row.triangle_pairs is not None)
    print(f"{options.frames} frames of {20 * 4**options.level:,} triangles, {pairs:,} pairs, {counts['tasks']} tasks\n")
    print("| engine | waiting time, s | beside one process | tasks carry | answers carry |\n|---|--:|--:|--:|--:|")
    for name, took in found:
        carried = f"{counts['sent'] / counts['tasks']:,.0f} bytes each | {counts['answered'] / 1e6:.2f} MB in all"
        print(f"| {name} | {took:.2f} | {found[0][1] / took:.2f}× | {carried if name != 'one process' else ' | '} |")


if __name__ == "__main__":
    main()
