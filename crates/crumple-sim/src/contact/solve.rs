//! Contacts push apart, and rub.

use glam::DVec3;

use super::{Contacts, Pair};
use crate::order::smaller;
use crate::world::State;

/// What is further apart than this when a sweep begins is not pushed in it, in thicknesses.
pub(super) const FAR: f32 = 1.5;

impl Contacts {
    /// One sweep over the pairs that push. What was closer than its thickness when it was aimed has been pushed apart since by
    /// `grown` of that: not at once, for a push becomes speed.
    pub fn solve(&mut self, state: &mut State, grown: f64) {
        let State { x, start, w, .. } = state;
        self.ways.measure(x, &self.aimed_at);
        // Pushing moves things on, but hardly by half a thickness in one sweep.
        self.ways.beyond(&self.push_guards, &mut self.beyond);
        for &i in &self.beyond {
            self.pairs[self.pushing[i as usize] as usize].push_apart(x, start, w, grown);
        }
    }
}

impl Pair {
    #[inline]
    fn push_apart(&self, x: &mut [DVec3], start: &[DVec3], w: &[f64], grown: f64) {
        let (v, c, n) = (self.v.map(|v| v as usize), self.weights(), self.normal());
        let way = x[v[0]] * c[0] + x[v[1]] * c[1] + x[v[2]] * c[2] + x[v[3]] * c[3];
        let thickness = f64::from(self.thickness);
        let missing = smaller(thickness, self.began() + grown * thickness) - n.dot(way);
        if missing <= 0.0 {
            return;
        }
        let sum: f64 = (0..4).map(|i| w[v[i]] * c[i] * c[i]).sum();
        if sum <= 0.0 {
            return;
        }
        let mut push = n * missing;
        let friction = f64::from(self.friction);
        if friction > 0.0 {
            // What slid in this substep is taken back, as far as the pressure allows (Coulomb).
            let slid: DVec3 = way - (0..4).map(|i| start[v[i]] * c[i]).sum::<DVec3>();
            let slid = slid - n * n.dot(slid);
            let (length, most) = (slid.length(), friction * missing);
            if length > 0.0 {
                push -= slid * smaller(most / length, 1.0);
            }
        }
        let push = push / sum;
        for i in 0..4 {
            x[v[i]] += push * (w[v[i]] * c[i]);
        }
    }
}
