//! The invariants of the octree, by number.

use super::super::keys::PrimitiveKeys;
use super::{BLOCK, Kind, NONE, Octree, WIDTH};
use crate::geometry::Aabb32;

impl Octree {
    /// Checks O1 to O4 for primitives that have these boxes now; names the broken one.
    pub fn check(&self, images: &[Aabb32], keyed: &PrimitiveKeys) -> Result<(), (&'static str, String)> {
        let mut seen = vec![false; images.len()];
        if self.root != NONE {
            self.check_below(self.root, NONE, images, keyed, &mut seen)?;
        }
        for (id, image) in images.iter().enumerate() {
            if seen[id] == image.is_empty() {
                return Err(("O1", format!("primitive {id} is in no block, or in one without being there")));
            }
        }
        Ok(())
    }

    fn check_below(
        &self,
        what: u32,
        parent: u32,
        images: &[Aabb32],
        keyed: &PrimitiveKeys,
        seen: &mut [bool],
    ) -> Result<u32, (&'static str, String)> {
        if self.parent_of(what) != parent {
            return Err(("O4", format!("{what:#x} does not know its parent {parent:#x}")));
        }
        let is_block = what & BLOCK != 0;
        let lanes = if is_block { &self.blocks[(what ^ BLOCK) as usize] } else { &self.nodes[what as usize] };
        let mut count = 0;
        for lane in 0..WIDTH {
            let held = lanes.refs.0[lane];
            let expected = match (held, is_block) {
                (NONE, _) => Aabb32::EMPTY,
                (id, true) => {
                    if std::mem::replace(&mut seen[id as usize], true) {
                        return Err(("O1", format!("primitive {id} is in two lanes")));
                    }
                    count += 1;
                    images[id as usize]
                }
                (child, false) => {
                    count += self.check_below(child, what, images, keyed, seen)?;
                    self.check_octant(what, lane, child, keyed)?;
                    *self.bounds(child)
                }
            };
            let image = lanes.image(lane);
            if image != expected {
                return Err(("O2", format!("lane {lane} of {what:#x} has the box of something else")));
            }
        }
        let all = lanes.union();
        if all != *self.bounds(what) {
            return Err(("O2", format!("{what:#x} has the box of something else")));
        }
        if count == 0 || (!is_block && self.metas[what as usize].count != count) {
            return Err(("O4", format!("{what:#x} miscounts its {count} primitives")));
        }
        Ok(count)
    }

    fn check_octant(
        &self,
        node: u32,
        lane: usize,
        child: u32,
        keyed: &PrimitiveKeys,
    ) -> Result<(), (&'static str, String)> {
        let meta = &self.metas[node as usize];
        if meta.kind == Kind::Parts || !self.is_ordered {
            return Ok(());
        }
        let grid = &self.grids[meta.cell.grid as usize];
        let mut ids = Vec::new();
        self.collect(child, &mut ids);
        let shift = 3 * (grid.bits - 1 - meta.cell.level);
        match ids.iter().find(|&&id| (grid.code(keyed.point(id)) >> shift & 7) as usize != lane) {
            None => Ok(()),
            Some(id) => Err(("O3", format!("primitive {id} is not in octant {lane} of node {node}"))),
        }
    }

    fn parent_of(&self, what: u32) -> u32 {
        if what & BLOCK != 0 {
            self.block_parents[(what ^ BLOCK) as usize]
        } else {
            self.metas[what as usize].parent
        }
    }
}
