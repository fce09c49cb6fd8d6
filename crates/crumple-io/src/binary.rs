//! Numbers out of binary data, never past its end.

use crate::{Place, ReadError, Source};

/// Which byte of a number comes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Endian {
    /// The least significant one.
    Little,
    /// The most significant one.
    Big,
}

/// A number type that a file names for itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Scalar {
    I8,
    U8,
    I16,
    U16,
    I32,
    U32,
    I64,
    U64,
    F32,
    F64,
}

impl Scalar {
    /// Bytes of one number.
    pub fn size(self) -> usize {
        match self {
            Self::I8 | Self::U8 => 1,
            Self::I16 | Self::U16 => 2,
            Self::I32 | Self::U32 | Self::F32 => 4,
            Self::I64 | Self::U64 | Self::F64 => 8,
        }
    }

    /// Whether it counts or indexes.
    pub fn is_integer(self) -> bool {
        !matches!(self, Self::F32 | Self::F64)
    }

    /// The number in `bytes`, which has [`Scalar::size`] bytes. Only 64-bit integers beyond 2^53 are rounded.
    #[inline]
    pub fn f64(self, bytes: &[u8], endian: Endian) -> f64 {
        match self {
            Self::F32 => f64::from(f32::from_bits(bits(bytes, endian) as u32)),
            Self::F64 => f64::from_bits(bits(bytes, endian)),
            Self::U64 => bits(bytes, endian) as f64,
            _ => self.i64(bytes, endian).unwrap_or_default() as f64,
        }
    }

    /// The integer in `bytes`, which has [`Scalar::size`] bytes; `None` if it is not an integer or does not
    /// fit. A float that holds an integer is taken as one.
    #[inline]
    pub fn i64(self, bytes: &[u8], endian: Endian) -> Option<i64> {
        let bits = bits(bytes, endian);
        match self {
            Self::I8 => Some(i64::from(bits as i8)),
            Self::I16 => Some(i64::from(bits as i16)),
            Self::I32 => Some(i64::from(bits as i32)),
            Self::I64 => Some(bits as i64),
            Self::U8 | Self::U16 | Self::U32 => Some(bits as i64),
            Self::U64 => i64::try_from(bits).ok(),
            Self::F32 | Self::F64 => {
                let value = self.f64(bytes, endian);
                // Up to 2^53 every integer is a float of its own, so that the cast is exact.
                (value.fract() == 0.0 && value.abs() <= 9007199254740992.0).then_some(value as i64)
            }
        }
    }
}

impl Scalar {
    /// Appends all numbers in `bytes`, whose length is a multiple of [`Scalar::size`].
    pub fn append_floats(self, bytes: &[u8], endian: Endian, values: &mut Vec<f64>) {
        match (self, endian) {
            (Self::F64, Endian::Little) => {
                values.extend(bytes.as_chunks().0.iter().map(|&b| f64::from_le_bytes(b)));
            }
            (Self::F32, Endian::Little) => {
                values.extend(bytes.as_chunks().0.iter().map(|&b| f64::from(f32::from_le_bytes(b))));
            }
            _ => values.extend(bytes.chunks_exact(self.size()).map(|b| self.f64(b, endian))),
        }
    }

    /// Appends all integers in `bytes`, whose length is a multiple of [`Scalar::size`]; `false` if one of them does not fit
    /// `T`, with those before it appended.
    pub fn append_integers<T: TryFrom<i64> + Default>(
        self,
        bytes: &[u8],
        endian: Endian,
        values: &mut Vec<T>,
    ) -> bool {
        let first = values.len();
        let mut is_good = true;
        // Without a way out of the loop it runs on several numbers at once; what does not fit is looked for afterwards.
        let mut fit = |value: Option<i64>| {
            let value = value.and_then(|value| T::try_from(value).ok());
            is_good &= value.is_some();
            value.unwrap_or_default()
        };
        match (self, endian) {
            (Self::I64, Endian::Little) => {
                values.extend(bytes.as_chunks().0.iter().map(|&b| fit(Some(i64::from_le_bytes(b)))));
            }
            (Self::I32, Endian::Little) => {
                let numbers = bytes.as_chunks().0.iter().map(|&b| i32::from_le_bytes(b));
                values.extend(numbers.map(|value| fit(Some(value.into()))));
            }
            (Self::U8, _) => values.extend(bytes.iter().map(|&b| fit(Some(b.into())))),
            _ => values.extend(bytes.chunks_exact(self.size()).map(|b| fit(self.i64(b, endian)))),
        }
        if !is_good {
            let fits = |b: &[u8]| self.i64(b, endian).is_some_and(|value| T::try_from(value).is_ok());
            let bad = bytes.chunks_exact(self.size()).position(|b| !fits(b));
            values.truncate(first + bad.unwrap_or_default());
        }
        is_good
    }
}

