# Written by stubs.py from the Rust sources; do not edit.
import os
import pathlib
from collections.abc import Callable, Iterator, Mapping, Sequence as Sequence_
from typing import Any, Literal, TypeAlias, final, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

__version__: str

_F64: TypeAlias = NDArray[np.float64]
_U32: TypeAlias = NDArray[np.uint32]
_PathLike: TypeAlias = str | os.PathLike[str]
# A crumple.Mesh, a path, an array of points, or a mesh of trimesh, meshio, pyvista or open3d.
_MeshLike: TypeAlias = Any
_Polygons: TypeAlias = ArrayLike | tuple[ArrayLike, ArrayLike]
# A dict from bodies to positions, one entry for each body, or the positions of the only body that moves.
_Positions: TypeAlias = Mapping[int, ArrayLike] | Sequence_[ArrayLike | None] | ArrayLike
_PairsOf: TypeAlias = Literal["within", "between", "all"]
_QuestionName: TypeAlias = Literal["contacts", "impacts", "penetrations", "overlap", "inside", "distance"]
_Axis: TypeAlias = Literal["x", "y", "z"]

__all__ = [
    "Blade",
    "BodyError",
    "BudgetedContacts",
    "Changes",
    "Choice",
    "ClosePairs",
    "Contacts",
    "Cut",
    "Diagnostic",
    "Distance",
    "Drawing",
    "EdgePenetrations",
    "Edit",
    "Error",
    "FileError",
    "FrameError",
    "Fused",
    "Impact",
    "Impacts",
    "InternalError",
    "IntersectionCurve",
    "IntersectionCurves",
    "Mesh",
    "MeshError",
    "OpenError",
    "Overlap",
    "Penetrations",
    "Picture",
    "Places",
    "Proximity",
    "ProximityCandidates",
    "Report",
    "Scene",
    "SelfOverlap",
    "Sequence",
    "Step",
    "Undecided",
    "Untangled",
    "VolumeDepth",
    "Witness",
    "__version__",
    "_address",
    "_fail",
    "coincident",
    "fuse",
    "read",
    "split_faces",
]

class Error(ValueError):
    """Something in the input cannot be used; the message says what and where."""

class MeshError(Error):
    """Elements that do not fit their vertices, or an edit that a mesh does not allow."""

class FrameError(Error):
    """Positions that do not fit their body: too few, too many, or not finite."""

class BodyError(Error):
    """There is no such body (any more)."""

class OpenError(Error):
    """The surface has a hole or only one side, so that it has no inside."""

class FileError(Error):
    """A file that cannot be read or written; the message names the line or byte."""

class InternalError(RuntimeError):
    """A bug in Crumple. The scene that was asked cannot be used any more."""

@final
class Blade:
    """What cuts: a plane without end, the strip that a polyline sweeps, or a triangulated surface."""
    @staticmethod
    def plane(points: ArrayLike) -> Blade:
        """The plane through three points that are not on one line, (3, 3)."""
    @staticmethod
    def sweep(polyline: ArrayLike, along: ArrayLike) -> Blade:
        """The strip between a polyline, (n, 3), and the same moved by `along`."""
    @staticmethod
    def surface(positions: ArrayLike, triangles: ArrayLike) -> Blade:
        """A triangulated surface: positions, (n, 3), and triangles, (m, 3). It must not cross itself within what it cuts."""

@final
class BudgetedContacts:
    """Contacts that were found within a budget."""
    @property
    def contacts(self) -> Contacts:
        """Contacts, exact and sorted; all of them when nothing is undecided."""
    @property
    def undecided(self) -> Undecided:
        """Where the search did not come to: every contact that is missing is between two of these regions."""
    @property
    def is_complete(self) -> bool:
        """Whether these are all contacts."""
    def __len__(self) -> int: ...

@final
class Changes:
    """What an edit changed: the keys of elements removed, added and given other corners, and the new vertices."""
    @property
    def vertices(self) -> _U32:
        """Numbers of the new vertices, (k,) uint32."""
    @property
    def triangles_removed(self) -> _U32:
        """Keys of the triangles that are gone, (k,) uint32."""
    @property
    def triangles_added(self) -> _U32:
        """Keys of the triangles that are new, (k,) uint32."""
    @property
    def triangle_parents(self) -> NDArray[np.int64]:
        """The key of the triangle that each new one is a piece of, (k,) int64; -1 where there is none."""
    @property
    def triangles_changed(self) -> _U32:
        """Keys of the triangles that have other corners now, (k,) uint32."""
    @property
    def tets_removed(self) -> _U32:
        """Keys of the tetrahedra that are gone, (k,) uint32."""
    @property
    def tets_added(self) -> _U32:
        """Keys of the tetrahedra that are new, (k,) uint32."""
    @property
    def tet_parents(self) -> NDArray[np.int64]:
        """The key of the tetrahedron that each new one is a piece of, (k,) int64; -1 where there is none."""
    @property
    def tets_changed(self) -> _U32:
        """Keys of the tetrahedra that have other corners now, (k,) uint32."""

@final
class Choice:
    """Which method answers a question, and why."""
    @property
    def question(self) -> str:
        """What is asked."""
    @property
    def method(self) -> str:
        """The method's name."""
    @property
    def why(self) -> str:
        """One sentence."""

@final
class ClosePairs:
    """Triangles of two bodies that are close, sorted."""
    @property
    def triangle_pairs(self) -> _U32:
        """A triangle of the first body and one of the second, (k, 2) uint32."""
    @property
    def distances(self) -> _F64:
        """How far apart they are, (k,) float64."""
    def __len__(self) -> int: ...

