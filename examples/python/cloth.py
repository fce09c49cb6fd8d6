"""A cloth that falls on a ball, in a hundred lines: springs by projection, contacts by proximity, steps that touch nothing.

    python cloth.py --frames 60 --picture cloth.png
"""

from __future__ import annotations

import argparse

import numpy as np
import numpy.typing as npt

import crumple

F64 = npt.NDArray[np.float64]
GRAVITY, DAMPING, SUBSTEPS, ROUNDS = np.array([0.0, -9.81, 0.0]), 0.995, 8, 12
THICKNESS = 0.02


def sheet(n: int, side: float, height: float) -> crumple.Mesh:
    """A square of 2 n² triangles."""
    s = np.linspace(-side / 2, side / 2, n + 1)
    x, z = (a.ravel() for a in np.meshgrid(s, s, indexing="ij"))
    a = (np.arange(n)[:, None] * (n + 1) + np.arange(n)).ravel()
    b, c, d = a + n + 1, a + n + 2, a + 1
    triangles = np.concatenate([np.stack([a, b, c], 1), np.stack([a, c, d], 1)])
    return crumple.Mesh(np.stack([x, np.full_like(x, height), z], 1), triangles, name="cloth")


def ball(n: int, radius: float) -> crumple.Mesh:
    """A closed ball: the six sides of a cube, blown up and welded."""
    side = sheet(n, 2.0, 1.0)
    turns = [np.roll(np.eye(3), k, axis=0) * s for k in range(3) for s in (1.0, -1.0)]
    points = np.concatenate([side.points @ turn for turn in turns])
    triangles = np.concatenate([side.triangles + k * side.vertex_count for k in range(6)])
    unique, back = np.unique(np.round(points, 9), axis=0, return_inverse=True)
    return crumple.Mesh(radius * unique / np.linalg.norm(unique, axis=1)[:, None], back.ravel()[triangles], name="ball")


class Cloth:
    """The state: where the cloth is, how fast, and the scene that knows what is near."""

    def __init__(self, n: int = 24) -> None:
        mesh, body = sheet(n, 2.0, 1.2), ball(16, 0.7)
        self.scene = crumple.Scene()
        self.cloth = self.scene.add(mesh)
        self.ball = self.scene.add(body, fixed=True)
        self.x: F64 = mesh.points
        self.v: F64 = np.zeros_like(self.x)
        across = mesh.points[:, None] - mesh.points[None]
        near = np.linalg.norm(across, axis=2) < 2.1 * 2.0 / n  # edges, diagonals, and every second vertex against bending
        self.springs = np.argwhere(np.triu(near, 1))
        self.rest = np.linalg.norm(self.x[self.springs[:, 0]] - self.x[self.springs[:, 1]], axis=1)
        self.share = np.zeros(len(self.x))
        np.add.at(self.share, self.springs.ravel(), 1.0)

    def project_springs(self, x: F64) -> None:
        i, j = self.springs.T
        gap = x[i] - x[j]
        length = np.linalg.norm(gap, axis=1)
        push = (0.5 * (length - self.rest) / length)[:, None] * gap
        move = np.zeros_like(x)
        np.add.at(move, i, -push)
        np.add.at(move, j, push)
        x += 1.6 * move / self.share[:, None]

    def project_contacts(self, x: F64, near: crumple.Proximity) -> None:
        """Pushes close pairs apart along their normals, until they are as far as the cloth is thick."""
        on_cloth = np.empty((len(near), 4), bool)  # which of the four vertices can move
        split = len(near.vertex_triangles)
        sides = near.bodies == self.cloth
        on_cloth[:split] = sides[:split][:, [0, 1, 1, 1]]
        on_cloth[split:] = sides[split:][:, [0, 0, 1, 1]]
        still = self.scene.positions(self.ball)
        corners = np.where(on_cloth[..., None], x[near.vertices % len(x)], still[near.vertices % len(still)])
        gap = np.einsum("ijk,ij,ik->i", corners, near.weights, near.normals)
        stiff = np.maximum((near.weights**2 * on_cloth).sum(axis=1), 1e-9)
        push = np.maximum(THICKNESS - gap, 0.0) / stiff
        move, count = np.zeros_like(x), np.zeros(len(x))
        rows, columns = np.nonzero(on_cloth & (push > 0)[:, None])
        where = near.vertices[rows, columns]
        np.add.at(move, where, (push[rows] * near.weights[rows, columns])[:, None] * near.normals[rows])
        np.add.at(count, where, 1.0)
        x += move / np.maximum(count, 1.0)[:, None]

    def frame(self, seconds: float = 1 / 60) -> None:
        h = seconds / SUBSTEPS
        for _ in range(SUBSTEPS):
            self.v = DAMPING * (self.v + h * GRAVITY)
            goal = self.x + h * self.v
            near = self.scene.proximity(2 * THICKNESS)
            for _ in range(ROUNDS):
                self.project_springs(goal)
                self.project_contacts(goal, near)
            self.scene.step_to({self.cloth: goal})  # as far as nothing is touched, and proved
            after = self.scene.positions(self.cloth)
            self.v, self.x = (after - self.x) / h, after


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--frames", type=int, default=60)
    parser.add_argument("--picture", default=None)
    options = parser.parse_args()
    cloth = Cloth()
    for frame in range(options.frames):
        cloth.frame()
        print(f"frame {frame}: lowest {cloth.x[:, 1].min():+.3f}, crossings {len(cloth.scene.contacts())}")
    if options.picture:
        cloth.scene.picture().save(options.picture)


if __name__ == "__main__":
    main()
