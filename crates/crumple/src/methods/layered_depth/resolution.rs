//! How finely a volume of interest is sampled: an argument of each question.

use super::lattice::MAX_RESOLUTION;
use super::voi::Voi;
use crate::ParamError;

/// How finely the volume of interest is sampled; 128 × 128 rays by default, as in the paper's tables.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Resolution {
    /// Pixels along the two sides, whatever their lengths; 1 to 8192 each.
    Pixels([u32; 2]),
    /// The length of a pixel's side in space; at most 8192 pixels are taken along a side (H-A15).
    PixelSize(f64),
}

impl Default for Resolution {
    fn default() -> Self {
        Self::rays(128)
    }
}

impl Resolution {
    /// As many rays along either side.
    pub const fn rays(side: u32) -> Self {
        Self::Pixels([side; 2])
    }

    /// Whether it can be sampled at all.
    pub(crate) fn check(self) -> Result<(), ParamError> {
        let fault = |value: String, expected| Err(ParamError { parameter: "resolution", value, expected });
        match self {
            Self::Pixels(n) if n.iter().any(|&n| n == 0 || n > MAX_RESOLUTION) => {
                fault(format!("{n:?}"), "1 to 8192 pixels along each side")
            }
            Self::PixelSize(s) if !(s > 0.0 && s.is_finite()) => fault(s.to_string(), "a positive length"),
            _ => Ok(()),
        }
    }

    /// Pixels along both sides of a volume of interest.
    pub(crate) fn of(self, voi: &Voi) -> [u32; 2] {
        match self {
            Self::Pixels(n) => n,
            Self::PixelSize(length) => {
                let size = voi.bounds.size();
                [(voi.axis + 1) % 3, (voi.axis + 2) % 3]
                    .map(|k| (size[k] / length).ceil().clamp(1.0, f64::from(MAX_RESOLUTION)) as u32)
            }
        }
    }
}
