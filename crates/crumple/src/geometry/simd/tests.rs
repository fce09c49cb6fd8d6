//! Every back end against the reference, to the bit.

use super::*;
use crate::geometry::Map;

/// Everything that vectors of integers can do, as numbers.
struct Integers<'a>(&'a [i32]);

impl Kernel for Integers<'_> {
    type Output = Vec<i32>;

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> Vec<i32> {
        let n = self.0;
        let splat = |x: i32| S::I32x8::splat(simd, x);
        let mut out = Vec::new();
        for at in 0..n.len() - WIDTH - 3 {
            let (a, b) = (S::I32x8::load(simd, &n[at..]), S::I32x8::load(simd, &n[at + 3..]));
            let (low, high, by) = (a.min(b), a.max(b), at as u32 % 32);
            let (equal, outside) = (a.eq(splat(n[at + 2])), b.outside(splat(-5), splat(5)));
            for x in [low, high, (a + b) >> by, a - (b << by), a | b, a & outside] {
                let mut eight = [0; WIDTH];
                x.compress(0xff, &mut eight);
                out.extend(eight);
            }
            let inside = splat(n[at]).outside(low, high);
            let masks =
                [equal, outside, inside, a.gt(b), a.lt(b), equal | outside, equal & outside, !outside];
            out.extend(masks.map(|m| m.bitmask() as i32));
            out.push(i32::from(equal.any()));
            out.extend([a.reduce_min(), a.reduce_max()]);
            out.extend(a.to_f32().to_array().map(|x| x.to_bits() as i32));
            let (mask, mut some) = (at as u32 & 0xff, [0; WIDTH]);
            a.compress(mask, &mut some);
            out.extend(&some[..mask.count_ones() as usize]);
            let ids = Ids(std::array::from_fn(|i| n[at + i] as u32));
            out.push(S::I32x8::load_ids(simd, &ids).reduce_max());
        }
        out
    }
}

/// Points by index.
struct Gather<'a>(&'a [[i32; 4]], [i32; WIDTH]);

impl Kernel for Gather<'_> {
    type Output = [[i32; WIDTH]; 3];

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> Self::Output {
        let mut out = [[0; WIDTH]; 3];
        for (x, to) in S::I32x8::gather(simd, self.0, &self.1).into_iter().zip(&mut out) {
            x.compress(0xff, to);
        }
        out
    }
}

/// The same for numbers of single precision, as bits.
struct Singles<'a>(&'a [f32; 32], &'a [f64; 3]);

impl Kernel for Singles<'_> {
    type Output = Vec<u32>;

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> Vec<u32> {
        let row = |i: usize| Row(std::array::from_fn(|k| self.0[i + k]));
        let splat = |x: f32| S::F32x8::splat(simd, x);
        let (a, b) = (S::F32x8::load(simd, &row(0)), S::F32x8::load(simd, &row(8)));
        let points: [[f32; 4]; 8] =
            std::array::from_fn(|i| std::array::from_fn(|k| self.0[(4 * i + k) % 32]));
        let [x, y, z] = S::F32x4::transpose(points.map(|p| S::F32x4::load(simd, &p)));
        let mut out = Vec::new();
        let (sums, products) = ([splat(self.0[3]), a + b, a - b, -a], [a * b, a / b, a.min(b), a.max(b)]);
        let [u, v, w] = cross3([a, x, y], sub3(load3(simd, &[row(3), row(9), row(20)]), [z, a, b]));
        let others =
            [a.abs().sqrt(), S::F32x8::select(a.gt(b), a, b), dot3([x, y, z], splat3(simd, [1., 2., 3.]))];
        for x in [sums, products].into_iter().flatten().chain(others).chain([x, y, z, u, v, w]) {
            out.extend(x.to_array().map(f32::to_bits));
        }
        for by in 0..WIDTH {
            out.extend(a.rotate(by).to_array().map(f32::to_bits));
        }
        let map = Map { origin: [0.125, -3.5, 1e3], scale: 0.25 };
        let (placed, other) = (S::F32x4::map(simd, self.1, &map), S::F32x4::load(simd, &points[1]));
        for p in [placed, placed.min(other), placed.max(other)] {
            let mut to = [0.0; 4];
            p.store(&mut to);
            out.extend(to[..3].iter().map(|x| x.to_bits()));
        }
        simd.prefetch(self.1);
        let (le, gt) = (a.le(b), a.gt(splat(1.0)));
        out.extend([le, gt, a.lt(b), a.ge(b), le & gt, le | gt, !le].map(Mask::bitmask));
        let number = a.max(splat(-9.0)).min(splat(9.0));
        out.extend([number.reduce_min().to_bits(), number.reduce_max().to_bits()]);
        let boxes: [Row; 6] = std::array::from_fn(|k| row(4 * (k % 3) + k / 3));
        out.push(overlaps_among(simd, &boxes));
        for i in 0..8 {
            let low = std::array::from_fn(|k| boxes[k].0[i]);
            let high = std::array::from_fn(|k| boxes[k + 3].0[i]);
            out.push(overlaps(simd, &boxes, low, high));
        }
        out
    }
}

