"""Run by ./test in an environment with numpy alone: the import and its time, the ten lines, a picture."""

import subprocess
import sys
import time

def seconds(before: str, clock: str) -> float:
    """The best of five imports, each in an interpreter of its own."""
    code = f"import time{before}; t = time.{clock}(); import crumple; print(time.{clock}() - t)"
    runs = (subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True) for _ in range(5))
    return min(float(run.stdout) for run in runs)


after = {clock: seconds(", numpy", clock) for clock in ("process_time", "perf_counter")}
whole = seconds("", "process_time")
print(f"import after numpy: {1e3 * after['process_time']:.1f} ms of processor time, {1e3 * after['perf_counter']:.1f} ms by the clock")
print(f"import with numpy: {1e3 * whole:.1f} ms of processor time")
# By the clock it depends on what else the machine does.
assert after["process_time"] < 0.1, "importing takes too long"

import crumple  # noqa: E402
import numpy as np  # noqa: E402

start = time.perf_counter()
x, y = (a.ravel() for a in np.meshgrid(np.arange(21.0), np.arange(21.0), indexing="ij"))
a = (np.arange(20)[:, None] * 21 + np.arange(20)).ravel()
triangles = np.concatenate([np.stack([a, a + 21, a + 22], 1), np.stack([a, a + 22, a + 1], 1)])
points = np.stack([x, y, np.zeros_like(x)], 1)
corners = np.array([[5, 5, 1], [9, 5, 1], [5, 9, 1], [5, 5, 5]], dtype=float)

scene = crumple.Scene()
shirt = scene.add(points, triangles, name="shirt")
body = scene.add(corners, tets=[[0, 1, 2, 3]], name="body", fixed=True)
for k in range(5):
    scene.set_positions(shirt, points + [0, 0, 0.5 * k])
    contacts, near, impacts = scene.contacts(), scene.proximity(2e-1), scene.impacts()
    share = scene.safe_step(points + [0, 0, 0.5 * (k + 1)])
assert len(contacts) > 0 and contacts.guarantee == "proved" and len(near) > 0 and 0 <= share <= 1
assert len(scene.penetrations()) > 0 and scene.inside(body, points + [0, 0, 2]).any()
assert scene.distance(shirt, body).distance == 0
assert np.asarray(scene.picture((64, 48))).shape == (48, 64, 3)
print(f"ten lines and a picture: {1e3 * (time.perf_counter() - start):.0f} ms, Python {sys.version.split()[0]}, crumple {crumple.__version__}")
