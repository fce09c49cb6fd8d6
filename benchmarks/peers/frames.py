"""Scene directories of recorded frames: files of one mesh in PLY, or a topology in OBJ with raw positions.

    python3 frames.py DIR SCENE FRAME.ply FRAME.ply…
    python3 frames.py DIR SCENE topology.obj positions.f32

Writes DIR/SCENE as `crumple convert --scene` does. Python 3.11 or later, standard library only.
"""
import array
import json
import os
import struct
import sys

# PLY's words for numbers, as `struct` spells them.
TYPES = {"char": "b", "uchar": "B", "int8": "b", "uint8": "B", "short": "h", "ushort": "H", "int16": "h", "uint16": "H",
         "int": "i", "uint": "I", "int32": "i", "uint32": "I", "float": "f", "float32": "f", "double": "d", "float64": "d"}


def fan(polygon):
    """A polygon as triangles round its first corner."""
    return [i for k in range(1, len(polygon) - 1) for i in (polygon[0], polygon[k], polygon[k + 1])]


def read_ply(path):
    """Coordinates and corners of a binary PLY file, each in one flat array."""
    with open(path, "rb") as file:
        data = file.read()
    head, _, body = data.partition(b"end_header\n")
    order, counts, properties = None, {}, {}
    for line in head.decode("ascii", "replace").splitlines():
        match line.split():
            case ["format", kind, _]:
                order = {"binary_little_endian": "<", "binary_big_endian": ">"}.get(kind)
            case ["element", name, count]:
                counts[name], properties[name] = int(count), []
            case ["property", *words]:
                properties[list(properties)[-1]].append(words)
    if order is None or list(counts)[:2] != ["vertex", "face"]:
        sys.exit(f"{path}: not a binary PLY file of vertices and faces")
    vertex = struct.Struct(order + "".join(TYPES[t] for t, _ in properties["vertex"]))
    x = [name for _, name in properties["vertex"]].index("x")
    end = counts["vertex"] * vertex.size
    points = array.array("d", (c for v in vertex.iter_unpack(body[:end]) for c in v[x:x + 3]))
    _, size, index, _ = properties["face"][0]
    size, corners, at = struct.Struct(order + TYPES[size]), array.array("I"), end
    for _ in range(counts["face"]):
        (n,) = size.unpack_from(body, at)
        polygon = struct.Struct(f"{order}{n}{TYPES[index]}")
        corners.extend(fan(polygon.unpack_from(body, at + size.size)))
        at += size.size + polygon.size
    return points, corners


def read_raw(topology, positions):
    """Coordinates of every frame, and corners."""
    vertices, corners = 0, array.array("I")
    with open(topology) as file:
        for line in file:
            if line.startswith("v "):
                vertices += 1
            elif line.startswith("f "):
                corners.extend(fan([int(word.split("/")[0]) - 1 for word in line.split()[1:]]))
    raw = array.array("f")
    with open(positions, "rb") as file:
        raw.frombytes(file.read())
    if sys.byteorder == "big":
        raw.byteswap()
    step = 3 * vertices
    if step == 0 or len(raw) % step:
        sys.exit(f"{positions}: no whole number of frames of {vertices} vertices")
    return [array.array("d", raw[i:i + step]) for i in range(0, len(raw), step)], corners


def write(folder, name, frames, corners):
    """One body."""
    folder = os.path.join(folder, name)
    os.makedirs(folder, exist_ok=True)
    files = [("obj0_e.u32", corners)] + [(f"obj0_v_{f:03}.f64", points) for f, points in enumerate(frames)]
    for file, numbers in files:
        if sys.byteorder == "big":
            numbers.byteswap()
        with open(os.path.join(folder, file), "wb") as out:
            numbers.tofile(out)
    body = {"name": name, "kind": "tri", "vertices": len(frames[0]) // 3, "elements": len(corners) // 3}
    with open(os.path.join(folder, "manifest.json"), "w") as out:
        json.dump({"name": name, "frames": len(frames), "objects": [body]}, out, indent=1)


def convert(folder, name, files):
    if files[0].endswith(".obj"):
        frames, corners = read_raw(*files)
    else:
        meshes = [read_ply(path) for path in files]
        frames, corners = [points for points, _ in meshes], meshes[0][1]
        for path, (points, other) in zip(files, meshes):
            if other != corners or len(points) != len(frames[0]):
                sys.exit(f"{path}: not the mesh of {files[0]}")
    write(folder, name, frames, corners)


if __name__ == "__main__":
    if len(sys.argv) < 5:
        sys.exit(__doc__)
    convert(sys.argv[1], sys.argv[2], sys.argv[3:])
