//! Patches: a few dozen triangles each, with a vertex list of their own.
//!
//! A patch names its vertices once and its triangles by one byte a corner. Following a frame then reads every position about
//! 1.3 times, nearly in sequence, instead of six times at random, and the few hundred bytes of a patch stay at hand.

use std::ops::Range;

use crate::mesh::Fates;
use crate::parallel;

/// The most triangles in a patch: eight rows of eight lanes. Its corners fit a byte, since it has at most 192 vertices.
pub(crate) const MAX_TRIANGLES: usize = 64;

/// The patch of a triangle that has none yet.
pub(crate) const NO_PATCH: u32 = u32::MAX;

/// All patches of one body; its triangles stand in *places*, patch after patch, and vertices of a patch ascend.
#[derive(Debug, Clone, Default)]
pub(crate) struct Patches {
    /// First place of each patch, and the one behind its last.
    spans: Vec<[u32; 2]>,
    /// The triangle in each place, as the body numbers it.
    ids: Vec<u32>,
    /// First entry of each patch in `vertices`, and their number last.
    vertex_starts: Vec<u32>,
    vertices: Vec<u32>,
    /// How many vertices each patch has.
    counts: Vec<u8>,
    /// Corners of the triangle in each place, as indices into its patch's vertices. The fourth byte is 0, so that a corner is
    /// one load.
    corners: Vec<[u8; 4]>,
}

/// Patches that lack the numbers of their triangles.
pub(crate) struct Lists(Patches);

impl Lists {
    /// The patches: the number of the triangle in each place.
    pub fn of(self, ids: Vec<u32>) -> Patches {
        Patches { ids, ..self.0 }
    }
}

impl Patches {
    /// Cuts triangles, given with their corners and in the order of their places, into patches of the given sizes, each from 1
    /// to [`MAX_TRIANGLES`], which add up to their number.
    pub fn new(triangles: &[[u32; 3]], ids: Vec<u32>, sizes: impl IntoIterator<Item = usize>) -> Self {
        Self::lists(triangles, &ids, sizes).of(ids)
    }

    /// The same but for the numbers of the triangles, which are to follow.
    pub fn lists(triangles: &[[u32; 3]], ids: &[u32], sizes: impl IntoIterator<Item = usize>) -> Lists {
        let mut end = 0;
        let spans: Vec<[u32; 2]> = sizes
            .into_iter()
            .map(|size| {
                debug_assert!((1..=MAX_TRIANGLES).contains(&size));
                end += size as u32;
                [end - size as u32, end]
            })
            .collect();
        debug_assert!(end as usize == ids.len());
        let parts = parallel::map_chunks(&spans, PIECE, &mut Numbers::default(), |numbers, spans| {
            let mut part = Self::default();
            for [first, end] in spans {
                // Fetched before they are numbered, so that the reads, which are all over memory, overlap.
                let ids = &ids[*first as usize..*end as usize];
                let mut fetched = [[0; 3]; MAX_TRIANGLES];
                fetched.iter_mut().zip(ids).for_each(|(fetched, &t)| *fetched = triangles[t as usize]);
                part.push(&fetched[..ids.len()], numbers);
            }
            part
        });
        let mut patches = Self {
            vertex_starts: Vec::with_capacity(spans.len() + 1),
            vertices: Vec::with_capacity(parts.iter().map(|part| part.vertices.len()).sum()),
            counts: Vec::with_capacity(spans.len()),
            corners: Vec::with_capacity(ids.len()),
            ..Self::default()
        };
        patches.vertex_starts.push(0);
        for part in &parts {
            let first = patches.vertices.len() as u32;
            patches.vertex_starts.extend(part.vertex_starts.iter().map(|start| start + first));
            patches.vertices.extend_from_slice(&part.vertices);
            patches.counts.extend_from_slice(&part.counts);
            patches.corners.extend_from_slice(&part.corners);
        }
        Lists(Self { spans, ..patches })
    }

