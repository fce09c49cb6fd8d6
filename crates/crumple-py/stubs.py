"""Writes python/crumple/_crumple.pyi from the Rust sources: the signatures, their types and the first lines of their docs.

    python stubs.py            # writes the file
    python stubs.py --check    # fails when it is not what would be written

A Rust type says what Python sees. Where it does not (`&Bound<PyAny>`, words), the signature has an annotation in PyO3's form,
`#[pyo3(signature = (points: "ArrayLike") -> "Any")]`; what depends on a flag has `// overload:` lines. A type that is known
neither way is an error, so that nothing is `Any` by accident.
"""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass, field
from pathlib import Path

HERE = Path(__file__).resolve().parent
SOURCES, STUB = HERE / "src", HERE / "python" / "crumple" / "_crumple.pyi"

HEAD = '''\
# Written by stubs.py from the Rust sources; do not edit.
import os
import pathlib
from collections.abc import Callable, Iterator, Mapping, Sequence as Sequence_
from typing import Any, Literal, TypeAlias, final, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

__version__: str

_F64: TypeAlias = NDArray[np.float64]
_U32: TypeAlias = NDArray[np.uint32]
_PathLike: TypeAlias = str | os.PathLike[str]
# A crumple.Mesh, a path, an array of points, or a mesh of trimesh, meshio, pyvista or open3d.
_MeshLike: TypeAlias = Any
_Polygons: TypeAlias = ArrayLike | tuple[ArrayLike, ArrayLike]
# A dict from bodies to positions, one entry for each body, or the positions of the only body that moves.
_Positions: TypeAlias = Mapping[int, ArrayLike] | Sequence_[ArrayLike | None] | ArrayLike
_PairsOf: TypeAlias = Literal["within", "between", "all"]
_QuestionName: TypeAlias = Literal["contacts", "impacts", "penetrations", "overlap", "inside", "distance"]
_Axis: TypeAlias = Literal["x", "y", "z"]
'''

#: Rust types, their lifetimes taken off.
PLAIN = {
    **dict.fromkeys("u8 u16 u32 u64 usize i64 isize Body Vertex Key".split(), "int"),
    **dict.fromkeys(["str", "String"], "str"),
    "f64": "float",
    "bool": "bool",
    "()": "None",
    "Counters": "dict[str, int]",
    "FrameIterator": "Iterator[F64]",
    "CurveIterator": "Iterator[IntersectionCurve]",
    "PyBytes": "bytes",
}
ARRAYS = {"f64": "F64", "u32": "U32", "u64": "NDArray[np.uint64]", "i64": "NDArray[np.int64]", "u8": "NDArray[np.uint8]", "bool": "NDArray[np.bool_]"}
#: What the head defines: private to the stub, so that nobody imports it from the module.
ALIASES = re.compile(r"\b(?:" + "|".join(re.findall(r"^_(\w+): TypeAlias", HEAD, re.M)) + r")\b")
#: Methods that every object has.
IMPLIED = {"__repr__", "__str__"}


@dataclass
class Function:
    name: str
    docs: str
    attributes: str
    overloads: list[str]
    arguments: str
    returns: str


@dataclass
class Class:
    name: str
    docs: str
    fields: list[tuple[str, str, str]] = field(default_factory=list)
    methods: list[Function] = field(default_factory=list)


def split(text: str) -> list[str]:
    """Parts between commas that stand in no bracket and no string."""
    parts, depth, quoted, start = [], 0, False, 0
    for k, c in enumerate(text):
        if c == '"':
            quoted = not quoted
        elif not quoted:
            depth += (c in "([{<") - (c in ")]}" or (c == ">" and text[k - 1] != "-"))
            if c == "," and depth == 0:
                parts.append(text[start:k])
                start = k + 1
    return [part.strip() for part in [*parts, text[start:]] if part.strip()]


def closing(text: str, at: int) -> int:
    """Where the bracket at `at` closes; comments, strings and characters do not count."""
    pair = {"(": ")", "{": "}", "[": "]"}[text[at]]
    depth = 0
    for m in re.compile(r"""//[^\n]*|"(?:\\.|[^"\\])*"|'(?:\\.|[^\\'])'|[(){}\[\]]""").finditer(text, at):
        depth += (m[0] == text[at]) - (m[0] == pair)
        if depth == 0:
            return m.start()
    raise SyntaxError(f"no end: {text[at : at + 60]}")


