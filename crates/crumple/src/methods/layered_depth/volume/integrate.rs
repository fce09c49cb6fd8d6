//! Integrals over the surfaces that bound the common volume.

use super::super::bits;
use super::super::body::SnappedBody;
use super::super::raster::reference::wide;
use super::super::raster::rows::RowTouch;
use super::super::raster::tile::Tile;
use super::cells::{Cells, Presence, Role};
use super::clip::Clipper;
use super::coverage::{Coverage, Drawn};
use crate::geometry::simd::multiversion;

/// Sums over one tile.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Sums {
    /// Six times the integral of depth over triangles that count whole, signed: an exact integer.
    pub six: i128,
    /// The same integral over pieces of triangles.
    pub pieces: f64,
    /// What rounding may have done to the pieces.
    pub slack: f64,
}

/// The surface of body `k` in a tile.
#[derive(Clone, Copy)]
pub(crate) struct TileSurface<'a> {
    pub tile: &'a Tile,
    pub k: usize,
    pub cover: &'a Coverage,
    pub body: &'a SnappedBody<'a>,
    pub sign: i32,
}

/// Adds a surface to the sums and to the cells of the tile.
pub(crate) fn integrate(surface: TileSurface<'_>, cells: &mut Cells, sums: &mut Sums) {
    let mut cut = std::mem::take(&mut cells.cut);
    cut.clear();
    weigh(surface, cells, sums, &mut cut);
    cut_all(surface, cells, sums, &cut);
    cells.cut = cut;
    if cells.has_roots[surface.k] {
        integrate_below(surface, cells, sums);
    }
}

/// A triangle of which pieces count.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CutTriangle {
    /// Its place among those drawn, and that of its first touch.
    drawn: u32,
    first: u32,
    /// Whether all of it was added, so that pieces that do not count are taken off again: that takes fewer cuts.
    is_added: bool,
}

multiversion! {
    /// Adds the triangles that count whole, and lists those of which pieces do.
    fn weigh(surface: TileSurface<'_>, cells: &Cells, sums: &mut Sums, cut: &mut Vec<CutTriangle>) {
        let TileSurface { k, cover, sign, .. } = surface;
        let (mut six, mut first) = (0, 0);
        for (number, drawn) in cover.drawn.iter().enumerate() {
            let start = std::mem::replace(&mut first, drawn.end);
            // What is seen edge-on adds nothing.
            if drawn.area2 == 0 {
                continue;
            }
            let touches = &cover.touches[start as usize..drawn.end as usize];
            let (share, whole) =
                (share_of(cells, k, drawn, touches), i128::from(drawn.area2) * i128::from(drawn.depths));
            let is_added = match share {
                CellShare::Nothing => continue,
                CellShare::Everything => {
                    six += whole;
                    continue;
                }
                CellShare::AllBut => {
                    six += whole;
                    true
                }
                CellShare::Some => false,
            };
            cut.push(CutTriangle { drawn: number as u32, first: start, is_added });
        }
        sums.six += i128::from(sign) * six;
    }
}

multiversion! {
    /// Adds the pieces of triangles.
    fn cut_all(surface: TileSurface<'_>, cells: &mut Cells, sums: &mut Sums, cut: &[CutTriangle]) {
        let cover = surface.cover;
        let mut clipper = Clipper::default();
        for cut in cut {
            let drawn = &cover.drawn[cut.drawn as usize];
            let ways = if cut.is_added {
                Ways { whole: 0.0, split: -1.0, none: -1.0 }
            } else {
                Ways { whole: 1.0, split: 0.0, none: 0.0 }
            };
            let piece = CellPiece::new(surface, drawn.triangle, drawn.is_far, &mut clipper);
            for touch in &cover.touches[cut.first as usize..drawn.end as usize] {
                piece.add(cells, RowTouch(*touch), &ways, &mut clipper, sums);
            }
        }
    }
}

/// How often a piece counts in the sums: one that counts whole, one in a cell, one that does not count.
struct Ways {
    whole: f64,
    split: f64,
    none: f64,
}

/// What lies strictly below the tile, for the runs that go on there.
fn integrate_below(surface: TileSurface<'_>, cells: &mut Cells, sums: &mut Sums) {
    let TileSurface { tile, k, cover, body, .. } = surface;
    let mut clipper = Clipper::default();
    let mut roots = std::mem::take(&mut cells.roots);
    roots.clear();
    roots.extend(cells.split[k].iter().map(|split| split & 1 != 0));
    for &t in &cover.below {
        let shape = body.shape(t);
        let Some(rect) = tile.rect(&shape.min, &shape.max).filter(|&r| tile.any(r, &roots)) else {
            continue;
        };
        let is_far = body.has_far && super::super::lattice::is_far(&shape.corners);
        let piece = CellPiece::new(surface, t, is_far, &mut clipper);
        let mut add = |c: usize, _, _| {
            if cells.split[k][c] & 1 != 0 {
                let touch = RowTouch::new(c, 0, 0);
                let ways = Ways { whole: 1.0, split: 0.0, none: 0.0 };
                piece.add(cells, touch, &ways, &mut clipper, sums);
            }
        };
        if is_far {
            tile.each_column::<i128>(&body.wide(t), rect, (0, 0), |column, lo, hi, _| add(column, lo, hi));
        } else {
            tile.visit(&shape, rect, (0, 0), &mut add);
        }
    }
    cells.roots = roots;
}

