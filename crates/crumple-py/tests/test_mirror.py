"""The face has every public method and every public field of the Rust types under its own name, or says by name why not."""

from __future__ import annotations

import inspect
import re

import pytest

import crumple
from conftest import ROOT

SOURCES = ROOT / "crates" / "crumple" / "src"

#: Methods of Rust that Python has in another form, or not at all: each with its reason.
ELSEWHERE: dict[str, dict[str, str]] = {
    "Scene": {
        "new": "crumple.Scene()",
        "bodies": "meshes laid end to end, for methods without a scene; Scene.ids and Scene.mesh tell the same",
        "volumes": "a borrow of the scene; what it is asked is asked of the scene, see Volumes",
        "draw_distances": "the lines of `crumple distance --picture`; drawings are handed to pictures in Rust",
        "proximity_into": "Scene.proximity, into memory that is used again; arrays out are new ones",
    },
    "Volumes": {
        **dict.fromkeys(
            ["layers", "layers_of", "solid", "view", "view_along", "view_of"],
            "the rays' layers themselves, for those who work on the method in Rust",
        ),
        "depth": "Scene.depth",
        "overlap": "Scene.overlap",
        "refined_overlap": "Scene.overlap(tolerance=…)",
        "gradient": "Scene.overlap(gradient=True)",
        "self_overlap": "Scene.self_overlap",
        "inside": "Scene.inside",
        "intersection": "Scene.intersection_surface",
        "self_intersection": "Scene.intersection_surface of one body",
    },
    "Edit": {"add_vertex_at": "Edit.add_vertex(position): a vertex without a place would have to be moved at once"},
    "Blade": {},
    "BudgetedContacts": {},
    "Impacts": {"is_empty": "len"},
    "ClosePairs": {"nearest_triangles": "Proximity.nearest_triangles"},
    "Contact": {"is_within_a_body": "a comparison of two columns of Contacts.triangle_pairs"},
    "Changes": {"extend_positions": "Edit.finish and Scene.edit do it"},
    "Mesh": {
        "from_triangles": "Mesh.__new__(points, triangles)",
        "from_polygons": "Mesh.__new__(points, polygons=…)",
        "from_tets": "Mesh.__new__(points, tets=…)",
        "from_points": "Mesh.__new__(points)",
        "triangle": "a row of Mesh.triangles",
        "triangle_count": "len of Mesh.triangles",
        "tet": "a row of Mesh.tets",
        "tet_count": "len of Mesh.tets",
        "polygon_of": "Mesh.polygon_of_triangle",
        "polygons": "Mesh.polygon_of_triangle",
        "triangle_key": "Mesh.triangle_keys",
        "triangle_with_key": "numpy.flatnonzero(Mesh.triangle_keys == key)",
        "tet_key": "Mesh.tet_keys",
        "tet_with_key": "numpy.flatnonzero(Mesh.tet_keys == key)",
        "tet_of": "the tet behind a boundary triangle; for methods in Rust",
        "topology": "Mesh.edges, Mesh.component_count and Mesh.is_closed tell the parts that are asked for",
        "tet_topology": "neighbours of tets, for methods in Rust",
        "adjacency": "elements round a vertex, for methods in Rust",
        "is_same": "whether two handles are one mesh, for scenes and methods in Rust",
        "is_version_of": "whether one is an edit of the other, for scenes and methods in Rust",
    },
}
#: What Python's Scene has besides.
MORE = {
    "id": "finds a body by its name",
    "name": "scene.mesh(id)?.name() in Rust",
    "picture": "crumple_io::picture in Rust",
    "self_overlap": "scene.volumes()?.self_overlap in Rust",
    "to_pyvista": "of Python alone",
    "write": "crumple_io::write_marked in Rust",
}
#: Fields of Rust's answers: the Python class that has them, and what it calls those that it does not call the same.
FIELDS: dict[str, tuple[str, dict[str, str]]] = {
    "BudgetedContacts": ("BudgetedContacts", {}),
    "Undecided": ("Undecided", {}),
    "Answer": ("Contacts", {}),
    "Contact": ("Contacts", {"a": "triangle_pairs", "b": "triangle_pairs"}),
    "Place": ("Places", {"length": "lengths", "centre": "centres", "size": "sizes"}),
    "Penetration": (
        "Penetrations",
        {
            "vertex": "vertex_tets",
            "tet": "vertex_tets",
            "depth": "depths",
            "direction": "directions",
            "cause": "inverted",
        },
    ),
    "VertexInTet": ("Penetrations", {"vertex": "vertex_tets", "tet": "vertex_tets"}),
    "EdgePenetration": ("EdgePenetrations", {"edge": "edge_tets", "tet": "edge_tets"}),
    "Impacts": ("Impacts", {}),
    "VertexTriangleImpact": ("Impacts", {"vertex": "vertex_triangles", "triangle": "vertex_triangles", "time": "times"}),
    "EdgeEdgeImpact": ("Impacts", {"a": "edge_edges", "b": "edge_edges", "time": "times"}),
    "Impact": ("Impact", {"features": "elements"}),
    "Step": ("Step", {}),
    "ClosePairs": ("Proximity", {}),
    "CloseVertexTriangle": (
        "Proximity",
        {
            "vertex": "vertex_triangles",
            "triangle": "vertex_triangles",
            "distance": "distances",
            "normal": "normals",
            "feature": "features",
        },
    ),
    "CloseEdgeEdge": ("Proximity", {"a": "edge_edges", "b": "edge_edges", "distance": "distances", "normal": "normals"}),
    "ProximityCandidates": ("ProximityCandidates", {}),
    "Distance": ("Distance", {}),
    "Witness": ("Witness", {}),
    "BodyDistance": ("Distance", {}),
    "NearPair": ("ClosePairs", {"pair": "triangle_pairs", "distance": "distances"}),
    "Overlap": ("Overlap", {}),
    "SelfOverlap": ("SelfOverlap", {}),
    "VolumeDepth": ("VolumeDepth", {}),
    "IntersectionCurve": ("IntersectionCurve", {}),
    "CurvePoint": ("IntersectionCurve", {"point": "points"}),
    "Untangled": ("Untangled", {}),
    "Left": ("Untangled", {"place": "left"}),
    "Choice": ("Choice", {}),
    "Changes": ("Changes", {}),
    "Cut": ("Cut", {"body": "mesh", "positions": "mesh"}),
    "Fused": ("Fused", {"body": "mesh", "positions": "mesh"}),
    "Diagnostic": ("Diagnostic", {}),
    "Drawing": ("Drawing", {}),
}
#: Fields of Rust's options: the Python method that takes them as arguments.
OPTIONS: dict[str, tuple[str, set[str]]] = {
    "Closeness": ("proximity", set()),
    "UntangleOptions": ("untangle", set()),
    "Groups": ("set_groups", set()),
}


