"""Triangles of one surface that intersect; candidates, yes/no and continuous tests beside it."""
from common import PROX, SELF, bench, nothing, peer
from engines import cgal_poly, ml_bodies
from warp_kernels import WSCALE, warp_kernels


@peer("self", "open3d.get_self_intersecting_triangles", ["sphere-5k", "sphere-20k", "loop-5k", "loop-20k", "crumple-20k"], slow=True)
def open3d_self(s, st):
    import open3d as o3d, numpy as np
    st["version"] = o3d.__version__

    def prep(f):
        st["m"] = o3d.geometry.TriangleMesh(o3d.utility.Vector3dVector(s.v(0, f)), o3d.utility.Vector3iVector(s.e[0].astype(np.int32)))
    return bench(s, prep, nothing, lambda: len(np.asarray(st["m"].get_self_intersecting_triangles())))


@peer("self", "pymeshlab.self_intersections_per_face", SELF, note="n = faces, not pairs", slow=True)
def pymeshlab_self(s, st):
    import pymeshlab, numpy as np
    from importlib.metadata import version
    st["version"] = version("pymeshlab")

    def prep(f):
        ms = pymeshlab.MeshSet()
        ms.add_mesh(pymeshlab.Mesh(s.v(0, f), s.e[0].astype(np.int32)))
        st["ms"] = ms

    def q():
        st["ms"].compute_selection_by_self_intersections_per_face()
        return st["ms"].current_mesh().selected_face_number()
    return bench(s, prep, nothing, q)


@peer("self", "libigl.cgal.remesh_self_intersections(detect_only)", [x for x in SELF if "1300k" not in x], slow=True)
def igl_self(s, st):
    import igl.copyleft.cgal as c, numpy as np
    from importlib.metadata import version
    st["version"] = version("libigl")
    F = s.e[0].astype(np.int64)

    def prep(f):
        st["V"] = s.v(0, f)
    return bench(s, prep, nothing, lambda: len(c.remesh_self_intersections(st["V"], F, detect_only=True)[2]))


@peer("self", "CGAL.PMP.self_intersections", [x for x in SELF if "1300k" not in x])
def cgal_self(s, st):
    from CGAL import CGAL_Polygon_mesh_processing as P
    from importlib.metadata import version
    st["version"] = version("cgal")

    def prep(f):
        if st.get("f") != (s.name, f):
            st["M"], st["f"] = cgal_poly(s.v(0, f), s.e[0]), (s.name, f)

    def q():
        out = []
        P.self_intersections(st["M"], out)
        return len(out)
    return bench(s, prep, nothing, q)


def _ml_self(s, st, refitted):
    import meshlib.mrmeshpy as mm
    M, prep, build, refit = ml_bodies(s, st)

    def q():
        out = mm.std_vector_FaceFace()
        mm.findSelfCollidingTriangles(M[0], out)
        return len(out)
    return bench(s, prep, refit if refitted else build, q, build)


@peer("self", "meshlib.findSelfCollidingTriangles refit", SELF, threads=(2, 1))
def ml_self_refit(s, st):
    return _ml_self(s, st, True)


@peer("self", "meshlib.findSelfCollidingTriangles rebuild", SELF, slow=True)
def ml_self_rebuild(s, st):
    return _ml_self(s, st, False)


# ---- ipctk
def ipc(s, st):
    import ipctk, numpy as np
    from importlib.metadata import version
    st["version"] = version("ipctk")
    ipctk.set_logger_level(ipctk.LoggerLevel.error)
    ipctk.set_num_threads(st["threads"])
    V, E, _, _ = s.merged(0)
    F = np.asfortranarray(E.astype(np.int32))
    Ed = np.asfortranarray(ipctk.edges(F))
    V = np.asfortranarray(V)
    L = float(np.linalg.norm(V[Ed[:, 0]] - V[Ed[:, 1]], axis=1).mean())
    return ipctk, np, F, Ed, V, L


def _ipc_ff(s, st, bp):
    ipctk, np, F, Ed, V0, L = ipc(s, st)
    b = getattr(ipctk, bp)()

    def prep(f):
        st["V"] = np.asfortranarray(s.merged(f)[0])
    return bench(s, prep, lambda: b.build(st["V"], Ed, F, 0.0), lambda: len(b.detect_face_face_candidates()))


def _ipc_has(s, st, bp):
    ipctk, np, F, Ed, V0, L = ipc(s, st)
    b = getattr(ipctk, bp)()
    M = ipctk.CollisionMesh(V0, Ed, F)

    def prep(f):
        st["V"] = np.asfortranarray(s.merged(f)[0])
    return bench(s, prep, nothing, lambda: int(ipctk.has_intersections(M, st["V"], b)))