@final
class Contacts:
    """Pairs of triangles that intersect, sorted and unique."""
    @property
    def triangle_pairs(self) -> _U32:
        """(k, 4) uint32: body, triangle, body, triangle."""
    @property
    def points(self) -> _F64:
        """Where each pair intersects, (k, 3) float64: the middle of what the two triangles have in common."""
    @property
    def outlines(self) -> tuple[_F64, _U32]:
        """What each pair has in common: its points, (n, 3), and where those of each pair begin and the last end, (k + 1,)."""
    @property
    def method(self) -> str:
        """The method that answered."""
    @property
    def guarantee(self) -> str:
        """How reliable the answer is: "proved" is complete and exact."""
    @property
    def stats(self) -> dict[str, int]:
        """What the search cost: visits, tests, certified, candidates, contacts."""
    def __len__(self) -> int: ...

@final
class Cut:
    """A mesh after a cut."""
    @property
    def mesh(self) -> Mesh:
        """The next version of the mesh."""
    @property
    def changes(self) -> Changes:
        """What changed."""
    @property
    def seam(self) -> _U32:
        """Vertices that were one before the cut: the original and a copy, (k, 2) uint32."""

@final
class Diagnostic:
    """One oddity of a mesh, which changes no verdict."""
    @property
    def kind(self) -> str:
        """Its kind, such as "degenerate-triangle"."""
    @property
    def body(self) -> int:
        """The body."""
    @property
    def element(self) -> int:
        """The element, counted within the body: a triangle, tet, edge, vertex or component, as the kind says."""
    @property
    def text(self) -> str:
        """One sentence."""

@final
class Distance:
    """The distance between the surfaces of two bodies, with bounds; 0 only when they intersect."""
    @property
    def bodies(self) -> tuple[int, int]:
        """The bodies."""
    @property
    def distance(self) -> float:
        """The distance found."""
    @property
    def lower(self) -> float:
        """The true distance is not below this."""
    @property
    def upper(self) -> float:
        """The true distance is not above this."""
    @property
    def a(self) -> Witness:
        """The point of the first body."""
    @property
    def b(self) -> Witness:
        """The point of the second body."""
    @property
    def contains(self) -> str | None:
        """"a" or "b" when that body holds the other without touching it; None otherwise."""
    @property
    def guarantee(self) -> str:
        """How reliable the answer is."""
    def __float__(self) -> float: ...

@final
class Drawing:
    """The structure that answers `contacts`, and what its last search looked at: for a viewer of one's own."""
    @property
    def boxes(self) -> _F64:
        """Boxes, (n, 6) float64: smallest and largest corner."""
    @property
    def box_tones(self) -> _U32:
        """Their tones."""
    @property
    def points(self) -> _F64:
        """Points, (n, 3) float64."""
    @property
    def point_tones(self) -> _U32:
        """Their tones."""
    @property
    def lines(self) -> _F64:
        """Segments, (n, 6) float64: both ends."""
    @property
    def line_tones(self) -> _U32:
        """Their tones."""
    @property
    def triangles(self) -> _U32:
        """Triangles, (n, 2) uint32: body, triangle."""
    @property
    def triangle_tones(self) -> _U32:
        """Their tones."""

@final
class EdgePenetrations:
    """Edges that meet tetrahedra with which they share no vertex, sorted."""
    @property
    def edge_tets(self) -> _U32:
        """(k, 5) uint32: body, v, w, body, tet."""
    @property
    def method(self) -> str:
        """The method that answered."""
    @property
    def guarantee(self) -> str:
        """How reliable the answer is: "proved" is complete and exact."""
    def __len__(self) -> int: ...

@final
class Edit:
    """Changes to a mesh, collected until `finish`. Elements go by their keys, vertices by their numbers."""
    def add_vertex(self, position: ArrayLike) -> int:
        """Adds a vertex that nothing uses yet; its number."""
    def duplicate_vertex(self, vertex: int, triangles: ArrayLike) -> int:
        """Adds a copy of a vertex and gives it to these triangles, which let go of the original."""
    def duplicate_vertex_of_tets(self, vertex: int, tets: ArrayLike) -> int:
        """Adds a copy of a vertex and gives it to these tetrahedra, which let go of the original."""
    def add_triangle(self, corners: ArrayLike) -> int:
        """Adds a triangle to a surface; its key."""
    def remove_triangle(self, key: int) -> None:
        """Removes a triangle of a surface."""
    def add_tet(self, corners: ArrayLike) -> int:
        """Adds a tetrahedron to a tetrahedral mesh; its key."""
    def remove_tet(self, key: int) -> None:
        """Removes a tetrahedron; the boundary follows."""
    def split_edge(self, a: int, b: int, at: float) -> int:
        """Puts a vertex on an edge, `at` of the way from `a` to `b`, and splits every element that has the edge; its number."""
    def split_tet(self, key: int, weights: Sequence_[float]) -> int:
        """Puts a vertex inside a tetrahedron, at these weights of its corners, and splits it in four; its number."""
    def triangle(self, key: int) -> list[int]:
        """The corners of a triangle as they are now, within the edit."""
    def tet(self, key: int) -> list[int]:
        """The corners of a tetrahedron as they are now, within the edit."""
    def finish(self) -> tuple[Mesh, Changes]:
        """The next version of the mesh, and what changed. What is edited in a scene is finished by the scene."""

@final
class Fused:
    """Two meshes as one."""
    @property
    def mesh(self) -> Mesh:
        """The next version of the first mesh, with the second in it."""
    @property
    def changes(self) -> Changes:
        """What changed in the first mesh."""
    @property
    def vertices(self) -> _U32:
        """What each vertex of the second mesh is called now, (n,) uint32."""
    @property
    def triangles(self) -> _U32:
        """The key of each triangle of the second mesh now, (m,) uint32; empty for tetrahedral meshes."""
    @property
    def tets(self) -> _U32:
        """The key of each tetrahedron of the second mesh now, (t,) uint32."""

