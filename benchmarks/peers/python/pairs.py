"""Intersecting triangles of two surfaces."""
from common import PAIRS, TRITRI, bench, nothing, peer
from engines import _coal, ml_bodies, vtk_init, vtk_pd
from warp_kernels import WSCALE, warp_kernels


@peer("tritri", "python-fcl.collide rebuild", TRITRI, note="update = endModel x2; contact list copied to Python", slow=True)
def fcl_pair(s, st):
    import fcl, numpy as np
    from importlib.metadata import version
    st["version"] = version("python-fcl")
    E = [e.astype(np.int32) for e in s.e]

    def models(f):
        ms = []
        for i in range(2):
            m = fcl.BVHModel()
            m.beginModel(len(s.v(i, f)), len(E[i]))
            m.addSubModel(s.v(i, f), E[i])
            ms.append(m)
        return ms

    def prep(f):
        st["f"] = f
        st["pool"] = [models(f) for _ in range(3)]

    def up():
        ms = st["pool"].pop()
        for m in ms:
            m.endModel()
        st["o"] = [fcl.CollisionObject(m, fcl.Transform()) for m in ms]

    def q():
        r = fcl.CollisionResult()
        n = fcl.collide(st["o"][0], st["o"][1], fcl.CollisionRequest(num_max_contacts=10 ** 7, enable_contact=False), r)
        return len({(c.b1, c.b2) for c in r.contacts})
    return bench(s, prep, up, q)


def _coal_collide(coal, ms):
    r = coal.CollisionResult()
    I = coal.Transform3s()
    coal.collide(ms[0], I, ms[1], I, coal.CollisionRequest(coal.CollisionRequestFlag.NO_REQUEST, 10 ** 7), r)
    return r.numContacts()


@peer("tritri", "coal.collide OBBRSS refit", TRITRI, slow=True)
def coal_pair(s, st):
    return _coal(s, st, "BVHModelOBBRSS", _coal_collide)


@peer("tritri", "coal.collide OBB refit", TRITRI, slow=True)
def coal_pair_obb(s, st):
    return _coal(s, st, "BVHModelOBB", _coal_collide)


def _ml_pair(s, st, refitted):
    import meshlib.mrmeshpy as mm
    M, prep, build, refit = ml_bodies(s, st)
    return bench(s, prep, refit if refitted else build, lambda: len(mm.findCollidingTriangles(M[0], M[1])), build)


@peer("tritri", "meshlib.findCollidingTriangles refit", TRITRI, threads=(2, 1))
def ml_pair_refit(s, st):
    return _ml_pair(s, st, True)


@peer("tritri", "meshlib.findCollidingTriangles rebuild", TRITRI, slow=True)
def ml_pair_rebuild(s, st):
    return _ml_pair(s, st, False)


@peer("tritri", "vtkCollisionDetectionFilter", TRITRI, threads=(1,), slow=True)
def vtk_pair(s, st):
    vtk = vtk_init(st)

    def prep(f):
        st["pd"] = [vtk_pd(s.v(i, f), s.e[i]) for i in range(2)]

    def q():
        c = vtk.vtkCollisionDetectionFilter()
        for i in range(2):
            c.SetInputData(i, st["pd"][i])
            c.SetTransform(i, vtk.vtkTransform())
        c.SetBoxTolerance(0.0)
        c.SetCellTolerance(0.0)
        c.SetNumberOfCellsPerNode(2)
        c.SetCollisionModeToAllContacts()
        c.Update()
        return c.GetNumberOfContacts()
    return bench(s, prep, nothing, q)


@peer("tritri", "vtkIntersectionPolyDataFilter", ["drape-small"] + PAIRS[:2], threads=(1,), slow=True, note="computes the intersection polylines; n = segments")
def vtk_ipd(s, st):
    vtk = vtk_init(st)

    def prep(f):
        st["pd"] = [vtk_pd(s.v(i, f), s.e[i]) for i in range(2)]

    def q():
        c = vtk.vtkIntersectionPolyDataFilter()
        for i in range(2):
            c.SetInputData(i, st["pd"][i])
        c.SetSplitFirstOutput(0)
        c.SetSplitSecondOutput(0)
        c.Update()
        return c.GetOutput().GetNumberOfCells()
    return bench(s, prep, nothing, q)


@peer("tritri", "libigl.cgal.intersect_other(detect_only)", ["drape-small", "drape-large"] + PAIRS[:2], slow=True)
def igl_pair(s, st):
    import igl, igl.copyleft.cgal as c, numpy as np
    from importlib.metadata import version
    st["version"] = version("libigl")
    F = [e.astype(np.int64) for e in s.e]

    def prep(f):
        st["f"] = f

    def q():
        r = c.intersect_other(s.v(0, st["f"]), F[0], s.v(1, st["f"]), F[1], detect_only=True)
        return len(next(a for a in r if getattr(a, "ndim", 0) == 2))
    return bench(s, prep, nothing, q)


@peer("tritri", "warp.Bvh refit + intersect_tri_tri (own kernel)", TRITRI, threads=(1,), note="float32; only the larger mesh's tree is refitted")
def warp_pair(s, st):
    import numpy as np
    K = warp_kernels(st)
    wp = K["wp"]
    # tree over the bigger mesh, the smaller one queries
    a, b = (0, 1) if len(s.e[0]) > len(s.e[1]) else (1, 0)
    t, u = (wp.array(s.e[k].astype(np.int32), dtype=wp.int32) for k in (a, b))
    x, y = (wp.array((s.v(k, 0) * WSCALE).astype(np.float32), dtype=wp.vec3) for k in (a, b))
    na, nb = len(s.e[a]), len(s.e[b])
    lo, hi = wp.zeros(na, dtype=wp.vec3), wp.zeros(na, dtype=wp.vec3)
    cnt, out = wp.zeros(1, dtype=wp.int32), wp.zeros(1 << 20, dtype=wp.vec2i)
    wp.launch(K["tri_boxes"], na, [x, t, lo, hi])
    B = wp.Bvh(lo, hi)

    def prep(f):
        x.assign((s.v(a, f) * WSCALE).astype(np.float32))
        y.assign((s.v(b, f) * WSCALE).astype(np.float32))

    def up():
        wp.launch(K["tri_boxes"], na, [x, t, lo, hi])
        B.refit()

    def q():
        cnt.zero_()
        wp.launch(K["cross_pairs"], nb, [B.id, x, t, y, u, cnt, out])
        return int(cnt.numpy()[0])
    return bench(s, prep, up, q, lambda: wp.Bvh(lo, hi))
