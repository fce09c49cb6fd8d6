//! The winding number of a surface with holes: the share of all directions that it covers, seen from a point.
//!
//! Each triangle covers a solid angle, positive where its back is seen. The sum over 4π is the winding number of a closed surface,
//! and for one with holes a number between: 7/8 in the middle of a sphere without a cap of 1/8 (A. Jacobson, L. Kavan,
//! O. Sorkine-Hornung: *Robust inside-outside segmentation using generalized winding numbers*, SIGGRAPH 2013). From far away
//! many triangles cover what their summed areas would at their middle (G. Barill et al.: *Fast winding numbers for soups and
//! clouds*, SIGGRAPH 2018), so that a tree of them answers in O(log n). Where that is not clear of 1/2, all are summed.

use crate::geometry::Point;
use crate::geometry::vector::{cross, dot, sub};
use crate::patches::halve;

/// The most triangles of a leaf.
const LEAF: usize = 8;

/// A group is far when its middle is so many times its radius away.
const FAR: f64 = 3.5;

/// Sums of far groups this near to 1/2 are not trusted; the test below holds groups to half of it.
const UNSURE: f64 = 0.03;

/// Triangles, grouped.
pub(super) struct SolidAngles {
    triangles: Vec<[Point; 3]>,
    /// Parents before their children; the second child of a node follows all that is below the first.
    nodes: Vec<Node>,
}

struct Node {
    /// The triangles of the group.
    first: usize,
    end: usize,
    /// The node after all that is below this one.
    next: usize,
    middle: Point,
    radius: f64,
    /// The sum of the areas, as vectors.
    area: Point,
}

impl SolidAngles {
    pub fn new(mut triangles: Vec<[Point; 3]>) -> Self {
        let mut nodes = Vec::new();
        let count = triangles.len();
        if count > 0 {
            grow(&mut triangles, 0, &mut nodes);
        }
        Self { triangles, nodes }
    }

    /// Whether the winding number round a point rounds to something else than zero.
    pub fn is_inside(&self, p: &Point) -> bool {
        let mut winding = self.winding(p, FAR).abs();
        if (winding - 0.5).abs() < UNSURE {
            winding = self.winding(p, f64::INFINITY).abs();
        }
        winding >= 0.5
    }

    /// The winding number round a point, groups that are `far` taken as one.
    fn winding(&self, p: &Point, far: f64) -> f64 {
        let (mut sum, mut n) = (0.0, 0);
        while let Some(node) = self.nodes.get(n) {
            let to = sub(&node.middle, p);
            let distance = dot(&to, &to).sqrt();
            if distance > far * node.radius {
                sum += dot(&node.area, &to) / (distance * distance * distance);
                n = node.next;
            } else if node.end - node.first <= LEAF {
                sum += self.triangles[node.first..node.end].iter().map(|t| solid_angle(p, t)).sum::<f64>();
                n = node.next;
            } else {
                n += 1;
            }
        }
        sum / (4.0 * std::f64::consts::PI)
    }
}

/// Groups triangles, which are `first` and the following of all.
fn grow(triangles: &mut [[Point; 3]], first: usize, nodes: &mut Vec<Node>) {
    let at = nodes.len();
    let mut area = [0.0; 3];
    let (mut middle, mut weight) = ([0.0; 3], 0.0);
    for t in triangles.iter() {
        let vector = cross(&sub(&t[1], &t[0]), &sub(&t[2], &t[0])).map(|x| 0.5 * x);
        let size = dot(&vector, &vector).sqrt() + f64::MIN_POSITIVE;
        for k in 0..3 {
            area[k] += vector[k];
            middle[k] += size * (t[0][k] + t[1][k] + t[2][k]) / 3.0;
        }
        weight += size;
    }
    let middle = middle.map(|x| x / weight);
    let reach = |p: &Point| dot(&sub(p, &middle), &sub(p, &middle)).sqrt();
    let radius = triangles.iter().flatten().map(reach).fold(0.0, f64::max);
    let end = first + triangles.len();
    nodes.push(Node { first, end, next: 0, middle, radius, area });
    if triangles.len() > LEAF {
        let half = triangles.len() / 2;
        let (low, high) = halve(triangles, half, |t, k| t[0][k] + t[1][k] + t[2][k], |_| 0);
        let split = first + low.len();
        grow(low, first, nodes);
        grow(high, split, nodes);
    }
    nodes[at].next = nodes.len();
}

/// The solid angle of a triangle, positive where its back is seen (A. van Oosterom, J. Strackee 1983).
fn solid_angle(p: &Point, t: &[Point; 3]) -> f64 {
    let [a, b, c] = [0, 1, 2].map(|i| sub(&t[i], p));
    let [la, lb, lc] = [&a, &b, &c].map(|v| dot(v, v).sqrt());
    let over = dot(&a, &cross(&b, &c));
    let under = la * lb * lc + dot(&a, &b) * lc + dot(&b, &c) * la + dot(&c, &a) * lb;
    2.0 * over.atan2(under)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crumple_scenes::shapes;

    /// A sphere, perhaps without what is above a height.
    fn sphere(below: f64) -> Vec<[Point; 3]> {
        let ball = shapes::icosphere(12);
        let corners = ball.triangles.iter().map(|t| t.map(|v| ball.positions[v as usize]));
        corners.filter(|t| t.iter().all(|p| p[2] <= below)).collect()
    }

    #[test]
    fn groups_are_as_good_as_their_triangles() {
        for below in [2.0, 0.75, 0.0] {
            let surface = SolidAngles::new(sphere(below));
            for i in 0..400 {
                let [x, y, z] = [i % 7, i / 7 % 7, i / 49].map(|k| 0.37 * f64::from(k) - 1.2);
                let (fast, slow) =
                    (surface.winding(&[x, y, z], FAR), surface.winding(&[x, y, z], f64::INFINITY));
                assert!((fast - slow).abs() < 0.5 * UNSURE, "{fast} {slow}");
            }
        }
    }

    #[test]
    fn a_sphere_without_a_cap_has_a_middle() {
        let open = SolidAngles::new(sphere(0.75));
        let winding = open.winding(&[0.0; 3], f64::INFINITY);
        assert!((winding - 0.875).abs() < 0.02, "{winding}");
        assert!(open.is_inside(&[0.0; 3]) && open.is_inside(&[0.5, 0.0, -0.5]));
        assert!(!open.is_inside(&[0.0, 0.0, 1.1]) && !open.is_inside(&[2.0, 0.0, 0.0]));
        assert!(!SolidAngles::new(Vec::new()).is_inside(&[0.0; 3]));
    }
}
