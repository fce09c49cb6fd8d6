//! The finished picture: pixels in memory, and as PNG.

use std::io;
use std::path::Path;

/// What could not be drawn, so that nothing vanishes silently.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Skipped {
    /// Triangles, points, lines and boxes with a coordinate that is not finite.
    pub not_finite: usize,
    /// Triangles whose corner, and highlights whose triangle, does not exist.
    pub out_of_range: usize,
}

/// An 8-bit RGB image.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Image {
    pub(super) width: u32,
    pub(super) height: u32,
    pub(super) pixels: Vec<u8>,
    pub(super) skipped: Skipped,
}

impl Image {
    /// Pixels in a row.
    pub fn width(&self) -> u32 {
        self.width
    }

    /// Rows.
    pub fn height(&self) -> u32 {
        self.height
    }

    /// Red, green, blue of every pixel, row by row from the top left.
    pub fn pixels(&self) -> &[u8] {
        &self.pixels
    }

    /// The colour of one pixel, or `None` outside.
    pub fn pixel(&self, x: u32, y: u32) -> Option<[u8; 3]> {
        if x >= self.width || y >= self.height {
            return None;
        }
        let at = 3 * (y as usize * self.width as usize + x as usize);
        Some([self.pixels[at], self.pixels[at + 1], self.pixels[at + 2]])
    }

    /// What was left out.
    pub fn skipped(&self) -> Skipped {
        self.skipped
    }

    /// The image as the bytes of a PNG file.
    pub fn to_png(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut encoder = png::Encoder::new(&mut bytes, self.width, self.height);
        encoder.set_color(png::ColorType::Rgb);
        encoder.set_depth(png::BitDepth::Eight);
        encoder.set_source_srgb(png::SrgbRenderingIntent::Perceptual);
        encoder.set_compression(png::Compression::Balanced);
        // Writing to memory cannot fail, and the buffer has the size that the header says.
        let mut writer = encoder.write_header().expect("header of a PNG in memory");
        writer.write_image_data(&self.pixels).expect("pixels of a PNG in memory");
        writer.finish().expect("end of a PNG in memory");
        bytes
    }

    /// Writes the image as a PNG file.
    pub fn save(&self, path: impl AsRef<Path>) -> io::Result<()> {
        crate::write::save(path.as_ref(), |out| out.write_all(&self.to_png()))
    }
}