/// One, two, four or eight bytes as one unsigned number; any other length has no number.
#[inline]
fn bits(bytes: &[u8], endian: Endian) -> u64 {
    let little = match *bytes {
        [a] => return u64::from(a),
        [a, b] => u64::from(u16::from_le_bytes([a, b])),
        [a, b, c, d] => u64::from(u32::from_le_bytes([a, b, c, d])),
        [a, b, c, d, e, f, g, h] => u64::from_le_bytes([a, b, c, d, e, f, g, h]),
        _ => return 0,
    };
    match endian {
        Endian::Little => little,
        Endian::Big => little.swap_bytes() >> (64 - 8 * bytes.len()),
    }
}

/// A cursor over binary data of a file.
#[derive(Debug, Clone)]
pub(crate) struct Binary<'a> {
    source: &'a Source,
    bytes: &'a [u8],
    /// Where `bytes` begins in the file, for error places.
    base: u64,
    at: usize,
    endian: Endian,
}

impl<'a> Binary<'a> {
    /// Reads the file itself from byte `at` on.
    pub fn new(source: &'a Source, at: usize, endian: Endian) -> Self {
        let at = at.min(source.bytes.len());
        Self { source, bytes: &source.bytes, base: 0, at, endian }
    }

    /// Reads data that was unpacked from the file; byte places are relative to `base`.
    pub fn over(source: &'a Source, bytes: &'a [u8], base: u64, endian: Endian) -> Self {
        Self { source, bytes, base, at: 0, endian }
    }

    /// The place of the next byte.
    pub fn place(&self) -> Place {
        Place::Byte(self.base + self.at as u64)
    }

    /// Bytes read so far, from the start of the data.
    pub fn offset(&self) -> usize {
        self.at
    }

    /// Bytes that are left: the bound for any count that a header claims.
    pub fn remaining(&self) -> usize {
        self.bytes.len() - self.at
    }

    /// The byte order of the data.
    pub fn endian(&self) -> Endian {
        self.endian
    }

