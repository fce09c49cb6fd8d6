//! A small stroke font: letters as pen strokes with round ends, sharp at any size, no font file needed.
//!
//! A glyph is a path of `M` (move), `L` (line) and `Q` (quadratic curve) on a grid whose capitals are 7 high,
//! small letters 5, with the baseline at 0 and y upwards. One em is 10 units.

use glam::Vec2;

/// Thickness of the pen in units.
const PEN: f32 = 0.86;
/// Room between glyphs.
const GAP: f32 = 1.55;

/// Character, width without the gap, strokes.
type Glyph = (char, f32, &'static str);

#[rustfmt::skip]
const GLYPHS: &[Glyph] = &[
    (' ', 1.6, ""),
    ('A', 5.4, "M0 0L2.7 7L5.4 0M1 2.4L4.4 2.4"),
    ('B', 4.6, "M0 0L0 7L2.6 7Q4.3 7 4.3 5.3Q4.3 3.7 2.6 3.7L0 3.7M2.6 3.7Q4.6 3.7 4.6 1.85Q4.6 0 2.6 0L0 0"),
    ('C', 4.9, "M4.9 5.6Q4.1 7 2.6 7Q0 7 0 4.2L0 2.8Q0 0 2.6 0Q4.1 0 4.9 1.4"),
    ('D', 4.9, "M0 0L0 7L2.2 7Q4.9 7 4.9 4.2L4.9 2.8Q4.9 0 2.2 0L0 0"),
    ('E', 4.0, "M4 0L0 0L0 7L4 7M0 3.7L3.5 3.7"),
    ('F', 3.9, "M0 0L0 7L3.9 7M0 3.6L3.4 3.6"),
    ('G', 5.0, "M4.9 5.7Q4.1 7 2.6 7Q0 7 0 4.2L0 2.8Q0 0 2.6 0Q5 0 5 2.6L5 3.2L2.9 3.2"),
    ('H', 4.8, "M0 0L0 7M4.8 0L4.8 7M0 3.6L4.8 3.6"),
    ('I', 0.0, "M0 0L0 7"),
    ('J', 3.2, "M3.2 7L3.2 2Q3.2 0 1.5 0Q.4 0 0 1"),
    ('K', 4.6, "M0 0L0 7M4.4 7L0 2.6M1.6 4.2L4.6 0"),
    ('L', 3.8, "M0 7L0 0L3.8 0"),
    ('M', 5.8, "M0 0L0 7L2.9 2.2L5.8 7L5.8 0"),
    ('N', 4.9, "M0 0L0 7L4.9 0L4.9 7"),
    ('O', 5.2, "M2.6 7Q5.2 7 5.2 4.2L5.2 2.8Q5.2 0 2.6 0Q0 0 0 2.8L0 4.2Q0 7 2.6 7"),
    ('P', 4.5, "M0 0L0 7L2.5 7Q4.5 7 4.5 5Q4.5 3 2.5 3L0 3"),
    ('Q', 5.2, "M2.6 7Q5.2 7 5.2 4.2L5.2 2.8Q5.2 0 2.6 0Q0 0 0 2.8L0 4.2Q0 7 2.6 7M3.3 1.6L5.4 -.7"),
    ('R', 4.6, "M0 0L0 7L2.5 7Q4.5 7 4.5 5.1Q4.5 3.2 2.5 3.2L0 3.2M2.4 3.2L4.6 0"),
    ('S', 4.4, "M4.2 5.8Q3.6 7 2.2 7Q.2 7 .2 5.3Q.2 4 2.2 3.6Q4.4 3.1 4.4 1.7Q4.4 0 2.2 0Q.6 0 0 1.3"),
    ('T', 4.8, "M0 7L4.8 7M2.4 7L2.4 0"),
    ('U', 4.8, "M0 7L0 2.5Q0 0 2.4 0Q4.8 0 4.8 2.5L4.8 7"),
    ('V', 5.2, "M0 7L2.6 0L5.2 7"),
    ('W', 7.4, "M0 7L1.9 0L3.7 6L5.5 0L7.4 7"),
    ('X', 4.8, "M0 0L4.8 7M0 7L4.8 0"),
    ('Y', 4.8, "M0 7L2.4 3.3L4.8 7M2.4 3.3L2.4 0"),
    ('Z', 4.6, "M.1 7L4.6 7L0 0L4.7 0"),
    ('a', 3.9, "M3.9 5L3.9 0M3.9 2.6Q3.9 5 2 5Q0 5 0 2.6L0 2.4Q0 0 2 0Q3.9 0 3.9 2.4"),
    ('b', 4.0, "M0 7.2L0 0M0 2.6Q0 5 2 5Q4 5 4 2.6L4 2.4Q4 0 2 0Q0 0 0 2.4"),
    ('c', 3.6, "M3.6 4Q3.1 5 2 5Q0 5 0 2.6L0 2.4Q0 0 2 0Q3.1 0 3.6 1"),
    ('d', 4.0, "M4 7.2L4 0M4 2.6Q4 5 2 5Q0 5 0 2.6L0 2.4Q0 0 2 0Q4 0 4 2.4"),
    ('e', 3.9, "M.1 2.6L3.9 2.6Q3.9 5 2 5Q0 5 0 2.6L0 2.4Q0 0 2.1 0Q3.2 0 3.7 .9"),
    ('f', 2.3, "M.9 0L.9 5.6Q.9 7.2 2.2 7.2L2.6 7.2M0 4.8L2.4 4.8"),
    ('g', 4.0, "M4 5L4 -.2Q4 -2 2 -2Q.8 -2 .3 -1.3M4 2.6Q4 5 2 5Q0 5 0 2.6L0 2.4Q0 0 2 0Q4 0 4 2.4"),
    ('h', 3.8, "M0 0L0 7.2M0 3Q.2 5 2 5Q3.8 5 3.8 3L3.8 0"),
    ('i', 0.0, "M0 0L0 5M0 6.9L0 7"),
    ('j', 0.6, "M.6 5L.6 -.8Q.6 -2 -.5 -2M.6 6.9L.6 7"),
    ('k', 3.5, "M0 0L0 7.2M3.4 5L0 1.8M1.3 3L3.6 0"),
    ('l', 0.6, "M0 7.2L0 .9Q0 0 .8 0"),
    ('m', 6.4, "M0 0L0 5M0 3Q.2 5 1.7 5Q3.2 5 3.2 3L3.2 0M3.2 3Q3.4 5 4.9 5Q6.4 5 6.4 3L6.4 0"),
    ('n', 3.8, "M0 0L0 5M0 3Q.2 5 2 5Q3.8 5 3.8 3L3.8 0"),
    ('o', 4.0, "M2 5Q4 5 4 2.6L4 2.4Q4 0 2 0Q0 0 0 2.4L0 2.6Q0 5 2 5"),
    ('p', 4.0, "M0 -2L0 5M0 2.6Q0 5 2 5Q4 5 4 2.6L4 2.4Q4 0 2 0Q0 0 0 2.4"),
    ('q', 4.0, "M4 -2L4 5M4 2.6Q4 5 2 5Q0 5 0 2.6L0 2.4Q0 0 2 0Q4 0 4 2.4"),
    ('r', 2.0, "M0 0L0 5M0 2.8Q.2 5 2.2 5"),
    ('s', 3.3, "M3.2 4.1Q2.8 5 1.7 5Q.2 5 .2 3.8Q.2 2.9 1.7 2.6Q3.3 2.3 3.3 1.2Q3.3 0 1.7 0Q.5 0 0 .9"),
    ('t', 2.2, "M.9 6.5L.9 1.2Q.9 0 2.1 0L2.4 0M0 4.8L2.3 4.8"),
    ('u', 3.8, "M0 5L0 2Q0 0 1.9 0Q3.6 0 3.8 2M3.8 5L3.8 0"),
    ('v', 4.0, "M0 5L2 0L4 5"),
    ('w', 5.8, "M0 5L1.5 0L2.9 4.3L4.3 0L5.8 5"),
    ('x', 3.6, "M0 0L3.6 5M0 5L3.6 0"),
    ('y', 4.0, "M0 5L2 .1M4 5L1.6 -1.2Q1.3 -2 .3 -2"),
    ('z', 3.5, "M.1 5L3.5 5L0 0L3.6 0"),
    ('0', 4.2, "M2.1 7Q4.2 7 4.2 4.2L4.2 2.8Q4.2 0 2.1 0Q0 0 0 2.8L0 4.2Q0 7 2.1 7"),
    ('1', 4.2, "M.9 5.6L2.6 7L2.6 0"),
    ('2', 4.2, "M.1 5.3Q.3 7 2.1 7Q4.1 7 4.1 5.2Q4.1 4.1 3 2.9L.1 0L4.2 0"),
    ('3', 4.2, "M.3 7L3.9 7L2 4.2Q4.2 4.2 4.2 2.1Q4.2 0 2.1 0Q.6 0 0 1.2"),
    ('4', 4.2, "M3.1 0L3.1 7L0 2L4.3 2"),
    ('5', 4.2, "M3.8 7L.6 7L.3 3.8Q1 4.4 2.1 4.4Q4.2 4.4 4.2 2.2Q4.2 0 2 0Q.6 0 0 1.1"),
    ('6', 4.2, "M3.5 7Q0 5.8 0 2.2Q0 0 2.1 0Q4.2 0 4.2 2.2Q4.2 4.3 2.2 4.3Q.3 4.3 .05 2.5"),
    ('7', 4.2, "M0 7L4.2 7L1.5 0"),
    ('8', 4.2, "M2.1 7Q.3 7 .3 5.4Q.3 3.8 2.1 3.8Q3.9 3.8 3.9 5.4Q3.9 7 2.1 7M2.1 3.8Q0 3.8 0 1.9Q0 0 2.1 0Q4.2 0 4.2 1.9Q4.2 3.8 2.1 3.8"),
    ('9', 4.2, "M.7 0Q4.2 1.2 4.2 4.8Q4.2 7 2.1 7Q0 7 0 4.8Q0 2.7 2 2.7Q3.9 2.7 4.15 4.5"),
    ('.', 0.3, "M.1 0L.1 .1"),
    (',', 0.4, "M.3 .2L-.1 -1.3"),
    (':', 0.3, "M.1 .3L.1 .4M.1 4.1L.1 4.2"),
    (';', 0.4, "M.3 .3L-.1 -1.2M.2 4.1L.2 4.2"),
    ('!', 0.2, "M.1 7L.1 2.2M.1 0L.1 .1"),
    ('?', 3.6, "M0 5.6Q.3 7 1.8 7Q3.6 7 3.6 5.4Q3.6 4.3 2.5 3.6Q1.8 3.1 1.8 2.2M1.8 0L1.8 .1"),
    ('\'', 0.2, "M.1 7L.1 5.2"),
    ('"', 1.6, "M.1 7L.1 5.2M1.5 7L1.5 5.2"),
    ('(', 1.4, "M1.4 7.8Q0 5.8 0 3Q0 .2 1.4 -1.8"),
    (')', 1.4, "M0 7.8Q1.4 5.8 1.4 3Q1.4 .2 0 -1.8"),
    ('[', 1.4, "M1.4 7.8L0 7.8L0 -1.6L1.4 -1.6"),
    (']', 1.4, "M0 7.8L1.4 7.8L1.4 -1.6L0 -1.6"),
    ('{', 1.8, "M1.8 7.8Q.8 7.8 .8 6.6L.8 4.4Q.8 3.1 0 3.1Q.8 3.1 .8 1.8L.8 -.4Q.8 -1.6 1.8 -1.6"),
    ('}', 1.8, "M0 7.8Q1 7.8 1 6.6L1 4.4Q1 3.1 1.8 3.1Q1 3.1 1 1.8L1 -.4Q1 -1.6 0 -1.6"),
    ('<', 3.6, "M3.6 5.4L0 3.2L3.6 1"),
    ('>', 3.6, "M0 5.4L3.6 3.2L0 1"),
    ('=', 3.8, "M0 4.2L3.8 4.2M0 2.2L3.8 2.2"),
    ('+', 3.8, "M0 3.2L3.8 3.2M1.9 5.1L1.9 1.3"),
    ('-', 2.6, "M.2 3L2.4 3"),
    ('–', 3.8, "M0 3L3.8 3"),
    ('—', 6.0, "M0 3L6 3"),
    ('−', 3.8, "M0 3.2L3.8 3.2"),
    ('×', 3.0, "M0 1.5L3 4.6M0 4.6L3 1.5"),
    ('±', 3.8, "M0 4L3.8 4M1.9 5.9L1.9 2.1M0 .6L3.8 .6"),
    ('·', 0.3, "M.1 3L.1 3.1"),
    ('…', 5.0, "M.1 0L.1 .1M2.5 0L2.5 .1M4.9 0L4.9 .1"),
    ('/', 3.0, "M0 -.6L3 7.6"),
    ('\\', 3.0, "M0 7.6L3 -.6"),
    ('|', 0.2, "M.1 8L.1 -2"),
    ('_', 4.0, "M0 -1L4 -1"),
    ('^', 3.0, "M0 4.8L1.5 7L3 4.8"),
    ('~', 3.8, "M0 2.6Q.2 3.9 1.2 3.7Q2 3.4 2.6 2.9Q3.5 2.5 3.8 3.8"),
    ('≈', 3.8, "M0 3.6Q.2 4.9 1.2 4.7Q2 4.4 2.6 3.9Q3.5 3.5 3.8 4.8M0 1.4Q.2 2.7 1.2 2.5Q2 2.2 2.6 1.7Q3.5 1.3 3.8 2.6"),
    ('*', 3.0, "M1.5 7L1.5 3.8M.1 6.2L2.9 4.6M.1 4.6L2.9 6.2"),
    ('#', 4.6, "M1.1 0L1.9 7M2.9 0L3.7 7M.3 4.9L4.6 4.9M0 2.1L4.3 2.1"),
    ('%', 6.4, "M5.2 7L1.2 0M1.4 7Q0 7 0 5.4Q0 3.8 1.4 3.8Q2.8 3.8 2.8 5.4Q2.8 7 1.4 7M5 3.2Q3.6 3.2 3.6 1.6Q3.6 0 5 0Q6.4 0 6.4 1.6Q6.4 3.2 5 3.2"),
    ('&', 5.2, "M5.2 0L1.3 4.6Q.6 5.4 .6 6Q.6 7 1.8 7Q3 7 3 5.9Q3 4.9 1.8 4.2Q0 3.2 0 1.8Q0 0 2 0Q4.4 0 4.9 3"),
    ('@', 7.0, "M5 2Q4.6 1.4 3.6 1.4Q2.2 1.4 2.2 3Q2.2 4.8 3.7 4.8Q5 4.8 5 3.2L5 2.6Q5 1.4 5.9 1.4Q7 1.4 7 3.2Q7 6.8 3.6 6.8Q0 6.8 0 3Q0 -1 3.6 -1Q4.8 -1 5.6 -.6"),
    ('$', 4.4, "M4.2 5.8Q3.6 7 2.2 7Q.2 7 .2 5.3Q.2 4 2.2 3.6Q4.4 3.1 4.4 1.7Q4.4 0 2.2 0Q.6 0 0 1.3M2.2 7.9L2.2 -.9"),
    ('`', 1.2, "M0 7L1.2 5.6"),
    ('°', 2.0, "M1 7Q0 7 0 6Q0 5 1 5Q2 5 2 6Q2 7 1 7"),
    ('²', 2.2, "M0 6.4Q.1 7.2 1.1 7.2Q2.2 7.2 2.2 6.3Q2.2 5.8 1.6 5.2L0 3.8L2.3 3.8"),
    ('³', 2.2, "M.2 7.2L2.1 7.2L1.1 5.8Q2.3 5.8 2.3 4.8Q2.3 3.7 1.1 3.7Q.3 3.7 0 4.3"),
    ('µ', 3.8, "M0 -2L0 5M0 2Q0 0 1.9 0Q3.6 0 3.8 2M3.8 5L3.8 0"),
    ('ε', 3.4, "M3.3 4.2Q2.8 5 1.8 5Q.3 5 .3 3.8Q.3 2.7 1.8 2.7Q0 2.7 0 1.4Q0 0 1.8 0Q3 0 3.5 .9"),
    ('≤', 3.6, "M3.6 6L0 3.9L3.6 1.8M0 .3L3.6 .3"),
    ('≥', 3.6, "M0 6L3.6 3.9L0 1.8M0 .3L3.6 .3"),
    ('→', 5.4, "M0 3L5.4 3M3.6 4.8L5.4 3L3.6 1.2"),
];

/// What is drawn for a character that the font lacks: an empty box.
const MISSING: Glyph = ('\u{fffd}', 3.6, "M0 0L0 6L3.6 6L3.6 0L0 0");

fn glyph(c: char) -> &'static Glyph {
    GLYPHS.iter().find(|g| g.0 == c).unwrap_or(&MISSING)
}

