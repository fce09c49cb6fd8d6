//! `crumple overlap --gpu`: volumes from layers that are drawn elsewhere, the paper's stages 1 to 3a.

use crumple::methods::layered_depth::{Overlap, Resolution, SelfOverlap, Volumes};
use crumple::{BodyId, Error};

use crate::gpu::Drawer;

/// The volume that the first two bodies share.
pub fn overlap(
    volumes: &mut Volumes<'_>,
    resolution: Resolution,
    drawer: &mut Drawer,
) -> Result<Overlap, Error> {
    let Some(mut view) = volumes.view([BodyId(0), BodyId(1)], resolution)? else {
        return Ok(Overlap::default());
    };
    let layers = [drawer.layers(&mut view, 0), drawer.layers(&mut view, 1)];
    Ok(view.overlap_of(&layers).expect("both are of this view"))
}

/// The volume in which the first body overlaps itself.
pub fn self_overlap(
    volumes: &mut Volumes<'_>,
    resolution: Resolution,
    drawer: &mut Drawer,
) -> Result<SelfOverlap, Error> {
    let Some(mut view) = volumes.view_of(BodyId(0), resolution)? else { return Ok(SelfOverlap::default()) };
    let layers = drawer.layers(&mut view, 0);
    Ok(view.self_overlap_of(&layers).expect("they are of this view"))
}
