"""100,000 points in a closed surface."""
from common import INSIDE, bench, nothing, peer
from engines import cgal_poly, ml_mesh, ml_version, vtk_init, vtk_pd
from warp_kernels import warp_kernels


@peer("inside", "open3d.RaycastingScene.compute_occupancy", INSIDE, threads=(2, 1), note="Embree, float32, ray parity")
def o3d_occ(s, st):
    import open3d as o3d, numpy as np
    st["version"] = o3d.__version__
    v, e = o3d.core.Tensor(s.v(0, 0).astype(np.float32)), o3d.core.Tensor(s.e[0])
    q0 = o3d.core.Tensor(s.v(1, 0).astype(np.float32))

    def up():
        st["s"] = o3d.t.geometry.RaycastingScene(st["threads"])
        st["s"].add_triangles(v, e)
        st["s"].compute_occupancy(q0[:1])
    return bench(s, lambda f: None, up, lambda: int((st["s"].compute_occupancy(q0).numpy() > 0.5).sum()))


@peer("inside", "open3d.RaycastingScene.compute_signed_distance", INSIDE[:3], slow=True, note="Embree closest point + 1 ray; float32")
def o3d_sd(s, st):
    import open3d as o3d, numpy as np
    st["version"] = o3d.__version__
    v, e = o3d.core.Tensor(s.v(0, 0).astype(np.float32)), o3d.core.Tensor(s.e[0])
    q0 = o3d.core.Tensor(s.v(1, 0).astype(np.float32))

    def up():
        st["s"] = o3d.t.geometry.RaycastingScene()
        st["s"].add_triangles(v, e)
        st["s"].compute_occupancy(q0[:1])
    return bench(s, lambda f: None, up, lambda: int((st["s"].compute_signed_distance(q0).numpy() < 0).sum()))


@peer("inside", "libigl.FastWindingNumberBVH", INSIDE, threads=(2, 1), note="approximate winding number, threshold 0.5", slow=True)
def igl_fwn(s, st):
    import igl, numpy as np
    from importlib.metadata import version
    st["version"] = version("libigl")
    F = s.e[0].astype(np.int64)

    def up():
        st["b"] = igl.FastWindingNumberBVH()
        st["b"].init(s.v(0, 0), F)
    return bench(s, lambda f: None, up, lambda: int((st["b"].winding_number(s.v(1, 0)) > 0.5).sum()))


@peer("inside", "trimesh.contains (embreex)", INSIDE, note="Embree ray parity with retries", slow=True)
def tm_contains(s, st):
    import trimesh
    st["version"] = trimesh.__version__

    def up():
        m = trimesh.Trimesh(s.v(0, 0), s.e[0], process=False)
        m.ray.contains_points(s.v(1, 0)[:1])
        st["m"] = m
    return bench(s, lambda f: None, up, lambda: int(st["m"].ray.contains_points(s.v(1, 0)).sum()))


@peer("inside", "vtkSelectEnclosedPoints", INSIDE, threads=(2,), slow=True, note="locator build included in query")
def vtk_sel(s, st):
    vtk = vtk_init(st)
    from vtkmodules.util.numpy_support import vtk_to_numpy
    S, R = vtk_pd(s.v(0, 0), s.e[0]), vtk_pd(s.v(1, 0))

    def q():
        c = vtk.vtkSelectEnclosedPoints()
        c.SetInputData(R)
        c.SetSurfaceData(S)
        c.SetTolerance(0.0)
        c.Update()
        return int(vtk_to_numpy(c.GetOutput().GetPointData().GetArray("SelectedPoints")).sum())
    return bench(s, lambda f: None, nothing, q)


