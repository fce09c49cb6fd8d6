//! From where to look, and how the automatic view decides.
//!
//! Thirty-two directions around the scene are tried on a small depth image: how many of the highlighted places
//! (or, without any, of the points) are seen and how squarely, how much of the image the scene fills, and how
//! close the direction is to a customary three-quarter view. The best sum wins.

use glam::Vec3;

use super::camera::{Basis, Camera, Frame};
use super::raster::{self, Window};
use super::stage::{Role, Stage, Triangle};

/// The part of the scene that must be in view.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) enum Focus {
    #[default]
    Everything,
    Box([f64; 3], [f64; 3]),
    Highlights,
}

/// From where to look, which way is up, what to frame.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct View {
    pub(super) direction: Option<[f64; 3]>,
    pub(super) up: [f64; 3],
    pub(super) focus: Focus,
}

impl Default for View {
    fn default() -> Self {
        Self::auto()
    }
}

impl View {
    /// Frames everything from a side that shows the highlighted places; up is +y.
    pub fn auto() -> Self {
        Self { direction: None, up: [0.0, 1.0, 0.0], focus: Focus::Everything }
    }

    /// Looks from the given direction (from the scene's centre towards the viewer).
    pub fn looking_from(direction: [f64; 3]) -> Self {
        Self { direction: Some(direction), ..Self::auto() }
    }

    /// Sets which way is up.
    pub fn up(mut self, up: [f64; 3]) -> Self {
        self.up = up;
        self
    }

    /// Frames a box instead of everything.
    pub fn focus(mut self, low: [f64; 3], high: [f64; 3]) -> Self {
        let is_box = (0..3).all(|k| low[k].is_finite() && high[k].is_finite() && low[k] <= high[k]);
        self.focus = if is_box { Focus::Box(low, high) } else { Focus::Everything };
        self
    }

    /// Frames the place where most highlighted triangles are, with some surroundings; everything, when there are none.
    pub fn close_up(mut self) -> Self {
        self.focus = Focus::Highlights;
        self
    }

    /// The unit vector that points up.
    pub(super) fn upright(&self) -> Vec3 {
        unit(self.up).unwrap_or(Vec3::Y)
    }
}

/// A direction of any finite length as a unit vector; `None` when it is zero or not finite.
fn unit(v: [f64; 3]) -> Option<Vec3> {
    let largest = v.iter().fold(0.0, |m: f64, x| m.max(x.abs()));
    if !(largest > 0.0 && largest.is_finite() && v.iter().all(|x| x.is_finite())) {
        return None;
    }
    Vec3::from(v.map(|x| (x / largest) as f32)).try_normalize()
}

/// The camera for a stage.
pub(super) fn camera(stage: &Stage, view: &View, frame: Frame) -> Camera {
    let up = view.upright();
    let back = view.direction.and_then(unit).unwrap_or_else(|| choose(stage, up));
    fit(stage, Basis::new(back, up), frame)
}

fn fit(stage: &Stage, basis: Basis, frame: Frame) -> Camera {
    match stage.focus {
        Some(corners) => Camera::fitting(basis, frame, corners.into_iter()),
        None => {
            let vertices = stage.vertices.iter().map(|v| v.p);
            Camera::fitting(basis, frame, vertices.chain(stage.rods.iter().flat_map(|r| r.ends)))
        }
    }
}

/// A place that the view should show, and what it is part of.
struct Interest {
    p: Vec3,
    shape: Shape,
}

enum Shape {
    /// Seen alike from all sides.
    Ball,
    /// Seen best along its normal.
    Face(Vec3),
    /// Seen best from across its direction.
    Line(Vec3),
}

impl Interest {
    /// How well it is seen from a direction, if nothing hides it.
    fn worth(&self, towards: Vec3) -> f32 {
        match self.shape {
            Shape::Ball => 1.0,
            Shape::Face(n) => 0.4 + 0.6 * n.dot(towards).abs(),
            Shape::Line(d) => 0.2 + 0.8 * d.cross(towards).length(),
        }
    }
}

/// What is seen from one direction.
struct Seen {
    /// Share of the interesting places that are visible, weighted by how squarely they are seen.
    interest: f32,
    /// Share of the image that is covered.
    cover: f32,
}

/// Width and height of the trial image: enough to tell hidden from seen, small enough to be free.
const TRIAL: (usize, usize) = (128, 96);

