"""The largest share of each step from frame to frame that touches nothing: two-frame candidates, then a narrow phase."""
from common import STEPS, bench, nothing, peer
from surfaces import ipc


def _ipc_step(s, st, ccd):
    ipctk, np, F, Ed, V, _ = ipc(s, st)
    mesh, broad, narrow = ipctk.CollisionMesh(V, Ed, F), ipctk.LBVH(), getattr(ipctk, ccd)()

    def prep(f):
        st["step"] = [np.asfortranarray(s.merged(g)[0]) for g in (f - 1, f)]

    def q():
        return ipctk.compute_collision_free_stepsize(mesh, *st["step"], 0.0, broad, narrow)
    return bench(s, prep, nothing, q, frames=range(1, s.frames))


for _name in ("AdditiveCCD", "TightInclusionCCD"):
    peer("step", f"ipctk.{_name}(LBVH)", STEPS, threads=(2, 1),
         note="compute_collision_free_stepsize; n = sum of the shares; bodies in one mesh")(
             lambda s, st, ccd=_name: _ipc_step(s, st, ccd))
