//! Following the frame: one pass over the positions. Regions are brought up to date later, where a question gets to them.

use super::bound::Scale;
use super::motion::{Motion, Turn};
use super::refit::Now;
use super::regions::{Region, Regions};
use super::{BodyState, DistanceHierarchy};
use crate::geometry::Point;
use crate::geometry::lanes::floats::{self, Floats, Work};
use crate::{Bodies, BodyId, Frame, FrameError, MAX_COORDINATE, Mesh, Positions, TriangleId};

impl DistanceHierarchy {
    /// Takes the positions of `frame`; bodies that are not the same version as before are cut afresh. After an error
    /// everything is as it was.
    pub(super) fn follow(&mut self, bodies: &Bodies, frame: Frame<'_>) -> Result<(), FrameError> {
        let kept = !bodies.meshes().is_empty()
            && self.bodies.len() == bodies.meshes().len()
            && self.bodies.iter().zip(bodies.meshes()).all(|(s, b)| s.body.is_same(b));
        if !kept || frame.before().is_some() || !has_lengths(bodies, frame) {
            frame.check(bodies)?;
        }
        if !kept {
            self.adopt(bodies);
        }
        self.next.resize(self.positions.len(), [0.0; 3]);
        let mut seen = Vec::with_capacity(bodies.meshes().len());
        for (id, given) in bodies.body_ids().zip(frame.iter()) {
            let range = bodies.vertex_range(id);
            let (old, new) = (&self.positions[range.clone()], &mut self.next[range]);
            let taken = floats::run(Take { given, old, new });
            if !taken.is_valid {
                return frame.check(bodies);
            }
            seen.push(taken);
        }
        std::mem::swap(&mut self.positions, &mut self.next);
        self.frame += 1;
        let is_followed = self.records.bodies(self.bodies.len());
        let mut extent = Extent::EMPTY;
        for ((id, taken), given) in bodies.body_ids().zip(seen).zip(frame.iter()) {
            extent = extent.union(&taken.places);
            let state = &mut self.bodies[id.index()];
            let range = bodies.vertex_range(id);
            state.motion = kept.then_some(taken.steps).filter(|_| !given.is_empty());
            state.turn = state.motion.filter(|_| is_followed[id.index()]).map(|steps| {
                Turn::of(&self.next[range.clone()], &self.positions[range.clone()], &state.extent, steps)
            });
            state.extent = if state.has_loose {
                state.used_extent(&self.positions[bodies.vertex_range(id)])
            } else {
                taken.places
            };
        }
        self.scale = Scale::of(&extent.min, &extent.max);
        self.follow_records();
        if let Some(before) = frame.before() {
            for (id, before) in bodies.body_ids().zip(before.iter()) {
                let now = &self.positions[bodies.vertex_range(id)];
                self.bodies[id.index()].motion = (!before.is_empty()).then(|| steps(before, now));
            }
        }
        for state in self.bodies.iter_mut().filter(|s| !s.is_cut) {
            let (partition, capacity) = (self.params.partition, self.params.region_triangles);
            let positions = &self.positions[state.first_vertex as usize..][..state.body.vertex_count()];
            state.regions = Regions::new(&state.body, positions, partition, capacity);
            state.is_cut = true;
        }
        Ok(())
    }

    /// Tells the records how far their bodies went.
    fn follow_records(&mut self) {
        let mut records = std::mem::take(&mut self.records);
        let moved = |b: BodyId| self.state(b).motion.is_some_and(|m| m.min != [0.0; 3] || m.max != [0.0; 3]);
        let keep = |b: BodyId| self.params.reuse_still || moved(b);
        records.travel(|a, b| {
            let (p, q) = (self.state(a).turn?, self.state(b).turn?);
            let approach = self.approach(a, b)?.min(p.approach(&q));
            (keep(a) && keep(b)).then_some(approach)
        });
        self.records = records;
    }

    /// Takes over the bodies of another mesh.
    fn adopt(&mut self, bodies: &Bodies) {
        let mut old: Vec<Option<BodyState>> = self.bodies.drain(..).map(Some).collect();
        old.resize_with(bodies.meshes().len(), || None);
        for (id, old) in bodies.body_ids().zip(old) {
            let body = bodies.mesh(id);
            let mut state = match old {
                Some(state) if state.body.is_same(body) => state,
                _ => BodyState::new(body),
            };
            state.first_vertex = bodies.vertex_range(id).start as u32;
            state.first_triangle = bodies.triangle_range(id).start as u32;
            self.bodies.push(state);
        }
        self.records.clear();
        self.positions.clear();
        self.positions.resize(bodies.vertex_count(), [0.0; 3]);
    }

