"""What a call costs: beside the same call in Rust, and beside other packages on the same arrays, in one run.

    crates/crumple-py/test --quick                                  # builds the wheel and the Rust program, makes an environment
    python crates/crumple-py/benchmarks/compare.py --reference target/release/crumple-py-reference

Times are the best of several rounds, a mean over the frames; ratios are within one run. Frames and other packages are measured in
processor time of the whole process, which other work on the machine hardly changes, with one thread of ours; calls on two
triangles by the clock. Packages that are not installed are left out.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

os.environ.setdefault("RAYON_NUM_THREADS", "1")

import crumple  # noqa: E402

ROUNDS, FRAMES = 3, 3


class Dir:
    """A scene directory: manifest.json and raw arrays."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        manifest = json.loads((folder / "manifest.json").read_text())
        self.frames, self.bodies = manifest["frames"], manifest["objects"]
        self.positions = [
            [np.fromfile(folder / f"obj{b}_v_{f:03}.f64").reshape(-1, 3) for b in range(len(self.bodies))]
            for f in range(self.frames)
        ]
        self.elements = [np.fromfile(folder / f"obj{b}_e.u32", np.uint32) for b in range(len(self.bodies))]

    def add_all(self, scene: crumple.Scene) -> None:
        for b, body in enumerate(self.bodies):
            corners = self.elements[b]
            if body["kind"] == "tri":
                scene.add(self.positions[0][b], corners.reshape(-1, 3))
            elif body["kind"] == "tet":
                scene.add(self.positions[0][b], tets=corners.reshape(-1, 4))
            else:
                scene.add(self.positions[0][b])


def best(
    work: Callable[[], Any], rounds: int = ROUNDS, least: float = 0.0, clock: Callable[[], float] = time.process_time
) -> float:
    """Seconds of one call, the best of several; calls that are short are repeated."""
    times = []
    for _ in range(rounds):
        calls, start = 0, clock()
        while calls == 0 or clock() - start < least:
            work()
            calls += 1
        times.append((clock() - start) / calls)
    return min(times)


def ask(scene: crumple.Scene, question: str) -> Any:
    try:
        return scene.proximity(float(question))
    except ValueError:
        return getattr(scene, question)()


def beside_rust(program: str, folder: Path, name: str, question: str) -> list[str]:
    """One row: setting all positions and asking, in Rust and from Python, frame by frame."""
    where = folder / name
    if not where.exists():
        subprocess.run([program, "scene", str(folder), name, str(FRAMES)], check=True)
    of = Dir(where)
    # Both in turns, so that what else runs on the machine meets both.
    rust = {"set": np.inf, "ask": np.inf, "results": 0}
    scene = crumple.Scene()
    of.add_all(scene)
    put, got = np.full(of.frames, np.inf), np.full(of.frames, np.inf)
    results = 0
    for _ in range(3):
        told = json.loads(subprocess.run([program, "times", str(where), question], check=True, capture_output=True).stdout)
        rust = {key: min(rust[key], told[key]) if key != "results" else told[key] for key in told}
        for _ in range(ROUNDS):
            results = 0
            for f in range(of.frames):
                start = time.process_time()
                for b in range(len(of.bodies)):
                    scene.set_positions(b, of.positions[f][b])
                put[f] = min(put[f], time.process_time() - start)
                start = time.process_time()
                found = ask(scene, question)
                got[f] = min(got[f], time.process_time() - start)
                results += len(found)
    assert results == rust["results"], (name, question, results, rust)
    ours = {"set": put.mean(), "ask": got.mean()}
    over = [1e6 * (ours[key] - rust[key]) for key in ("set", "ask")]
    label = f"proximity({question})" if question[0].isdigit() else question
    cells = [name, label, f"{results // of.frames}"]
    cells += [f"{1e3 * rust['set']:.3f}", f"{1e3 * ours['set']:.3f}", f"{1e3 * rust['ask']:.3f}", f"{1e3 * ours['ask']:.3f}"]
    return [*cells, f"{over[0]:+.0f}", f"{over[1]:+.0f}"]


