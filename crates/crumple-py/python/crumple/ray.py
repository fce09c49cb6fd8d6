"""Files, sequences and tiles checked by Ray: `pip install crumple[ray]`.

Each function hands named tasks to the Ray that `ray.init` has connected to and waits; its dashboard and `ray list tasks` show them
as `crumple-files`, `crumple-frames` and `crumple-tile`. A task whose worker dies is given to another one, at most three times.
Workers read the files themselves.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import ray

from crumple import _tasks
from crumple._crumple import Error, Mesh
from crumple._tasks import Row, Task

__all__ = ["Row", "check_files", "check_sequence", "check_tiles"]

_Path = str | os.PathLike[str]


def check_files(
    files: _Path | Iterable[_Path],
    *,
    fixed: Iterable[Mesh | _Path] = (),
    files_per_task: int = 1,
    threads: int = 1,
) -> list[Row]:
    """A folder's mesh files, or those named, each by itself and against the bodies in `fixed`: one row each, in order."""
    return _tasks.check_files(_engine(threads), files, fixed, files_per_task, threads)


def check_sequence(
    *paths: _Path,
    continuous: bool = False,
    fixed: Iterable[Mesh | _Path] = (),
    frames_per_task: int = 16,
    threads: int = 1,
) -> list[Row]:
    """The frames of a `crumple.Sequence(*paths)`: one row each, in order; with `continuous`, also the way to each frame."""
    return _tasks.check_sequence(_engine(threads), paths, continuous, fixed, frames_per_task, threads)


def check_tiles(folder: _Path, *, program: _Path | None = None, threads: int = 1) -> dict[str, Any]:
    """The tiles that `crumple tile` made: the document that `crumple check --json` prints for the whole mesh."""
    return _tasks.check_tiles(_engine(threads), folder, program, threads)


def _engine(threads: int) -> _tasks.Engine:
    def run(tasks: Sequence[Task]) -> Iterator[tuple[Task, Any, str | None]]:
        if not ray.is_initialized():
            raise Error("ray is not connected: call ray.init() first")
        work: Any = ray.remote(Task.work)
        task_of = {
            work.options(name=f"crumple-{task.kind} {task.name}", num_cpus=threads, max_retries=3).remote(task): task
            for task in tasks
        }
        while task_of:
            [done], _ = ray.wait(list(task_of))
            task = task_of.pop(done)
            try:
                yield task, ray.get(done), None
            except ray.exceptions.RayTaskError as why:
                yield task, None, f"{type(why.cause).__name__}: {why.cause}"
            except ray.exceptions.RayError as why:
                yield task, None, f"{type(why).__name__}: {why}"

    return run
