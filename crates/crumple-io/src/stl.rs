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
use crate::{MeshData, Place, Polygons, ReadError, Source};

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
/// keeps every position twice. Corners are looked up in blocks: first all hashes, then all slots, then all positions that these
/// name, so that the processor waits for many of them at once.
struct Weld {
    /// Vertex numbers, or [`Weld::FREE`]; the length is a power of two.
    table: Vec<u32>,
    keys: [u64; 3],
    positions: Vec<[f64; 3]>,
    /// The vertex of each corner.
    corners: Vec<u32>,
    /// Corners that are not looked up yet.
    block: Vec<[f64; 3]>,
    hashes: Vec<u64>,
    guesses: Vec<u32>,
}

impl Weld {
    const FREE: u32 = u32::MAX;
    const BLOCK: usize = 384;

    /// Room for so many triangles, and half as many vertices, as closed surfaces have.
    fn with_capacity(triangles: usize) -> Self {
        let random = RandomState::new();
        let slots = triangles.next_power_of_two().max(4 * Self::BLOCK);
        Self {
            table: vec![Self::FREE; slots],
            keys: [0, 1, 2].map(|k: u64| random.hash_one(k)),
            positions: Vec::with_capacity(triangles / 2),
            corners: Vec::with_capacity(3 * triangles),
            block: Vec::with_capacity(Self::BLOCK),
            hashes: Vec::with_capacity(Self::BLOCK),
            guesses: Vec::with_capacity(Self::BLOCK),
        }
    }

    /// The next corner.
    fn corner(&mut self, p: [f64; 3]) {
        self.block.push(p);
        if self.block.len() == Self::BLOCK {
            self.look_up();
        }
    }

    /// Number of whole triangles so far.
    fn triangle_count(&self) -> usize {
        (self.corners.len() + self.block.len()) / 3
    }

    fn finish(mut self) -> MeshData {
        self.look_up();
        let polygons = Polygons::from_triangle_corners(self.corners);
        MeshData { positions: self.positions, polygons, ..MeshData::default() }
    }

    /// Names the vertices of a block of corners.
    fn look_up(&mut self) {
        let block = std::mem::take(&mut self.block);
        while 2 * (self.positions.len() + block.len()) > self.table.len() {
            self.grow();
        }
        let mut hashes = std::mem::take(&mut self.hashes);
        hashes.clear();
        hashes.extend(block.iter().map(|&p| self.hash(p)));
        let mut guesses = std::mem::take(&mut self.guesses);
        guesses.clear();
        let last = self.table.len() - 1;
        guesses.extend(hashes.iter().map(|&hash| self.table[hash as usize & last]));
        for guess in 0..block.len() {
            let there = self.positions.get(guesses[guess] as usize);
            if there != Some(&block[guess]) {
                guesses[guess] = Self::FREE;
            }
        }
        for (i, &p) in block.iter().enumerate() {
            let vertex = if guesses[i] != Self::FREE { guesses[i] } else { self.find(p, hashes[i]) };
            self.corners.push(vertex);
        }
        (self.block, self.hashes, self.guesses) = (block, hashes, guesses);
        self.block.clear();
    }

    fn find(&mut self, p: [f64; 3], hash: u64) -> u32 {
        let slot = self.slot(p, hash);
        let vertex = self.table[slot];
        if vertex != Self::FREE {
            return vertex;
        }
        let vertex = self.positions.len() as u32;
        self.table[slot] = vertex;
        self.positions.push(p);
        vertex
    }

    /// The slot that holds `p`, or the free one where it belongs.
    fn slot(&self, p: [f64; 3], hash: u64) -> usize {
        let last = self.table.len() - 1;
        let mut slot = hash as usize & last;
        // At least half of the slots are free, so that this ends.
        while self.table[slot] != Self::FREE && self.positions[self.table[slot] as usize] != p {
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
        for vertex in 0..self.positions.len() {
            let p = self.positions[vertex];
            let slot = self.slot(p, self.hash(p));
            self.table[slot] = vertex as u32;
        }
    }
}

fn finite(
    source: &Source,
    place: impl Fn() -> Place,
    triangle: usize,
    p: [f64; 3],
) -> Result<[f64; 3], ReadError> {
    if p.iter().all(|c| c.is_finite()) {
        return Ok(p);
    }
    let [x, y, z] = p;
    Err(source.error(place(), format!("a vertex of triangle {triangle} is not finite: ({x}, {y}, {z})")))
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
    let mut weld = Weld::with_capacity(held);
    let start = binary.offset();
    let records = binary.take(held * RECORD, "the triangles")?.as_chunks::<RECORD>().0;
    for (triangle, record) in records.iter().enumerate() {
        // A normal, three corners, two attribute bytes.
        let (numbers, _) = record[12..48].as_chunks::<4>();
        let c = |k: usize| f64::from(f32::from_le_bytes(numbers[k]));
        for k in 0..3 {
            let corner = [c(3 * k), c(3 * k + 1), c(3 * k + 2)];
            let place = || Place::Byte((start + triangle * RECORD + 12 + 12 * k) as u64);
            weld.corner(finite(source, place, triangle, corner)?);
        }
    }
    let mut data = weld.finish();
    if binary.remaining() > 0 {
        data.notes.push(format!("{} bytes after the last triangle ignored", binary.remaining()));
    }
    Ok(data)
}

fn read_text(source: &Source) -> Result<MeshData, ReadError> {
    let mut text = Text::new(source);
    // A facet takes at least 66 characters, mostly twice as many.
    let mut weld = Weld::with_capacity(capacity(u64::MAX, text.remaining(), 66) / 2);
    while let Some(word) = text.word() {
        if !word.eq_ignore_ascii_case(b"solid") {
            return Err(text.error(format!("expected \"solid\", found {}", quoted(word))));
        }
        text.next_line();
        while facet(source, &mut text, &mut weld)? {}
        // The name after "endsolid".
        text.next_line();
    }
    Ok(weld.finish())
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
    let triangle = weld.triangle_count();
    for _ in 0..3 {
        text.keyword("vertex")?;
        let p = [text.number("x")?, text.number("y")?, text.number("z")?];
        weld.corner(finite(source, || Place::Line(text.line()), triangle, p)?);
    }
    text.keyword("endloop")?;
    text.keyword("endfacet")?;
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
    fn corners_of_many_blocks_are_welded_as_by_a_map() {
        // A grid of 60 x 60 squares, twice: the second time every corner is known already, blocks ago.
        let at = |i: u32, j: u32| [i as f32, j as f32 - 30.0, (i * j) as f32];
        let squares = (0..60).flat_map(|i| (0..60).map(move |j| (i, j)));
        let triangles: Vec<[f32; 9]> = squares
            .clone()
            .chain(squares)
            .map(|(i, j)| [at(i, j), at(i + 1, j), at(i + 1, j + 1)].concat().try_into().unwrap())
            .collect();
        let data = parse(&binary(b"", triangles.len() as u32, &triangles)).unwrap();
        let (mut known, mut positions, mut corners) =
            (std::collections::HashMap::new(), Vec::new(), Vec::new());
        for p in triangles.iter().flat_map(|t| t.as_chunks::<3>().0) {
            corners.push(*known.entry(p.map(|c| (c + 0.0).to_bits())).or_insert_with(|| {
                positions.push(p.map(f64::from));
                positions.len() as u32 - 1
            }));
        }
        assert_eq!(data.positions, positions);
        assert_eq!(data.polygons.iter().collect::<Vec<_>>().concat(), corners);
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