def small_calls(program: str) -> list[list[str]]:
    """What a call costs when there is next to nothing to do: two triangles."""
    flat = np.array([[0, 0, 0], [4, 0, 0], [0, 4, 0]], dtype=float)
    moved = flat + [0, 0, 1]
    scene = crumple.Scene()
    low, high = scene.add(flat, [[0, 1, 2]]), scene.add(moved, [[0, 1, 2]])

    def put(question: Callable[[], Any]) -> Callable[[], Any]:
        def both() -> None:
            scene.set_positions(high, moved)
            question()

        return both

    calls: dict[str, Callable[[], Any]] = {
        "set_positions": lambda: scene.set_positions(high, moved),
        "contacts, known already": scene.contacts,
        "set_positions and contacts": put(scene.contacts),
        "set_positions and proximity": put(lambda: scene.proximity(0.5)),
        "set_positions and distance": put(lambda: scene.distance(low, high)),
        "set_positions and impacts": put(scene.impacts),
    }
    rust, ours = dict.fromkeys(calls, np.inf), dict.fromkeys(calls, np.inf)
    for _ in range(5):  # in turns, so that what else runs on the machine meets both
        told = json.loads(subprocess.run([program, "small"], check=True, capture_output=True).stdout)
        for name, call in calls.items():
            rust[name] = min(rust[name], told[name])
            ours[name] = min(ours[name], best(call, 60, 0.001, time.perf_counter))
    numbers = {name: (1e6 * rust[name], 1e6 * ours[name]) for name in calls}
    return [[name, f"{r:.2f}", f"{p:.2f}", f"{p - r:+.2f}"] for name, (r, p) in numbers.items()]


def load(name: str) -> Any:
    try:
        return __import__(name, fromlist=["_"])
    except Exception:
        return None


Contest = tuple[str, Callable[[], Any], dict[str, Callable[[], Any]]]