/// The same for numbers of double precision, as words.
struct Doubles<'a>(&'a [[i32; 4]]);

impl Kernel for Doubles<'_> {
    type Output = Vec<u32>;

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> Vec<u32> {
        let splat = |x: f64| S::F64x4::splat(simd, x);
        let mut out = Vec::new();
        for (i, points) in self.0.windows(4).enumerate() {
            let [x, y, z] = S::F64x4::transpose(simd, [&points[3], &points[1], &points[2], &points[0]]);
            let low = (x - y).min(y * S::F64x4::from_array(simd, [0.5, -0.25, 2.0, 0.0]));
            // No lane is 0 / 0: which NaN that is differs.
            let ratio = x / (y.abs() + splat(0.75));
            let whole = S::F64x4::from_i32(simd, &points.as_flattened()[i % 7..]);
            let mask = i as u32 % 16;
            let kept = mask.count_ones() as usize;
            let turned = S::F64x4::transpose4([x, ratio, whole, low]);
            let mut quad = Quad::default();
            turned[i % 4].store_quad(&mut quad);
            let turned = S::F64x4::select(x.gt(y), S::F64x4::load(simd, &quad), turned[3]);
            let all = [x, y, z, ratio, whole, low, low.max(z + splat(1e12)), ratio.clamp(x, splat(3.0))];
            let three = S::F64x4::load3(simd, &[quad.0[1], quad.0[2], quad.0[3]]);
            for all in all.into_iter().chain([turned, x.abs().sqrt(), three]) {
                out.extend([all.gt(x), all.gt(x) | all.gt(y), all.gt(x) & !all.gt(y)].map(Mask::bitmask));
                let (mut four, mut some, mut words) = ([0.0; 4], [0.0; 4], [0; 4]);
                all.store(&mut four);
                all.compress(mask, &mut some);
                all.compress_low(mask, &mut words);
                let mut singles = [0.0; 4];
                all.to_f32().store(&mut singles);
                out.extend(singles.map(f32::to_bits));
                let bits = four.iter().chain(&some[..kept]).map(|x| x.to_bits());
                out.extend(bits.flat_map(|b| [b as u32, (b >> 32) as u32]));
                out.extend(&words[..kept]);
            }
        }
        out
    }
}

fn numbers(count: usize) -> Vec<i32> {
    let mut state = 1u64;
    let mut next = || {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 32) as i32
    };
    (0..count).map(|i| if i % 3 == 0 { next() >> 28 } else { next() }).collect()
}

fn points() -> Vec<[i32; 4]> {
    numbers(4000).chunks_exact(4).map(|c| [c[0], c[1], c[2], 9]).collect()
}

#[test]
fn integers_equal_the_reference() {
    let mut n = numbers(2000);
    n.extend([i32::MIN, i32::MAX, 0, -1, i32::MIN, i32::MAX, 1, 0, 0, i32::MIN, 3, 4, 5]);
    assert_eq!(dispatch(Integers(&n)), dispatch_scalar(Integers(&n)));
}

#[test]
fn gathers_equal_the_reference() {
    let points = points();
    for i in 0..points.len() as i32 - 30 {
        let indices = [i, i + 29, i + 7, i, i + 1, i + 28, i + 3, i + 11];
        let of = |k: usize| indices.map(|i| points[i as usize][k]);
        assert_eq!(dispatch(Gather(&points, indices)), [of(0), of(1), of(2)]);
        assert_eq!(dispatch_scalar(Gather(&points, indices)), [of(0), of(1), of(2)]);
    }
}

#[test]
fn a_point_that_is_not_there_is_refused() {
    for index in [-1, 3, i32::MIN, i32::MAX] {
        let gather = || Gather(&[[0; 4]; 3], [0, 1, 2, 0, 1, index, 0, 0]);
        assert!(std::panic::catch_unwind(|| dispatch(gather())).is_err(), "{index}");
        assert!(std::panic::catch_unwind(|| dispatch_scalar(gather())).is_err(), "{index}");
    }
}

#[test]
fn singles_equal_the_reference() {
    let mut state = 1u32;
    let mut draw = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        // Small grid, so that equal numbers, zeros and both signs occur.
        ((state >> 24) as f32 - 128.0) / 16.0
    };
    for _ in 0..200 {
        let numbers = std::array::from_fn(|_| draw());
        let p = std::array::from_fn(|_| f64::from(draw()) * 1.1);
        assert_eq!(quiet(dispatch(Singles(&numbers, &p))), quiet(dispatch_scalar(Singles(&numbers, &p))));
    }
    let odd = [f32::NAN, f32::INFINITY, -0.0, 0.0, f32::MIN_POSITIVE, -1.0, 1.0, f32::MAX];
    let numbers = std::array::from_fn(|i| odd[(i * 5 + i / 8) % 8]);
    let p = [1e60, -1e-60, 3.0];
    assert_eq!(quiet(dispatch(Singles(&numbers, &p))), quiet(dispatch_scalar(Singles(&numbers, &p))));
}

