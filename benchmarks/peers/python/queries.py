"""Narrow phases on the same single queries: ipctk's two, and Crumple's by `crumple step --queries`.

    python queries.py DATA PROGRAM [--sample N] [--tight N]

DATA/ccd-queries has the published hand-made sets with their verdicts. Of DATA/frame-pairs/rod-twist a sample of N broad-phase
candidates (LBVH, swept boxes) of each kind is written in the published format and asked about too; there Crumple's verdict stands for
the truth, which the tests hold to the published list. CPU time of one thread a query; Crumple's is the least of five runs of
the program. Tight-Inclusion takes only the first N of each set, since single queries take it seconds. ipctk is called from
Python, which costs each of its queries some microseconds. Needs numpy and ipctk.
"""
import argparse
import csv
import glob
import json
import os
import subprocess
import sys
import tempfile
import time

import ipctk
import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import frames  # noqa: E402

ipctk.set_logger_level(ipctk.LoggerLevel.off)
NARROW = {"additive": ipctk.AdditiveCCD(), "tight-inclusion": ipctk.TightInclusionCCD()}


def read(path):
    """Positions (n, 8, 3) and verdicts of a file of queries."""
    rows = [[int(x) for x in row] for row in csv.reader(open(path))]
    points = np.array([[r[0] / r[1], r[2] / r[3], r[4] / r[5]] for r in rows]).reshape(-1, 8, 3)
    return points, np.array([r[6] for r in rows[::8]], bool)


def write(path, points):
    """The same the other way; every double is a quotient of integers."""
    with open(path, "w") as out:
        for p in points.reshape(-1, 3):
            words = [str(n) for x in p for n in float(x).as_integer_ratio()]
            out.write(",".join(words + ["0"]) + "\n")


def theirs(ccd, kind, points):
    """Verdicts, and seconds of CPU time."""
    ask = ccd.edge_edge_ccd if kind == "edge-edge" else ccd.point_triangle_ccd
    queries = [tuple(np.ascontiguousarray(p) for p in query) for query in points]
    start = time.process_time()
    hits = [ask(*query)[0] for query in queries]
    return np.array(hits, bool), time.process_time() - start


def ours(program, path, kind):
    best, report = float("inf"), None
    for _ in range(5):
        call = [program, "step", "--queries", path, "--kind", kind, "--threads", "1", "--json"]
        report = json.loads(subprocess.run(call, capture_output=True, text=True).stdout)
        best = min(best, report["seconds"]["query"])
    return np.array(report["verdicts"], bool), best


def candidates(data, sample):
    """Files of rod-twist's candidates, by kind."""
    paths = sorted(glob.glob(os.path.join(data, "frame-pairs", "rod-twist", "*.ply")))
    (v0, corners), (v1, _) = (frames.read_ply(p) for p in paths)
    v0, v1 = (np.array(v).reshape(-1, 3) for v in (v0, v1))
    faces = np.array(corners, np.int32).reshape(-1, 3)
    edges = ipctk.edges(faces)
    found = ipctk.Candidates()
    mesh = ipctk.CollisionMesh(np.asfortranarray(v0), edges, faces)
    found.build(mesh, np.asfortranarray(v0), np.asfortranarray(v1), 0.0, ipctk.LBVH())
    random = np.random.default_rng(1)

    def some(all_of, corners_of):
        chosen = random.choice(len(all_of), min(sample, len(all_of)), replace=False)
        index = np.array([corners_of(all_of[int(i)]) for i in chosen])
        return np.concatenate([v0[index], v1[index]], axis=1)
    yield "edge-edge", some(found.ee_candidates, lambda c: [*edges[c.edge0_id], *edges[c.edge1_id]])
    yield "vertex-face", some(found.fv_candidates, lambda c: [c.vertex_id, *faces[c.face_id]])


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("data")
    ap.add_argument("program")
    ap.add_argument("--sample", type=int, default=5000)
    ap.add_argument("--tight", type=int, default=100)
    a = ap.parse_args()
    print("| set | kind | queries | hits | crumple ns, wrong | additive ns, false alarms, misses | tight-inclusion ns, false alarms, misses (of) |")
    print("| --- | --- | --: | --: | --: | --: | --: |")

    def row(name, kind, path, points, truth):
        verdicts, seconds = ours(a.program, path, kind)
        truth = verdicts if truth is None else truth
        cells = [name, kind, str(len(points)), str(truth.sum()), f"{1e9 * seconds / len(points):.0f}, {(verdicts != truth).sum()}"]
        for which, limit in (("additive", len(points)), ("tight-inclusion", min(a.tight, len(points)))):
            hits, seconds = theirs(NARROW[which], kind, points[:limit])
            false, missed = (hits & ~truth[:limit]).sum(), (~hits & truth[:limit]).sum()
            of = f" ({limit})" if limit < len(points) else ""
            cells.append(f"{1e9 * seconds / limit:.0f}, {false}, {missed}{of}")
        print("| " + " | ".join(cells) + " |", flush=True)

    for folder in ["*"] + sorted(os.listdir(os.path.join(a.data, "ccd-queries"))):
        for kind in ("edge-edge", "vertex-face"):
            parts = sorted(glob.glob(os.path.join(a.data, "ccd-queries", folder, kind, "*.csv")))
            if not parts:
                continue
            points, truth = (np.concatenate(x) for x in zip(*map(read, parts)))
            with tempfile.TemporaryDirectory() as temporary:
                path = os.path.join(temporary, "queries.csv")
                write(path, points)
                row("all hand-made" if folder == "*" else folder, kind, path, points, truth)
    with tempfile.TemporaryDirectory() as temporary:
        for kind, points in candidates(a.data, a.sample):
            path = os.path.join(temporary, kind + ".csv")
            write(path, points)
            row("rod-twist candidates", kind, path, points, None)


if __name__ == "__main__":
    main()
