"""The face has every public method of the Rust types under its own name, or says why not."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import crumple
from conftest import ROOT

SOURCES = ROOT / "crates" / "crumple" / "src"

#: Methods of Rust that Python has in another form.
ELSEWHERE = {
    "Scene": {
        "new": "crumple.Scene()",
        "bodies": "meshes laid end to end, for methods without a scene; ids() and mesh() tell the same",
        "edit": "Mesh.edit() and Scene.replace(), which follows edits at the cost of the change",
        "contacts_within": "not in Python yet",
        "distance_within": "not in Python yet",
        "forget_cuts": "not in Python yet",
        "volumes": "a borrow of the scene; what it is asked is asked of the scene, see Volumes",
        "proximity_into": "proximity() into memory that is used again; arrays out are new ones",
        "proximity_candidates": "what proximity() looks at before it decides, for solvers in Rust that test by themselves",
    },
    "Volumes": {
        **dict.fromkeys(
            ["layers", "layers_of", "solid", "view", "view_along", "view_of"],
            "the rays' layers themselves, for those who work on the method in Rust",
        ),
        "overlap": "Scene.overlap",
        "refined_overlap": "Scene.overlap(tolerance=…)",
        "gradient": "Scene.overlap(gradient=True)",
        "self_overlap": "Scene.self_overlap",
        "inside": "Scene.inside",
        "intersection": "Scene.intersection_surface",
        "self_intersection": "Scene.intersection_surface of one body",
    },
    "Edit": {"add_vertex_at": "Edit.add_vertex(position)"},
}
#: What Python has besides.
MORE = {"id", "name", "picture", "self_overlap", "to_pyvista", "write"}


def methods(of: str) -> set[str]:
    """The public methods of a Rust type, from its sources."""
    found = set()
    for path in SOURCES.rglob("*.rs"):
        text = path.read_text()
        for block in re.finditer(rf"^impl(?:<[^>]*>)? {of}(?:<[^>]*>)? \{{\n(.*?)^\}}", text, re.M | re.S):
            # What stands behind a feature is for the laboratory.
            plain = re.sub(r"    #\[cfg\(.*?\)\]\n(?:    #\[.*\]\n|    ///.*\n)*    pub fn \w+", "", block[1])
            found |= set(re.findall(r"^    pub fn (\w+)", plain, re.M))
    return found


@pytest.mark.parametrize("of", ELSEWHERE)
def test_every_method_is_there_or_has_a_reason(of: str) -> None:
    rust, reasons = methods(of), ELSEWHERE[of]
    python = {name for name in dir(getattr(crumple, of, object)) if not name.startswith("_")}
    assert rust - python - reasons.keys() == set(), f"missing from crumple.{of}: add them, or say here why not"
    assert reasons.keys() - rust == set(), "reasons for what is not in Rust any more"
    assert reasons.keys() & python == set(), "reasons for what is in Python"
    if of == "Scene":
        assert len(rust) > 50 and python - rust == MORE
    for place in reasons.values():
        name = re.match(r"(\w+)\.(\w+)", place)
        if name and name[1] == "Scene":
            assert hasattr(crumple.Scene, name[2]), place


def test_sources_are_found() -> None:
    assert {"contacts", "proximity", "cut", "untangle"} <= methods("Scene") and isinstance(ROOT, Path)
