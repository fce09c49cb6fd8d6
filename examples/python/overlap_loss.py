"""The volume that two bodies share as a loss: a `torch.autograd.Function` over `Scene.overlap` with its gradient.

    loss = overlap_loss(a_points, a_triangles, b_points, b_triangles)    # tensors of shape (n, 3), any device
    loss.backward()                                                      # pushes the bodies out of each other

Without torch, `overlap_and_gradient` gives the same numbers as numpy arrays, and the demonstration below descends by hand.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

import crumple

if TYPE_CHECKING:
    import torch
else:
    try:
        import torch
    except ImportError:
        torch = None

F64 = npt.NDArray[np.float64]
#: Rays along each side of the common box.
RAYS = 128


def overlap_and_gradient(
    a: npt.ArrayLike, a_triangles: npt.ArrayLike, b: npt.ArrayLike, b_triangles: npt.ArrayLike, rays: int = RAYS
) -> tuple[float, F64, F64]:
    """The shared volume, and how fast it grows as each vertex of `a` and of `b` moves."""
    scene = crumple.Scene()
    first, second = scene.add(np.asarray(a), a_triangles), scene.add(np.asarray(b), b_triangles)
    found = scene.overlap(first, second, rays, gradient=True)
    assert found.gradient is not None
    return found.volume, *found.gradient


if torch is not None:

    class _Overlap(torch.autograd.Function):  # type: ignore[misc,unused-ignore]
        """Forward asks the engine once, and keeps the gradient for the way back."""

        @staticmethod
        def forward(ctx: Any, a: Any, a_triangles: Any, b: Any, b_triangles: Any, rays: int) -> Any:
            a_array, a_faces, b_array, b_faces = (t.detach().cpu().numpy() for t in (a, a_triangles, b, b_triangles))
            volume, grad_a, grad_b = overlap_and_gradient(a_array, a_faces, b_array, b_faces, rays)
            ctx.save_for_backward(torch.as_tensor(grad_a).to(a), torch.as_tensor(grad_b).to(b))
            return a.new_tensor(volume)

        @staticmethod
        def backward(ctx: Any, *grads: Any) -> Any:
            grad_a, grad_b = ctx.saved_tensors
            return grads[0] * grad_a, None, grads[0] * grad_b, None, None

    def overlap_loss(
        a: torch.Tensor, a_triangles: torch.Tensor, b: torch.Tensor, b_triangles: torch.Tensor, rays: int = RAYS
    ) -> torch.Tensor:
        """The shared volume of two closed surfaces as a differentiable scalar."""
        loss: torch.Tensor = _Overlap.apply(a, a_triangles, b, b_triangles, rays)  # type: ignore[no-untyped-call,unused-ignore]
        return loss


def descend(
    a: F64, a_triangles: npt.ArrayLike, b: F64, b_triangles: npt.ArrayLike, steps: int = 40
) -> tuple[F64, list[float]]:
    """Moves `a` as a whole out of `b`, down the gradient of the shared volume; its place, and the volume at each step."""
    a, volumes = a.copy(), []
    for _ in range(steps):
        volume, slope, _ = overlap_and_gradient(a, a_triangles, b, b_triangles)
        volumes.append(volume)
        total = slope.sum(axis=0)
        if volume == 0 or not total.any():
            break
        a -= 0.05 * total / np.linalg.norm(total)
    return a, volumes


if __name__ == "__main__":
    corners = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], dtype=float)
    faces = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]]
    moved, seen = descend(corners, faces, corners + [0.2, 0.1, 0.1], faces)
    print("shared volume, step by step:", " ".join(f"{v:.4f}" for v in seen))
    print("torch:", "installed" if torch is not None else "not installed")
