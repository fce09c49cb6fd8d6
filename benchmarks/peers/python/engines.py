"""How scenes get into libraries that answer several questions."""
from common import bench


def all_pairs(n):
    return [(i, j) for i in range(n) for j in range(i)]


def cgal_poly(v, e):
    from CGAL.CGAL_Polyhedron_3 import Polyhedron_3
    from CGAL.CGAL_Kernel import Point_3
    from CGAL import CGAL_Polygon_mesh_processing as P
    pts = P.Point_3_Vector()
    pts.reserve(len(v))
    for p in v.tolist():
        pts.append(Point_3(*p))
    pg = P.Polygon_Vector()
    for t in e.tolist():
        q = P.Int_Vector()
        for k in t:
            q.append(k)
        pg.append(q)
    M = Polyhedron_3()
    P.polygon_soup_to_polygon_mesh(pts, pg, M)
    return M


def ml_mesh(v, e):
    import meshlib.mrmeshpy as mm, meshlib.mrmeshnumpy as mn, numpy as np
    M = mn.meshFromFacesVerts(e.astype(np.int32), v)
    vb = mm.VertBitSet()
    vb.resize(len(v), True)
    return M, vb


def ml_version(st):
    from importlib.metadata import version
    st["version"] = version("meshlib")


def ml_bodies(s, st):
    """The bodies in meshlib, and three functions: take a frame's positions, build the trees, refit them."""
    import meshlib.mrmeshnumpy as mn
    ml_version(st)
    M = [ml_mesh(s.v(i, 0), s.e[i]) for i in range(len(s))]

    def prep(f):
        for i, (m, _) in enumerate(M):
            m.points.vec = mn.fromNumpyArray(s.v(i, f))

    def build():
        for m, _ in M:
            m.invalidateCaches()
            m.getAABBTree()

    def refit():
        for m, vb in M:
            m.updateCaches(vb)
    return [m for m, _ in M], prep, build, refit


def vtk_pd(v, e=None):
    import vtk, numpy as np
    from vtkmodules.util.numpy_support import numpy_to_vtk, numpy_to_vtkIdTypeArray
    p, P = vtk.vtkPolyData(), vtk.vtkPoints()
    P.SetData(numpy_to_vtk(np.ascontiguousarray(v), deep=1))
    p.SetPoints(P)
    if e is not None:
        c = vtk.vtkCellArray()
        c.SetData(numpy_to_vtkIdTypeArray(np.arange(0, 3 * len(e) + 1, 3, dtype=np.int64), deep=1),
                  numpy_to_vtkIdTypeArray(np.ascontiguousarray(e.ravel().astype(np.int64)), deep=1))
        p.SetPolys(c)
    return p


def vtk_init(st):
    import vtk
    vtk.vtkObject.GlobalWarningDisplayOff()
    st["version"] = vtk.vtkVersion().GetVTKVersion()
    if st["threads"] > 1:
        vtk.vtkSMPTools.SetBackend("STDThread")
        vtk.vtkSMPTools.Initialize(st["threads"])
    return vtk


def _coal_models(s, cls):
    import coal, numpy as np
    ms = []
    for i in range(len(s)):
        m = cls()
        m.beginModel(len(s.e[i]), len(s.v(i, 0)))
        m.addVertices(s.v(i, 0))
        m.addTriangles(s.e[i].astype(np.int64))
        ms.append(m)
    return ms


def _coal(s, st, cls, pairq, build_timed=True):
    import coal, numpy as np
    st["version"] = coal.__version__
    cls = getattr(coal, cls)
    ms = _coal_models(s, cls)

    def prep(f):
        vs = []
        for i in range(len(s)):
            sv = coal.StdVec_Vec3s()
            sv.extend(list(s.v(i, f)))
            vs.append(sv)
        st["vs"] = vs

    def build():
        for m in ms:
            m.endModel()

    def up():
        for m, sv in zip(ms, st["vs"]):
            m.beginReplaceModel()
            m.replaceSubModel(sv)
            m.endReplaceModel(True, True)
    return bench(s, prep, up, lambda: pairq(coal, ms), build)
