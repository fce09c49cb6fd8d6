//! A tree of any primitives, on its own: no mesh, no topology (B1, B12).

use super::descent::{self, Hierarchy};
use super::grid::{MAX_BITS, Shape};
use super::keys::{Extent, Layout, PrimitiveKeys};
use super::mapping;
use super::octree::{Descent, Found, Lists, Octree, Until};
use super::params::BucketTreeParams;
use super::primitive::Primitive;
use crate::geometry::simd;
use crate::geometry::{Aabb, Aabb32, Map, Point};
use crate::{Broken, MAX_COORDINATE, ParamError, Stats};

/// Stable key of a primitive; keys of removed ones are not used again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PrimitiveId {
    slot: u32,
    generation: u32,
}

/// A primitive whose box is not finite, or too large for products of its coordinates.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
#[error("a primitive's box from {:?} to {:?} is empty, not finite or beyond {}", bounds.min, bounds.max, MAX_COORDINATE)]
#[non_exhaustive]
pub struct BadPrimitive {
    /// What it said its box is.
    pub bounds: Aabb,
}

/// Two primitives whose boxes have a common point.
pub type PrimitivePair = (PrimitiveId, PrimitiveId);

/// A soup of primitives that come, go and move, each at a cost that follows the change.
///
/// ```
/// use crumple::methods::bucket_tree::{BucketTreeParams, PrimitiveTree};
/// let mut tree = PrimitiveTree::new(BucketTreeParams::default())?;
/// let a = tree.insert([[0.0, 0.0, 0.0], [2.0, 0.0, 0.0]])?;
/// let b = tree.insert([[1.0, -1.0, 0.0], [1.0, 1.0, 0.0]])?;
/// let mut pairs = Vec::new();
/// tree.pairs(&mut pairs);
/// assert_eq!(pairs, [(a, b)]);
/// tree.set(b, [[9.0, -1.0, 0.0], [9.0, 1.0, 0.0]])?;
/// tree.pairs(&mut pairs);
/// assert_eq!(pairs, []);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct PrimitiveTree<P> {
    params: BucketTreeParams,
    items: Vec<Option<P>>,
    generations: Vec<u32>,
    free: Vec<u32>,
    bounds: Vec<Aabb>,
    count: usize,
    /// How many there were at the last full build: at twice as many the grid is due again.
    built: usize,
    /// `None` before the first full build.
    map: Option<Map>,
    keyed: PrimitiveKeys,
    octree: Octree,
    found: Vec<(u32, u32)>,
    lists: Lists,
}

impl<P: Primitive> PrimitiveTree<P> {
    /// An empty tree.
    pub fn new(params: BucketTreeParams) -> Result<Self, ParamError> {
        params.check()?;
        Ok(Self {
            params,
            items: Vec::new(),
            generations: Vec::new(),
            free: Vec::new(),
            bounds: Vec::new(),
            count: 0,
            built: 0,
            map: None,
            keyed: PrimitiveKeys::default(),
            octree: Octree::default(),
            found: Vec::new(),
            lists: Lists::default(),
        })
    }

