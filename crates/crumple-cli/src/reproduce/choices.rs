//! Every constant of the experiments, read from their own source: what is chosen, and the sentence that says why.
//!
//! Nothing is listed by hand, so nothing can be left out: [`SOURCES`] has every file of the folder but the table of limits, which
//! the page prints by itself. A test checks that, and another that no number with a meaning stands in the code without a name.

/// A constant as it stands in the source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Choice {
    /// The file, within this folder.
    pub file: &'static str,
    pub name: &'static str,
    pub value: String,
    /// The sentence above it.
    pub reason: String,
}

/// The files by name and with their text.
macro_rules! sources {
    ($($file:literal),* $(,)?) => { &[$(($file, include_str!($file))),*] };
}

/// Every file of the laboratory but the limits.
const SOURCES: &[(&str, &str)] = sources!(
    "before.rs",
    "choices.rs",
    "claim.rs",
    "common/bodies.rs",
    "common/memory.rs",
    "common/methods.rs",
    "common/mod.rs",
    "finding.rs",
    "ganovelli/aabb_tree.rs",
    "ganovelli/collisions.rs",
    "ganovelli/levels.rs",
    "ganovelli/mod.rs",
    "ganovelli/pictures.rs",
    "ganovelli/updates.rs",
    "heidelberger/alternatives.rs",
    "heidelberger/mod.rs",
    "heidelberger/pairs.rs",
    "heidelberger/pictures.rs",
    "heidelberger/points.rs",
    "heidelberger/snow.rs",
    "heidelberger/worst.rs",
    "lab.rs",
    "madera/experiments.rs",
    "madera/mod.rs",
    "madera/models.rs",
    "madera/pictures.rs",
    "madera/runs.rs",
    "madera/unit.rs",
    "markdown.rs",
    "measure.rs",
    "mod.rs",
    "page.rs",
    "scenery.rs",
    "sheet.rs",
    "simulated.rs",
    "teschner/choices.rs",
    "teschner/conclusions.rs",
    "teschner/framework.rs",
    "teschner/hashing.rs",
    "teschner/mod.rs",
    "teschner/pictures.rs",
    "teschner/setups.rs",
    "teschner/sweeps.rs",
    "volino/arity.rs",
    "volino/cloth.rs",
    "volino/contours.rs",
    "volino/explained.rs",
    "volino/fabric.rs",
    "volino/mod.rs",
    "volino/pictures.rs",
    "volino/series.rs",
    "volino/stored.rs",
);

/// Kinds of constants that are no numbers: words, names of bodies.
const NO_NUMBERS: [&str; 3] = ["&str = ", "BodyId", "Color"];

/// All constants, file by file.
pub fn all() -> Vec<Choice> {
    SOURCES.iter().flat_map(|(file, text)| of(file, text)).collect()
}

/// The part of a file before its tests.
fn code(text: &str) -> &str {
    text.split("#[cfg(test)]").next().unwrap_or(text)
}

/// The constants of one file. Those that follow each other without a sentence of their own share the one above.
fn of(file: &'static str, text: &'static str) -> Vec<Choice> {
    let mut out = Vec::new();
    let mut reason = String::new();
    let mut lines = code(text).lines().map(str::trim).peekable();
    while let Some(line) = lines.next() {
        if let Some(words) = line.strip_prefix("///") {
            reason = join(&reason, words);
            continue;
        }
        let Some((name, mut rest)) = constant(line) else {
            reason.clear();
            continue;
        };
        let mut value = String::new();
        loop {
            value = join(&value, rest);
            match lines.next_if(|_| !value.ends_with(';')) {
                Some(next) => rest = next,
                None => break,
            }
        }
        if !NO_NUMBERS.iter().any(|kind| line.contains(kind)) {
            let value = value.split_once("= ").map_or(value.as_str(), |(_, v)| v).trim_end_matches(';');
            out.push(Choice { file, name, value: value.to_owned(), reason: reason.clone() });
        }
    }
    out
}

