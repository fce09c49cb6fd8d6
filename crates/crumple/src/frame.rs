//! Where every vertex is now, and optionally where it was.

use std::sync::OnceLock;

use crate::geometry::extremes::{Extremes, PIECE, fours, strides};
use crate::geometry::simd::{F64x4, Simd, multiversion};
use crate::geometry::{Aabb, Point};
use crate::{Bodies, BodyId, FrameError, Mesh, VertexId, parallel};

/// Coordinates beyond this are refused: sixth powers of it still fit a `f64`, which the exact predicates need.
pub const MAX_COORDINATE: f64 = 1e50;

/// The positions of one body's vertices, borrowed from the caller as they are.
#[derive(Debug, Clone, Copy)]
pub enum Positions<'a> {
    /// Double precision, used without a copy where possible.
    F64(&'a [[f64; 3]]),
    /// Single precision, widened without loss.
    F32(&'a [[f32; 3]]),
}

impl Positions<'_> {
    /// Some of them.
    pub(crate) fn slice(&self, range: std::ops::Range<usize>) -> Self {
        match self {
            Self::F64(p) => Self::F64(&p[range]),
            Self::F32(p) => Self::F32(&p[range]),
        }
    }

    /// Number of vertices.
    pub fn len(&self) -> usize {
        match self {
            Self::F64(p) => p.len(),
            Self::F32(p) => p.len(),
        }
    }

    /// Whether there is no vertex.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The position of one vertex (counted within the body).
    #[inline]
    pub fn get(&self, vertex: usize) -> [f64; 3] {
        match self {
            Self::F64(p) => p[vertex],
            Self::F32(p) => p[vertex].map(f64::from),
        }
    }

    /// The smallest box that holds all positions.
    #[doc(hidden)]
    pub fn bounds(&self) -> Aabb {
        measure(*self).0
    }

    /// Appends the positions in double precision.
    pub(crate) fn append_to(&self, out: &mut Vec<Point>) {
        match self {
            Self::F64(p) => out.extend_from_slice(p),
            Self::F32(p) => out.extend(p.iter().map(|x| x.map(f64::from))),
        }
    }
}

/// The positions of one body in double precision: borrowed where they are, widened once into memory that is used again
/// where they are not.
#[derive(Debug, Clone, Default)]
pub(crate) struct Widened(Vec<Point>);
impl Widened {
    /// Takes in the positions of a frame.
    pub fn take(&mut self, given: Positions<'_>) {
        self.0.clear();
        if let Positions::F32(_) = given {
            given.append_to(&mut self.0);
        }
    }

    /// The positions last [taken](Widened::take), which are handed in again.
    #[inline]
    pub fn of<'a>(&'a self, given: Positions<'a>) -> &'a [Point] {
        match given {
            Positions::F64(p) => p,
            Positions::F32(p) => {
                debug_assert_eq!(p.len(), self.0.len(), "taken before");
                &self.0
            }
        }
    }
}

impl<'a> From<&'a [[f64; 3]]> for Positions<'a> {
    fn from(p: &'a [[f64; 3]]) -> Self {
        Self::F64(p)
    }
}

impl<'a> From<&'a [[f32; 3]]> for Positions<'a> {
    fn from(p: &'a [[f32; 3]]) -> Self {
        Self::F32(p)
    }
}

impl<'a> From<&'a Vec<[f64; 3]>> for Positions<'a> {
    fn from(p: &'a Vec<[f64; 3]>) -> Self {
        Self::F64(p)
    }
}

impl<'a> From<&'a Vec<[f32; 3]>> for Positions<'a> {
    fn from(p: &'a Vec<[f32; 3]>) -> Self {
        Self::F32(p)
    }
}

#[cfg(feature = "glam")]
impl<'a> From<&'a [glam::DVec3]> for Positions<'a> {
    fn from(p: &'a [glam::DVec3]) -> Self {
        Self::F64(bytemuck::cast_slice(p))
    }
}

#[cfg(feature = "glam")]
impl<'a> From<&'a [glam::Vec3]> for Positions<'a> {
    fn from(p: &'a [glam::Vec3]) -> Self {
        Self::F32(bytemuck::cast_slice(p))
    }
}