class Types:
    def __init__(self, classes: dict[str, Class]) -> None:
        self.classes = classes

    def python(self, rust: str, *, given: bool, own: str = "") -> str:
        """What Python calls a Rust type: `given` by a caller, or returned."""
        t = re.sub(r"&?'\w+\b,? ?", "", rust.strip()).removeprefix("&").replace("<>", "").strip()
        t = re.sub(r"\b[a-z_]+::", "", t)
        if t == "Self":
            return own
        if t in PLAIN:
            return PLAIN[t]
        if t == "PathBuf":
            return "PathLike" if given else "pathlib.Path"
        if t in self.classes:
            return t
        if t.startswith("("):
            return f"tuple[{', '.join(self.python(part, given=given, own=own) for part in split(t[1:-1]))}]"
        if t.startswith("["):
            return self.several(t[1:-1].split(";")[0], given, own)
        outer, _, inner = t.partition("<")
        inner = inner.removesuffix(">").removeprefix("_, ")
        if outer in ("PyResult", "Py", "Bound"):
            return self.python(inner, given=given, own=own) if not inner.startswith("PyArray") else ARRAYS[inner[9:-1]]
        if outer == "Option":
            return f"{self.python(inner, given=given, own=own)} | None"
        if outer == "Vec":
            return self.several(inner, given, own)
        if outer in ("Table", "Column"):
            return ARRAYS[inner]
        raise TypeError(f"{rust!r}: annotate the signature")

    def several(self, inner: str, given: bool, own: str) -> str:
        return f"{'Sequence_' if given else 'list'}[{self.python(inner, given=given, own=own)}]"


def default(rust: str) -> str:
    known = {"true": "True", "false": "False", "None": "None"}
    # Constants and tuples are dots in the module too.
    return known.get(rust, rust if re.fullmatch(r'[\d.]+|"[a-z]*"', rust) else "...")


def signature(function: Function, types: Types, own: str = "") -> str:
    """`(self, a: int, *, b: float = 0.0) -> None`"""
    plain = (re.sub(r"^#\[.*?\)\]\s*", "", argument, flags=re.S) for argument in split(function.arguments))
    rust = [re.fullmatch(r"(?:mut )?(\w+)\s*:\s*(.*)", argument, re.S) for argument in plain]
    kept = {m[1]: m[2] for m in rust if m and not m[2].startswith("Python<") and m[1] != "slf"}
    told = re.search(r"signature = \(", function.attributes)
    items, returns = list(kept), None
    if told:
        end = closing(function.attributes, told.end() - 1)
        items = split(function.attributes[told.end() : end])
        arrow = re.match(r'\s*->\s*"([^"]*)"', function.attributes[end + 1 :])
        returns = arrow[1] if arrow else None
    is_static = "#[staticmethod]" in function.attributes
    out = [] if not own or is_static else ["cls" if "#[new]" in function.attributes else "self"]
    for item in items:
        m = re.fullmatch(r'(\*?\w*)\s*(?::\s*"([^"]*)")?\s*(?:=\s*(.*))?', item, re.S)
        assert m, item
        name, hint, value = m.groups()
        if name == "*":
            out.append("*")
            continue
        if hint is None:
            of = kept[name.lstrip("*")]
            of = re.sub(r"^Vec<(.*)>$", r"\1", of) if name.startswith("*") else of
            hint = types.python(of, given=True, own=own)
        out.append(f"{name}: {hint}" + (f" = {default(value)}" if value is not None else ""))
    if function.name == "__getitem__":
        out.append("/")
    if returns is None:
        returns = own if "#[new]" in function.attributes else types.python(function.returns or "()", given=False, own=own)
    return f"({', '.join(out)}) -> {returns}"


def head(name: str, told: str, indent: str = "") -> str:
    """A function's first line, or lines where it is long."""
    told = ALIASES.sub(r"_\g<0>", told)
    line = f"{indent}def {name}{told}"
    if len(line) <= 118:
        return line
    end = closing(told, 0)
    rows = "".join(f"{indent}    {part},\n" for part in split(told[1:end]))
    return f"{indent}def {name}(\n{rows}{indent}){told[end + 1 :]}"


def first_line(docs: str) -> str:
    return " ".join(docs.split("\n\n")[0].split())


def functions(body: str) -> list[Function]:
    """The functions of a block, with what stands above them."""
    found, above = [], ""
    at = 0
    while at < len(body):
        line_end = body.find("\n", at)
        line_end = len(body) if line_end < 0 else line_end
        line = body[at:line_end].strip()
        m = re.match(r"(?:pub )?fn (\w+)(?:<[^>(]*>)?\(", line)
        if m:
            opening = body.index("(", body.index(m[0], at))
            end = closing(body, opening)
            brace = body.index("{", end)
            returns = body[end + 1 : brace].strip().removeprefix("->").strip()
            found.append(described(m[1], above, body[opening + 1 : end], returns))
            at, above = closing(body, brace) + 1, ""
            continue
        above = above + line + "\n" if line else ""
        at = line_end + 1
    return found


