//! Elements that are hardly there, or there twice.

use super::still;
use crate::{
    Elements, LazyBody, LazyScene, Rng, Surface,
    shapes::{box_surface, sheet, triangle_soup},
    vector::{Point, add, scale},
};

/// 60 triangles of length about 1 and width 1e-8, crossing each other and a sheet.
pub fn needles(name: &str) -> LazyScene {
    let mut rng = Rng::new(51);
    let mut soup = Surface::default();
    for t in 0..60 {
        let (a, b) = (rng.in_ball(), rng.in_ball());
        soup.positions.extend([a, b, add(b, scale(rng.direction(), 1e-8))]);
        soup.triangles.push([3 * t, 3 * t + 1, 3 * t + 2]);
    }
    still(name, [("needles", soup), ("sheet", sheet(6, 6, [1.5, 1.5]))])
}

/// A sheet whose columns move together until triangles have no area, and a soup of segments and points as triangles
/// across it. All coordinates are small integers.
pub fn zero_area(name: &str) -> LazyScene {
    let grid = sheet(6, 6, [6.0, 6.0]);
    let collapsing = LazyBody::moving("sheet", grid, |[x, y, z], frame| {
        // Frame 1: two columns coincide. Frame 2: the whole sheet is a segment.
        match frame {
            0 => [x, y, z],
            1 => [if x == 1.0 { 0.0 } else { x }, y, z],
            _ => [0.0, y, z],
        }
    });
    let lines: [[Point; 3]; 6] = [
        [[0.0, 0.0, -1.0], [0.0, 0.0, 1.0], [0.0, 0.0, 0.0]], // through a vertex of the sheet
        [[0.5, 0.25, -1.0], [0.5, 0.25, 0.0], [0.5, 0.25, 1.0]], // through the inside of a triangle, or beside the segment
        [[-3.0, 1.0, 0.0], [3.0, 1.0, 0.0], [0.0, 1.0, 0.0]],    // along a grid line
        [[0.0, 2.5, 0.0]; 3],                                    // a point on an edge
        [[5.0, 5.0, 5.0]; 3],                                    // a point nowhere near
        [[0.0, -2.0, 0.0], [0.0, -2.0, 0.0], [0.0, -2.0, 3.0]],  // a segment that names one end twice
    ];
    let soup = Surface {
        positions: lines.into_iter().flatten().collect(),
        triangles: (0..6).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]).collect(),
    };
    LazyScene::new(name, 3, vec![collapsing, LazyBody::still("lines", soup)])
}

/// Triangles that name one vertex twice or three times, among sound ones.
pub fn repeated_corners(name: &str) -> LazyScene {
    let mut surface = sheet(3, 3, [3.0, 3.0]);
    surface.triangles.extend([[0, 0, 5], [5, 5, 5], [0, 15, 0], [3, 12, 12]]);
    let spike = Surface {
        positions: vec![[0.25, 0.0, -1.0], [0.25, 0.0, 1.0]],
        triangles: vec![[0, 1, 1], [0, 0, 1]],
    };
    still(name, [("sheet", surface), ("spike", spike)])
}

/// A box whose faces are all there twice: once more the same way round, once more turned over, once more in vertices of
/// their own.
pub fn duplicates(name: &str) -> LazyScene {
    let one = box_surface([2, 2, 2], [2.0; 3]);
    let mut same = one.clone();
    same.triangles.extend(one.triangles.iter().map(|&[a, b, c]| [b, c, a]));
    let mut turned = one.clone().mapped(|p| add(p, [4.0, 0.0, 0.0]));
    turned.triangles.extend(one.triangles.iter().map(|&[a, b, c]| [a, c, b]));
    let twice = one.clone().joined(&one).mapped(|p| add(p, [8.0, 0.0, 0.0]));
    still(name, [("same-corners", same), ("turned-over", turned), ("own-corners", twice)])
}

/// A box in which every triangle has its own vertices: where the welded box has neighbours, this one touches itself.
pub fn unwelded(name: &str) -> LazyScene {
    let welded = box_surface([2, 2, 1], [2.0, 2.0, 1.0]);
    let corners = welded.triangles.iter().flatten();
    let positions = corners.map(|&v| welded.positions[v as usize]).collect();
    let triangles = (0..welded.triangles.len() as u32).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]).collect();
    still(name, [("box", Surface { positions, triangles })])
}