/// The positions of all bodies at one time, one entry per body; optionally where they were a step before.
///
/// ```
/// use crumple::{Frame, Positions};
/// let cloth = vec![[0.0, 0.0, 0.0]; 4];
/// let ball = vec![[0.0_f32, 0.0, 0.0]; 8];
/// let bodies = [Positions::from(&cloth), Positions::from(&ball)];
/// assert_eq!(Frame::new(&bodies).len(), 2);
/// let all = vec![cloth]; // bodies of one precision need no list of slices
/// assert_eq!(Frame::from(&all).len(), 1);
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Frame<'a> {
    now: PositionSource<'a>,
    before: Option<PositionSource<'a>>,
    /// Whether it was checked already.
    is_trusted: bool,
    /// Whether nothing moved since the frame before.
    is_at_rest: bool,
    /// The boxes of the bodies, found once for all who ask.
    boxes: Option<&'a [OnceLock<Aabb>]>,
    boxes_before: Option<&'a [OnceLock<Aabb>]>,
    /// Pairs of bodies that hold all that may touch, in this frame or on the way to it, found once for all who ask.
    near: Option<&'a [[BodyId; 2]]>,
}

/// One entry per body, as the caller has them.
#[derive(Debug, Clone, Copy)]
enum PositionSource<'a> {
    Mixed(&'a [Positions<'a>]),
    F64(&'a [Vec<[f64; 3]>]),
    F32(&'a [Vec<[f32; 3]>]),
}

impl<'a> PositionSource<'a> {
    fn len(self) -> usize {
        match self {
            Self::Mixed(all) => all.len(),
            Self::F64(all) => all.len(),
            Self::F32(all) => all.len(),
        }
    }

    fn get(self, body: usize) -> Positions<'a> {
        match self {
            Self::Mixed(all) => all[body],
            Self::F64(all) => Positions::F64(&all[body]),
            Self::F32(all) => Positions::F32(&all[body]),
        }
    }

    fn iter(self) -> impl ExactSizeIterator<Item = Positions<'a>> + Clone + use<'a> {
        (0..self.len()).map(move |body| self.get(body))
    }
}

impl<'a> From<&'a [Positions<'a>]> for Frame<'a> {
    fn from(now: &'a [Positions<'a>]) -> Self {
        Self::of_source(PositionSource::Mixed(now))
    }
}

impl<'a> From<&'a [Vec<[f64; 3]>]> for Frame<'a> {
    fn from(now: &'a [Vec<[f64; 3]>]) -> Self {
        Self::of_source(PositionSource::F64(now))
    }
}

impl<'a> From<&'a [Vec<[f32; 3]>]> for Frame<'a> {
    fn from(now: &'a [Vec<[f32; 3]>]) -> Self {
        Self::of_source(PositionSource::F32(now))
    }
}

impl<'a> From<&'a Vec<Vec<[f64; 3]>>> for Frame<'a> {
    fn from(now: &'a Vec<Vec<[f64; 3]>>) -> Self {
        now.as_slice().into()
    }
}

impl<'a, const N: usize> From<&'a [Vec<[f64; 3]>; N]> for Frame<'a> {
    fn from(now: &'a [Vec<[f64; 3]>; N]) -> Self {
        now.as_slice().into()
    }
}

impl<'a> From<&'a Vec<Vec<[f32; 3]>>> for Frame<'a> {
    fn from(now: &'a Vec<Vec<[f32; 3]>>) -> Self {
        now.as_slice().into()
    }
}

impl<'a> Frame<'a> {
    fn of_source(now: PositionSource<'a>) -> Self {
        Self {
            now,
            before: None,
            is_trusted: false,
            is_at_rest: false,
            boxes: None,
            boxes_before: None,
            near: None,
        }
    }

    /// With boxes of its bodies, each filled in when it is first asked for.
    pub(crate) fn with_boxes(self, boxes: &'a [OnceLock<Aabb>]) -> Self {
        debug_assert_eq!(boxes.len(), self.len());
        Self { boxes: Some(boxes), ..self }
    }

