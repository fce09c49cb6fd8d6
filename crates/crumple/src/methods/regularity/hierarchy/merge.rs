//! Regions grow from the bottom up: rounds of merging neighbours, the roundest unions first (V5, V6).
//!
//! A round pairs regions along the links whose union has the best shape factor √area / perimeter. The pairing is the
//! one a greedy pass over all links sorted by shape factor would find, without the sort: each region points at its
//! best free neighbour, and two that point at each other merge (R. Preis, 1999). Factors are compared in steps of
//! 1/256 and ties go to the lowest ids, so that a regular mesh merges in step and its regions stay regular.

use crate::parallel;

/// Regions that one thread takes at a time.
const PIECE: usize = 1 << 10;

/// No region.
const NONE: u32 = u32::MAX;

/// The border between a region and one neighbour.
#[derive(Clone, Copy)]
pub(crate) struct Link {
    pub to: u32,
    pub length: f32,
}

/// The regions of one round and who borders on whom. Links run both ways.
#[derive(Default)]
pub(crate) struct Graph {
    /// Triangles in each region.
    pub size: Vec<u32>,
    pub area: Vec<f64>,
    pub perimeter: Vec<f64>,
    /// First link of each region, and the number of links last.
    pub(super) starts: Vec<u32>,
    pub(super) links: Vec<Link>,
}

/// Which regions a round merges.
#[derive(Debug)]
pub(crate) struct MergeGroups {
    /// The union of each region.
    pub of: Vec<u32>,
    /// Number of unions.
    pub count: usize,
}

impl MergeGroups {
    /// The regions of each union, ascending.
    pub fn members(&self) -> crate::csr::Csr {
        members(&self.of, self.count)
    }
}

/// The members of each group, ascending.
pub(crate) fn members(group: &[u32], groups: usize) -> crate::csr::Csr {
    crate::csr::Csr::from_pairs(groups, group.iter().enumerate().map(|(r, &g)| (g, r as u32)))
}

impl Graph {
    /// One graph of several parts, whose links have the numbers of the whole.
    pub fn join(parts: &[Self]) -> Self {
        let (regions, links) = (parts.iter().map(Self::len).sum(), parts.iter().map(|p| p.links.len()).sum());
        let mut graph = Self {
            size: Vec::with_capacity(regions),
            area: Vec::with_capacity(regions),
            perimeter: Vec::with_capacity(regions),
            starts: Vec::with_capacity(regions + 1),
            links: Vec::with_capacity(links),
        };
        graph.starts.push(0);
        for part in parts {
            let first = graph.links.len() as u32;
            graph.size.extend_from_slice(&part.size);
            graph.area.extend_from_slice(&part.area);
            graph.perimeter.extend_from_slice(&part.perimeter);
            graph.starts.extend(part.starts.iter().map(|end| end + first));
            graph.links.extend_from_slice(&part.links);
        }
        graph
    }

    /// Number of regions.
    pub fn len(&self) -> usize {
        self.size.len()
    }

    /// Whether a region borders on no other.
    pub fn is_alone(&self, region: usize) -> bool {
        self.starts[region] == self.starts[region + 1]
    }

    /// The neighbours of a region, each once, and how long the common border is.
    pub fn links(&self, region: usize) -> &[Link] {
        &self.links[self.starts[region] as usize..self.starts[region + 1] as usize]
    }

    /// A round of pairs. `None` when nothing can merge.
    pub fn pairs(&self) -> Option<MergeGroups> {
        let mut union = Unions::new(self.len());
        self.pair_up(u32::MAX, &mut union);
        union.groups()
    }

    /// A round of pairs, to which regions without a partner are added; no union has more than `size` triangles. `None`
    /// when nothing can merge.
    pub fn pairs_and_leftovers(&self, size: u32) -> Option<MergeGroups> {
        let mut union = Unions::new(self.len());
        self.pair_up(size, &mut union);
        self.take_in_the_rest(size, &mut union);
        union.groups()
    }

    /// Merges best pairs until no two free neighbours are left.
    fn pair_up(&self, limit: u32, union: &mut Unions) {
        let mut best = vec![NONE; self.len()];
        parallel::for_each_chunk(&mut best, PIECE, |first, best| {
            best.iter_mut().enumerate().for_each(|(i, best)| *best = self.best_free(first + i, limit, union));
        });
        let mut merged = Vec::new();
        for r in 0..self.len() {
            let b = best[r];
            if b != NONE && union.is_free(r) && union.is_free(b as usize) && best[b as usize] == r as u32 {
                union.merge(r, b as usize, self.size[r] + self.size[b as usize]);
                merged.extend([r as u32, b]);
            }
            // Those that pointed at the two look for their next best.
            while let Some(taken) = merged.pop() {
                for link in self.links(taken as usize) {
                    let w = link.to as usize;
                    if !union.is_free(w) || best[w] != taken {
                        continue;
                    }
                    best[w] = self.best_free(w, limit, union);
                    let b = best[w];
                    if b != NONE && best[b as usize] == w as u32 {
                        union.merge(w, b as usize, self.size[w] + self.size[b as usize]);
                        merged.extend([w as u32, b]);
                    }
                }
            }
        }
    }