@final
class Impact:
    """Two features that hit each other, and when first."""
    @property
    def kind(self) -> str:
        """"vertex-triangle" or "edge-edge"."""
    @property
    def elements(self) -> list[int]:
        """(body, vertex, body, triangle), or (body, v, w, body, v, w)."""
    @property
    def time(self) -> tuple[float, float]:
        """An interval that holds the time of the first contact."""

@final
class Impacts:
    """Everything that hits in a step, each pair once, with the time of its first contact."""
    @property
    def vertex_triangles(self) -> _U32:
        """Vertices that hit triangles, (k, 4) uint32: body, vertex, body, triangle."""
    @property
    def edge_edges(self) -> _U32:
        """Edges that hit edges, (m, 6) uint32: body, v, w, body, v, w."""
    @property
    def times(self) -> _F64:
        """An interval that holds the time of the first contact, (k + m, 2) float64, at most 2^-40 wide."""
    @property
    def first(self) -> tuple[float, float] | None:
        """The earliest of all, as an interval; None when nothing hits."""
    @property
    def method(self) -> str:
        """The method that answered."""
    @property
    def guarantee(self) -> str:
        """How reliable the answer is: "proved" is complete and exact."""
    def __len__(self) -> int: ...

@final
class IntersectionCurve:
    """A curve along which two surfaces cross, or one crosses itself."""
    @property
    def bodies(self) -> tuple[int, int]:
        """The body of each side."""
    @property
    def kind(self) -> str:
        """"closed", "open", "flat" (the outline of what two triangles have in common in a plane) or "point" (they touch)."""
    @property
    def ends(self) -> tuple[str, str] | None:
        """Where an open curve begins and stops: "border", "vertex" or "branch"; None for others."""
    @property
    def length(self) -> float:
        """Its length."""
    @property
    def points(self) -> _F64:
        """Its points in order, (n, 3) float64; a closed curve does not repeat the first."""
    @property
    def part_kinds(self) -> NDArray[np.uint8]:
        """The part of each side that holds a point, (n, 2) uint8: 0 a vertex, 1 the inside of an edge, 2 that of a triangle."""
    @property
    def parts(self) -> _U32:
        """The numbers of those parts, (n, 4) uint32, two for each side: a vertex twice, the ends of an edge, a triangle twice."""
    @property
    def weights(self) -> _F64:
        """The weights of the corners of those parts, (n, 6) float64, three for each side; those that a part does not have are 0."""
    @property
    def triangles(self) -> _U32:
        """Between each point and the next the triangle of each side, (m, 2) uint32."""
    @property
    def cut_off(self) -> tuple[_U32 | None, _U32 | None]:
        """The vertices of the smaller part that the curve cuts off on each side; None where it cuts nothing off."""
    @property
    def gradient_vertices(self) -> _U32:
        """The vertices on which the length depends, (k, 2) uint32: body, vertex."""
    @property
    def gradient(self) -> _F64:
        """How the length changes as they move, (k, 3) float64."""

@final
class IntersectionCurves:
    """The curves along which surfaces cross, in order: `len` is their number, `curves[k]` one of them."""
    @property
    def method(self) -> str:
        """The method that found the contacts."""
    @property
    def guarantee(self) -> str:
        """How reliable the answer is: "proved" is complete and exact."""
    @property
    def stats(self) -> dict[str, int]:
        """What the search for contacts cost."""
    def __len__(self) -> int: ...
    def __getitem__(self, curve: int, /) -> IntersectionCurve: ...
    def __iter__(self) -> Iterator[IntersectionCurve]: ...

