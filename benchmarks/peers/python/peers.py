#!/usr/bin/env python3
"""Times engines that Python can drive, on scene directories (`crumple convert --scene NAME SCENES/NAME`).

    python3 peers.py SCENES [--question GLOB] [--peer GLOB] [--scene GLOB,GLOB…] [--threads N] [--quick] [--out FILE.json]
    python3 peers.py --tables FILE.json       # summary and full tables as Markdown

Each (peer, question, threads) runs in its own process and walks its scenes by growing size; the process is killed when
one scene takes longer than --hard seconds, and larger scenes of the same family are skipped once a call passes --cap
seconds.

What is timed: per frame, `update` (rebuild or refit of the peer's structure for new positions) and `query` (the answer).
Array conversion into the peer's own containers is not timed unless the interface offers no way to separate it (then the
record's note says so). Every frame is run 3 times, the fastest counts, and the mean over the frames is reported. `cpu`
is process CPU time of all threads, least of the same runs: on a loaded machine the better estimate for one thread.
"""
import argparse
import fnmatch
import json
import os
import selectors
import subprocess
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from common import INSIDE, NEAR, REG, SELF, STEPS, TETS, TRITRI, Scene
import surfaces, pairs, tets, volume, inside, distance, steps  # noqa: F401, E401  each registers its peers


def family(scene):
    return scene.rsplit("-", 1)[0] if scene.split("-")[0] in ("sphere", "loop", "crumple", "inside", "drape") else scene.split("-")[0]


def worker(a):
    idx, threads = a.worker, a.threads
    if threads == 1:
        os.sched_setaffinity(0, {sorted(os.sched_getaffinity(0))[os.getpid() % len(os.sched_getaffinity(0))]})
    r = REG[idx]
    stuck = set()
    for name in r["scenes"]:
        if not any(fnmatch.fnmatch(name, g) for g in a.scene.split(",")) or family(name) in stuck:
            continue
        print(json.dumps({"begin": name}), flush=True)
        st, sc = {"threads": threads}, Scene(a.scenes, name)
        prims = 100000 if r["question"] == "inside" else sum(o["elements"] for o in sc.man["objects"])
        try:
            rows = r["fn"](sc, st)
        except Exception as ex:  # a peer that does not work is a result too
            rows = [dict(scene=name, error=f"{type(ex).__name__}: {str(ex)[:200]}")]
        for x in rows:
            x.update(prims=prims, question=r["question"], peer=r["peer"], threads=threads, version=st.get("version", ""),
                     load=round(os.getloadavg()[0], 2), note=r["note"])
            print(json.dumps(x), flush=True)
            if x.get("cpu", 0) > a.cap:
                stuck.add(family(name))


def run(a):
    recs = []
    t_start = time.time()
    for idx, r in enumerate(REG):
        if not fnmatch.fnmatch(r["question"], a.question) or not fnmatch.fnmatch(r["peer"], a.peer):
            continue
        if a.quick and r["slow"]:
            continue
        for th in [a.threads] if a.threads else r["threads"]:
            cmd = [sys.executable, os.path.abspath(__file__), a.scenes, "--worker", str(idx), "--threads", str(th),
                   "--cap", str(a.cap), "--scene", a.scene]
            env = dict(os.environ, PYTHONWARNINGS="ignore")
            p = subprocess.Popen(cmd, stdout=subprocess.PIPE, stderr=subprocess.PIPE if not a.verbose else None, env=env)
            sel = selectors.DefaultSelector()
            sel.register(p.stdout, selectors.EVENT_READ)
            buf, current, last = b"", None, time.time()
            while True:
                if sel.select(timeout=1.0):
                    chunk = os.read(p.stdout.fileno(), 1 << 16)
                    if not chunk:
                        break
                    buf += chunk
                    last = time.time()
                    while b"\n" in buf:
                        line, buf = buf.split(b"\n", 1)
                        try:
                            x = json.loads(line)
                        except ValueError:
                            continue
                        if "begin" in x:
                            current = x["begin"]
                            continue
                        recs.append(x)
                        show(x)
                elif time.time() - last > a.hard:
                    p.kill()
                    x = dict(scene=current, question=r["question"], peer=r["peer"], threads=th, error=f"killed after {a.hard} s")
                    recs.append(x)
                    show(x)
                    break
            rc = p.wait()
            json.dump(recs, open(a.out + ".part", "w"))
            if rc not in (0, -9):
                x = dict(scene=current, question=r["question"], peer=r["peer"], threads=th, error=f"exit code {rc}")
                recs.append(x)
                show(x)
    print(f"# done in {time.time() - t_start:.0f} s, load {os.getloadavg()}", flush=True)
    return recs


def ms(x):
    return "-" if x is None else (f"{x * 1e3:.3f}" if x < 0.01 else f"{x * 1e3:.1f}" if x < 1 else f"{x * 1e3:.0f}")


def show(x):
    if "error" in x:
        print(f"{x['question']:16} {x['scene'] or '?':28} {x['peer']:52} t{x['threads']}  {x['error']}", flush=True)
        return
    n = x["n"] if "volume" not in x else f"{x['n']} vol {x['volume']:.9f}"
    print(f"{x['question']:16} {x['scene']:28} {x['peer']:52} t{x['threads']}  build {ms(x['build']):>8}  update {ms(x['update']):>8}  "
          f"query {ms(x['query']):>8}  total {ms(x['total']):>8}  cpu {ms(x['cpu']):>8} ms  n {n}  load {x['load']}", flush=True)


