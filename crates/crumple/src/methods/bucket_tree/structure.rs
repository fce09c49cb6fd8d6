//! The tree of one body: adaptive, or of fixed depth.

use super::descent::{Both, Hierarchy};
use super::full::FullTree;
use super::image::Image;
use super::octree::{Descent, Found, Lists, Octree};
use super::params::{Boxes, BucketTreeParams, Depth, Split};
use super::places::Places;
use crate::Stats;
use crate::geometry::Aabb;
use crate::geometry::simd;

/// Either tree.
#[derive(Debug, Clone)]
pub(super) enum Structure {
    Adaptive(Octree),
    Full(FullTree),
}

macro_rules! either {
    ($self:expr, $tree:ident => $do:expr) => {
        match $self {
            Structure::Adaptive($tree) => $do,
            Structure::Full($tree) => $do,
        }
    };
}

impl Hierarchy for Structure {
    fn root(&self) -> Option<u32> {
        either!(self, tree => Hierarchy::root(tree))
    }

    fn bounds(&self, node: u32) -> Aabb {
        either!(self, tree => Hierarchy::bounds(tree, node))
    }

    fn children(&self, node: u32, into: &mut [u32; 8]) -> usize {
        either!(self, tree => Hierarchy::children(tree, node, into))
    }

    fn items(&self, node: u32, each: impl FnMut(u32)) {
        either!(self, tree => Hierarchy::items(tree, node, each))
    }

    fn is_bucket(&self, node: u32) -> bool {
        either!(self, tree => Hierarchy::is_bucket(tree, node))
    }
}

impl Structure {
    pub fn new(params: &BucketTreeParams) -> Self {
        match params.depth {
            Depth::Adaptive => Self::Adaptive(Octree::default()),
            Depth::Levels(_) => Self::Full(FullTree::default()),
        }
    }

    /// Places everything anew.
    pub fn build(&mut self, places: &mut Places, params: &BucketTreeParams) {
        match self {
            Self::Adaptive(tree) => {
                places.sort();
                tree.build(places);
            }
            Self::Full(tree) => tree.build(places, params.boxes == Boxes::Refitted),
        }
    }

    /// Makes edits possible after a build.
    pub fn prepare_edits(&mut self, places: &Places) {
        if let Self::Adaptive(tree) = self {
            tree.note_homes(places.images.len());
        }
    }

    pub fn insert(&mut self, id: u32, places: &Places) {
        either!(self, tree => tree.insert(id, places));
    }

    pub fn remove(&mut self, id: u32, places: &Places) {
        either!(self, tree => tree.remove(id, places));
    }

    pub fn relocate(&mut self, id: u32, places: &Places) {
        either!(self, tree => tree.relocate(id, places));
    }

    pub fn check(&self, images: &[Image], places: &Places) -> Result<(), (&'static str, String)> {
        match self {
            Self::Adaptive(tree) => tree.check(images, places),
            Self::Full(tree) => tree.check(places),
        }
    }

    /// Whether pairs can be searched eight at a time.
    pub fn has_lanes(&self, split: Split) -> bool {
        matches!(self, Self::Adaptive(_)) && split == Split::Larger
    }

    /// The box of everything, as an image.
    pub fn extent(&self) -> Image {
        match self {
            Self::Adaptive(tree) => tree.root().map_or(Image::EMPTY, |root| *tree.bounds(root)),
            Self::Full(tree) => Hierarchy::root(tree).map_or(Image::EMPTY, |root| tree.image(root)),
        }
    }

    /// The box of a node, as an image.
    pub fn image(&self, node: u32) -> Image {
        match self {
            Self::Adaptive(tree) => *tree.bounds(node),
            Self::Full(tree) => tree.image(node),
        }
    }

