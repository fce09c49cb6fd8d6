//! The colour of a primitive at a place on the screen, in linear light.
//!
//! A studio: a warm key light over the viewer's left shoulder that casts shadows, a cool fill from the right, a rim
//! light from behind, and a sky that is brighter above than below. The lights follow the camera, so that every
//! view is lit alike. Surfaces are drawn from both sides; the back is a little darker and warmer, so that the inside
//! of cloth is told from its outside.

use glam::{Vec2, Vec3};

use super::camera::Camera;
use super::layers::Id;
use super::occlusion::Occlusion;
use super::projection::Projection;
use super::shadow::Shadow;
use super::stage::{Stage, Triangle, style};

/// Everything that shading looks at.
pub(super) struct Shader<'a> {
    pub(super) stage: &'a Stage,
    pub(super) projection: &'a Projection,
    pub(super) camera: &'a Camera,
    pub(super) occlusion: &'a Occlusion,
    pub(super) shadow: Option<&'a Shadow>,
    pub(super) up: Vec3,
    /// How strongly marked triangles show through.
    pub(super) marks_shine: f32,
}

/// A shaded primitive.
#[derive(Debug, Clone, Copy)]
pub(super) struct Shaded {
    pub(super) color: Vec3,
    /// Share of what lies behind that is covered; below 1 for ghosts only.
    pub(super) alpha: f32,
    /// How strongly it shows where it is hidden.
    pub(super) through: f32,
}

/// What light falls on.
struct Material {
    albedo: Vec3,
    /// Share of the colour that shines by itself.
    glow: f32,
    gloss: f32,
}

/// Towards the key light, given the camera's axes.
pub(super) fn key_direction(camera: &Camera) -> Vec3 {
    let b = &camera.basis;
    (b.right * -0.52 + b.up * 0.68 + b.back * 0.62).normalize()
}

fn smoothstep(low: f32, high: f32, x: f32) -> f32 {
    let t = ((x - low) / (high - low)).clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}