def scene_rank(name):
    base, _, f = name.partition("#")
    order = SELF + TRITRI + TETS + INSIDE + NEAR + STEPS
    return (order.index(base) if base in order else 999, f)


def summary(recs):
    """best and second-best distinct peer of every question and scene, by CPU time"""
    out = ["| question | scene | primitives | best peer | upd + query = cpu ms | ns/prim | second peer | cpu ms |", "|---|---|---|---|---|---|---|---|"]
    by = {}
    for x in recs:
        if "error" not in x:
            by.setdefault((x["question"], x["scene"]), []).append(x)
    qs = list(dict.fromkeys(q for q, _ in by))
    for q in qs:
        for (qq, sc), xs in sorted(by.items(), key=lambda kv: scene_rank(kv[0][1])):
            if qq != q:
                continue
            xs = sorted(xs, key=lambda x: x["cpu"])
            a = xs[0]
            b = next((x for x in xs if x["peer"].split()[0] != a["peer"].split()[0]), None)
            # split the CPU time in the ratio of the wall times of the two parts
            u = a["cpu"] * a["update"] / max(a["total"], 1e-12)
            split = f"{ms(u)} + {ms(a['cpu'] - u)} = " if a["update"] > 2e-5 else ""
            out.append(f"| {q} | {sc} | {a['prims']} | {a['peer']} t{a['threads']} | {split}**{ms(a['cpu'])}** | {a['cpu'] / a['prims'] * 1e9:.0f} | "
                       + (f"{b['peer']} t{b['threads']} | {ms(b['cpu'])} |" if b else "- | - |"))
    return "\n".join(out)


def tables(recs):
    by = {}
    for x in recs:
        by.setdefault(x["question"], []).append(x)
    out = []
    for q, xs in by.items():
        loads = [x["load"] for x in xs if "load" in x]
        out.append(f"\n### {q}\n\nLoad average while measuring: {min(loads):.1f} to {max(loads):.1f} (2 cores). "
                   "Times in ms, sorted by CPU time; ns/prim = CPU time a primitive.\n")
        out.append("| scene | peer | threads | build | update | query | wall | **cpu** | ns/prim | n |")
        out.append("|---|---|---|---|---|---|---|---|---|---|")
        order = []
        for x in xs:
            if x["scene"] not in order:
                order.append(x["scene"])
        for sc in sorted(order, key=scene_rank):
            ys = sorted([x for x in xs if x["scene"] == sc and "error" not in x], key=lambda x: x["cpu"])
            for x in ys:
                n = f"{x['n']:.6g}" if isinstance(x["n"], float) else str(x["n"])
                if "volume" in x:
                    n += f" (vol {x['volume']:.9g})"
                out.append(f"| {sc} | {x['peer']} | {x['threads']} | {ms(x['build'])} | {ms(x['update'])} | {ms(x['query'])} | "
                           f"{ms(x['total'])} | **{ms(x['cpu'])}** | {x['cpu'] / x['prims'] * 1e9:.0f} | {n} |")
            for x in [x for x in xs if x["scene"] == sc and "error" in x]:
                out.append(f"| {sc} | {x['peer']} | {x['threads']} | | | | {x['error']} | | | |")
    return "\n".join(out)


def main():
    ap = argparse.ArgumentParser(formatter_class=argparse.RawDescriptionHelpFormatter, description=__doc__)
    ap.add_argument("scenes", nargs="?")
    ap.add_argument("--question", default="*")
    ap.add_argument("--peer", default="*")
    ap.add_argument("--scene", default="*")
    ap.add_argument("--cap", type=float, default=15.0)
    ap.add_argument("--hard", type=float, default=75.0)
    ap.add_argument("--quick", action="store_true", help="without the slow peers")
    ap.add_argument("--verbose", action="store_true")
    ap.add_argument("--out", default="peers_python.json")
    ap.add_argument("--merge", action="store_true", help="keep records of OUT that this run does not replace")
    ap.add_argument("--tables", metavar="JSON")
    ap.add_argument("--worker", type=int)
    ap.add_argument("--threads", type=int, help="every peer on so many; each has its own list unless told")
    a = ap.parse_args()
    if a.tables:
        recs = json.load(open(a.tables))
        print(summary(recs) + "\n" + tables(recs))
        return
    if a.worker is not None:
        worker(a)
        return
    recs = run(a)
    if a.merge and os.path.exists(a.out):
        key = lambda x: (x["question"], x["peer"], x["threads"], x["scene"])
        new = {key(x) for x in recs}
        recs = [x for x in json.load(open(a.out)) if key(x) not in new] + recs
        order = {(r["question"], r["peer"]): i for i, r in enumerate(REG)}
        recs.sort(key=lambda x: order.get((x["question"], x["peer"]), 10 ** 6))
    with open(a.out, "w") as fh:
        json.dump(recs, fh, indent=0)
    if os.path.exists(a.out + ".part"):
        os.remove(a.out + ".part")
    print("wrote", os.path.basename(a.out))


if __name__ == "__main__":
    main()
