"""Vertices inside tets of other objects."""
from common import TETS, bench, nothing, peer
from engines import vtk_init, vtk_pd
from warp_kernels import warp_kernels


def _warp_tets(s, st, preselect):
    import numpy as np
    K = warp_kernels(st)
    wp = K["wp"]
    V, E, vid, eid = s.merged(0)
    t, x = wp.array(E.astype(np.int32), dtype=wp.int32), wp.array(V.astype(np.float32), dtype=wp.vec3)
    vi, ei = wp.array(vid, dtype=wp.int32), wp.array(eid, dtype=wp.int32)
    ne = len(E)
    lo, hi = wp.zeros(ne, dtype=wp.vec3), wp.zeros(ne, dtype=wp.vec3)
    cnt, out, bary = wp.zeros(1, dtype=wp.int32), wp.zeros(1 << 20, dtype=wp.vec2i), wp.zeros(1 << 20, dtype=wp.vec3)
    wp.launch(K["tet_boxes"], ne, [x, t, lo, hi])
    B = wp.Bvh(lo, hi)

    def prep(f):
        x.assign(s.merged(f)[0].astype(np.float32))
        if preselect or "l" not in st:
            chosen = np.unique(np.concatenate(tet_candidates(s, f)[1])) if preselect else np.arange(len(V))
            st["l"] = wp.array(chosen.astype(np.int32), dtype=wp.int32)

    def up():
        wp.launch(K["tet_boxes"], ne, [x, t, lo, hi])
        B.refit()

    def q():
        cnt.zero_()
        wp.launch(K["points_in_tets"], len(st["l"]), [B.id, x, t, vi, ei, st["l"], cnt, out, bary])
        return int(cnt.numpy()[0])
    return bench(s, prep, up, q, lambda: wp.Bvh(lo, hi))


@peer("tets", "warp.Bvh refit + barycentric (own kernel)", TETS, threads=(1,), note="one tree for all objects, own object skipped per hit; float32; everything timed")
def warp_tets(s, st):
    return _warp_tets(s, st, False)


@peer("tets", "warp.Bvh refit + barycentric, preselected (own kernel)", TETS, threads=(1,),
      note="as above, but only vertices inside another object's AABB, preselection untimed as for libigl and VTK")
def warp_tets_pre(s, st):
    return _warp_tets(s, st, True)


def tet_candidates(s, f):
    """per object: vertices of other objects inside its AABB (numpy)"""
    import numpy as np
    V, E, vid, eid = s.merged(f)
    out = []
    for i in range(len(s)):
        v = s.v(i, f)
        k = np.nonzero(((V >= v.min(0)) & (V <= v.max(0))).all(1) & (vid != i))[0]
        out.append(k)
    return V, out


@peer("tets", "libigl.AABB + in_element (one tree an object)", TETS, threads=(2, 1), note="candidate vertices preselected per object AABB, untimed; no barycentric coordinates")
def igl_tets(s, st):
    import igl, numpy as np
    from importlib.metadata import version
    st["version"] = version("libigl")
    T = [e.astype(np.int64) for e in s.e]

    def prep(f):
        st["f"] = f
        V, c = tet_candidates(s, f)
        st["Q"] = [np.ascontiguousarray(V[k]) for k in c]

    def up():
        st["tree"] = {}
        for i in range(len(s)):
            if len(st["Q"][i]):
                t = igl.AABB()
                t.init(s.v(i, st["f"]), T[i])
                st["tree"][i] = t

    def q():
        n = 0
        for i, t in st["tree"].items():
            n += int((igl.in_element(s.v(i, st["f"]), T[i], st["Q"][i], t) >= 0).sum())
        return n
    return bench(s, prep, up, q)


@peer("tets", "vtkProbeFilter/vtkStaticCellLocator (one an object)", TETS[:5], threads=(1,), slow=True, note="candidates preselected, untimed; locator build included in query")
def vtk_tets(s, st):
    vtk = vtk_init(st)
    import numpy as np
    from vtkmodules.util.numpy_support import numpy_to_vtk, numpy_to_vtkIdTypeArray, vtk_to_numpy

    def prep(f):
        V, c = tet_candidates(s, f)
        jobs = []
        for i in range(len(s)):
            if not len(c[i]):
                continue
            g, P, ca = vtk.vtkUnstructuredGrid(), vtk.vtkPoints(), vtk.vtkCellArray()
            P.SetData(numpy_to_vtk(s.v(i, f), deep=1))
            g.SetPoints(P)
            e = s.e[i]
            ca.SetData(numpy_to_vtkIdTypeArray(np.arange(0, 4 * len(e) + 1, 4, dtype=np.int64), deep=1),
                       numpy_to_vtkIdTypeArray(np.ascontiguousarray(e.ravel().astype(np.int64)), deep=1))
            g.SetCells(10, ca)
            jobs.append((g, vtk_pd(V[c[i]])))
        st["jobs"] = jobs

    def q():
        n = 0
        for g, p in st["jobs"]:
            pr = vtk.vtkProbeFilter()
            pr.SetCellLocatorPrototype(vtk.vtkStaticCellLocator())
            pr.SetInputData(p)
            pr.SetSourceData(g)
            pr.ComputeToleranceOff()
            pr.SetTolerance(0.0)
            pr.Update()
            n += int(vtk_to_numpy(pr.GetOutput().GetPointData().GetArray("vtkValidPointMask")).sum())
        return n
    return bench(s, prep, nothing, q)