@final
class Mesh:
    """What a body is made of (triangles, polygons, tetrahedra or bare points) and where its vertices are."""
    def cut(self, blade: Blade) -> Cut:
        """Cuts it along a blade: every element on the way is split, and the two sides get vertices of their own."""
    def __new__(
        cls,
        points: ArrayLike,
        triangles: ArrayLike | None = None,
        *,
        tets: ArrayLike | None = None,
        polygons: _Polygons | None = None,
        name: str = "",
    ) -> Mesh: ...
    @property
    def points(self) -> _F64:
        """Where the vertices are, (n, 3) float64."""
    @property
    def triangles(self) -> _U32:
        """Corners of each triangle, (m, 3) uint32; of a tetrahedral mesh those of its boundary."""
    @property
    def tets(self) -> _U32:
        """Corners of each tetrahedron, (t, 4) uint32."""
    @property
    def edges(self) -> _U32:
        """The ends of each edge of the surface, (e, 2) uint32, the smaller first."""
    @property
    def polygon_of_triangle(self) -> _U32:
        """The polygon that each triangle is a part of, (m,) uint32: its own number where all polygons are triangles."""
    @property
    def triangle_keys(self) -> _U32:
        """Keys of the triangles, (m,) uint32: they last through edits, while numbers close up."""
    @property
    def tet_keys(self) -> _U32:
        """Keys of the tetrahedra, (t,) uint32."""
    @property
    def name(self) -> str:
        """The name it was given."""
    @property
    def version(self) -> int:
        """0 for a mesh as it was made, one more after each edit."""
    @property
    def vertex_count(self) -> int:
        """Number of vertices, used or not."""
    @property
    def polygon_count(self) -> int:
        """Number of polygons as they were given."""
    @property
    def component_count(self) -> int:
        """Number of connected parts of the surface."""
    @property
    def is_solid(self) -> bool:
        """Whether it is a tetrahedral mesh."""
    @property
    def is_closed(self) -> bool:
        """Whether its surface has no boundary, so that it has an inside."""
    @property
    def notes(self) -> list[str]:
        """What the reader skipped or repaired, one sentence each."""
    def with_points(self, points: ArrayLike) -> Mesh:
        """The same elements at other positions, (n, 3)."""
    def split_objects(self) -> list[Mesh]:
        """The objects of the file that it was read from, as meshes of their own; itself alone where the file names none."""
    def edit(self) -> Edit:
        """Starts an edit: add, remove and split elements, then `finish`."""
    def diagnose(self) -> list[Diagnostic]:
        """What is odd about it, by element: degenerate, duplicate and inverted elements, non-manifold edges, unused vertices."""
    def write(self, path: _PathLike, *, collides: Sequence_[bool] | NDArray[np.bool_] | None = None) -> None:
        """Writes an .obj, .ply or .vtu file (.gz after it compresses); `collides` flags triangles, (m,) bool."""
    def to_trimesh(self) -> Any:
        """As a `trimesh.Trimesh`, which must be installed; vertices are kept as they are."""
    def to_meshio(self) -> Any:
        """As a `meshio.Mesh`, which must be installed."""
    def to_pyvista(self) -> Any:
        """As a `pyvista.PolyData` or, of tetrahedra, a `pyvista.UnstructuredGrid`; pyvista must be installed."""
    def to_open3d(self) -> Any:
        """As an `open3d.geometry.TriangleMesh` or `TetraMesh`; open3d must be installed."""
    def __reduce__(self) -> tuple[Any, tuple[Any, ...]]: ...
    def picture(
        self,
        size: tuple[int, int] = ...,
        *,
        highlight: ArrayLike | None = None,
        up: _Axis = "y",
        view_from: ArrayLike | None = None,
        close_up: bool = False,
        dark: bool = False,
        caption: str | None = None,
    ) -> Picture:
        """Draws it, with some triangles highlighted."""

@final
class Overlap:
    """The volume that two closed bodies share: always `lower <= true volume <= upper`."""
    @property
    def volume(self) -> float:
        """The best estimate, within the bounds."""
    @property
    def lower(self) -> float:
        """Never above the true volume."""
    @property
    def upper(self) -> float:
        """Never below the true volume."""
    @property
    def sampled(self) -> float:
        """The sum of the rays' spans times the area of a pixel; may lie outside the bounds."""
    @property
    def resolution(self) -> tuple[int, int]:
        """Rays across the common box."""
    @property
    def axis(self) -> int:
        """The axis along which the rays run: 0, 1 or 2."""
    @property
    def depth_complexity(self) -> tuple[int, int]:
        """Most layers of each body on one ray."""
    @property
    def layers(self) -> tuple[int, int]:
        """Layers of each body on all rays within the common box."""
    @property
    def spans(self) -> int:
        """Stretches of rays inside both bodies."""
    @property
    def unbalanced_rays(self) -> tuple[int, int]:
        """Rays with more entries than exits or the reverse, of each body; only an open surface has any."""
    @property
    def centroid(self) -> tuple[float, float, float] | None:
        """Centre of mass of the common volume; None where there is none."""
    @property
    def bounds(self) -> _F64 | None:
        """A box that holds the common volume, (2, 3) float64; None where there is none."""
    @property
    def gradient(self) -> tuple[_F64, _F64] | None:
        """How fast the volume grows as a vertex moves, (n, 3) float64 for each of the two bodies; None unless asked for."""
    @property
    def stop(self) -> str | None:
        """Why refinement ended: "reached", "lattice", "work" or "open"; None unless a tolerance was asked for."""
    @property
    def guarantee(self) -> str:
        """What the bounds are worth: "sampled" with rigorous bounds, or "unproved" for an open surface."""
    def __float__(self) -> float: ...

@final
class Penetrations:
    """Vertices inside tetrahedra that do not own them, sorted."""
    @property
    def vertex_tets(self) -> _U32:
        """(k, 4) uint32: body, vertex, body, tet."""
    @property
    def weights(self) -> _F64:
        """Barycentric weights of the vertex in the tet, (k, 4) float64: each in [0, 1], their sum 1."""
    @property
    def depths(self) -> _F64 | None:
        """How deep, (k,) float64: the distance to the surface along the direction. None where it was not asked for."""
    @property
    def directions(self) -> _F64 | None:
        """The way out, (k, 3) float64, of length 1. None where it was not asked for."""
    @property
    def inverted(self) -> NDArray[np.bool_] | None:
        """Whether it is because a tet is inverted, an element to repair rather than a collision, (k,) bool. None where it was not asked for."""
    @property
    def method(self) -> str:
        """The method that answered."""
    @property
    def guarantee(self) -> str:
        """How reliable the answer is: "proved" is complete and exact."""
    def __len__(self) -> int: ...

@final
class Picture:
    """A picture: shows itself in notebooks, is an array of shape (height, width, 3) uint8, and writes itself as PNG."""
    @property
    def width(self) -> int:
        """Pixels in a row."""
    @property
    def height(self) -> int:
        """Rows."""
    def png(self) -> bytes:
        """The bytes of a PNG file."""
    def save(self, path: _PathLike) -> None:
        """Writes a PNG file."""
    def pixels(self) -> NDArray[np.uint8]:
        """The pixels, (height, width, 3) uint8."""
    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]: ...
    def _repr_png_(self) -> bytes: ...

