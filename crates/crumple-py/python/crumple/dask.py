"""Files, sequences and tiles checked by Dask: `pip install crumple[dask]`.

Each function hands named tasks to a `distributed.Client` and waits; its dashboard shows them as `crumple-files`,
`crumple-frames` and `crumple-tile`. A task whose worker dies is given to another one. Workers read the files themselves.
"""

from __future__ import annotations

import os
import uuid
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import distributed

from crumple import _tasks
from crumple._crumple import Mesh
from crumple._tasks import Row, Task

__all__ = ["Row", "check_files", "check_sequence", "check_tiles"]

_Path = str | os.PathLike[str]


def check_files(
    files: _Path | Iterable[_Path],
    *,
    client: Any = None,
    fixed: Iterable[Mesh | _Path] = (),
    files_per_task: int = 1,
    threads: int = 1,
) -> list[Row]:
    """A folder's mesh files, or those named, each by itself and against the bodies in `fixed`: one row each, in order."""
    return _tasks.check_files(_engine(client), files, fixed, files_per_task, threads)


def check_sequence(
    *paths: _Path,
    client: Any = None,
    continuous: bool = False,
    fixed: Iterable[Mesh | _Path] = (),
    frames_per_task: int = 16,
    threads: int = 1,
) -> list[Row]:
    """The frames of a `crumple.Sequence(*paths)`: one row each, in order; with `continuous`, also the way to each frame."""
    return _tasks.check_sequence(_engine(client), paths, continuous, fixed, frames_per_task, threads)


def check_tiles(
    folder: _Path, *, client: Any = None, program: _Path | None = None, threads: int = 1
) -> dict[str, Any]:
    """The tiles that `crumple tile` made: the document that `crumple check --json` prints for the whole mesh."""
    return _tasks.check_tiles(_engine(client), folder, program, threads)


def _engine(client: Any) -> _tasks.Engine:
    def run(tasks: Sequence[Task]) -> Iterator[tuple[Task, Any, str | None]]:
        # A client that is not told is the one in use; where there is none, Dask says so.
        crew = client or distributed.get_client()
        call = uuid.uuid4().hex[:8]
        task_of = {crew.submit(Task.work, task, key=(f"crumple-{task.kind}-{call}", task.name), pure=False): task for task in tasks}
        for future in distributed.as_completed(list(task_of)):
            task, why = task_of.pop(future), future.exception()
            yield (task, future.result(), None) if why is None else (task, None, f"{type(why).__name__}: {why}")
            future.release()

    return run
