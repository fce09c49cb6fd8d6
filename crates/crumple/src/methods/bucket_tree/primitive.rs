//! What a primitive must tell: a box and a point by which it is ordered.

use crate::geometry::{Aabb, Point};
use crate::narrow::{point_tri, vertex_tet};

/// Anything with a box. All coordinates must be finite and below [`MAX_COORDINATE`](crate::MAX_COORDINATE).
///
/// ```
/// use crumple::geometry::{Aabb, Point};
/// use crumple::methods::bucket_tree::{BucketTreeParams, Primitive, PrimitiveTree};
/// struct Ball { centre: Point, radius: f64 }
/// impl Primitive for Ball {
///     fn bounds(&self) -> Aabb {
///         Aabb { min: self.centre.map(|x| x - self.radius), max: self.centre.map(|x| x + self.radius) }
///     }
/// }
/// let mut balls = PrimitiveTree::new(BucketTreeParams::default())?;
/// let a = balls.insert(Ball { centre: [0.0; 3], radius: 1.0 })?;
/// let b = balls.insert(Ball { centre: [1.5, 0.0, 0.0], radius: 1.0 })?;
/// let mut pairs = Vec::new();
/// balls.pairs(&mut pairs);
/// assert_eq!(pairs, [(a, b)]);
/// assert_eq!(balls.nearest(&[9.0, 0.0, 0.0]).map(|(id, _)| id), Some(b));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Primitive {
    /// The smallest box that holds it.
    fn bounds(&self) -> Aabb;

    /// The point that decides its bucket; the middle of its box unless told otherwise. Any point is correct, one inside is
    /// fast.
    fn ordering_point(&self) -> Point {
        self.bounds().centre()
    }

    /// Square of the distance to a point, at least that of the box and 0 inside; that of the box unless told otherwise.
    fn distance_sq(&self, to: &Point) -> f64 {
        self.bounds().distance_sq(&Aabb { min: *to, max: *to })
    }
}

/// A point.
impl Primitive for Point {
    fn bounds(&self) -> Aabb {
        Aabb { min: *self, max: *self }
    }
}

/// A segment.
impl Primitive for [Point; 2] {
    fn bounds(&self) -> Aabb {
        Aabb::of(self)
    }

    fn distance_sq(&self, to: &Point) -> f64 {
        // A triangle without area is the segment that it is.
        point_tri::closest(to, &[self[0], self[1], self[1]]).distance_sq
    }
}

/// A triangle.
impl Primitive for [Point; 3] {
    fn bounds(&self) -> Aabb {
        Aabb::of(self)
    }

    fn ordering_point(&self) -> Point {
        crate::geometry::triangle::centroid(self)
    }

    fn distance_sq(&self, to: &Point) -> f64 {
        point_tri::closest(to, self).distance_sq
    }
}

/// A tetrahedron.
impl Primitive for [Point; 4] {
    fn bounds(&self) -> Aabb {
        Aabb::of(self)
    }

    fn ordering_point(&self) -> Point {
        std::array::from_fn(|k| self.iter().map(|p| 0.25 * p[k]).sum())
    }

    fn distance_sq(&self, to: &Point) -> f64 {
        if vertex_tet::contains(to, self) {
            return 0.0;
        }
        crate::geometry::tet::FACES
            .iter()
            .map(|f| point_tri::closest(to, &f.map(|c| self[c])).distance_sq)
            .fold(f64::INFINITY, f64::min)
    }
}

/// A box.
impl Primitive for Aabb {
    fn bounds(&self) -> Aabb {
        *self
    }
}
