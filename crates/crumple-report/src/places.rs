//! Where bodies collide in a frame: places with their names and depths, and the triangles to be marked.

use std::collections::HashMap;

use crumple::{Answer, BodyId, Contact, Error, Penetration, Scene, VertexId};
use serde::Serialize;

use crate::regions::Regions;

/// One place of a frame, as the page lists it.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct PlaceRow {
    /// The bodies; twice the same for contacts within one.
    pub bodies: [u32; 2],
    /// What the file calls the parts that meet here.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parts: Option<[String; 2]>,
    /// Texture coordinates at the middle, of the first body.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub uv: Option<[f64; 2]>,
    /// Pairs of triangles; 0 when only vertices are inside.
    pub pairs: usize,
    /// Vertices inside tets here.
    #[serde(skip_serializing_if = "is_zero")]
    pub inside: usize,
    pub length: f64,
    pub size: f64,
    pub depth: f64,
    pub centre: [f64; 3],
}

fn is_zero(n: &usize) -> bool {
    *n == 0
}

/// A triangle to be drawn as colliding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Mark {
    pub body: u32,
    pub triangle: u32,
    pub place: u32,
}

/// What a frame shows: its places, the worst first, and what to mark.
#[derive(Debug, Default)]
pub(crate) struct FramePlaces {
    pub rows: Vec<PlaceRow>,
    pub marks: Vec<Mark>,
    /// Vertices inside tets: where, how deep, and the place that they belong to.
    pub vertices: Vec<(BodyId, VertexId, f64, u32)>,
}

impl FramePlaces {
    /// Asks the scene, which answers from what it has found already.
    pub fn of(scene: &mut Scene, regions: &[Regions]) -> Result<Self, Error> {
        let contacts = scene.contacts()?;
        let inside = scene.penetrations()?;
        let (places, of_contacts) = scene.places_of_contacts()?;
        let mut members: Vec<Vec<&Contact>> = vec![Vec::new(); places.len()];
        for (contact, place) in contacts.iter().zip(&of_contacts) {
            members[*place as usize].push(contact);
        }
        let deep = Deep::new(&inside);
        let mut out = Self::default();
        let mut place_of_vertex = HashMap::new();
        for (k, (place, contacts)) in places.iter().zip(&members).enumerate() {
            let mut row = PlaceRow {
                bodies: place.bodies.map(|b| b.0),
                parts: None,
                uv: None,
                pairs: place.contacts,
                inside: 0,
                length: place.length,
                size: place.size,
                depth: 0.0,
                centre: place.centre,
            };
            for contact in contacts {
                row.depth = row.depth.max(pair_depth(scene, contact)?);
                for (own, other) in [(contact.a, contact.b), (contact.b, contact.a)] {
                    out.marks.push(Mark { body: own.body.0, triangle: own.id.0, place: k as u32 });
                    for v in scene.mesh(own.body)?.triangles()[own.id.index()] {
                        if let Some(depth) = deep.of(own.body, v, other.body) {
                            row.depth = row.depth.max(depth);
                            place_of_vertex.entry((own.body, v, other.body)).or_insert(k as u32);
                        }
                    }
                }
            }
            name(&mut row, scene, contacts, regions)?;
            out.rows.push(row);
        }
        out.add_inside(scene, &inside, &place_of_vertex)?;
        out.marks.sort_unstable_by_key(|m| (m.place, m.body, m.triangle));
        out.marks.dedup();
        Ok(out)
    }

    /// Vertices inside tets: at the place of their triangles, or at one of their own for each pair of bodies.
    fn add_inside(
        &mut self,
        scene: &Scene,
        inside: &Answer<Penetration>,
        place_of_vertex: &HashMap<(BodyId, VertexId, BodyId), u32>,
    ) -> Result<(), Error> {
        let mut own_places: HashMap<[u32; 2], (usize, [[f64; 3]; 2])> = HashMap::new();
        for hit in inside {
            let (body, vertex) = (hit.vertex.body, hit.vertex.id);
            let known = place_of_vertex.get(&(body, vertex, hit.tet.body)).map(|k| *k as usize);
            let p = scene.positions(body)?[vertex.index()];
            let place = known.unwrap_or_else(|| {
                let bodies = [body.0, hit.tet.body.0];
                let next = self.rows.len();
                let (k, bounds) = own_places.entry(bodies).or_insert((next, [p, p]));
                if *k == next {
                    let (parts, uv, pairs, inside) = (None, None, 0, 0);
                    let (length, size, depth, centre) = (0.0, 0.0, 0.0, p);
                    self.rows.push(PlaceRow {
                        bodies,
                        parts,
                        uv,
                        pairs,
                        inside,
                        length,
                        size,
                        depth,
                        centre,
                    });
                }
                *bounds = [
                    std::array::from_fn(|a| bounds[0][a].min(p[a])),
                    std::array::from_fn(|a| bounds[1][a].max(p[a])),
                ];
                *k
            });
            self.rows[place].inside += 1;
            self.rows[place].depth = self.rows[place].depth.max(hit.depth);
            self.vertices.push((body, vertex, hit.depth, place as u32));
        }
        for (k, [low, high]) in own_places.into_values() {
            self.rows[k].centre = std::array::from_fn(|a| 0.5 * low[a] + 0.5 * high[a]);
            self.rows[k].size = norm(sub(high, low));
        }
        Ok(())
    }
}

/// Depths of vertices in bodies.
struct Deep(HashMap<(BodyId, VertexId, BodyId), f64>);

impl Deep {
    fn new(inside: &Answer<Penetration>) -> Self {
        let mut depths: HashMap<_, f64> = HashMap::new();
        for hit in inside {
            let depth = depths.entry((hit.vertex.body, hit.vertex.id, hit.tet.body)).or_default();
            *depth = depth.max(hit.depth);
        }
        Self(depths)
    }