    /// Every bucket that holds something: its box and its primitives.
    pub fn each_bucket(&self, mut each: impl FnMut(Aabb, &[u32])) {
        let mut items = Vec::new();
        either!(self, tree => {
            let mut stack: Vec<u32> = Hierarchy::root(tree).into_iter().collect();
            while let Some(node) = stack.pop() {
                let mut children = [0; 8];
                if Hierarchy::is_bucket(tree, node) {
                    items.clear();
                    collect(tree, node, &mut items);
                    items.sort_unstable();
                    each(Hierarchy::bounds(tree, node), &items);
                } else {
                    let count = Hierarchy::children(tree, node, &mut children);
                    stack.extend(children[..count].iter().rev());
                }
            }
        });
    }

    /// Every leaf of the tree: its primitives. A leaf of the adaptive tree is a block, of the other a bucket.
    pub fn each_leaf(&self, mut each: impl FnMut(&[u32])) {
        let mut items = Vec::new();
        let mut stack: Vec<u32> = Hierarchy::root(self).into_iter().collect();
        while let Some(node) = stack.pop() {
            let mut children = [0; 8];
            match Hierarchy::children(self, node, &mut children) {
                0 => {
                    self.items(node, &mut items);
                    each(&items);
                }
                count => stack.extend(children[..count].iter().rev()),
            }
        }
    }

    /// The primitive in a slot of an adaptive tree; of the other tree, slots are primitives.
    #[inline(always)]
    pub fn item(&self, slot: u32) -> u32 {
        match self {
            Self::Adaptive(tree) => tree.item(slot),
            Self::Full(_) => slot,
        }
    }

    /// The primitives of one leaf.
    pub fn items(&self, leaf: u32, out: &mut Vec<u32>) {
        out.clear();
        either!(self, tree => Hierarchy::items(tree, leaf, |id| out.push(id)));
    }

    /// Leaves of two trees, or of one with itself, whose boxes overlap.
    pub fn leaf_pairs(
        a: &Self,
        b: Option<&Self>,
        split: Split,
        stats: &mut Stats,
        found: impl FnMut(u32, u32),
    ) {
        fn run<A: Hierarchy>(
            a: &A,
            b: Option<&A>,
            split: Split,
            stats: &mut Stats,
            found: impl FnMut(u32, u32),
        ) {
            let Some(x) = a.root() else { return };
            let mut both = Both { a, b: b.unwrap_or(a), split, stats, found };
            match b {
                None => both.within(x),
                Some(b) => b.root().into_iter().for_each(|y| both.between(x, y)),
            }
        }
        match (a, b) {
            (Self::Adaptive(a), None) => run(a, None, split, stats, found),
            (Self::Full(a), None) => run(a, None, split, stats, found),
            (Self::Adaptive(a), Some(Self::Adaptive(b))) => run(a, Some(b), split, stats, found),
            (Self::Full(a), Some(Self::Full(b))) => run(a, Some(b), split, stats, found),
            _ => unreachable!("trees of one owner are of one kind"),
        }
    }

    /// Goes on with tasks of two adaptive trees; see [`Descent`].
    pub fn descend<F: Found>(
        a: &Self,
        b: Option<&Self>,
        lists: &mut Lists,
        limit: usize,
        sink: &mut F,
        stats: &mut Stats,
    ) {
        if let (Self::Adaptive(a), Self::Adaptive(other)) = (a, b.unwrap_or(a)) {
            simd::dispatch(Descent { a, b: other, is_self: b.is_none(), lists, limit, sink, stats });
        }
    }

    /// Lists the first task of two adaptive trees, or of one with itself.
    pub fn begin(a: &Self, b: Option<&Self>, lists: &mut Lists) {
        if let (Self::Adaptive(a), Self::Adaptive(b)) = (a, b.unwrap_or(a))
            && let (Some(x), Some(y)) = (a.root(), b.root())
            && a.bounds(x).overlaps(b.bounds(y))
        {
            lists.tasks.push(x, y);
        }
    }
}

fn collect<H: Hierarchy>(tree: &H, node: u32, out: &mut Vec<u32>) {
    tree.items(node, |id| out.push(id));
    let mut children = [0; 8];
    let count = tree.children(node, &mut children);
    children[..count].iter().for_each(|&c| collect(tree, c, out));
}
