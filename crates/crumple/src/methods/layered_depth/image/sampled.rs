//! Volumes from layers alone: the sum of the spans.
//!
//! Bounds need to know which columns a surface touches, not only which centre rays it crosses, and layers do not tell
//! that: the bounds are the trivial ones, nothing and the whole volume of interest.

use super::super::voi::Voi;
use super::super::volume::overlap::Overlap;
use super::super::volume::self_overlap::SelfOverlap;
use super::layers::{BadLayers, Layers};
use super::spans::Spans;
use super::view::View;

impl View<'_> {
    /// The volume that two bodies share, from their layers in this view.
    pub fn overlap_of(&self, layers: &[Layers; 2]) -> Result<Overlap, BadLayers> {
        self.check(&layers[0])?;
        let spans = layers[0].common(&layers[1])?;
        Ok(Overlap {
            depth_complexity: layers.each_ref().map(Layers::depth_complexity),
            layers: layers.each_ref().map(Layers::count),
            unbalanced_rays: layers.each_ref().map(Layers::unbalanced_rays),
            ..Overlap::of_spans(&spans, self.voi())
        })
    }

    /// The volume in which a body overlaps itself, from its layers in this view.
    pub fn self_overlap_of(&self, layers: &Layers) -> Result<SelfOverlap, BadLayers> {
        self.check(layers)?;
        let spans = layers.misordered();
        Ok(SelfOverlap {
            volume: spans.volume(),
            upper: upper(self.voi(), &spans),
            resolution: self.lattice().resolution,
            misordered_rays: spans.as_slice().chunk_by(|a, b| a.pixel == b.pixel).count(),
            unbalanced_rays: layers.unbalanced_rays(),
            is_inside_out: layers.sign() < 0,
            ..SelfOverlap::default()
        })
    }

    fn check(&self, layers: &Layers) -> Result<(), BadLayers> {
        if layers.lattice() == self.lattice() { Ok(()) } else { Err(BadLayers::Lattices) }
    }
}

/// The volume of interest; the sum of spans that fill it may be larger by rounding.
fn upper(voi: &Voi, spans: &Spans) -> f64 {
    voi.volume_above().max(spans.volume())
}

impl Overlap {
    /// What the spans of a volume of interest tell about it.
    pub(crate) fn of_spans(spans: &Spans, voi: &Voi) -> Self {
        Self {
            volume: spans.volume(),
            upper: upper(voi, spans),
            sampled: spans.volume(),
            resolution: spans.lattice().resolution,
            axis: voi.axis,
            spans: spans.len(),
            centroid: spans.centroid(),
            bounds: spans.bounds(),
            ..Self::default()
        }
    }
}
