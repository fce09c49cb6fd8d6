//! Everything in the picture as plain triangles and rods, moved to the centre and scaled to unit size.

use glam::Vec3;

use super::bounds::{Bounds, Unit, most_crowded};
use super::items::{Edges, Paint, Shading, Surface};
use super::view::Focus;
use super::{Color, Picture, Skipped};

/// How a triangle is drawn: a set of bits.
pub(super) mod style {
    /// Normals are interpolated.
    pub const SMOOTH: u8 = 1;
    /// Colours are interpolated from the vertices.
    pub const BLEND: u8 = 2;
    /// Edges are drawn.
    pub const EDGES: u8 = 4;
    /// Colliding: emissive, outlined, shines through.
    pub const MARKED: u8 = 8;
    /// The edge opposite corner 0 lies between two classes; those of corners 1 and 2 are the next bits.
    pub const BORDER: u8 = 16;
    /// All three of them.
    pub const BORDERS: u8 = 7 * BORDER;
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Vertex {
    pub(super) p: Vec3,
    /// Sum of the adjacent triangles' normals by area, of unit length or zero.
    pub(super) n: Vec3,
    pub(super) color: Color,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Triangle {
    pub(super) v: [u32; 3],
    pub(super) color: Color,
    pub(super) style: u8,
    pub(super) opacity: f32,
}

impl StageRod {
    pub(super) fn is_mark(&self) -> bool {
        self.role == Role::Mark
    }
}

impl Triangle {
    pub(super) fn is_marked(&self) -> bool {
        self.style & style::MARKED != 0
    }

    pub(super) fn is_ghost(&self) -> bool {
        self.opacity < 1.0
    }
}

/// A line with round ends; a ball when both ends are the same.
#[derive(Debug, Clone, Copy)]
pub(super) struct StageRod {
    pub(super) ends: [Vec3; 2],
    pub(super) radius: f32,
    pub(super) color: Color,
    pub(super) see_through: f32,
    pub(super) role: Role,
}

/// What a rod is there for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    /// A point or a line of the user's: the view should show it.
    Shown,
    /// An edge of a box.
    Wire,
    /// Stands for a highlighted triangle that is too small to be seen.
    Mark,
}

/// The drawable content of a picture.
#[derive(Debug, Default)]
pub(super) struct Stage {
    pub(super) vertices: Vec<Vertex>,
    pub(super) triangles: Vec<Triangle>,
    pub(super) rods: Vec<StageRod>,
    /// Corners of what the view must show, when that is not everything.
    pub(super) focus: Option<[Vec3; 8]>,
    pub(super) skipped: Skipped,
}

fn is_finite(p: [f64; 3]) -> bool {
    p.iter().all(|x| x.is_finite())
}

/// Why an element cannot be drawn.
enum Fault {
    NotFinite,
    OutOfRange,
}

fn corners(surface: &Surface<'_>, t: usize) -> Result<[[f64; 3]; 3], Fault> {
    let mut found = [[0.0; 3]; 3];
    for (slot, v) in found.iter_mut().zip(surface.triangles[t]) {
        *slot = *surface.positions.get(v as usize).ok_or(Fault::OutOfRange)?;
        if !is_finite(*slot) {
            return Err(Fault::NotFinite);
        }
    }
    Ok(found)
}

impl Stage {
    pub(super) fn new(picture: &Picture<'_>) -> Self {
        let mut stage = Self::default();
        let marks: Vec<_> = picture.surfaces.iter().map(|s| stage.marks(s)).collect();
        let (all, marked) = stage.bounds(picture, &marks);
        let focus = match picture.view.focus {
            Focus::Everything => None,
            Focus::Box(low, high) => Some(Bounds { low, high }.widened(0.0, 1e-8, all)),
            // Half as much again on each side shows the marks with their surroundings.
            Focus::Highlights => (!marked.is_empty()).then(|| {
                most_crowded(&marked, all).widened(0.5, 1e-3, all).within(all.widened(0.0, 1e-3, all))
            }),
        };
        let nothing = Bounds { low: [-1.0; 3], high: [1.0; 3] };
        let unit = Unit::of(if all.is_empty() { nothing } else { focus.unwrap_or(all) });
        stage.focus = focus.map(|f| f.corners().map(|c| unit.to(c)));
        for (surface, marks) in picture.surfaces.iter().zip(&marks) {
            stage.add_surface(surface, marks, unit);
        }
        stage.add_rods(picture, unit);
        stage
    }