/// The width of a line of text in pixels at `size` pixels per em.
pub(super) fn width(text: &str, size: f32) -> f32 {
    let units: f32 = text.chars().map(|c| glyph(c).1 + GAP).sum();
    (units - GAP).max(0.0) * size / 10.0
}

/// The text cut with an ellipsis so that it is at most `room` pixels wide.
pub(super) fn fitted(text: &str, size: f32, room: f32) -> String {
    let mut kept = text.to_owned();
    while width(&kept, size) > room && !kept.is_empty() {
        let shorter = kept.trim_end_matches('…').trim_end();
        let cut = shorter.char_indices().last().map_or(0, |(i, _)| i);
        if cut == 0 {
            return String::new();
        }
        kept = format!("{}…", shorter[..cut].trim_end());
    }
    kept
}

/// A line segment of the pen, in pixels relative to the start of the baseline, y downwards.
pub(super) type Stroke = [Vec2; 2];

/// The strokes of a line of text and half the pen's thickness, in pixels.
pub(super) fn strokes(text: &str, size: f32) -> (Vec<Stroke>, f32) {
    let scale = size / 10.0;
    let mut strokes = Vec::new();
    let mut left = 0.0;
    for c in text.chars() {
        let (_, width, path) = glyph(c);
        trace(path, |a, b| {
            let place = |p: Vec2| Vec2::new(left + p.x, -p.y) * scale;
            strokes.push([place(a), place(b)]);
        });
        left += width + GAP;
    }
    // Thinner than a pixel would only turn pale.
    (strokes, (0.5 * PEN * scale).max(0.5))
}

