//! Particles that meet each other: points that keep the mean of their thicknesses.
//!
//! Points have no sides, so nothing can be crossed and nothing is proved here; they push apart, with friction, like everything else.
//! Which are near is found in every substep by a grid of cells as wide as the thickest, ordered by a counting sort.

use glam::{DVec3, IVec3};

use crate::body::{Body, Kind};
use crate::world::State;

/// All particles of all bodies, and the grid that they are in.
#[derive(Debug, Default)]
pub(crate) struct Grains {
    grains: Vec<Grain>,
    /// The widest thickness: the edge of a cell.
    cell: f64,
    /// One past the last entry of each slot of the hash table.
    ends: Vec<u32>,
    /// Numbers of grains with their cells, slot after slot.
    entries: Vec<(u32, IVec3)>,
    cells: Vec<IVec3>,
}

/// A particle.
#[derive(Debug, Clone, Copy)]
struct Grain {
    vertex: u32,
    thickness: f64,
    /// The root of Coulomb's coefficient.
    friction: f64,
}

/// The cell itself and half of its neighbours, so that every pair of cells comes once.
const HALF: [IVec3; 14] = {
    let mut half = [IVec3::ZERO; 14];
    let (mut k, mut i) = (0, 13);
    while i < 27 {
        half[k] = IVec3::new(i / 9 - 1, i / 3 % 3 - 1, i % 3 - 1);
        k += 1;
        i += 1;
    }
    half
};

impl Grains {
    pub fn new(bodies: &[Body]) -> Self {
        let mut all = Self::default();
        for body in bodies {
            if let Kind::Particles(material) = &body.kind {
                let friction = material.surface.friction.sqrt();
                let grain = |v: usize| Grain { vertex: v as u32, thickness: body.thickness, friction };
                all.grains.extend(body.range().map(grain));
                all.cell = all.cell.max(body.thickness);
            }
        }
        all
    }

    /// One sweep over all particles that are too close. What begins closer than its thickness is pushed apart by `grow` of it.
    pub fn solve(&mut self, state: &mut State, grow: f64) {
        if self.grains.len() < 2 {
            return;
        }
        self.sort(&state.x);
        let State { x, start, w, .. } = state;
        for (i, &cell) in self.cells.iter().enumerate() {
            for (k, step) in HALF.into_iter().enumerate() {
                let to = cell + step;
                for &(j, other) in &self.entries[self.slot_range(to)] {
                    // Several cells share a slot; in its own cell a particle meets those after it.
                    if other == to && (k > 0 || j as usize > i) {
                        push_apart([&self.grains[i], &self.grains[j as usize]], x, start, w, grow);
                    }
                }
            }
        }
    }

    fn sort(&mut self, x: &[DVec3]) {
        let slots = self.grains.len().next_power_of_two();
        let per = 1.0 / self.cell;
        self.cells.clear();
        self.cells.extend(self.grains.iter().map(|g| (x[g.vertex as usize] * per).floor().as_ivec3()));
        self.ends.clear();
        self.ends.resize(slots + 1, 0);
        for cell in &self.cells {
            self.ends[slot(*cell, slots) + 1] += 1;
        }
        for s in 0..slots {
            self.ends[s + 1] += self.ends[s];
        }
        self.entries.clear();
        self.entries.resize(self.cells.len(), (0, IVec3::ZERO));
        // From the last to the first, so that entries keep their order and the ends become the beginnings.
        for (i, &cell) in self.cells.iter().enumerate().rev() {
            let end = &mut self.ends[slot(cell, slots) + 1];
            *end -= 1;
            self.entries[*end as usize] = (i as u32, cell);
        }
    }

    fn slot_range(&self, cell: IVec3) -> std::ops::Range<usize> {
        let s = slot(cell, self.ends.len() - 1);
        let end = self.ends.get(s + 2).map_or(self.entries.len(), |e| *e as usize);
        self.ends[s + 1] as usize..end
    }
}

/// The slot of a cell in a table of a power of two.
fn slot(cell: IVec3, slots: usize) -> usize {
    let mix = |x: i32, by: u32| (x as u32).wrapping_mul(by);
    let hash = mix(cell.x, 73_856_093) ^ mix(cell.y, 19_349_663) ^ mix(cell.z, 83_492_791);
    hash as usize & (slots - 1)
}

fn push_apart([a, b]: [&Grain; 2], x: &mut [DVec3], start: &[DVec3], w: &[f64], grow: f64) {
    let [i, j] = [a, b].map(|g| g.vertex as usize);
    let thickness = 0.5 * (a.thickness + b.thickness);
    let (way, sum) = (x[i] - x[j], w[i] + w[j]);
    let distance = way.length();
    if distance >= thickness || distance == 0.0 || sum <= 0.0 {
        return;
    }
    let began = start[i] - start[j];
    let target = thickness.min(began.length() + grow * thickness);
    let missing = target - distance;
    if missing <= 0.0 {
        return;
    }
    let n = way / distance;
    let mut push = n * missing;
    let slid = way - began;
    let slid = slid - n * n.dot(slid);
    let (length, most) = (slid.length(), a.friction * b.friction * missing);
    if length > 0.0 {
        push -= slid * (most / length).min(1.0);
    }
    x[i] += push * (w[i] / sum);
    x[j] -= push * (w[j] / sum);
}
