//! The intersection volume as a closed surface: every span a box as wide as its pixel, without the walls between them.
//!
//! Walls stand on the lines where four pixels meet. Each line is cut at every depth at which a span beside it begins or
//! ends, and all walls beside it are cut there too, so no vertex lies within an edge: each edge is run through equally
//! often both ways. Where two boxes meet in a line only, four walls meet there.

use super::spans::{Span, Spans};

/// A closed surface, seen from outside counter-clockwise.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct SpanSurface {
    /// Positions of the vertices.
    pub positions: Vec<[f64; 3]>,
    /// Corners of each triangle.
    pub triangles: Vec<[u32; 3]>,
}

/// The lines where pixels meet, and the depths at which each is cut.
struct Lines {
    /// Lines along x.
    across: usize,
    /// First depth of each line, and the total last.
    starts: Vec<u32>,
    depths: Vec<i32>,
}

impl Spans {
    /// The surface of the boxes round the spans. Its volume is [`volume`](Self::volume).
    pub fn surface(&self) -> SpanSurface {
        let lattice = self.lattice();
        let [nx, ny] = lattice.resolution;
        let lines = Lines::new(self);
        let mut starts = vec![0usize; lattice.columns() + 1];
        for span in self.as_slice() {
            starts[lattice.column(span.pixel) + 1] += 1;
        }
        for c in 0..lattice.columns() {
            starts[c + 1] += starts[c];
        }
        // Spans of a pixel; none beyond the image.
        let spans = |x: i64, y: i64| -> &[Span] {
            if x < 0 || y < 0 || x >= i64::from(nx) || y >= i64::from(ny) {
                return &[];
            }
            let c = lattice.column([x as u32, y as u32]);
            &self.as_slice()[starts[c]..starts[c + 1]]
        };
        let mut triangles = Vec::new();
        for span in self.as_slice() {
            lines.caps(span, &mut triangles);
        }
        for y in 0..=i64::from(ny) {
            for x in 0..=i64::from(nx) {
                let line = |x: i64, y: i64| y as usize * lines.across + x as usize;
                let here = spans(x, y);
                difference(spans(x - 1, y), here, |depth, of_first| {
                    lines.wall([line(x, y), line(x, y + 1)], depth, of_first, &mut triangles);
                });
                difference(spans(x, y - 1), here, |depth, of_first| {
                    lines.wall([line(x, y), line(x + 1, y)], depth, !of_first, &mut triangles);
                });
            }
        }
        SpanSurface { positions: lines.positions(self), triangles }
    }
}

impl Lines {
    fn new(spans: &Spans) -> Self {
        let [nx, ny] = spans.lattice().resolution.map(|n| n as usize + 1);
        let around = |span: &Span| {
            let [x, y] = span.pixel.map(|i| i as usize);
            [y * nx + x, y * nx + x + 1, (y + 1) * nx + x, (y + 1) * nx + x + 1]
        };
        let mut starts = vec![0u32; nx * ny + 1];
        for span in spans.as_slice() {
            around(span).iter().for_each(|&line| starts[line] += 2);
        }
        let mut sum = 0;
        for start in &mut starts {
            sum += std::mem::replace(start, sum);
        }
        let mut depths = vec![0; sum as usize];
        for span in spans.as_slice() {
            for line in around(span) {
                let place = starts[line] as usize;
                depths[place..place + 2].copy_from_slice(&span.depth);
                starts[line] += 2;
            }
        }
        // Each start has moved to the end of its line. Equal depths of a line are one vertex.
        let (mut from, mut kept) = (0, 0);
        for start in starts.iter_mut().take(nx * ny) {
            let to = *start as usize;
            depths[from..to].sort_unstable();
            *start = kept as u32;
            let mut last = None;
            for k in from..to {
                let depth = depths[k];
                if last.replace(depth) != Some(depth) {
                    depths[kept] = depth;
                    kept += 1;
                }
            }
            from = to;
        }
        starts[nx * ny] = kept as u32;
        depths.truncate(kept);
        Self { across: nx, starts, depths }
    }

    fn of(&self, line: usize) -> &[i32] {
        &self.depths[self.starts[line] as usize..self.starts[line + 1] as usize]
    }

    /// The vertex of a line at a depth, which is one of its cuts.
    fn vertex(&self, line: usize, depth: i32) -> u32 {
        self.starts[line] + self.of(line).partition_point(|&d| d < depth) as u32
    }

    /// The lower and the upper end of a box.
    fn caps(&self, span: &Span, out: &mut Vec<[u32; 3]>) {
        let [x, y] = span.pixel.map(|i| i as usize);
        let first = y * self.across + x;
        let around = [first, first + 1, first + 1 + self.across, first + self.across];
        let [a, b, c, d] = around.map(|line| self.vertex(line, span.depth[0]));
        out.extend([[a, c, b], [a, d, c]]);
        let [a, b, c, d] = around.map(|line| self.vertex(line, span.depth[1]));
        out.extend([[a, b, c], [a, c, d]]);
    }

    /// A wall between two lines, from one depth to another; it faces to the right of the way from the first line to
    /// the second, unless it is turned over.
    fn wall(&self, lines: [usize; 2], depth: [i32; 2], is_plain: bool, out: &mut Vec<[u32; 3]>) {
        let ends = lines.map(|line| depth.map(|d| self.vertex(line, d)));
        let [mut p, mut q] = [ends[0][0], ends[1][0]];
        // Up both lines like a ladder, the lower next cut first.
        while p < ends[0][1] || q < ends[1][1] {
            let is_second = p == ends[0][1]
                || (q < ends[1][1] && self.depths[q as usize + 1] <= self.depths[p as usize + 1]);
            let next = if is_second { q + 1 } else { p + 1 };
            out.push(if is_plain { [p, q, next] } else { [q, p, next] });
            if is_second {
                q = next;
            } else {
                p = next;
            }
        }
    }

    fn positions(&self, spans: &Spans) -> Vec<[f64; 3]> {
        let lattice = spans.lattice();
        let mut positions = Vec::with_capacity(self.depths.len());
        for line in 0..self.starts.len() - 1 {
            let at = [line % self.across, line / self.across].map(|i| (i << lattice.shift) as f64);
            positions.extend(self.of(line).iter().map(|&z| lattice.world([at[0], at[1], f64::from(z)])));
        }
        positions
    }
}

/// Calls `f` with each stretch that only one of two columns has, and whether it is the first.
fn difference(first: &[Span], second: &[Span], mut f: impl FnMut([i32; 2], bool)) {
    let mut ends = [first, second].map(|spans| spans.iter().flat_map(|s| s.depth).peekable());
    let (mut inside, mut from) = ([false; 2], 0);
    loop {
        let next = [ends[0].peek().copied(), ends[1].peek().copied()];
        let Some(depth) = next.iter().flatten().copied().min() else { break };
        if inside[0] != inside[1] && from < depth {
            f([from, depth], inside[0]);
        }
        for k in 0..2 {
            if next[k] == Some(depth) {
                ends[k].next();
                inside[k] = !inside[k];
            }
        }
        from = depth;
    }
}