    fn of(&self, body: BodyId, vertex: VertexId, other: BodyId) -> Option<f64> {
        self.0.get(&(body, vertex, other)).copied()
    }
}

/// Names the parts that meet at a place, and where it is in the texture map.
fn name(row: &mut PlaceRow, scene: &Scene, contacts: &[&Contact], regions: &[Regions]) -> Result<(), Error> {
    let sides = [0, 1].map(|side| {
        let body = BodyId(row.bodies[side]);
        let polygons = contacts.iter().filter_map(|c| {
            let t = if side == 0 { c.a } else { c.b };
            scene.mesh(t.body).ok().map(|m| m.polygon_of(t.id).index())
        });
        regions.get(body.index()).and_then(|r| r.most(polygons)).unwrap_or_default().to_owned()
    });
    row.parts = sides.iter().any(|s| !s.is_empty()).then_some(sides);
    let Some(own) = regions.get(row.bodies[0] as usize) else { return Ok(()) };
    let mut nearest: Option<(f64, usize)> = None;
    for contact in contacts {
        let corners = corners(scene, contact)?[0];
        let middle = std::array::from_fn(|k| corners.iter().map(|p| p[k] / 3.0).sum());
        let far = norm(sub(middle, row.centre));
        if nearest.is_none_or(|(d, _)| far < d) {
            nearest = Some((far, scene.mesh(contact.a.body)?.polygon_of(contact.a.id).index()));
        }
    }
    row.uv = nearest.and_then(|(_, polygon)| own.uv(polygon));
    Ok(())
}

fn corners(scene: &Scene, contact: &Contact) -> Result<[[[f64; 3]; 3]; 2], Error> {
    let of = |t: crumple::Element<crumple::TriangleId>| -> Result<[[f64; 3]; 3], Error> {
        let positions = scene.positions(t.body)?;
        Ok(scene.mesh(t.body)?.triangles()[t.id.index()].map(|v| positions[v.index()]))
    };
    Ok([of(contact.a)?, of(contact.b)?])
}

/// How deep the deepest collision of the scene's frame is: of two triangles, how far they poke through each other; of a
/// vertex inside a tet, how far it is from the surface. 0 when nothing collides.
pub fn deepest(scene: &mut Scene) -> Result<f64, Error> {
    let mut deepest = scene.penetrations()?.iter().map(|hit| hit.depth).fold(0.0, f64::max);
    for contact in &scene.contacts()? {
        deepest = f64::max(deepest, pair_depth(scene, contact)?);
    }
    Ok(deepest)
}

/// How far two triangles poke through each other: the shorter of the ways along their normals that takes them apart.
fn pair_depth(scene: &Scene, contact: &Contact) -> Result<f64, Error> {
    let [a, b] = corners(scene, contact)?;
    let along = |plane: [[f64; 3]; 3], other: [[f64; 3]; 3]| {
        let normal = cross(sub(plane[1], plane[0]), sub(plane[2], plane[0]));
        let length = norm(normal);
        // A triangle without an area has no normal.
        if length == 0.0 || !length.is_finite() {
            return f64::INFINITY;
        }
        let heights = other.map(|p| dot(sub(p, plane[0]), normal) / length);
        let over = heights.iter().copied().fold(0.0, f64::max);
        let under = heights.iter().map(|h| -h).fold(0.0, f64::max);
        over.min(under)
    };
    let depth = along(a, b).min(along(b, a));
    Ok(if depth.is_finite() { depth } else { 0.0 })
}

fn sub(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    std::array::from_fn(|k| a[k] - b[k])
}

fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    (0..3).map(|k| a[k] * b[k]).sum()
}

fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    std::array::from_fn(|k| a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3])
}

fn norm(a: [f64; 3]) -> f64 {
    dot(a, a).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crumple::Mesh;

    #[test]
    fn depth_is_the_shorter_way_out() {
        let mut scene = Scene::new();
        let mesh = Mesh::from_triangles("two", 6, &[[0, 1, 2], [3, 4, 5]]).unwrap();
        let spike = [[1.0, 1.0, -0.25], [1.0, 1.0, 1.0], [1.5, 1.0, 1.0]];
        let sheet = [[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0]];
        scene.add(mesh, &[sheet, spike].concat()).unwrap();
        let found = FramePlaces::of(&mut scene, &[Regions::default()]).unwrap();
        assert_eq!(found.rows.len(), 1);
        // Up by a quarter: across the spike's own plane it would be one or three.
        assert!((found.rows[0].depth - 0.25).abs() < 1e-12);
        let marked: Vec<_> = found.marks.iter().map(|m| m.triangle).collect();
        assert_eq!(marked, [0, 1]);
    }

    #[test]
    fn a_body_that_is_swallowed_whole_is_a_place_too() {
        let mut scene = Scene::new();
        let corners = |s: f64| [[0.0, 0.0, 0.0], [s, 0.0, 0.0], [0.0, s, 0.0], [0.0, 0.0, s]];
        let tet = |name: &str| Mesh::from_tets(name, 4, &[[0, 1, 2, 3]]).unwrap();
        scene.add(tet("large"), &corners(9.0)[..]).unwrap();
        let small = corners(1.0).map(|p| p.map(|x| x + 1.0));
        scene.add(tet("small"), &small[..]).unwrap();
        let found = FramePlaces::of(&mut scene, &[]).unwrap();
        let [row] = &found.rows[..] else { panic!("{:?}", found.rows) };
        assert_eq!((row.bodies, row.pairs, row.inside), ([1, 0], 0, 4));
        assert!((row.depth - 1.0).abs() < 0.8 && row.size > 1.0);
        assert_eq!(found.vertices.len(), 4);
    }
}
