//! STL, text and binary.
//!
//! STL has no vertices, only corners. Corners that are equal as numbers (so that -0 is 0) become one vertex; the
//! vertices are numbered by first occurrence. Normals, names and attribute bytes are ignored. Several solids in
//! a text file follow each other.
//!
//! A file whose size fits the count at byte 80 is binary whatever it starts with; otherwise a file that starts
//! with `solid` and has no zero byte in its first kilobyte is text; anything else is binary with a wrong count.

use std::hash::{BuildHasher, RandomState};

use crate::binary::{Binary, Endian, Scalar};
use crate::check::capacity;
use crate::text::{Text, quoted};
use crate::{MeshData, Place, ReadError, Source};

const HEADER: usize = 80;
const RECORD: usize = 50;

/// Reads an STL file of either kind.
pub(crate) fn read(source: &Source) -> Result<MeshData, ReadError> {
    if is_text(&source.bytes) { read_text(source) } else { read_binary(source) }
}

fn is_text(bytes: &[u8]) -> bool {
    if let Some(count) = bytes.get(HEADER..HEADER + 4) {
        let count = u32::from_le_bytes([count[0], count[1], count[2], count[3]]);
        if count as u64 * RECORD as u64 + HEADER as u64 + 4 == bytes.len() as u64 {
            return false;
        }
    }
    let start = bytes.trim_ascii_start();
    let start = start.strip_prefix(b"\xef\xbb\xbf").unwrap_or(start);
    start.len() >= 5
        && start[..5].eq_ignore_ascii_case(b"solid")
        && !bytes[..bytes.len().min(1024)].contains(&0)
}

/// Gives equal corners the same vertex.
///
/// An open-addressing table of vertex numbers, at most half full. The hash has a random key, so that no file can be made
/// to be slow; vertices are numbered as they come, so that the key does not show. Three times as fast as `HashMap`, which
/// keeps every position twice.
struct Weld {
    /// Vertex numbers, or [`Weld::FREE`]; the length is a power of two.
    table: Vec<u32>,
    /// The corners seen last, by the upper bits of their hash: neighbours come soon after each other, and this stays in the
    /// processor's cache where the table does not.
    recent: Vec<([f64; 3], u32)>,
    keys: [u64; 3],
    data: MeshData,
}

impl Weld {
    const FREE: u32 = u32::MAX;
    const RECENT_BITS: u32 = 12;

    /// Room for about so many vertices.
    fn with_capacity(vertices: usize) -> Self {
        let random = RandomState::new();
        let mut data = MeshData::default();
        data.positions.reserve(vertices);
        data.polygons.reserve(2 * vertices, 6 * vertices);
        let slots = (2 * vertices).next_power_of_two().max(16);
        Self {
            table: vec![Self::FREE; slots],
            // Equal to no corner.
            recent: vec![([f64::NAN; 3], Self::FREE); 1 << Self::RECENT_BITS],
            keys: [0, 1, 2].map(|k: u64| random.hash_one(k)),
            data,
        }
    }

    fn triangle(&mut self, corners: [[f64; 3]; 3]) {
        let corners = corners.map(|p| self.vertex(p));
        self.data.polygons.push(&corners);
    }

    fn vertex(&mut self, p: [f64; 3]) -> u32 {
        let hash = self.hash(p);
        let recent = (hash >> (64 - Self::RECENT_BITS)) as usize;
        if self.recent[recent].0 == p {
            return self.recent[recent].1;
        }
        let vertex = self.find(p, hash);
        self.recent[recent] = (p, vertex);
        vertex
    }

    fn find(&mut self, p: [f64; 3], hash: u64) -> u32 {
        if 2 * self.data.positions.len() >= self.table.len() {
            self.grow();
        }
        let slot = self.slot(p, hash);
        let vertex = self.table[slot];
        if vertex != Self::FREE {
            return vertex;
        }
        let vertex = self.data.positions.len() as u32;
        self.table[slot] = vertex;
        self.data.positions.push(p);
        vertex
    }