def _ipc_prox(s, st, bp, ccd):
    ipctk, np, F, Ed, V0, L = ipc(s, st)
    b = getattr(ipctk, bp)()
    M = ipctk.CollisionMesh(V0, Ed, F)
    c = ipctk.Candidates()

    def prep(f):
        st["V"] = np.asfortranarray(s.merged(f)[0])
        st["W"] = np.asfortranarray(s.merged(f - 1 if f else min(1, s.frames - 1))[0])

    def q():
        if ccd:
            c.build(M, st["W"], st["V"], 0.0, b)
        else:
            c.build(M, st["V"], 0.1 * L, b)
        return c
    r = bench(s, prep, nothing, q)
    for x in r:
        x["n"] = len(x["n"].fv_candidates) + len(x["n"].ee_candidates)
    return r


for _b, _sc, _slow in [("LBVH", SELF, False), ("HashGrid", [x for x in SELF if "1300k" not in x], False),
                       ("SpatialHash", ["sphere-80k", "loop-80k"], True),
                       ("SweepAndPrune", ["sphere-80k", "loop-80k"], True)]:
    peer("self-candidates", f"ipctk.{_b}.face_face_candidates", _sc, threads=(2, 1) if _b == "LBVH" else (2,), slow=_slow,
         note="update builds vertex, edge and face trees; candidates only")(lambda s, st, b=_b: _ipc_ff(s, st, b))
    peer("self-any", f"ipctk.has_intersections({_b})", _sc, threads=(2, 1) if _b == "LBVH" else (2,), slow=_slow,
         note="bool only; early out when intersecting")(lambda s, st, b=_b: _ipc_has(s, st, b))
    peer("proximity", f"ipctk.Candidates(0.1 edge,{_b})", PROX if not _slow else ["sphere-80k"],
         threads=(2, 1) if _b == "LBVH" else (2,), slow=_slow, note="n = FV + EE candidates")(lambda s, st, b=_b: _ipc_prox(s, st, b, False))
    peer("ccd", f"ipctk.Candidates(t0,t1,{_b})", PROX if not _slow else ["sphere-80k"],
         threads=(2, 1) if _b == "LBVH" else (2,), slow=_slow, note="n = FV + EE candidates")(lambda s, st, b=_b: _ipc_prox(s, st, b, True))


@peer("ccd-narrow", "ipctk.is_step_collision_free(LBVH)", ["sphere-20k", "sphere-80k", "near-10obj"], threads=(2, 1),
      note="broad phase + Tight-Inclusion CCD of every candidate; bool (1 = free)")
def ipc_ccd_full(s, st):
    ipctk, np, F, Ed, V0, L = ipc(s, st)
    b = ipctk.LBVH()
    M = ipctk.CollisionMesh(V0, Ed, F)

    def prep(f):
        st["V"] = np.asfortranarray(s.merged(f)[0])
        st["W"] = np.asfortranarray(s.merged(f - 1)[0])
    return bench(s, prep, nothing, lambda: int(ipctk.is_step_collision_free(M, st["W"], st["V"], broad_phase=b)))


@peer("self-any", "CGAL.PMP.does_self_intersect", ["sphere-5k", "sphere-20k", "sphere-80k", "sphere-320k", "loop-80k"])
def cgal_any(s, st):
    from CGAL import CGAL_Polygon_mesh_processing as P
    from importlib.metadata import version
    st["version"] = version("cgal")

    def prep(f):
        if st.get("f") != (s.name, f):
            st["M"], st["f"] = cgal_poly(s.v(0, f), s.e[0]), (s.name, f)
    return bench(s, prep, nothing, lambda: int(P.does_self_intersect(st["M"])))


def _warp_self(s, st, refit):
    import numpy as np
    K = warp_kernels(st)
    wp = K["wp"]
    t = wp.array(s.e[0].astype(np.int32), dtype=wp.int32)
    nt = len(s.e[0])
    x = wp.array((s.v(0, 0) * WSCALE).astype(np.float32), dtype=wp.vec3)
    lo, hi = wp.zeros(nt, dtype=wp.vec3), wp.zeros(nt, dtype=wp.vec3)
    cnt, out = wp.zeros(1, dtype=wp.int32), wp.zeros(1 << 20, dtype=wp.vec2i)
    wp.launch(K["tri_boxes"], nt, [x, t, lo, hi])
    B = wp.Bvh(lo, hi)

    def prep(f):
        x.assign((s.v(0, f) * WSCALE).astype(np.float32))

    def up():
        wp.launch(K["tri_boxes"], nt, [x, t, lo, hi])
        B.refit() if refit else B.rebuild()

    def build():
        wp.launch(K["tri_boxes"], nt, [x, t, lo, hi])
        wp.Bvh(lo, hi)

    def q():
        cnt.zero_()
        wp.launch(K["self_pairs"], nt, [B.id, x, t, lo, hi, cnt, out])
        return int(cnt.numpy()[0])
    return bench(s, prep, up, q, build)


@peer("self", "warp.Bvh refit + intersect_tri_tri (own kernel)", SELF, threads=(1,), note="float32, CPU launch is serial")
def warp_self(s, st):
    return _warp_self(s, st, True)


@peer("self", "warp.Bvh rebuild + intersect_tri_tri (own kernel)", ["sphere-80k", "loop-80k", "crumple-100k"], threads=(1,), slow=True)
def warp_self_rebuild(s, st):
    return _warp_self(s, st, False)
