//! Words, numbers and lines of a text file.
//!
//! A [`Text`] walks over the bytes of a [`Source`] once and hands out words as slices: nothing is copied, no
//! line is built. It can be read as a stream of words ([`Text::word`], line ends are blanks: OFF, STL, Gmsh) or
//! line by line ([`Text::line_word`] and [`Text::next_line`]: OBJ, TetGen). Both ways may be mixed. Lines end
//! with `\n`, `\r\n` or a lone `\r`.
//!
//! ```text
//! let mut text = Text::new(source).comment(b'#');
//! let count: u64 = text.integer("the vertex count")?;
//! let x = text.number("x")?;
//! ```
//!
//! Cost: one table look-up per byte.

use crate::{Place, ReadError, Source};

/// What a byte does to the word before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Class {
    /// Part of a word.
    Word,
    /// Between words.
    Blank,
    /// Ends the line.
    LineEnd,
    /// Starts a comment that runs to the end of the line.
    Comment,
    /// Joins this line with the next one when nothing but the line end follows.
    Join,
}

/// A cursor over the words of a text file.
#[derive(Debug, Clone)]
pub(crate) struct Text<'a> {
    source: &'a Source,
    at: usize,
    line: u64,
    classes: [Class; 256],
}

impl<'a> Text<'a> {
    /// Starts at the first byte (after a byte order mark). Blanks are space, tab, vertical tab and form feed.
    pub fn new(source: &'a Source) -> Self {
        let mut classes = [Class::Word; 256];
        for blank in [b' ', b'\t', 0x0b, 0x0c] {
            classes[blank as usize] = Class::Blank;
        }
        classes[b'\n' as usize] = Class::LineEnd;
        classes[b'\r' as usize] = Class::LineEnd;
        let at = if source.bytes.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 };
        Self { source, at, line: 1, classes }
    }

    /// From `byte` to the end of its line is a comment.
    pub fn comment(mut self, byte: u8) -> Self {
        self.classes[byte as usize] = Class::Comment;
        self
    }

    /// `byte` separates words as a space does.
    pub fn blank(mut self, byte: u8) -> Self {
        self.classes[byte as usize] = Class::Blank;
        self
    }

    /// A backslash before a line end joins the two lines.
    pub fn joined_by_backslash(mut self) -> Self {
        self.classes[b'\\' as usize] = Class::Join;
        self
    }

    /// Goes on at byte `at`, which is on line `line`.
    pub fn resumed(mut self, at: usize, line: u64) -> Self {
        (self.at, self.line) = (at, line);
        self
    }

    /// The file.
    pub fn source(&self) -> &'a Source {
        self.source
    }

    /// The line of the word read last, counted from 1.
    pub fn line(&self) -> u64 {
        self.line
    }

    /// Bytes read so far.
    pub fn offset(&self) -> usize {
        self.at
    }

    /// Bytes that are left: the bound for any count that a header claims.
    pub fn remaining(&self) -> usize {
        self.source.bytes.len() - self.at
    }

    /// Continues at byte `offset`, not before the current one and at most at the end; the line ends that are
    /// jumped over are counted.
    pub fn skip_to(&mut self, offset: usize) {
        let offset = offset.clamp(self.at, self.source.bytes.len());
        while self.at < offset {
            match self.class(self.at) {
                Class::LineEnd => self.step_over_line_end(),
                _ => self.at += 1,
            }
        }
    }

    /// The next word on this line or a later one.
    pub fn word(&mut self) -> Option<&'a [u8]> {
        loop {
            if let Some(word) = self.line_word() {
                return Some(word);
            }
            if !self.next_line() {
                return None;
            }
        }
    }

    /// The next word on this line; `None` at its end, where the cursor stays.
    #[inline]
    pub fn line_word(&mut self) -> Option<&'a [u8]> {
        if !self.reach_word() {
            return None;
        }
        let bytes = &self.source.bytes;
        let start = self.at;
        self.at += 1;
        loop {
            let rest = &bytes[self.at..];
            let word = rest.iter().position(|&byte| self.classes[byte as usize] != Class::Word);
            self.at += word.unwrap_or(rest.len());
            match self.class(self.at) {
                Class::Join if !self.joins(self.at) => self.at += 1,
                _ => return Some(&bytes[start..self.at]),
            }
        }
    }

    /// Skips what is left of this line, and goes to the start of the next; `false` at the end of the file.
    #[inline]
    pub fn next_line(&mut self) -> bool {
        self.reach_line_end();
        if self.at == self.source.bytes.len() {
            return false;
        }
        self.step_over_line_end();
        true
    }

    /// Leaves this line and goes before the first word of the next line that has one; `false` at the end of
    /// the file.
    pub fn next_row(&mut self) -> bool {
        while self.next_line() {
            if self.reach_word() {
                return true;
            }
        }
        false
    }

    /// What is left of this line as it stands, comments included, blanks at both ends removed. The cursor
    /// stays at the line's end.
    pub fn rest_of_line(&mut self) -> &'a [u8] {
        let start = self.at;
        while self.class(self.at) != Class::LineEnd {
            self.at += 1;
        }
        self.source.bytes[start..self.at].trim_ascii()
    }

    /// The next word as a number; `what` names it in the error.
    pub fn number(&mut self, what: &str) -> Result<f64, ReadError> {
        let word = self.word();
        self.as_number(word, "file", what)
    }

    /// The next word on this line as a number; `what` names it in the error.
    pub fn line_number(&mut self, what: &str) -> Result<f64, ReadError> {
        let word = self.line_word();
        self.as_number(word, "line", what)
    }

    /// The next word as an integer that fits `T`; `what` names it in the error.
    pub fn integer<T: TryFrom<i64>>(&mut self, what: &str) -> Result<T, ReadError> {
        let word = self.word();
        self.as_integer(word, "file", what)
    }

    /// The next word on this line as an integer that fits `T`; `what` names it in the error.
    pub fn line_integer<T: TryFrom<i64>>(&mut self, what: &str) -> Result<T, ReadError> {
        let word = self.line_word();
        self.as_integer(word, "line", what)
    }

    /// Reads the keyword `expected`, case ignored.
    pub fn keyword(&mut self, expected: &str) -> Result<(), ReadError> {
        match self.word() {
            Some(word) if word.eq_ignore_ascii_case(expected.as_bytes()) => Ok(()),
            Some(word) => Err(self.error(format!("expected \"{expected}\", found {}", quoted(word)))),
            None => Err(self.error(format!("the file ends where \"{expected}\" should be"))),
        }
    }

    /// An error on the line of the word read last.
    #[cold]
    pub fn error(&self, what: impl Into<String>) -> ReadError {
        self.source.error(Place::Line(self.line), what)
    }

    fn as_number(&self, word: Option<&[u8]>, within: &str, what: &str) -> Result<f64, ReadError> {
        let Some(word) = word else { return Err(self.ends_early(within, what)) };
        parse_f64(word).ok_or_else(|| self.error(format!("{what} should be a number, not {}", quoted(word))))
    }

    fn as_integer<T: TryFrom<i64>>(
        &self,
        word: Option<&[u8]>,
        within: &str,
        what: &str,
    ) -> Result<T, ReadError> {
        let Some(word) = word else { return Err(self.ends_early(within, what)) };
        let Some(value) = parse_i64(word) else {
            return Err(self.error(format!("{what} should be an integer, not {}", quoted(word))));
        };
        T::try_from(value).map_err(|_| self.error(format!("{what} is out of range: {value}")))
    }

    #[cold]
    fn ends_early(&self, within: &str, what: &str) -> ReadError {
        self.error(format!("the {within} ends where {what} should be"))
    }

    /// The class of byte `at`; the end of the file ends the line too.
    #[inline]
    fn class(&self, at: usize) -> Class {
        self.source.bytes.get(at).map_or(Class::LineEnd, |&byte| self.classes[byte as usize])
    }

    /// Whether the `Join` byte at `at` is directly before a line end that is not the end of the file.
    fn joins(&self, at: usize) -> bool {
        at + 1 < self.source.bytes.len() && self.class(at + 1) == Class::LineEnd
    }

    /// Goes before the next word on this line, or to its end when there is none.
    #[inline]
    fn reach_word(&mut self) -> bool {
        loop {
            match self.class(self.at) {
                Class::Blank => self.at += 1,
                Class::LineEnd => return false,
                Class::Comment => {
                    self.reach_line_end();
                    return false;
                }
                Class::Join if self.joins(self.at) => {
                    self.at += 1;
                    self.step_over_line_end();
                }
                Class::Word | Class::Join => return true,
            }
        }
    }

    fn reach_line_end(&mut self) {
        loop {
            match self.class(self.at) {
                Class::LineEnd => return,
                Class::Join if self.joins(self.at) => {
                    self.at += 1;
                    self.step_over_line_end();
                }
                _ => self.at += 1,
            }
        }
    }

    /// Steps over `\n`, `\r\n` or `\r`; needs a line end that is not the end of the file.
    #[inline]
    fn step_over_line_end(&mut self) {
        let is_return = self.source.bytes[self.at] == b'\r';
        self.at += 1;
        if is_return && self.source.bytes.get(self.at) == Some(&b'\n') {
            self.at += 1;
        }
        self.line += 1;
    }
}

