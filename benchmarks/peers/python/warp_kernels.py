"""Kernels of our own on warp's trees. CPU launches are serial, positions float32."""
_WP = {}
WSCALE = 1000.0  # warp's intersect_tri_tri has an absolute coplanarity epsilon: at unit scale it reports false pairs


def warp_kernels(st):
    if _WP:
        st["version"] = _WP["wp"].__version__
        return _WP
    import warp as wp
    wp.config.quiet = True
    wp.init()
    st["version"] = wp.__version__

    @wp.kernel
    def tri_boxes(x: wp.array(dtype=wp.vec3), t: wp.array2d(dtype=wp.int32), lo: wp.array(dtype=wp.vec3), hi: wp.array(dtype=wp.vec3)):
        i = wp.tid()
        a, b, c = x[t[i, 0]], x[t[i, 1]], x[t[i, 2]]
        lo[i] = wp.min(wp.min(a, b), c)
        hi[i] = wp.max(wp.max(a, b), c)

    @wp.kernel
    def self_pairs(bvh: wp.uint64, x: wp.array(dtype=wp.vec3), t: wp.array2d(dtype=wp.int32), lo: wp.array(dtype=wp.vec3),
                   hi: wp.array(dtype=wp.vec3), count: wp.array(dtype=wp.int32), out: wp.array(dtype=wp.vec2i)):
        i = wp.tid()
        a0, a1, a2 = t[i, 0], t[i, 1], t[i, 2]
        q = wp.bvh_query_aabb(bvh, lo[i], hi[i])
        j = wp.int32(0)
        while wp.bvh_query_next(q, j):
            if j > i:
                b0, b1, b2 = t[j, 0], t[j, 1], t[j, 2]
                if a0 != b0 and a0 != b1 and a0 != b2 and a1 != b0 and a1 != b1 and a1 != b2 and a2 != b0 and a2 != b1 and a2 != b2:
                    if wp.intersect_tri_tri(x[a0], x[a1], x[a2], x[b0], x[b1], x[b2]) != 0:
                        k = wp.atomic_add(count, 0, 1)
                        if k < out.shape[0]:
                            out[k] = wp.vec2i(i, j)

    @wp.kernel
    def cross_pairs(bvh: wp.uint64, x: wp.array(dtype=wp.vec3), t: wp.array2d(dtype=wp.int32), y: wp.array(dtype=wp.vec3),
                    u: wp.array2d(dtype=wp.int32), count: wp.array(dtype=wp.int32), out: wp.array(dtype=wp.vec2i)):
        i = wp.tid()
        a, b, c = y[u[i, 0]], y[u[i, 1]], y[u[i, 2]]
        q = wp.bvh_query_aabb(bvh, wp.min(wp.min(a, b), c), wp.max(wp.max(a, b), c))
        j = wp.int32(0)
        while wp.bvh_query_next(q, j):
            if wp.intersect_tri_tri(x[t[j, 0]], x[t[j, 1]], x[t[j, 2]], a, b, c) != 0:
                k = wp.atomic_add(count, 0, 1)
                if k < out.shape[0]:
                    out[k] = wp.vec2i(j, i)

    @wp.kernel
    def tet_boxes(x: wp.array(dtype=wp.vec3), t: wp.array2d(dtype=wp.int32), lo: wp.array(dtype=wp.vec3), hi: wp.array(dtype=wp.vec3)):
        i = wp.tid()
        a, b, c, d = x[t[i, 0]], x[t[i, 1]], x[t[i, 2]], x[t[i, 3]]
        lo[i] = wp.min(wp.min(a, b), wp.min(c, d))
        hi[i] = wp.max(wp.max(a, b), wp.max(c, d))

    @wp.kernel
    def points_in_tets(bvh: wp.uint64, x: wp.array(dtype=wp.vec3), t: wp.array2d(dtype=wp.int32), vid: wp.array(dtype=wp.int32),
                       eid: wp.array(dtype=wp.int32), lst: wp.array(dtype=wp.int32), count: wp.array(dtype=wp.int32),
                       out: wp.array(dtype=wp.vec2i), bary: wp.array(dtype=wp.vec3)):
        i = lst[wp.tid()]
        p = x[i]
        q = wp.bvh_query_aabb(bvh, p, p)
        j = wp.int32(0)
        while wp.bvh_query_next(q, j):
            if eid[j] != vid[i]:
                a = x[t[j, 0]]
                e1, e2, e3, r = x[t[j, 1]] - a, x[t[j, 2]] - a, x[t[j, 3]] - a, p - a
                det = wp.dot(e1, wp.cross(e2, e3))
                u = wp.dot(r, wp.cross(e2, e3)) / det
                v = wp.dot(e1, wp.cross(r, e3)) / det
                w = wp.dot(e1, wp.cross(e2, r)) / det
                if u >= 0.0 and v >= 0.0 and w >= 0.0 and u + v + w <= 1.0:
                    k = wp.atomic_add(count, 0, 1)
                    if k < out.shape[0]:
                        out[k] = wp.vec2i(i, j)
                        bary[k] = wp.vec3(u, v, w)

    @wp.kernel
    def inside_parity(mesh: wp.uint64, p: wp.array(dtype=wp.vec3), maxd: float, out: wp.array(dtype=wp.int32)):
        i = wp.tid()
        q = wp.mesh_query_point_sign_parity(mesh, p[i], maxd)
        out[i] = wp.where(q.sign < 0.0, 1, 0)

    @wp.kernel
    def inside_winding(mesh: wp.uint64, p: wp.array(dtype=wp.vec3), maxd: float, out: wp.array(dtype=wp.int32)):
        i = wp.tid()
        q = wp.mesh_query_point_sign_winding_number(mesh, p[i], maxd)
        out[i] = wp.where(q.sign < 0.0, 1, 0)

    _WP.update(wp=wp, tri_boxes=tri_boxes, self_pairs=self_pairs, cross_pairs=cross_pairs, tet_boxes=tet_boxes,
               points_in_tets=points_in_tets, inside_parity=inside_parity, inside_winding=inside_winding)
    return _WP