def contests(data: Path | None, folder: Path, program: str) -> list[Contest]:
    """Questions that others answer too, on the same arrays."""
    igl, ipctk, trimesh, o3d, mm = (load(n) for n in ("igl", "ipctk", "trimesh", "open3d", "meshlib.mrmeshpy"))
    mn = load("meshlib.mrmeshnumpy")
    for name in ("sphere-20k", "inside-12k", "pair-knot12k-blob50k"):
        if not (folder / name).exists():
            subprocess.run([program, "scene", str(folder), name, "2"], check=True)
    out: list[Contest] = []

    of = Dir(folder / "sphere-20k")
    points, corners = of.positions[1][0], of.elements[0].reshape(-1, 3)
    long, ints = corners.astype(np.int64), corners.astype(np.int32)
    scene = crumple.Scene()
    body = scene.add(points, corners)

    def follow(question: Callable[[], Any]) -> Callable[[], Any]:
        def work() -> Any:
            scene.set_positions(body, points)
            return question()

        return work

    peers: dict[str, Callable[[], Any]] = {}
    if ipctk:
        ipc_mesh = ipctk.CollisionMesh(points, scene.mesh(body).edges.astype(np.int32), ints)
        peers["ipctk"] = lambda: ipctk.has_intersections(ipc_mesh, points)
    if o3d:
        legacy = o3d.geometry.TriangleMesh(o3d.utility.Vector3dVector(points), o3d.utility.Vector3iVector(ints))
        peers["open3d"] = lambda: legacy.is_self_intersecting()
    if mm and mn:
        def meshlib_self() -> Any:
            made = mn.meshFromFacesVerts(ints, points)
            pairs = mm.std_vector_FaceFace()
            mm.findSelfCollidingTriangles(made, pairs)
            return pairs

        peers["meshlib"] = meshlib_self
    out.append(("self-intersections of 20k triangles, a frame", follow(scene.contacts), peers))

    inner = Dir(folder / "inside-12k")
    kinds = [b["kind"] for b in inner.bodies]
    s, p = kinds.index("tri"), kinds.index("points")
    surface, faces, probes = inner.positions[0][s], inner.elements[s].reshape(-1, 3), inner.positions[0][p]
    solid = crumple.Scene()
    shell = solid.add(surface, faces)
    peers = {}
    if igl:
        peers["igl"] = lambda: igl.fast_winding_number(surface, faces.astype(np.int64), probes) > 0.5
    if o3d:
        def rays() -> Any:
            tracer = o3d.t.geometry.RaycastingScene()
            tracer.add_triangles(o3d.core.Tensor(surface.astype(np.float32)), o3d.core.Tensor(faces))
            return tracer.compute_occupancy(o3d.core.Tensor(probes.astype(np.float32)))

        peers["open3d"] = rays
    if trimesh:
        theirs, few = trimesh.Trimesh(surface, faces.astype(np.int64), process=False), probes[:1000]
        factor = len(probes) / len(few)

        def slow() -> Any:
            return theirs.contains(few)

        peers[f"trimesh (1,000 points, times {factor:.0f})"] = slow
    out.append((f"{len(probes):,} points in {len(faces):,} triangles", lambda: solid.inside(shell, probes), peers))

    pair = Dir(folder / "pair-knot12k-blob50k")
    (pa, pb), (ta, tb) = pair.positions[0][:2], (e.reshape(-1, 3) for e in pair.elements[:2])
    both = crumple.Scene()
    a, b = both.add(pa, ta), both.add(pb, tb)

    def touching() -> Any:
        both.set_positions(a, pa)
        both.set_positions(b, pb)
        return both.contacts_of("between")

    peers = {}
    if mm and mn:
        def meshlib_pairs() -> Any:
            left, right = mn.meshFromFacesVerts(ta.astype(np.int32), pa), mn.meshFromFacesVerts(tb.astype(np.int32), pb)
            return mm.findCollidingTriangles(left, right)

        peers["meshlib"] = meshlib_pairs
    if ipctk:
        joined, offset = np.concatenate([pa, pb]), len(pa)
        edges = np.concatenate([both.mesh(a).edges.astype(np.int32), both.mesh(b).edges.astype(np.int32) + offset])
        tri = np.concatenate([ta.astype(np.int32), tb.astype(np.int32) + offset])
        ipc_both = ipctk.CollisionMesh(joined, edges, tri)
        peers["ipctk (tells only whether)"] = lambda: ipctk.has_intersections(ipc_both, joined)
    if trimesh and load("fcl"):
        manager = trimesh.collision.CollisionManager()
        manager.add_object("a", trimesh.Trimesh(pa, ta.astype(np.int64), process=False))
        other = trimesh.Trimesh(pb, tb.astype(np.int64), process=False)
        peers["trimesh + fcl"] = lambda: manager.in_collision_single(other)
    out.append((f"contacts of {len(ta):,} and {len(tb):,} triangles, a frame", touching, peers))

    def shared() -> Any:
        both.set_positions(a, pa)
        return both.overlap(a, b)

    peers = {}
    if mm and mn:
        def meshlib_boolean() -> Any:
            left, right = mn.meshFromFacesVerts(ta.astype(np.int32), pa), mn.meshFromFacesVerts(tb.astype(np.int32), pb)
            return mm.boolean(left, right, mm.BooleanOperation.Intersection).mesh.volume()

        peers["meshlib"] = meshlib_boolean
    if trimesh and load("manifold3d"):
        ma, mb = (trimesh.Trimesh(x, y.astype(np.int64), process=False) for x, y in ((pa, ta), (pb, tb)))
        peers["trimesh + manifold"] = lambda: trimesh.boolean.intersection([ma, mb]).volume
    out.append(("their common volume, with bounds", shared, peers))

    if data and (data / "sequences" / "tshirt-drape").is_dir() and ipctk:
        clip = data / "sequences" / "tshirt-drape"
        sequence = crumple.Sequence(clip / "topology.obj", clip / "positions.f32")
        x, y = sequence[120], sequence[121]
        cloth = crumple.Scene()
        shirt = cloth.add(sequence.mesh.with_points(x))
        mesh = sequence.mesh
        ipc_shirt = ipctk.CollisionMesh(mesh.points, mesh.edges.astype(np.int32), mesh.triangles.astype(np.int32))

        def near() -> Any:
            cloth.set_positions(shirt, x)
            return cloth.proximity(0.134)

        def stencils() -> Any:
            found = ipctk.NormalCollisions()
            found.build(ipc_shirt, x, 0.134)
            return found

        step = {"ipctk": lambda: ipctk.compute_collision_free_stepsize(ipc_shirt, x, y)}
        out.append(("largest free step, T-shirt of 2,745 triangles", lambda: cloth.safe_step(y), step))
        out.append(("close pairs of the T-shirt", near, {"ipctk": stencils}))
    return out


