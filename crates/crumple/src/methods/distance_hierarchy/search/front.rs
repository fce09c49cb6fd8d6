//! The bounding-volume-test-tree (BVTT) front, kept between frames: where a search ended.
//!
//! A finished search leaves pairs of regions that together cover both surfaces, each with a lower bound above the distance
//! found. If no two points of the bodies have come closer by more than some way since, a bound less that way still holds;
//! so as long as that is above the distance now, the pair needs no look. With small steps, nearly all pairs are at rest
//! for many frames, and a search looks at a few where the bodies are closest.
//!
//! Two blocks whose triangles were compared rest with the triangles that were *near*. A search that continues looks a
//! *margin* further than the distance, as far as the bodies approach in some frames; for so long every pair of triangles
//! that are not both near is at rest, and only the near ones are compared again, when their own bound is used up.
//!
//! When the steps are large, many pairs wake at once; then it is cheaper to begin at the roots again ([`Pacing`] decides).

use super::super::regions::Region;
use super::block_pair::ALL;
use super::pacing::Pacing;

/// Two regions that may matter again.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Resting {
    /// The way that the bodies must have travelled, times `unit`, before the pair can be at distance 0.
    key: f32,
    pair: [Region; 2],
}

/// Two blocks that may matter again, of whose triangles some were near.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Compared {
    /// Like that of [`Resting`].
    key: f32,
    pair: [Region; 2],
    near: Nearby,
}

/// The triangles of two blocks that were near, and what is known of the others.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in super::super) struct Nearby {
    /// Bit i is set for the i-th triangle of a block if it is one of them.
    pub triangles: [u64; 2],
    /// A direction from one block to the other, of length 1.
    pub direction: [f32; 3],
    /// The key of all pairs of triangles that are not both near.
    others: f32,
}

/// Two regions that a search must look at.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in super::super) struct Awake {
    pub pair: [Region; 2],
    /// For blocks: only these triangles matter.
    pub near: Option<Nearby>,
}

/// Pairs at rest.
#[derive(Debug, Clone, Default)]
pub(in super::super) struct Front {
    regions: Vec<Resting>,
    /// More of them, with keys above `far_key`: they need no look until others with such keys do.
    far: Vec<Resting>,
    far_key: f32,
    compared: Vec<Compared>,
    /// Images per length when it was begun: keys of any scene then fit a `f32`.
    unit: f64,
    /// No two points of the bodies have come closer by more than this since it was begun.
    travelled: f64,
    /// Whether pairs are being kept.
    is_kept: bool,
    /// What a search must look at.
    pub awake: Vec<Awake>,
    /// Whether and how far ahead it is kept.
    pub pacing: Pacing,
}

/// More than the rounding of a key.
const DOUBT: f64 = 1.0 / (1 << 20) as f64;

impl Front {
    /// Notes that points of the bodies may have come closer by this.
    pub fn travel(&mut self, approach: f64) {
        self.travelled += approach;
        self.pacing.approach = approach;
    }

