"""Checks a folder of garments: which of them hit themselves or the body that they are worn on, the worst first.

    python check_garments.py garments/ --body body.ply --pictures out/

Every mesh file of the folder is one garment. The exit status is 1 when something collides, so that it can guard a pipeline.
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import dataclass
from pathlib import Path

import crumple

MESHES = {".obj", ".ply", ".stl", ".off", ".glb", ".gltf", ".vtk", ".vtu"}


@dataclass
class Verdict:
    """What is wrong with one garment."""

    file: Path
    with_itself: int
    with_body: int
    crossing: float
    fault: str = ""

    @property
    def is_bad(self) -> bool:
        return bool(self.with_itself or self.with_body or self.fault)


def check_garment(file: Path, body: crumple.Mesh | None, pictures: Path | None) -> Verdict:
    """Checks one file; a file that cannot be read is a verdict too."""
    try:
        garment = crumple.read(file)
    except (crumple.Error, OSError) as error:
        return Verdict(file, 0, 0, 0.0, str(error))
    found = crumple.check(garment, fixed=[body] if body is not None else [])
    pairs = found.triangle_pairs
    within = int((pairs[:, 0] == pairs[:, 2]).sum())
    if found and pictures is not None:
        found.picture(close_up=True).save(pictures / f"{file.stem}.png")
    return Verdict(file, within, len(pairs) - within, float(found.places.lengths.sum()))


def check_folder(folder: Path, body: crumple.Mesh | None = None, pictures: Path | None = None) -> list[Verdict]:
    """All garments of a folder, the longest crossing first."""
    if pictures is not None:
        pictures.mkdir(parents=True, exist_ok=True)
    files = sorted(path for path in folder.iterdir() if path.suffix.lower() in MESHES)
    verdicts = [check_garment(file, body, pictures) for file in files]
    return sorted(verdicts, key=lambda v: (not v.fault, -v.crossing, v.file.name))


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--body", type=Path, help="the mesh that the garments are worn on")
    parser.add_argument("--pictures", type=Path, help="a folder for a picture of each garment that collides")
    options = parser.parse_args(arguments)
    body = crumple.read(options.body) if options.body else None
    verdicts = check_folder(options.folder, body, options.pictures)
    for v in verdicts:
        told = v.fault or f"{v.with_itself} pairs with itself, {v.with_body} with the body, {v.crossing:.4g} long"
        print(f"{'BAD ' if v.is_bad else 'good'}  {v.file.name}: {told}")
    return int(any(v.is_bad for v in verdicts))


if __name__ == "__main__":
    sys.exit(main())
