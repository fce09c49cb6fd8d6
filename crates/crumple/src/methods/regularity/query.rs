//! A query: descend, open the patches that are left, settle what is left of them.

use super::Regularity;
use super::opened::{Compare, Open, Opened, Relation};
use super::search::{PatchPair, PatchRef, Scene, Search};
use super::stats::RegularityStats;
use crate::geometry::Point;
use crate::geometry::lanes::floats;
use crate::narrow::tri_tri;
use crate::{
    Broken, Candidates, Contacts, Detector, Drawing, Frame, FrameError, Guarantee, Mesh, Pairs, Stats,
    TriangleId, TrianglePair,
};

/// Two triangles that may meet: body and vertices of each, and the pair.
pub(super) struct Doubt {
    pub bodies: [usize; 2],
    pub vertices: [[u32; 3]; 2],
    pub pair: TrianglePair,
}

impl Doubt {
    /// The exact verdict.
    fn is_contact(&self, positions: &[&[Point]]) -> bool {
        let [a, b] = [0, 1].map(|i| self.vertices[i].map(|v| positions[self.bodies[i]][v as usize]));
        if self.bodies[0] == self.bodies[1] {
            tri_tri::meets(self.vertices[0], &a, self.vertices[1], &b)
        } else {
            tri_tri::intersects(&a, &b)
        }
    }
}

impl Detector for Regularity {
    fn name(&self) -> &'static str {
        "regularity"
    }

    fn guarantee(&self) -> Guarantee {
        self.params.rules.guarantee()
    }

    fn update(&mut self, mesh: &Mesh, frame: Frame<'_>) -> Result<(), FrameError> {
        self.follow(mesh, frame)
    }

    fn candidates(&mut self, mesh: &Mesh, frame: Frame<'_>, pairs: Pairs, out: &mut Candidates) -> Stats {
        let first = out.triangle_pairs.len();
        self.query(mesh, frame, pairs, |doubt, _| {
            out.triangle_pairs.push(doubt.pair);
            false
        });
        out.triangle_pairs[first..].sort_unstable();
        self.stats.summary()
    }

    fn contacts(&mut self, mesh: &Mesh, frame: Frame<'_>, pairs: Pairs, out: &mut Contacts) -> Stats {
        out.clear();
        self.query(mesh, frame, pairs, |doubt, positions| {
            let is_contact = doubt.is_contact(positions);
            if is_contact {
                out.triangle_pairs.push(doubt.pair);
            }
            is_contact
        });
        out.triangle_pairs.sort_unstable();
        self.stats.summary()
    }

    fn validate(&self, _mesh: &Mesh, _frame: Frame<'_>) -> Result<(), Broken> {
        Ok(())
    }

    fn draw(&self, _mesh: &Mesh, _frame: Frame<'_>, _into: &mut Drawing) {}
}

