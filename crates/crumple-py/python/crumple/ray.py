"""Files, sequences and tiles checked by Ray: `pip install crumple[ray]`.

Each function hands named tasks to the Ray that is running, or starts one, and waits; its dashboard shows the names. A task
whose worker dies is tried again. Workers read the files themselves.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import ray

from crumple import _tasks
from crumple._crumple import Mesh
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
    return _tasks.check_files(_run, files, fixed, files_per_task, threads)


def check_sequence(
    *paths: _Path,
    continuous: bool = False,
    fixed: Iterable[Mesh | _Path] = (),
    frames_per_task: int = 16,
    threads: int = 1,
) -> list[Row]:
    """The frames of a `crumple.Sequence(*paths)`: one row each, in order; with `continuous`, also the way to each frame."""
    return _tasks.check_sequence(_run, paths, continuous, fixed, frames_per_task, threads)


def check_tiles(folder: _Path, *, program: _Path | None = None, threads: int = 1) -> dict[str, Any]:
    """The tiles that `crumple tile` made: the document that `crumple check --json` prints for the whole mesh."""
    return _tasks.check_tiles(_run, folder, program, threads)


#: How often Ray tries a task again whose worker died.
RETRIES = 3


def _run(tasks: Sequence[Task]) -> Iterator[tuple[Task, Any, str | None]]:
    if not ray.is_initialized():
        ray.init()
    work: Any = ray.remote(Task.work)
    named = [work.options(name=f"crumple-{t.kind} {t.name}", max_retries=RETRIES, num_cpus=t.threads) for t in tasks]
    task_of = {call.remote(task): task for call, task in zip(named, tasks)}
    while task_of:
        done, _ = ray.wait(list(task_of))
        for reference in done:
            task = task_of.pop(reference)
            try:
                yield task, ray.get(reference), None
            except ray.exceptions.RayError as why:
                yield task, None, f"{type(why).__name__}: {str(why).strip().splitlines()[-1]}"