@peer("inside", "pysdf.contains", INSIDE, threads=(2, 1), note="robust mode, ray casting, float32")
def pysdf_in(s, st):
    import pysdf, numpy as np
    from importlib.metadata import version
    st["version"] = version("pysdf")
    V, F, Q = s.v(0, 0).astype(np.float32), s.e[0].astype(np.uint32), s.v(1, 0).astype(np.float32)

    def up():
        st["s"] = pysdf.SDF(V, F)
    return bench(s, lambda f: None, up, lambda: int(st["s"].contains(Q, n_threads=st["threads"]).sum()))


@peer("inside", "point_cloud_utils.fast_winding_number", INSIDE[:3], slow=True, note="build included in query")
def pcu_in(s, st):
    import point_cloud_utils as p, numpy as np
    from importlib.metadata import version
    st["version"] = version("point-cloud-utils")
    F = s.e[0].astype(np.int64)
    return bench(s, lambda f: None, nothing, lambda: int((p.triangle_soup_fast_winding_number(s.v(0, 0), F, s.v(1, 0)) > 0.5).sum()))


@peer("inside", "meshlib.FastWindingNumber", INSIDE, threads=(2,), note="update = AABB tree + dipoles", slow=True)
def ml_fwn(s, st):
    import meshlib.mrmeshpy as mm, meshlib.mrmeshnumpy as mn, numpy as np
    ml_version(st)
    M = ml_mesh(s.v(0, 0), s.e[0])[0]
    pts = mn.fromNumpyArray(s.v(1, 0))

    def up():
        M.invalidateCaches()
        M.getAABBTree()
        M.getDipoles()
        st["w"] = mm.FastWindingNumber(M)

    def q():
        res = mm.std_vector_float()
        st["w"].calcFromVector(res, pts, 2.0, mm.FaceId(), mm.func_bool_from_float())
        return res
    r = bench(s, lambda f: None, up, q)
    for x in r:
        x["n"] = int(sum(1 for i in range(len(x["n"])) if x["n"][i] > 0.5))
    return r


def _warp_inside(s, st, kind):
    import numpy as np
    K = warp_kernels(st)
    wp = K["wp"]
    x = wp.array(s.v(0, 0).astype(np.float32), dtype=wp.vec3)
    t = wp.array(s.e[0].astype(np.int32).ravel(), dtype=wp.int32)
    p = wp.array(s.v(1, 0).astype(np.float32), dtype=wp.vec3)
    out = wp.zeros(len(s.v(1, 0)), dtype=wp.int32)
    M = wp.Mesh(points=x, indices=t, support_winding_number=(kind == "inside_winding"))

    def q():
        wp.launch(K[kind], len(out), [M.id, p, 1e6, out])
        return int(out.numpy().sum())
    return bench(s, lambda f: None, lambda: M.refit(), q, lambda: wp.Mesh(points=x, indices=t, support_winding_number=(kind == "inside_winding")))


@peer("inside", "warp.Mesh refit + sign_parity", INSIDE, threads=(1,), note="also returns the closest point; float32", slow=True)
def warp_par(s, st):
    return _warp_inside(s, st, "inside_parity")


@peer("inside", "warp.Mesh refit + sign_winding_number", INSIDE[:3], threads=(1,), slow=True, note="also returns the closest point; float32")
def warp_wn(s, st):
    return _warp_inside(s, st, "inside_winding")


@peer("inside", "CGAL.Side_of_triangle_mesh", INSIDE[:2], threads=(1,), slow=True, note="exact; one Python call a point")
def cgal_side(s, st):
    from CGAL import CGAL_Polygon_mesh_processing as P
    from CGAL.CGAL_Kernel import Point_3
    from importlib.metadata import version
    st["version"] = version("cgal")
    M = cgal_poly(s.v(0, 0), s.e[0])
    pts = [Point_3(*p) for p in s.v(1, 0).tolist()]

    def up():
        st["s"] = P.Side_of_triangle_mesh(M)
        st["s"].bounded_side(pts[0])
    return bench(s, lambda f: None, up, lambda: sum(1 for p in pts if st["s"].bounded_side(p) == 1))