    /// For each triangle the highlight that colours it, counted from 1, or 0.
    fn marks(&mut self, surface: &Surface<'_>) -> Vec<u16> {
        let mut marks = vec![0; surface.triangles.len()];
        for (k, (triangles, _)) in surface.highlights.iter().enumerate() {
            for t in *triangles {
                match marks.get_mut(*t as usize) {
                    Some(mark) => *mark = (k + 1).min(usize::from(u16::MAX)) as u16,
                    None => self.skipped.out_of_range += 1,
                }
            }
        }
        marks
    }

    /// The box of everything drawable, and the corners of the highlighted triangles.
    fn bounds(&mut self, picture: &Picture<'_>, marks: &[Vec<u16>]) -> (Bounds, Vec<[f64; 3]>) {
        let (mut all, mut marked) = (Bounds::EMPTY, Vec::new());
        for (surface, marks) in picture.surfaces.iter().zip(marks) {
            for (t, mark) in marks.iter().enumerate() {
                match corners(surface, t) {
                    Ok(points) => points.into_iter().for_each(|p| {
                        all.add(p);
                        if *mark > 0 {
                            marked.push(p);
                        }
                    }),
                    Err(Fault::NotFinite) => self.skipped.not_finite += 1,
                    Err(Fault::OutOfRange) => self.skipped.out_of_range += 1,
                }
            }
        }
        let points = picture.points.iter().flat_map(|p| p.positions).map(|p| [*p, *p]);
        let segments = picture.lines.iter().flat_map(|l| l.segments).copied();
        let boxes = picture.boxes.iter().flat_map(|b| b.boxes).copied();
        for ends in points.chain(segments).chain(boxes) {
            if ends.iter().all(|p| is_finite(*p)) {
                ends.into_iter().for_each(|p| all.add(p));
            } else {
                self.skipped.not_finite += 1;
            }
        }
        (all, marked)
    }

    fn add_surface(&mut self, surface: &Surface<'_>, marks: &[u16], unit: Unit) {
        const UNUSED: u32 = u32::MAX;
        let (first, first_triangle) = (self.vertices.len(), self.triangles.len());
        let mut classes = Vec::new();
        let mut place = vec![UNUSED; surface.positions.len()];
        let mut base = 0;
        base |= if surface.shading == Shading::Smooth { style::SMOOTH } else { 0 };
        base |= if surface.edges == Edges::Auto { style::EDGES } else { 0 };
        base |= if surface.vertex_colors.is_empty() { 0 } else { style::BLEND };
        for (t, mark) in marks.iter().enumerate() {
            if corners(surface, t).is_err() {
                continue;
            }
            let v = surface.triangles[t].map(|v| {
                let slot = &mut place[v as usize];
                if *slot == UNUSED {
                    *slot = self.vertices.len() as u32;
                    let color = surface.vertex_colors.get(v as usize).copied().unwrap_or(surface.color);
                    self.vertices.push(Vertex {
                        p: unit.to(surface.positions[v as usize]),
                        n: Vec3::ZERO,
                        color,
                    });
                }
                *slot
            });
            let mut triangle =
                Triangle { v, color: surface.color_of(t), style: base, opacity: surface.opacity };
            if *mark > 0 {
                triangle.color = surface.highlights[usize::from(*mark) - 1].1;
                triangle.style = base & !style::BLEND | style::MARKED;
                triangle.opacity = 1.0;
            } else if surface.opacity == 0.0 {
                continue;
            }
            let [a, b, c] = v.map(|v| self.vertices[v as usize].p);
            let normal = (b - a).cross(c - a);
            v.into_iter().for_each(|v| self.vertices[v as usize].n += normal);
            self.triangles.push(triangle);
            if !surface.classes.is_empty() {
                classes.push(surface.classes.get(t).copied().unwrap_or(u32::MAX));
            }
        }
        mark_borders(&mut self.triangles[first_triangle..], &classes);
        for vertex in &mut self.vertices[first..] {
            vertex.n = vertex.n.normalize_or_zero();
        }
    }