    /// A region left alone joins the union of a neighbour that has room.
    fn take_in_the_rest(&self, limit: u32, union: &mut Unions) {
        for r in 0..self.len() {
            if !union.is_free(r) {
                continue;
            }
            let room = |to: usize| {
                let u = union.lead[to] as usize;
                u != NONE as usize && union.size[u] + self.size[r] <= limit
            };
            let home = self.best(r, room);
            if home != NONE {
                union.join(r, union.lead[home as usize] as usize, self.size[r]);
            }
        }
    }

    fn best_free(&self, region: usize, limit: u32, union: &Unions) -> u32 {
        self.best(region, |to| union.is_free(to) && self.size[region].saturating_add(self.size[to]) <= limit)
    }

    /// The allowed neighbour that makes the roundest union; the lowest of equals.
    fn best(&self, region: usize, allowed: impl Fn(usize) -> bool) -> u32 {
        let (mut best, mut best_factor) = (NONE, 0);
        for link in self.links(region) {
            let to = link.to as usize;
            if to == region || !allowed(to) {
                continue;
            }
            let factor = shape_factor(
                self.area[region] + self.area[to],
                self.perimeter[region] + self.perimeter[to] - 2.0 * f64::from(link.length),
            );
            if best == NONE || factor > best_factor || (factor == best_factor && link.to < best) {
                (best, best_factor) = (link.to, factor);
            }
        }
        best
    }

    /// The graph of the unions of a round.
    pub fn contract(&self, groups: &MergeGroups) -> Self {
        let members = groups.members();
        let ranges = (0..groups.count).step_by(PIECE).map(|first| first..(first + PIECE).min(groups.count));
        let parts = parallel::map(ranges.collect(), &mut Vec::new(), |slots: &mut Vec<u32>, range| {
            slots.resize(groups.count, NONE);
            let mut part = Self::default();
            range.for_each(|g| self.contract_one(g, members.row(g), &groups.of, slots, &mut part));
            part
        });
        Self::join(&parts)
    }

    /// Adds a union to a graph. `slots` says where the link to another may stand among those of the graph.
    fn contract_one(&self, g: usize, members: &[u32], group: &[u32], slots: &mut [u32], next: &mut Self) {
        let first = next.links.len();
        let (mut size, mut area, mut perimeter) = (0, 0.0, 0.0);
        for &r in members {
            let r = r as usize;
            size += self.size[r];
            area += self.area[r];
            perimeter += self.perimeter[r];
            for link in self.links(r) {
                let to = group[link.to as usize];
                if to as usize == g {
                    // Inside now; the other direction subtracts its share too.
                    perimeter -= f64::from(link.length);
                    continue;
                }
                let at = slots[to as usize] as usize;
                // What is left of other unions leads elsewhere, or stands before.
                if at >= first && next.links.get(at).is_some_and(|known| known.to == to) {
                    next.links[at].length += link.length;
                } else {
                    slots[to as usize] = next.links.len() as u32;
                    next.links.push(Link { to, length: link.length });
                }
            }
        }
        next.size.push(size);
        next.area.push(area);
        next.perimeter.push(perimeter);
        next.starts.push(next.links.len() as u32);
    }
}

/// The unions formed so far in a round; each is named by one of its members.
struct Unions {
    lead: Vec<u32>,
    size: Vec<u32>,
}

impl Unions {
    fn new(n: usize) -> Self {
        Self { lead: vec![NONE; n], size: vec![0; n] }
    }

    fn is_free(&self, region: usize) -> bool {
        self.lead[region] == NONE
    }

    fn merge(&mut self, a: usize, b: usize, size: u32) {
        (self.lead[a], self.lead[b]) = (a as u32, a as u32);
        self.size[a] = size;
    }

    fn join(&mut self, region: usize, lead: usize, size: u32) {
        self.lead[region] = lead as u32;
        self.size[lead] += size;
    }

    /// Numbers the unions, and the regions that stay alone, by lowest member. `None` when all stay alone.
    fn groups(&self) -> Option<MergeGroups> {
        let mut of_lead = vec![NONE; self.lead.len()];
        let mut count = 0;
        let of = (0..self.lead.len())
            .map(|r| {
                let lead = if self.lead[r] == NONE { r } else { self.lead[r] as usize };
                if of_lead[lead] == NONE {
                    of_lead[lead] = count;
                    count += 1;
                }
                of_lead[lead]
            })
            .collect();
        ((count as usize) < self.lead.len()).then_some(MergeGroups { of, count: count as usize })
    }
}

/// How round a region is, √area / perimeter, in steps of 1/256 (V6).
pub(crate) fn shape_factor(area: f64, perimeter: f64) -> u32 {
    (256.0 * area.sqrt() / perimeter.max(f64::MIN_POSITIVE)) as u32
}
