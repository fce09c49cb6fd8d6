//! Contacts push apart, and rub.

use glam::DVec3;

use super::{Contacts, Pair};
use crate::world::State;

impl Contacts {
    /// One sweep over the pairs that push. Returns how many did.
    pub fn solve(&self, state: &mut State) -> usize {
        let State { x, start, w, .. } = state;
        let mut touched = 0;
        for &i in &self.pushing {
            touched += usize::from(self.pairs[i as usize].push_apart(x, start, w));
        }
        touched
    }
}

impl Pair {
    #[inline]
    fn push_apart(&self, x: &mut [DVec3], start: &[DVec3], w: &[f64]) -> bool {
        let v = self.v.map(|v| v as usize);
        let way = x[v[0]] * self.c[0] + x[v[1]] * self.c[1] + x[v[2]] * self.c[2] + x[v[3]] * self.c[3];
        let missing = self.target - self.n.dot(way);
        if missing <= 0.0 {
            return false;
        }
        let sum: f64 = (0..4).map(|i| w[v[i]] * self.c[i] * self.c[i]).sum();
        if sum <= 0.0 {
            return false;
        }
        let mut push = self.n * missing;
        if self.friction > 0.0 {
            // What slid in this substep is taken back, as far as the pressure allows (Coulomb).
            let slid: DVec3 = way - (0..4).map(|i| start[v[i]] * self.c[i]).sum::<DVec3>();
            let slid = slid - self.n * self.n.dot(slid);
            let (length, most) = (slid.length(), self.friction * missing);
            if length > 0.0 {
                push -= slid * (most / length).min(1.0);
            }
        }
        let push = push / sum;
        for i in 0..4 {
            x[v[i]] += push * (w[v[i]] * self.c[i]);
        }
        true
    }
}
