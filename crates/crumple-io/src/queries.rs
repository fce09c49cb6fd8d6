//! Queries of continuous collision detection with their verdicts, in the form in which the benchmark of Wang et al. 2021 is
//! published.
//!
//! Eight rows a query: four points at t = 0 and the same four at t = 1 (the ends of one edge and of another, or a vertex and
//! the corners of a triangle). A row is `xn,xd,yn,yd,zn,zd,verdict`: each coordinate as numerator and denominator,
//! integers of any length, and 0 or 1, the same on all eight rows. Coordinates must be `f64` numbers exactly; one that is
//! not is an error, since a rounded query may have another verdict.

use std::path::Path;

use crate::{Place, ReadError, Source};

/// One query.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Query {
    /// The four points at t = 0.
    pub start: [[f64; 3]; 4],
    /// The four points at t = 1.
    pub end: [[f64; 3]; 4],
    /// Whether they touch at some t from 0 to 1.
    pub collides: bool,
}

/// Reads a file of queries.
pub fn read_queries(path: &Path) -> Result<Vec<Query>, ReadError> {
    parse(&Source::open(path)?)
}

fn parse(source: &Source) -> Result<Vec<Query>, ReadError> {
    let mut queries = Vec::new();
    let mut rows: Vec<([f64; 3], bool)> = Vec::with_capacity(8);
    for (line, row) in (1..).zip(source.bytes.split(|&b| b == b'\n')) {
        let row = row.trim_ascii();
        if row.is_empty() {
            continue;
        }
        let error = |what: String| source.error(Place::Line(line), what);
        rows.push(parse_row(row).map_err(error)?);
        if rows.len() == 8 {
            let collides = rows[0].1;
            if rows.iter().any(|&(_, verdict)| verdict != collides) {
                return Err(error("the eight rows of a query have different verdicts".into()));
            }
            let points = |from: usize| std::array::from_fn(|i| rows[from + i].0);
            queries.push(Query { start: points(0), end: points(4), collides });
            rows.clear();
        }
    }
    if !rows.is_empty() {
        let what = format!("the last query has {} rows instead of eight", rows.len());
        return Err(source.error(Place::File, what));
    }
    Ok(queries)
}

fn parse_row(row: &[u8]) -> Result<([f64; 3], bool), String> {
    let fields: Vec<&[u8]> = row.split(|&b| b == b',').map(<[u8]>::trim_ascii).collect();
    let [xn, xd, yn, yd, zn, zd, verdict] = fields[..] else {
        return Err(format!("a row has seven columns, this one has {}", fields.len()));
    };
    let point = [fraction(xn, xd)?, fraction(yn, yd)?, fraction(zn, zd)?];
    match verdict {
        b"0" => Ok((point, false)),
        b"1" => Ok((point, true)),
        other => Err(format!("the verdict should be 0 or 1, not {}", crate::text::quoted(other))),
    }
}

/// The quotient of two integers, if it is an `f64`.
fn fraction(numerator: &[u8], denominator: &[u8]) -> Result<f64, String> {
    let (negative, mut n) = integer(numerator)?;
    let (down, mut d) = integer(denominator)?;
    if d.is_empty() {
        return Err("a denominator is 0".into());
    }
    if n.is_empty() {
        return Ok(0.0);
    }
    let inexact = || {
        let text = |b: &[u8]| String::from_utf8_lossy(b).into_owned();
        format!("{}/{} is not an f64", text(numerator), text(denominator))
    };
    // n / d = 2^exponent with both odd; then d must divide n.
    let exponent = i64::from(make_odd(&mut n)) - i64::from(make_odd(&mut d));
    if d != [1] {
        n = divide(n, &d).ok_or_else(inexact)?;
    }
    let [mantissa, ..] = n[..] else { return Err(inexact()) };
    let value = mantissa as f64;
    if n.len() > 1 || mantissa >= 1 << 53 || exponent.abs() > 2200 {
        return Err(inexact());
    }
    // In steps that stay within the range; an odd mantissa makes any lost bit visible.
    let scaled = scale(value, exponent as i32).filter(|x| x.is_finite()).ok_or_else(inexact)?;
    Ok(if negative != down { -scaled } else { scaled })
}

/// `value · 2^exponent` of an odd integer, if that is exact.
fn scale(value: f64, exponent: i32) -> Option<f64> {
    let (mut x, mut left) = (value, exponent);
    while left != 0 {
        let step = left.clamp(-1000, 1000);
        x *= 2f64.powi(step);
        left -= step;
    }
    // Back again: what was rounded does not return.
    let (mut back, mut left) = (x, -exponent);
    while left != 0 {
        let step = left.clamp(-1000, 1000);
        back *= 2f64.powi(step);
        left -= step;
    }
    (back == value).then_some(x)
}

/// The sign and the limbs, lowest first, of a decimal integer; zero has none.
fn integer(text: &[u8]) -> Result<(bool, Vec<u64>), String> {
    let (negative, digits) = match text {
        [b'-', digits @ ..] => (true, digits),
        [b'+', digits @ ..] => (false, digits),
        digits => (false, digits),
    };
    if digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) {
        return Err(format!("{} is not an integer", crate::text::quoted(text)));
    }
    if digits.len() > 1000 {
        return Err(format!("an integer of {} digits is out of range", digits.len()));
    }
    let mut limbs: Vec<u64> = Vec::new();
    for &digit in digits {
        let mut carry = u128::from(digit - b'0');
        for limb in &mut limbs {
            carry += u128::from(*limb) * 10;
            *limb = carry as u64;
            carry >>= 64;
        }
        if carry > 0 {
            limbs.push(carry as u64);
        }
    }
    Ok((negative, limbs))
}

