//! What a file calls the parts of a body: objects, groups, materials, or islands of its texture map.

use crumple_io::{MeshData, Uvs};

/// Names of the faces of one body.
#[derive(Debug, Clone, Default)]
pub struct Regions {
    names: Vec<String>,
    /// For each polygon the name and one less than it; empty when there are no names.
    of_polygon: Vec<u32>,
    /// For each polygon the middle of its texture coordinates; empty when there are none.
    uv: Vec<[f64; 2]>,
}

const NONE: u32 = u32::MAX;

impl Regions {
    /// The names that a file gives: its parts where it has several, else the islands of its texture map.
    pub fn of(data: &MeshData) -> Self {
        let uv = middles(data);
        let mut regions = Self { uv, ..Self::default() };
        let mut number = std::collections::HashMap::new();
        for part in &data.parts {
            let words = [&part.object, &part.group, &part.material];
            let mut name = String::new();
            for word in words.into_iter().filter(|w| !w.is_empty()) {
                name = if name.is_empty() { word.to_string() } else { format!("{name} / {word}") };
            }
            let next = regions.names.len() as u32;
            let k = *number.entry(name.clone()).or_insert(next);
            if k == next {
                regions.names.push(name);
            }
            regions.of_polygon.resize(part.faces.end, NONE);
            regions.of_polygon[part.faces.clone()].fill(k);
        }
        if regions.names.len() < 2 && !data.uvs.is_empty() {
            let (of_polygon, count) = islands(data);
            if count > 1 {
                regions.names = (1..=count).map(|k| format!("texture island {k} of {count}")).collect();
                regions.of_polygon = of_polygon;
            }
        }
        regions
    }

    /// The name of the region that most of these polygons are in.
    pub(crate) fn most(&self, polygons: impl Iterator<Item = usize>) -> Option<&str> {
        let mut votes = vec![0_u32; self.names.len()];
        for polygon in polygons {
            if let Some(vote) = self.of_polygon.get(polygon).and_then(|&k| votes.get_mut(k as usize)) {
                *vote += 1;
            }
        }
        let best = votes.iter().enumerate().max_by_key(|(k, n)| (**n, std::cmp::Reverse(*k)))?;
        (*best.1 > 0).then(|| self.names[best.0].as_str()).filter(|name| !name.is_empty())
    }

    /// Texture coordinates of the middle of a polygon.
    pub(crate) fn uv(&self, polygon: usize) -> Option<[f64; 2]> {
        self.uv.get(polygon).copied().filter(|uv| uv.iter().all(|x| x.is_finite()))
    }
}

/// The texture coordinates' number of each corner of each polygon.
fn corners(data: &MeshData, polygon: usize) -> impl Iterator<Item = u32> + '_ {
    let range = data.polygons.corner_range(polygon);
    let vertices = data.polygons.get(polygon);
    range.zip(vertices).map(|(at, &v)| data.uvs.corners.get(at).copied().unwrap_or(v))
}

fn middles(data: &MeshData) -> Vec<[f64; 2]> {
    if data.uvs.is_empty() {
        return Vec::new();
    }
    let middle = |polygon| {
        let known = corners(data, polygon).filter(|&c| c != Uvs::NONE);
        let (mut sum, mut n) = ([0.0; 2], 0.0);
        for uv in known.filter_map(|c| data.uvs.coordinates.get(c as usize)) {
            (sum, n) = ([sum[0] + uv[0], sum[1] + uv[1]], n + 1.0);
        }
        sum.map(|s| s / n)
    };
    (0..data.polygons.len()).map(middle).collect()
}

/// Polygons that hang together in the texture map, numbered by their first polygon, and how many there are.
fn islands(data: &MeshData) -> (Vec<u32>, usize) {
    let mut parent: Vec<u32> = (0..data.uvs.coordinates.len() as u32).collect();
    let find = |parent: &mut [u32], mut node: u32| {
        while parent[node as usize] != node {
            parent[node as usize] = parent[parent[node as usize] as usize];
            node = parent[node as usize];
        }
        node
    };
    let mut first_of = Vec::with_capacity(data.polygons.len());
    for polygon in 0..data.polygons.len() {
        let mut known = corners(data, polygon).filter(|&c| (c as usize) < data.uvs.coordinates.len());
        let first = known.next();
        if let Some(first) = first {
            for other in known {
                let (a, b) = (find(&mut parent, first), find(&mut parent, other));
                parent[a.max(b) as usize] = a.min(b);
            }
        }
        first_of.push(first);
    }
    let mut number = vec![NONE; parent.len()];
    let mut count = 0;
    let of_polygon = first_of
        .into_iter()
        .map(|first| {
            let Some(first) = first else { return NONE };
            let root = find(&mut parent, first) as usize;
            if number[root] == NONE {
                (number[root], count) = (count, count + 1);
            }
            number[root]
        })
        .collect();
    (of_polygon, count as usize)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crumple_io::{Format, ReadOptions, Source, read_source_with};

    fn read(text: &str) -> MeshData {
        let source = Source { name: "a.obj".into(), bytes: text.into() };
        let options = ReadOptions::default().with_format(Format::Obj).with_uvs();
        read_source_with("a.obj".as_ref(), &source, &options).unwrap()
    }

    const QUADS: &str =
        "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nvt 0 0\nvt 1 0\nvt 0 1\nvt 3 3\nvt 4 3\nvt 3 4\n";

    #[test]
    fn parts_name_a_place_by_majority() {
        let text = format!("{QUADS}o shirt\ng sleeve\nf 1 2 3\nf 2 4 3\ng collar\nf 1 2 4\n");
        let regions = Regions::of(&read(&text));
        assert_eq!(regions.most([0, 1, 2].into_iter()), Some("shirt / sleeve"));
        assert_eq!(regions.most([2].into_iter()), Some("shirt / collar"));
        assert_eq!(regions.most([9].into_iter()), None);
        assert_eq!(regions.uv(0), None);
    }

    #[test]
    fn without_parts_texture_islands_name_it() {
        let text = format!("{QUADS}f 1/1 2/2 3/3\nf 2/4 4/5 3/6\nf 1 2 4\n");
        let regions = Regions::of(&read(&text));
        assert_eq!(regions.most([0].into_iter()), Some("texture island 1 of 2"));
        assert_eq!(regions.most([1].into_iter()), Some("texture island 2 of 2"));
        assert_eq!(regions.most([2].into_iter()), None);
        assert!((regions.uv(1).unwrap()[0] - 10.0 / 3.0).abs() < 1e-12);
        assert_eq!(regions.uv(2), None);
    }
}
