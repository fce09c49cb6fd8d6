"""Questions about one frame, asked in one call."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Literal

from crumple._convert import MeshLike, as_mesh, is_arrays
from crumple._crumple import (
    Contacts,
    Diagnostic,
    Distance,
    EdgePenetrations,
    Impacts,
    Mesh,
    Overlap,
    Penetrations,
    Picture,
    Places,
    Proximity,
    Report,
    Scene,
    SelfOverlap,
    Untangled,
)

from crumple._crumple import Sequence as Frames

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt


class Check:
    """What touches in one frame: everything that `crumple check` tells. True when something collides."""

    def __init__(self, scene: Scene) -> None:
        #: The scene that was asked; ask it more.
        self.scene: Scene = scene
        #: Triangles that intersect.
        self.contacts: Contacts = scene.contacts()
        #: Edges that meet tetrahedra.
        self.edge_penetrations: EdgePenetrations = scene.edge_penetrations()
        #: Vertices inside tetrahedra.
        self.penetrations: Penetrations = scene.penetrations()

    @property
    def triangle_pairs(self) -> npt.NDArray[np.uint32]:
        """(k, 4) uint32: body, triangle, body, triangle."""
        return self.contacts.triangle_pairs

    @property
    def points(self) -> npt.NDArray[np.float64]:
        """Where each pair intersects, (k, 3) float64."""
        return self.contacts.points

    @property
    def vertex_tets(self) -> npt.NDArray[np.uint32]:
        """(k, 4) uint32: body, vertex, body, tet."""
        return self.penetrations.vertex_tets

    @property
    def edge_tets(self) -> npt.NDArray[np.uint32]:
        """(k, 5) uint32: body, v, w, body, tet."""
        return self.edge_penetrations.edge_tets

    @property
    def guarantee(self) -> str:
        """How reliable the answer is."""
        return self.contacts.guarantee

    @property
    def method(self) -> str:
        """The method that found the triangle pairs."""
        return self.contacts.method

    @property
    def diagnostics(self) -> list[Diagnostic]:
        """What is odd about the meshes; it changes no verdict."""
        return self.scene.diagnose()

    @property
    def places(self) -> Places:
        """Contacts that hang together as one place each, the longest crossing first."""
        return self.scene.places()

    def picture(self, size: tuple[int, int] = (1200, 900), *, up: Literal["x", "y", "z"] = "y", close_up: bool = False) -> Picture:
        """The scene with what collides highlighted."""
        return self.scene.picture(size, up=up, close_up=close_up)

    def _repr_png_(self) -> bytes:
        return self.picture().png()

    def __bool__(self) -> bool:
        return len(self.contacts) > 0 or len(self.penetrations) > 0 or len(self.edge_penetrations) > 0

    def __repr__(self) -> str:
        inside = f", {len(self.penetrations)} vertices in tets" if len(self.penetrations) else ""
        return f"Check({self.contacts!r}{inside})"


def _scene(meshes: Iterable[MeshLike], fixed: Iterable[MeshLike] = ()) -> Scene:
    scene = Scene()
    for mesh in meshes:
        scene.add(as_mesh(mesh))
    for mesh in fixed:
        scene.add(as_mesh(mesh), fixed=True)
    return scene


def check(*meshes: MeshLike, fixed: Sequence[MeshLike] = (), split: bool = False) -> Check:
    """What touches: triangles that intersect, within and between bodies; vertices and edges in tetrahedra.

    Each mesh or file is a body; those in `fixed` are not tested against each other nor against themselves. With `split`,
    each object of an OBJ or glTF file is a body.

    >>> import crumple
    >>> sheet = crumple.Mesh([[0, 0, 0], [4, 0, 0], [0, 4, 0]], [[0, 1, 2]])
    >>> thorn = crumple.Mesh([[1, 1, -1], [1, 1, 1], [3, 3, 1]], [[0, 1, 2]])
    >>> found = crumple.check(sheet, thorn)
    >>> bool(found), found.triangle_pairs.tolist()
    (True, [[0, 0, 1, 0]])
    """
    whole = [as_mesh(mesh) for mesh in meshes]
    bodies = [part for mesh in whole for part in mesh.split_objects()] if split else whole
    return Check(_scene(bodies, fixed))


def proximity(*meshes: MeshLike, within: float, fixed: Sequence[MeshLike] = ()) -> Proximity:
    """Vertex–triangle and edge–edge pairs closer than `within`, within bodies and between them."""
    return _scene(meshes, fixed).proximity(within)


def impacts(start: MeshLike | Sequence[MeshLike], end: MeshLike | Sequence[MeshLike]) -> Impacts:
    """What passes through what while one mesh, or each mesh of a list, moves from its start to its end.

    >>> import crumple
    >>> a = crumple.Mesh([[0, 0, 0], [4, 0, 0], [0, 4, 0], [1, 1, 2], [2, 1, 2], [1, 2, 2]], [[0, 1, 2], [3, 4, 5]])
    >>> b = a.with_points([[0, 0, 0], [4, 0, 0], [0, 4, 0], [1, 1, -2], [2, 1, -2], [1, 2, -2]])
    >>> crumple.impacts(a, b).first
    (0.5, 0.5)
    """
    starts, ends = (
        list(given) if isinstance(given, (list, tuple)) and not is_arrays(given) else [given] for given in (start, end)
    )
    scene = _scene(starts)
    scene.begin_step()
    scene.set_all_positions([as_mesh(mesh).points for mesh in ends])
    return scene.impacts()


def penetrations(*meshes: MeshLike) -> Penetrations:
    """Vertices inside tetrahedra that do not own them, with depth and the way out."""
    return _scene(meshes).penetrations()


def inside(mesh: MeshLike, points: npt.ArrayLike) -> npt.NDArray[np.bool_]:
    """For each point, (n, 3): is it inside, or on, a closed mesh? (n,) bool, exactly."""
    return _scene([mesh]).inside(0, points)


def overlap(
    a: MeshLike,
    b: MeshLike,
    resolution: int = 128,
    *,
    pixel_size: float | None = None,
    tolerance: float | None = None,
    gradient: bool = False,
) -> Overlap:
    """The volume that two closed meshes share, with rigorous bounds; see `Scene.overlap`."""
    scene = _scene([a, b])
    return scene.overlap(0, 1, resolution, pixel_size=pixel_size, tolerance=tolerance, gradient=gradient)


def self_overlap(mesh: MeshLike, resolution: int = 128, *, pixel_size: float | None = None) -> SelfOverlap:
    """The volume in which a closed mesh overlaps itself, with rigorous bounds."""
    return _scene([mesh]).self_overlap(0, resolution, pixel_size=pixel_size)


def distance(a: MeshLike, b: MeshLike) -> Distance | None:
    """How close the surfaces of two meshes are, and where; None when one of them has no triangle."""
    return _scene([a, b]).distance(0, 1)


def untangle(
    *meshes: MeshLike, fixed: Sequence[MeshLike] = (), gap: float | None = None, rounds: int = 300
) -> tuple[list[Mesh], Untangled]:
    """The meshes with vertices moved, as little as possible, until nothing crosses; and what was done and left.

    >>> import crumple
    >>> floor = crumple.Mesh([[0, 0, 0], [4, 0, 0], [4, 4, 0], [0, 4, 0]], [[0, 1, 2], [0, 2, 3]])
    >>> wall = floor.with_points([[1, 2, -0.5], [3, 2, -0.5], [3, 2, 1.5], [1, 2, 1.5]])
    >>> [moved], done = crumple.untangle(wall, fixed=[floor])
    >>> done.after, len(crumple.check(moved, floor).triangle_pairs)
    (0, 0)
    """
    scene = _scene(meshes, fixed)
    done = scene.untangle(gap=gap, rounds=rounds)
    return [scene.mesh(body) for body in scene.ids()[: len(meshes)]], done


def write(path: str | os.PathLike[str], what: Mesh | Scene | MeshLike) -> None:
    """Writes a mesh, or a scene with what collides marked, to an .obj, .ply or .vtu file."""
    (what if isinstance(what, Scene) else as_mesh(what)).write(path)


def report(
    path: str | os.PathLike[str],
    *meshes: MeshLike,
    fixed: Sequence[MeshLike] = (),
    frames: Iterable[npt.ArrayLike | dict[int, npt.ArrayLike]] | None = None,
    title: str | None = None,
    up: Literal["x", "y", "z"] = "y",
) -> int:
    """Writes an interactive page about what collides; returns the number of frames in which something does.

    Each mesh or file is a body. `frames` moves them: for each frame the positions of the only mesh, or a dict from bodies to
    positions. A `crumple.Sequence` as the first mesh brings its own. For more, record frames with a `crumple.Report`.
    """
    if meshes and isinstance(meshes[0], Frames):
        frames = meshes[0] if frames is None else frames
        meshes = (meshes[0].mesh, *meshes[1:])
    scene = _scene(meshes, fixed)
    count = len(frames) if isinstance(frames, (Frames, list, tuple)) else 1
    page, bad = Report(title or os.path.basename(os.fspath(path)), up=up, frames=count), 0
    for positions in (None,) if frames is None else frames:
        if positions is not None:
            scene.set_all_positions(positions if isinstance(positions, dict) else {0: positions})
        page.frame(scene)
        bad += bool(len(scene.contacts()) or len(scene.penetrations()) or len(scene.edge_penetrations()))
    page.save(path)
    return bad
