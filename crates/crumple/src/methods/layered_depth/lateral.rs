//! Proof of simple winding from the side: the same argument as along the rays, along the other two axes.
//!
//! Where a surface folds over, a column sees entries and exits in one run of slices and proves nothing. But seen along
//! x or y the fold is a plain wall: the run of touched cells in that direction is short, all its triangles face one
//! way, and it lies between two untouched cells. Each ray in that direction then climbs or falls from the winding
//! number of the one to that of the other; if these are 0 or 1, so is all between. What is left open is where the
//! surface has a corner or is thinner than a cell.

use super::cover::Cover;
use super::state::State;
use super::window::Window;

/// Slices touched by triangles that face one way or the other along x and along y.
#[derive(Debug, Default)]
pub(super) struct Lateral {
    /// [x or y][faces −, faces +], per column.
    facing: [[Vec<u128>; 2]; 2],
    /// Proved from the start of the run to this column, for a run that faces − and one that faces +.
    so_far: [Vec<u128>; 2],
}

/// What is known of a body beside a window.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Beyond {
    /// [x or y][before, after]: nothing of the body lies there.
    pub empty: [[bool; 2]; 2],
}

/// A column and how it continues its line.
#[derive(Clone, Copy)]
struct Step {
    touched: u128,
    plain: u128,
    held: [u128; 2],
}

impl Step {
    /// Before the first column of a line.
    fn before(is_empty: bool) -> Self {
        Self { touched: 0, plain: if is_empty { u128::MAX } else { 0 }, held: [0; 2] }
    }

    /// The next column: a run may begin after an untouched slice of winding number 0 or 1, and goes on as long as
    /// `allowed` holds.
    #[inline(always)]
    fn next(self, touched: u128, plain: u128, allowed: [u128; 2]) -> Self {
        let begins = touched & !self.touched & self.plain;
        let goes_on = touched & self.touched;
        let held = [
            allowed[0] & (begins | (self.held[0] & goes_on)),
            allowed[1] & (begins | (self.held[1] & goes_on)),
        ];
        Self { touched, plain, held }
    }
}

impl Lateral {
    /// Adds to `state.simple` what views from the side prove. `doubt` tells which slices of a column matter.
    pub fn prove(
        &mut self,
        window: &Window,
        cover: &Cover,
        state: &mut State,
        beyond: &Beyond,
        doubt: impl Fn(&State, usize) -> u128,
    ) {
        let columns = window.len();
        let mut lines = [[false; super::window::SIDE as usize]; 2];
        for c in 0..columns {
            if doubt(state, c) != 0 {
                let [x, y] = window.place(c);
                (lines[0][y as usize], lines[1][x as usize]) = (true, true);
            }
        }
        if !lines[0].contains(&true) {
            return;
        }
        self.draw(window, cover, &lines);
        for so_far in &mut self.so_far {
            so_far.resize(columns, 0);
        }
        for y in (0..window.columns[1]).filter(|&y| lines[0][y as usize]) {
            let row = window.column(0, y)..window.column(window.columns[0] - 1, y) + 1;
            self.prove_line(0, row, state, beyond.empty[0]);
        }
        for x in (0..window.columns[0]).filter(|&x| lines[1][x as usize]) {
            let line = (window.column(x, 0)..columns).step_by(1 << window.row);
            self.prove_line(1, line, state, beyond.empty[1]);
        }
    }

    fn draw(&mut self, window: &Window, cover: &Cover, lines: &[[bool; super::window::SIDE as usize]; 2]) {
        for mask in self.facing.as_flattened_mut() {
            mask.clear();
            mask.resize(window.len(), 0);
        }
        let [x, y] = &mut self.facing;
        for (drawn, touches) in cover.iter() {
            if drawn.is_far {
                // Rare, and not worth a proof: a wall that faces both ways proves nothing.
                for touch in touches {
                    x.iter_mut().chain(y.iter_mut()).for_each(|m| m[touch.column as usize] |= touch.mask());
                }
                continue;
            }
            let [fx, fy] = drawn.facing;
            let (x, y) = (&mut x[usize::from(fx > 0)], &mut y[usize::from(fy > 0)]);
            for touch in touches {
                let [i, j] = window.place(touch.column as usize);
                let mask = touch.mask();
                if fx != 0 && lines[0][j as usize] {
                    x[touch.column as usize] |= mask;
                }
                if fy != 0 && lines[1][i as usize] {
                    y[touch.column as usize] |= mask;
                }
            }
        }
    }

    /// One line of columns, forth to carry what holds since the run began, back to learn whether it ends well.
    #[inline(always)]
    fn prove_line(
        &mut self,
        axis: usize,
        line: impl DoubleEndedIterator<Item = usize> + Clone,
        state: &mut State,
        empty: [bool; 2],
    ) {
        let State { touched, cut, simple, plain, .. } = state;
        let [minus, plus] = &self.facing[axis];
        let [so_minus, so_plus] = &mut self.so_far;
        let columns = touched.len();
        // One check here instead of one at each access.
        let (touched, cut, plain) = (&touched[..columns], &cut[..columns], &plain[..columns]);
        let (minus, plus) = (&minus[..columns], &plus[..columns]);
        let (so_minus, so_plus) = (&mut so_minus[..columns], &mut so_plus[..columns]);
        let simple = &mut simple[..columns];
        let mut at = Step::before(empty[0]);
        for c in line.clone() {
            at = at.next(touched[c], plain[c], [!plus[c], !minus[c]]);
            (so_minus[c], so_plus[c]) = (at.held[0], at.held[1]);
        }
        let mut at = Step::before(empty[1]);
        for c in line.rev() {
            at = at.next(touched[c], plain[c], [so_minus[c], so_plus[c]]);
            simple[c] |= (at.held[0] | at.held[1]) & cut[c];
        }
    }
}
