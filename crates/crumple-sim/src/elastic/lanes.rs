//! Four constraints at a time.
//!
//! A sweep is Gauss–Seidel: every constraint sees what the ones before it moved. Those that have no vertex in common can be solved at the
//! same time with the same result, so they are coloured: of each stretch of the list the first colour takes what it can, the next what is
//! left. Four of one colour are four lanes. The order is fixed when bodies are built, lanes round as single numbers do, and
//! so the same bits come out everywhere.

use crumple::geometry::simd::{F64x4, Quad, Simd};
use glam::DVec3;

/// Vertices as lanes want them: where they are and their inverse masses, and where the substep began; at the end one that does not
/// move, for lanes that are empty.
#[derive(Debug, Default)]
pub(super) struct Points {
    pub x: Vec<Quad>,
    pub start: Vec<Quad>,
}

impl Points {
    pub fn fill(&mut self, x: &[DVec3], start: &[DVec3], w: &[f64]) {
        let Self { x: to, start: began } = self;
        to.clear();
        to.extend(x.iter().zip(w).map(|(p, w)| Quad([p.x, p.y, p.z, *w])));
        to.push(Quad::default());
        began.clear();
        began.extend(start.iter().map(|p| Quad([p.x, p.y, p.z, 0.0])));
        began.push(Quad::default());
    }

    pub fn write(&self, x: &mut [DVec3]) {
        for (x, Quad([p, q, r, _])) in x.iter_mut().zip(&self.x) {
            *x = DVec3::new(*p, *q, *r);
        }
    }
}

/// How many constraints are coloured together: few enough that what one colour touches is still near when the next comes.
const WINDOW: usize = 1024;

/// Places of constraints, four at a time, no two of which share a vertex; a place that is not there is an empty lane.
pub(super) fn groups_of_four<const N: usize>(
    constraints: &[[u32; N]],
    vertices: usize,
) -> Vec<[Option<usize>; 4]> {
    let mut out = Vec::new();
    // The colours at each vertex, as bits.
    let mut used = vec![0_u64; vertices];
    let mut colours: Vec<Vec<usize>> = Vec::new();
    for (window, rows) in constraints.chunks(WINDOW).enumerate() {
        rows.iter().flatten().for_each(|&v| used[v as usize] = 0);
        colours.iter_mut().for_each(Vec::clear);
        for (i, row) in rows.iter().enumerate() {
            let place = window * WINDOW + i;
            let taken = row.iter().fold(0, |taken, &v| taken | used[v as usize]);
            let colour = taken.trailing_ones();
            if colour == u64::BITS {
                // So many meet in one vertex that colours run out: it goes alone.
                out.push([Some(place), None, None, None]);
                continue;
            }
            row.iter().for_each(|&v| used[v as usize] |= 1 << colour);
            if colours.len() <= colour as usize {
                colours.push(Vec::new());
            }
            colours[colour as usize].push(place);
        }
        for colour in &colours {
            out.extend(colour.chunks(4).map(|four| std::array::from_fn(|i| four.get(i).copied())));
        }
    }
    out
}

/// One number of each lane; `empty` where there is none.
pub(super) fn quad<T>(four: &[Option<&T>; 4], empty: f64, of: impl Fn(&T) -> f64) -> Quad {
    Quad(four.map(|c| c.map_or(empty, &of)))
}

/// Corners of four constraints, corner by corner; empty lanes have the vertex that does not move.
pub(super) fn corners<T, const N: usize>(
    four: &[Option<&T>; 4],
    still: usize,
    of: impl Fn(&T) -> [u32; N],
) -> [[u32; 4]; N] {
    std::array::from_fn(|corner| four.map(|c| c.map_or(still as u32, |c| of(c)[corner])))
}

/// x, y, z and the fourth number of four vertices.
#[inline(always)]
pub(crate) fn gather<S: Simd>(simd: S, points: &[Quad], v: &[u32; 4]) -> [S::F64x4; 4] {
    S::F64x4::transpose4([
        S::F64x4::load(simd, &points[v[0] as usize]),
        S::F64x4::load(simd, &points[v[1] as usize]),
        S::F64x4::load(simd, &points[v[2] as usize]),
        S::F64x4::load(simd, &points[v[3] as usize]),
    ])
}

/// Back to memory.
#[inline(always)]
pub(super) fn scatter<S: Simd>(points: &mut [Quad], v: &[u32; 4], columns: [S::F64x4; 4]) {
    let [a, b, c, d] = S::F64x4::transpose4(columns);
    a.store_quad(&mut points[v[0] as usize]);
    b.store_quad(&mut points[v[1] as usize]);
    c.store_quad(&mut points[v[2] as usize]);
    d.store_quad(&mut points[v[3] as usize]);
}

/// p moved by `by` times `share`.
#[inline(always)]
pub(super) fn moved<S: Simd>(p: [S::F64x4; 4], by: [S::F64x4; 3], share: S::F64x4) -> [S::F64x4; 4] {
    [p[0] + by[0] * share, p[1] + by[1] * share, p[2] + by[2] * share, p[3]]
}

#[inline(always)]
pub(crate) fn xyz<T: Copy>(p: [T; 4]) -> [T; 3] {
    [p[0], p[1], p[2]]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lanes_share_no_vertex_and_nothing_is_left_out() {
        // A fan of 100 round one vertex, and a long chain.
        let mut rows: Vec<[u32; 2]> = (1..=100).map(|v| [0, v]).collect();
        rows.extend((101..3000).map(|v| [v, v + 1]));
        let groups = groups_of_four(&rows, 3001);
        let mut seen: Vec<usize> = groups.iter().flatten().flatten().copied().collect();
        seen.sort_unstable();
        assert_eq!(seen, (0..rows.len()).collect::<Vec<_>>());
        for group in &groups {
            let mut at: Vec<u32> = group.iter().flatten().flat_map(|&i| rows[i]).collect();
            let count = at.len();
            at.sort_unstable();
            at.dedup();
            assert_eq!(at.len(), count, "{group:?}");
        }
    }
}