    /// Brings some regions of a body up to date.
    pub(super) fn refit_some(&mut self, body: BodyId, regions: &[Region]) {
        let state = &mut self.bodies[body.index()];
        let positions = &self.positions[state.first_vertex as usize..][..state.body.vertex_count()];
        if let Some(tree) = &mut state.regions {
            tree.refit_some(regions, Now { frame: self.frame, positions, map: &self.scale.map });
        }
    }

    /// Brings all regions of a body up to date.
    pub(super) fn refit(&mut self, body: BodyId) {
        let state = &mut self.bodies[body.index()];
        let positions = &self.positions[state.first_vertex as usize..][..state.body.vertex_count()];
        if let Some(tree) = &mut state.regions {
            tree.refit(tree.root, Now { frame: self.frame, positions, map: &self.scale.map });
        }
    }
}

/// Whether a frame has as many bodies and vertices as the mesh.
fn has_lengths(bodies: &Bodies, frame: Frame<'_>) -> bool {
    frame.len() == bodies.meshes().len()
        && frame.iter().zip(bodies.meshes()).all(|(p, b)| p.len() == b.vertex_count())
}

impl BodyState {
    fn new(body: &Mesh) -> Self {
        let topology = body.topology();
        let mut components = vec![u32::MAX; topology.component_count()];
        for t in (0..body.triangles().len() as u32).rev() {
            components[topology.component_of(TriangleId(t))] = t;
        }
        let mut is_loose = vec![true; body.vertex_count()];
        body.triangles().iter().flatten().for_each(|v| is_loose[v.index()] = false);
        Self {
            body: body.clone(),
            first_vertex: 0,
            first_triangle: 0,
            regions: None,
            is_cut: false,
            components,
            is_closed: topology.is_closed(),
            has_loose: is_loose.contains(&true),
            extent: Extent::EMPTY,
            motion: None,
            turn: None,
        }
    }

    /// The box of the vertices that triangles use.
    fn used_extent(&self, positions: &[Point]) -> Extent {
        Extent::of(self.body.triangles().iter().flatten().map(|v| &positions[v.index()]))
    }
}

/// A box around positions or displacements.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Extent {
    pub min: Point,
    pub max: Point,
}

impl Extent {
    const EMPTY: Self = Self { min: [f64::INFINITY; 3], max: [f64::NEG_INFINITY; 3] };

    /// The box of some places.
    pub fn of<'a>(places: impl IntoIterator<Item = &'a Point>) -> Self {
        places.into_iter().fold(Self::EMPTY, |e, &p| e.union(&Self { min: p, max: p }))
    }

    fn union(&self, other: &Self) -> Self {
        Self {
            min: std::array::from_fn(|k| self.min[k].min(other.min[k])),
            max: std::array::from_fn(|k| self.max[k].max(other.max[k])),
        }
    }

    /// Length of the diagonal.
    pub fn diagonal(&self) -> f64 {
        (0..3).map(|k| (self.max[k] - self.min[k]).powi(2)).sum::<f64>().sqrt()
    }

    /// Whether the other one lies in it.
    pub fn holds(&self, other: &Self) -> bool {
        (0..3).all(|k| self.min[k] <= other.min[k] && other.max[k] <= self.max[k])
    }
}

/// Copies positions, and looks at them on the way.
struct Take<'a> {
    given: Positions<'a>,
    /// Where they were.
    old: &'a [Point],
    new: &'a mut [Point],
}

struct Taken {
    places: Extent,
    steps: Motion,
    /// Whether all are numbers that the engine takes.
    is_valid: bool,
}

impl Work for Take<'_> {
    type Output = Taken;

    #[inline(always)]
    fn run<L: Floats>(self, _: L) -> Taken {
        match self.given {
            Positions::F64(p) => take(p, self.old, self.new, |x| x),
            Positions::F32(p) => take(p, self.old, self.new, f64::from),
        }
    }
}

/// Numbers in a register.
pub(super) const LANES: usize = 4;
pub(super) type Four = [f64; LANES];
/// Four points: twelve numbers, three registers.
const STRIDE: usize = 3 * LANES;
/// Strides between two looks at whether all are numbers; they stay in the first cache.
const STRIDES: usize = 32;

/// The smallest and largest of each of twelve numbers.
struct Range {
    least: [Four; 3],
    most: [Four; 3],
}

impl Range {
    const EMPTY: Self = Self { least: [[f64::INFINITY; LANES]; 3], most: [[f64::NEG_INFINITY; LANES]; 3] };

