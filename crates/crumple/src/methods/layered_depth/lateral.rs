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
    /// Per column of the line at hand: proved so far from its start, for each way.
    so_far: Vec<[u128; 2]>,
}

/// What is known of a body beside a window.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Beyond {
    /// [x or y][before, after]: nothing of the body lies there.
    pub empty: [[bool; 2]; 2],
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
        let (nx, ny) = (window.columns[0] as usize, window.columns[1] as usize);
        let mut rows = [[false; super::window::SIDE as usize]; 2];
        for c in 0..columns {
            if doubt(state, c) != 0 {
                (rows[0][c / nx], rows[1][c % nx]) = (true, true);
            }
        }
        if !rows[0].contains(&true) {
            return;
        }
        self.draw(columns, cover);
        for y in (0..ny).filter(|&y| rows[0][y]) {
            self.prove_line(0, (0..nx).map(|x| y * nx + x), cover, state, beyond);
        }
        for x in (0..nx).filter(|&x| rows[1][x]) {
            self.prove_line(1, (0..ny).map(|y| y * nx + x), cover, state, beyond);
        }
    }

    fn draw(&mut self, columns: usize, cover: &Cover) {
        for mask in self.facing.as_flattened_mut() {
            mask.clear();
            mask.resize(columns, 0);
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
            if fx != 0 {
                let x = &mut x[usize::from(fx > 0)];
                touches.iter().for_each(|touch| x[touch.column as usize] |= touch.mask());
            }
            if fy != 0 {
                let y = &mut y[usize::from(fy > 0)];
                touches.iter().for_each(|touch| y[touch.column as usize] |= touch.mask());
            }
        }
    }

    /// One row or column of columns, forth to carry what holds since the run began, back to learn whether it ends well.
    fn prove_line(
        &mut self,
        axis: usize,
        line: impl DoubleEndedIterator<Item = usize> + Clone,
        cover: &Cover,
        state: &mut State,
        beyond: &Beyond,
    ) {
        let facing = &self.facing[axis];
        self.so_far.clear();
        let plain_beyond = beyond.empty[axis].map(|is_empty| if is_empty { u128::MAX } else { 0 });
        let (mut touched, mut plain, mut held) = (0, plain_beyond[0], [0; 2]);
        for c in line.clone() {
            let now = cover.touched(c);
            let begins = now & !touched & plain;
            held = [
                now & !facing[1][c] & (begins | (held[0] & touched)),
                now & !facing[0][c] & (begins | (held[1] & touched)),
            ];
            self.so_far.push(held);
            (touched, plain) = (now, state.plain[c]);
        }
        (touched, plain, held) = (0, plain_beyond[1], [0; 2]);
        for (c, so_far) in line.rev().zip(self.so_far.iter().rev()) {
            let now = cover.touched(c);
            let ends = now & !touched & plain;
            held = [so_far[0] & (ends | (held[0] & touched)), so_far[1] & (ends | (held[1] & touched))];
            state.simple[c] |= (held[0] | held[1]) & state.cut[c];
            (touched, plain) = (now, state.plain[c]);
        }
    }
}
