"""Collision detection for meshes that change shape: cloth, skin, organs, soft robots, finite elements.

Hand over meshes once and positions every frame; ask what touches, what passed through what, what is about to touch, what
is inside and how much volume is shared. Verdicts are exact, results are sorted numpy arrays.

>>> import crumple, numpy as np
>>> sheet = crumple.Mesh([[0, 0, 0], [4, 0, 0], [4, 4, 0], [0, 4, 0]], [[0, 1, 2], [0, 2, 3]], name="sheet")
>>> spike = np.array([[1, 1, 2], [1.5, 1, 2], [1, 1.2, 1]])
>>> scene = crumple.Scene()
>>> floor = scene.add(sheet, fixed=True)
>>> thorn = scene.add(spike, [[0, 1, 2]], name="thorn")
>>> len(scene.contacts())
0
>>> scene.set_positions(thorn, spike - [0, 0, 1.5])
>>> scene.contacts().triangle_pairs
array([[0, 0, 1, 0],
       [0, 1, 1, 0]], dtype=uint32)
>>> scene.impacts().first[0] > 0.6
True

One call is enough where there is one frame: `check`, `proximity`, `impacts`, `penetrations`, `inside`, `overlap`,
`self_overlap`, `distance` and `untangle` take meshes, files, pairs of arrays, and meshes of trimesh, meshio, pyvista and
open3d.
"""

from crumple._convert import MeshLike, as_mesh
from crumple._crumple import (
    Blade,
    BodyError,
    Changes,
    Choice,
    ClosePairs,
    Contacts,
    BudgetedContacts,
    Cut,
    Diagnostic,
    Distance,
    Drawing,
    EdgePenetrations,
    Edit,
    Error,
    FileError,
    FrameError,
    Fused,
    Impact,
    Impacts,
    InternalError,
    IntersectionCurve,
    IntersectionCurves,
    Mesh,
    MeshError,
    OpenError,
    Overlap,
    Penetrations,
    Picture,
    Places,
    Proximity,
    ProximityCandidates,
    Report,
    Scene,
    SelfOverlap,
    Sequence,
    Step,
    Undecided,
    Untangled,
    VolumeDepth,
    Witness,
    __version__,
    coincident,
    fuse,
    read,
)
from crumple._once import (
    Check,
    check,
    distance,
    impacts,
    inside,
    overlap,
    penetrations,
    proximity,
    report,
    self_overlap,
    untangle,
    write,
)

__all__ = [
    "Blade",
    "BodyError",
    "Changes",
    "Check",
    "Choice",
    "ClosePairs",
    "Contacts",
    "BudgetedContacts",
    "Cut",
    "Diagnostic",
    "Distance",
    "Drawing",
    "EdgePenetrations",
    "Edit",
    "Error",
    "FileError",
    "FrameError",
    "Fused",
    "Impact",
    "Impacts",
    "InternalError",
    "IntersectionCurve",
    "IntersectionCurves",
    "Mesh",
    "MeshError",
    "MeshLike",
    "OpenError",
    "Overlap",
    "Penetrations",
    "Picture",
    "Places",
    "Proximity",
    "ProximityCandidates",
    "Report",
    "Scene",
    "SelfOverlap",
    "Sequence",
    "Step",
    "Undecided",
    "Untangled",
    "VolumeDepth",
    "Witness",
    "__version__",
    "as_mesh",
    "check",
    "coincident",
    "distance",
    "fuse",
    "impacts",
    "inside",
    "overlap",
    "penetrations",
    "proximity",
    "read",
    "report",
    "self_overlap",
    "untangle",
    "write",
]
