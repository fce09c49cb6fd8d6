"""The stub file is what the sources say, and says exactly what the module has."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from pathlib import Path

import pytest

import crumple
from crumple import _crumple
from conftest import ROOT

PACKAGE = Path(__file__).resolve().parents[1]
STUB = Path(crumple.__file__).parent / "_crumple.pyi"
#: Packages that are there or not, with types of their own or not.
OPTIONAL = ["trimesh", "meshio", "pyvista", "open3d", "torch", "bpy", "distributed", "ray"]


def run(*command: str) -> None:
    done = subprocess.run([sys.executable, *command], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def config(folder: Path) -> Path:
    path = folder / "mypy.ini"
    skipped = (f"[mypy-{name}.*]\nignore_missing_imports = True\nfollow_imports = skip\n" for name in OPTIONAL)
    path.write_text("[mypy]\nstrict = True\n" + "".join(skipped))
    return path


def test_the_stub_is_generated() -> None:
    run(str(PACKAGE / "stubs.py"), "--check")
    assert STUB.read_text() == (PACKAGE / "python" / "crumple" / "_crumple.pyi").read_text(), "the wheel has another one"


def test_every_name_and_argument_is_the_modules(tmp_path: Path) -> None:
    """mypy's own comparison: names, arguments, their kinds and defaults, properties, base classes."""
    pytest.importorskip("mypy")
    run("-m", "mypy.stubtest", "crumple._crumple", "--mypy-config-file", str(config(tmp_path)))


def test_the_comparison_can_fail(tmp_path: Path) -> None:
    pytest.importorskip("mypy")
    text = STUB.read_text()
    for right, wrong in (("margin: float = 0.0", "margin: float"), ("def closer_than_at_most(", "def closer(")):
        assert right in text
        text = text.replace(right, wrong)
    (tmp_path / "crumple").mkdir()
    for path in STUB.parent.glob("*.py"):
        (tmp_path / "crumple" / path.name).write_text(path.read_text())
    (tmp_path / "crumple" / "_crumple.pyi").write_text(text)
    command = [sys.executable, "-m", "mypy.stubtest", "crumple._crumple", "--mypy-config-file", str(config(tmp_path))]
    done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, "MYPYPATH": str(tmp_path)})
    for name in ("Scene.box_pairs", "Scene.closer_than_at_most", "Scene.closer"):
        assert name in done.stdout, done.stdout + done.stderr


def test_everything_has_a_docstring() -> None:
    for name in crumple.__all__:
        thing = getattr(crumple, name)
        if name in ("MeshLike", "__version__"):
            continue
        assert thing.__doc__, name
        if isinstance(thing, type):
            for member, value in vars(thing).items():
                if not member.startswith("_"):
                    assert value.__doc__, f"{name}.{member}"


def test_exports_are_those_of_the_module() -> None:
    own = {name for name in vars(_crumple) if not name.startswith("_")} - {"split_faces"}
    assert own <= set(crumple.__all__) and all(hasattr(crumple, name) for name in crumple.__all__)
    classes = {node.name for node in ast.parse(STUB.read_text()).body if isinstance(node, ast.ClassDef)}
    assert classes <= own, "a class that the sources have is not in the module"


@pytest.mark.parametrize("what", ["the package", "the examples"])
def test_mypy_in_strict_mode(what: str, tmp_path: Path) -> None:
    pytest.importorskip("mypy")
    examples = [str(path) for path in sorted((ROOT / "examples" / "python").glob("*.py"))]
    targets = ["-p", "crumple"] if what == "the package" else [*examples, str(PACKAGE / "stubs.py")]
    run("-m", "mypy", "--config-file", str(config(tmp_path)), "--cache-dir", str(tmp_path / "cache"), *targets)
