//! Where a search ended, kept for the next frame.
//!
//! A finished search leaves pairs of regions that together cover both surfaces, each with a lower bound above the distance
//! found. If no two points of the bodies have come closer by more than some way since, a bound less that way still holds;
//! so as long as that is above the distance now, the pair needs no look. With small steps, nearly all pairs are at rest
//! for many frames, and a search looks at a few where the bodies are closest.
//!
//! Two blocks whose triangles were compared rest with a *list*: the pairs of triangles that were close, each with a bound
//! of its own, and a bound for all others. A search that continues looks a *margin* further than the distance, as far as
//! the bodies approach in some frames; for so long the blocks rest, and only triangles on lists are looked at.
//!
//! When the steps are large, many pairs wake at once; then it is cheaper to begin at the roots again, and, when that goes
//! on, to keep no front for a while.

use super::regions::Region;

/// Two regions, or two triangles, that may matter again.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Rest<T> {
    /// The way that the bodies must have travelled, times `unit`, before the pair can be at distance 0.
    key: f32,
    /// For blocks, the list that goes with them; for triangles, the one that they are on. 0 is none.
    list: u32,
    pair: [T; 2],
}

/// Pairs at rest.
#[derive(Debug, Clone, Default)]
pub(super) struct Front {
    regions: Vec<Rest<Region>>,
    /// More of them, with keys above `far_key`: they need no look until others with such keys do.
    far: Vec<Rest<Region>>,
    far_key: f32,
    triangles: Vec<Rest<u32>>,
    /// The last number of a list.
    lists: u32,
    /// Images per length when it was begun: keys of any scene then fit a `f32`.
    unit: f64,
    /// No two points of the bodies have come closer by more than this since it was begun.
    travelled: f64,
    /// The same in the last step.
    approach: f64,
    /// Searches to go without keeping a front, and how many that will be after the next failure.
    pause: u32,
    next_pause: u32,
    /// The same for lists.
    list_pause: u32,
    next_list_pause: u32,
    /// Lists that got too long.
    failed: u32,
    /// Whether pairs are being kept.
    is_kept: bool,
    /// Whether the search continues from the one before.
    is_continued: bool,
    /// Number of pairs after the search from the roots.
    begun: usize,
    /// What a search must look at: pairs of regions,
    pub awake: Vec<[Region; 2]>,
    /// and pairs of triangles, with their lists and with distances that they do not go below.
    pub awake_triangles: Vec<Listed>,
}

/// A pair of triangles on a list.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Listed {
    pub pair: [u32; 2],
    pub list: u32,
    pub lower: f64,
}

/// More than the rounding of a key.
const DOUBT: f64 = 1.0 / (1 << 20) as f64;

/// After so many failures in a row, a front is tried in one of so many searches.
const LONGEST_PAUSE: u32 = 16;

/// For how many frames at the last speed blocks are put to rest. When `near-shell-100k` goes in steps of a thousandth, a
/// query takes 3.3 ms without lists, 3.2 with 1, 1.6 with 4 and 2.3 with 8.
const FRAMES_AHEAD: f64 = 4.0;

/// Triangles on one list; where more are close, lists cost more than they spare.
const LONGEST_LIST: usize = 16;

/// The largest margin, as a part of the distance. When `near-10obj` goes in steps of a fortieth, margins of distant pairs
/// are a seventieth of it, and lists would make a frame of 1.7 ms one of 2.1.
const MOST_AHEAD: f64 = 1.0 / 128.0;

impl Front {
    /// Notes that points of the bodies may have come closer by this.
    pub fn travel(&mut self, approach: f64) {
        self.travelled += approach;
        self.approach = approach;
    }

    /// Whether there is something to continue from.
    pub fn is_empty(&self) -> bool {
        self.regions.is_empty() && self.far.is_empty()
    }

    /// Forgets the pairs, and how well it went.
    pub fn clear(&mut self) {
        self.regions.clear();
        self.far.clear();
        self.triangles.clear();
        (self.pause, self.next_pause) = (0, 0);
    }

    /// One with no pairs that belongs to the same search, for another thread.
    #[cfg(feature = "parallel")]
    pub fn empty(&self) -> Self {
        Self {
            regions: Vec::new(),
            far: Vec::new(),
            triangles: Vec::new(),
            awake: Vec::new(),
            awake_triangles: Vec::new(),
            ..*self
        }
    }

    /// Adds what another thread put to rest.
    #[cfg(feature = "parallel")]
    pub fn join(&mut self, other: Self, begun: u32) {
        // Lists that were there before keep their numbers, those of the other thread get new ones.
        let shift = self.lists - begun;
        let number = |list: u32| if list > begun { list + shift } else { list };
        self.regions.extend(other.regions.into_iter().map(|r| Rest { list: number(r.list), ..r }));
        self.triangles.extend(other.triangles.into_iter().map(|r| Rest { list: number(r.list), ..r }));
        self.lists += other.lists - begun;
        self.failed += other.failed;
    }

    /// Begins anew for a search from the roots, whose pair then is what is awake.
    pub fn begin(&mut self, roots: [Region; 2], unit: f64, is_kept: bool) {
        self.regions.clear();
        self.far.clear();
        self.far_key = 0.0;
        self.triangles.clear();
        self.lists = 0;
        (self.unit, self.travelled) = (unit, 0.0);
        (self.is_kept, self.is_continued, self.begun) = (is_kept && self.pause == 0, false, 0);
        self.pause = self.pause.saturating_sub(1);
        self.awake.clear();
        self.awake.push(roots);
        self.awake_triangles.clear();
    }

