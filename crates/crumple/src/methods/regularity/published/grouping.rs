//! Rounds that merge three regions or more into one (V5): as many as asked for, as nearly everywhere as possible.
//!
//! A union grows from a region by the free neighbour that makes it roundest (V6), until it is full. Regions with few
//! free neighbours begin, and a neighbour that would be left without any is taken first: so few unions stay small.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::methods::regularity::hierarchy::{Graph, MergeGroups, shape_factor};

/// No union.
const NONE: u32 = u32::MAX;

/// A round of unions of up to `arity` regions. `None` when nothing can merge.
pub(crate) fn grouped(graph: &Graph, arity: usize) -> Option<MergeGroups> {
    let mut growth = Growth::new(graph);
    while let Some(Reverse((free, region))) = growth.waiting.pop() {
        // What is waiting may be out of date: taken since, or with fewer free neighbours than it says.
        if growth.of[region as usize] == NONE && growth.free[region as usize] == free {
            growth.grow(region, arity);
        }
    }
    let count = growth.count as usize;
    (count < graph.len()).then_some(MergeGroups { of: growth.of, count })
}

struct Growth<'g> {
    graph: &'g Graph,
    /// The union of each region.
    of: Vec<u32>,
    /// Links of each region to free ones.
    free: Vec<u32>,
    /// Free regions by their number of free neighbours, then by id.
    waiting: BinaryHeap<Reverse<(u32, u32)>>,
    count: u32,
    /// Free neighbours of the union that grows, and their common border with it.
    fringe: Vec<(u32, f64)>,
}

impl<'g> Growth<'g> {
    fn new(graph: &'g Graph) -> Self {
        let free: Vec<u32> = (0..graph.len()).map(|r| graph.links(r).len() as u32).collect();
        let waiting = free.iter().zip(0u32..).map(|(&f, r)| Reverse((f, r))).collect();
        Self { graph, of: vec![NONE; graph.len()], free, waiting, count: 0, fringe: Vec::new() }
    }

    /// One union, from its first region.
    fn grow(&mut self, first: u32, arity: usize) {
        self.fringe.clear();
        let (mut area, mut perimeter) = (0.0, 0.0);
        let mut next = Some((first, 0.0));
        let mut members = 0;
        while let Some((region, border)) = next {
            area += self.graph.area[region as usize];
            perimeter += self.graph.perimeter[region as usize] - 2.0 * border;
            self.take(region);
            members += 1;
            next = if members < arity { self.best(area, perimeter) } else { None };
        }
        self.count += 1;
    }

    /// Puts a region into the union; its neighbours have one free neighbour less.
    fn take(&mut self, region: u32) {
        self.of[region as usize] = self.count;
        self.fringe.retain(|&(r, _)| r != region);
        for link in self.graph.links(region as usize) {
            let to = link.to as usize;
            self.free[to] -= 1;
            if self.of[to] != NONE {
                continue;
            }
            self.waiting.push(Reverse((self.free[to], link.to)));
            match self.fringe.iter_mut().find(|(r, _)| *r == link.to) {
                Some((_, border)) => *border += f64::from(link.length),
                None => self.fringe.push((link.to, f64::from(link.length))),
            }
        }
    }

    /// The neighbour to take next: one that would be left alone, else the one that makes the roundest union; the
    /// lowest of equals.
    fn best(&self, area: f64, perimeter: f64) -> Option<(u32, f64)> {
        let rank = |&(r, border): &(u32, f64)| {
            let (a, p) = (self.graph.area[r as usize], self.graph.perimeter[r as usize]);
            let factor = shape_factor(area + a, perimeter + p - 2.0 * border);
            (self.free[r as usize] == 0, factor, Reverse(r))
        };
        self.fringe.iter().copied().max_by_key(rank)
    }
}
