//! Who draws layers with `--gpu`: a graphics processor, or the engine where there is none. The layers are the same.
//!
//! What needs wgpu is behind the feature `gpu`; without it there is nobody to draw, and asking for it is an error.

use anyhow::Result;
#[cfg(feature = "gpu")]
pub use with::Drawer;
#[cfg(not(feature = "gpu"))]
pub use without::Drawer;

use crate::args::Common;
use crate::output;

/// Who draws, if `--gpu` was given; says so on standard error.
pub fn choose(common: &Common, adapter: Option<&str>) -> Result<Option<Drawer>> {
    let Some(adapter) = adapter else { return Ok(None) };
    let drawer = Drawer::choose(adapter)?;
    output::note(common, || format!("layers are drawn {drawer}"));
    Ok(Some(drawer))
}

#[cfg(feature = "gpu")]
mod with {
    use std::fmt;

    use anyhow::Result;
    use crumple::methods::layered_depth::image::{Layers, View};
    use crumple_gpu::{LayersOn, Wanted};

    /// A graphics processor, or the engine.
    pub struct Drawer(LayersOn);

    impl Drawer {
        /// `hardware`, `any`, or a part of an adapter's name.
        pub fn choose(adapter: &str) -> Result<Self> {
            let wanted = match adapter {
                "hardware" => Wanted::Hardware,
                "any" => Wanted::Any,
                name => Wanted::Named(name.to_owned()),
            };
            Ok(Self(LayersOn::choose(&wanted)))
        }

        /// The layers of a body.
        pub fn layers(&mut self, view: &mut View<'_>, body: usize) -> Layers {
            self.0.layers(view, body)
        }
    }

    impl fmt::Display for Drawer {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            self.0.fmt(f)
        }
    }
}

#[cfg(not(feature = "gpu"))]
mod without {
    use std::fmt;

    use anyhow::{Result, bail};
    use crumple::methods::layered_depth::image::{Layers, View};

    /// Nobody.
    pub enum Drawer {}

    impl Drawer {
        /// Says how to get one.
        pub fn choose(_: &str) -> Result<Self> {
            bail!(
                "this program was built without --gpu; `cargo build --release -p crumple-cli --features gpu` builds \
                 one that has it"
            );
        }

        /// The layers of a body.
        pub fn layers(&mut self, _: &mut View<'_>, _: usize) -> Layers {
            match *self {}
        }
    }

    impl fmt::Display for Drawer {
        fn fmt(&self, _: &mut fmt::Formatter<'_>) -> fmt::Result {
            match *self {}
        }
    }
}
