"""The examples do what they say."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import crumple
from conftest import ROOT, sphere

EXAMPLES = ROOT / "examples" / "python"
sys.path.insert(0, str(EXAMPLES))


def test_a_folder_of_garments(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    garments = importlib.import_module("check_garments")
    folder = tmp_path / "garments"
    folder.mkdir()
    points, triangles = sphere(2)
    crumple.write(folder / "good.ply", crumple.Mesh(2 * points, triangles))
    crumple.write(folder / "bad.ply", crumple.Mesh(points + [0.5, 0, 0], triangles))
    crumple.write(folder / "worse.obj", crumple.Mesh(points + [0.2, 0, 0], triangles))
    (folder / "broken.off").write_text("OFF\n1 1 0\n0 0\n")
    (folder / "notes.txt").write_text("not a garment")
    crumple.write(tmp_path / "body.ply", crumple.Mesh(*sphere(3)))
    found = garments.check_folder(folder, crumple.read(tmp_path / "body.ply"), tmp_path / "out")
    assert [v.file.name for v in found] == ["broken.off", "worse.obj", "bad.ply", "good.ply"]
    assert [v.is_bad for v in found] == [True, True, True, False] and found[1].with_body > 0
    assert sorted(p.name for p in (tmp_path / "out").iterdir()) == ["bad.png", "worse.png"]
    assert garments.main([str(folder), "--body", str(tmp_path / "body.ply")]) == 1
    assert "good  good.ply: 0 pairs" in capsys.readouterr().out
    (folder / "broken.off").unlink(), (folder / "worse.obj").unlink(), (folder / "bad.ply").unlink()
    assert garments.main([str(folder)]) == 0


def test_the_cloth_lands_on_the_ball_and_never_crosses() -> None:
    source = (EXAMPLES / "cloth.py").read_text().splitlines()
    assert len(source) <= 115
    cloth = importlib.import_module("cloth").Cloth(16)
    heights = []
    for _ in range(30):
        cloth.frame()
        assert len(cloth.scene.contacts()) == 0
        heights.append(cloth.x[:, 1].copy())
    middle = np.argmin(np.linalg.norm(cloth.x[:, [0, 2]], axis=1))
    assert 0.68 < heights[-1][middle] < 0.78, "held by the ball"
    assert heights[-1].min() < 0.45, "the corners hang"
    stretch = np.linalg.norm(cloth.x[cloth.springs[:, 0]] - cloth.x[cloth.springs[:, 1]], axis=1) / cloth.rest
    assert stretch.max() < 1.4


def test_the_loss_against_differences() -> None:
    loss = importlib.import_module("overlap_loss")
    rng = np.random.default_rng(5)
    a, triangles = sphere(2)
    b = a * 0.8 + [0.9, 0.2, 0.1]
    volume, grad_a, grad_b = loss.overlap_and_gradient(a, triangles, b, triangles, 256)
    assert volume > 0.1

    def exact(a: Any, b: Any) -> float:
        return float(crumple.overlap(crumple.Mesh(a, triangles), crumple.Mesh(b, triangles), 256, tolerance=1e-4).volume)

    for _ in range(4):
        da, db = (rng.normal(size=a.shape) for _ in range(2))
        h = 5e-3
        slope = (exact(a + h * da, b + h * db) - exact(a - h * da, b - h * db)) / (2 * h)
        predicted = (grad_a * da).sum() + (grad_b * db).sum()
        assert abs(predicted - slope) < 0.02 * np.abs(grad_a).sum(), (predicted, slope)
    moved, volumes = loss.descend(b, triangles, a, triangles)
    assert volumes[-1] < 1e-6 and all(y <= x for x, y in zip(volumes, volumes[1:]))
    assert moved[:, 0].mean() > b[:, 0].mean()


def test_the_loss_in_torch() -> None:
    torch = pytest.importorskip("torch")
    loss = importlib.import_module("overlap_loss")
    points, triangles = sphere(2)
    a = torch.tensor(points, requires_grad=True)
    b = torch.tensor(points + [1.2, 0, 0], dtype=torch.float32, requires_grad=True)
    faces = torch.tensor(triangles)
    value = loss.overlap_loss(a, faces, b, faces)
    (2 * value).backward()
    volume, grad_a, grad_b = loss.overlap_and_gradient(points, triangles, b.detach().numpy(), triangles)
    assert float(value) == volume and b.grad.dtype == torch.float32
    np.testing.assert_allclose(a.grad.numpy(), 2 * grad_a)
    np.testing.assert_allclose(b.grad.numpy(), 2 * grad_b, rtol=1e-6)


class Collection(list[Any]):
    """What Blender's collections offer: whole columns at once."""

    def foreach_get(self, name: str, into: Any) -> None:
        into[:] = np.concatenate([np.ravel(getattr(item, name)) for item in self])

    def foreach_set(self, name: str, values: Any) -> None:
        for item, value in zip(self, values):
            setattr(item, name, bool(value))


class Groups(dict[str, Any]):
    def new(self, name: str) -> Any:
        kept: set[int] = set()
        group = SimpleNamespace(
            members=kept, remove=kept.difference_update, add=lambda corners, weight, mode: kept.update(corners)
        )
        self[name] = group
        return group


def blender_object(name: str, points: Any, quads: Any, place: Any) -> Any:
    polygons = Collection(SimpleNamespace(vertices=list(q), select=False) for q in quads)
    halves = [(k, [q[0], q[i], q[i + 1]]) for k, q in enumerate(quads) for i in (1, 2)]
    data = SimpleNamespace(
        vertices=Collection(SimpleNamespace(co=p) for p in points), polygons=polygons, loop_triangles=Collection(),
        update=lambda: None,
    )  # fmt: skip
    data.calc_loop_triangles = lambda: data.loop_triangles.extend(
        SimpleNamespace(vertices=v, polygon_index=k) for k, v in halves
    )
    return SimpleNamespace(name=name, type="MESH", data=data, matrix_world=place, vertex_groups=Groups())


def test_blender_selects_the_colliding_faces(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    script = importlib.import_module("blender_select")
    n = 6
    x, y = np.meshgrid(np.arange(n + 1.0), np.arange(n + 1.0), indexing="ij")
    points = np.stack([x.ravel(), y.ravel(), 0 * x.ravel()], axis=1)
    a = (np.arange(n)[:, None] * (n + 1) + np.arange(n)).ravel()
    quads = np.stack([a, a + n + 1, a + n + 2, a + 1], axis=1).tolist()
    place = np.eye(4)
    upright = np.array([[0, 0, 1, 2.5], [0, 1, 0, 0.25], [1, 0, 0, -3.2], [0, 0, 0, 1.0]])  # x = 2.5, across the first
    floor, wall = blender_object("floor", points, quads, place), blender_object("wall", points, quads, upright)
    calls: list[str] = []
    ops = SimpleNamespace(object=SimpleNamespace(mode_set=lambda mode: calls.append(mode)))
    lamp = SimpleNamespace(type="LIGHT")
    stand_in = SimpleNamespace(ops=ops, context=SimpleNamespace(selected_objects=[floor, lamp, wall]))
    monkeypatch.setitem(sys.modules, "bpy", stand_in)  # type: ignore[arg-type]
    script.main()
    assert calls == ["OBJECT", "EDIT"]
    selected = [k for k, polygon in enumerate(floor.data.polygons) if polygon.select]
    assert selected == list(range(2 * n, 3 * n)), "the row of faces that the wall stands in"
    assert floor.vertex_groups["collides"].members == {v for k in selected for v in quads[k]}
    assert "floor 6" in capsys.readouterr().out