    /// Not in a loop: the twelve registers that this needs would be kept in memory, and where that is not aligned an update
    /// takes twice the time.
    #[inline(always)]
    fn add(&mut self, [x, y, z]: [Four; 3]) {
        self.least[0] = smaller(x, self.least[0]);
        self.least[1] = smaller(y, self.least[1]);
        self.least[2] = smaller(z, self.least[2]);
        self.most[0] = larger(x, self.most[0]);
        self.most[1] = larger(y, self.most[1]);
        self.most[2] = larger(z, self.most[2]);
    }

    /// By coordinate: every third number is of the same.
    fn corners(&self) -> [Point; 2] {
        let (least, most) = (self.least.as_flattened(), self.most.as_flattened());
        [
            std::array::from_fn(|k| least[k..].iter().step_by(3).copied().fold(f64::INFINITY, f64::min)),
            std::array::from_fn(|k| most[k..].iter().step_by(3).copied().fold(f64::NEG_INFINITY, f64::max)),
        ]
    }
}

#[inline(always)]
fn take<T: Copy>(from: &[[T; 3]], old: &[Point], new: &mut [Point], wide: impl Fn(T) -> f64) -> Taken {
    let (from, old, new) = (from.as_flattened(), old.as_flattened(), new.as_flattened_mut());
    let (mut places, mut steps, mut is_valid) = (Range::EMPTY, Range::EMPTY, true);
    let chunks = from.chunks(STRIDES * STRIDE).zip(old.chunks(STRIDES * STRIDE));
    for ((from, old), new) in chunks.zip(new.chunks_mut(STRIDES * STRIDE)) {
        let mut good = 0;
        for (x, from) in new.iter_mut().zip(from) {
            *x = wide(*from);
            // NaN and infinities fail the comparison too.
            good += u64::from(x.abs() <= MAX_COORDINATE);
        }
        is_valid &= good == from.len() as u64;
        let (strides, rest) = new.as_chunks::<STRIDE>();
        let (old_strides, old_rest) = old.as_chunks::<STRIDE>();
        for (x, old) in strides.iter().zip(old_strides) {
            let (x, old) = (fours(x), fours(old));
            places.add(x);
            steps.add([minus(x[0], old[0]), minus(x[1], old[1]), minus(x[2], old[2])]);
        }
        if !rest.is_empty() {
            // Whole points are left over: the first of them again is no news.
            let fill = |row: &[f64]| -> [f64; STRIDE] {
                std::array::from_fn(|i| row[if i < row.len() { i } else { i % 3 }])
            };
            let (x, old) = (fours(&fill(rest)), fours(&fill(old_rest)));
            places.add(x);
            steps.add([minus(x[0], old[0]), minus(x[1], old[1]), minus(x[2], old[2])]);
        }
    }
    let ([min, max], [back, ahead]) = (places.corners(), steps.corners());
    Taken { places: Extent { min, max }, steps: Motion { min: back, max: ahead }, is_valid }
}

// Spelled out, so that each becomes one instruction; closures would be compiled without the lanes'.

#[inline(always)]
fn fours(x: &[f64; STRIDE]) -> [Four; 3] {
    [[x[0], x[1], x[2], x[3]], [x[4], x[5], x[6], x[7]], [x[8], x[9], x[10], x[11]]]
}

#[inline(always)]
pub(super) fn minus(a: Four, b: Four) -> Four {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2], a[3] - b[3]]
}

#[inline(always)]
pub(super) fn smaller(a: Four, b: Four) -> Four {
    [less(a[0], b[0]), less(a[1], b[1]), less(a[2], b[2]), less(a[3], b[3])]
}

#[inline(always)]
pub(super) fn larger(a: Four, b: Four) -> Four {
    [more(a[0], b[0]), more(a[1], b[1]), more(a[2], b[2]), more(a[3], b[3])]
}

#[inline(always)]
fn less(a: f64, b: f64) -> f64 {
    if a < b { a } else { b }
}

#[inline(always)]
fn more(a: f64, b: f64) -> f64 {
    if a > b { a } else { b }
}

/// The box of displacements from one place to the other.
pub(super) fn steps(before: Positions<'_>, now: &[Point]) -> Motion {
    let mut box_ = Extent::EMPTY;
    for (i, p) in now.iter().enumerate() {
        let q = before.get(i);
        let step = std::array::from_fn(|k| p[k] - q[k]);
        box_ = box_.union(&Extent { min: step, max: step });
    }
    Motion { min: box_.min, max: box_.max }
}
