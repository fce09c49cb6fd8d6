//! What a world is told once: how it steps, and what bodies are made of.

use crate::SimError;
use crate::error::check;

/// Whether things may cross.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "kebab-case"))]
pub enum Mode {
    /// If nothing crosses now, nothing ever does, whatever the speed and the time step. What would cross is held back.
    #[default]
    NeverCross,
    /// Contacts push apart, and what is fast enough gets through; crossed bodies are pushed out again.
    Free,
}

/// How a world steps.
#[derive(Debug, Clone, PartialEq)]
pub struct Settings {
    /// Whether things may cross.
    pub mode: Mode,
    /// Acceleration of everything that is not fixed.
    pub gravity: [f64; 3],
    /// Substeps of a step, 1 to 1000; default 10. More are stiffer and lose less energy.
    pub substeps: u32,
    /// Share of the speed that is lost in a second, from 0 (none); default 0.1.
    pub damping: f64,
    /// How fast what is closer than its thickness is pushed apart, in thicknesses a second; default 10.
    pub push: f64,
    /// Whether a world that has come to rest stays as it is until somebody pulls, leads, pins, cuts or adds something; default no. It
    /// has when for half a second no body strayed by more than 15 % of its mean edge (root mean square).
    pub rests: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            mode: Mode::NeverCross,
            gravity: [0.0, -9.81, 0.0],
            substeps: 10,
            damping: 0.1,
            push: 10.0,
            rests: false,
        }
    }
}

impl Settings {
    pub(crate) fn check(&self) -> Result<(), SimError> {
        for g in self.gravity {
            check("gravity", g, true, "three finite numbers")?;
        }
        check("substeps", self.substeps.into(), (1..=1000).contains(&self.substeps), "1 to 1000")?;
        check("damping", self.damping, self.damping >= 0.0, "a finite number from 0 on")?;
        check("push", self.push, self.push >= 0.0, "a finite number from 0 on")
    }
}

/// How a body's surface meets others.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Surface {
    /// How far two such surfaces stay apart; `None` takes a fifth of the mean edge, for a fixed body no more than the thinnest body
    /// that moves has. Between two bodies, half of each.
    pub thickness: Option<f64>,
    /// Coulomb's coefficient; between two bodies, the root of the product.
    pub friction: f64,
}

impl Surface {
    /// Default thickness, and this friction.
    pub fn with_friction(friction: f64) -> Self {
        Self { friction, ..Self::default() }
    }

    pub(crate) fn check(&self) -> Result<(), SimError> {
        if let Some(t) = self.thickness {
            check("thickness", t, t > 0.0, "a finite number above 0")?;
        }
        check("friction", self.friction, self.friction >= 0.0, "a finite number from 0 on")
    }
}

/// What a cloth is made of.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cloth {
    /// Mass per area; default 0.3 (kg/m²).
    pub density: f64,
    /// Resistance of edges to stretching, force per relative stretch; default 2000. 0 is no resistance.
    pub stretch: f64,
    /// Resistance to bending (Bergou's quadratic hinges); default 1e-4. 0 is none.
    pub bend: f64,
    /// Inner damping as a time (Rayleigh's): how long a deformation takes to give way; default 0.004 s.
    pub damping: f64,
    /// The stretch at which it tears (1.5 is half as long again); `None` never.
    pub tear: Option<f64>,
    /// How it meets others.
    pub surface: Surface,
}

impl Default for Cloth {
    fn default() -> Self {
        let surface = Surface { thickness: None, friction: 0.3 };
        Self { density: 0.3, stretch: 2000.0, bend: 1e-4, damping: 0.004, tear: None, surface }
    }
}

impl Cloth {
    pub(crate) fn check(&self) -> Result<(), SimError> {
        check("density", self.density, self.density > 0.0, "a finite number above 0")?;
        check("stretch", self.stretch, self.stretch >= 0.0, "a finite number from 0 on")?;
        check("bend", self.bend, self.bend >= 0.0, "a finite number from 0 on")?;
        check("inner_damping", self.damping, self.damping >= 0.0, "a finite time from 0 on")?;
        check_tear(self.tear)?;
        self.surface.check()
    }
}

/// What a tetrahedral body is made of: stable neo-Hookean (Macklin and Müller 2021).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Solid {
    /// Mass per volume; default 1000 (kg/m³).
    pub density: f64,
    /// Young's modulus; default 1e5 (Pa), a soft rubber.
    pub young: f64,
    /// Poisson's ratio, from 0 to below 0.5; default 0.4.
    pub poisson: f64,
    /// Inner damping as a time (Rayleigh's): how long a deformation takes to give way; default 0.001 s.
    pub damping: f64,
    /// The stretch of an edge at which it tears; `None` never.
    pub tear: Option<f64>,
    /// How it meets others.
    pub surface: Surface,
}

impl Default for Solid {
    fn default() -> Self {
        let surface = Surface { thickness: None, friction: 0.3 };
        Self { density: 1000.0, young: 1e5, poisson: 0.4, damping: 0.001, tear: None, surface }
    }
}

impl Solid {
    pub(crate) fn check(&self) -> Result<(), SimError> {
        check("density", self.density, self.density > 0.0, "a finite number above 0")?;
        check("young", self.young, self.young > 0.0, "a finite number above 0")?;
        check("poisson", self.poisson, (0.0..0.5).contains(&self.poisson), "from 0 to below 0.5")?;
        check("inner_damping", self.damping, self.damping >= 0.0, "a finite time from 0 on")?;
        check_tear(self.tear)?;
        self.surface.check()
    }
}

/// What loose particles are: points that meet surfaces and each other.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Particles {
    /// Mass of each; default 0.001.
    pub mass: f64,
    /// How they meet surfaces and each other; their thickness must be told.
    pub surface: Surface,
}

impl Particles {
    /// Particles that keep this far from each other.
    pub fn of_size(thickness: f64) -> Self {
        Self { mass: 0.001, surface: Surface { thickness: Some(thickness), friction: 0.3 } }
    }

    pub(crate) fn check(&self) -> Result<(), SimError> {
        check("mass", self.mass, self.mass > 0.0, "a finite number above 0")?;
        let thickness = self.surface.thickness.unwrap_or(f64::NAN);
        check("thickness", thickness, thickness > 0.0, "a finite number above 0, which particles need")?;
        self.surface.check()
    }
}

fn check_tear(tear: Option<f64>) -> Result<(), SimError> {
    tear.map_or(Ok(()), |t| check("tear", t, t > 1.0, "a finite stretch above 1"))
}