    /// With pairs of bodies, sorted, that hold all that may touch; of a step, all that may touch on the way.
    pub(crate) fn with_near(self, near: Option<&'a [[BodyId; 2]]>) -> Self {
        Self { near, ..self }
    }

    /// Pairs of bodies that hold all that may touch, where they are known.
    pub(crate) fn near(&self) -> Option<&'a [[BodyId; 2]]> {
        self.near
    }

    /// The box of all vertices of a body.
    pub(crate) fn body_bounds(&self, body: BodyId) -> Aabb {
        let find = || self.of(body).bounds();
        self.boxes.map_or_else(find, |boxes| *boxes[body.index()].get_or_init(find))
    }

    /// Positions now, one entry per body.
    pub fn new(now: &'a [Positions<'a>]) -> Self {
        now.into()
    }

    /// A step from `self` to `end`: the positions of `end` now, those of `self` before.
    pub fn step_to(self, end: Frame<'a>) -> Self {
        Self {
            before: Some(self.now),
            boxes: end.boxes,
            boxes_before: self.boxes,
            ..Self::of_source(end.now)
        }
    }

    /// The frame at the start of the step, when there is one.
    pub fn before(&self) -> Option<Frame<'a>> {
        let (is_trusted, boxes) = (self.is_trusted, self.boxes_before);
        self.before.map(|now| Frame { is_trusted, boxes, ..Self::of_source(now) })
    }

    /// The same frame, whose positions were checked when they were handed over: [`Frame::check`] has nothing to do.
    pub(crate) fn trusted(self) -> Self {
        Self { is_trusted: true, ..self }
    }

    /// The same frame, in which every vertex is where it was in the last one that the detector was brought to; vertices that
    /// an edit added since may be anywhere. Of a step this holds at both ends. [`Detector::update`](crate::Detector::update) then costs the edits, not the
    /// bodies. What is promised is not checked.
    pub fn at_rest(self) -> Self {
        Self { is_at_rest: true, ..self }
    }

    /// The same frame, of which nothing is promised.
    pub(crate) fn moving(self) -> Self {
        Self { is_at_rest: false, ..self }
    }

    /// Whether nothing moved since the frame before.
    pub(crate) fn is_at_rest(&self) -> bool {
        self.is_at_rest
    }

    /// Number of bodies.
    pub fn len(&self) -> usize {
        self.now.len()
    }

    /// Whether there is no body.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Positions of every body now.
    #[doc(hidden)]
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Positions<'a>> + Clone + use<'a> {
        self.now.iter()
    }

    /// Positions of one body now; `None` when there is no such body.
    pub fn get(&self, body: BodyId) -> Option<Positions<'a>> {
        (body.index() < self.len()).then(|| self.of(body))
    }

    /// Positions of one body now. The body is trusted to be there: see [`Frame::check`].
    pub(crate) fn of(&self, body: BodyId) -> Positions<'a> {
        self.now.get(body.index())
    }

    /// The smallest box that holds every position now.
    pub(crate) fn bounds(&self) -> Aabb {
        (0..self.len() as u32).fold(Aabb::EMPTY, |all, body| all.union(&self.body_bounds(BodyId(body))))
    }

    /// Checks that the frame fits the mesh and that every coordinate is finite and below [`MAX_COORDINATE`].
    ///
    /// Every detector calls this from `update`; past it, positions are trusted.
    #[doc(hidden)]
    pub fn check(&self, bodies: &Bodies) -> Result<(), FrameError> {
        if self.is_trusted {
            return Ok(());
        }
        self.measure(bodies, |_| {})
    }

    /// [`Frame::check`] in any case, which hands out the box of each body now.
    pub(crate) fn measure(&self, bodies: &Bodies, note: impl FnMut(Aabb)) -> Result<(), FrameError> {
        check_bodies(bodies, self.now, note)?;
        self.before.map_or(Ok(()), |before| check_bodies(bodies, before, |_| {}))
    }

    /// All positions in one array, in the order of the mesh's vertex ids.
    ///
    /// One body in double precision is borrowed; anything else is gathered into `scratch`. Checks as
    /// [`Frame::check`] does.
    pub(crate) fn flat<'s>(
        &self,
        bodies: &Bodies,
        scratch: &'s mut Vec<[f64; 3]>,
    ) -> Result<&'s [[f64; 3]], FrameError>
    where
        'a: 's,
    {
        self.check(bodies)?;
        if self.len() == 1
            && let Positions::F64(p) = self.now.get(0)
        {
            return Ok(p);
        }
        scratch.clear();
        self.iter().for_each(|body| body.append_to(scratch));
        Ok(scratch)
    }
}

