"""What runs on a cluster: the tasks, what a worker does, how the answers are put together.

A task is small and pure: the names of files and the range of frames. What a row says depends on its file alone, or on its
frame and the one before, so that it does not matter how the work is divided, which worker does it, or how often.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from crumple._crumple import Error, Mesh, Scene, read
from crumple._crumple import Sequence as Frames

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

_Path = str | os.PathLike[str]

#: Files that a folder is searched for, as `crumple judge` does: rows of numbers are no meshes, of TetGen's two files one is enough.
MESHES = {".obj", ".ply", ".stl", ".off", ".gltf", ".glb", ".vtk", ".vtu", ".vtp", ".msh", ".mesh", ".meshb", ".ele"}


@dataclass(frozen=True, eq=False)
class Row:
    """What a file or a frame came to. True when something collides; where `error` says why not, nothing is known."""

    #: The file; of a sequence, the file that the frame is in.
    name: str
    #: The number of the frame, 0 for a file.
    frame: int = 0
    #: (k, 4) uint32: body, triangle, body, triangle.
    triangle_pairs: npt.NDArray[np.uint32] | None = None
    #: (k, 3) float64: where each pair intersects.
    points: npt.NDArray[np.float64] | None = None
    #: (k, 4) uint32: body, vertex, body, tet.
    vertex_tets: npt.NDArray[np.uint32] | None = None
    #: (k, 5) uint32: body, v, w, body, tet.
    edge_tets: npt.NDArray[np.uint32] | None = None
    #: What passes through what on the way from the frame before, as in `Impacts`; None where it was not asked.
    impact_vertex_triangles: npt.NDArray[np.uint32] | None = None
    impact_edge_edges: npt.NDArray[np.uint32] | None = None
    #: Why there is no answer: a file that cannot be read, a worker that died again and again.
    error: str | None = None

    def __bool__(self) -> bool:
        hits = (self.triangle_pairs, self.vertex_tets, self.edge_tets)
        return any(rows is not None and len(rows) > 0 for rows in (*hits, self.impact_vertex_triangles, self.impact_edge_edges))


@dataclass(frozen=True)
class Task:
    """One piece of work, named as the dashboard shall show it."""

    #: "files", "frames" or "tile".
    kind: str
    name: str
    paths: tuple[str, ...]
    #: The frames that the task answers for.
    first: int = 0
    end: int = 0
    continuous: bool = False
    fixed: tuple[Mesh, ...] = field(default=(), repr=False)
    threads: int = 1
    program: str = ""

    def work(self) -> Any:
        """Done by a worker: rows for files and frames, the document of a tile."""
        if self.kind == "tile":
            return _check_tile(self)
        return list(_check_frames(self) if self.kind == "frames" else map(self._check_file, self.paths))

    def failed(self, why: str) -> list[Row]:
        """The rows of a task that no worker could finish."""
        if self.kind == "frames":
            return [Row(self.name, frame, error=why) for frame in range(self.first, self.end)]
        return [Row(path, error=why) for path in self.paths]

    def _scene(self, mesh: Mesh) -> Scene:
        scene = Scene(threads=self.threads)
        scene.add(mesh)
        for body in self.fixed:
            scene.add(body, fixed=True)
        return scene

    def _check_file(self, path: str) -> Row:
        try:
            return _row(self._scene(read(path)), path, 0)
        except (Error, OSError) as why:
            return Row(path, error=str(why))


#: An engine: does tasks somewhere, and tells the answer of each, in any order, or why there is none.
Engine = Callable[[Sequence[Task]], Iterable[tuple[Task, Any, str | None]]]


def _row(scene: Scene, name: str, frame: int, moved: bool = False) -> Row:
    contacts, impacts = scene.contacts(), scene.impacts() if moved else None
    return Row(
        name,
        frame,
        contacts.triangle_pairs,
        contacts.points,
        scene.penetrations().vertex_tets,
        scene.edge_penetrations().edge_tets,
        impacts.vertex_triangles if impacts is not None else None,
        impacts.edge_edges if impacts is not None else None,
    )


def _check_frames(task: Task) -> Iterator[Row]:
    """The task's frames. A step belongs to the frame at its end, so that the frame before the first is read too."""
    frames = Frames(*task.paths)
    scene = task._scene(frames.mesh)
    body = scene.ids()[0]
    known = False  # Whether the scene stands at the frame before.
    for frame in range(task.first - (task.continuous and task.first > 0), task.end):
        name = str(frames.file(frame))
        try:
            positions = frames[frame]
            if task.continuous and known:
                scene.begin_step()
            scene.set_positions(body, positions)
        except (Error, OSError) as why:
            known = False
            if frame >= task.first:
                yield Row(name, frame, error=str(why))
            continue
        if frame >= task.first:
            yield _row(scene, name, frame, moved=task.continuous and known)
        known = True