/// Shifts out the zeros at the end of a number that is not 0; how many there were.
fn make_odd(limbs: &mut Vec<u64>) -> u32 {
    let zero_limbs = limbs.iter().take_while(|&&limb| limb == 0).count();
    limbs.drain(..zero_limbs);
    let shift = limbs.first().map_or(0, |limb| limb.trailing_zeros());
    if shift > 0 {
        for i in 0..limbs.len() {
            let above = limbs.get(i + 1).copied().unwrap_or(0);
            limbs[i] = limbs[i] >> shift | above << (64 - shift);
        }
        if limbs.last() == Some(&0) {
            limbs.pop();
        }
    }
    64 * zero_limbs as u32 + shift
}

/// n / d if there is no remainder; d is odd. By Hensel: each limb of the quotient makes the lowest limb of the rest vanish.
fn divide(mut n: Vec<u64>, d: &[u64]) -> Option<Vec<u64>> {
    if n.len() < d.len() {
        return None;
    }
    // Newton's iteration doubles the number of right bits of the inverse of d modulo 2^64.
    let inverse = (0..6).fold(d[0], |x, _| x.wrapping_mul(2u64.wrapping_sub(d[0].wrapping_mul(x))));
    let mut quotient = Vec::with_capacity(n.len() - d.len() + 1);
    for i in 0..=n.len() - d.len() {
        let q = n[i].wrapping_mul(inverse);
        let (mut carry, mut borrow) = (0u128, false);
        for j in i..n.len() {
            carry += u128::from(q) * u128::from(d.get(j - i).copied().unwrap_or(0));
            let (once, b0) = n[j].overflowing_sub(carry as u64);
            let (twice, b1) = once.overflowing_sub(u64::from(borrow));
            (n[j], borrow) = (twice, b0 | b1);
            carry >>= 64;
        }
        if borrow || carry > 0 {
            return None;
        }
        quotient.push(q);
    }
    while quotient.last() == Some(&0) {
        quotient.pop();
    }
    n.iter().all(|&limb| limb == 0).then_some(quotient)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn source(text: &str) -> Source {
        Source { name: "q.csv".into(), bytes: text.as_bytes().to_vec() }
    }

    fn fault(text: &str) -> String {
        parse(&source(text)).unwrap_err().to_string()
    }

    #[test]
    fn fractions_are_exact_or_refused() {
        let of = |n: &str, d: &str| fraction(n.as_bytes(), d.as_bytes());
        assert_eq!(of("1", "1"), Ok(1.0));
        assert_eq!(of("-6", "4"), Ok(-1.5));
        assert_eq!(of("6", "-3"), Ok(-2.0));
        assert_eq!(of("0", "7"), Ok(0.0));
        assert_eq!(of("3602879701896397", "36028797018963968"), Ok(0.1));
        // 3^50 times a fraction, above and below.
        let power = 3u128.pow(50);
        assert_eq!(of(&(power * 5).to_string(), &(power * 8).to_string()), Ok(0.625));
        for x in [f64::from_bits(1), f64::MIN_POSITIVE, 1.5e308, 1e300, -3e-310, 0.3f64.next_up()] {
            let exponent = (x.abs().log2().floor() as i32).max(-1022) - 52;
            let mantissa = scale(x, -exponent).unwrap();
            // 2^|exponent| in decimal digits, by doubling.
            let mut two = vec![1u8];
            for _ in 0..exponent.abs() {
                let mut carry = 0;
                for digit in &mut two {
                    carry += *digit * 2;
                    *digit = carry % 10;
                    carry /= 10;
                }
                if carry > 0 {
                    two.push(carry);
                }
            }
            let power: String = two.iter().rev().map(|d| char::from(b'0' + d)).collect();
            let whole = format!("{mantissa}");
            if exponent < 0 {
                assert_eq!(of(&whole, &power), Ok(x));
                // Half of the least bit.
                let twice: String = format!("{}", mantissa as i64 * 2 + 1);
                assert_eq!(of(&twice, &power).is_ok(), (2.0 * mantissa).abs() < 2f64.powi(52), "{x}");
            } else {
                assert!(of(&whole, "1").is_ok() && of(&power, "1").is_ok());
            }
        }
        for (n, d) in [
            ("1", "3"),
            ("9007199254740993", "1"),
            ("10", "6"),
            ("7", "0"),
            ("x", "1"),
            ("", "1"),
            ("1", "-"),
        ] {
            assert!(of(n, d).is_err(), "{n}/{d}");
        }
    }

    #[test]
    fn rows_make_queries_and_faults_name_the_line() {
        let row = |x: i32, verdict: i32| format!("{x},1,1,2,-1,4,{verdict}\n");
        let eight = |verdict: i32| (0..8).map(|i| row(i, verdict)).collect::<String>();
        let queries = parse(&source(&format!("{}\r\n{}", eight(1), eight(0)))).unwrap();
        assert_eq!(queries.len(), 2);
        assert_eq!(queries[0].start[3], [3.0, 0.5, -0.25]);
        assert_eq!((queries[1].end[0], queries[1].collides), ([4.0, 0.5, -0.25], false));
        assert!(
            fault(&format!("{}1,1,1,2\n", eight(1)))
                .contains("line 9: a row has seven columns, this one has 4")
        );
        assert!(fault(&eight(2)).contains("line 1: the verdict should be 0 or 1, not \"2\""));
        assert!(fault("1,3,0,1,0,1,0\n").contains("line 1: 1/3 is not an f64"));
        let mixed: String = (0..8).map(|i| row(i, i32::from(i == 7))).collect();
        assert!(fault(&mixed).contains("line 8: the eight rows of a query have different verdicts"));
        assert!(fault(&row(1, 1)).contains("the last query has 1 rows"));
    }
}