/// How much of a triangle counts.
enum CellShare {
    Nothing,
    Everything,
    /// Pieces.
    Some,
    /// The whole triangle without some pieces.
    AllBut,
}

/// What a piece of a triangle is to its column.
#[derive(Clone, Copy, PartialEq, Eq)]
enum PieceKind {
    None,
    Whole,
    Split,
}

#[inline(always)]
fn kind_of(cells: &Cells, k: usize, touch: RowTouch) -> PieceKind {
    let c = touch.column();
    match cells.roles[k][c] {
        Role::None => PieceKind::None,
        Role::All if touch.hi() > 0 => PieceKind::Whole,
        _ => {
            let mask = touch.mask();
            if cells.whole[k][c] & mask != 0 {
                PieceKind::Whole
            } else if cells.split[k][c] & mask != 0 {
                PieceKind::Split
            } else {
                PieceKind::None
            }
        }
    }
}

#[inline(always)]
fn share_of(cells: &Cells, k: usize, drawn: &Drawn, touches: &[u32]) -> CellShare {
    // Without a branch as long as the columns alone decide.
    let sum = touches.iter().map(|t| cells.roles[k][RowTouch(*t).column()] as u32).sum::<u32>();
    let (mut whole, mut none) = ((sum & 0xffff) as usize, (sum >> 16) as usize);
    if whole + none < touches.len() {
        (whole, none) = (0, 0);
        for touch in touches {
            let kind = kind_of(cells, k, RowTouch(*touch));
            whole += usize::from(kind == PieceKind::Whole);
            none += usize::from(kind == PieceKind::None);
        }
    }
    if none == touches.len() {
        CellShare::Nothing
    } else if !drawn.is_enclosed || whole <= none {
        CellShare::Some
    } else if whole == touches.len() {
        CellShare::Everything
    } else {
        CellShare::AllBut
    }
}

/// A triangle that is cut to columns.
struct CellPiece<'a> {
    surface: TileSurface<'a>,
    slack: f64,
}

impl<'a> CellPiece<'a> {
    #[inline(always)]
    fn new(surface: TileSurface<'a>, triangle: u32, is_far: bool, clipper: &mut Clipper) -> Self {
        let TileSurface { tile, body, .. } = surface;
        let shape = body.shape(triangle);
        let [a, b, c] = if is_far { body.wide(triangle) } else { wide(&shape) };
        let origin = [tile.origin[0], tile.origin[1], tile.depth[0]];
        let from = |p: [i64; 3], k: usize| (p[k] - i64::from(origin[k])) as f64;
        let at = |p: [i64; 3]| [from(p, 0), from(p, 1), from(p, 2)];
        clipper.take([at(a), at(b), at(c)]);
        let spread = |k: usize| ((b[k] - a[k]).abs() + (c[k] - a[k]).abs()) as f64;
        // Each cut point is off by a few roundings of the triangle's extent, over a column's width and all its depth.
        let pixel = f64::from(tile.pixel());
        let slack = 1e-14 * (spread(0) + spread(1) + pixel) * pixel * (spread(2) + (1u64 << 28) as f64);
        Self { surface, slack }
    }

    #[inline(always)]
    fn add(&self, cells: &mut Cells, touch: RowTouch, ways: &Ways, clipper: &mut Clipper, sums: &mut Sums) {
        let TileSurface { tile, k, .. } = self.surface;
        let (c, sign) = (touch.column(), f64::from(self.surface.sign));
        let kind = kind_of(cells, k, touch);
        let times = match kind {
            PieceKind::None => ways.none,
            PieceKind::Whole => ways.whole,
            PieceKind::Split => ways.split,
        };
        if times == 0.0 && kind != PieceKind::Split {
            return;
        }
        if !clipper.column(tile.coordinates(c), f64::from(tile.pixel())) {
            return;
        }
        sums.pieces += times * sign * (clipper.moment + f64::from(tile.depth[0]) * clipper.area);
        // What the piece is off by, and twice what adding it up is.
        sums.slack += self.slack + f64::EPSILON * sums.pieces.abs();
        if kind != PieceKind::Split {
            return;
        }
        let split = cells.split[k][c];
        let lo = touch.lo();
        for cell in cells.of_column(c) {
            let Presence::Simple { run, sum, .. } = &mut cell.sides[k] else { continue };
            let za = f64::from(cell.depth[0] - tile.depth[0]);
            let zb = f64::from(cell.depth[1] - tile.depth[0]);
            let run = u32::from(*run);
            if run <= lo && bits::span(run, lo) & !split == 0 && clipper.lowest < zb {
                // The area is signed like the normal, the winding number steps the other way.
                *sum -= sign * (clipper.below(zb) - clipper.below(za));
            }
        }
    }
}