def _check_tile(task: Task) -> str:
    with tempfile.TemporaryDirectory() as folder:
        part = Path(folder) / "part.json"
        _call(task.program, "check", task.paths[0], "--threads", str(task.threads), "--json", "--out", str(part))
        return part.read_text()


def _call(program: str, *arguments: str) -> str:
    run = subprocess.run([program, *arguments], capture_output=True, text=True)
    if run.returncode not in (0, 1):  # 1: something collides.
        raise Error(f"{Path(program).name} {arguments[0]}: {run.stderr.strip() or f'exit status {run.returncode}'}")
    return run.stdout


def check_files(
    engine: Engine, files: _Path | Iterable[_Path], fixed: Iterable[Mesh | _Path], files_per_task: int, threads: int
) -> list[Row]:
    paths = _paths(files)
    bodies = _bodies(fixed)
    parts = [paths[k : k + files_per_task] for k in range(0, len(paths), _positive(files_per_task, "files_per_task"))]
    names = [Path(part[0]).name + (f" and {len(part) - 1} more" if len(part) > 1 else "") for part in parts]
    tasks = [Task("files", name, tuple(part), fixed=bodies, threads=threads) for name, part in zip(names, parts)]
    return _rows(engine, tasks)


def check_sequence(
    engine: Engine,
    paths: Sequence[_Path],
    continuous: bool,
    fixed: Iterable[Mesh | _Path],
    frames_per_task: int,
    threads: int,
) -> list[Row]:
    files = tuple(os.path.abspath(path) for path in paths)
    count, step, bodies = len(Frames(*files)), _positive(frames_per_task, "frames_per_task"), _bodies(fixed)
    ranges = [(first, min(first + step, count)) for first in range(0, count, step)]
    names = [f"{Path(files[0]).name} {first}-{end - 1}" for first, end in ranges]
    return _rows(
        engine,
        [Task("frames", name, files, *part, continuous, bodies, threads) for name, part in zip(names, ranges)],
    )


def check_tiles(engine: Engine, folder: _Path, program: _Path | None, threads: int) -> dict[str, Any]:
    found = program or os.environ.get("CRUMPLE") or shutil.which("crumple")
    if not found:
        raise Error("tiles are checked by the program `crumple`: name it with program=, or in CRUMPLE, or have it on the path")
    tiles = sorted(Path(folder).resolve().glob("tile_*.ply"))
    if not tiles:
        raise Error(f"{os.fspath(folder)}: no tiles; `crumple tile MESH --tiles N --out DIR` makes them")
    tasks = [Task("tile", tile.name, (str(tile),), threads=threads, program=os.fspath(found)) for tile in tiles]
    with tempfile.TemporaryDirectory() as parts:
        for task, answer, why in engine(tasks):
            if why is not None:
                raise Error(f"{task.name}: {why}")
            (Path(parts) / task.name).with_suffix(".json").write_text(answer)
        document: dict[str, Any] = json.loads(_call(os.fspath(found), "merge", *map(str, sorted(Path(parts).iterdir())), "--json"))
    return document


def _rows(engine: Engine, tasks: Sequence[Task]) -> list[Row]:
    """The rows of all tasks, in the order of the tasks."""
    answers = {task.name: answer if why is None else task.failed(why) for task, answer, why in engine(tasks)}
    return [row for task in tasks for row in answers[task.name]]


def _paths(files: _Path | Iterable[_Path]) -> list[str]:
    if not isinstance(files, (str, os.PathLike)):
        return [os.path.abspath(path) for path in files]
    folder = Path(files).resolve()
    stems = (path for path in sorted(folder.iterdir()) if path.is_file())
    found = [str(path) for path in stems if Path(path.name.removesuffix(".gz")).suffix.lower() in MESHES]
    if not found:
        raise Error(f"{folder}: no mesh files")
    return found


def _bodies(fixed: Iterable[Mesh | _Path]) -> tuple[Mesh, ...]:
    return tuple(body if isinstance(body, Mesh) else read(body) for body in fixed)


def _positive(number: int, name: str) -> int:
    if number < 1:
        raise Error(f"{name} is {number}: at least 1")
    return number
