"""The volume of an intersection: every peer constructs it as a mesh first."""
from common import PAIRS, bench, nothing, peer
from engines import cgal_poly, ml_bodies, vtk_init, vtk_pd


def set_vol(r, key="volume"):
    for x in r:
        x[key], x["n"] = x["n"][0], x["n"][1]
    return r


@peer("volume", "manifold3d ^ volume (f64)", PAIRS, threads=(2, 1), note="update = Manifold() x2, query = boolean + volume; n = result triangles")
def manifold_vol(s, st):
    import manifold3d as m3, numpy as np
    from importlib.metadata import version
    st["version"] = version("manifold3d")

    def prep(f):
        st["m"] = [m3.Mesh64(vert_properties=s.v(i, f), tri_verts=s.e[i].astype(np.uint64)) for i in range(2)]

    def up():
        st["M"] = [m3.Manifold(m) for m in st["m"]]
        for m in st["M"]:
            m.num_tri()

    def q():
        r = st["M"][0] ^ st["M"][1]
        return r.volume(), r.num_tri()
    return set_vol(bench(s, prep, up, q, apart=True))


def _ml_vol(s, st, refitted):
    import meshlib.mrmeshpy as mm
    M, prep, build, refit = ml_bodies(s, st)

    def q():
        r = mm.boolean(M[0], M[1], mm.BooleanOperation.Intersection)
        return r.mesh.volume(), r.mesh.topology.numValidFaces()
    return set_vol(bench(s, prep, refit if refitted else build, q, build, apart=True))


@peer("volume", "meshlib.boolean + volume refit", PAIRS, threads=(2, 1), note="float32 positions, int-snapped exact predicates")
def ml_vol_refit(s, st):
    return _ml_vol(s, st, True)


@peer("volume", "meshlib.boolean + volume rebuild", PAIRS, note="float32 positions, int-snapped exact predicates", slow=True)
def ml_vol_rebuild(s, st):
    return _ml_vol(s, st, False)


@peer("volume", "libigl.cgal.mesh_boolean", PAIRS[:1], slow=True, note="exact (EPECK)")
def igl_vol(s, st):
    import igl.copyleft.cgal as c, numpy as np
    from importlib.metadata import version
    st["version"] = version("libigl")
    F = [e.astype(np.int64) for e in s.e]

    def prep(f):
        st["f"] = f

    def q():
        V, T, _ = c.mesh_boolean(s.v(0, st["f"]), F[0], s.v(1, st["f"]), F[1], type_str="intersection")
        a, b, d = V[T[:, 0]], V[T[:, 1]], V[T[:, 2]]
        return float(np.einsum("ij,ij->i", np.cross(a, b), d).sum() / 6), len(T)
    return set_vol(bench(s, prep, nothing, q, reps=1, apart=True))


@peer("volume", "CGAL.PMP.corefine_and_compute_intersection", PAIRS[:3], note="exact predicates; polyhedron construction untimed")
def cgal_vol(s, st):
    from CGAL import CGAL_Polygon_mesh_processing as P
    from CGAL.CGAL_Polyhedron_3 import Polyhedron_3
    from importlib.metadata import version
    st["version"] = version("cgal")

    def prep(f):
        st["m"] = [[cgal_poly(s.v(i, f), s.e[i]) for i in range(2)] for _ in range(2)]

    def q():
        A, B = st["m"].pop()
        C = Polyhedron_3()
        P.corefine_and_compute_intersection(A, B, C)
        return P.volume(C), C.size_of_facets()
    return set_vol(bench(s, prep, nothing, q, reps=2, apart=True))


@peer("volume", "vtkBooleanOperationPolyDataFilter", PAIRS[:1], threads=(1,), slow=True)
def vtk_vol(s, st):
    vtk = vtk_init(st)

    def prep(f):
        st["pd"] = [vtk_pd(s.v(i, f), s.e[i]) for i in range(2)]

    def q():
        c = vtk.vtkBooleanOperationPolyDataFilter()
        c.SetOperationToIntersection()
        for i in range(2):
            c.SetInputData(i, st["pd"][i])
        c.Update()
        m = vtk.vtkMassProperties()
        m.SetInputData(c.GetOutput())
        m.Update()
        return m.GetVolume(), c.GetOutput().GetNumberOfCells()
    return set_vol(bench(s, prep, nothing, q, reps=1, apart=True))
