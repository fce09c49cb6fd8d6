//! What has no common edge is gathered by position: crumbs into patches, roots under one root.

use super::merge::Graph;
use super::tree::Draft;
use crate::geometry::Point;
use crate::patches::halve;

/// Something to be gathered by position: a point of it, and its number.
pub(crate) type Placed = (Point, u32);

/// Packs clusters that border on nothing and fill no patch with what lies near them. Returns the clusters of
/// each patch, and whether it is one region.
pub(crate) fn pack_crumbs(
    graph: &Graph,
    centre: impl Fn(u32) -> Point,
    patch: usize,
) -> (Vec<Vec<u32>>, Vec<bool>) {
    let is_crumb = |c: usize| graph.is_alone(c) && 2 * graph.size[c] as usize <= patch;
    let (crumbs, mut pieces): (Vec<_>, Vec<_>) = (0..graph.len()).partition(|&c| is_crumb(c));
    let mut pieces: Vec<Vec<u32>> = pieces.drain(..).map(|c| vec![c as u32]).collect();
    let mut items: Vec<Placed> = crumbs.into_iter().map(|c| (centre(c as u32), c as u32)).collect();
    let size = |items: &[Placed]| items.iter().map(|&(_, c)| graph.size[c as usize] as usize).sum::<usize>();
    let mut stack: Vec<&mut [Placed]> = vec![&mut items];
    while let Some(some) = stack.pop() {
        if some.is_empty() {
            continue;
        }
        if size(some) <= patch {
            pieces.push(some.iter().map(|&(_, c)| c).collect());
            continue;
        }
        let middle = some.len() / 2;
        let (low, high) = halve(some, middle, coordinate, number);
        stack.extend([high, low]);
    }
    let is_region = pieces.iter().map(|p| p.len() == 1).collect();
    (pieces, is_region)
}

/// Puts nodes under one root by halving space.
pub(crate) fn gather(items: &mut [Placed], draft: &mut Draft) -> u32 {
    if let [(_, only)] = items {
        return *only;
    }
    let middle = items.len() / 2;
    let (low, high) = halve(items, middle, coordinate, number);
    let children = vec![gather(low, draft), gather(high, draft)];
    draft.join(children, false)
}

/// Divides items by halving space until no part has more than `most`.
pub(crate) fn divide(items: &mut [Placed], most: usize, out: &mut Vec<Vec<u32>>) {
    if items.len() <= most {
        out.push(items.iter().map(|&(_, t)| t).collect());
        return;
    }
    let middle = items.len() / 2;
    let (low, high) = halve(items, middle, coordinate, number);
    divide(low, most, out);
    divide(high, most, out);
}

fn coordinate((p, _): &Placed, axis: usize) -> f64 {
    p[axis]
}

fn number((_, i): &Placed) -> u64 {
    u64::from(*i)
}