    /// The slot that holds `p`, or the free one where it belongs.
    fn slot(&self, p: [f64; 3], hash: u64) -> usize {
        let last = self.table.len() - 1;
        let mut slot = hash as usize & last;
        // At least half of the slots are free, so that this ends.
        while self.table[slot] != Self::FREE && self.data.positions[self.table[slot] as usize] != p {
            slot = (slot + 1) & last;
        }
        slot
    }

    fn hash(&self, p: [f64; 3]) -> u64 {
        // Adding 0 turns -0 into 0 and changes nothing else, so that equal numbers have equal bits.
        let [x, y, z] = p.map(|c| (c + 0.0).to_bits());
        let folded = |a: u64, b: u64| {
            let product = u128::from(a) * u128::from(b);
            product as u64 ^ (product >> 64) as u64
        };
        folded(folded(x ^ self.keys[0], y ^ self.keys[1]) ^ z, self.keys[2] | 1)
    }

    fn grow(&mut self) {
        let slots = 2 * self.table.len();
        self.table.clear();
        self.table.resize(slots, Self::FREE);
        for vertex in 0..self.data.positions.len() {
            let p = self.data.positions[vertex];
            let slot = self.slot(p, self.hash(p));
            self.table[slot] = vertex as u32;
        }
    }
}

fn finite(source: &Source, place: Place, triangle: usize, p: [f64; 3]) -> Result<[f64; 3], ReadError> {
    if p.iter().all(|c| c.is_finite()) {
        return Ok(p);
    }
    let [x, y, z] = p;
    Err(source.error(place, format!("a vertex of triangle {triangle} is not finite: ({x}, {y}, {z})")))
}

fn read_binary(source: &Source) -> Result<MeshData, ReadError> {
    let mut binary = Binary::new(source, 0, Endian::Little);
    binary.take(HEADER, "the header")?;
    let count: u32 = binary.integer(Scalar::U32, "the number of triangles")?;
    let held = binary.remaining() / RECORD;
    if count as usize > held || held > count as usize {
        let what = format!("the header announces {count} triangles, the file holds {held}");
        return Err(source.error(Place::Byte(HEADER as u64), what));
    }
    // Half a vertex per triangle is what closed surfaces have.
    let mut weld = Weld::with_capacity(held / 2);
    let start = binary.offset();
    let records = binary.take(held * RECORD, "the triangles")?.as_chunks::<RECORD>().0;
    for (triangle, record) in records.iter().enumerate() {
        // A normal, three corners, two attribute bytes.
        let (numbers, _) = record[12..48].as_chunks::<4>();
        let c = |k: usize| f64::from(f32::from_le_bytes(numbers[k]));
        let corners = [0, 3, 6].map(|k| [c(k), c(k + 1), c(k + 2)]);
        for (k, corner) in corners.iter().enumerate() {
            let place = Place::Byte((start + triangle * RECORD + 12 + 12 * k) as u64);
            finite(source, place, triangle, *corner)?;
        }
        weld.triangle(corners);
    }
    if binary.remaining() > 0 {
        weld.data.notes.push(format!("{} bytes after the last triangle ignored", binary.remaining()));
    }
    Ok(weld.data)
}

fn read_text(source: &Source) -> Result<MeshData, ReadError> {
    let mut text = Text::new(source);
    // A facet takes at least 66 characters, mostly twice as many; half a vertex per triangle is what surfaces have.
    let mut weld = Weld::with_capacity(capacity(u64::MAX, text.remaining(), 66) / 4);
    while let Some(word) = text.word() {
        if !word.eq_ignore_ascii_case(b"solid") {
            return Err(text.error(format!("expected \"solid\", found {}", quoted(word))));
        }
        text.next_line();
        while facet(source, &mut text, &mut weld)? {}
        // The name after "endsolid".
        text.next_line();
    }
    Ok(weld.data)
}

