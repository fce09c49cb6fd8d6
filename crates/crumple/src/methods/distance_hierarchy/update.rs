//! Following the frame: one pass over the positions, one through the blocks, and the nodes from the leaves up.

use super::bound::{Bound, Scale, UP};
use super::regions::{Block, Chunk, Node, Regions, at};
use super::{BodyState, DistanceHierarchy};
use crate::geometry::Point;
use crate::geometry::lanes::floats::{self, Floats, Map, Row, Work};
use crate::{Body, BodyId, Frame, FrameError, Mesh, Positions, TriangleId};

/// Where a body's vertices went since the frame before: the box of their displacements.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Motion {
    pub min: Point,
    pub max: Point,
}

impl DistanceHierarchy {
    /// Makes everything valid for `frame`; bodies that are not the same version as before are cut afresh.
    pub(super) fn follow(&mut self, mesh: &Mesh, frame: Frame<'_>) -> Result<(), FrameError> {
        frame.check(mesh)?;
        let kept = self.adopt(mesh);
        let mut extent = Extent::EMPTY;
        for (id, &given) in mesh.body_ids().zip(frame.bodies()) {
            let to = &mut self.positions[mesh.vertex_range(id)];
            let seen = floats::run(Copy { given, to });
            extent = extent.union(&seen.places);
            self.bodies[id.index()].motion = kept.then_some(seen.steps).filter(|_| !given.is_empty());
        }
        self.scale = Scale::of(&extent.min, &extent.max);
        self.follow_records();
        if let Some(before) = frame.before() {
            for (id, &before) in mesh.body_ids().zip(before) {
                let now = &self.positions[mesh.vertex_range(id)];
                self.bodies[id.index()].motion = (!before.is_empty()).then(|| steps(before, now));
            }
        }
        for id in mesh.body_ids() {
            let state = &mut self.bodies[id.index()];
            let positions = &self.positions[mesh.vertex_range(id)];
            if !state.is_cut {
                let (partition, capacity) = (self.params.partition, self.params.region_triangles);
                state.regions = Regions::new(&state.body, positions, partition, capacity);
                state.is_cut = true;
            }
            if let Some(regions) = &mut state.regions {
                refit(regions, positions, &self.scale.map);
            }
        }
        Ok(())
    }

    /// Tells the records how far their bodies went.
    fn follow_records(&mut self) {
        let mut records = std::mem::take(&mut self.records);
        let moved = |b: BodyId| self.state(b).motion.is_some_and(|m| m.min != [0.0; 3] || m.max != [0.0; 3]);
        let keep = |b: BodyId| self.params.reuse_still || moved(b);
        records.travel(|a, b| self.approach(a, b).filter(|_| keep(a) && keep(b)));
        self.records = records;
    }

    /// Takes over the bodies of the mesh; whether all are the same as before, in the same places.
    fn adopt(&mut self, mesh: &Mesh) -> bool {
        let same = |state: &BodyState, body: &Body| state.body.is_same(body);
        let kept = self.bodies.len() == mesh.bodies().len()
            && self.bodies.iter().zip(mesh.bodies()).all(|(s, b)| same(s, b));
        if kept {
            return !mesh.bodies().is_empty();
        }
        let mut old: Vec<Option<BodyState>> = self.bodies.drain(..).map(Some).collect();
        old.resize_with(mesh.bodies().len(), || None);
        for (id, old) in mesh.body_ids().zip(old) {
            let body = mesh.body(id);
            let mut state = match old {
                Some(state) if same(&state, body) => state,
                _ => BodyState::new(body),
            };
            state.first_vertex = mesh.vertex_range(id).start as u32;
            state.first_triangle = mesh.triangle_range(id).start as u32;
            self.bodies.push(state);
        }
        self.records.clear();
        self.positions.clear();
        self.positions.resize(mesh.vertex_count(), [0.0; 3]);
        false
    }
}

impl BodyState {
    fn new(body: &Body) -> Self {
        let topology = body.topology();
        let mut components = vec![u32::MAX; topology.component_count()];
        for t in (0..body.triangle_list().len() as u32).rev() {
            components[topology.component_of(TriangleId(t))] = t;
        }
        Self {
            body: body.clone(),
            first_vertex: 0,
            first_triangle: 0,
            regions: None,
            is_cut: false,
            components,
            is_closed: topology.is_closed(),
            motion: None,
        }
    }
}

/// A box around positions or displacements.
#[derive(Debug, Clone, Copy)]
struct Extent {
    min: Point,
    max: Point,
}

