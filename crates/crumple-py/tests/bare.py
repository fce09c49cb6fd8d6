"""Run by ./test in an environment with numpy alone: the import and its time, the ten lines, a picture."""

import subprocess
import sys
import time

code = "import numpy, time; t = time.perf_counter(); import crumple; print(time.perf_counter() - t)"
times = sorted(float(subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout) for _ in range(5))
print(f"import, after numpy: {1e3 * times[0]:.1f} ms at best, {1e3 * times[-1]:.1f} ms at worst of 5")
whole = "import time; t = time.perf_counter(); import crumple; print(time.perf_counter() - t)"
with_numpy = sorted(float(subprocess.run([sys.executable, "-c", whole], capture_output=True, text=True, check=True).stdout) for _ in range(5))
print(f"import, numpy included: {1e3 * with_numpy[0]:.1f} ms at best")
assert times[0] < 0.1, "importing takes too long"

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