/// Reads one facet; `false` if the solid ends instead.
fn facet(source: &Source, text: &mut Text<'_>, weld: &mut Weld) -> Result<bool, ReadError> {
    match text.word() {
        Some(word) if word.eq_ignore_ascii_case(b"facet") => {}
        Some(word) if word.eq_ignore_ascii_case(b"endsolid") => return Ok(false),
        Some(word) => return Err(text.error(format!("expected \"facet\", found {}", quoted(word)))),
        None => return Err(text.error("the file ends before \"endsolid\"")),
    }
    // Programs write normals such as "-nan(ind)"; they are not ours to judge.
    text.keyword("normal")?;
    for _ in 0..3 {
        text.word();
    }
    text.keyword("outer")?;
    text.keyword("loop")?;
    let mut corners = [[0.0; 3]; 3];
    for corner in &mut corners {
        text.keyword("vertex")?;
        let p = [text.number("x")?, text.number("y")?, text.number("z")?];
        *corner = finite(source, Place::Line(text.line()), weld.data.polygons.len(), p)?;
    }
    text.keyword("endloop")?;
    text.keyword("endfacet")?;
    weld.triangle(corners);
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(bytes: &[u8]) -> Result<MeshData, ReadError> {
        read(&Source { name: "t.stl".into(), bytes: bytes.to_vec() })
    }

    fn fault(bytes: &[u8]) -> String {
        parse(bytes).unwrap_err().to_string()
    }

    fn binary(header: &[u8], count: u32, triangles: &[[f32; 9]]) -> Vec<u8> {
        let mut bytes = header.to_vec();
        bytes.resize(HEADER, b' ');
        bytes.extend(count.to_le_bytes());
        for t in triangles {
            bytes.extend([0; 12]);
            bytes.extend(t.iter().flat_map(|c| c.to_le_bytes()));
            bytes.extend([0; 2]);
        }
        bytes
    }

    const A: [f32; 9] = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0];
    const B: [f32; 9] = [1.0, -0.0, 0.0, 0.0, 1.0, -0.0, 1.0, 1.0, 0.1];

    #[test]
    fn equal_corners_become_one_vertex_in_order_of_first_occurrence() {
        // Zero and minus zero are equal; 0.1 is widened from f32 without loss.
        let data = parse(&binary(b"solid but binary", 2, &[A, B])).unwrap();
        let last = [1.0, 1.0, f64::from(0.1f32)];
        assert_eq!(data.positions, [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], last]);
        assert_eq!(data.polygons.iter().collect::<Vec<_>>(), [[0, 1, 2], [1, 2, 3]]);
    }

    #[test]
    fn a_wrong_count_is_an_error_even_behind_the_word_solid() {
        assert!(
            fault(&binary(b"solid", 3, &[A, B]))
                .contains("byte 80: the header announces 3 triangles, the file holds 2")
        );
        assert!(fault(&binary(b"x", 1, &[A, B])).contains("announces 1 triangles, the file holds 2"));
        assert!(fault(&binary(b"x", u32::MAX, &[A])).contains("announces 4294967295"));
        let mut cut = binary(b"x", 1, &[A]);
        cut.pop();
        assert!(fault(&cut).contains("holds 0"));
        assert!(fault(b"short").contains("the data ends in the header"));
        let mut padded = binary(b"x", 1, &[A]);
        padded.push(b'\n');
        assert_eq!(parse(&padded).unwrap().notes, ["1 bytes after the last triangle ignored"]);
        assert!(
            fault(&binary(b"x", 1, &[[f32::NAN; 9]]))
                .contains("byte 96: a vertex of triangle 0 is not finite")
        );
    }

    #[test]
    fn text_with_several_solids() {
        let facet = "facet normal nan nan nan\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0.1\nendloop\nendfacet\n";
        let text = format!("solid a b\n{facet}endsolid a b\nSOLID\r\n{facet}{facet}ENDSOLID\n");
        let data = parse(text.as_bytes()).unwrap();
        assert_eq!(data.positions, [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.1]]);
        assert_eq!(data.polygons.len(), 3);
        assert!(
            fault(format!("solid\n{facet}").as_bytes()).contains("line 9: the file ends before \"endsolid\"")
        );
        assert!(
            fault(b"solid\nfacet normal 0 0 1 outer loop vertex 0 0 x")
                .contains("line 2: z should be a number")
        );
        assert!(
            fault(b"solid\nfacet normal 0 0 1 outer loop vertex 0 0 inf")
                .contains("triangle 0 is not finite")
        );
        assert_eq!(parse(b"solid\nendsolid").unwrap(), MeshData::default());
    }
}
