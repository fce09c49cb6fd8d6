//! Space cut into boxes by planes, one plane at a time (a k-d tree).

/// Half-open boxes that fill space: a point on a plane is above it.
#[derive(Debug, Clone)]
pub struct Cut {
    nodes: Vec<Node>,
    boxes: Vec<[[f64; 3]; 2]>,
}

#[derive(Debug, Clone, Copy)]
enum Node {
    /// Points with `p[axis] < at` go on at the first node, others at the second.
    Plane {
        axis: usize,
        at: f64,
        below: usize,
        above: usize,
    },
    Tile(usize),
}

impl Cut {
    /// So many boxes with about equally many of the sample's points in each.
    pub fn new(mut sample: Vec<[f64; 3]>, tiles: usize) -> Self {
        let mut cut = Self { nodes: Vec::new(), boxes: Vec::new() };
        cut.divide(&mut sample, tiles, [[f64::NEG_INFINITY; 3], [f64::INFINITY; 3]]);
        cut
    }

    fn divide(&mut self, sample: &mut [[f64; 3]], tiles: usize, room: [[f64; 3]; 2]) -> usize {
        let node = self.nodes.len();
        if tiles == 1 {
            self.nodes.push(Node::Tile(self.boxes.len()));
            self.boxes.push(room);
            return node;
        }
        let (mut low, mut high) = ([f64::INFINITY; 3], [f64::NEG_INFINITY; 3]);
        for p in sample.iter() {
            for k in 0..3 {
                (low[k], high[k]) = (low[k].min(p[k]), high[k].max(p[k]));
            }
        }
        let longest = |&a: &usize, &b: &usize| (high[a] - low[a]).total_cmp(&(high[b] - low[b]));
        let axis = (0..3).max_by(longest).unwrap_or(0);
        let first = tiles / 2;
        let (middle, at) = if sample.is_empty() {
            // Nothing to be cut: the second half of the tiles is empty.
            (0, room[1][axis])
        } else {
            let middle = (sample.len() * first / tiles).min(sample.len() - 1);
            sample.select_nth_unstable_by(middle, |p, q| p[axis].total_cmp(&q[axis]));
            (middle, sample[middle][axis])
        };
        self.nodes.push(Node::Tile(usize::MAX));
        let (left, right) = sample.split_at_mut(middle);
        let (mut under, mut over) = (room, room);
        (under[1][axis], over[0][axis]) = (at, at);
        let below = self.divide(left, first, under);
        let above = self.divide(right, tiles - first, over);
        self.nodes[node] = Node::Plane { axis, at, below, above };
        node
    }

    /// The lower end of a tile's box, itself included.
    pub fn low(&self, tile: usize) -> [f64; 3] {
        self.boxes[tile][0]
    }

    /// The upper end, itself excluded.
    pub fn high(&self, tile: usize) -> [f64; 3] {
        self.boxes[tile][1]
    }

    /// Calls `each` with every tile whose box meets this closed box.
    pub fn tiles_of(&self, low: [f64; 3], high: [f64; 3], mut each: impl FnMut(usize)) {
        let mut stack = [0; 64];
        let mut depth = 1;
        while depth > 0 {
            depth -= 1;
            match self.nodes[stack[depth]] {
                Node::Tile(tile) => each(tile),
                Node::Plane { axis, at, below, above } => {
                    // At most 512 tiles halve nine times, so that ten nodes wait at most.
                    if high[axis] >= at {
                        (stack[depth], depth) = (above, depth + 1);
                    }
                    if low[axis] < at {
                        (stack[depth], depth) = (below, depth + 1);
                    }
                }
            }
        }
    }

    /// The planes, for a hash.
    pub fn planes(&self) -> impl Iterator<Item = f64> + '_ {
        self.boxes.iter().flatten().flatten().copied()
    }
}

/// Whether a half-open box holds a point.
pub fn holds(low: [f64; 3], high: [f64; 3], p: [f64; 3]) -> bool {
    // The last box has no end, so that even infinity would be in one.
    (0..3).all(|k| low[k] <= p[k] && (p[k] < high[k] || high[k] == f64::INFINITY))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn points(n: u32) -> Vec<[f64; 3]> {
        // Many ties: coordinates on a small grid.
        let digit = |i: u32, k: u32| f64::from((i.wrapping_mul(2_654_435_761) >> (7 * k)) % 6);
        (0..n).map(|i| [digit(i, 0), digit(i, 1), digit(i, 2)]).collect()
    }

    #[test]
    fn every_point_is_in_exactly_one_tile() {
        for tiles in [1, 2, 3, 7, 16, 40] {
            let cut = Cut::new(points(500), tiles);
            assert_eq!(cut.boxes.len(), tiles);
            for p in points(800).into_iter().chain([[-1e300; 3], [1e300; 3], [0.0, 5.0, 2.5]]) {
                let owners: Vec<usize> = (0..tiles).filter(|&k| holds(cut.low(k), cut.high(k), p)).collect();
                assert_eq!(owners.len(), 1, "{p:?} of {tiles}");
                let mut found = Vec::new();
                cut.tiles_of(p, p, |k| found.push(k));
                assert_eq!(found, owners);
            }
        }
    }

    #[test]
    fn a_box_is_in_every_tile_that_holds_one_of_its_points() {
        let cut = Cut::new(points(500), 12);
        for (a, b) in points(100).into_iter().zip(points(200).into_iter().rev()) {
            let low = std::array::from_fn(|k| a[k].min(b[k]));
            let high = std::array::from_fn(|k| a[k].max(b[k]));
            let mut found = Vec::new();
            cut.tiles_of(low, high, |k| found.push(k));
            for corner in 0..8 {
                let p = std::array::from_fn(|k| if corner >> k & 1 == 1 { high[k] } else { low[k] });
                let owner = (0..12).find(|&k| holds(cut.low(k), cut.high(k), p)).unwrap();
                assert!(found.contains(&owner));
            }
        }
    }

    #[test]
    fn a_sample_of_one_place_makes_empty_tiles() {
        let cut = Cut::new(vec![[1.0; 3]; 10], 5);
        assert_eq!((0..5).filter(|&k| holds(cut.low(k), cut.high(k), [1.0; 3])).count(), 1);
        assert_eq!(
            (0..3)
                .filter(|&k| holds(Cut::new(vec![], 3).low(k), Cut::new(vec![], 3).high(k), [0.0; 3]))
                .count(),
            1
        );
    }
}