/// Which NaN is not promised, only that it is one.
fn quiet(bits: Vec<u32>) -> Vec<u32> {
    bits.into_iter().map(|b| if f32::from_bits(b).is_nan() { 0x7fc0_0000 } else { b }).collect()
}

#[test]
fn doubles_equal_the_reference() {
    let mut points = points();
    (0..points.len()).step_by(7).for_each(|i| points[i][1] = 0);
    assert_eq!(dispatch(Doubles(&points)), dispatch_scalar(Doubles(&points)));
}

/// Normals of triangles among so many points, by whatever is fastest, and eight at a time.
struct Normals<'a>(&'a LocalPoints, usize, &'a [ByteTriangle]);

impl Kernel for Normals<'_> {
    type Output = [(UnitNormals, u128); 2];

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> Self::Output {
        let at = |i: usize| self.0[i % 256].map(|x| x / 128.0 - 1.0);
        let rows = std::array::from_fn(|k| {
            std::array::from_fn(|r| Row(std::array::from_fn(|lane| at(8 * r + lane + k)[k])))
        });
        let [all, eight] = [simd.unit_normals(self.0, self.1, self.2), UnitNormals::of(simd, self.0, self.2)];
        [(all, simd.faced(&all, 0.01, &rows)), (eight, eight.faced(simd, 0.01, &rows))]
    }
}

#[test]
fn unit_normals_equal_the_reference() {
    let mut numbers = numbers(100_000).into_iter().cycle();
    let mut draw = |below: usize| numbers.next().expect("endless") as u32 as usize % below;
    for case in 0..2000 {
        let mut points = [[0.0; 4]; 256];
        points.as_flattened_mut().iter_mut().for_each(|x| *x = draw(1 << 20) as f32 / 4096.0);
        let count = 3 + draw(if case % 8 == 0 { 253 } else { 70 });
        let mut corner = || draw(count) as u8;
        let triangles: Vec<ByteTriangle> =
            (0..1 + case % 64).map(|_| [corner(), corner(), corner(), 0]).collect();
        let [expected, again] = dispatch_scalar(Normals(&points, count, &triangles));
        assert!(expected == again || expected.0.shortest == 0.0);
        let found = dispatch(Normals(&points, count, &triangles));
        if expected.0.shortest > 0.0 {
            assert_eq!(found, [expected; 2], "{case}");
        } else {
            assert!(found.iter().all(|(n, _)| n.shortest == 0.0));
        }
    }
}

#[test]
fn boxes_meet_where_they_have_a_common_point() {
    struct Pairs([Row; 6]);
    impl Kernel for Pairs {
        type Output = (u32, [u32; WIDTH]);

        #[inline(always)]
        fn run<S: Simd>(self, simd: S) -> Self::Output {
            let lane = |k: usize, i: usize| [self.0[k].0[i], self.0[k + 1].0[i], self.0[k + 2].0[i]];
            let mut with = [0; WIDTH];
            for (i, with) in with.iter_mut().enumerate() {
                *with = overlaps(simd, &self.0, lane(0, i), lane(3, i));
            }
            (overlaps_among(simd, &self.0), with)
        }
    }
    // Boxes of different sizes on a grid, several of which touch.
    let low = |k: usize, i: usize| ((i * [3, 5, 7][k]) % 6) as f32;
    let rows = std::array::from_fn(|k| {
        Row(std::array::from_fn(|i| if k < 3 { low(k, i) } else { low(k - 3, i) + ((i + k) % 3 + 1) as f32 }))
    });
    let meet = |i: usize, j: usize| {
        (0..3).all(|k| rows[k].0[i] <= rows[k + 3].0[j] && rows[k].0[j] <= rows[k + 3].0[i])
    };
    for (within, with) in [dispatch(Pairs(rows)), dispatch_scalar(Pairs(rows))] {
        let mut pairs = Vec::new();
        for bit in (0..32).filter(|bit| within >> bit & 1 == 1) {
            let (i, j) = (bit % 8, (bit % 8 + bit / 8 + 1) % 8);
            pairs.push([i.min(j), i.max(j)]);
        }
        pairs.sort();
        let all = (0..8).flat_map(|i| (i + 1..8).map(move |j| [i, j]));
        assert_eq!(pairs, all.filter(|&[i, j]| meet(i, j)).collect::<Vec<_>>());
        for (i, with) in with.into_iter().enumerate() {
            assert_eq!(with, (0..8).fold(0, |m, j| m | u32::from(meet(i, j)) << j));
        }
    }
}

multiversion! {
    /// Sums what `keep` leaves.
    fn sum_of(numbers: &[i32], keep: impl Fn(i32) -> bool) -> i64 {
        numbers.iter().filter(|&&n| keep(n)).map(|&n| i64::from(n)).sum()
    }
}

#[test]
fn a_multiversion_function_computes_its_body() {
    let n = numbers(100);
    let expected: i64 = n.iter().filter(|&&x| x > 3).map(|&x| i64::from(x)).sum();
    assert_eq!(sum_of(&n, |x| x > 3), expected);
    assert!(expected > 3);
}
