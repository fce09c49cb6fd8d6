"""`files.py DIR [ROWS]`: one wavy sheet of 2 * ROWS^2 triangles (1,000,000 unless told) in every format that is timed."""

import pathlib
import sys

import numpy as np
import vtk
from vtk.util.numpy_support import numpy_to_vtk, numpy_to_vtkIdTypeArray


def sheet(rows):
    x, y = np.meshgrid(np.linspace(0, 10, rows + 1), np.linspace(0, 10, rows + 1), indexing="ij")
    z = np.sin(3 * x) * np.cos(2 * y)
    points = np.stack([x, y, z], -1).reshape(-1, 3)
    at = np.arange((rows + 1) ** 2).reshape(rows + 1, rows + 1)
    a, b, c, d = at[:-1, :-1].ravel(), at[1:, :-1].ravel(), at[1:, 1:].ravel(), at[:-1, 1:].ravel()
    return points, np.concatenate([np.stack([a, b, c], -1), np.stack([a, c, d], -1)])


def lines(pattern, array):
    return "".join([pattern % tuple(row) for row in array.tolist()])


def main(folder, rows):
    folder.mkdir(parents=True, exist_ok=True)
    points, faces = sheet(rows)
    short = np.round(points, 6)
    file = lambda name: folder / name
    file("short.obj").write_text(lines("v %.6f %.6f %.6f\n", points) + lines("f %d %d %d\n", faces + 1))
    file("long.obj").write_text(lines("v %.17g %.17g %.17g\n", points) + lines("f %d %d %d\n", faces + 1))
    uv = np.stack([points[:, 0] / 10, points[:, 1] / 10], -1)
    corners = np.repeat(faces + 1, 2, axis=1)
    file("uv.obj").write_text(
        lines("v %.6f %.6f %.6f\n", points) + lines("vt %.6f %.6f\n", uv) + lines("f %d/%d %d/%d %d/%d\n", corners)
    )
    head = f"element vertex {len(points)}\nproperty TYPE x\nproperty TYPE y\nproperty TYPE z\nelement face {len(faces)}\nproperty list uchar int vertex_indices\nend_header\n"
    text = "ply\nformat ascii 1.0\n" + head.replace("TYPE", "float")
    file("text.ply").write_text(text + lines("%.6f %.6f %.6f\n", points) + lines("3 %d %d %d\n", faces))
    for name, kind in [("float", "<f4"), ("double", "<f8")]:
        rows_ = np.empty(len(faces), [("n", "u1"), ("f", "<i4", 3)])
        rows_["n"], rows_["f"] = 3, faces
        data = ("ply\nformat binary_little_endian 1.0\n" + head.replace("TYPE", name)).encode()
        file(f"{name}.ply").write_bytes(data + points.astype(kind).tobytes() + rows_.tobytes())
    file("text.off").write_text(f"OFF\n{len(points)} {len(faces)} 0\n" + lines("%.6f %.6f %.6f\n", points) + lines("3 %d %d %d\n", faces))
    record = np.zeros(len(faces), [("n", "<f4", 3), ("p", "<f4", (3, 3)), ("a", "<u2")])
    record["p"] = points[faces]
    file("binary.stl").write_bytes(b"\0" * 80 + np.uint32(len(faces)).tobytes() + record.tobytes())
    facet = "facet normal 0 0 0\nouter loop\nvertex %e %e %e\nvertex %e %e %e\nvertex %e %e %e\nendloop\nendfacet\n"
    file("text.stl").write_text("solid sheet\n" + lines(facet, short[faces].reshape(-1, 9)) + "endsolid sheet\n")
    grid = vtk.vtkUnstructuredGrid()
    corners = vtk.vtkPoints()
    corners.SetData(numpy_to_vtk(points, deep=1))
    grid.SetPoints(corners)
    cells = vtk.vtkCellArray()
    cells.SetData(numpy_to_vtkIdTypeArray(np.arange(0, 3 * len(faces) + 1, 3), deep=1), numpy_to_vtkIdTypeArray(faces.ravel(), deep=1))
    grid.SetCells(vtk.VTK_TRIANGLE, cells)
    for name, mode, packer, raw in [
        ("text", "Ascii", None, False),
        ("base64", "Binary", None, False),
        ("base64-zlib", "Binary", vtk.vtkZLibDataCompressor, False),
        ("raw", "Appended", None, True),
        ("raw-zlib", "Appended", vtk.vtkZLibDataCompressor, True),
    ]:
        writer = vtk.vtkXMLUnstructuredGridWriter()
        writer.SetFileName(str(file(f"{name}.vtu")))
        writer.SetInputData(grid)
        getattr(writer, f"SetDataModeTo{mode}")()
        writer.SetCompressor(packer() if packer else None)
        if raw:
            writer.EncodeAppendedDataOff()
        writer.Write()


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 707)