/// Name and the rest of a line that begins a constant.
fn constant(line: &'static str) -> Option<(&'static str, &'static str)> {
    let rest = line.strip_prefix("pub const ").or_else(|| line.strip_prefix("const "))?;
    rest.split_once(": ")
        .filter(|(name, _)| name.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_'))
}

fn join(a: &str, b: &str) -> String {
    if a.is_empty() { b.trim().to_owned() } else { format!("{a} {}", b.trim()) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    #[test]
    fn every_file_with_experiments_is_read() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/reproduce");
        let (mut files, mut folders) = (Vec::new(), vec![folder.clone()]);
        while let Some(next) = folders.pop() {
            for path in std::fs::read_dir(&next).unwrap().map(|e| e.unwrap().path()) {
                if path.is_dir() {
                    folders.push(path);
                } else {
                    files.push(path.strip_prefix(&folder).unwrap().to_str().unwrap().replace('\\', "/"));
                }
            }
        }
        files.retain(|f| f != "limits.rs");
        files.sort();
        assert_eq!(files, SOURCES.iter().map(|s| s.0).collect::<Vec<_>>());
    }

    #[test]
    fn every_constant_has_a_sentence_and_a_value() {
        let all = all();
        assert!(all.len() > 60, "{}", all.len());
        for c in &all {
            assert!(c.reason.len() > 10 && !c.value.is_empty(), "{} {} is not explained", c.file, c.name);
        }
        let steps = all.iter().find(|c| c.file == "teschner/setups.rs" && c.name == "STEPS").unwrap();
        assert_eq!(
            (steps.value.as_str(), steps.reason.as_str()),
            ("1000", "Steps that the paper averages over.")
        );
    }

    /// Numbers that need no name: small counts, halves, and factors between units.
    const PLAIN: [f64; 5] = [0.5, 1e3, 1e-3, 1e-6, 100.0];
    /// What only draws: widths, opacities, views; seeds; keys of rows; and the paper's numbers, which other tests find in quotations.
    const DRAWS: [&str; 14] = [
        ".width(",
        ".opacity(",
        ".size(",
        ".fill(",
        "see_through(",
        "View::",
        ".focus(",
        "canvas(",
        "bodies(",
        "surface(",
        "Rng::new(",
        ".at(\"",
        "paper(",
        "Color::hex(",
    ];

    #[test]
    fn no_number_with_a_meaning_is_without_a_name() {
        for (file, text) in SOURCES {
            let mut is_constant = false;
            let mut is_string = false;
            for (n, line) in code(text).lines().enumerate() {
                let line = line.trim();
                is_constant |= constant(line).is_some() || line.starts_with("pub static ");
                let (bare, open) = without_strings(line, is_string);
                is_string = open;
                if !is_constant && !DRAWS.iter().any(|d| line.contains(d)) {
                    for number in numbers(&bare) {
                        let is_plain = number <= 10.0 && number.fract() == 0.0 || PLAIN.contains(&number);
                        assert!(is_plain, "{file}:{}: {number} has no name: {line}", n + 1);
                    }
                }
                is_constant &= !line.ends_with(';') && line != "};";
            }
        }
    }

    #[test]
    fn numbers_are_seen_wherever_they_stand() {
        assert_eq!(numbers("for _ in 0..12 {"), [0.0, 12.0]);
        assert_eq!(numbers("x2 * 0.42 + take(3000) - 1e-12"), [0.42, 3000.0, 1e-12]);
        assert_eq!(numbers("1_500_usize, 2.0_f64"), [1500.0, 2.0]);
    }

    /// A line without what stands in quotation marks or after slashes, and whether a string goes on in the next.
    fn without_strings(line: &str, mut is_string: bool) -> (String, bool) {
        let mut out = String::new();
        let mut chars = line.chars().peekable();
        while let Some(c) = chars.next() {
            match c {
                '\\' if is_string => drop(chars.next()),
                '"' => is_string = !is_string,
                '/' if !is_string && chars.peek() == Some(&'/') => break,
                c if !is_string => out.push(c),
                _ => {}
            }
        }
        (out, is_string)
    }

    /// The numbers of a line of code; digits that belong to a name are none.
    fn numbers(line: &str) -> Vec<f64> {
        let mut out = Vec::new();
        let mut word = String::new();
        let mut chars = line.chars().chain([' ']).peekable();
        while let Some(c) = chars.next() {
            let is_number = word.starts_with(|c: char| c.is_ascii_digit());
            let is_point = c == '.' && chars.peek().is_some_and(char::is_ascii_digit);
            let is_sign = c == '-' && word.ends_with('e');
            if c.is_ascii_alphanumeric() || c == '_' || is_number && (is_point || is_sign) {
                word.push(c);
                continue;
            }
            if is_number {
                let digits = word.replace('_', "");
                let kinds = ["usize", "f64", "i32", "u32", "u64", "u128"];
                let bare = kinds.iter().find_map(|kind| digits.strip_suffix(kind)).unwrap_or(&digits);
                out.extend(bare.parse::<f64>().ok());
            }
            word.clear();
        }
        out
    }
}
