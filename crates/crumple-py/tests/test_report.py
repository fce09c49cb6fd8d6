"""Interactive pages."""

from __future__ import annotations

from pathlib import Path

import pytest

import crumple
from conftest import FLAT, ONE, sphere


def test_one_call(tmp_path: Path) -> None:
    points, triangles = sphere(2)
    a, b = crumple.Mesh(points, triangles, name="left"), crumple.Mesh(points + [0.5, 0, 0], triangles, name="<right>")
    assert crumple.report(tmp_path / "one.html", a, b, title="two balls") == 1
    text = (tmp_path / "one.html").read_text()
    assert "<canvas" in text and "two balls" in text and "left" in text and "<right>" not in text


def test_frames(tmp_path: Path) -> None:
    points, triangles = sphere(2)
    body = crumple.Mesh(*sphere(3, centre=(1.9, 0, 0)), name="body")
    frames = [points + [0.1 * k, 0, 0] for k in range(4)]
    bad = crumple.report(tmp_path / "many.html", crumple.Mesh(points, triangles), fixed=[body], frames=frames)
    assert 0 < bad <= 4
    for k, positions in enumerate(frames):
        crumple.write(tmp_path / f"f{k}.ply", crumple.Mesh(positions, triangles))
    sequence = crumple.Sequence(*sorted(tmp_path.glob("f*.ply")))
    assert crumple.report(tmp_path / "files.html", sequence, fixed=[body]) == bad


def test_what_is_refused(tmp_path: Path) -> None:
    scene, other = crumple.Scene(), crumple.Scene()
    body = scene.add(FLAT, ONE)
    other.add(FLAT, ONE)
    report = crumple.Report("title")
    report.frame(scene, "a file.ply")
    assert len(report) == 1
    with pytest.raises(crumple.Error, match="bodies of the first"):
        report.frame(other)
    scene.remove(body)
    with pytest.raises(crumple.Error, match="removed"):
        report.frame(scene)
    report.note("a note")
    with pytest.raises(OSError):
        crumple.Report("x").save(tmp_path / "no" / "folder.html")
    report.save(tmp_path / "a.html")
    for work in (lambda: report.save(tmp_path / "b.html"), lambda: report.note("x"), lambda: report.frame(other)):
        with pytest.raises(crumple.Error, match="written"):
            work()  # type: ignore[no-untyped-call]
    with pytest.raises(crumple.Error, match="up"):
        crumple.Report("x", up="w")
