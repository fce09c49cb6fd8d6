//! Where layers are drawn, chosen when the program runs.

use std::fmt;

use crumple::methods::layered_depth::image::{Layers, View};

use crate::adapter::Wanted;
use crate::error::GpuError;
use crate::gpu::Gpu;

/// Where layers are drawn. The layers are equal; only the time differs.
#[derive(Debug)]
pub enum LayersOn {
    /// By the engine itself: wished so, or for the reason given.
    Cpu {
        /// Why no graphics processor draws; `None` where none was asked for.
        why: Option<GpuError>,
    },
    /// By a graphics processor.
    Gpu(Box<Gpu>),
}

impl LayersOn {
    /// By the engine itself.
    pub fn cpu() -> Self {
        Self::Cpu { why: None }
    }

    /// By the wanted adapter, or by the engine where that cannot be had; [`why`](Self::why) then says the reason.
    pub fn choose(wanted: &Wanted) -> Self {
        match Gpu::new(wanted) {
            Ok(gpu) => Self::Gpu(Box::new(gpu)),
            Err(why) => Self::Cpu { why: Some(why) },
        }
    }

    /// Why the engine draws although a graphics processor was asked for.
    pub fn why(&self) -> Option<&GpuError> {
        match self {
            Self::Cpu { why } => why.as_ref(),
            Self::Gpu(_) => None,
        }
    }

    /// The layers of a body. Where the graphics processor fails the engine draws them, and all later ones.
    pub fn layers(&mut self, view: &mut View<'_>, body: usize) -> Layers {
        if let Self::Gpu(gpu) = self {
            match gpu.layers(view, body) {
                Ok(layers) => return layers,
                Err(why) => *self = Self::Cpu { why: Some(why) },
            }
        }
        view.layers(body)
    }
}

impl fmt::Display for LayersOn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Cpu { why: None } => write!(f, "on the CPU"),
            Self::Cpu { why: Some(why) } => write!(f, "on the CPU: {why}"),
            Self::Gpu(gpu) => write!(f, "on the GPU {}", gpu.adapter()),
        }
    }
}

#[cfg(test)]
mod tests {
    use crumple::methods::layered_depth::{LayeredDepth, Resolution};
    use crumple::{Bodies, BodyId, Frame, Mesh, Positions};
    use crumple_scenes::shapes;

    use super::*;
    use crate::testing;

    #[test]
    fn a_device_that_is_lost_is_replaced_by_the_engine() {
        if testing::device().is_none() {
            return;
        }
        let ball = shapes::icosphere(3).outward();
        let body =
            Mesh::from_triangles("ball", ball.positions.len(), &ball.triangles).expect("a closed surface");
        let mesh = Bodies::new([body]).expect("one body");
        let bodies = [Positions::from(&ball.positions)];
        let mut method = LayeredDepth::default();
        let mut volumes = method.update(&mesh, Frame::new(&bodies)).expect("a good frame");
        let view = volumes.view_of(BodyId(0), Resolution::default()).expect("a closed surface");
        let mut view = view.expect("a body with a volume");
        let mut on = LayersOn::choose(&Wanted::Any);
        let expected = view.layers(0);
        assert!(on.layers(&mut view, 0) == expected);
        match &on {
            LayersOn::Gpu(gpu) => gpu.destroy(),
            LayersOn::Cpu { .. } => panic!("{on}"),
        }
        assert!(on.layers(&mut view, 0) == expected);
        assert!(matches!(on.why(), Some(GpuError::Failed { .. })), "{on}");
        assert!(on.to_string().contains("failed: "), "{on}");
    }
}
