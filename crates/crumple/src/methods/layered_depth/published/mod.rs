//! The paper to the letter: opposite views, one rendering per layer, entries and exits by turns.
//!
//! Each body is seen from its own outside face (H3); the two faces are opposite (H-A9). The first pass stores the first
//! fragment of each pixel and counts them all; pass n stores the n-th (H8, H9), up to the last (H-A1). Then each pixel
//! sorts its first n_p depths (H10) and takes them by turns as entry and exit; an entry without an exit lasts to the far
//! plane (H-A8). Orientation is not looked at, so that a body that overlaps itself comes out wrong (H-A16).

mod image;

pub use image::PublishedImage;

use super::image::spans::Spans;
use super::voi::{self, Voi};
use super::volume::overlap::Overlap;
use super::{LayeredDepth, LayeredDepthParams, Resolution, Volumes, points};
use crate::geometry::Aabb;
use crate::{Bodies, BodyId, Error, Frame, FrameError, Guarantee, Positions};

/// The paper's algorithm at work.
#[derive(Debug, Default)]
pub struct Published(LayeredDepth);

/// What can be asked about a frame; made by [`Published::update`].
#[derive(Debug)]
pub struct PublishedVolumes<'a>(Volumes<'a>);

/// The end of the volume of interest at which a body's rays start.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NearPlane {
    /// At the smallest coordinate.
    Min,
    /// At the largest coordinate.
    Max,
}

/// The paper's volume of interest: rays of the two bodies start at opposite outside faces.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PublishedVoi {
    /// The box that is sampled, and the axis of the rays.
    pub voi: Voi,
    /// Where the rays of each body start.
    pub near: [NearPlane; 2],
    /// Whether the box was extended so that both bodies have an outside face.
    pub is_extended: bool,
}

impl PublishedVoi {
    /// For each axis and each choice of ends: the near face of a body must lie outside it, that is, at the end of its
    /// own box; where the common part of the boxes ends earlier, that face is moved out to the box of the body (H4).
    /// The shortest extended length wins; the lowest axis on ties, and body a at the lower end (H-A10).
    fn new(a: &Aabb, b: &Aabb) -> Option<Self> {
        let common = voi::common(a, b)?.bounds;
        let mut best: Option<(f64, Self)> = None;
        for axis in 0..3 {
            for near in [[NearPlane::Min, NearPlane::Max], [NearPlane::Max, NearPlane::Min]] {
                let (low, high) = if near[0] == NearPlane::Min { (a, b) } else { (b, a) };
                let mut bounds = common;
                bounds.min[axis] = low.min[axis];
                bounds.max[axis] = high.max[axis];
                let length = bounds.max[axis] - bounds.min[axis];
                if best.as_ref().is_none_or(|(l, _)| length < *l) {
                    let voi = Voi { bounds, axis };
                    best = Some((length, Self { voi, near, is_extended: bounds != common }));
                }
            }
        }
        best.map(|(_, voi)| voi)
    }
}

impl Published {
    /// A method without bodies yet.
    #[must_use]
    pub fn new(params: LayeredDepthParams) -> Self {
        Self(LayeredDepth::new(params))
    }

    /// Takes a frame, about which the returned value answers.
    pub fn update<'a>(
        &'a mut self,
        bodies: &'a Bodies,
        frame: Frame<'a>,
    ) -> Result<PublishedVolumes<'a>, FrameError> {
        self.0.update(bodies, frame).map(PublishedVolumes)
    }
}

impl PublishedVolumes<'_> {
    /// The images of two bodies and the volume of interest; `None` where the boxes have no common volume.
    pub fn images(
        &mut self,
        bodies: [BodyId; 2],
        resolution: Resolution,
    ) -> Result<Option<(PublishedVoi, [PublishedImage; 2])>, Error> {
        let mut found = None;
        let find = |a: &Aabb, b: &Aabb| {
            found = PublishedVoi::new(a, b);
            found.map(|published| published.voi)
        };
        let view = self.0.see(&bodies, resolution, find)?;
        let Some((view, voi)) = view.zip(found) else { return Ok(None) };
        Ok(Some((voi, [0, 1].map(|k| PublishedImage::render(&view, k, voi.near[k])))))
    }

    /// The image of one body over its box; `None` where the box has no volume.
    pub fn image(&mut self, body: BodyId, resolution: Resolution) -> Result<Option<PublishedImage>, Error> {
        let mut near = NearPlane::Min;
        let find = |a: &Aabb, b: &Aabb| {
            let published = PublishedVoi::new(a, b)?;
            near = published.near[0];
            Some(published.voi)
        };
        let view = self.0.see(&[body], resolution, find)?;
        Ok(view.map(|view| PublishedImage::render(&view, 0, near)))
    }

    /// The volume common to two bodies: the sum of the spans, without a bound but the volume of interest.
    pub fn overlap(&mut self, bodies: [BodyId; 2], resolution: Resolution) -> Result<Overlap, Error> {
        let none = Overlap { guarantee: Guarantee::AsPublished, ..Overlap::default() };
        let Some((voi, images)) = self.images(bodies, resolution)? else { return Ok(none) };
        let [a, b] = &images;
        let spans = Spans::collect(a.lattice, |c, f| {
            let mut others = b.intervals(c).peekable();
            for mine in a.intervals(c) {
                while let Some(other) = others.peek() {
                    f([mine[0].max(other[0]), mine[1].min(other[1])]);
                    if other[1] > mine[1] {
                        break;
                    }
                    others.next();
                }
            }
        });
        Ok(Overlap {
            depth_complexity: images.each_ref().map(PublishedImage::depth_complexity),
            layers: images.each_ref().map(PublishedImage::count),
            guarantee: Guarantee::AsPublished,
            ..Overlap::of_spans(&spans, &voi.voi)
        })
    }

    /// For each point whether the nearest ray is inside the body at its depth (H16); wrong near the surface (H-A13).
    pub fn inside<'p>(
        &mut self,
        body: BodyId,
        points: impl Into<Positions<'p>>,
        resolution: Resolution,
    ) -> Result<Vec<bool>, Error> {
        let points = points.into();
        points::check(points)?;
        let image = self.image(body, resolution)?;
        let inside = |i: usize| image.as_ref().is_some_and(|image| image.contains(&points.get(i)));
        Ok((0..points.len()).map(inside).collect())
    }
}