@final
class Places:
    """Where bodies touch: contacts that hang together as one place each, the longest crossing first."""
    @property
    def bodies(self) -> _U32:
        """The bodies, (k, 2) uint32; twice the same for contacts within one."""
    @property
    def contacts(self) -> NDArray[np.int64]:
        """How many pairs of triangles intersect there, (k,) int64."""
    @property
    def lengths(self) -> _F64:
        """Length of the curve along which they cross, (k,) float64."""
    @property
    def centres(self) -> _F64:
        """The middle of the box that holds the crossing, (k, 3) float64."""
    @property
    def sizes(self) -> _F64:
        """The diagonal of that box, (k,) float64."""
    def __len__(self) -> int: ...

@final
class Proximity:
    """Vertex–triangle and edge–edge pairs that are close, each once."""
    @property
    def vertex_triangles(self) -> _U32:
        """Vertices close to triangles, (k, 4) uint32: body, vertex, body, triangle."""
    @property
    def edge_edges(self) -> _U32:
        """Edges close to edges, (m, 6) uint32: body, v, w, body, v, w."""
    @property
    def distances(self) -> _F64:
        """How far apart, (k + m,) float64; 0 exactly where they touch."""
    @property
    def normals(self) -> _F64:
        """Unit vectors from side b to side a, (k + m, 3) float64."""
    @property
    def weights(self) -> _F64:
        """Weights of the four vertices in the gap, (k + m, 4) float64: positive on side a, negative on side b."""
    @property
    def bodies(self) -> _U32:
        """The bodies on both sides, (k + m, 2) uint32."""
    @property
    def vertices(self) -> _U32:
        """The four vertices, numbers within their bodies, (k + m, 4) uint32."""
    @property
    def features(self) -> NDArray[np.uint8]:
        """The closest parts on both sides, (k + m, 2) uint8: 0 to 2 a corner (or end), 3 to 5 an edge, 6 a face."""
    @property
    def method(self) -> str:
        """The method that answered."""
    @property
    def guarantee(self) -> str:
        """How reliable the answer is: "proved" is complete and exact."""
    @property
    def nearest_triangles(self) -> _U32:
        """The nearest triangle of every vertex that has one here: rows of `vertex_triangles`, (k,) uint32, in the order of the vertices; of equally near ones the first."""
    @property
    def stats(self) -> dict[str, int]:
        """What the search cost."""
    def __len__(self) -> int: ...

@final
class ProximityCandidates:
    """Pairs that may be close: every pair that is, and some that are a little further apart; nothing is measured."""
    @property
    def vertex_triangles(self) -> _U32:
        """Vertices and triangles of which they are no corners, (k, 4) uint32: body, vertex, body, triangle."""
    @property
    def edge_edges(self) -> _U32:
        """Edges without a common vertex, (m, 6) uint32: body, v, w, body, v, w."""
    @property
    def stats(self) -> dict[str, int]:
        """What the search cost."""
    def __len__(self) -> int: ...

@final
class Report:
    """Follows a scene from frame to frame, and writes what collides as one page that needs no network: bodies to look around in, a time line, the worst frames and places first."""
    def __new__(cls, title: str, *, up: _Axis = "y", frames: int = 1) -> Report: ...
    def frame(self, scene: Scene, name: str | None = None) -> None:
        """Records the frame that a scene is in. All frames must have the bodies of the first; `name` is that of a file."""
    def note(self, text: str) -> None:
        """A sentence for the notes of the page."""
    def save(self, path: _PathLike) -> None:
        """Writes the page, an .html file; nothing can be recorded afterwards."""
    def __len__(self) -> int: ...

