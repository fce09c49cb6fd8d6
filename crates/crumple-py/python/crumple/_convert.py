"""Meshes of other packages, told by what they have. None of those packages is imported unless its object is wanted; numpy,
which takes longer to import than all of Crumple, when it is first needed."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from crumple import _crumple
from crumple._crumple import Mesh

if TYPE_CHECKING:
    from crumple._crumple import Scene

#: What can stand for a mesh: ours, a path, a pair of arrays, or an object of trimesh, meshio, pyvista or open3d.
MeshLike = Any

_VTK_TRIANGLE, _VTK_QUAD, _VTK_TET = 5, 9, 10


def as_mesh(source: MeshLike, *, name: str | None = None) -> Mesh:
    """The mesh that something stands for: a `crumple.Mesh`, a path, a pair of points and triangles (m, 3) or tets (m, 4), or a
    mesh of trimesh, meshio, pyvista or open3d.

    >>> import crumple
    >>> crumple.as_mesh(([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]]))
    Mesh('', 3 vertices, 1 triangles)
    >>> class Like:                                       # anything with these two, as trimesh has them
    ...     vertices = [[0, 0, 0], [1, 0, 0], [0, 1, 0]]
    ...     faces = [[0, 1, 2]]
    >>> crumple.as_mesh(Like(), name="one")
    Mesh('one', 3 vertices, 1 triangles)
    """
    if isinstance(source, Mesh):
        return source
    if isinstance(source, (str, os.PathLike)):
        return _crumple.read(source, name=name)
    own = name if name is not None else _name_of(source)
    for convert in (_from_arrays, _from_cells, _from_pyvista, _from_open3d_tensor, _from_open3d, _from_faces):
        mesh = convert(source, own)
        if mesh is not None:
            return mesh
    raise _crumple.Error(
        f"mesh: {type(source).__module__}.{type(source).__qualname__} is none of: crumple.Mesh, a path, "
        "a pair of arrays, a mesh of trimesh, meshio, pyvista or open3d, or anything with `vertices` and `faces`"
    )


def _name_of(source: Any) -> str:
    metadata = getattr(source, "metadata", None)
    found = metadata.get("file_name") or metadata.get("name") if isinstance(metadata, dict) else None
    return str(found) if found else ""


def _from_arrays(source: Any, name: str) -> Mesh | None:
    """Points, and triangles or tets by the number of their corners."""
    import numpy as np

    if not is_arrays(source):
        return None
    points, elements = source
    if np.ndim(elements) == 2 and np.shape(elements)[1] == 4:
        return Mesh(points, tets=elements, name=name)
    return Mesh(points, elements, name=name)


def is_arrays(source: Any) -> bool:
    """Whether this is a pair of points and elements, rather than of meshes."""
    return isinstance(source, tuple) and len(source) == 2 and (isinstance(source[0], list) or hasattr(source[0], "__array__"))


def _from_cells(source: Any, name: str) -> Mesh | None:
    """meshio, and whatever lists its cells by kind: tets where there are any, else triangles and other polygons."""
    import numpy as np

    cells, points = getattr(source, "cells", None), getattr(source, "points", None)
    if points is None or not isinstance(cells, list):
        return None
    tets = [block.data for block in cells if block.type == "tetra"]
    if tets:
        return Mesh(np.asarray(points), tets=np.concatenate(tets), name=name)
    faces = [np.asarray(block.data) for block in cells if block.type in ("triangle", "quad")]
    if not faces:
        return Mesh(np.asarray(points), name=name)
    if all(block.shape[1] == 3 for block in faces):
        return Mesh(np.asarray(points), np.concatenate(faces), name=name)
    widths = np.concatenate([np.full(len(block), block.shape[1]) for block in faces])
    starts = np.concatenate([[0], np.cumsum(widths)])
    return Mesh(np.asarray(points), polygons=(np.concatenate([b.ravel() for b in faces]), starts), name=name)


def _from_pyvista(source: Any, name: str) -> Mesh | None:
    """pyvista: an unstructured grid (`cells_dict`) or polygonal data (`faces` after their numbers of corners)."""
    import numpy as np

    points = getattr(source, "points", None)
    if points is None:
        return None
    kinds = getattr(source, "cells_dict", None)
    if kinds is not None:
        if _VTK_TET in kinds:
            return Mesh(np.asarray(points), tets=kinds[_VTK_TET], name=name)
        if _VTK_TRIANGLE in kinds:
            return Mesh(np.asarray(points), kinds[_VTK_TRIANGLE], name=name)
        if _VTK_QUAD in kinds:
            return Mesh(np.asarray(points), polygons=kinds[_VTK_QUAD], name=name)
        return Mesh(np.asarray(points), name=name)
    faces = getattr(source, "faces", None)
    if faces is None or np.ndim(faces) != 1:
        return None
    faces = np.asarray(faces)
    if len(faces) % 4 == 0 and np.all(faces[::4] == 3):
        return Mesh(np.asarray(points), faces.reshape(-1, 4)[:, 1:], name=name)
    return Mesh(np.asarray(points), polygons=_crumple.split_faces(faces), name=name)


def _from_open3d_tensor(source: Any, name: str) -> Mesh | None:
    """open3d.t.geometry.TriangleMesh."""
    vertex, triangle = getattr(source, "vertex", None), getattr(source, "triangle", None)
    if vertex is None or triangle is None or not hasattr(vertex, "positions"):
        return None
    return Mesh(vertex.positions.numpy(), triangle.indices.numpy(), name=name)


def _from_open3d(source: Any, name: str) -> Mesh | None:
    """open3d.geometry: TetraMesh, TriangleMesh, PointCloud."""
    import numpy as np

    vertices = getattr(source, "vertices", None)
    if vertices is None:
        return None
    tets, triangles = getattr(source, "tetras", None), getattr(source, "triangles", None)
    if tets is not None:
        return Mesh(np.asarray(vertices), tets=np.asarray(tets), name=name)
    if triangles is not None and not hasattr(source, "faces"):
        return Mesh(np.asarray(vertices), np.asarray(triangles), name=name)
    return None


def _from_faces(source: Any, name: str) -> Mesh | None:
    """trimesh, and whatever has `vertices` and `faces`."""
    import numpy as np

    vertices, faces = getattr(source, "vertices", None), getattr(source, "faces", None)
    if vertices is None or faces is None:
        return None
    faces = np.asarray(faces)
    if faces.ndim == 2 and faces.shape[1] != 3:
        return Mesh(np.asarray(vertices), polygons=faces, name=name)
    return Mesh(np.asarray(vertices), faces, name=name)


def to_trimesh(mesh: Mesh) -> Any:
    import numpy as np
    import trimesh

    metadata = {"name": mesh.name}
    return trimesh.Trimesh(mesh.points, mesh.triangles.astype(np.int64), process=False, metadata=metadata)


def to_meshio(mesh: Mesh) -> Any:
    import numpy as np
    import meshio

    elements = ("tetra", mesh.tets) if mesh.is_solid else ("triangle", mesh.triangles)
    kind, data = elements if len(elements[1]) else ("vertex", np.arange(mesh.vertex_count)[:, None])
    return meshio.Mesh(mesh.points, [(kind, data.astype(np.int64))])


def to_pyvista(mesh: Mesh) -> Any:
    import numpy as np
    import pyvista

    if mesh.is_solid:
        return pyvista.UnstructuredGrid({_VTK_TET: mesh.tets.astype(np.int64)}, mesh.points)
    if len(mesh.triangles) == 0:
        return pyvista.PolyData(mesh.points)
    return pyvista.PolyData.from_regular_faces(mesh.points, mesh.triangles.astype(np.int64))


def to_open3d(mesh: Mesh) -> Any:
    import numpy as np
    import open3d

    points = open3d.utility.Vector3dVector(mesh.points)
    if mesh.is_solid:
        return open3d.geometry.TetraMesh(points, open3d.utility.Vector4iVector(mesh.tets.astype(np.int32)))
    return open3d.geometry.TriangleMesh(points, open3d.utility.Vector3iVector(mesh.triangles.astype(np.int32)))


def scene_to_pyvista(scene: Scene) -> Any:
    import numpy as np
    import pyvista

    blocks = pyvista.MultiBlock()
    pairs, inside = scene.contacts().triangle_pairs, scene.penetrations()
    for body in scene.ids():
        mesh = scene.mesh(body)
        block = to_pyvista(mesh)
        hit = np.zeros(len(mesh.triangles), bool)
        for side in (pairs[:, :2], pairs[:, 2:]):
            hit[side[side[:, 0] == body, 1]] = True
        if mesh.is_solid:
            tets, mine = np.zeros(len(mesh.tets), bool), inside.vertex_tets[:, 2] == body
            tets[inside.vertex_tets[mine, 3]] = True
            block.cell_data["collides"] = tets
        elif len(hit):
            block.cell_data["collides"] = hit
        depth, mine = np.zeros(mesh.vertex_count), inside.vertex_tets[:, 0] == body
        assert inside.depths is not None
        np.maximum.at(depth, inside.vertex_tets[mine, 1], inside.depths[mine])
        block.point_data["depth"] = depth
        blocks.append(block, mesh.name or f"body {body}")
    return blocks


def rebuild(name: str, points: Any, elements: Any, is_solid: bool) -> Mesh:
    """A mesh from its pickled parts."""
    if len(elements) == 0:
        return Mesh(points, name=name)
    return Mesh(points, tets=elements, name=name) if is_solid else Mesh(points, elements, name=name)