    /// Adds a patch behind the last: its vertices, and its triangles' corners among these.
    fn push(&mut self, triangles: &[[u32; 3]], numbers: &mut Numbers) {
        let corners = self.corners.len();
        numbers.clear();
        let number = |&[a, b, c]: &[u32; 3]| [numbers.of(a), numbers.of(b), numbers.of(c), 0];
        self.corners.extend(triangles.iter().map(number));
        numbers.sort();
        for corners in &mut self.corners[corners..] {
            let [a, b, c, _] = *corners;
            *corners = [numbers.sorted(a), numbers.sorted(b), numbers.sorted(c), 0];
        }
        self.counts.push(numbers.found.len() as u8);
        self.vertices.extend(numbers.found.iter().map(|&key| (key >> 8) as u32));
        self.vertex_starts.push(self.vertices.len() as u32);
    }

    /// Number of patches.
    pub fn len(&self) -> usize {
        self.counts.len()
    }

    /// Number of triangles.
    pub fn triangle_count(&self) -> usize {
        self.spans.iter().map(|[first, end]| (end - first) as usize).sum()
    }

    /// Places that no patch has any more, since it was [written anew](Patches::rewrite).
    pub fn waste(&self) -> usize {
        self.ids.len() - self.triangle_count()
    }

    /// Closes the gaps that patches which were written anew left: they follow each other again.
    pub fn compact(&mut self) {
        let old = std::mem::take(self);
        self.vertex_starts.push(0);
        for p in 0..old.len() {
            let first = self.ids.len() as u32;
            self.ids.extend_from_slice(&old.ids[old.places(p)]);
            self.corners.extend_from_slice(&old.corners[old.places(p)]);
            self.spans.push([first, self.ids.len() as u32]);
            self.vertices.extend_from_slice(old.vertices(p));
            self.vertex_starts.push(self.vertices.len() as u32);
        }
        self.counts = old.counts;
    }

    /// Gives a patch, or one more behind the last, these triangles, each with its number and vertices, at most
    /// [`MAX_TRIANGLES`]. They are written where the patch was if they fit there, and else behind all
    /// others; then the places of before stay empty.
    pub fn rewrite(&mut self, patch: usize, triangles: &[(u32, [u32; 3])]) {
        debug_assert!(triangles.len() <= MAX_TRIANGLES && patch <= self.len());
        let mut members: Vec<u32> = triangles.iter().flat_map(|(_, corners)| *corners).collect();
        members.sort_unstable();
        members.dedup();
        let slot = |v: u32| members.binary_search(&v).expect("collected above") as u8;
        if patch == self.len() {
            self.spans.push([0; 2]);
            self.counts.push(0);
            self.vertex_starts.push(0);
        }
        if self.places(patch).len() < triangles.len() {
            let first = self.ids.len();
            self.ids.resize(first + triangles.len(), 0);
            self.corners.resize(first + triangles.len(), [0; 4]);
            self.spans[patch][0] = first as u32;
        }
        let first = self.spans[patch][0] as usize;
        self.spans[patch][1] = (first + triangles.len()) as u32;
        for (place, (id, [a, b, c])) in (first..).zip(triangles) {
            (self.ids[place], self.corners[place]) = (*id, [slot(*a), slot(*b), slot(*c), 0]);
        }
        if usize::from(self.counts[patch]) < members.len() {
            self.vertex_starts[patch] = self.vertices.len() as u32;
            self.vertices.resize(self.vertices.len() + members.len(), 0);
        }
        self.counts[patch] = members.len() as u8;
        self.vertices[self.vertex_starts[patch] as usize..][..members.len()].copy_from_slice(&members);
    }

