//! The element types of Gmsh by number.

use crate::elements::Kind;

/// What element type `number` is and how many nodes it has; `None` for types that Gmsh itself hardly writes.
pub(super) fn element_type(number: i64) -> Option<(Kind, usize)> {
    const POINT: Kind = Kind::Other("point elements");
    const LINE: Kind = Kind::Other("line elements");
    const HEX: Kind = Kind::Other("hexahedra");
    const PRISM: Kind = Kind::Other("prisms");
    const PYRAMID: Kind = Kind::Other("pyramids");
    Some(match number {
        1 => (LINE, 2),
        2 => (Kind::Triangle, 3),
        3 => (Kind::Quad, 4),
        4 => (Kind::Tet, 4),
        5 => (HEX, 8),
        6 => (PRISM, 6),
        7 => (PYRAMID, 5),
        8 => (LINE, 3),
        9 => (Kind::Triangle, 6),
        10 => (Kind::Quad, 9),
        11 => (Kind::Tet, 10),
        12 => (HEX, 27),
        13 => (PRISM, 18),
        14 => (PYRAMID, 14),
        15 => (POINT, 1),
        16 => (Kind::Quad, 8),
        17 => (HEX, 20),
        18 => (PRISM, 15),
        19 => (PYRAMID, 13),
        20 => (Kind::Triangle, 9),
        21 => (Kind::Triangle, 10),
        22 => (Kind::Triangle, 12),
        23 | 24 => (Kind::Triangle, 15),
        25 => (Kind::Triangle, 21),
        26 => (LINE, 4),
        27 => (LINE, 5),
        28 => (LINE, 6),
        29 => (Kind::Tet, 20),
        30 => (Kind::Tet, 35),
        31 => (Kind::Tet, 56),
        36 => (Kind::Quad, 16),
        37 => (Kind::Quad, 25),
        38 => (Kind::Quad, 36),
        39 => (Kind::Quad, 12),
        40 => (Kind::Quad, 16),
        41 => (Kind::Quad, 20),
        90 => (PRISM, 40),
        91 => (PRISM, 75),
        92 => (HEX, 64),
        93 => (HEX, 125),
        118 => (PYRAMID, 30),
        119 => (PYRAMID, 55),
        _ => return None,
    })
}

/// More nodes than any type above has.
pub(super) const MAX_NODES: usize = 128;
