//! Vertices in clusters, so that "how much closer can two features have come" is asked of a few groups only.

use glam::DVec3;

use crate::body::Body;

/// Groups of vertices: the clusters of all bodies, then one group for each body.
#[derive(Debug, Default)]
pub(crate) struct Clusters {
    pub groups: Vec<Group>,
    /// Vertices of the surfaces, cluster after cluster.
    members: Vec<u32>,
    /// Vertices of all triangles at a cluster's vertices, cluster after cluster.
    closure: Vec<u32>,
    /// How many of the groups are clusters.
    pub count: usize,
    /// The clusters of each body.
    pub of_body: Vec<std::ops::Range<usize>>,
}

/// What is known of a group.
#[derive(Debug, Clone, Default)]
pub(crate) struct Group {
    pub body: u32,
    members: std::ops::Range<usize>,
    closure: std::ops::Range<usize>,
    /// The box of its elements when the pass began.
    pub low: DVec3,
    pub high: DVec3,
    /// All displacements are within `radius` of `centre`.
    pub centre: DVec3,
    pub radius: f64,
}

impl Group {
    /// How far the boxes of two groups are apart.
    pub fn distance(&self, other: &Self) -> f64 {
        (other.low - self.high).max(self.low - other.high).max(DVec3::ZERO).length()
    }

    /// No two displacements, one of each, differ by more.
    pub fn difference(&self, other: &Self) -> f64 {
        self.centre.distance(other.centre) + self.radius + other.radius
    }

    /// No displacement is longer.
    pub fn longest(&self) -> f64 {
        self.centre.length() + self.radius
    }

    fn surround(&mut self, low: DVec3, high: DVec3) {
        self.centre = 0.5 * (low + high);
        // A few units in the last place more than half the diagonal.
        self.radius = 0.5 * (high - low).length() * (1.0 + 1e-12);
    }
}

/// The least and the most vertices of a cluster; between them so that a body has at most about 128.
const SMALLEST: usize = 32;

impl Clusters {
    pub fn new(bodies: &[Body]) -> Self {
        let mut clusters = Self::default();
        for (b, body) in bodies.iter().enumerate() {
            let before = clusters.groups.len();
            let mut vertices = surface_vertices(body);
            let size = SMALLEST.max(vertices.len() / 128);
            clusters.split(b, body, &mut vertices, size);
            clusters.of_body.push(before..clusters.groups.len());
        }
        clusters.count = clusters.groups.len();
        for b in 0..bodies.len() {
            clusters.groups.push(Group { body: b as u32, ..Group::default() });
        }
        clusters
    }

    /// Halves a set of vertices along its longest axis until it is small.
    fn split(&mut self, b: usize, body: &Body, vertices: &mut [u32], size: usize) {
        if vertices.is_empty() {
            return;
        }
        if vertices.len() > size {
            let at = |v: &u32| body.rest[*v as usize];
            let low = vertices.iter().map(at).reduce(DVec3::min).unwrap_or_default();
            let high = vertices.iter().map(at).reduce(DVec3::max).unwrap_or_default();
            let axis = (high - low).max_position();
            vertices.sort_unstable_by(|v, w| at(v)[axis].total_cmp(&at(w)[axis]).then(v.cmp(w)));
            let (left, right) = vertices.split_at_mut(vertices.len() / 2);
            self.split(b, body, left, size);
            self.split(b, body, right, size);
            return;
        }
        let topology = body.mesh.topology();
        let mut closure: Vec<u32> = vertices.to_vec();
        for v in vertices.iter() {
            let triangles = topology.triangles_at(crumple::VertexId(*v));
            closure.extend(triangles.iter().flat_map(|t| body.mesh.triangles()[t.index()]).map(|v| v.0));
        }
        closure.sort_unstable();
        closure.dedup();
        vertices.sort_unstable();
        let first = body.first as u32;
        let group = Group {
            body: b as u32,
            members: self.members.len()..self.members.len() + vertices.len(),
            closure: self.closure.len()..self.closure.len() + closure.len(),
            ..Group::default()
        };
        self.groups.push(group);
        self.members.extend(vertices.iter().map(|v| first + v));
        self.closure.extend(closure.iter().map(|v| first + v));
    }

    /// The boxes of the groups' elements.
    pub fn enclose(&mut self, x: &[DVec3]) {
        for group in &mut self.groups[..self.count] {
            let at = self.closure[group.closure.clone()].iter().map(|v| x[*v as usize]);
            (group.low, group.high) =
                at.fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(l, h), p| (l.min(p), h.max(p)));
        }
        self.of_bodies(|g| (g.low, g.high), |g, low, high| (g.low, g.high) = (low, high));
    }

    /// The displacements of the groups' vertices.
    pub fn measure(&mut self, displacement: impl Fn(usize) -> DVec3) {
        for group in &mut self.groups[..self.count] {
            let all = self.members[group.members.clone()].iter().map(|v| displacement(*v as usize));
            let (low, high) =
                all.fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(l, h), p| (l.min(p), h.max(p)));
            group.surround(low, high);
        }
        let bounds = |g: &Group| {
            let r = DVec3::splat(g.radius);
            (g.centre - r, g.centre + r)
        };
        self.of_bodies(bounds, Group::surround);
    }

    /// The groups of bodies from those of their clusters.
    fn of_bodies(
        &mut self,
        bounds: impl Fn(&Group) -> (DVec3, DVec3),
        put: impl Fn(&mut Group, DVec3, DVec3),
    ) {
        for b in 0..self.of_body.len() {
            let all = self.groups[self.of_body[b].clone()].iter().map(&bounds);
            let (low, high) =
                all.fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(l, h), (a, b)| (l.min(a), h.max(b)));
            if low.x <= high.x {
                put(&mut self.groups[self.count + b], low, high);
            }
        }
    }
}

/// The vertices that can meet something: those of triangles, and loose ones of a body of points.
fn surface_vertices(body: &Body) -> Vec<u32> {
    if body.mesh.triangles().is_empty() {
        return (0..body.len() as u32).collect();
    }
    let mut vertices: Vec<u32> = body.mesh.triangles().iter().flatten().map(|v| v.0).collect();
    // Vertices of a cloth that no triangle uses are points as well.
    if !body.mesh.is_solid() {
        vertices.extend(body.mesh.topology().unused_vertices().iter().map(|v| v.0));
    }
    vertices.sort_unstable();
    vertices.dedup();
    vertices
}
