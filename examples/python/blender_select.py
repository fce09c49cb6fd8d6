"""Blender: selects the faces of the chosen objects that collide, with themselves or with each other.

Install into Blender's own Python (`python -m pip install crumple`), open this file in the text editor, select objects, run. In
edit mode the colliding faces are then selected; a vertex group "collides" holds their corners too.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

import crumple


def body_of(thing: Any) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.int32], npt.NDArray[np.int32]]:
    """World positions, triangles, and the polygon of each triangle."""
    mesh = thing.data
    mesh.calc_loop_triangles()
    co = np.empty(3 * len(mesh.vertices), np.float32)
    mesh.vertices.foreach_get("co", co)
    triangles = np.empty(3 * len(mesh.loop_triangles), np.int32)
    mesh.loop_triangles.foreach_get("vertices", triangles)
    polygons = np.empty(len(mesh.loop_triangles), np.int32)
    mesh.loop_triangles.foreach_get("polygon_index", polygons)
    place = np.array(thing.matrix_world, dtype=float)
    world = co.reshape(-1, 3).astype(float) @ place[:3, :3].T + place[:3, 3]
    return world, triangles.reshape(-1, 3), polygons


def colliding_polygons(things: list[Any]) -> list[npt.NDArray[np.int64]]:
    """For each object the numbers of its polygons that collide, each once."""
    scene, owners = crumple.Scene(), []
    for thing in things:
        points, triangles, polygons = body_of(thing)
        scene.add(points, triangles, name=thing.name)
        owners.append(polygons)
    pairs = scene.contacts().triangle_pairs
    sides = np.concatenate([pairs[:, :2], pairs[:, 2:]])
    return [np.unique(owner[sides[sides[:, 0] == body, 1]]).astype(np.int64) for body, owner in enumerate(owners)]


def select(things: list[Any]) -> dict[str, int]:
    """Selects the colliding polygons of each object, and tells how many there are."""
    counts = {}
    for thing, hit in zip(things, colliding_polygons(things)):
        flags = np.zeros(len(thing.data.polygons), bool)
        flags[hit] = True
        thing.data.polygons.foreach_set("select", flags)
        corners = sorted({int(v) for p in hit for v in thing.data.polygons[int(p)].vertices})
        group = thing.vertex_groups.get("collides") or thing.vertex_groups.new(name="collides")
        group.remove(range(len(thing.data.vertices)))
        group.add(corners, 1.0, "REPLACE")
        thing.data.update()
        counts[thing.name] = len(hit)
    return counts


def main() -> None:
    import bpy

    bpy.ops.object.mode_set(mode="OBJECT")
    things = [thing for thing in bpy.context.selected_objects if thing.type == "MESH"]
    counts = select(things)
    bpy.ops.object.mode_set(mode="EDIT")
    print("colliding faces:", ", ".join(f"{name} {n}" for name, n in counts.items()) or "no mesh is selected")


if __name__ == "__main__":
    main()
