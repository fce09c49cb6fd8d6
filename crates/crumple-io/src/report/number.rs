//! Numbers as people read them.

/// A count with thin spaces between thousands: `1 234 567`.
pub fn count(n: u64) -> String {
    let digits = n.to_string();
    let mut out = String::new();
    for (k, digit) in digits.chars().enumerate() {
        if k > 0 && (digits.len() - k).is_multiple_of(3) {
            out.push('\u{202f}');
        }
        out.push(digit);
    }
    out
}

/// A duration with three digits and its unit: `1.23 ms`.
pub fn seconds(s: f64) -> String {
    scaled(s, &[(1.0, "s"), (1e-3, "ms"), (1e-6, "µs"), (1e-9, "ns")])
}

/// A size in bytes with three digits and its unit: `12.3 MB` (decimal).
pub fn bytes(n: u64) -> String {
    if n < 1000 {
        return format!("{n} B");
    }
    scaled(n as f64, &[(1e12, "TB"), (1e9, "GB"), (1e6, "MB"), (1e3, "kB")])
}

/// Three digits in the largest unit that is not larger than the value.
fn scaled(value: f64, units: &[(f64, &str)]) -> String {
    if !value.is_finite() {
        return value.to_string();
    }
    // Rounding comes first: 0.9996 ms is 1.00 ms, never 1000 µs.
    let fits = |unit: f64| value.abs() / unit >= 0.9995;
    let (unit, name) = units.iter().find(|u| fits(u.0)).or(units.last()).copied().unwrap_or((1.0, ""));
    let x = value / unit;
    let digits =
        if x == 0.0 { 0 } else { (2 - (x.abs() * 1.000_5).log10().floor() as i32).clamp(0, 2) as usize };
    format!("{x:.digits$} {name}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_grouped() {
        assert_eq!(
            [0, 999, 1000, 1_234_567].map(count),
            ["0", "999", "1\u{202f}000", "1\u{202f}234\u{202f}567"]
        );
    }

    #[test]
    fn durations_and_sizes_have_three_digits() {
        let written = [0.0, 1.0, 0.001_234, 61.5, 4.2e-7, 0.000_999_7, 1234.0].map(seconds);
        assert_eq!(written, ["0 ns", "1.00 s", "1.23 ms", "61.5 s", "420 ns", "1.00 ms", "1234 s"]);
        assert_eq!([12, 1500, 12_300_000].map(bytes), ["12 B", "1.50 kB", "12.3 MB"]);
    }
}
