"""Scenes, the registry of peers, and the measuring loop that all questions share."""
import json
import os
import time

REG = []  # (question, peer, threads list, scene list, slow, fn, note)

SELF = ["sphere-5k", "sphere-20k", "sphere-80k", "sphere-320k", "sphere-1300k",
        "loop-5k", "loop-20k", "loop-80k", "loop-320k", "crumple-20k", "crumple-100k"]
PAIRS = ["pair-knot12k-blob50k", "pair-blob50k-blob110k", "pair-blob110k-blob150k", "pair-knot12k-blob520k"]
TRITRI = ["drape-small", "drape-large"] + PAIRS
TETS = ["tets-A", "tets-B", "tets-C", "tets-D", "tets-E", "tets-1M"]
INSIDE = ["inside-12k", "inside-50k", "inside-110k", "inside-150k", "inside-520k"]
NEAR = ["near-10obj", "near-pair-100k", "near-shell-100k"]
PROX = ["sphere-20k", "sphere-80k", "sphere-320k", "loop-80k", "loop-320k", "crumple-20k", "crumple-100k",
        "drape-small", "drape-large"]
STEPS = ["tshirt-drape", "rumba-dancer", "rod-twist", "cloth-ball", "n-body-simulation", "sphere-80k", "sphere-320k",
         "loop-320k", "near-10obj", "drape-large", "crumple-100k"]


def peer(question, name, scenes, threads=(2,), slow=False, note=""):
    """Registers a function(scene, state) -> rows. `slow`: left out by --quick, never the fastest on our records."""
    def deco(fn):
        REG.append(dict(question=question, peer=name, threads=list(threads), scenes=scenes, slow=slow, fn=fn, note=note))
        return fn
    return deco


# ----------------------------------------------------------------------------- scene access
class Scene:
    def __init__(self, root, name):
        import numpy as np
        self.np, self.root, self.name = np, root, name
        self.dir = os.path.join(root, name)
        self.man = json.load(open(os.path.join(self.dir, "manifest.json")))
        self.frames = self.man["frames"]
        self.e = []
        for i, o in enumerate(self.man["objects"]):
            k = {"tri": 3, "tet": 4, "points": 1}[o["kind"]]
            self.e.append(np.fromfile(os.path.join(self.dir, f"obj{i}_e.u32"), "<u4").reshape(-1, k))
        self._v = {}

    def v(self, i, f):
        if (i, f) not in self._v:
            self._v[i, f] = self.np.fromfile(os.path.join(self.dir, f"obj{i}_v_{f:03}.f64"), "<f8").reshape(-1, 3)
        return self._v[i, f]

    def __len__(self):
        return len(self.e)

    def merged(self, f):
        """all objects as one mesh: positions, elements, object id of every element"""
        np = self.np
        off = np.concatenate([[0], np.cumsum([o["vertices"] for o in self.man["objects"]])])
        V = np.concatenate([self.v(i, f) for i in range(len(self))])
        E = np.concatenate([self.e[i].astype(np.int64) + off[i] for i in range(len(self))])
        vid = np.concatenate([np.full(o["vertices"], i, np.int32) for i, o in enumerate(self.man["objects"])])
        eid = np.concatenate([np.full(o["elements"], i, np.int32) for i, o in enumerate(self.man["objects"])])
        return V, E, vid, eid


# ----------------------------------------------------------------------------- bench
def bench(scene, prep, update, query, build=None, reps=3, apart=False, frames=None):
    """Rows of one peer on one scene: prep(f) untimed, update() and query() -> n timed, for all frames or those given.

    A frame's time is its best of `reps`; the mean over the frames is reported, and n is summed over them. A peer that has
    spent 2 s of CPU time does not see the other frames; its n is then None. `apart`: one row a frame.
    """
    out = []
    tb = None
    if build is not None:
        prep(0)
        t = time.perf_counter()
        build()
        tb = time.perf_counter() - t
    frames = range(scene.frames) if frames is None else frames
    for group in [[f] for f in frames] if apart else [list(frames)]:
        rows, counts = [], []
        for f in group:
            row, n = best_of(reps, prep, update, query, f)
            rows.append(row)
            counts.append(n)
            if sum(r[3] for r in rows) > 2:
                break
        m = [sum(r[k] for r in rows) / len(rows) for k in range(4)]
        n = total(counts) if len(rows) == len(group) else None
        out.append(dict(scene=scene.name + (f"#{group[0]}" if apart else ""), build=tb, update=m[0], query=m[1],
                        total=m[2], cpu=m[3], n=n))
    return out


def best_of(reps, prep, update, query, frame):
    """(update, query, both in wall time, both in CPU time of all threads) and the answer"""
    prep(frame)
    best, cpu = None, 1e30
    for _ in range(reps):
        t0, c0 = time.perf_counter(), time.process_time()
        update()
        t1 = time.perf_counter()
        n = query()
        t2, c2 = time.perf_counter(), time.process_time()
        cpu = min(cpu, c2 - c0)
        if best is None or t2 - t0 < best[2]:
            best = (t1 - t0, t2 - t1, t2 - t0)
        if c2 - c0 > 2:
            break
    return best + (cpu,), n


def total(counts):
    """The sum where answers are numbers, else the first frame's."""
    return sum(counts) if all(isinstance(n, (int, float)) for n in counts) else counts[0]


def nothing():
    return None
