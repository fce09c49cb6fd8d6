"""Run by ./test in an environment with numpy alone: the import and its time, the ten lines of the documentation, a picture."""

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path


def seconds(before: str, clock: str) -> float:
    """The best of five imports, each in an interpreter of its own."""
    code = f"import time{before}; t = time.{clock}(); import crumple; print(time.{clock}() - t)"
    runs = (subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True) for _ in range(5))
    return min(float(run.stdout) for run in runs)


for before, words in (("", "import"), (", numpy", "import after numpy")):
    used, waited = seconds(before, "process_time"), seconds(before, "perf_counter")
    print(f"{words}: {1e3 * used:.1f} ms of processor time, {1e3 * waited:.1f} ms by the clock")
    # By the clock it depends on what else the machine does.
    assert used < 0.1, "importing takes too long"
lazy = "import crumple, sys; crumple.Scene().ids(); print('numpy' in sys.modules)"
assert subprocess.run([sys.executable, "-c", lazy], capture_output=True, text=True, check=True).stdout == "False\n"

import crumple  # noqa: E402
import numpy as np  # noqa: E402

start = time.perf_counter()
x, y = (a.ravel() for a in np.meshgrid(np.arange(21.0), np.arange(21.0), indexing="ij"))
a = (np.arange(20)[:, None] * 21 + np.arange(20)).ravel()
triangles = np.concatenate([np.stack([a, a + 21, a + 22], 1), np.stack([a, a + 22, a + 1], 1)])
points = np.stack([x, y, np.zeros_like(x)], 1)
corners = np.array([[5, 5, 1], [9, 5, 1], [5, 9, 1], [5, 5, 5]], dtype=float)
os.chdir(tempfile.mkdtemp())
crumple.Mesh(corners, [[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]]).write("body.ply")
crumple.Mesh(points + [0, 0, 2], triangles).write("shirt.obj")
frames = [points + [0, 0, 0.5 * k] for k in range(5)]

# The lines of the first page, word for word; `a` and `b` are two more bodies, `next_x` where the last frame leads.
page = Path(__file__).resolve().parents[3] / "docs" / "python" / "README.md"
lines = page.read_text().split("```python\n")[1].split("```")[0]
names = {"points": points, "triangles": triangles, "frames": frames, "next_x": frames[-1] + 0.5}
before_last, last = lines.rsplit("scene.penetrations();", 1)
exec(compile(before_last, str(page), "exec"), names)
scene, shirt, body = names["scene"], names["shirt"], names["body"]
a, b = scene.add(corners, tets=[[0, 1, 2, 3]]), scene.add(corners + 0.5, tets=[[0, 1, 2, 3]])
names |= {"a": a, "b": b}
exec(compile("scene.penetrations();" + last, str(page), "exec"), names)

# What its comments say of the answers, frame by frame.
scene.remove(a), scene.remove(b)
hits, close = [], 0
for x, next_x in zip(frames, [*frames[1:], frames[-1] + 0.5]):
    scene.set_positions(shirt, x)
    pairs, near, impacts = scene.contacts(), scene.proximity(2e-1), scene.impacts()
    share, shares = scene.safe_step(next_x), scene.safe_step(next_x, per_vertex=True)[shirt]
    hits.append((len(pairs), len(impacts.vertex_triangles), impacts.first))
    close += len(near.vertex_triangles)
    assert pairs.triangle_pairs.shape == (len(pairs), 4) and pairs.triangle_pairs.dtype == np.uint32
    assert pairs.points.shape == (len(pairs), 3) and pairs.guarantee == "proved"
    assert near.vertex_triangles.shape[1:] == (4,) and near.edge_edges.shape[1:] == (6,)
    assert near.normals.shape == (len(near), 3) == (len(near.distances), 3) and len(near.weights) == len(near)
    assert impacts.edge_edges.shape[1:] == (6,) and impacts.times.shape == (len(impacts), 2)
    assert 0 <= share <= 1 and shares.shape == (len(points),)
assert hits[-1][0] > 0 and any(first for *_, first in hits) and close > 0

a, b = scene.add(corners, tets=[[0, 1, 2, 3]]), scene.add(corners + 0.5, tets=[[0, 1, 2, 3]])
assert len(scene.penetrations()) > 0 and scene.inside(body, points + [0, 0, 2]).any()
shared = scene.overlap(a, b, resolution=128)
assert shared.lower <= 2.5**3 / 6 <= shared.upper and scene.distance(shirt, body).distance == 0
assert crumple.check("shirt.obj", "body.ply").triangle_pairs.shape[1] == 4
assert np.asarray(scene.picture((64, 48))).shape == (48, 64, 3)
took = 1e3 * (time.perf_counter() - start)
print(f"ten lines and a picture: {took:.0f} ms, Python {sys.version.split()[0]}, crumple {crumple.__version__}")
