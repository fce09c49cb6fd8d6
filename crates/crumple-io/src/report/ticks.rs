//! Round numbers along an axis, and how they are written.

/// A mark on an axis.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Tick {
    pub(crate) value: f64,
    pub(crate) label: String,
}

/// About `count` round values within `low..=high`, which must be finite with `low < high`.
pub(crate) fn linear(low: f64, high: f64, count: usize) -> Vec<Tick> {
    // Halved so that a range as wide as the numbers themselves does not overflow.
    let rough = (high * 0.5 - low * 0.5) / count.max(1) as f64 * 2.0;
    let power = 10_f64.powf(rough.log10().floor());
    let Some(step) = [1.0, 2.0, 2.5, 5.0, 10.0].into_iter().map(|m| m * power).find(|s| *s >= rough * 0.999)
    else {
        return Vec::new();
    };
    let first = (low / step - 1e-9).ceil();
    let last = (high / step + 1e-9).floor();
    if !(step > 0.0 && first.is_finite() && last - first <= 1000.0) {
        return Vec::new();
    }
    let values = (0..=(last - first) as usize).map(|k| (first + k as f64) * step);
    // Zero may come out as a rounding error of the other values.
    let values = values.map(|v| if v.abs() < step * 1e-6 { 0.0 } else { v });
    values.map(|value| Tick { value, label: stepped(value, step) }).collect()
}

/// Powers of ten within `low..=high` (both positive); where there are fewer than three, 2 and 5 times them too.
pub(crate) fn logarithmic(low: f64, high: f64, count: usize) -> Vec<Tick> {
    let (first, last) = (low.log10().floor() as i32, high.log10().ceil() as i32);
    let within = |v: &f64| *v >= low * 0.999 && *v <= high * 1.001;
    let decades: Vec<_> = (first..=last).map(|e| 10_f64.powi(e)).filter(within).collect();
    let values: Vec<f64> = if decades.len() > count {
        let step = decades.len().div_ceil(count);
        decades.into_iter().step_by(step).collect()
    } else if decades.len() < 3 {
        let finer = (first..=last).flat_map(|e| [1.0, 2.0, 5.0].map(|m| m * 10_f64.powi(e)));
        finer.filter(within).collect()
    } else {
        decades
    };
    if values.len() < 2 && high > low {
        return linear(low, high, count).into_iter().filter(|t| t.value > 0.0).collect();
    }
    values.into_iter().map(|value| Tick { value, label: number(value) }).collect()
}

/// A value on a scale with the given step: no more digits than the step has.
fn stepped(value: f64, step: f64) -> String {
    let largest = value.abs();
    if largest >= 1e4 || (largest > 0.0 && largest < 1e-3 && step < 1e-3) {
        return number(value);
    }
    let digits =
        (0..6).find(|d| ((step * 10_f64.powi(*d)).round() / 10_f64.powi(*d) - step).abs() < step * 1e-6);
    format!("{value:.*}", digits.unwrap_or(6) as usize)
}

/// A number in few characters: at most four digits, `k`, `M`, `G` from ten thousand on, exponents at the far ends.
pub(crate) fn number(value: f64) -> String {
    let size = value.abs();
    if !value.is_finite() {
        return value.to_string();
    }
    let (scaled, suffix) = match size {
        0.0 => return "0".into(),
        _ if !(1e-4..1e13).contains(&size) => {
            let text = format!("{value:.2e}");
            let (digits, exponent) = text.split_once('e').unwrap_or((&text, "0"));
            return format!("{}e{exponent}", trimmed(digits.to_owned()));
        }
        _ if size >= 1e9 => (value / 1e9, "G"),
        _ if size >= 1e6 => (value / 1e6, "M"),
        _ if size >= 1e4 => (value / 1e3, "k"),
        _ => (value, ""),
    };
    let digits = (3 - scaled.abs().log10().floor() as i32).clamp(0, 7) as usize;
    trimmed(format!("{scaled:.digits$}")) + suffix
}

/// Without zeros at the end of the fraction.
fn trimmed(text: String) -> String {
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(ticks: &[Tick]) -> Vec<&str> {
        ticks.iter().map(|t| t.label.as_str()).collect()
    }

    #[test]
    fn linear_ticks_are_round_and_within() {
        assert_eq!(labels(&linear(0.0, 1.0, 5)), ["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]);
        assert_eq!(labels(&linear(-3.0, 7.0, 5)), ["-2", "0", "2", "4", "6"]);
        assert_eq!(labels(&linear(0.0, 300_000.0, 3)), ["0", "100k", "200k", "300k"]);
        for (low, high) in [(1e-300, 2e-300), (-1e308, 1e308), (1e12, 1e12 + 1.0), (0.0, f64::MIN_POSITIVE)] {
            for tick in linear(low, high, 6) {
                assert!(tick.value.is_finite() && tick.value >= low - (high - low) && !tick.label.is_empty());
            }
        }
    }

    #[test]
    fn log_ticks_are_decades_or_finer() {
        assert_eq!(labels(&logarithmic(1.0, 1e4, 8)), ["1", "10", "100", "1000", "10k"]);
        assert_eq!(labels(&logarithmic(3.0, 40.0, 8)), ["5", "10", "20"]);
        assert!(logarithmic(1e-12, 1e12, 6).len() <= 6);
        assert!(!logarithmic(3.0, 3.5, 6).is_empty());
    }

    #[test]
    fn numbers_are_short() {
        let written: Vec<_> = [0.0, 1.0, 0.5, 12_345.0, 1.5e6, 2e9, 0.001, 1.25e-5, -3.0, 1e20, 1234.6]
            .into_iter()
            .map(number)
            .collect();
        assert_eq!(
            written,
            ["0", "1", "0.5", "12.35k", "1.5M", "2G", "0.001", "1.25e-5", "-3", "1e20", "1235"]
        );
    }
}