/// Checks the positions of all bodies; hands out the box of each.
fn check_bodies(
    bodies: &Bodies,
    positions: PositionSource<'_>,
    mut note: impl FnMut(Aabb),
) -> Result<(), FrameError> {
    if positions.len() != bodies.meshes().len() {
        return Err(FrameError::BodyCount { given: positions.len(), expected: bodies.meshes().len() });
    }
    for (b, (positions, body)) in positions.iter().zip(bodies.meshes()).enumerate() {
        note(check_body(BodyId(b as u32), body, &positions)?);
    }
    Ok(())
}

/// Checks the positions of one body, which errors name by `id`; their box.
pub(crate) fn check_body(id: BodyId, body: &Mesh, positions: &Positions<'_>) -> Result<Aabb, FrameError> {
    let expected = body.vertex_count();
    if positions.len() != expected {
        return Err(FrameError::VertexCount { body: id, given: positions.len(), expected });
    }
    match measure(*positions) {
        (bounds, true) => Ok(bounds),
        _ => Err(first_fault(id, positions)),
    }
}

/// Vertices that one thread looks at, at a time: some 20 µs.
const SHARE: usize = 1 << 15;

/// The box of positions, and whether all are numbers that the engine takes. Threads look at pieces at the same time.
fn measure(positions: Positions<'_>) -> (Aabb, bool) {
    fn in_pieces<P: Sync>(points: &[P], look: impl Fn(&[P]) -> (Aabb, bool) + Sync) -> (Aabb, bool) {
        if !parallel::is_worth(points.len(), SHARE) {
            return look(points);
        }
        let pieces = parallel::map_chunks(points, SHARE, &mut (), |(), piece| look(piece));
        let join = |(bounds, ok): (Aabb, bool), piece: &(Aabb, bool)| (bounds.union(&piece.0), ok & piece.1);
        pieces.iter().fold((Aabb::EMPTY, true), join)
    }
    match positions {
        Positions::F64(p) => in_pieces(p, |p| measure_piece(Positions::F64(p))),
        Positions::F32(p) => in_pieces(p, |p| measure_piece(Positions::F32(p))),
    }
}

multiversion! {
    /// The same in one pass: it waits for memory, and what else is done meanwhile costs nothing.
    fn measure_piece<S: Simd>(simd: S, positions: Positions<'_>) -> (Aabb, bool) {
        let (mut extremes, mut zero) = (Extremes::empty(simd), S::F64x4::splat(simd, 0.0));
        match positions {
            Positions::F64(p) => zero = measure_row(simd, p.as_flattened(), &mut extremes, zero),
            Positions::F32(p) => {
                let mut wide = [0.0; PIECE];
                for piece in p.as_flattened().chunks(PIECE) {
                    wide.iter_mut().zip(piece).for_each(|(wide, x)| *wide = f64::from(*x));
                    zero = measure_row(simd, &wide[..piece.len()], &mut extremes, zero);
                }
            }
        }
        let mut zeros = [0.0; 4];
        zero.store(&mut zeros);
        // No zero keeps a sign, whichever of two was met first.
        let [min, max] = extremes.corners().map(|corner| corner.map(|x| x + 0.0));
        let is_within = |x: &f64| x.abs() <= MAX_COORDINATE;
        let is_valid = zeros == [0.0; 4] && [min, max].as_flattened().iter().all(is_within);
        (Aabb { min, max }, is_valid || positions.is_empty())
    }
}