@final
class Scene:
    """Bodies that move, and every question about them, without naming a method."""
    def write(self, path: _PathLike) -> None:
        """Writes all bodies to an .obj, .ply or .vtu file, with what collides marked: triangles, tets, vertices and depths."""
    def picture(
        self,
        size: tuple[int, int] = ...,
        *,
        up: _Axis = "y",
        view_from: ArrayLike | None = None,
        close_up: bool = False,
        dark: bool = False,
        structure: bool = False,
        caption: str | None = None,
    ) -> Picture:
        """Draws the bodies, what collides highlighted, vertices inside tets as balls coloured by depth."""
    def add(
        self,
        points: _MeshLike,
        triangles: ArrayLike | None = None,
        *,
        tets: ArrayLike | None = None,
        polygons: _Polygons | None = None,
        name: str | None = None,
        fixed: bool = False,
        groups: tuple[int, int] | None = None,
    ) -> int:
        """Adds a body and returns its id, which lasts: removing others does not change it, and it is not used again."""
    def replace(
        self,
        body: int,
        points: _MeshLike,
        triangles: ArrayLike | None = None,
        *,
        tets: ArrayLike | None = None,
        polygons: _Polygons | None = None,
        name: str | None = None,
    ) -> None:
        """Replaces a body by its next version, or by another one; the rest of the scene is kept. Arguments as in `add`."""
    def remove(self, body: int) -> Mesh:
        """Removes a body and returns its mesh, at the place where it was; the others keep their ids."""
    def edit(self, body: int, change: Callable[[Edit], object]) -> Changes:
        """Changes a body's elements where it is: `change` is called with an `Edit` of it, and what it did there is taken in."""
    def cut(self, body: int, blade: Blade) -> Cut:
        """Cuts a body along a blade, where it is now: its next version, whose parts can move apart."""
    def add_seam(self, body: int, seam: ArrayLike) -> None:
        """Takes note of a cut that was made before the body came here: pairs of its vertices that were one, as `Cut.seam` has them, (k, 2). What touches because of it is left out as after `cut`."""
    def set_cut_depth(self, depth: float) -> None:
        """How far from the seam what touches because of a cut is left out, for cuts made from now on; two mean edges at the seam unless told."""
    def limit_rows(self, most: int | None) -> None:
        """Answers with more than `most` contacts or penetrations are an error from now on; None takes the limit away."""
    def forget_cuts(self) -> None:
        """Takes every cut as open: what touches because of one counts from now on."""
    def has_fresh_cuts(self) -> bool:
        """Whether a cut has not opened everywhere yet, so that contacts are left out."""
    def mesh(self, body: int) -> Mesh:
        """A body's mesh, at its present positions."""
    def positions(self, body: int) -> _F64:
        """Where a body's vertices are, (n, 3) float64: a copy."""
    def name(self, body: int) -> str:
        """A body's name."""
    def id(self, name: str) -> int:
        """The id of the body with this name; an error when there is none, or more than one."""
    def contacts_budgeted(self, seconds: float | None = None, *, visits: int | None = None) -> BudgetedContacts:
        """The contacts that can be found in so many `seconds`, or by so many `visits` of the structure, or both: visits give the same answer on every machine. Without either it is `contacts`."""
    def distance_budgeted(
        self,
        a: int,
        b: int,
        seconds: float | None = None,
        *,
        visits: int | None = None,
    ) -> Distance | None:
        """The distance of two bodies as far as it can be told within a budget: it lies between `lower` and `upper`, and the points are `upper` apart. None as for `distance`."""
    def proximity_candidates(
        self,
        distance: float | None = None,
        *,
        thickness: Mapping[int, float] | None = None,
        reach: Mapping[int, ArrayLike] | None = None,
        pairs: _PairsOf = "all",
        bodies: Sequence_[int] | None = None,
        most: int | None = None,
    ) -> ProximityCandidates:
        """Every pair closer than asked for, and some that are a little further apart, unmeasured: for a solver that measures pairs itself, many times between two questions. Arguments as in `proximity`; vertices inside tetrahedral bodies are passed over."""
    def contacts(self) -> Contacts:
        """Every pair of triangles that intersect, within and between bodies."""
    def contacts_of(self, pairs: _PairsOf) -> Contacts:
        """The contacts within bodies only ("within"), between bodies only ("between"), or "all"; what is not asked for is not searched."""
    def places(self) -> Places:
        """The places where there are contacts: those that hang together as one, the longest crossing first."""
    def places_of_contacts(self) -> tuple[Places, _U32]:
        """The places, and for each row of `contacts().triangle_pairs` which of them it belongs to, (k,) uint32."""
    def places_of(self, triangle_pairs: ArrayLike) -> Places:
        """The places of some of the contacts only, (k, 4): rows of `contacts().triangle_pairs`."""
    def intersection(self, triangle_pair: ArrayLike) -> _F64 | None:
        """What two triangles have in common, (n, 3) float64: one point where they touch, two where they cross, a polygon where they overlap in a plane; None when they do not intersect. `triangle_pair` is a row of `contacts().triangle_pairs`."""
    def distance(self, a: int, b: int) -> Distance | None:
        """How close the surfaces of two bodies are, and where; None when one of them has no triangle, or both are the same."""
    def distances(self, margin: float) -> list[Distance]:
        """The pairs of bodies whose surfaces are at most `margin` apart, and how far."""
    def closer_than(self, a: int, b: int, margin: float) -> ClosePairs:
        """Every pair of triangles of two bodies at most `margin` apart; of one body with itself those that share no vertex."""
    def closer_than_at_most(self, a: int, b: int, margin: float, most: int) -> ClosePairs:
        """The same, but more than `most` pairs are an error: a margin as large as the bodies has as many as the product of their triangles."""
    def safety(self, a: int, b: int) -> tuple[float, float] | None:
        """For how many frames two bodies cannot meet if no vertex moves faster than in the last one, as a pair (approach in a frame, frames); None when that cannot be said: before the second frame that it has seen, or without triangles."""
    def draw(self) -> Drawing:
        """Shows the structure that answers `contacts`, and what its last search looked at; `picture(structure=True)` draws it."""
    def set_fixed(self, body: int, is_fixed: bool = True) -> None:
        """A fixed body is not tested against other fixed bodies, nor against itself."""
    def is_fixed(self, body: int) -> bool:
        """Whether a body is fixed."""
    def set_groups(self, body: int, member: int = ..., mask: int = ...) -> None:
        """The groups that a body belongs to and those that it is tested against, one bit each. Two bodies are tested against each other when each belongs to a group of the other's mask."""
    def ignore(self, a: int, b: int, is_ignored: bool = True) -> None:
        """Leaves a pair of bodies out (one body twice: what it does with itself), or takes it in again."""
    def __new__(cls, *, threads: int | None = None) -> Scene: ...
    def ids(self) -> list[int]:
        """The ids of the bodies that are there."""
    def explain(self) -> list[Choice]:
        """Which method answers which question, and why."""
    def prepare(self, question: _QuestionName) -> None:
        """Makes now what this and the following frames need to answer a question, for those who have time now and none later."""
    def prepare_frame(self, question: _QuestionName) -> None:
        """Does now what the next such question would do first in this frame: makes the structure, or brings it to this frame."""
    def use_surface_method(
        self,
        method: Literal['regularity', 'bucket-tree', 'spatial-hash', 'brute-force'] | None,
    ) -> None:
        """Takes this method for contacts: "regularity", "bucket-tree", "spatial-hash" or "brute-force"; None lets the scene choose."""
    def use_solid_method(self, method: Literal['spatial-hash', 'brute-force'] | None) -> None:
        """Takes this method for penetrations: "spatial-hash" or "brute-force"; None lets the scene choose."""
    def use_step_method(self, method: Literal['regularity', 'swept-bvh'] | None) -> None:
        """Takes this method for impacts and steps: "regularity" or "swept-bvh"; None lets the scene choose."""
    def diagnose(self) -> list[Diagnostic]:
        """What is odd about the bodies, by element."""
    def bounds(self, body: int) -> _F64 | None:
        """The box of a body's vertices, (2, 3) float64; None when it has none."""
    def box_pairs(self, margin: float = 0.0) -> _U32:
        """Every pair of bodies whose boxes are at most `margin` apart, (k, 2) uint32."""
    def to_pyvista(self) -> Any:
        """The bodies as `pyvista.MultiBlock`, with `collides` for each triangle and `depth` for each vertex inside a tet."""
    def __len__(self) -> int: ...
    def set_positions(self, body: int, positions: ArrayLike) -> None:
        """Moves one body: float32 or float64, (n, 3). An array in C order is read where it lies."""
    def swap_positions(self, body: int, positions: ArrayLike) -> _F64:
        """Puts one body elsewhere and returns where it was. Not a motion: `impacts` takes it to have been there all along."""
    def set_all_positions(self, positions: _Positions) -> None:
        """Moves several bodies at once, or none if one of them cannot be: a dict from bodies to positions, or a list with one entry for each body that is there (None: it stays)."""
    def current_frame(self) -> dict[int, _F64]:
        """Where all bodies are: a dict from bodies to (n, 3) float64, copies."""
    def begin_step(self) -> None:
        """Begins a step here: the next motions lead away from where the bodies are now. Asking a question does it too."""
    def proximity(
        self,
        distance: float | None = None,
        *,
        thickness: Mapping[int, float] | None = None,
        reach: Mapping[int, ArrayLike] | None = None,
        pairs: _PairsOf = "all",
        bodies: Sequence_[int] | None = None,
        rest: _Positions | None = None,
        most: int | None = None,
    ) -> Proximity:
        """Every vertex–triangle and edge–edge pair closer than `distance`, within bodies and between them, with weights and normals: what a solver needs to push things apart before they touch. The verdict is exact."""
    def safe_motion(self, radius: float) -> dict[int, _F64]:
        """For every vertex of every body how far it may go, in any direction and whatever the others do within theirs, without anything being touched: at most half of `radius`. A dict from bodies to (n,) float64."""
    def penetrations(self) -> Penetrations:
        """Every vertex inside a tet that does not own it, its own body's included, with its depth and the way out."""
    def vertices_in_tets(self) -> Penetrations:
        """As `penetrations`, without depths and directions, which take time of their own."""
    def edge_penetrations(self) -> EdgePenetrations:
        """Every edge that meets a tet with which it shares no vertex."""
    def set_touch(self, touch: Literal['closed', 'open'] | float, *, weld: float | None = None) -> None:
        """Says which vertices on the skin of a tet, or near it, `penetrations` and `vertices_in_tets` count."""
    def impacts(self) -> Impacts:
        """Every vertex that hits a triangle and every two edges that hit each other since positions were last asked about: all vertices move on straight lines, together. The verdict is exact."""
    def first_impact(self) -> Impact | None:
        """The earliest impact of the step; None when nothing hits. Cheaper than all of them."""
    @overload
    def safe_step(
        self,
        next: _Positions,
        *,
        thickness: float | None = None,
        per_vertex: Literal[False] = False,
    ) -> float:
        """The largest share of the way from here to `next` that surely touches nothing, 0 to 1."""
    @overload
    def safe_step(self, next: _Positions, *, thickness: None = None, per_vertex: Literal[True]) -> dict[int, _F64]: ...
    def safe_step_apart(self, next: _Positions, thickness: float) -> float:
        """The largest share of the way from here to `next` on which everything stays further apart than `thickness`."""
    def step_to(self, next: _Positions) -> Step:
        """Moves towards `next` as far as nothing is touched, and proves it for the positions as they are rounded."""
    def intersection_curves(self) -> IntersectionCurves:
        """The curves along which surfaces cross, within and between bodies: contacts chained through the meshes' adjacency."""
    def untangle(self, *, gap: float | None = None, rounds: int = 300, fixed: ArrayLike | None = None) -> Untangled:
        """Moves vertices until nothing crosses, as little as possible; what is left is told, with the reason."""
    def overlap(
        self,
        a: int,
        b: int,
        resolution: int = 128,
        *,
        pixel_size: float | None = None,
        tolerance: float | None = None,
        gradient: bool = False,
    ) -> Overlap:
        """The volume that two closed bodies share, with rigorous bounds."""
    def overlaps(self, resolution: int = 128, *, pixel_size: float | None = None) -> list[tuple[int, int, Overlap]]:
        """The pairs of closed bodies that share volume, or may within the bounds: a list of (a, b, Overlap)."""
    def depth(self, a: int, b: int, resolution: int = 128, *, pixel_size: float | None = None) -> VolumeDepth | None:
        """How deep two closed bodies are in each other, along the direction in which the volume that they share falls fastest; None where they surely share none."""
    def self_overlap(self, body: int, resolution: int = 128, *, pixel_size: float | None = None) -> SelfOverlap:
        """The volume in which a closed body overlaps itself, with rigorous bounds."""
    def intersection_surface(
        self,
        bodies: Sequence_[int],
        resolution: int = 64,
        *,
        pixel_size: float | None = None,
    ) -> Mesh:
        """The volume that closed bodies share, as a closed mesh; of one body the volume in which it overlaps itself."""
    def inside(self, body: int, points: ArrayLike) -> NDArray[np.bool_]:
        """For each point, (n, 3): is it inside, or on, the surface of a closed body? (n,) bool, exactly."""
    def set_holes(self, holes: Literal['refuse', 'accept']) -> None:
        """Whether surfaces with holes are refused ("refuse", the default), or answered without a guarantee ("accept")."""

