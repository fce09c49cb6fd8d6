//! Where everything was when a stretch of substeps began, and after each of them.

use glam::DVec3;

use crate::world::State;

/// Positions and velocities; memory is used again.
#[derive(Debug, Default)]
pub(crate) struct Trail {
    states: Vec<[Vec<DVec3>; 2]>,
    len: usize,
}

impl Trail {
    /// A stretch begins.
    pub fn begin(&mut self, state: &State) {
        self.len = 0;
        self.push(state);
    }

    /// A substep was made.
    pub fn push(&mut self, state: &State) {
        if self.len == self.states.len() {
            self.states.push(Default::default());
        }
        let [x, v] = &mut self.states[self.len];
        x.clone_from(&state.x);
        v.clone_from(&state.v);
        self.len += 1;
    }

    /// Where everything was when the stretch began.
    pub fn start(&self) -> &[DVec3] {
        &self.states[0][0]
    }

    /// Puts everything to where it was after some substeps.
    pub fn restore(&self, made: usize, state: &mut State) {
        debug_assert!(made < self.len);
        let [x, v] = &self.states[made];
        state.x.copy_from_slice(x);
        state.v.copy_from_slice(v);
    }
}
