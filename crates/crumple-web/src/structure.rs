//! The structure of any of the five methods on the present frame of some bodies, to be drawn.

use crumple::methods::bucket_tree::{BucketTree, BucketTreeParams};
use crumple::methods::distance_hierarchy::{DistanceHierarchy, DistanceHierarchyParams};
use crumple::methods::layered_depth::{LayeredDepth, LayeredDepthParams};
use crumple::methods::regularity::{Regularity, RegularityParams};
use crumple::methods::spatial_hash::{SpatialHash, SpatialHashParams};
use crumple::{Bodies, BodyId, Contacts, Detector, Drawing, Error, Frame, Pairs, Resolution, Tone};

/// Rays across all bodies together, along one side: more points hide what they are on.
const RAYS: f64 = 64.0;

/// A method at work on frame after frame.
pub enum Structure {
    /// Regions, buckets or cells.
    Listing(Box<dyn Detector>),
    /// Where rays enter and leave closed bodies.
    Layers(Box<LayeredDepth>),
    /// The regions of two bodies whose distances are compared, and the shortest way between them.
    Distances(Box<DistanceHierarchy>),
}

impl Structure {
    /// The structure of this name: `regions`, `buckets`, `cells`, `layers` or `distances`.
    pub fn by_name(name: &str) -> Option<Self> {
        const DEFAULTS: &str = "the defaults are in range";
        Some(match name {
            "regions" => {
                Self::Listing(Box::new(Regularity::new(RegularityParams::default()).expect(DEFAULTS)))
            }
            "buckets" => {
                Self::Listing(Box::new(BucketTree::new(BucketTreeParams::default()).expect(DEFAULTS)))
            }
            "cells" => {
                Self::Listing(Box::new(SpatialHash::new(SpatialHashParams::default()).expect(DEFAULTS)))
            }
            "layers" => Self::Layers(Box::new(LayeredDepth::new(LayeredDepthParams::default()))),
            "distances" => {
                let params = DistanceHierarchyParams::default();
                Self::Distances(Box::new(DistanceHierarchy::new(params).expect(DEFAULTS)))
            }
            _ => return None,
        })
    }

    /// Brings it to the frame, lets it answer, and draws it.
    pub fn draw(&mut self, bodies: &Bodies, frame: Frame<'_>) -> Result<Drawing, Error> {
        let mut drawing = Drawing::default();
        match self {
            Self::Listing(method) => {
                let mut ready = method.update(bodies, frame)?;
                ready.contacts(Pairs::All, &mut Contacts::default());
                ready.draw(&mut drawing);
            }
            Self::Layers(method) => draw_layers(method, bodies, frame, &mut drawing)?,
            Self::Distances(method) => draw_distances(method, bodies, frame, &mut drawing)?,
        }
        Ok(drawing)
    }
}

fn draw_layers(
    method: &mut LayeredDepth,
    bodies: &Bodies,
    frame: Frame<'_>,
    drawing: &mut Drawing,
) -> Result<(), Error> {
    let closed = closed_bodies(bodies);
    let rays = Resolution::rays((RAYS / (closed.len().max(1) as f64).sqrt()).ceil() as u32);
    let mut volumes = method.update(bodies, frame)?;
    for &body in &closed {
        if let Some(layers) = volumes.layers_of(body, rays)? {
            layers.draw(drawing);
        }
    }
    // Boxes and stretches of single bodies are in the way of what two share.
    drawing.boxes.clear();
    drawing.lines.clear();
    for pair in near_pairs(&closed, frame) {
        if let Some([a, b]) = volumes.layers(pair, rays)?
            && let Ok(common) = a.common(&b)
        {
            common.draw(drawing);
        }
    }
    Ok(())
}

fn draw_distances(
    method: &mut DistanceHierarchy,
    bodies: &Bodies,
    frame: Frame<'_>,
    drawing: &mut Drawing,
) -> Result<(), Error> {
    method.update(bodies, frame)?;
    let surfaces: Vec<BodyId> =
        bodies.body_ids().filter(|b| !bodies.mesh(*b).triangles().is_empty()).collect();
    for pair in near_pairs(&surfaces, frame) {
        method.distance(pair)?;
    }
    method.draw(drawing);
    // The largest regions' lines and the shortest ways; the spheres of all regions hide each other.
    drawing.lines.retain(|(_, _, tone)| matches!(tone, Tone::Level(0) | Tone::Hit));
    drawing.points.retain(|(_, tone)| *tone == Tone::Hit);
    drawing.triangles.clear();
    Ok(())
}

/// The bodies that have an inside.
pub fn closed_bodies(bodies: &Bodies) -> Vec<BodyId> {
    let is_closed = |b: &BodyId| {
        let mesh = bodies.mesh(*b);
        !mesh.triangles().is_empty() && mesh.topology().is_closed()
    };
    bodies.body_ids().filter(is_closed).collect()
}

/// Pairs of bodies whose boxes overlap.
pub fn near_pairs(of: &[BodyId], frame: Frame<'_>) -> Vec<[BodyId; 2]> {
    let boxes: Vec<_> = frame.iter().map(|p| p.bounds()).collect();
    let overlap = |a: BodyId, b: BodyId| {
        let [p, q] = [a, b].map(|x| &boxes[x.index()]);
        (0..3).all(|k| p.min[k] <= q.max[k] && q.min[k] <= p.max[k])
    };
    let pairs = of.iter().enumerate().flat_map(|(i, &a)| of[i + 1..].iter().map(move |&b| [a, b]));
    pairs.filter(|&[a, b]| overlap(a, b)).collect()
}
