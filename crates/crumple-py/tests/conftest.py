"""What the tests share: where things are, and small meshes."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

ROOT = Path(__file__).resolve().parents[3]

F64 = npt.NDArray[np.float64]


@pytest.fixture(scope="session")
def answers(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Every scene of the suite with the engine's own answers, written by the Rust program that CRUMPLE_REFERENCE names."""
    program = os.environ.get("CRUMPLE_REFERENCE")
    if not program:
        pytest.skip("CRUMPLE_REFERENCE does not name the program that writes the engine's answers; ./test builds it")
    folder = tmp_path_factory.mktemp("answers")
    subprocess.run([program, "answers", str(folder)], check=True)
    return folder


@pytest.fixture(scope="session")
def data() -> Path:
    """Real meshes with ground truth, where they are."""
    folder = os.environ.get("CRUMPLE_DATA")
    if not folder or not Path(folder).is_dir():
        pytest.skip("CRUMPLE_DATA does not name the folder of real meshes")
    return Path(folder)


@pytest.fixture
def meshes() -> Path:
    """The small meshes that the project keeps."""
    return ROOT / "testdata" / "meshes"


FLAT: F64 = np.array([[0, 0, 0], [4, 0, 0], [0, 4, 0]], dtype=float)
ONE = np.array([[0, 1, 2]])
CORNERS: F64 = np.array([[0, 0, 0], [4, 0, 0], [0, 4, 0], [0, 0, 4]], dtype=float)
TET = np.array([[0, 1, 2, 3]])


def sphere(n: int = 2, radius: float = 1.0, centre: tuple[float, float, float] = (0, 0, 0)) -> tuple[F64, F64]:
    """An icosphere."""
    t = (1 + 5**0.5) / 2
    v = np.array(
        [[-1, t, 0], [1, t, 0], [-1, -t, 0], [1, -t, 0], [0, -1, t], [0, 1, t],
         [0, -1, -t], [0, 1, -t], [t, 0, -1], [t, 0, 1], [-t, 0, -1], [-t, 0, 1]]
    )  # fmt: skip
    f = np.array(
        [[0, 11, 5], [0, 5, 1], [0, 1, 7], [0, 7, 10], [0, 10, 11], [1, 5, 9], [5, 11, 4], [11, 10, 2], [10, 7, 6],
         [7, 1, 8], [3, 9, 4], [3, 4, 2], [3, 2, 6], [3, 6, 8], [3, 8, 9], [4, 9, 5], [2, 4, 11], [6, 2, 10], [8, 6, 7],
         [9, 8, 1]]
    )  # fmt: skip
    for _ in range(n):
        edges = np.sort(np.concatenate([f[:, [0, 1]], f[:, [1, 2]], f[:, [2, 0]]]), axis=1)
        unique, back = np.unique(edges, axis=0, return_inverse=True)
        middle = (len(v) + back.reshape(3, -1)).T
        v = np.concatenate([v, v[unique].mean(axis=1)])
        a, b, c = middle.T
        f = np.concatenate(
            [np.stack([f[:, 0], a, c], 1), np.stack([f[:, 1], b, a], 1), np.stack([f[:, 2], c, b], 1), middle]
        )
    v = v / np.linalg.norm(v, axis=1)[:, None] * radius + np.asarray(centre)
    return v, f