    /// The next `count` bytes; `what` names them in the error.
    #[inline]
    pub fn take(&mut self, count: usize, what: &str) -> Result<&'a [u8], ReadError> {
        match self.bytes[self.at..].get(..count) {
            Some(bytes) => {
                self.at += count;
                Ok(bytes)
            }
            None => Err(self.ends_early(count, what)),
        }
    }

    /// The next number of type `scalar` as a float.
    #[inline]
    pub fn f64(&mut self, scalar: Scalar, what: &str) -> Result<f64, ReadError> {
        let endian = self.endian;
        Ok(scalar.f64(self.take(scalar.size(), what)?, endian))
    }

    /// The next number of type `scalar` as an integer that fits `T`.
    #[inline]
    pub fn integer<T: TryFrom<i64>>(&mut self, scalar: Scalar, what: &str) -> Result<T, ReadError> {
        let place = self.place();
        let endian = self.endian;
        let bytes = self.take(scalar.size(), what)?;
        scalar.i64(bytes, endian).and_then(|value| T::try_from(value).ok()).ok_or_else(|| {
            self.source.error(place, format!("{what} is out of range: {}", scalar.f64(bytes, endian)))
        })
    }

    /// An error at the next byte.
    #[cold]
    pub fn error(&self, what: impl Into<String>) -> ReadError {
        self.source.error(self.place(), what)
    }

    #[cold]
    fn ends_early(&self, count: usize, what: &str) -> ReadError {
        self.error(format!("the data ends in {what}: {count} bytes needed, {} left", self.remaining()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_both_orders() {
        for (scalar, little, value) in [
            (Scalar::I8, vec![0xff], -1.0),
            (Scalar::U8, vec![0xff], 255.0),
            (Scalar::I16, vec![0xfe, 0xff], -2.0),
            (Scalar::U16, vec![0x01, 0x02], 513.0),
            (Scalar::I32, (-70000i32).to_le_bytes().to_vec(), -70000.0),
            (Scalar::U32, 4000000000u32.to_le_bytes().to_vec(), 4000000000.0),
            (Scalar::I64, (-5i64).to_le_bytes().to_vec(), -5.0),
            (Scalar::U64, (1u64 << 63).to_le_bytes().to_vec(), 9223372036854775808.0),
            (Scalar::F32, 0.1f32.to_le_bytes().to_vec(), f64::from(0.1f32)),
            (Scalar::F64, 0.1f64.to_le_bytes().to_vec(), 0.1),
        ] {
            let big: Vec<u8> = little.iter().rev().copied().collect();
            assert_eq!(scalar.size(), little.len());
            assert_eq!(scalar.f64(&little, Endian::Little), value, "{scalar:?}");
            assert_eq!(scalar.f64(&big, Endian::Big), value, "{scalar:?}");
            let integer = (value.fract() == 0.0 && value < 9e18).then_some(value as i64);
            assert_eq!(scalar.i64(&little, Endian::Little), integer, "{scalar:?}");
        }
        assert_eq!(Scalar::F32.i64(&3f32.to_le_bytes(), Endian::Little), Some(3));
        assert_eq!(Scalar::F32.i64(&f32::NAN.to_le_bytes(), Endian::Little), None);
    }

    #[test]
    fn many_numbers_are_the_same_as_one_by_one() {
        let bytes: Vec<u8> =
            (0..240u32).map(|k| (k * k % 251) as u8 & if k % 8 > 1 { 0 } else { 255 }).collect();
        for scalar in [
            Scalar::I8,
            Scalar::U8,
            Scalar::I16,
            Scalar::U16,
            Scalar::I32,
            Scalar::U32,
            Scalar::I64,
            Scalar::U64,
            Scalar::F32,
            Scalar::F64,
        ] {
            for endian in [Endian::Little, Endian::Big] {
                let one_by_one = bytes.chunks_exact(scalar.size());
                let mut floats = vec![0.5];
                scalar.append_floats(&bytes, endian, &mut floats);
                let expected: Vec<u64> =
                    one_by_one.clone().map(|b| scalar.f64(b, endian).to_bits()).collect();
                assert_eq!(floats[1..].iter().map(|x| x.to_bits()).collect::<Vec<_>>(), expected);
                let mut small: Vec<u8> = vec![7];
                let is_good = scalar.append_integers(&bytes, endian, &mut small);
                let fit = |b: &[u8]| u8::try_from(scalar.i64(b, endian)?).ok();
                let expected: Vec<u8> = one_by_one.map_while(fit).collect();
                assert_eq!(
                    (is_good, &small[1..]),
                    (expected.len() == bytes.len() / scalar.size(), &expected[..])
                );
            }
        }
    }

    #[test]
    fn the_end_is_an_error_with_its_byte() {
        let source = Source { name: "b".into(), bytes: vec![1, 0, 2, 0, 9] };
        let mut binary = Binary::new(&source, 0, Endian::Little);
        assert_eq!(binary.integer::<u32>(Scalar::U16, "a").unwrap(), 1);
        assert_eq!(binary.integer::<u32>(Scalar::U16, "b").unwrap(), 2);
        let error = binary.integer::<u32>(Scalar::U16, "c").unwrap_err();
        assert_eq!(error.to_string(), "b, byte 4: the data ends in c: 2 bytes needed, 1 left");
        assert_eq!(binary.offset(), 4);
        assert!(binary.take(usize::MAX, "d").is_err());
        let mut inner = Binary::over(&source, &[0xff], 100, Endian::Big);
        let error = inner.integer::<u32>(Scalar::I8, "n").unwrap_err();
        assert_eq!(error.to_string(), "b, byte 100: n is out of range: -1");
    }
}
