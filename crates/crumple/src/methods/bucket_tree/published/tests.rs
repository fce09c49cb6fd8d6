//! The paper's tree by itself; as a detector it is held to brute force in `tests/`.

use super::*;
use crate::geometry::Aabb;
use crate::geometry::Aabb32;
use crate::methods::bucket_tree::grid::Shape;
use crate::methods::bucket_tree::keys::{Extent, Layout, PrimitiveKeys};
use crate::methods::bucket_tree::tests::Draw;

/// Moves a third of the boxes, or in every seventh step all of them.
fn shake(keyed: &mut PrimitiveKeys, step: usize, draw: &mut Draw) -> Extent {
    let map = Map { origin: [0.0; 3], scale: 1.0 };
    let mut extent = Extent::EMPTY;
    for image in &mut keyed.images {
        if step.is_multiple_of(7) || draw.below(3) == 0 {
            *image = Aabb32::image(&Aabb::of(&draw.segment(0.1)), &map);
        }
        extent.add(image, image.centre());
    }
    extent
}

#[test]
fn both_algorithms_give_the_same_codes() {
    let mut draw = Draw(3);
    for bits in [2, 5] {
        let layout = Layout { bits, shape: Shape::Stretched, slack: 0.0 };
        let (mut direct, mut sorted) = (PrimitiveKeys::default(), PrimitiveKeys::default());
        let mut axes = SortedAxes::default();
        for step in 0..60 {
            direct.images.resize(300 + draw.below(40), Aabb32::EMPTY);
            let extent = shake(&mut direct, step, &mut draw);
            sorted.images.clone_from(&direct.images);
            direct.renew_grid(&extent.points, &layout);
            sorted.grid = direct.grid;
            direct.renew_keys();
            axes.renew_keys(&mut sorted, if step % 2 == 0 { 8 } else { u32::MAX });
            assert_eq!(direct.keys, sorted.keys, "step {step}");
        }
    }
}

#[test]
fn marks_wrap() {
    let mut draw = Draw(9);
    let layout = Layout { bits: 2, shape: Shape::Stretched, slack: 0.0 };
    let (mut keyed, mut octree) = (PrimitiveKeys::default(), FixedOctree::default());
    keyed.images.resize(100, Aabb32::EMPTY);
    for step in 0..6 {
        let extent = shake(&mut keyed, 7 * step, &mut draw);
        keyed.renew_grid(&extent.points, &layout);
        keyed.renew_keys();
        octree.build(&keyed, true);
        octree.check(&keyed).unwrap();
        if step == 2 {
            octree.wear_out();
        }
    }
}

#[test]
fn bad_parameters_are_refused() {
    assert!(PublishedBucketTree::new(PublishedParams { levels: 8, ..Default::default() }).is_err());
    assert!(PublishedBucketTree::new(PublishedParams { slack: f64::NAN, ..Default::default() }).is_err());
}
