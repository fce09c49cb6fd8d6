//! `crumple overlap --gpu`: volumes from layers that are drawn elsewhere, the paper's stages 1 to 3a.
//!
//! The volume is the sum of the spans. Bounds need to know which pixels a surface covers, not only which centre rays it
//! crosses, and no layers tell that: they are the trivial ones, nothing and the whole volume of interest.

use crumple::methods::layered_depth::{LayeredDepth, Overlap, SelfOverlap, Spans, View};
use crumple::{Bodies, BodyId, Frame, Guarantee};

use crate::gpu::Drawer;

/// The volume that the first two bodies share.
pub fn overlap(
    method: &mut LayeredDepth,
    mesh: &Bodies,
    frame: Frame<'_>,
    drawer: &mut Drawer,
) -> Result<Overlap, crumple::Error> {
    let Some(mut view) = method.view(mesh, frame, BodyId(0), BodyId(1))? else {
        return Ok(Overlap::default());
    };
    let layers = [drawer.layers(&mut view, 0), drawer.layers(&mut view, 1)];
    let spans = layers[0].common(&layers[1]).expect("both are of one view");
    Ok(Overlap {
        volume: spans.volume(),
        lower: 0.0,
        upper: upper(&view, &spans),
        sampled: spans.volume(),
        resolution: view.lattice().resolution,
        axis: view.voi().axis,
        depth_complexity: layers.each_ref().map(|l| l.depth_complexity()),
        layers: layers.each_ref().map(|l| l.count()),
        spans: spans.len(),
        unbalanced_rays: layers.each_ref().map(|l| l.unbalanced_rays()),
        centroid: spans.centroid(),
        bounds: spans.bounds(),
        guarantee: Guarantee::Sampled,
    })
}

/// The volume in which the first body overlaps itself.
pub fn self_overlap(
    method: &mut LayeredDepth,
    mesh: &Bodies,
    frame: Frame<'_>,
    drawer: &mut Drawer,
) -> Result<SelfOverlap, crumple::Error> {
    let mut found = SelfOverlap::default();
    let Some(mut view) = method.view_of(mesh, frame, BodyId(0))? else { return Ok(found) };
    let layers = drawer.layers(&mut view, 0);
    let spans = layers.misordered();
    found.volume = spans.volume();
    found.upper = upper(&view, &spans);
    found.resolution = view.lattice().resolution;
    found.misordered_rays = spans.as_slice().chunk_by(|a, b| a.pixel == b.pixel).count();
    found.unbalanced_rays = layers.unbalanced_rays();
    found.is_inside_out = layers.sign() < 0;
    Ok(found)
}

/// The volume of interest; the sum of spans that fill it may be larger by rounding.
fn upper(view: &View<'_>, spans: &Spans) -> f64 {
    let size = view.voi().bounds.size();
    (size[0] * size[1] * size[2]).next_up().max(spans.volume())
}