    /// Brings the numbers of triangles up to date with an edit, here and in `patch_of`, the patch of each: what stays under
    /// another number gets that one, what came has no patch yet. Returns the patches and places of what is gone, ascending.
    pub fn renumber(
        &mut self,
        fates: &Fates,
        patch_of: &mut Vec<u32>,
        triangles: usize,
    ) -> Vec<(u32, usize)> {
        // Places first: a number may be another's new one.
        let place = |id: u32| {
            let patch = patch_of[id as usize];
            let mut places = self.places(patch as usize);
            (patch, places.find(|&place| self.id(place) == id).expect("a triangle is in its patch"))
        };
        let mut gone: Vec<(u32, usize)> = fates.gone.iter().map(|&id| place(id)).collect();
        let moved: Vec<_> = fates.renamed.iter().map(|&[old, new]| (new, place(old))).collect();
        patch_of.resize(triangles, NO_PATCH);
        for (new, (patch, place)) in moved {
            patch_of[new as usize] = patch;
            self.ids[place] = new;
        }
        fates.come.iter().for_each(|&t| patch_of[t as usize] = NO_PATCH);
        gone.sort_unstable();
        gone
    }

    /// The places of a patch's triangles.
    #[inline(always)]
    pub fn places(&self, patch: usize) -> Range<usize> {
        self.spans[patch][0] as usize..self.spans[patch][1] as usize
    }

    /// The triangle in a place, as the body numbers it.
    #[inline(always)]
    pub fn id(&self, place: usize) -> u32 {
        self.ids[place]
    }

    /// The vertices of a patch, each once, ascending.
    #[inline(always)]
    pub fn vertices(&self, patch: usize) -> &[u32] {
        &self.vertices[self.vertex_starts[patch] as usize..][..usize::from(self.counts[patch])]
    }

    /// Corners of a patch's triangles, as indices into its vertices; the fourth byte is 0.
    #[inline(always)]
    pub fn corners(&self, patch: usize) -> &[[u8; 4]] {
        &self.corners[self.places(patch)]
    }

    /// The vertices of one triangle of a patch.
    #[inline(always)]
    pub fn triangle(&self, patch: usize, local: usize) -> [u32; 3] {
        let [a, b, c, _] = self.corners[self.spans[patch][0] as usize + local];
        let first = self.vertex_starts[patch] as usize;
        [a, b, c].map(|corner| self.vertices[first + usize::from(corner)])
    }
}

/// Numbers of the vertices of one patch: a table with open addressing, a quarter full with the 45 vertices that are the rule,
/// where sorting the 192 corners of a patch took a sixth of building a hierarchy.
struct Numbers {
    vertices: [u32; TABLE],
    numbers: [u8; TABLE],
    /// Each vertex with its number in the lowest byte, in the order in which they are met, then sorted.
    found: Vec<u64>,
    /// Where each number stands when they are sorted.
    places: [u8; TABLE],
}

/// Slots: more than a patch has corners.
const TABLE: usize = 256;

/// Patches that one thread takes at a time.
const PIECE: usize = 64;

impl Default for Numbers {
    fn default() -> Self {
        Self { vertices: [u32::MAX; TABLE], numbers: [0; TABLE], found: Vec::new(), places: [0; TABLE] }
    }
}

impl Numbers {
    fn clear(&mut self) {
        self.vertices.fill(u32::MAX);
        self.found.clear();
    }

    /// The number of a vertex, a new one if it was not met before.
    #[inline]
    fn of(&mut self, vertex: u32) -> u8 {
        let mut slot = (vertex.wrapping_mul(0x9e37_79b9) >> 24) as usize;
        loop {
            if self.vertices[slot] == vertex {
                return self.numbers[slot];
            }
            if self.vertices[slot] == u32::MAX {
                let number = self.found.len() as u8;
                (self.vertices[slot], self.numbers[slot]) = (vertex, number);
                self.found.push(u64::from(vertex) << 8 | u64::from(number));
                return number;
            }
            slot = (slot + 1) % TABLE;
        }
    }

    fn sort(&mut self) {
        self.found.sort_unstable();
        for (place, &key) in self.found.iter().enumerate() {
            self.places[usize::from(key as u8)] = place as u8;
        }
    }

