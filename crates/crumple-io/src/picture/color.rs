//! Colours: sRGB outside, linear light inside, maps from values to colours.

use std::sync::LazyLock;

use glam::Vec3;

/// An sRGB colour, as one writes it in a style sheet.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Color(
    /// Red, green, blue.
    pub [u8; 3],
);

impl Color {
    /// From `0xRRGGBB`.
    pub const fn hex(rgb: u32) -> Self {
        Self([(rgb >> 16) as u8, (rgb >> 8) as u8, rgb as u8])
    }

    /// As `#rrggbb`.
    pub fn css(self) -> String {
        let [r, g, b] = self.0;
        format!("#{r:02x}{g:02x}{b:02x}")
    }

    /// Linear light, 0 to 1 per channel.
    pub(super) fn linear(self) -> Vec3 {
        Vec3::from(self.0.map(|c| LINEAR[usize::from(c)]))
    }
}

/// Each sRGB byte in linear light.
static LINEAR: LazyLock<[f32; 256]> = LazyLock::new(|| std::array::from_fn(|c| to_linear(c as f32 / 255.0)));

fn to_linear(c: f32) -> f32 {
    if c <= 0.04045 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) }
}

fn to_srgb(c: f32) -> f32 {
    if c <= 0.003_130_8 { c * 12.92 } else { 1.055 * c.powf(1.0 / 2.4) - 0.055 }
}

/// Linear light to sRGB bytes by table: `powf` per pixel and channel would cost 60 ms at 1200x900.
pub(super) struct Encoder {
    table: Vec<u8>,
}

impl Encoder {
    /// 4096 steps keep every dark sRGB level apart (the steepest part is 12.92 x 255 / 4096 = 0.8 levels per step).
    const STEPS: usize = 4096;

    pub(super) fn new() -> Self {
        let level = |i| (to_srgb(i as f32 / (Self::STEPS - 1) as f32) * 255.0 + 0.5) as u8;
        Self { table: (0..Self::STEPS).map(level).collect() }
    }

    pub(super) fn encode(&self, c: Vec3) -> [u8; 3] {
        let top = (Self::STEPS - 1) as f32;
        c.to_array().map(|c| self.table[(c.clamp(0.0, 1.0) * top + 0.5) as usize])
    }
}

/// Named colours that go together.
pub mod palette {
    use super::{Color, Vec3, to_srgb};

    /// Colliding triangles.
    pub const HIGHLIGHT: Color = Color::hex(0xf2_3d_12);
    /// The other side of a collision, where the two must be told apart.
    pub const HIGHLIGHT_B: Color = Color::hex(0xff_b0_00);
    /// What was found near but not touching, closest features.
    pub const NEAR: Color = Color::hex(0x00_72_b2);
    /// What was found to be fine.
    pub const CLEAR: Color = Color::hex(0x00_9e_73);
    /// Structure: boxes, wires.
    pub const STRUCTURE: Color = Color::hex(0x4a_5a_6e);

    /// Muted colours for bodies: steel, sand, sage, lilac, clay, teal.
    pub const BODIES: [Color; 6] = [
        Color::hex(0x9f_b8_d1),
        Color::hex(0xe2_cc_a6),
        Color::hex(0xac_c8_a8),
        Color::hex(0xbf_b3_d6),
        Color::hex(0xd6_b3_a2),
        Color::hex(0x93_c2_c0),
    ];

    /// The colour of body number `k`, repeating after six.
    pub fn body(k: usize) -> Color {
        BODIES[k % BODIES.len()]
    }

