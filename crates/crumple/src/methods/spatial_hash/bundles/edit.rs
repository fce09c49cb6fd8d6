//! Bundles follow edits: a tet that goes leaves its lane, one that comes takes a free lane beside a neighbour or begins a new
//! bundle with others that came near it.
//!
//! # When they are made anew
//! When more than one tet in [`WORN`] came or went since the body was bundled, or when bundles have become wide
//! ([`TORN`](super::TORN)).

use super::super::Snapshot;
use super::{Bundle, BundledBody, Bundles, bundle, extent};
use crate::geometry::simd::WIDTH;
use crate::mesh::Fates;
use crate::{Bodies, BodyId, Mesh, TetId};

/// One tet in so many may come or go before a body is bundled anew.
const WORN: usize = 8;

/// Tets that came join a bundle while that is at most so many times as wide as they are.
const WIDE: f64 = 3.0;

/// No place.
const NONE: u32 = u32::MAX;

impl Bundles {
    /// Follows edits of some bodies, each with the version that it was before; says whether all could be followed. If not, the
    /// bundles of these bodies must be made anew.
    pub fn follow_edits(&mut self, view: &Snapshot<'_>, before: &[(BodyId, Mesh)]) -> bool {
        self.follow_ids(view.bodies);
        before.iter().all(|(body, before)| self.follow_edit(view, *body, before))
    }

    fn follow_edit(&mut self, view: &Snapshot<'_>, id: BodyId, before: &Mesh) -> bool {
        let now = view.bodies.mesh(id);
        let Some(changed) = now.changed_since(before) else { return false };
        let fates = Fates::of_tets(before, now, &changed.tets);
        let body = &mut self.bodies[id.index()];
        body.changes += fates.gone.len() + fates.come.len();
        if WORN * body.changes > now.tet_count() {
            return false;
        }
        if body.places.is_empty() {
            self.note_places(id, before.tet_count());
        }
        for &tet in &fates.gone {
            self.remove(id, tet);
        }
        let places = &mut self.bodies[id.index()].places;
        let moved: Vec<(u32, u32)> =
            fates.renamed.iter().map(|&[old, new]| (new, places[old as usize])).collect();
        places.resize(now.tet_count(), NONE);
        fates.come.iter().for_each(|&tet| places[tet as usize] = NONE);
        let first = self.bodies[id.index()].first[1];
        for (new, place) in moved {
            self.bodies[id.index()].places[new as usize] = place;
            let bundle = &mut self.all[place as usize / WIDTH];
            bundle.tets[place as usize % WIDTH] = first + new;
            bundle.pad();
        }
        let mut open: Option<usize> = None;
        for &tet in &fates.come {
            self.add(view, id, tet, &mut open);
        }
        true
    }

    /// Finds where the tets of a body are.
    fn note_places(&mut self, id: BodyId, count: usize) {
        let body = &mut self.bodies[id.index()];
        body.places.resize(count, NONE);
        for (b, bundle) in self.all.iter().enumerate().filter(|(_, b)| b.body == id.0) {
            for lane in 0..bundle.count as usize {
                body.places[(bundle.tets[lane] - body.first[1]) as usize] = (b * WIDTH + lane) as u32;
            }
        }
    }

    /// Takes a tet, numbered as before the edit, out of its bundle.
    fn remove(&mut self, id: BodyId, tet: u32) {
        let body = &mut self.bodies[id.index()];
        let place = std::mem::replace(&mut body.places[tet as usize], NONE) as usize;
        let (b, lane) = (place / WIDTH, place % WIDTH);
        let bundle = &mut self.all[b];
        bundle.count -= 1;
        let last = bundle.count as usize;
        if last > 0 {
            bundle.copy_lane(last, lane);
            if lane != last {
                body.places[(bundle.tets[lane] - body.first[1]) as usize] = place as u32;
            }
            bundle.pad();
            return;
        }
        self.all.swap_remove(b);
        if let Some(moved) = self.all.get(b) {
            let body = &mut self.bodies[moved.body as usize];
            for lane in 0..moved.count as usize {
                // Of bodies that were never edited places are not known.
                if let Some(place) = body.places.get_mut((moved.tets[lane] - body.first[1]) as usize) {
                    *place = (b * WIDTH + lane) as u32;
                }
            }
        }
    }

    /// Puts in a tet that came. `open` is the bundle that the last one began.
    fn add(&mut self, view: &Snapshot<'_>, id: BodyId, tet: u32, open: &mut Option<usize>) {
        let BundledBody { first, places, .. } = &self.bodies[id.index()];
        let now = view.bodies.mesh(id);
        let own = extent(&view.tet((first[1] + tet) as usize));
        let fits = |b: &usize| {
            let bundle = &self.all[*b];
            if bundle.count as usize >= WIDTH {
                return false;
            }
            let mut corners: Vec<[f64; 3]> = bundle.positions(view).to_vec();
            corners.extend(view.tet((first[1] + tet) as usize));
            extent(&corners) <= WIDE * own
        };
        let round = now.tet(TetId(tet)).into_iter().flat_map(|v| now.adjacency().tet_star(v.0).take(WIDTH));
        let beside = round
            .map(|t| places[t as usize])
            .filter(|&place| place != NONE)
            .map(|place| place as usize / WIDTH)
            .find(fits);
        let b = beside.or(open.filter(fits)).unwrap_or(self.all.len());
        if b == self.all.len() {
            self.all.push(bundle(view.bodies, id, &[tet]));
            *open = Some(b);
        } else {
            self.all[b].push(view.bodies, first[1] + tet);
        }
        let lane = self.all[b].count as usize - 1;
        self.bodies[id.index()].places[tet as usize] = (b * WIDTH + lane) as u32;
    }
}

impl Bundle {
    fn copy_lane(&mut self, from: usize, to: usize) {
        self.corners.iter_mut().for_each(|corner| corner[to] = corner[from]);
        self.tets[to] = self.tets[from];
    }

    /// Repeats the last tet where there are fewer than eight.
    fn pad(&mut self) {
        let last = self.count as usize - 1;
        (last + 1..WIDTH).for_each(|lane| self.copy_lane(last, lane));
    }

    fn push(&mut self, bodies: &Bodies, tet: u32) {
        let lane = self.count as usize;
        for (corner, v) in self.corners.iter_mut().zip(bodies.tets()[tet as usize]) {
            corner[lane] = v.0 as i32;
        }
        self.tets[lane] = tet;
        self.count += 1;
        self.pad();
    }
}
