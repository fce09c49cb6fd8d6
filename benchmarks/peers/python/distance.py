"""The sum of the least distances of all pairs of objects."""
from common import NEAR, bench, peer
from engines import _coal, all_pairs, ml_bodies


@peer("distance", "python-fcl.distance rebuild", NEAR, note="update = endModel of every object; all pairs", slow=True)
def fcl_dist(s, st):
    import fcl, numpy as np
    from importlib.metadata import version
    st["version"] = version("python-fcl")

    def one(f):
        ms = []
        for i in range(len(s)):
            m = fcl.BVHModel()
            m.beginModel(len(s.v(i, f)), len(s.e[i]))
            m.addSubModel(s.v(i, f), s.e[i].astype(np.int32))
            ms.append(m)
        return ms

    def prep(f):
        st["pool"] = [one(f) for _ in range(3)]

    def up():
        ms = st["pool"].pop()
        for m in ms:
            m.endModel()
        st["o"] = [fcl.CollisionObject(m, fcl.Transform()) for m in ms]

    def q():
        o = st["o"]
        return sum(fcl.distance(o[i], o[j], fcl.DistanceRequest(enable_nearest_points=True), fcl.DistanceResult()) for i, j in all_pairs(len(o)))
    return bench(s, prep, up, q)


def _coal_dist(coal, ms):
    I = coal.Transform3s()
    return sum(coal.distance(ms[i], I, ms[j], I, coal.DistanceRequest(), coal.DistanceResult()) for i, j in all_pairs(len(ms)))


@peer("distance", "coal.distance OBBRSS refit", NEAR, slow=True)
def coal_dist(s, st):
    return _coal(s, st, "BVHModelOBBRSS", _coal_dist)


@peer("distance", "meshlib.findDistance refit", NEAR, threads=(2, 1))
def ml_dist(s, st):
    import meshlib.mrmeshpy as mm
    M, prep, build, refit = ml_bodies(s, st)

    def q():
        return sum(mm.findDistance(M[i], M[j]).distSq ** 0.5 for i, j in all_pairs(len(M)))
    return bench(s, prep, refit, q, build)


@peer("distance", "manifold3d.min_gap", NEAR[:2], slow=True, note="update = Manifold() of every object; search length 1 at most, so larger distances are cut; nested solids count as distance 0")
def m3_gap(s, st):
    import manifold3d as m3, numpy as np
    from importlib.metadata import version
    st["version"] = version("manifold3d")

    def prep(f):
        st["m"] = [m3.Mesh64(vert_properties=s.v(i, f), tri_verts=s.e[i].astype(np.uint64)) for i in range(len(s))]

    def up():
        st["M"] = [m3.Manifold(m) for m in st["m"]]
        for m in st["M"]:
            m.num_tri()

    def q():
        M = st["M"]
        L = 1.0 if len(M) > 2 else 0.25
        return sum(M[i].min_gap(M[j], L) for i, j in all_pairs(len(M)))
    return bench(s, prep, up, q)
