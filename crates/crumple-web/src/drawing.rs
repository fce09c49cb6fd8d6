//! A structure as flat arrays: segments, points, painted triangles, each with a tone.

use crumple::Tone;
use wasm_bindgen::prelude::*;

use crate::buffers::Buffers;

/// More boxes, segments or points than this are a fog, and slow; the rest is counted and not drawn.
const MOST: usize = 12_000;

/// What a structure looks like, for a page to colour.
///
/// A tone is a number: 0 to 63 a level of a hierarchy, 64 to 127 one of many groups, 128 looked at without a result, 129
/// part of the answer.
#[wasm_bindgen]
#[derive(Debug, Default)]
pub struct Drawing {
    lines: Vec<f32>,
    line_tones: Vec<u8>,
    points: Vec<f32>,
    point_tones: Vec<u8>,
    triangles: Vec<u32>,
    triangle_tones: Vec<u8>,
    left_out: u32,
}

impl Drawing {
    pub(crate) fn new(drawing: &crumple::Drawing, buffers: &Buffers) -> Self {
        let mut out = Self::default();
        for (low, high, tone) in drawing.boxes.iter().take(MOST) {
            out.draw_box(buffers.relative(low), buffers.relative(high), code(*tone));
        }
        for (p, q, tone) in drawing.lines.iter().take(MOST) {
            out.line(buffers.relative(p), buffers.relative(q), code(*tone));
        }
        for (p, tone) in drawing.points.iter().take(MOST) {
            out.points.extend(buffers.relative(p));
            out.point_tones.push(code(*tone));
        }
        for (t, tone) in &drawing.triangles {
            out.triangles.push(t.0);
            out.triangle_tones.push(code(*tone));
        }
        let beyond = |n: usize| n.saturating_sub(MOST) as u32;
        out.left_out =
            beyond(drawing.boxes.len()) + beyond(drawing.lines.len()) + beyond(drawing.points.len());
        out
    }

    fn line(&mut self, p: [f32; 3], q: [f32; 3], tone: u8) {
        self.lines.extend(p.iter().chain(&q));
        self.line_tones.push(tone);
    }

    /// The twelve edges.
    fn draw_box(&mut self, low: [f32; 3], high: [f32; 3], tone: u8) {
        let corner = |bits: usize| [0, 1, 2].map(|k| if bits >> k & 1 == 1 { high[k] } else { low[k] });
        for bits in 0..8 {
            for k in (0..3).filter(|k| bits >> k & 1 == 0) {
                self.line(corner(bits), corner(bits | 1 << k), tone);
            }
        }
    }
}

fn code(tone: Tone) -> u8 {
    match tone {
        Tone::Level(level) => level.min(63),
        Tone::Group(group) => 64 + (group % 64) as u8,
        Tone::Visited => 128,
        Tone::Hit => 129,
    }
}

#[wasm_bindgen]
impl Drawing {
    /// Segments, six numbers each.
    #[wasm_bindgen(getter)]
    pub fn lines(&self) -> Vec<f32> {
        self.lines.clone()
    }

    /// The tone of each segment.
    #[wasm_bindgen(getter, js_name = lineTones)]
    pub fn line_tones(&self) -> Vec<u8> {
        self.line_tones.clone()
    }

    /// Points, three numbers each.
    #[wasm_bindgen(getter)]
    pub fn points(&self) -> Vec<f32> {
        self.points.clone()
    }

    /// The tone of each point.
    #[wasm_bindgen(getter, js_name = pointTones)]
    pub fn point_tones(&self) -> Vec<u8> {
        self.point_tones.clone()
    }

    /// Painted triangles, counted over all bodies.
    #[wasm_bindgen(getter)]
    pub fn triangles(&self) -> Vec<u32> {
        self.triangles.clone()
    }

    /// The tone of each painted triangle.
    #[wasm_bindgen(getter, js_name = triangleTones)]
    pub fn triangle_tones(&self) -> Vec<u8> {
        self.triangle_tones.clone()
    }

    /// Boxes, segments and points that were left out because there are too many to see.
    #[wasm_bindgen(getter, js_name = leftOut)]
    pub fn left_out(&self) -> u32 {
        self.left_out
    }
}