impl Extent {
    const EMPTY: Self = Self { min: [f64::INFINITY; 3], max: [f64::NEG_INFINITY; 3] };

    fn union(&self, other: &Self) -> Self {
        Self {
            min: std::array::from_fn(|k| self.min[k].min(other.min[k])),
            max: std::array::from_fn(|k| self.max[k].max(other.max[k])),
        }
    }
}

/// Copies positions, and measures on the way.
struct Copy<'a> {
    given: Positions<'a>,
    to: &'a mut [Point],
}

struct Seen {
    places: Extent,
    steps: Motion,
}

impl Work for Copy<'_> {
    type Output = Seen;

    #[inline(always)]
    fn run<L: Floats>(self, _: L) -> Seen {
        match self.given {
            Positions::F64(p) => copy(p, self.to, |x| x),
            Positions::F32(p) => copy(p, self.to, f64::from),
        }
    }
}

/// Four points at a time, whose twelve numbers make three full registers.
const STRIDE: usize = 12;

#[inline(always)]
fn copy<T: std::marker::Copy>(from: &[[T; 3]], to: &mut [Point], wide: impl Fn(T) -> f64) -> Seen {
    let (low, high) = (f64::INFINITY, f64::NEG_INFINITY);
    let mut places = [[low; STRIDE], [high; STRIDE]];
    let mut steps = places;
    let mut take = |i: usize, x: f64, old: &mut f64| {
        let step = x - *old;
        *old = x;
        places[0][i] = if x < places[0][i] { x } else { places[0][i] };
        places[1][i] = if x > places[1][i] { x } else { places[1][i] };
        steps[0][i] = if step < steps[0][i] { step } else { steps[0][i] };
        steps[1][i] = if step > steps[1][i] { step } else { steps[1][i] };
    };
    let (from, to) = (from.as_flattened(), to.as_flattened_mut());
    let (many, few) = from.as_chunks::<STRIDE>();
    let (many_to, few_to) = to.as_chunks_mut::<STRIDE>();
    for (from, to) in many.iter().zip(many_to) {
        for i in 0..STRIDE {
            take(i, wide(from[i]), &mut to[i]);
        }
    }
    for (i, (&x, to)) in few.iter().zip(few_to).enumerate() {
        take(i, wide(x), to);
    }
    let fold = |rows: [[f64; STRIDE]; 2]| {
        let axis = |row: [f64; STRIDE], k: usize| row.into_iter().skip(k).step_by(3);
        [
            std::array::from_fn(|k| axis(rows[0], k).fold(low, f64::min)),
            std::array::from_fn(|k| axis(rows[1], k).fold(high, f64::max)),
        ]
    };
    let ([min, max], [least, most]) = (fold(places), fold(steps));
    Seen { places: Extent { min, max }, steps: Motion { min: least, max: most } }
}

fn steps(before: Positions<'_>, now: &[Point]) -> Motion {
    let mut box_ = Extent::EMPTY;
    for (i, p) in now.iter().enumerate() {
        let q = before.get(i);
        let step = std::array::from_fn(|k| p[k] - q[k]);
        box_ = box_.union(&Extent { min: step, max: step });
    }
    Motion { min: box_.min, max: box_.max }
}

/// Brings the images and all bounds up to date. `positions` are the body's.
pub(super) fn refit(regions: &mut Regions, positions: &[Point], map: &Map) {
    let Regions { nodes, blocks, bounds, points, slots, .. } = regions;
    refit_blocks(blocks, slots, points, bounds, (positions, map));
    // Children follow their node, so going backwards meets them first.
    for i in (0..nodes.len()).rev() {
        let (before, rest) = nodes.split_at_mut(i + 1);
        let node = &mut before[i];
        for c in 0..node.count {
            let child = node.child[c];
            let bound =
                if child.is_block() { &bounds[child.index()] } else { &rest[child.index() - i - 1].bound };
            node.set_bound(c, bound);
        }
        node.bound = around(node, map.apply(&positions[node.middle as usize]));
    }
}

/// Blocks below this number are not worth another thread.
#[cfg(feature = "parallel")]
const BLOCKS_PER_THREAD: usize = 128;

