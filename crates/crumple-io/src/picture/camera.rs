//! A perspective camera in the unit space of the stage, and the distance from which everything fits.

use glam::Vec3;

/// The rectangle of pixels that the scene is fitted into.
#[derive(Debug, Clone, Copy)]
pub(super) struct Frame {
    pub(super) left: f32,
    pub(super) top: f32,
    pub(super) right: f32,
    pub(super) bottom: f32,
}

/// Right-handed: `right`, `up`, and `back` towards the viewer.
#[derive(Debug, Clone, Copy)]
pub(super) struct Basis {
    pub(super) right: Vec3,
    pub(super) up: Vec3,
    pub(super) back: Vec3,
}

impl Basis {
    /// Looks along `-back` with `up` upright where possible.
    pub(super) fn new(back: Vec3, up: Vec3) -> Self {
        let back = back.normalize();
        let mut right = up.cross(back);
        if right.length_squared() < 1e-6 {
            // Looking straight along `up`: any upright direction will do.
            right = back.any_orthonormal_vector();
        }
        let right = right.normalize();
        Self { right, up: back.cross(right), back }
    }

    pub(super) fn turn(&self, p: Vec3) -> Vec3 {
        Vec3::new(self.right.dot(p), self.up.dot(p), self.back.dot(p))
    }
}

/// A pinhole: the pixel of a point is `center + focal * (x, -y) / w`.
#[derive(Debug, Clone, Copy)]
pub(super) struct Camera {
    pub(super) basis: Basis,
    pub(super) eye: Vec3,
    pub(super) focal: f32,
    pub(super) center: [f32; 2],
    /// What is nearer than this is cut away.
    pub(super) near: f32,
}

impl Camera {
    /// Half the angle of view along the shorter side is 14 degrees: a long lens, which flatters shapes and bends no parallels.
    const TAN_HALF: f32 = 0.249_328;

    /// The nearest camera along `basis.back` that shows all `points` within `frame`.
    ///
    /// A point is inside the right plane when `x - cx <= (d - z) t`, that is `x + z t <= d t + cx`; so only the
    /// largest `±x + z t` and `±y + z t` count, and centring on each axis splits the slack evenly.
    pub(super) fn fitting(basis: Basis, frame: Frame, points: impl Iterator<Item = Vec3>) -> Self {
        let width = (frame.right - frame.left).max(1.0);
        let height = (frame.bottom - frame.top).max(1.0);
        let focal = 0.5 * width.min(height) / Self::TAN_HALF;
        let (tx, ty) = (0.5 * width / focal, 0.5 * height / focal);
        let mut most = [f32::NEG_INFINITY; 4];
        let mut front = f32::NEG_INFINITY;
        for p in points {
            let p = basis.turn(p);
            most[0] = most[0].max(p.x + p.z * tx);
            most[1] = most[1].max(-p.x + p.z * tx);
            most[2] = most[2].max(p.y + p.z * ty);
            most[3] = most[3].max(-p.y + p.z * ty);
            front = front.max(p.z);
        }
        if front == f32::NEG_INFINITY {
            (most, front) = ([1.0; 4], 0.0);
        }
        let cx = 0.5 * (most[0] - most[1]);
        let cy = 0.5 * (most[2] - most[3]);
        let distance = (0.5 * (most[0] + most[1]) / tx).max(0.5 * (most[2] + most[3]) / ty).max(front + 0.2);
        let eye = basis.right * cx + basis.up * cy + basis.back * distance;
        let center = [0.5 * (frame.left + frame.right), 0.5 * (frame.top + frame.bottom)];
        Self { basis, eye, focal, center, near: (0.5 * (distance - front)).max(0.02 * distance) }
    }

    /// Depth along the view; positive in front of the camera.
    pub(super) fn depth(&self, p: Vec3) -> f32 {
        self.basis.back.dot(self.eye - p)
    }

    /// Pixel x, pixel y, 1/depth. The point must be in front of the camera.
    pub(super) fn project(&self, p: Vec3) -> Vec3 {
        let q = self.basis.turn(p - self.eye);
        let inverse = -1.0 / q.z;
        Vec3::new(
            self.center[0] + self.focal * q.x * inverse,
            self.center[1] - self.focal * q.y * inverse,
            inverse,
        )
    }

    /// The direction from the eye through a pixel, scaled so that its depth is 1.
    pub(super) fn ray(&self, x: f32, y: f32) -> Vec3 {
        self.basis.right * ((x - self.center[0]) / self.focal)
            - self.basis.up * ((y - self.center[1]) / self.focal)
            - self.basis.back
    }
}
