"""The stub file says exactly what the module has."""

from __future__ import annotations

import ast
import inspect
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import crumple
from crumple import _crumple

ROOT = Path(__file__).resolve().parents[3]
STUB = Path(crumple.__file__).parent / "_crumple.pyi"

Signature = list[tuple[str, Any, bool]]


def from_stub(function: ast.FunctionDef) -> Signature:
    a = function.args
    plain = [*a.posonlyargs, *a.args]
    defaults = [False] * (len(plain) - len(a.defaults)) + [True] * len(a.defaults)
    kinds = [inspect.Parameter.POSITIONAL_ONLY] * len(a.posonlyargs)
    kinds += [inspect.Parameter.POSITIONAL_OR_KEYWORD] * len(a.args)
    out: Signature = [(arg.arg, kind, has) for arg, kind, has in zip(plain, kinds, defaults)]
    if a.vararg:
        out.append((a.vararg.arg, inspect.Parameter.VAR_POSITIONAL, False))
    keyword = inspect.Parameter.KEYWORD_ONLY
    out += [(arg.arg, keyword, default is not None) for arg, default in zip(a.kwonlyargs, a.kw_defaults)]
    return [entry for entry in out if entry[0] not in ("self", "cls")]


def from_module(function: Any) -> Signature:
    parameters = inspect.signature(function).parameters.values()
    own = [p for p in parameters if p.name not in ("self", "cls")]
    return [(p.name, p.kind, p.default is not inspect.Parameter.empty) for p in own]


def public(names: Any) -> set[str]:
    return {name for name in names if not name.startswith("__")}


def test_every_name_and_argument() -> None:
    tree = ast.parse(STUB.read_text())
    classes = {node.name: node for node in tree.body if isinstance(node, ast.ClassDef)}
    functions = {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}
    assert public(vars(_crumple)) == public(classes) | public(functions)
    for name, node in functions.items():
        assert from_stub(node) == from_module(getattr(_crumple, name)), name
    members = 0
    for name, node in classes.items():
        real = getattr(_crumple, name)
        if issubclass(real, Exception):
            assert [base.id for base in node.bases if isinstance(base, ast.Name)] == [real.__base__.__name__]
            continue
        methods: dict[str, list[ast.FunctionDef]] = {}
        for item in node.body:
            assert isinstance(item, ast.FunctionDef)
            methods.setdefault(item.name, []).append(item)
        assert public(methods) == public(vars(real)), name
        for member, overloads in methods.items():
            members += 1
            decorators = {d.id for d in overloads[0].decorator_list if isinstance(d, ast.Name)}
            if "property" in decorators:
                found = vars(real)[member]
                assert inspect.isgetsetdescriptor(found) or inspect.ismemberdescriptor(found), f"{name}.{member}"
            elif member == "__new__":
                assert from_stub(overloads[0]) == from_module(real), name
            elif member not in ("__len__", "__getitem__", "__float__", "__reduce__"):
                names = from_module(getattr(real, member))
                for stub in map(from_stub, overloads):
                    assert [s[:2] for s in stub] == [r[:2] for r in names], f"{name}.{member}"
                if len(overloads) == 1:
                    assert from_stub(overloads[0]) == names, f"{name}.{member}"
    assert members > 150


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
    hidden = {"split_faces"}
    own = {name for name in public(vars(_crumple)) if not name.startswith("_")} - hidden
    assert own <= set(crumple.__all__) and all(hasattr(crumple, name) for name in crumple.__all__)


@pytest.mark.parametrize("what", [["-p", "crumple"], [str(ROOT / "examples" / "python")]])
def test_mypy_in_strict_mode(what: list[str], tmp_path: Path) -> None:
    pytest.importorskip("mypy")
    targets = what if what[0] == "-p" else [str(path) for path in sorted(Path(what[0]).glob("*.py"))]
    missing = ["trimesh", "meshio", "pyvista", "open3d", "torch", "bpy", "distributed"]
    config = tmp_path / "mypy.ini"
    text = "[mypy]\nstrict = True\n" + "".join(f"[mypy-{m}.*]\nignore_missing_imports = True\nfollow_imports = skip\n" for m in missing)
    config.write_text(text)
    command = [sys.executable, "-m", "mypy", "--config-file", str(config), "--cache-dir", str(tmp_path / "cache"), *targets]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