    /// Where the vertex of a number stands.
    #[inline]
    fn sorted(&self, number: u8) -> u8 {
        self.places[usize::from(number)]
    }
}

/// Reorders items so that the `cut` lowest along their longest extent come first, and splits them there. `at` is the
/// coordinate of an item along an axis. Equal ones go by `id`, so that the result does not depend on the order before.
pub(crate) fn halve<T>(
    items: &mut [T],
    cut: usize,
    at: impl Fn(&T, usize) -> f64,
    id: impl Fn(&T) -> u64,
) -> (&mut [T], &mut [T]) {
    let (mut low, mut high) = ([f64::INFINITY; 3], [f64::NEG_INFINITY; 3]);
    for item in items.iter() {
        for k in 0..3 {
            let x = at(item, k);
            low[k] = if x < low[k] { x } else { low[k] };
            high[k] = if x > high[k] { x } else { high[k] };
        }
    }
    let size = |k: usize| high[k] - low[k];
    let axis = (1..3).fold(0, |best, k| if size(k) > size(best) { k } else { best });
    if cut < items.len() {
        items.select_nth_unstable_by(cut, |a, b| {
            at(a, axis).total_cmp(&at(b, axis)).then_with(|| id(a).cmp(&id(b)))
        });
    }
    items.split_at_mut(cut)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(200))]
        #[test]
        fn patches_name_every_triangle_by_its_vertices(
            triangles in prop::collection::vec([0u32..30, 0..30, 0..30], 1..150),
            seed in prop::collection::vec(1..MAX_TRIANGLES + 1, 150),
        ) {
            let n = triangles.len();
            let mut sizes = Vec::new();
            for size in seed {
                let left = n - sizes.iter().sum::<usize>();
                sizes.extend((left > 0).then_some(size.min(left)));
            }
            let ids: Vec<u32> = (0..n as u32).rev().collect();
            let patches = Patches::new(&triangles, ids, sizes.iter().copied());
            prop_assert_eq!((patches.len(), patches.triangle_count()), (sizes.len(), n));
            for p in 0..patches.len() {
                prop_assert_eq!(patches.places(p).len(), sizes[p]);
                for (local, place) in patches.places(p).enumerate() {
                    prop_assert_eq!(patches.triangle(p, local), triangles[patches.id(place) as usize]);
                    prop_assert_eq!(patches.corners(p)[local][3], 0);
                }
                let mut used: Vec<u32> =
                    patches.places(p).flat_map(|i| triangles[patches.id(i) as usize]).collect();
                used.sort_unstable();
                used.dedup();
                prop_assert_eq!(patches.vertices(p), used);
            }
        }

        #[test]
        fn halves_lie_apart_whatever_the_order_before(
            points in prop::collection::vec([0i8..9, 0..9, 0..9], 1..40),
            cut in 0usize..40,
        ) {
            let cut = cut.min(points.len());
            let at = |&i: &u32, k: usize| f64::from(points[i as usize][k]);
            let mut items: Vec<u32> = (0..points.len() as u32).collect();
            let mut turned: Vec<u32> = items.iter().rev().copied().collect();
            let size = |k: usize| {
                points.iter().map(|p| p[k]).max().unwrap_or(0) - points.iter().map(|p| p[k]).min().unwrap_or(0)
            };
            let (low, high) = halve(&mut items, cut, at, |&i| i.into());
            prop_assert_eq!(low.len(), cut);
            let splits = |k: usize| low.iter().all(|a| high.iter().all(|b| (at(a, k), a) < (at(b, k), b)));
            prop_assert!((0..3).any(|k| splits(k) && (0..3).all(|j| size(j) <= size(k))));
            let (other, _) = halve(&mut turned, cut, at, |&i| i.into());
            low.sort_unstable();
            other.sort_unstable();
            prop_assert_eq!(low, other);
        }
    }
}
