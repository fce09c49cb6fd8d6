//! The stage on the screen: projected corners, what crosses the near plane cut, small marks given a size.

use glam::Vec3;

use super::camera::Camera;
use super::raster::Rod;
use super::stage::{Role, Stage, StageRod, Triangle, Vertex, style};

/// Screen positions, parallel to the stage's vertices and rods.
#[derive(Debug)]
pub(super) struct Projection {
    /// Pixel x, pixel y, 1/depth.
    pub(super) vertices: Vec<Vec3>,
    pub(super) rods: Vec<Rod>,
}

impl Projection {
    /// Projects the stage, which loses what lies before the near plane and gains the dots of small marks.
    pub(super) fn new(stage: &mut Stage, camera: &Camera) -> Self {
        cut_triangles(stage, camera);
        cut_rods(stage, camera);
        let vertices: Vec<_> = stage
            .vertices
            .iter()
            // Vertices before the near plane are left only where no triangle uses them any more.
            .map(|v| if camera.depth(v.p) >= camera.near * 0.999 { camera.project(v.p) } else { Vec3::ZERO })
            .collect();
        add_dots(stage, &vertices);
        let focal = camera.focal;
        let rods = stage
            .rods
            .iter()
            .map(|r| Rod { ends: r.ends.map(|p| camera.project(p)), radius: r.radius, focal })
            .collect();
        Self { vertices, rods }
    }

    pub(super) fn corners(&self, t: &Triangle) -> [Vec3; 3] {
        t.v.map(|v| self.vertices[v as usize])
    }
}

fn cut_triangles(stage: &mut Stage, camera: &Camera) {
    let depth = |v: &Vertex| camera.depth(v.p) - camera.near;
    if stage.vertices.iter().all(|v| depth(v) >= 0.0) {
        return;
    }
    let mut kept = Vec::with_capacity(stage.triangles.len());
    for t in std::mem::take(&mut stage.triangles) {
        let distances = t.v.map(|v| depth(&stage.vertices[v as usize]));
        if distances.iter().all(|d| *d >= 0.0) {
            kept.push(t);
        } else if distances.iter().any(|d| *d > 0.0) {
            // The polygon in front of the plane: three or four corners, old ones and points on crossing edges.
            let mut polygon = Vec::with_capacity(4);
            for k in 0..3 {
                let (a, b) = (k, (k + 1) % 3);
                if distances[a] >= 0.0 {
                    polygon.push(t.v[a]);
                }
                if (distances[a] >= 0.0) != (distances[b] >= 0.0) {
                    let (va, vb) = (stage.vertices[t.v[a] as usize], stage.vertices[t.v[b] as usize]);
                    polygon.push(stage.vertices.len() as u32);
                    stage.vertices.push(between(va, vb, distances[a] / (distances[a] - distances[b])));
                }
            }
            for k in 2..polygon.len() {
                let v = [polygon[0], polygon[k - 1], polygon[k]];
                // Borders belong to edges that are not these any more.
                kept.push(Triangle { v, style: t.style & !style::BORDERS, ..t });
            }
        }
    }
    stage.triangles = kept;
}

fn between(a: Vertex, b: Vertex, f: f32) -> Vertex {
    let color = if f < 0.5 { a.color } else { b.color };
    Vertex { p: a.p.lerp(b.p, f), n: a.n.lerp(b.n, f).normalize_or_zero(), color }
}

fn cut_rods(stage: &mut Stage, camera: &Camera) {
    stage.rods.retain_mut(|rod| {
        let [da, db] = rod.ends.map(|p| camera.depth(p) - camera.near);
        if da < 0.0 && db < 0.0 {
            return false;
        }
        if (da < 0.0) != (db < 0.0) {
            let at = rod.ends[0].lerp(rod.ends[1], da / (da - db));
            rod.ends[usize::from(db < 0.0)] = at;
        }
        true
    });
}

/// A marked triangle thinner than this many pixels gets a rod along its longest side.
const THIN: f32 = 2.2;
/// Half the width of that rod.
const DOT_RADIUS: f32 = 1.9;

fn add_dots(stage: &mut Stage, screen: &[Vec3]) {
    let mut dots = Vec::new();
    for t in stage.triangles.iter().filter(|t| t.is_marked()) {
        let s = t.v.map(|v| screen[v as usize].truncate());
        let p = stage.corners(t);
        let sides: [f32; 3] = std::array::from_fn(|k| (s[(k + 1) % 3] - s[k]).length());
        let longest = (0..3).max_by(|a, b| sides[*a].total_cmp(&sides[*b])).unwrap_or(0);
        let area = (s[1] - s[0]).perp_dot(s[2] - s[0]).abs();
        if area < THIN * sides[longest] || sides[longest] < THIN {
            let mut ends = [p[longest], p[(longest + 1) % 3]];
            if sides[longest] < THIN {
                ends = [(p[0] + p[1] + p[2]) / 3.0; 2];
            }
            dots.push(StageRod {
                ends,
                radius: DOT_RADIUS,
                color: t.color,
                see_through: 0.0,
                role: Role::Mark,
            });
        }
    }
    stage.rods.append(&mut dots);
}