@final
class SelfOverlap:
    """The volume in which a closed body overlaps itself or is turned over; a lower bound above 0 proves that it does."""
    @property
    def volume(self) -> float:
        """The best estimate, within the bounds."""
    @property
    def lower(self) -> float:
        """Never above the true volume."""
    @property
    def upper(self) -> float:
        """Never below the true volume."""
    @property
    def resolution(self) -> tuple[int, int]:
        """Rays across the body's box."""
    @property
    def misordered_rays(self) -> int:
        """Rays with an invalid order of front and back faces."""
    @property
    def unbalanced_rays(self) -> int:
        """Rays with more entries than exits or the reverse; only an open surface has any."""
    @property
    def is_inside_out(self) -> bool:
        """Whether the body as a whole is inside out."""
    @property
    def guarantee(self) -> str:
        """What the bounds are worth."""
    def __float__(self) -> float: ...

@final
class Sequence:
    """Frames of one body, read one at a time: numbered mesh files, one .pvd or .series file, or a mesh and its point cache (.pc2, .mdd, raw .f32 or .f64)."""
    def __new__(cls, *paths: _PathLike) -> Sequence: ...
    @property
    def mesh(self) -> Mesh:
        """The body, as it is in the first file."""
    def file(self, frame: int) -> pathlib.Path:
        """The file that holds a frame."""
    def __len__(self) -> int: ...
    def __getitem__(self, frame: int, /) -> _F64: ...
    def __iter__(self) -> Iterator[_F64]: ...