fn trace(path: &str, mut line: impl FnMut(Vec2, Vec2)) {
    let mut pen = Vec2::ZERO;
    let mut rest = path;
    while let Some(command) = rest.chars().next() {
        let end = rest[1..].find(['M', 'L', 'Q']).map_or(rest.len(), |i| i + 1);
        let mut numbers = rest[1..end].split(' ').map(|n| n.parse().unwrap_or(0.0));
        let mut point = || Vec2::new(numbers.next().unwrap_or(0.0), numbers.next().unwrap_or(0.0));
        match command {
            'M' => pen = point(),
            'L' => {
                let to = point();
                line(pen, to);
                pen = to;
            }
            _ => {
                let (control, to, from) = (point(), point(), pen);
                const STEPS: usize = 6;
                for k in 1..=STEPS {
                    let t = k as f32 / STEPS as f32;
                    let next = from.lerp(control, t).lerp(control.lerp(to, t), t);
                    line(pen, next);
                    pen = next;
                }
            }
        }
        rest = &rest[end..];
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_printable_ascii_character_has_a_glyph() {
        for c in ' '..='~' {
            assert_eq!(glyph(c).0, c);
        }
    }

    #[test]
    fn every_path_stays_within_its_line() {
        for (c, width, path) in GLYPHS {
            let mut strokes = 0;
            trace(path, |a, b| {
                for p in [a, b] {
                    assert!(p.x >= -0.6 && p.x <= width + 0.6, "{c}: x = {}", p.x);
                    assert!(p.y >= -2.1 && p.y <= 8.1, "{c}: y = {}", p.y);
                }
                strokes += 1;
            });
            assert!(strokes > 0 || *c == ' ', "{c} is empty");
        }
    }

    #[test]
    fn long_text_is_cut_to_the_room() {
        let long = "a caption that is far too long for its picture";
        assert_eq!(fitted(long, 16.0, 1e4), long);
        let cut = fitted(long, 16.0, 120.0);
        assert!(cut.ends_with('…') && width(&cut, 16.0) <= 120.0 && cut.len() > 5);
        assert_eq!(fitted(long, 16.0, 0.0), "");
    }
}