fn choose(stage: &Stage, up: Vec3) -> Vec3 {
    let front = if up.z.abs() > 0.9 { -Vec3::Y * up.z.signum() } else { Vec3::Z };
    let front = (front - up * front.dot(up)).normalize();
    let side = up.cross(front);
    let interests = interests(stage);
    let mut screen = Vec::new();
    let mut best = (f32::NEG_INFINITY, front);
    // Customary views first, each with a handicap; from below only when nothing else shows the place.
    for (elevation, handicap) in [(22.0_f32, 0.0), (48.0, 0.06), (-18.0, 0.25), (-50.0, 0.35)] {
        for (turn, turn_handicap) in [
            (32.0_f32, 0.0),
            (-32.0, 0.02),
            (70.0, 0.05),
            (-70.0, 0.05),
            (115.0, 0.1),
            (-115.0, 0.1),
            (150.0, 0.12),
            (-150.0, 0.12),
        ] {
            let (e, t) = (elevation.to_radians(), turn.to_radians());
            let back = (front * t.cos() + side * t.sin()) * e.cos() + up * e.sin();
            let seen = look(stage, Basis::new(back, up), &interests, &mut screen);
            let score = seen.interest + 0.5 * seen.cover - handicap - turn_handicap;
            if score > best.0 {
                best = (score, back);
            }
        }
    }
    best.1
}

/// At most a few thousand places, evenly taken from the highlighted triangles or else from points and lines.
fn interests(stage: &Stage) -> Vec<Interest> {
    const MOST: usize = 4000;
    let face = |t: &Triangle| {
        let [a, b, c] = stage.corners(t);
        Interest { p: (a + b + c) / 3.0, shape: Shape::Face((b - a).cross(c - a).normalize_or_zero()) }
    };
    let mut all: Vec<_> = stage.triangles.iter().filter(|t| t.is_marked()).map(face).collect();
    if all.is_empty() {
        for rod in stage.rods.iter().filter(|r| r.role == Role::Shown) {
            let [a, b] = rod.ends;
            match (b - a).try_normalize() {
                None => all.push(Interest { p: a, shape: Shape::Ball }),
                Some(d) => {
                    all.extend(
                        [0.25, 0.5, 0.75].map(|t| Interest { p: a.lerp(b, t), shape: Shape::Line(d) }),
                    );
                }
            }
        }
    }
    let step = all.len().div_ceil(MOST).max(1);
    all.into_iter().step_by(step).collect()
}

fn look(stage: &Stage, basis: Basis, interests: &[Interest], screen: &mut Vec<Vec3>) -> Seen {
    let (width, height) = TRIAL;
    let frame = Frame { left: 2.0, top: 2.0, right: width as f32 - 2.0, bottom: height as f32 - 2.0 };
    let camera = fit(stage, basis, frame);
    screen.clear();
    screen.extend(stage.vertices.iter().map(|v| camera.project(v.p)));
    let (window, nearest) = (Window { x: [0, width as i32], y: [0, height as i32] }, 1.0 / camera.near);
    let mut depth = vec![0.0_f32; width * height];
    for t in stage.triangles.iter().filter(|t| !t.is_ghost()) {
        let s = t.v.map(|v| screen[v as usize]);
        if s.iter().any(|s| !(s.z > 0.0 && s.z < nearest)) {
            continue;
        }
        let (low, high) = (s[0].min(s[1]).min(s[2]), s[0].max(s[1]).max(s[2]));
        if high.x - low.x < 1.5 && high.y - low.y < 1.5 {
            // Most triangles of a fine mesh are smaller than a trial pixel: one splat instead of a scan.
            if low.x >= 0.0 && low.y >= 0.0 && (low.x as usize) < width && (low.y as usize) < height {
                let slot = &mut depth[low.y as usize * width + low.x as usize];
                *slot = slot.max(low.z);
            }
        } else {
            raster::triangle(s, window, &raster::CENTER, |hit| {
                let slot = &mut depth[hit.y * width + hit.x];
                *slot = slot.max(hit.depth);
            });
        }
    }
    let mut sum = 0.0;
    for place in interests {
        let s = camera.project(place.p);
        if !(s.x >= 0.0 && s.y >= 0.0 && s.x < width as f32 && s.y < height as f32 && s.z > 0.0) {
            continue;
        }
        // A surface may pass two trial pixels in front of its own neighbour at a slant.
        let hidden_at = s.z * (1.0 + 2.0 / camera.focal + 0.002);
        if depth[s.y as usize * width + s.x as usize] <= hidden_at {
            sum += place.worth((camera.eye - place.p).normalize());
        }
    }
    let covered = depth.iter().filter(|d| **d > 0.0).count();
    Seen {
        interest: if interests.is_empty() { 0.0 } else { sum / interests.len() as f32 },
        cover: covered as f32 / (width * height) as f32,
    }
}