def described(name: str, above: str, arguments: str, returns: str) -> Function:
    lines = above.splitlines()
    docs = "\n".join(line[4:] for line in lines if line.startswith("///"))
    overloads = [line.removeprefix("// overload: ") for line in lines if line.startswith("// overload: ")]
    attributes = "\n".join(line for line in lines if not line.startswith("//"))
    return Function(name, docs, attributes, overloads, arguments, returns)


def docs_before(text: str, at: int) -> str:
    above = text[:at].rstrip().splitlines()
    lines = []
    while above and above[-1].startswith(("///", "#[")):
        line = above.pop()
        if line.startswith("///"):
            lines.append(line[4:])
    return "\n".join(reversed(lines))


def read() -> tuple[dict[str, Class], list[Function], list[str]]:
    classes: dict[str, Class] = {}
    free: list[Function] = []
    errors: list[str] = []
    texts = [path.read_text() for path in sorted(SOURCES.rglob("*.rs"))]
    for text in texts:
        for m in re.finditer(r"^#\[pyclass\((.*)\)\]\npub struct (\w+)", text, re.M):
            made = classes[m[2]] = Class(m[2], docs_before(text, m.start()))
            if text[m.end()] == "(":
                continue
            brace = text.index("{", m.end())
            docs, is_get = [], "get_all" in m[1]
            shown = is_get
            for line in map(str.strip, text[brace + 1 : closing(text, brace)].splitlines()):
                if line.startswith("///"):
                    docs.append(line[4:])
                elif line.startswith("#[pyo3(get"):
                    shown = True
                elif f := re.fullmatch(r"(?:pub )?(\w+): (.*),", line):
                    if shown:
                        made.fields.append((f[1], f[2], " ".join(docs)))
                    docs, shown = [], is_get
        for m in re.finditer(r"create_exception!\(\s*crumple,\s*(\w+),\s*(\w+),\s*\"(.*?)\"\s*\)", text, re.S):
            base = {"PyValueError": "ValueError", "PyRuntimeError": "RuntimeError"}.get(m[2], m[2])
            errors.append(f'\nclass {m[1]}({base}):\n    """{m[3]}"""')
    for text in texts:
        for m in re.finditer(r"^#\[pymethods\]\nimpl (\w+) \{", text, re.M):
            classes[m[1]].methods += functions(text[m.end() : closing(text, m.end() - 1)])
        for m in re.finditer(r"^#\[pyfunction\]\n", text, re.M):
            free += functions(docs_and_function(text, m.start()))
    return classes, free, errors


def docs_and_function(text: str, at: int) -> str:
    docs = "".join(f"/// {line}\n" for line in docs_before(text, at).splitlines())
    brace = text.index("{", closing(text, text.index("(", text.index("fn ", at))))
    return docs + text[at : closing(text, brace) + 1]


def method(function: Function, made: Class, types: Types) -> list[str]:
    name = "__new__" if "#[new]" in function.attributes else function.name
    doc = f'\n        """{first_line(function.docs)}"""' if function.docs and not name.startswith("__") else ""
    body = f":{doc}" if doc else ": ..."
    if "#[getter]" in function.attributes:
        returns = types.python(function.returns, given=False, own=made.name)
        return ["    @property", head(name, f"(self) -> {returns}", "    ") + body]
    if function.overloads:
        heads = ["    @overload\n" + head(name, told, "    ") for told in function.overloads]
        return [heads[0] + body, *(f"{told}: ..." for told in heads[1:])]
    lines = ["    @staticmethod"] if "#[staticmethod]" in function.attributes else []
    return [*lines, head(name, signature(function, types, made.name), "    ") + body]


def stub() -> str:
    classes, free, errors = read()
    types = Types(classes)
    names = [*(re.search(r"class (\w+)", error)[1] for error in errors), *classes, *(f.name for f in free)]  # type: ignore[index]
    out = [HEAD, "__all__ = [\n" + "".join(f'    "{name}",\n' for name in sorted(["__version__", *names])) + "]", *errors]
    for made in sorted(classes.values(), key=lambda c: c.name):
        out += ["", "@final", f"class {made.name}:", f'    """{first_line(made.docs)}"""']
        for name, rust, docs in made.fields:
            returns = types.python(rust, given=False)
            out += ["    @property", head(name, f"(self) -> {returns}", "    ") + ":", f'        """{docs}"""']
        for function in made.methods:
            if function.name not in IMPLIED:
                out += method(function, made, types)
    out.append("")
    for function in sorted(free, key=lambda f: f.name):
        doc = f':\n    """{first_line(function.docs)}"""' if function.docs else ": ..."
        out.append(head(function.name, signature(function, types)) + doc)
    return "\n".join(out) + "\n"


if __name__ == "__main__":
    made = stub()
    if "--check" in sys.argv:
        if STUB.read_text() != made:
            sys.exit(f"{STUB.name} is not what the sources say: run {Path(__file__).name}")
    else:
        STUB.write_text(made)