def blocks(head: str) -> list[str]:
    """What stands between the braces of every item that begins like this."""
    found = []
    for path in SOURCES.rglob("*.rs"):
        # The papers' own variants have types of the same names, for experiments.
        if "published" not in path.parts:
            found += re.findall(rf"^{head} \{{\n(.*?)^\}}", path.read_text(), re.M | re.S)
    return found


def methods(of: str) -> set[str]:
    """The public methods of a Rust type, from its sources."""
    text = "".join(blocks(rf"impl(?:<[^>]*>)? {of}(?:<[^>]*>)?"))
    return set(re.findall(r"^    pub (?:const |async |unsafe )*fn (\w+)", text, re.M))


def fields(of: str) -> set[str]:
    """The public fields of a Rust type."""
    [text] = blocks(rf"pub struct {of}(?:<[^>]*>)?")
    return set(re.findall(r"^    pub (\w+): ", text, re.M))


def names(of: str) -> set[str]:
    return {name for name in dir(getattr(crumple, of, object)) if not name.startswith("_")}


@pytest.mark.parametrize("of", ELSEWHERE)
def test_every_method_is_there_or_has_a_reason(of: str) -> None:
    rust, reasons = methods(of), ELSEWHERE[of]
    python = names("Proximity" if of == "ClosePairs" else of) - reasons.keys()
    assert rust - python - reasons.keys() == set(), f"missing from crumple.{of}: add them, or say here why not"
    assert reasons.keys() - rust == set(), "reasons for what is not in Rust any more"
    if of in ("Scene", "Edit", "Blade"):
        assert reasons.keys() & names(of) == set(), "reasons for what is in Python"
    for place in reasons.values():
        for kind, name in re.findall(r"\b([A-Z]\w+)\.(\w+)", place):
            assert hasattr(getattr(crumple, kind), name), place


def test_what_python_has_besides_is_known() -> None:
    rust = methods("Scene")
    assert len(rust) > 60 and names("Scene") - rust == MORE.keys()
    assert {"contacts", "proximity", "cut", "untangle", "edit", "contacts_budgeted", "distance_budgeted", "forget_cuts"} <= rust


@pytest.mark.parametrize("of", FIELDS)
def test_every_field_of_an_answer_is_there(of: str) -> None:
    python, renamed = FIELDS[of]
    rust, there = fields(of), names(python)
    assert rust, of
    assert {renamed.get(name, name) for name in rust} <= there, f"missing from crumple.{python}"
    assert renamed.keys() <= rust and not renamed.keys() & there, "other names for what is not so"


@pytest.mark.parametrize("of", OPTIONS)
def test_every_option_is_an_argument(of: str) -> None:
    method, left_out = OPTIONS[of]
    arguments = set(inspect.signature(getattr(crumple.Scene, method)).parameters)
    assert fields(of) - arguments == left_out


def test_every_answer_of_a_scene_is_held() -> None:
    """A type that a method of the scene returns, and that has public fields, is in the table above."""
    text = "".join(blocks(r"impl Scene"))
    told = " ".join(re.findall(r"pub fn \w+[^{]*?-> ([^{]*) \{", text))
    structs = {name for name in re.findall(r"\b[A-Z]\w+", told) if blocks(rf"pub struct {name}(?:<[^>]*>)?")}
    structs = {name for name in structs if fields_of_any(name)}
    elsewhere = {
        "Safety": "Scene.safety gives its two numbers as a pair",
        "Aabb": "Scene.bounds gives its two corners as a table",
        "Incision": "Scene.cut gives a Cut, with the positions",
        "Intersection": "Scene.intersection gives its points",
        "IntersectionSurface": "Scene.intersection_surface gives a Mesh",
        "Stats": "a dict of its counters",
    }
    assert structs - FIELDS.keys() - elsewhere.keys() == set()


def fields_of_any(of: str) -> bool:
    return any(re.search(r"^    pub \w+: ", text, re.M) for text in blocks(rf"pub struct {of}(?:<[^>]*>)?"))