@final
class Step:
    """How a scene was moved by `step_to`."""
    @property
    def share(self) -> float:
        """The share of the way that was gone, 0 to 1."""
    @property
    def blocked_by(self) -> Impact | None:
        """What stopped it; None when it went all the way."""

@final
class Undecided:
    """Pairs of regions, parts of two bodies or of one, that a search did not come to."""
    @property
    def bodies(self) -> _U32:
        """The bodies, (k, 2) uint32; twice the same for one with itself."""
    @property
    def boxes(self) -> _F64:
        """Boxes round the two parts, (k, 2, 6) float64: smallest and largest corner."""
    @property
    def most(self) -> NDArray[np.uint64]:
        """No more pairs of triangles than this can touch there, (k,) uint64."""
    def __len__(self) -> int: ...

@final
class Untangled:
    """What `untangle` did."""
    @property
    def before(self) -> int:
        """Pairs of triangles that intersected before."""
    @property
    def after(self) -> int:
        """And after: those that `contacts` lists."""
    @property
    def rounds(self) -> int:
        """Rounds of detection and displacement."""
    @property
    def moved(self) -> int:
        """How many vertices were moved."""
    @property
    def largest(self) -> float:
        """The largest displacement."""
    @property
    def mean(self) -> float:
        """The mean displacement of those that were moved."""
    @property
    def left(self) -> Places:
        """Where something is left, the worst first; empty when nothing crosses any more."""
    @property
    def why(self) -> list[str]:
        """Why each of them was not undone: "fixed", "one-sided", "stuck" or "unfinished"."""

@final
class VolumeDepth:
    """How deep two closed bodies are in each other, along the direction in which their common volume falls fastest."""
    @property
    def direction(self) -> tuple[float, float, float]:
        """The way out of the second body, of length 1."""
    @property
    def depth(self) -> float:
        """The longest stretch along it inside both bodies that a ray met, within the bounds."""
    @property
    def lower(self) -> float:
        """The longest stretch there is, is not below this."""
    @property
    def upper(self) -> float:
        """The longest stretch there is, is not above this."""
    @property
    def ends(self) -> _F64:
        """Where the stretch begins and ends, (2, 3) float64: the second body leaves when its point at the first end is moved to the other."""
    @property
    def parting(self) -> float:
        """Moved along the direction by so much, the second body is surely parted from the first, whatever their shapes."""
    @property
    def guarantee(self) -> str:
        """What the bounds are worth: "sampled" with rigorous bounds, or "unproved" for an open surface."""
    def __float__(self) -> float: ...

@final
class Witness:
    """One end of a shortest connection."""
    @property
    def feature(self) -> str:
        """"face", "edge" or "vertex": the part of the triangle that holds the point."""
    @property
    def triangle(self) -> int:
        """The triangle, counted within its body."""
    @property
    def point(self) -> tuple[float, float, float]:
        """The point."""

def _address(points: ArrayLike) -> int:
    """The address at which the engine reads these points: the caller's own, where nothing is converted."""
def _fail(scene: Scene) -> None:
    """Fails inside the engine's catch, so that tests can see that a panic becomes an exception."""
def coincident(a: Mesh, b: Mesh, within: float) -> _U32:
    """Pairs of a vertex of the first and one of the second that differ by at most `within` on each axis, (k, 2) uint32."""
def fuse(a: Mesh, b: Mesh, weld: ArrayLike | None = None) -> Fused:
    """Makes one mesh of two surfaces or two tetrahedral meshes; `weld` pairs vertices that become one, (k, 2)."""
def read(path: _PathLike, *, format: str | None = None, name: str | None = None) -> Mesh:
    """Reads a mesh file: OBJ, PLY, STL, OFF, glTF, VTK, VTU, VTP, Gmsh, Medit, TetGen, NumPy, rows of points; also gzipped."""
def split_faces(flat: ArrayLike) -> tuple[_U32, _U32]:
    """Splits faces as VTK lists them, each after its number of corners, into flat corners and starts."""