fn refit_blocks(
    blocks: &[Block],
    slots: &[[u32; 8]],
    points: &mut [Chunk],
    bounds: &mut [Bound],
    at: (&[Point], &Map),
) {
    #[cfg(feature = "parallel")]
    if blocks.len() >= 2 * BLOCKS_PER_THREAD && rayon::current_num_threads() > 1 {
        let half = blocks.len() / 2;
        let chunk = (blocks[half].first_chunk - blocks[0].first_chunk) as usize;
        let ((b0, b1), (s0, s1)) = (blocks.split_at(half), slots.split_at(chunk));
        let ((p0, p1), (o0, o1)) = (points.split_at_mut(chunk), bounds.split_at_mut(half));
        rayon::join(|| refit_blocks(b0, s0, p0, o0, at), || refit_blocks(b1, s1, p1, o1, at));
        return;
    }
    floats::run(RefitBlocks { blocks, slots, points, bounds, positions: at.0, map: at.1 });
}

struct RefitBlocks<'a> {
    blocks: &'a [Block],
    slots: &'a [[u32; 8]],
    points: &'a mut [Chunk],
    bounds: &'a mut [Bound],
    positions: &'a [Point],
    map: &'a Map,
}

impl Work for RefitBlocks<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Floats>(self, l: L) {
        let (mut slots, mut points) = (self.slots, self.points);
        for (block, bound) in self.blocks.iter().zip(self.bounds) {
            let n = block.chunks as usize;
            let mine;
            (mine, slots) = slots.split_at(n);
            let chunks;
            (chunks, points) = points.split_at_mut(n);
            *bound = refit_block(l, block, mine, chunks, (self.positions, self.map));
        }
    }
}

#[inline(always)]
fn refit_block<L: Floats>(
    l: L,
    block: &Block,
    slots: &[[u32; 8]],
    chunks: &mut [Chunk],
    (positions, map): (&[Point], &Map),
) -> Bound {
    let mut low = [l.splat(f32::INFINITY); 3];
    let mut high = [l.splat(f32::NEG_INFINITY); 3];
    for (slots, chunk) in slots.iter().zip(chunks.iter_mut()) {
        // A loop, not `slots.map`: its closure is compiled without the lanes' instructions, at four times the cost.
        let mut eight = [l.place(&positions[slots[0] as usize], map); 8];
        for i in 1..8 {
            eight[i] = l.place(&positions[slots[i] as usize], map);
        }
        let eight = l.transpose(eight);
        for k in 0..3 {
            l.store(eight[k], &mut chunk[k]);
            low[k] = l.min(low[k], eight[k]);
            high[k] = l.max(high[k], eight[k]);
        }
    }
    let centre = at(chunks, block.middle);
    let mut far = l.splat(0.0);
    for chunk in chunks.iter() {
        let mut sum = l.splat(0.0);
        for k in 0..3 {
            let step = l.sub(l.load(&chunk[k]), l.splat(centre[k]));
            sum = l.add(sum, l.mul(step, step));
        }
        far = l.max(far, sum);
    }
    let mut bound = Bound { centre, radius: most(l, far).sqrt() * UP, ..Bound::EMPTY };
    for k in 0..3 {
        bound.min[k] = least(l, low[k]);
        bound.max[k] = most(l, high[k]);
    }
    bound
}

/// The smallest lane.
#[inline(always)]
pub(super) fn least<L: Floats>(l: L, x: L::F) -> f32 {
    let mut row = Row([0.0; 8]);
    l.store(x, &mut row);
    row.0.iter().fold(f32::INFINITY, |a, &b| if b < a { b } else { a })
}

/// The largest lane.
#[inline(always)]
pub(super) fn most<L: Floats>(l: L, x: L::F) -> f32 {
    let mut row = Row([0.0; 8]);
    l.store(x, &mut row);
    row.0.iter().fold(f32::NEG_INFINITY, |a, &b| if b > a { b } else { a })
}

/// The bound of a node from those of its children: the radius is what the children's radii allow, or what the box does.
fn around(node: &Node, centre: [f32; 3]) -> Bound {
    let mut bound = Bound { centre, ..Bound::EMPTY };
    let mut by_children: f32 = 0.0;
    for c in 0..node.count {
        let child = node.bound_of(c);
        let mut sum = 0.0;
        for (k, from) in centre.iter().enumerate() {
            bound.min[k] = bound.min[k].min(child.min[k]);
            bound.max[k] = bound.max[k].max(child.max[k]);
            let step = child.centre[k] - from;
            sum += step * step;
        }
        by_children = by_children.max((sum.sqrt() * UP + child.radius) * UP);
    }
    let corner = |k: usize| (bound.max[k] - centre[k]).max(centre[k] - bound.min[k]);
    let by_box = (0..3).map(|k| corner(k) * corner(k)).sum::<f32>().sqrt() * UP;
    bound.radius = by_children.min(by_box);
    bound
}