/// Adds the numbers of a row to their extremes, and to `zero` what is 0 unless one of them is NaN, which extremes pass over, or
/// infinite.
#[inline(always)]
fn measure_row<S: Simd>(simd: S, row: &[f64], extremes: &mut Extremes<S>, mut zero: S::F64x4) -> S::F64x4 {
    let nothing = S::F64x4::splat(simd, 0.0);
    let (points, left) = strides(simd, row);
    for point in points {
        let [x, y, z] = fours(simd, point);
        extremes.add([x, y, z]);
        zero = zero + (x + y + z) * nothing;
    }
    if let Some([x, y, z]) = left {
        extremes.add([x, y, z]);
        zero = zero + (x + y + z) * nothing;
    }
    zero
}

#[cold]
fn first_fault(body: BodyId, positions: &Positions<'_>) -> FrameError {
    for v in 0..positions.len() {
        let position = positions.get(v);
        let vertex = VertexId(v as u32);
        if position.iter().any(|x| !x.is_finite()) {
            return FrameError::NotFinite { body, vertex, position };
        }
        if position.iter().any(|x| x.abs() > MAX_COORDINATE) {
            return FrameError::TooLarge { body, vertex, position };
        }
    }
    unreachable!("a chunk failed the bounds but no vertex does")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Of every length, so that points are left over beside fours; and wherever the one odd number is.
    #[test]
    fn one_pass_finds_the_box_and_the_fault() {
        for count in (0..40).chain([127, 128, 129, 1000]) {
            let number = |i: usize| ((i * 7919 + 13) % 1009) as f64 - 500.0;
            let double: Vec<Point> = (0..count).map(|i| [0, 1, 2].map(|k| number(3 * i + k))).collect();
            let single: Vec<[f32; 3]> = double.iter().map(|p| p.map(|x| x as f32)).collect();
            let expected = (Aabb::of(&double), true);
            assert_eq!(measure((&double).into()), expected, "{count}");
            assert_eq!(measure((&single).into()), expected, "{count}");
            for at in 0..3 * count {
                for odd in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1.1e50] {
                    let (mut double, mut single) = (double.clone(), single.clone());
                    double[at / 3][at % 3] = odd;
                    assert!(!measure((&double).into()).1, "{odd} at {at} of {count}");
                    single[at / 3][at % 3] = odd as f32;
                    assert!(!measure((&single).into()).1, "{odd} at {at} of {count}");
                }
            }
        }
        let zeros = measure((&vec![[-0.0, 0.0, -0.0], [0.0, -0.0, -0.0]]).into()).0;
        assert!([zeros.min, zeros.max].as_flattened().iter().all(|x| x.is_sign_positive()));
    }

    #[test]
    fn single_precision_is_widened_and_double_precision_borrowed() {
        let (single, double) = (vec![[0.1f32, -2.0, 3.5], [1.0, 0.3, -7.25]], vec![[0.1, 0.2, 0.3]]);
        let mut widened = Widened::default();
        widened.take((&single).into());
        let expected: Vec<_> = single.iter().map(|p| p.map(f64::from)).collect();
        assert_eq!(widened.of((&single).into()), expected);
        widened.take((&double).into());
        assert_eq!(widened.of((&double).into()).as_ptr(), double.as_ptr());
        assert!(widened.0.is_empty(), "of what was taken before nothing is left");
    }

    #[test]
    fn bounds_hold_bodies_of_both_precisions() {
        let (single, double) = (vec![[0.1f32, -2.0, 3.5], [1.0, 0.3, -7.25]], vec![[0.1, 0.2, 9.3]]);
        let bodies: [Positions<'_>; 3] = [(&single).into(), (&double).into(), Positions::F32(&[])];
        let frame = Frame::new(&bodies);
        let tenth = f64::from(0.1f32).min(0.1);
        assert_eq!(frame.bounds(), Aabb { min: [tenth, -2.0, -7.25], max: [1.0, f64::from(0.3f32), 9.3] });
        assert_eq!(bodies[2].bounds(), Aabb::EMPTY);
    }
}