/// The `f64` nearest to a decimal number; also reads `inf` and `nan`, which callers refuse by name.
#[inline]
pub(crate) fn parse_f64(word: &[u8]) -> Option<f64> {
    short_decimal(word).or_else(|| std::str::from_utf8(word).ok()?.parse().ok())
}

/// The powers of ten that are exact in `f64`.
const POWERS: [f64; 23] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18,
    1e19, 1e20, 1e21, 1e22,
];

/// The number in `word` if it is a decimal of so few digits that one operation rounds it correctly (Clinger 1990):
/// digits up to 2^53 and a power of ten up to 22 are both exact, so that their product or quotient is the nearest `f64`.
/// Meshes are full of such numbers, and this is a third faster than the general parser. `None` says nothing.
#[inline]
fn short_decimal(word: &[u8]) -> Option<f64> {
    let (negative, digits) = match word {
        [b'-', digits @ ..] => (true, digits),
        digits => (false, digits),
    };
    let mut mantissa = 0u64;
    let mut at = 0;
    let mut take_digits = |at: &mut usize| {
        let start = *at;
        while let Some(digit) =
            digits.get(*at).map(|byte| byte.wrapping_sub(b'0')).filter(|&digit| digit < 10)
        {
            mantissa = mantissa.wrapping_mul(10).wrapping_add(u64::from(digit));
            *at += 1;
        }
        *at - start
    };
    let whole = take_digits(&mut at);
    let fraction = if digits.get(at) == Some(&b'.') {
        at += 1;
        take_digits(&mut at)
    } else {
        0
    };
    // Up to 19 digits are below 10^19 < 2^64, so that nothing has wrapped.
    if !(1..=19).contains(&(whole + fraction)) || mantissa > 1 << 53 {
        return None;
    }
    let mut exponent = -(fraction as i64);
    if let Some(b'e' | b'E') = digits.get(at) {
        let written = &digits[at + 1..];
        // Three digits are enough for every exponent that is small enough.
        exponent += parse_i64(written).filter(|_| written.len() <= 4)?;
        at = digits.len();
    }
    if at != digits.len() {
        return None;
    }
    let power = *POWERS.get(exponent.unsigned_abs() as usize)?;
    let value = if exponent < 0 { mantissa as f64 / power } else { mantissa as f64 * power };
    Some(if negative { -value } else { value })
}