    /// How much further than the last distance, as it is now, a search should look.
    pub fn margin(&self, distance: f64) -> f64 {
        let margin = FRAMES_AHEAD * self.approach;
        let is_worth = margin <= MOST_AHEAD * distance;
        if self.is_kept && self.is_continued && self.list_pause == 0 && is_worth { margin } else { 0.0 }
    }

    fn key(&self, lower: f64) -> f32 {
        ((lower + self.travelled) * self.unit * (1.0 - DOUBT)) as f32
    }

    /// Puts a pair of regions to rest that are at least this far apart.
    #[inline(always)]
    pub fn rest(&mut self, lower: f64, pair: [Region; 2]) {
        if self.is_kept {
            self.regions.push(Rest { key: self.key(lower), list: 0, pair });
        }
    }

    /// Begins a list. Yields what [`Front::end_list`] and [`Front::drop_list`] want to know.
    pub fn begin_list(&mut self) -> usize {
        self.lists += 1;
        self.triangles.len()
    }

    /// Puts a pair of blocks to rest; triangles that are not on the last list are at least this far apart.
    pub fn end_list(&mut self, lower: f64, pair: [Region; 2], begun: usize) {
        if self.is_kept {
            let list = if self.triangles.len() > begun { self.lists } else { 0 };
            self.regions.push(Rest { key: self.key(lower), list, pair });
        }
    }

    /// Takes back the last list.
    pub fn drop_list(&mut self, begun: usize) {
        self.triangles.truncate(begun);
    }

    /// Counts a list that got too long; whether these are too many.
    pub fn fail_list(&mut self) -> bool {
        self.failed += 1;
        self.has_failed()
    }

    fn has_failed(&self) -> bool {
        self.failed > 4 + self.lists / 4
    }

    /// Whether the list begun last is too long to be of use.
    #[inline(always)]
    pub fn is_too_long(&self, begun: usize) -> bool {
        self.triangles.len() > begun + LONGEST_LIST
    }

    /// Puts a pair of triangles, at least this far apart, on the last list.
    #[inline(always)]
    pub fn list(&mut self, lower: f64, pair: [u32; 2]) {
        self.list_again(Listed { pair, list: self.lists, lower });
    }

    /// Puts a pair of triangles back to rest.
    #[inline(always)]
    pub fn list_again(&mut self, Listed { pair, list, lower }: Listed) {
        if self.is_kept {
            self.triangles.push(Rest { key: self.key(lower), list, pair });
        }
    }

    /// The last number of a list so far.
    #[cfg(feature = "parallel")]
    pub fn lists(&self) -> u32 {
        self.lists
    }

    /// Wakes all pairs that may be as close as `distance`, and lets the others rest. When these are too many, it wakes none
    /// and yields `false`: begin at the roots.
    pub fn wake(&mut self, distance: f64) -> bool {
        let has_failed = self.has_failed();
        let Self { regions, far, triangles, awake, awake_triangles, .. } = self;
        let size = regions.len() + far.len();
        if self.begun == 0 {
            self.begun = size;
        } else if size > 1024 + 4 * self.begun {
            // Regions are only ever cut; after a long way a coarser front is better.
            return false;
        }
        let limit = ((distance + self.travelled) * self.unit * (1.0 + DOUBT)) as f32;
        if limit >= self.far_key {
            self.far_key = 2.0 * limit;
            regions.append(far);
            let far_key = self.far_key;
            far.extend(regions.extract_if(.., |r| r.key > far_key && r.list == 0));
        }
        let count = regions.iter().filter(|r| r.key <= limit).count();
        if count > 64 + size / 4 {
            self.pause = self.next_pause;
            self.next_pause = (2 * self.next_pause).clamp(1, LONGEST_PAUSE);
            return false;
        }
        self.next_pause = 0;
        if has_failed {
            self.next_list_pause = (2 * self.next_list_pause).clamp(1, LONGEST_PAUSE);
            self.list_pause = self.next_list_pause;
        } else if self.list_pause > 0 {
            self.list_pause -= 1;
        } else {
            self.next_list_pause = 0;
        }
        self.failed = 0;
        self.is_continued = true;
        awake.clear();
        awake_triangles.clear();
        // New numbers for the lists that stay, which are all of blocks too near to be far: 0 for the others.
        let mut numbers = vec![0; self.lists as usize + 1];
        self.lists = 0;
        let mut i = 0;
        while i < regions.len() {
            if regions[i].key <= limit {
                awake.push(regions[i].pair);
                regions.swap_remove(i);
                continue;
            }
            if regions[i].list > 0 {
                self.lists += 1;
                numbers[regions[i].list as usize] = self.lists;
                regions[i].list = self.lists;
            }
            i += 1;
        }
        let (unit, travelled) = (self.unit, self.travelled);
        triangles.retain_mut(|r| {
            let list = numbers[r.list as usize];
            if list > 0 && r.key <= limit {
                let lower = (f64::from(r.key) * (1.0 - DOUBT) / unit - travelled).max(0.0);
                awake_triangles.push(Listed { pair: r.pair, list, lower });
            }
            r.list = list;
            list > 0 && r.key > limit
        });
        true
    }

    /// What is promised of regions at rest: how far apart they are at least, and their list.
    #[cfg(test)]
    pub fn regions(&self) -> impl Iterator<Item = ([Region; 2], f64, u32)> {
        let all = self.regions.iter().chain(&self.far);
        all.map(|r| (r.pair, f64::from(r.key) / self.unit - self.travelled, r.list))
    }

    /// What is promised of triangles on lists.
    #[cfg(test)]
    pub fn triangles(&self) -> impl Iterator<Item = Listed> {
        self.triangles.iter().map(|r| {
            let lower = f64::from(r.key) / self.unit - self.travelled;
            Listed { pair: r.pair, list: r.list, lower }
        })
    }
}