    fn add_rods(&mut self, picture: &Picture<'_>, unit: Unit) {
        let mut add = |ends: [[f64; 3]; 2], width: f32, color: Color, see_through: f32, role: Role| {
            if ends.iter().all(|p| is_finite(*p)) {
                let ends = ends.map(|p| unit.to(p));
                self.rods.push(StageRod { ends, radius: 0.5 * width, color, see_through, role });
            }
        };
        for points in &picture.points {
            for (k, p) in points.positions.iter().enumerate() {
                add([*p, *p], points.size, points.paint.of(k), points.see_through, Role::Shown);
            }
        }
        for lines in &picture.lines {
            for (k, segment) in lines.segments.iter().enumerate() {
                add(*segment, lines.width, lines.paint.of(k), lines.see_through, Role::Shown);
            }
        }
        for boxes in &picture.boxes {
            for (k, corners) in boxes.boxes.iter().enumerate() {
                for edge in box_edges(*corners) {
                    add(edge, boxes.width, boxes.paint.of(k), boxes.see_through, Role::Wire);
                }
            }
        }
        for boxes in picture.boxes.iter().filter(|b| b.fill > 0.0) {
            for (k, corners) in
                boxes.boxes.iter().enumerate().filter(|(_, b)| b.iter().all(|p| is_finite(*p)))
            {
                self.add_box_faces(corners.map(|p| unit.to(p)), &boxes.paint, k, boxes.fill);
            }
        }
    }

    fn add_box_faces(&mut self, [low, high]: [Vec3; 2], paint: &Paint<'_>, k: usize, opacity: f32) {
        let first = self.vertices.len() as u32;
        let color = paint.of(k);
        for c in 0..8 {
            let p = Vec3::select(glam::BVec3::new(c & 1 > 0, c & 2 > 0, c & 4 > 0), high, low);
            self.vertices.push(Vertex { p, n: Vec3::ZERO, color });
        }
        for [a, b, c, d] in
            [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]]
        {
            for v in [[a, b, c], [a, c, d]] {
                self.triangles.push(Triangle {
                    v: v.map(|v| first + v),
                    color,
                    style: 0,
                    opacity: opacity.min(0.999),
                });
            }
        }
    }

    /// The unit-space corners of a triangle.
    pub(super) fn corners(&self, t: &Triangle) -> [Vec3; 3] {
        t.v.map(|v| self.vertices[v as usize].p)
    }
}

/// Flags the edges at which triangles of different classes meet.
fn mark_borders(triangles: &mut [Triangle], classes: &[u32]) {
    if classes.is_empty() {
        return;
    }
    let corner = |t: usize, k: usize| triangles[t].v[k % 3];
    let mut edges: Vec<_> = (0..3 * triangles.len())
        .map(|i| {
            let (a, b) = (corner(i / 3, i % 3 + 1), corner(i / 3, i % 3 + 2));
            (a.min(b), a.max(b), i)
        })
        .collect();
    edges.sort_unstable();
    for group in edges.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)) {
        if group.iter().any(|e| classes[e.2 / 3] != classes[group[0].2 / 3]) {
            group.iter().for_each(|e| triangles[e.2 / 3].style |= style::BORDER << (e.2 % 3));
        }
    }
}

/// The twelve edges of a box given by two opposite corners.
fn box_edges(corners: [[f64; 3]; 2]) -> impl Iterator<Item = [[f64; 3]; 2]> {
    let corner = move |c: usize| std::array::from_fn(|k| corners[c >> k & 1][k]);
    (0..8).flat_map(move |c| {
        (0..3).filter(move |k| c >> k & 1 == 0).map(move |k| [corner(c), corner(c | 1 << k)])
    })
}