/// A decimal integer with an optional sign.
pub(crate) fn parse_i64(word: &[u8]) -> Option<i64> {
    let (negative, digits) = match word {
        [b'-', digits @ ..] => (true, digits),
        [b'+', digits @ ..] => (false, digits),
        digits => (false, digits),
    };
    if digits.is_empty() {
        return None;
    }
    let mut value = 0i64;
    for byte in digits {
        if !byte.is_ascii_digit() {
            return None;
        }
        value = value.checked_mul(10)?.checked_add(i64::from(byte - b'0'))?;
    }
    Some(if negative { -value } else { value })
}

/// A word of the file for an error message: shortened, without control characters.
pub(crate) fn quoted(word: &[u8]) -> String {
    const SHOWN: usize = 40;
    if word.len() > SHOWN {
        format!("\"{}…\"", word[..SHOWN].escape_ascii())
    } else {
        format!("\"{}\"", word.escape_ascii())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #![proptest_config(ProptestConfig { cases: 4000, failure_persistence: None, ..ProptestConfig::default() })]

        /// The short way gives the nearest number or nothing, and nothing that is not a number.
        #[test]
        fn a_short_decimal_is_the_nearest(word in "[-+]?[0-9]{0,20}[.]?[0-9]{0,20}([eE][-+]?[0-9]{0,4})?") {
            let expected = word.parse::<f64>().ok();
            if let Some(short) = short_decimal(word.as_bytes()) {
                prop_assert_eq!(Some(short.to_bits()), expected.map(f64::to_bits), "{}", word);
            }
            prop_assert_eq!(parse_f64(word.as_bytes()).map(f64::to_bits), expected.map(f64::to_bits));
        }
    }

    #[test]
    fn short_decimals_at_the_edges() {
        for word in [
            "-0",
            "-0.0",
            "9007199254740992",
            "9007199254740993",
            "0.000001",
            "1e22",
            "1e23",
            "123e-22",
            "1.5E+3",
            "7.",
            ".5",
        ] {
            let expected: f64 = word.parse().unwrap();
            assert_eq!(parse_f64(word.as_bytes()).map(f64::to_bits), Some(expected.to_bits()), "{word}");
        }
        for word in ["", "-", ".", "e5", "1e", "1e+", "1.2.3", "--1", "1x", "0x10", "1_0", "1e5.0"] {
            assert_eq!(parse_f64(word.as_bytes()), None, "{word}");
        }
        assert!(short_decimal(b"0.25").is_some() && short_decimal(b"1.000000e+00").is_some());
    }

    fn source(bytes: &[u8]) -> Source {
        Source { name: "t".into(), bytes: bytes.to_vec() }
    }

    #[test]
    fn words_cross_lines_and_line_words_do_not() {
        let s = source(b"\xef\xbb\xbfa  b\r\nc#d e\n\n\rf");
        let mut text = Text::new(&s).comment(b'#');
        assert_eq!(text.line_word(), Some(&b"a"[..]));
        assert_eq!(text.line_word(), Some(&b"b"[..]));
        assert_eq!(text.line_word(), None);
        assert_eq!(text.line_word(), None);
        assert_eq!((text.word(), text.line()), (Some(&b"c"[..]), 2));
        assert_eq!((text.word(), text.line()), (Some(&b"f"[..]), 5));
        assert_eq!(text.word(), None);
        assert_eq!(text.remaining(), 0);
        assert!(!text.next_line());
    }

    #[test]
    fn a_backslash_joins_lines_only_before_a_line_end() {
        let s = source(b"f 1 2\\\n3 \\\r\n a\\b\ng\\");
        let mut text = Text::new(&s).joined_by_backslash();
        let mut words = Vec::new();
        while let Some(word) = text.line_word() {
            words.push(word);
        }
        assert_eq!(words, [&b"f"[..], b"1", b"2", b"3", b"a\\b"]);
        assert_eq!(text.line(), 3);
        assert!(text.next_line());
        assert_eq!(text.line_word(), Some(&b"g\\"[..]));
        assert_eq!(text.line_word(), None);
    }

    #[test]
    fn rows_are_lines_with_words() {
        let s = source(b"header\n\n # note\n  a b\nc\n\n");
        let mut text = Text::new(&s).comment(b'#');
        assert!(text.next_row());
        assert_eq!((text.line_word(), text.line()), (Some(&b"a"[..]), 4));
        assert!(text.next_row());
        assert_eq!((text.line_word(), text.line()), (Some(&b"c"[..]), 5));
        assert!(!text.next_row());
    }

    #[test]
    fn a_comment_is_joined_too() {
        let s = source(b"# one \\\ntwo\nthree");
        let mut text = Text::new(&s).comment(b'#').joined_by_backslash();
        assert_eq!(text.line_word(), None);
        assert!(text.next_line());
        assert_eq!((text.line_word(), text.line()), (Some(&b"three"[..]), 3));
    }

    #[test]
    fn skipping_counts_lines() {
        let s = source(b"a\nb\r\nc d");
        let mut text = Text::new(&s);
        text.skip_to(5);
        assert_eq!((text.word(), text.line()), (Some(&b"c"[..]), 3));
        assert_eq!(text.rest_of_line(), b"d");
        text.skip_to(99);
        assert_eq!(text.offset(), 8);
    }

    #[test]
    fn errors_name_the_line_and_the_word() {
        let s = source(b"1\nx1 99999999999 -1\n");
        let mut text = Text::new(&s);
        assert_eq!(text.number("x").unwrap(), 1.0);
        assert_eq!(
            text.line_number("y").unwrap_err().to_string(),
            "t, line 1: the line ends where y should be"
        );
        assert_eq!(text.number("y").unwrap_err().to_string(), "t, line 2: y should be a number, not \"x1\"");
        assert_eq!(
            text.integer::<u32>("n").unwrap_err().to_string(),
            "t, line 2: n is out of range: 99999999999"
        );
        assert_eq!(text.integer::<u32>("n").unwrap_err().to_string(), "t, line 2: n is out of range: -1");
        assert!(
            text.integer::<u32>("n").unwrap_err().to_string().contains("the file ends where n should be")
        );
    }

    #[test]
    fn integers_and_numbers() {
        assert_eq!(parse_i64(b"-12"), Some(-12));
        assert_eq!(parse_i64(b"+7"), Some(7));
        assert_eq!(parse_i64(b"9223372036854775807"), Some(i64::MAX));
        for bad in [&b""[..], b"-", b"1.", b"1e3", b"9223372036854775808", b"0x1"] {
            assert_eq!(parse_i64(bad), None);
        }
        assert_eq!(parse_f64(b"+.5e1"), Some(5.0));
        assert_eq!(parse_f64(b"1."), Some(1.0));
        assert_eq!(parse_f64(b"\xff"), None);
        assert_eq!(quoted(b"a\xff\n"), "\"a\\xff\\n\"");
    }
}