impl Regularity {
    /// Hands every pair that is neither certified nor separated to `settle`, which says whether it is a contact.
    fn query(
        &mut self,
        mesh: &Mesh,
        frame: Frame<'_>,
        pairs: Pairs,
        mut settle: impl FnMut(&Doubt, &[&[Point]]) -> bool,
    ) {
        if pairs.within() {
            self.find_sights(frame);
        }
        let positions: Vec<&[Point]> =
            self.surfaces.iter().zip(frame.bodies()).map(|(s, &p)| s.positions(p)).collect();
        let scene = Scene {
            surfaces: &self.surfaces,
            positions: &positions,
            map: &self.map,
            directions: &self.directions,
            rules: self.params.rules,
        };
        let found = &mut self.found;
        found.stats = RegularityStats::default();
        found.patch_pairs.clear();
        let mut search = Search { scene, found };
        let is_empty = |b: usize| scene.surfaces[b].bounds.is_empty();
        for a in (0..scene.surfaces.len()).filter(|&a| !is_empty(a)) {
            if pairs.within() {
                search.within(a, 0);
            }
            for b in (a + 1..scene.surfaces.len()).filter(|&b| !is_empty(b) && pairs.between()) {
                search.across([a, b], 0, 0);
            }
        }
        let first: Vec<u32> = mesh.body_ids().map(|b| mesh.triangle_range(b).start as u32).collect();
        let mut stats = self.found.stats;
        let mut opened: std::collections::HashMap<(u32, u32), Box<Opened>> = Default::default();
        let mut local = Vec::new();
        let mut stars = std::collections::BTreeSet::new();
        let triangle = |p: PatchRef, i: usize| {
            let patches = &scene.surfaces[p.body as usize].hierarchy.patches;
            let place = patches.places(p.patch as usize).start + i;
            (patches.triangle(p.patch as usize, i), TriangleId(first[p.body as usize] + patches.id(place)))
        };
        let doubt_of = |[a, b]: PatchPair, [i, j]: [usize; 2]| {
            let ((va, ta), (vb, tb)) = (triangle(a, i), triangle(b, j));
            Doubt {
                bodies: [a.body as usize, b.body as usize],
                vertices: [va, vb],
                pair: TrianglePair::new(ta, tb),
            }
        };
        for &pair in &self.found.patch_pairs {
            let [a, b] = pair;
            let sizes = pair
                .map(|p| scene.surfaces[p.body as usize].hierarchy.patches.places(p.patch as usize).len());
            if self.params.patch == 1 && sizes == [1, 1] {
                stats.tests += 1;
                stats.exact += 1;
                stats.contacts += u64::from(settle(&doubt_of(pair, [0, 0]), &positions));
                continue;
            }
            for p in pair {
                opened.entry((p.body, p.patch)).or_insert_with(|| {
                    stats.opened += 1;
                    let mut into = Box::new(Opened::new());
                    let patches = &scene.surfaces[p.body as usize].hierarchy.patches;
                    floats::run(Open {
                        positions: positions[p.body as usize],
                        vertices: patches.vertices(p.patch as usize),
                        corners: patches.corners(p.patch as usize),
                        map: &self.map,
                        into: &mut into,
                    });
                    into
                });
            }
            let relation = if a == b {
                Relation::Same
            } else if a.body == b.body {
                Relation::Within
            } else {
                Relation::Between
            };
            local.clear();
            stats.tests += floats::run(Compare {
                a: &opened[&(a.body, a.patch)],
                b: &opened[&(b.body, b.patch)],
                relation,
                out: &mut local,
            });
            for &[i, j] in &local {
                stats.exact += 1;
                stats.contacts += u64::from(settle(&doubt_of(pair, [i.into(), j.into()]), &positions));
            }
            if relation != Relation::Between {
                let patches = &scene.surfaces[a.body as usize].hierarchy.patches;
                let vb = patches.vertices(b.patch as usize);
                for v in patches.vertices(a.patch as usize) {
                    if vb.binary_search(v).is_ok() {
                        stars.insert((a.body, *v));
                    }
                }
            }
        }
        let mut spokes = Default::default();
        for (body, v) in stars {
            let surface = &scene.surfaces[body as usize];
            if surface.hierarchy.stars.is_certified(v, &surface.body, positions[body as usize], &mut spokes) {
                stats.stars += 1;
                continue;
            }
            let ring = surface.body.topology().triangles_at(crate::VertexId(v));
            for (i, &s) in ring.iter().enumerate() {
                for &t in &ring[i + 1..] {
                    let vertices = [s, t].map(|t| surface.body.triangle_list()[t.index()].map(|c| c.0));
                    let least = vertices[0].iter().filter(|c| vertices[1].contains(c)).min();
                    if least != Some(&v) {
                        continue;
                    }
                    let id = |t: TriangleId| TriangleId(first[body as usize] + t.0);
                    let doubt =
                        Doubt { bodies: [body as usize; 2], vertices, pair: TrianglePair::new(id(s), id(t)) };
                    stats.tests += 1;
                    stats.exact += 1;
                    stats.contacts += u64::from(settle(&doubt, &positions));
                }
            }
        }
        self.stats = stats;
    }
}