    /// The colour of class `k` of any number of classes (regions, patches): one of twelve hues and three lightnesses
    /// in Oklch, by a hash, so that whatever numbers neighbours have, they rarely look alike.
    pub fn class(k: usize) -> Color {
        let mut h = (k as u64).wrapping_add(0x9e37_79b9_7f4a_7c15);
        h = (h ^ h >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        h = (h ^ h >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        h ^= h >> 31;
        let hue = (h % 12) as f32 / 12.0 * std::f32::consts::TAU;
        let lightness = [0.80, 0.72, 0.63][(h / 12 % 3) as usize];
        oklch(lightness, 0.10, hue)
    }

    /// Oklch to sRGB (Björn Ottosson's matrices), clamped to the gamut.
    fn oklch(l: f32, chroma: f32, hue: f32) -> Color {
        let (a, b) = (chroma * hue.cos(), chroma * hue.sin());
        let cube = |x: f32| x * x * x;
        let lms = Vec3::new(
            cube(l + 0.396_337_78 * a + 0.215_803_76 * b),
            cube(l - 0.105_561_346 * a - 0.063_854_17 * b),
            cube(l - 0.089_484_18 * a - 1.291_485_5 * b),
        );
        let rgb = [
            Vec3::new(4.076_741_7, -3.307_711_6, 0.230_969_94),
            Vec3::new(-1.268_438, 2.609_757_4, -0.341_319_4),
            Vec3::new(-0.004_196_086_3, -0.703_418_6, 1.707_614_7),
        ];
        Color(rgb.map(|row| (to_srgb(row.dot(lms).clamp(0.0, 1.0)) * 255.0 + 0.5) as u8))
    }
}

/// A map from 0..1 to colours, interpolated between control points in sRGB.
///
/// Sequential maps rise evenly in lightness, so they survive grey printing and colour-blind eyes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ColorMap {
    /// Dark violet over teal to yellow.
    #[default]
    Viridis,
    /// Near-black over crimson and orange to pale yellow.
    Ember,
    /// Blue over light grey to red, for signed values around a middle.
    CoolWarm,
    /// Pale to deep blue, for quantities over a light background.
    Ocean,
}

impl ColorMap {
    fn stops(self) -> &'static [u32] {
        match self {
            Self::Viridis => &[
                0x44_01_54, 0x48_28_78, 0x3e_4a_89, 0x31_68_8e, 0x26_82_8e, 0x1f_9e_89, 0x35_b7_79,
                0x6d_cd_59, 0xb4_de_2c, 0xfd_e7_25,
            ],
            Self::Ember => &[
                0x16_0b_39, 0x42_0a_68, 0x6a_17_6e, 0x93_26_67, 0xbc_37_54, 0xdd_51_3a, 0xf3_78_19,
                0xfc_a5_0a, 0xf6_d7_46,
            ],
            Self::CoolWarm => &[
                0x2f_4f_c0, 0x5a_7e_e6, 0x8c_af_f6, 0xbc_d2_f0, 0xdd_dd_dd, 0xf2_c4_ad, 0xee_96_78,
                0xd9_5b_4b, 0xb0_0c_27,
            ],
            Self::Ocean => {
                &[0xe6_f1_f8, 0xbc_d9_ec, 0x86_bb_db, 0x4f_99_c6, 0x2a_74_ab, 0x15_50_86, 0x0b_2f_5c]
            }
        }
    }

    /// The colour at `t`; values outside 0..1 are clamped, NaN is grey.
    pub fn at(self, t: f64) -> Color {
        if t.is_nan() {
            return Color::hex(0x8a_8a_8a);
        }
        let stops = self.stops();
        let x = t.clamp(0.0, 1.0) * (stops.len() - 1) as f64;
        let i = (x as usize).min(stops.len() - 2);
        let f = x - i as f64;
        let (a, b) = (Color::hex(stops[i]).0, Color::hex(stops[i + 1]).0);
        Color(std::array::from_fn(|k| (f64::from(a[k]) * (1.0 - f) + f64::from(b[k]) * f + 0.5) as u8))
    }

    /// The colour of `value` in the range `low..=high`; an empty range is its middle.
    pub fn of(self, value: f64, low: f64, high: f64) -> Color {
        // Halved first: the difference of two finite numbers may overflow.
        let span = high * 0.5 - low * 0.5;
        self.at(if span > 0.0 { (value * 0.5 - low * 0.5) / span } else { 0.5 + 0.0 * value })
    }
}
