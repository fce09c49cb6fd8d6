"""`peers.py PEER FILE ROUNDS [cpu]`: the best of some readings of a file by a Python package, as `seconds vertices faces`.

From the path to arrays in memory (what the package itself keeps, not NumPy copies of it). Wall time, or with `cpu` processor time of
all threads.
"""

import sys
import time


def vtk(path):
    import vtk as v

    readers = {"obj": v.vtkOBJReader, "ply": v.vtkPLYReader, "stl": v.vtkSTLReader, "vtu": v.vtkXMLUnstructuredGridReader}
    reader = readers[path.rsplit(".", 1)[1]]()
    reader.SetFileName(path)
    reader.Update()
    mesh = reader.GetOutput()
    return mesh.GetNumberOfPoints(), mesh.GetNumberOfCells()


def open3d(path):
    import open3d as o

    mesh = o.io.read_triangle_mesh(path, enable_post_processing=False)
    return len(mesh.vertices), len(mesh.triangles)


def meshlib(path):
    from meshlib import mrmeshpy as m

    mesh = m.loadMesh(path)
    return mesh.topology.numValidVerts(), mesh.topology.numValidFaces()


def pymeshlab(path):
    import pymeshlab as p

    meshes = p.MeshSet()
    meshes.load_new_mesh(path)
    return meshes.current_mesh().vertex_number(), meshes.current_mesh().face_number()


def libigl(path):
    import igl

    vertices, faces = igl.read_triangle_mesh(path)[:2]
    return len(vertices), len(faces)


def trimesh(path):
    import trimesh as t

    mesh = t.load(path, process=False)
    return len(mesh.vertices), len(mesh.faces)


def meshio(path):
    import meshio as m

    mesh = m.read(path)
    return len(mesh.points), sum(len(block.data) for block in mesh.cells)


def stl_reader(path):
    import stl_reader as s

    vertices, faces = s.read(path)
    return len(vertices), len(faces)


if __name__ == "__main__":
    peer, path, rounds = sys.argv[1], sys.argv[2], int(sys.argv[3])
    read = globals()[peer.replace("-", "_")]
    clock = time.process_time if sys.argv[4:] == ["cpu"] else time.perf_counter
    best, counts = float("inf"), None
    for _ in range(rounds):
        start = clock()
        counts = read(path)
        best = min(best, clock() - start)
    print(best, *counts)
