//! Text in pages: escaping, hashes, numbers for people.

use std::fmt::Write;

use base64::Engine;
use serde::Serialize;
use sha2::{Digest, Sha256};

/// Text with the five characters replaced that mean something in HTML, in content and in quoted attributes.
pub(crate) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            // Not allowed in a page, escaped or not.
            c if c.is_control() && !matches!(c, '\n' | '\t') => out.push('\u{fffd}'),
            _ => out.push(c),
        }
    }
    out
}

/// JSON that can stand in a script element: no character in it can end the element or begin a comment.
pub(crate) fn json(value: &impl Serialize) -> String {
    // Serialising plain structures with string keys does not fail.
    let plain = serde_json::to_string(value).unwrap_or_default();
    let mut out = String::with_capacity(plain.len());
    for c in plain.chars() {
        match c {
            '<' | '>' | '&' | '\u{2028}' | '\u{2029}' => {
                let _ = write!(out, "\\u{:04x}", c as u32);
            }
            _ => out.push(c),
        }
    }
    out
}

/// The hash of an inline script or style, as a content policy names it.
pub(crate) fn policy_hash(content: &str) -> String {
    let hash = base64::engine::general_purpose::STANDARD.encode(Sha256::digest(content));
    format!("'sha256-{hash}'")
}

/// SHA-256 of bytes that come piece by piece: what names work by its content.
#[derive(Debug, Clone, Default)]
pub struct ContentHash(Sha256);

impl ContentHash {
    /// More bytes.
    pub fn update(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    /// The hash of everything, in hexadecimal.
    pub fn hex(self) -> String {
        self.0.finalize().iter().fold(String::new(), |mut out, byte| {
            let _ = write!(out, "{byte:02x}");
            out
        })
    }
}

impl std::io::Write for ContentHash {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.update(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// `1234567` as `1,234,567`.
pub(crate) fn thousands(n: usize) -> String {
    let digits = n.to_string();
    let mut out = String::new();
    for (i, c) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(c);
    }
    out
}

/// `1 frame`, `2 frames`.
pub(crate) fn counted(n: usize, one: &str, many: &str) -> String {
    format!("{} {}", thousands(n), if n == 1 { one } else { many })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_in_json_ends_a_script() {
        let nasty = "</script><!--<script>&\u{2028}";
        let text = json(&nasty);
        assert!(!text.contains(['<', '>', '&', '\u{2028}']), "{text}");
        assert_eq!(serde_json::from_str::<String>(&text).unwrap(), nasty);
    }

    #[test]
    fn hashes_are_the_known_ones() {
        let abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        let mut hash = ContentHash::default();
        hash.update(b"a");
        hash.update(b"bc");
        assert_eq!(hash.hex(), abc);
        assert_eq!(policy_hash("abc"), "'sha256-ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0='");
    }

    #[test]
    fn text_is_escaped() {
        assert_eq!(escaped("<a b='c'>&\"\u{7}"), "&lt;a b=&#39;c&#39;&gt;&amp;&quot;\u{fffd}");
        assert_eq!(counted(1, "frame", "frames") + &counted(1234, "x", "y"), "1 frame1,234 y");
    }
}