    /// Whether there is something to continue from.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    fn len(&self) -> usize {
        self.regions.len() + self.far.len() + self.compared.len()
    }

    /// Forgets the pairs, and how well it went.
    pub fn clear(&mut self) {
        self.regions.clear();
        self.far.clear();
        self.compared.clear();
        self.pacing.resume();
    }

    /// One that belongs to the same search, for another thread, with what that must look at.
    pub fn share(&self, awake: Vec<Awake>) -> Self {
        Self {
            regions: Vec::new(),
            far: Vec::new(),
            compared: Vec::new(),
            awake,
            pacing: self.pacing.share(),
            ..*self
        }
    }

    /// Adds what another thread put to rest.
    pub fn join(&mut self, other: Self) {
        self.regions.extend(other.regions);
        self.compared.extend(other.compared);
        self.pacing.join(&other.pacing);
    }

    /// Begins anew for a search from the roots, whose pair then is what is awake.
    pub fn begin(&mut self, roots: [Region; 2], unit: f64, is_kept: bool) {
        self.regions.clear();
        self.far.clear();
        self.far_key = 0.0;
        self.compared.clear();
        (self.unit, self.travelled) = (unit, 0.0);
        self.is_kept = self.pacing.begin() && is_kept;
        self.awake.clear();
        self.awake.push(Awake { pair: roots, near: None });
    }

    /// How much further than the last distance a search should look, for blocks of this size.
    pub fn margin(&mut self, size: f64) -> f64 {
        if self.is_kept { self.pacing.margin(size) } else { 0.0 }
    }

    /// Regions that are not this much further apart than the closest are cut when they wake: they would wake again soon, and
    /// then all in them must be refitted once more.
    pub fn soon(&self) -> f64 {
        if self.is_kept { self.pacing.soon() } else { 0.0 }
    }

    fn key(&self, lower: f64) -> f32 {
        ((lower + self.travelled) * self.unit * (1.0 - DOUBT)) as f32
    }

    /// Puts a pair of regions to rest that are at least this far apart.
    #[inline(always)]
    pub fn rest(&mut self, lower: f64, pair: [Region; 2]) {
        if self.is_kept {
            self.regions.push(Resting { key: self.key(lower), pair });
        }
    }

    /// What was near in two blocks, when all others are at least this far apart.
    pub fn nearby(&self, triangles: [u64; 2], direction: [f32; 3], others: f64) -> Nearby {
        Nearby { triangles, direction, others: self.key(others) }
    }

    /// Puts a pair of blocks to rest whose near triangles are at least this far apart.
    #[inline(always)]
    pub fn rest_near(&mut self, lower: f64, pair: [Region; 2], near: Nearby) {
        if self.is_kept {
            self.compared.push(Compared { key: self.key(lower).min(near.others), pair, near });
        }
    }

    /// Wakes all pairs that may be as close as `distance`, and lets the others rest. When these are too many, it wakes none
    /// and yields `false`: begin at the roots.
    pub fn wake(&mut self, distance: f64) -> bool {
        let size = self.len();
        if !self.pacing.may_continue(size) {
            return false;
        }
        let Self { regions, far, compared, awake, .. } = self;
        let limit = ((distance + self.travelled) * self.unit * (1.0 + DOUBT)) as f32;
        if limit >= self.far_key {
            let soon = (self.pacing.lookahead() * self.unit) as f32;
            self.far_key = if soon > 0.0 { limit + soon } else { 2.0 * limit };
            regions.append(far);
            let far_key = self.far_key;
            far.extend(regions.extract_if(.., |r| r.key > far_key));
        }
        let count = regions.iter().filter(|r| r.key <= limit).count()
            + compared.iter().filter(|r| r.near.others <= limit).count();
        if !self.pacing.wakes(count, size) {
            return false;
        }
        awake.clear();
        let mut i = 0;
        while i < regions.len() {
            if regions[i].key <= limit {
                awake.push(Awake { pair: regions[i].pair, near: None });
                regions.swap_remove(i);
            } else {
                i += 1;
            }
        }
        i = 0;
        while i < compared.len() {
            let Compared { key, pair, near } = compared[i];
            if key <= limit {
                awake.push(Awake { pair, near: (near.others > limit).then_some(near) });
                compared.swap_remove(i);
            } else {
                i += 1;
            }
        }
        true
    }

    /// What is promised of all pairs at rest.
    pub fn promises(&self) -> impl Iterator<Item = Promise> {
        let lower = |key: f32| f64::from(key) / self.unit - self.travelled;
        let regions = self.regions.iter().chain(&self.far).map(|r| (r.key, r.pair, ALL, r.key));
        let compared = self.compared.iter().map(|c| (c.key, c.pair, c.near.triangles, c.near.others));
        regions.chain(compared).map(move |(key, pair, near, others)| Promise {
            pair,
            near,
            lower: lower(key),
            others: lower(others),
        })
    }
}

/// What is promised of two regions at rest.
#[derive(Debug, Clone, Copy)]
pub(in super::super) struct Promise {
    pub pair: [Region; 2],
    /// Of blocks, the triangles that were near, by their bits.
    pub near: [u64; 2],
    /// Pairs of these, or all, are at least this far apart,
    pub lower: f64,
    /// and all others this far.
    pub others: f64,
}