    /// Number of primitives.
    pub fn len(&self) -> usize {
        self.count
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// The primitive of that name, while it is there.
    pub fn get(&self, id: PrimitiveId) -> Option<&P> {
        self.slot(id).and_then(|slot| self.items[slot].as_ref())
    }

    /// Names and primitives, by name.
    pub fn iter(&self) -> impl Iterator<Item = (PrimitiveId, &P)> {
        let named = |(slot, item): (usize, &'_ Option<P>)| item.is_some().then_some(slot);
        self.items
            .iter()
            .enumerate()
            .filter_map(named)
            .map(|slot| (self.name(slot as u32), self.items[slot].as_ref().expect("filtered")))
    }

    /// Puts in a primitive.
    pub fn insert(&mut self, primitive: P) -> Result<PrimitiveId, BadPrimitive> {
        let bounds = checked(&primitive)?;
        let slot = self.new_slot();
        self.write(slot, primitive, bounds);
        self.count += 1;
        if self.count > 2 * self.built {
            self.rebuild();
        } else {
            self.octree.insert(slot, &mut self.keyed);
        }
        Ok(self.name(slot))
    }

    /// Puts in many primitives and places everything anew, in less time than one after the other. On an error the tree is as
    /// it was.
    pub fn insert_all(
        &mut self,
        primitives: impl IntoIterator<Item = P>,
    ) -> Result<Vec<PrimitiveId>, BadPrimitive> {
        let all: Result<Vec<(P, Aabb)>, BadPrimitive> =
            primitives.into_iter().map(|p| checked(&p).map(|bounds| (p, bounds))).collect();
        let mut names = Vec::new();
        for (primitive, bounds) in all? {
            let slot = self.new_slot();
            self.write(slot, primitive, bounds);
            names.push(self.name(slot));
        }
        self.count += names.len();
        self.rebuild();
        Ok(names)
    }

    /// Takes out a primitive; `None` when it is not there.
    pub fn remove(&mut self, id: PrimitiveId) -> Option<P> {
        let slot = self.slot(id)?;
        let removed = self.items[slot].take();
        self.keyed.images[slot] = Aabb32::EMPTY;
        self.bounds[slot] = Aabb::EMPTY;
        self.octree.remove(slot as u32, &mut self.keyed);
        self.generations[slot] += 1;
        self.free.push(slot as u32);
        self.count -= 1;
        removed
    }

    /// Replaces a primitive, for instance by itself elsewhere; `false` when it is not there.
    pub fn set(&mut self, id: PrimitiveId, primitive: P) -> Result<bool, BadPrimitive> {
        let bounds = checked(&primitive)?;
        let Some(slot) = self.slot(id) else { return Ok(false) };
        self.write(slot as u32, primitive, bounds);
        self.octree.relocate(slot as u32, &mut self.keyed);
        Ok(true)
    }

    /// Changes every primitive and places all of them anew: one step of the paper.
    ///
    /// On an error the tree goes on answering for the boxes of before.
    pub fn update(&mut self, mut change: impl FnMut(PrimitiveId, &mut P)) -> Result<(), BadPrimitive> {
        for slot in 0..self.items.len() {
            let name = self.name(slot as u32);
            if let Some(item) = &mut self.items[slot] {
                change(name, item);
            }
        }
        let bounds: Result<Vec<Aabb>, BadPrimitive> =
            self.items.iter().map(|i| i.as_ref().map_or(Ok(Aabb::EMPTY), checked)).collect();
        self.bounds = bounds?;
        self.rebuild();
        Ok(())
    }

    /// Replaces `out` by every pair of primitives whose boxes have a common point, smaller name first, sorted.
    pub fn pairs(&mut self, out: &mut Vec<PrimitivePair>) -> Stats {
        let mut stats = Stats::default();
        let mut found = std::mem::take(&mut self.found);
        found.clear();
        let octree = &self.octree;
        self.lists.begin(octree, octree);
        simd::dispatch(Descent {
            a: octree,
            b: octree,
            is_self: true,
            settled: &[],
            lists: &mut self.lists,
            until: Until::Done,
            sink: &mut found,
            stats: &mut stats,
        });
        found.iter_mut().for_each(|(a, b)| (*a, *b) = (octree.item(*a), octree.item(*b)));
        out.clear();
        for &(a, b) in &found {
            if self.bounds[a as usize].overlaps(&self.bounds[b as usize]) {
                let (a, b) = (self.name(a), self.name(b));
                out.push((a.min(b), a.max(b)));
            }
        }
        out.sort_unstable();
        stats.candidates = found.len() as u64;
        stats.contacts = out.len() as u64;
        self.found = found;
        stats
    }

    /// Replaces `out` by every pair of a primitive of this tree and one of another whose boxes have a common point,
    /// sorted.
    pub fn pairs_with<Q: Primitive>(&self, other: &PrimitiveTree<Q>, out: &mut Vec<PrimitivePair>) -> Stats {
        let mut stats = Stats::default();
        out.clear();
        let (a, b) = (self.in_space(), other.in_space());
        if let (Some(x), Some(y)) = (a.root(), b.root()) {
            let found = |x: u32, y: u32| {
                a.items(x, |i| {
                    b.items(y, |j| {
                        if self.bounds[i as usize].overlaps(&other.bounds[j as usize]) {
                            out.push((self.name(i), other.name(j)));
                        }
                    });
                });
            };
            let opens_first = descent::is_larger;
            descent::Both { a: &a, b: &b, opens_first, stats: &mut stats, found }.between(x, y);
        }
        out.sort_unstable();
        stats.contacts = out.len() as u64;
        stats
    }

    /// Replaces `out` by every primitive whose box has a common point with `query`, sorted.
    pub fn in_box(&self, query: &Aabb, out: &mut Vec<PrimitiveId>) {
        out.clear();
        let world = self.in_space();
        descent::in_box(&world, query, |leaf| {
            world.items(leaf, |id| {
                if self.bounds[id as usize].overlaps(query) {
                    out.push(self.name(id));
                }
            });
        });
        out.sort_unstable();
    }

    /// Calls `found` with every primitive whose box is wanted, in any order; whether one is, is asked about boxes that hold it
    /// first. Returns how many boxes were asked about.
    pub(crate) fn each_where<'a>(
        &'a self,
        is_wanted: impl Fn(&Aabb) -> bool,
        mut found: impl FnMut(&'a P),
    ) -> usize {
        let (octree, map) = (&self.octree, self.map());
        let mut open: Vec<u32> = octree.root().into_iter().collect();
        let mut visits = 0;
        while let Some(node) = open.pop() {
            visits += 1;
            if !is_wanted(&octree.bounds(node).outward(&map)) {
                continue;
            }
            open.extend(octree.children(node));
            for slot in octree.items(node) {
                visits += 1;
                if is_wanted(&self.bounds[slot as usize]) {
                    found(self.items[slot as usize].as_ref().expect("what is in a bucket is there"));
                }
            }
        }
        visits
    }

    /// The primitive nearest to a point by [`Primitive::distance_sq`], and the square of its distance.
    pub fn nearest(&self, to: &Point) -> Option<(PrimitiveId, f64)> {
        let world = self.in_space();
        let distance_sq =
            |id: u32| self.items[id as usize].as_ref().map_or(f64::INFINITY, |p| p.distance_sq(to));
        descent::nearest(&world, to, distance_sq).map(|(id, d)| (self.name(id), d))
    }

    /// Every bucket that holds something: a box round its contents, and how many they are.
    #[doc(hidden)]
    pub fn buckets(&self) -> Vec<(Aabb, usize)> {
        let mut out = Vec::new();
        descent::each_bucket(&self.octree, |_, items| {
            let all = items.iter().fold(Aabb::EMPTY, |all, &id| all.union(&self.bounds[id as usize]));
            out.push((all, items.len()));
        });
        out
    }

    /// Checks the invariants of the tree, by number.
    #[doc(hidden)]
    pub fn validate(&self) -> Result<(), Broken> {
        self.octree.check(&self.keyed.images, &self.keyed).map_err(|(invariant, what)| Broken {
            method: "bucket-tree",
            invariant,
            what,
        })
    }

    /// Places everything anew.
    fn rebuild(&mut self) {
        let there: Vec<u32> =
            (0..self.items.len() as u32).filter(|&s| self.items[s as usize].is_some()).collect();
        self.built = there.len();
        let mut extent = self.write_all(&there);
        if self.map.is_none() || !mapping::is_fit(&extent.all) {
            self.map = Some(mapping::fit(2 * there.len(), |i| {
                let bounds = &self.bounds[there[i / 2] as usize];
                if i % 2 == 0 { bounds.min } else { bounds.max }
            }));
            extent = self.write_all(&there);
        }
        let layout = Layout { bits: MAX_BITS, shape: Shape::Cubes, slack: self.params.slack };
        self.keyed.renew_grid(&extent.points, &layout);
        self.keyed.renew_keys();
        self.keyed.sort();
        self.octree.build(&mut self.keyed);
        self.octree.note_homes(self.keyed.images.len());
    }

    fn write_all(&mut self, there: &[u32]) -> Extent {
        let (mut extent, map) = (Extent::EMPTY, self.map());
        for &slot in there {
            let s = slot as usize;
            self.keyed.images[s] = Aabb32::image(&self.bounds[s], &map);
            if let Some(item) = &self.items[s] {
                self.keyed.points[s] = mapping::to_f32(&item.ordering_point(), &map);
            }
            extent.add(&self.keyed.images[s], self.keyed.points[s]);
        }
        extent
    }

    fn new_slot(&mut self) -> u32 {
        self.free.pop().unwrap_or_else(|| {
            self.items.push(None);
            self.generations.push(0);
            self.bounds.push(Aabb::EMPTY);
            self.keyed.images.push(Aabb32::EMPTY);
            self.keyed.points.push([0.0; 3]);
            self.items.len() as u32 - 1
        })
    }

    fn write(&mut self, slot: u32, primitive: P, bounds: Aabb) {
        let (slot, map) = (slot as usize, self.map());
        self.keyed.images[slot] = Aabb32::image(&bounds, &map);
        self.keyed.points[slot] = mapping::to_f32(&primitive.ordering_point(), &map);
        self.bounds[slot] = bounds;
        self.items[slot] = Some(primitive);
    }

    /// The map in use; any will do before the first build, which fits one.
    fn map(&self) -> Map {
        self.map.unwrap_or(Map::IDENTITY)
    }

    fn in_space(&self) -> InSpace<'_> {
        InSpace { octree: &self.octree, map: self.map() }
    }

    fn name(&self, slot: u32) -> PrimitiveId {
        PrimitiveId { slot, generation: self.generations[slot as usize] }
    }

    fn slot(&self, id: PrimitiveId) -> Option<usize> {
        let slot = id.slot as usize;
        (self.generations.get(slot) == Some(&id.generation) && self.items[slot].is_some()).then_some(slot)
    }
}

fn checked(primitive: &impl Primitive) -> Result<Aabb, BadPrimitive> {
    let bounds = primitive.bounds();
    let all = bounds.min.iter().chain(&bounds.max);
    let is_good = all.into_iter().all(|x| x.abs() <= MAX_COORDINATE) && !bounds.is_empty();
    if is_good { Ok(bounds) } else { Err(BadPrimitive { bounds }) }
}

impl Found for Vec<(u32, u32)> {
    #[inline(always)]
    fn found(&mut self, a: u32, b: u32) {
        self.push((a, b));
    }
}

/// An octree with its boxes in space.
struct InSpace<'a> {
    octree: &'a Octree,
    map: Map,
}

impl Hierarchy for InSpace<'_> {
    fn root(&self) -> Option<u32> {
        self.octree.root()
    }

    fn bounds(&self, node: u32) -> Aabb {
        self.octree.bounds(node).outward(&self.map)
    }

    fn children(&self, node: u32, into: &mut [u32; 8]) -> usize {
        Hierarchy::children(self.octree, node, into)
    }

    fn items(&self, node: u32, each: impl FnMut(u32)) {
        Hierarchy::items(self.octree, node, each);
    }

    fn is_bucket(&self, node: u32) -> bool {
        self.octree.is_bucket(node)
    }
}