def table(heads: list[str], rows: Iterable[list[str]]) -> None:
    """Prints rows as they come."""
    print("| " + " | ".join(heads) + " |")
    print("|" + "|".join(["---"] + ["--:"] * (len(heads) - 1)) + "|", flush=True)
    for row in rows:
        print("| " + " | ".join(row) + " |", flush=True)
    print()


def beside_others(data: Path | None, folder: Path, program: str) -> Iterator[list[str]]:
    for name, ours, peers in contests(data, folder, program):
        ours()
        mine = best(ours, least=0.05)
        cells = []
        for peer, theirs in peers.items():
            try:
                theirs()
                factor = float(peer.rsplit("times ", 1)[1].rstrip(")")) if "times " in peer else 1.0
                taken = factor * best(theirs, rounds=3)
                cells.append(f"{peer.split(' (1,000')[0]} {1e3 * taken:.4g} ({taken / mine:.1f}×)")
            except Exception as error:
                cells.append(f"{peer}: {type(error).__name__}")
        yield [name, f"{1e3 * mine:.4g}", ", ".join(cells) or "none installed"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--reference", default=os.environ.get("CRUMPLE_REFERENCE"), help="the program crumple-py-reference")
    parser.add_argument("--scenes", type=Path, default=None, help="where scenes are written; a temporary folder unless told")
    every = ["small", "frames", "others"]
    parser.add_argument("--only", choices=every, action="append", help="a table, can be repeated; all unless told")
    options = parser.parse_args()
    sections = options.only or every
    if not options.reference:
        sys.exit("name the program with --reference: cargo build --release -p crumple-py-reference")
    data = Path(os.environ["CRUMPLE_DATA"]) if os.environ.get("CRUMPLE_DATA") else None
    with tempfile.TemporaryDirectory() as scratch:
        folder = options.scenes or Path(scratch)
        folder.mkdir(parents=True, exist_ok=True)
        if "small" in sections:
            print("Calls on two triangles, microseconds:\n")
            table(["call", "Rust", "Python", "Python adds"], small_calls(options.reference))
        wanted = [
            ("sphere-320k", "contacts"), ("drape-large", "contacts"), ("drape-large", "0.002"), ("drape-large", "impacts"),
            ("tets-E", "vertices_in_tets"), ("tets-E", "penetrations"),
        ]  # fmt: skip
        if "frames" in sections:
            print("A frame from Python beside the same calls in Rust, milliseconds; what Python adds, microseconds:\n")
            rows = (beside_rust(options.reference, folder, *which) for which in wanted)
            heads = ["scene", "question", "rows", "set, Rust", "set, Python", "ask, Rust", "ask, Python"]
            table([*heads, "set adds, µs", "ask adds, µs"], rows)
        if "others" in sections:
            print("Beside other packages on the same arrays, milliseconds, and how many times as long they take:\n")
            table(["question", "Crumple", "others"], beside_others(data, folder, options.reference))


if __name__ == "__main__":
    main()