impl Shader<'_> {
    /// Whether a primitive is a colliding triangle or stands for one.
    pub(super) fn is_marked(&self, id: Id) -> bool {
        let k = id as usize - 1;
        match self.stage.triangles.get(k) {
            Some(t) => t.is_marked(),
            None => self.stage.rods[k - self.stage.triangles.len()].is_mark(),
        }
    }

    /// The base colour of a primitive.
    pub(super) fn flat_color(&self, id: Id) -> Vec3 {
        let k = id as usize - 1;
        match self.stage.triangles.get(k) {
            Some(t) => t.color.linear(),
            None => self.stage.rods[k - self.stage.triangles.len()].color.linear(),
        }
    }

    /// Shades primitive `id` at a screen position within pixel `(px, py)`.
    pub(super) fn shade(&self, id: Id, at: Vec2, px: usize, py: usize) -> Shaded {
        let k = id as usize - 1;
        match self.stage.triangles.get(k) {
            Some(t) => self.triangle(t, at, px, py),
            None => self.rod(k - self.stage.triangles.len(), at),
        }
    }

    fn triangle(&self, t: &Triangle, at: Vec2, px: usize, py: usize) -> Shaded {
        let s = self.projection.corners(t);
        let v = t.v.map(|v| &self.stage.vertices[v as usize]);
        let q = s.map(|c| c.truncate() - at);
        // Areas opposite each corner: barycentric weights on screen, then in space.
        let cross = [q[1].perp_dot(q[2]), q[2].perp_dot(q[0]), q[0].perp_dot(q[1])];
        let total = cross[0] + cross[1] + cross[2];
        let screen = if total == 0.0 { [1.0 / 3.0; 3] } else { cross.map(|c| (c / total).clamp(0.0, 1.0)) };
        let weights = [screen[0] * s[0].z, screen[1] * s[1].z, screen[2] * s[2].z];
        let sum = weights[0] + weights[1] + weights[2];
        let w = weights.map(|w| w / sum);
        let blend = |a: [Vec3; 3]| a[0] * w[0] + a[1] * w[1] + a[2] * w[2];

        let p = blend(v.map(|v| v.p));
        let towards = (self.camera.eye - p).normalize();
        let face = (v[1].p - v[0].p).cross(v[2].p - v[0].p).normalize_or(towards);
        let is_back = face.dot(towards) < 0.0;
        let mut n = face;
        if t.style & style::SMOOTH != 0 {
            // A vertex normal more than 50 degrees off the face comes from across a sharp edge.
            n = blend(v.map(|v| if v.n.dot(face) > 0.64 { v.n } else { face })).normalize_or(face);
        }
        if is_back {
            n = -n;
        }
        // Interpolated normals may turn away at silhouettes; bend them back to the horizon.
        let away = n.dot(towards);
        if away < 0.02 {
            n = (n + towards * (0.02 - away)).normalize();
        }

        let mut albedo = t.color.linear();
        if t.style & style::BLEND != 0 {
            albedo = blend(v.map(|v| v.color.linear()));
        }
        let marked = t.is_marked();
        if is_back && !marked {
            albedo *= Vec3::new(0.84, 0.78, 0.72);
        }
        if t.style & (style::EDGES | style::BORDERS) != 0 {
            albedo *= 1.0 - edge_cover(s.map(|c| c.truncate()), screen, total.abs(), t.style);
        }
        let material =
            Material { albedo, glow: if marked { 0.5 } else { 0.0 }, gloss: if marked { 0.4 } else { 1.0 } };

        if t.is_ghost() {
            // Glass: clear where seen squarely, dense at the rim.
            let rim = (1.0 - n.dot(towards).clamp(0.0, 1.0)).powi(3);
            let alpha = if t.style & style::SMOOTH == 0 { t.opacity } else { t.opacity * (0.45 + 1.3 * rim) };
            let color = self.light(&material, n, towards, 1.0, 1.0);
            return Shaded { color, alpha: alpha.clamp(0.0, 0.96), through: 0.0 };
        }
        let depth = 1.0 / self.camera.depth(p);
        let open = self.occlusion.at(px, py, depth);
        let lit = self.shadow.map_or(1.0, |shadow| {
            if n.dot(key_direction(self.camera)) > 0.0 { shadow.lit(p, n) } else { 0.0 }
        });
        let color = self.light(&material, n, towards, open, lit);
        Shaded { color, alpha: 1.0, through: if marked { self.marks_shine } else { 0.0 } }
    }

    fn rod(&self, k: usize, at: Vec2) -> Shaded {
        let rod = &self.stage.rods[k];
        let screen = &self.projection.rods[k];
        let through = if rod.is_mark() { self.marks_shine } else { rod.see_through };
        let base = rod.color.linear();
        // Marks and thin lines are flat colour; from four pixels on the tube shape is worth showing.
        let shape = if rod.is_mark() { 0.0 } else { smoothstep(1.2, 2.5, rod.radius) };
        if shape == 0.0 {
            return Shaded { color: base, alpha: 1.0, through };
        }
        let basis = &self.camera.basis;
        let n = screen.at(at.x, at.y).map_or(basis.back, |point| {
            (basis.right * point.across.x - basis.up * point.across.y + basis.back * point.bulge).normalize()
        });
        let material = Material { albedo: base, glow: 0.25, gloss: 1.6 };
        let color = self.light(&material, n, basis.back, 1.0, 1.0);
        Shaded { color: base.lerp(color, shape), alpha: 1.0, through }
    }

    /// Light from a surface towards the viewer; `open` and `lit` are the shares of sky and key light it gets.
    fn light(&self, material: &Material, n: Vec3, towards: Vec3, open: f32, lit: f32) -> Vec3 {
        const KEY: Vec3 = Vec3::new(0.99, 0.95, 0.88);
        const FILL: Vec3 = Vec3::new(0.17, 0.20, 0.25);
        const RIM: Vec3 = Vec3::new(0.16, 0.17, 0.19);
        const SKY: Vec3 = Vec3::new(0.43, 0.47, 0.53);
        const GROUND: Vec3 = Vec3::new(0.21, 0.195, 0.185);
        let b = &self.camera.basis;
        let key = key_direction(self.camera);
        let fill = (b.right * 0.85 + b.up * 0.1 + b.back * 0.5).normalize();
        let rim = (b.right * 0.35 + b.up * 0.55 - b.back * 0.75).normalize();

        let sky = GROUND.lerp(SKY, 0.5 + 0.5 * n.dot(self.up));
        // Creases lose some direct light too: the map of the key light is too coarse to hold them.
        let direct = 1.0 - 0.3 * (1.0 - open);
        let mut diffuse = sky * open;
        diffuse += KEY * (n.dot(key).max(0.0) * lit * direct);
        diffuse += FILL * (n.dot(fill).max(0.0) * open);
        diffuse += RIM * (n.dot(rim).max(0.0) * open);

        let half = (key + towards).normalize();
        let facing = 1.0 - n.dot(towards).clamp(0.0, 1.0);
        let mut gloss = 0.10 * n.dot(half).max(0.0).powi(36) * lit;
        gloss += 0.07 * facing.powi(4) * open;
        let light = material.albedo * (diffuse * (1.0 - material.glow) + Vec3::splat(material.glow * 1.05));
        shoulder(light + KEY * (gloss * material.gloss))
    }
}

/// Bends what is brighter than 0.6 towards 1 without changing its hue, so that lit sides do not turn white.
fn shoulder(light: Vec3) -> Vec3 {
    const KNEE: f32 = 0.6;
    let most = light.max_element();
    if most <= KNEE {
        return light;
    }
    light * ((KNEE + (1.0 - KNEE) * (1.0 - ((KNEE - most) / (1.0 - KNEE)).exp())) / most)
}

/// How much of a pixel's colour the triangle's edges take. Borders of classes are always drawn; other edges are one
/// pixel wide where triangles are large and fade out between 24 and 9 pixels of height, so that fine meshes stay clean.
fn edge_cover(corners: [Vec2; 3], screen: [f32; 3], doubled_area: f32, style: u8) -> f32 {
    let mut least_height = f32::INFINITY;
    let mut least_distance = f32::INFINITY;
    let mut border = f32::INFINITY;
    for k in 0..3 {
        let length = (corners[(k + 1) % 3] - corners[(k + 2) % 3]).length().max(1e-6);
        let height = doubled_area / length;
        least_height = least_height.min(height);
        least_distance = least_distance.min(screen[k] * height);
        if style & (style::BORDER << k) != 0 {
            border = border.min(screen[k] * height);
        }
    }
    let strength = if style & style::EDGES != 0 { 0.5 } else { 0.0 };
    let edges = strength * smoothstep(9.0, 24.0, least_height) * (1.0 - smoothstep(0.1, 1.1, least_distance));
    edges.max(0.62 * (1.0 - smoothstep(0.5, 1.5, border)))
}
