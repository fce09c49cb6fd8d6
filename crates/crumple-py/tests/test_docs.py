"""Docstrings, pages and the notebook are run."""

from __future__ import annotations

import doctest
import os
from pathlib import Path
from typing import Any

import pytest

import crumple
from crumple import _convert, _crumple, _once
from conftest import ROOT

DOCS = ROOT / "docs" / "python"


def run(tests: list[doctest.DocTest]) -> int:
    runner = doctest.DocTestRunner(optionflags=doctest.IGNORE_EXCEPTION_DETAIL * 0)
    output: list[str] = []
    for test in tests:
        runner.run(test, out=output.append)
    assert runner.failures == 0, "".join(output)
    return runner.tries


def test_docstrings_of_python() -> None:
    finder = doctest.DocTestFinder(exclude_empty=True)
    tests = [t for m in (crumple, _convert, _once) for t in finder.find(m, m.__name__, module=m)]
    assert run(tests) > 20


def test_docstrings_of_the_compiled_module() -> None:
    parser, tests = doctest.DocTestParser(), []
    things: list[tuple[str, Any]] = [(name, getattr(_crumple, name)) for name in dir(_crumple)]
    for name, thing in list(things):
        if isinstance(thing, type):
            things += [(f"{name}.{member}", value) for member, value in vars(thing).items()]
    for name, thing in things:
        text = getattr(thing, "__doc__", None) or ""
        if ">>>" in text:
            tests.append(parser.get_doctest(text, {}, name, None, 0))
    assert len(tests) >= 10 and run(tests) > 40


@pytest.mark.parametrize("page", sorted(DOCS.glob("*.md")), ids=lambda path: path.name)
def test_pages(page: Path) -> None:
    text = page.read_text()
    if ">>>" in text:
        run([doctest.DocTestParser().get_doctest(text.replace("```", ""), {}, page.name, str(page), 0)])
    for link in (part.split(")")[0] for part in text.split("](")[1:]):
        if not link.startswith("http"):
            assert (page.parent / link.split("#")[0]).exists(), f"{page.name}: {link}"


def test_every_method_of_a_scene_is_on_a_page() -> None:
    text = "".join(page.read_text() for page in DOCS.glob("*.md"))
    methods = [name for name in dir(crumple.Scene) if not name.startswith("_")]
    assert [name for name in methods if f"{name}(" not in text and f"`{name}`" not in text] == []


def test_the_readme_example_of_the_package() -> None:
    text = (Path(__file__).resolve().parents[1] / "README.md").read_text()
    for name in ("Scene", "read"):
        assert f"crumple.{name}" in text and hasattr(crumple, name)


def test_the_notebook(tmp_path: Path) -> None:
    nbformat, nbclient = pytest.importorskip("nbformat"), pytest.importorskip("nbclient")
    pytest.importorskip("ipykernel")
    notebook = nbformat.read(DOCS / "tour.ipynb", as_version=4)
    os.environ.setdefault("JUPYTER_PLATFORM_DIRS", "1")
    client = nbclient.NotebookClient(notebook, timeout=300, kernel_name="python3", resources={"metadata": {"path": str(tmp_path)}})
    client.execute()
    outputs = [output for cell in notebook.cells if cell.cell_type == "code" for output in cell.outputs]
    assert not any(output.output_type == "error" for output in outputs)
    assert sum("image/png" in output.get("data", {}) for output in outputs) >= 2, "pictures show themselves"