/// Two sheets in one plane, one sliding over the other by quarters of a cell: overlaps, common edges, common corners,
/// and finally a common border only.
pub fn coplanar(name: &str) -> LazyScene {
    let slide = [0.25, 0.5, 1.0, 4.0];
    let bodies = vec![
        LazyBody::still("still", sheet(4, 4, [4.0, 4.0])),
        LazyBody::moving("sliding", sheet(4, 4, [4.0, 4.0]), move |[x, y, z], frame| {
            [x + slide[frame], y, z]
        }),
    ];
    LazyScene::new(name, slide.len(), bodies)
}

/// A crumpled sheet in which one triangle in three is turned over: no orientation to rely on.
pub fn inconsistent(name: &str) -> LazyScene {
    let mut surface = sheet(9, 9, [1.0, 1.0]);
    surface.triangles.iter_mut().step_by(3).for_each(|t| t.swap(0, 2));
    let creases = crate::motions::Creases::new(3, 5);
    let body = LazyBody::moving("sheet", surface, move |[x, y, z], frame| {
        add([x, y, z], creases.at(x + 0.5, y + 0.5, 0.2 * frame as f64))
    });
    LazyScene::new(name, 3, vec![body])
}

/// Five pages along one spine (an edge with five triangles), two boxes that share one vertex, and pages that swing
/// through each other.
pub fn non_manifold(name: &str) -> LazyScene {
    const PAGES: usize = 5;
    let mut book =
        Surface { positions: (0..4).map(|k| [0.0, 0.0, f64::from(k)]).collect(), triangles: vec![] };
    for _ in 0..PAGES {
        let base = book.positions.len() as u32;
        book.positions.extend((0..4).map(|k| [2.0, 0.0, f64::from(k)]));
        for k in 0..3 {
            book.triangles.extend([[k, base + k, base + k + 1], [k, base + k + 1, k + 1]]);
        }
    }
    let positions = book.positions.clone();
    let pages = LazyBody::new("book", Elements::Triangles(book.triangles), positions.len(), move |frame| {
        let at = |(v, &[x, _, z]): (usize, &Point)| {
            let page = v.saturating_sub(4) / 4;
            // In frame 2 the last page lies in the first one; in frame 3 pages bend through their neighbours.
            let angle = match (frame, page) {
                (0, p) => 1.2 * p as f64,
                (1, p) => 0.3 * p as f64,
                (2, 4) => 0.0,
                (2, p) => 0.3 * p as f64,
                (_, p) => 0.3 * p as f64 * (1.5 - z),
            };
            let (s, c) = crate::trig::sin_cos(angle);
            [x * c, x * s, z]
        };
        positions.iter().enumerate().map(at).collect()
    });
    // A second box that starts in the first one's last corner.
    let cube = box_surface([1; 3], [1.0; 3]);
    let corner = cube.positions.iter().position(|&p| p == [0.5; 3]).unwrap_or(0) as u32;
    let mut bowtie = cube.clone();
    let base = bowtie.positions.len() as u32;
    bowtie.positions.extend(cube.positions.iter().map(|p| add(*p, [1.0; 3])));
    let origin = cube.positions.iter().position(|&p| p == [-0.5; 3]).unwrap_or(0) as u32;
    let meet = |v: u32| if v == origin { corner } else { base + v };
    bowtie.triangles.extend(cube.triangles.iter().map(|t| t.map(meet)));
    let bowtie = bowtie.mapped(|p| add(p, [6.0, 0.0, 0.0]));
    LazyScene::new(name, 4, vec![pages, LazyBody::still("bowtie", bowtie)])
}

/// 299 triangles in a thousandth of the box that the last one spans (B19).
pub fn corner_crowd(name: &str) -> LazyScene {
    let mut soup = triangle_soup(299, 0.6, 61).mapped(|p| scale(p, 0.5));
    soup.positions.extend([[999.0, 1000.0, 1000.0], [1000.0, 999.0, 1000.0], [1000.0, 1000.0, 999.0]]);
    soup.triangles.push([897, 898, 899]);
    still(name, [("crowd", soup)])
}

/// A body without triangles, one whose vertices are mostly unused, and a sheet across them.
pub fn hardly_anything(name: &str) -> LazyScene {
    let unused = Surface {
        positions: (0..20).map(|k| [0.1 * f64::from(k) - 1.0, 0.0, 0.5 - 0.25 * f64::from(k % 5)]).collect(),
        triangles: vec![[2, 9, 16]],
    };
    let empty = Surface::default();
    still(name, [("nothing", empty), ("unused-vertices", unused), ("sheet", sheet(2, 2, [2.0, 2.0]))])
}
