//! The layers of one body: count, sum up, fill, sort, read back, band after band.

use std::ops::Range;

use bytemuck::{Pod, Zeroable};
use crumple::methods::layered_depth::image::Layer;

use crate::band::Band;
use crate::chunk::{Chunks, TRIANGLE, VERTEX};
use crate::device::{Device, Kernel, Store};
use crate::error::GpuError;
use crate::scan::Scan;

/// Pieces of 8 × 8 pixels that are handed over at once: about a billion instructions, so that no driver takes the
/// device for hung.
const PIECES: u32 = 1 << 20;

/// Bytes of a layer.
const LAYER: u64 = 8;

/// The kernels, and the memory that they work on.
#[derive(Debug)]
pub(crate) struct Draw {
    pieces: Kernel,
    count: Kernel,
    fill: Kernel,
    sort: Kernel,
    scan: Scan,
    band: Store,
    vertices: Store,
    triangles: Store,
    /// Pieces before each triangle, and their number last.
    offsets: Store,
    /// Layers before each column, then up to its end; and their number last.
    ends: Store,
    layers: Store,
    read_back: Store,
}

/// The rays of an image.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Image {
    pub resolution: [u32; 2],
    /// log2 of the lattice units across a pixel.
    pub shift: u32,
}

/// Layers of all columns.
#[derive(Debug)]
pub(crate) struct Parts {
    /// First layer of each column, and the total last.
    pub starts: Vec<u32>,
    pub layers: Vec<Layer>,
}

/// `Band` of the shader.
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct BandUniform {
    first: [u32; 2],
    last: [u32; 2],
    shift: u32,
    triangle: u32,
    piece: u32,
    pieces: u32,
}

/// What is to be drawn.
struct Task<'a> {
    device: &'a Device,
    image: Image,
    body: &'a Chunks<'a>,
    /// The triangles of each part of the body.
    ranges: Vec<Range<usize>>,
    /// The part that the device holds.
    uploaded: Option<usize>,
}

/// A part of the body, cut into pieces over a band.
struct Cut {
    uniform: BandUniform,
    triangles: u64,
    vertices: u64,
    pieces: u32,
    /// Numbers in `ends`.
    columns: u64,
}

/// What is done with each piece.
#[derive(Clone, Copy)]
enum Stage {
    Count,
    /// Into so many bytes.
    Fill(u64),
}

impl Draw {
    pub fn new(device: &Device) -> Self {
        use wgpu::BufferUsages as Use;
        let text = concat!(include_str!("shaders/wide.wgsl"), include_str!("shaders/raster.wgsl"));
        let raster = device.shader("raster", text.into());
        let sort = device.shader("sort", include_str!("shaders/sort.wgsl").into());
        Self {
            pieces: device.kernel(&raster, "pieces", 64),
            count: device.kernel(&raster, "count", 64),
            fill: device.kernel(&raster, "fill", 64),
            sort: device.kernel(&sort, "sort", 64),
            scan: Scan::new(device),
            band: Store::new("band", Use::UNIFORM | Use::COPY_DST),
            vertices: Store::new("vertices", Use::STORAGE | Use::COPY_DST),
            triangles: Store::new("triangles", Use::STORAGE | Use::COPY_DST),
            offsets: Store::new("pieces", Use::STORAGE | Use::COPY_SRC),
            ends: Store::new("columns", Use::STORAGE | Use::COPY_SRC | Use::COPY_DST),
            layers: Store::new("layers", Use::STORAGE | Use::COPY_SRC),
            read_back: Store::new("read back", Use::MAP_READ | Use::COPY_DST),
        }
    }

    /// Draws all triangles that are not far.
    pub fn draw(&mut self, device: &Device, image: Image, body: &Chunks<'_>) -> Result<Parts, GpuError> {
        let mut task = Task { device, image, body, ranges: body.ranges().collect(), uploaded: None };
        let mut parts = Parts { starts: vec![0], layers: Vec::new() };
        let mut bands = vec![Band::whole(image.resolution)];
        while let Some(band) = bands.pop() {
            let fits = 4 * (band.columns() + 1) <= device.largest;
            if fits && self.draw_band(&mut task, band, &mut parts)? {
                continue;
            }
            match band.split() {
                Some([low, high]) => bands.extend([high, low]),
                None => return Err(device.too_large("one ray has more layers than a buffer holds")),
            }
        }
        device.check()?;
        Ok(parts)
    }

    /// Appends the layers of a band; false where they do not fit a buffer.
    fn draw_band(&mut self, task: &mut Task<'_>, band: Band, parts: &mut Parts) -> Result<bool, GpuError> {
        let device = task.device;
        let columns = band.columns() + 1;
        self.ends.reserve(device, 4 * columns);
        let mut commands = device.commands();
        commands.clear_buffer(self.ends.buffer(), 0, Some(4 * columns));
        device.submit(commands);
        let len = task.ranges.len();
        let mut last = None;
        for k in 0..len {
            let cut = self.cut(task, band, k)?;
            self.each_piece(device, &cut, Stage::Count);
            last = Some(cut);
        }
        let mut commands = device.commands();
        self.scan.run(device, &mut commands, &self.ends, columns);
        self.read_back.reserve(device, 4);
        let end = 4 * (columns - 1);
        commands.copy_buffer_to_buffer(self.ends.buffer(), end, self.read_back.buffer(), 0, Some(4));
        device.submit(commands);
        let total = device.read(&self.read_back, 4, number)?;
        let bytes = LAYER * u64::from(total);
        if total == u32::MAX || bytes > device.largest {
            return Ok(false);
        }
        if u64::from(total) + parts.layers.len() as u64 > u64::from(u32::MAX) {
            return Err(device.too_large("there are more than 2^32 layers"));
        }
        if total == 0 {
            let end = parts.layers.len() as u32;
            parts.starts.resize(parts.starts.len() + band.columns() as usize, end);
            return Ok(true);
        }
        self.layers.reserve(device, bytes);
        for k in 0..len {
            // The pieces of a body in one part are those that were counted.
            let cut = match last.take() {
                Some(cut) if len == 1 => cut,
                _ => self.cut(task, band, k)?,
            };
            self.each_piece(device, &cut, Stage::Fill(bytes));
        }
        self.sort_and_read(device, columns, bytes, parts)?;
        Ok(true)
    }

    /// Sends a part of the body to the device, unless it is there, and cuts its triangles into pieces.
    fn cut(&mut self, task: &mut Task<'_>, band: Band, k: usize) -> Result<Cut, GpuError> {
        let (device, range) = (task.device, task.ranges[k].clone());
        let chunk = task.body.get(range.clone());
        if task.uploaded != Some(k) {
            self.vertices.write(device, bytemuck::cast_slice(&chunk.vertices));
            self.triangles.write(device, bytemuck::cast_slice(&chunk.triangles));
            task.uploaded = Some(k);
        }
        let mut cut = Cut {
            uniform: BandUniform {
                first: band.first,
                last: band.last,
                shift: task.image.shift,
                triangle: range.start as u32,
                piece: 0,
                pieces: 0,
            },
            triangles: chunk.triangles.len() as u64,
            vertices: chunk.vertices.len() as u64,
            pieces: 0,
            columns: band.columns() + 1,
        };
        let len = cut.triangles + 1;
        self.offsets.reserve(device, 4 * len);
        self.read_back.reserve(device, 4);
        self.band.write(device, bytemuck::bytes_of(&cut.uniform));
        let mut commands = device.commands();
        device.run(&mut commands, &self.pieces, &self.body(&cut), len);
        self.scan.run(device, &mut commands, &self.offsets, len);
        let end = 4 * (len - 1);
        commands.copy_buffer_to_buffer(self.offsets.buffer(), end, self.read_back.buffer(), 0, Some(4));
        device.submit(commands);
        cut.pieces = device.read(&self.read_back, 4, number)?;
        if cut.pieces == u32::MAX {
            return Err(device.too_large("there are more than 2^32 pieces of 8 by 8 pixels"));
        }
        Ok(cut)
    }

    /// What the kernels see of a part of the body.
    fn body(&self, cut: &Cut) -> [(u32, wgpu::BindingResource<'_>); 4] {
        [
            (0, self.band.bind(size_of::<BandUniform>() as u64)),
            (1, self.vertices.bind(VERTEX * cut.vertices)),
            (2, self.triangles.bind(TRIANGLE * cut.triangles)),
            (3, self.offsets.bind(4 * (cut.triangles + 1))),
        ]
    }

    /// Counts the layers of each column, or fills them in.
    fn each_piece(&mut self, device: &Device, cut: &Cut, stage: Stage) {
        for first in (0..cut.pieces).step_by(PIECES as usize) {
            let pieces = PIECES.min(cut.pieces - first);
            self.band.write(device, bytemuck::bytes_of(&BandUniform { piece: first, pieces, ..cut.uniform }));
            let mut bindings = self.body(cut).to_vec();
            bindings.push((4, self.ends.bind(4 * cut.columns)));
            let kernel = match stage {
                Stage::Count => &self.count,
                Stage::Fill(bytes) => {
                    bindings.push((5, self.layers.bind(bytes)));
                    &self.fill
                }
            };
            let mut commands = device.commands();
            device.run(&mut commands, kernel, &bindings, u64::from(pieces));
            device.submit(commands);
        }
    }

    /// Puts each column in order and takes all of them over.
    fn sort_and_read(
        &mut self,
        device: &Device,
        columns: u64,
        bytes: u64,
        parts: &mut Parts,
    ) -> Result<(), GpuError> {
        self.read_back.reserve(device, bytes.max(4 * columns));
        let mut commands = device.commands();
        let bindings = [(0, self.ends.bind(4 * columns)), (1, self.layers.bind(bytes))];
        device.run(&mut commands, &self.sort, &bindings, columns);
        commands.copy_buffer_to_buffer(self.ends.buffer(), 0, self.read_back.buffer(), 0, Some(4 * columns));
        device.submit(commands);
        let before = parts.layers.len() as u32;
        device.read(&self.read_back, 4 * columns, |ends| {
            let ends = ends.chunks_exact(4).take(columns as usize - 1);
            parts.starts.extend(ends.map(|end| before + number(end)));
        })?;
        let mut commands = device.commands();
        commands.copy_buffer_to_buffer(self.layers.buffer(), 0, self.read_back.buffer(), 0, Some(bytes));
        device.submit(commands);
        device.read(&self.read_back, bytes, |layers| {
            let layer = |b: &[u8]| Layer { depth: number(&b[..4]) as i32, tag: number(&b[4..]) };
            parts.layers.extend(layers.chunks_exact(LAYER as usize).map(layer));
        })
    }
}

/// Four bytes of the device as a number; devices are little-endian.
fn number(bytes: &[u8]) -> u32 {
    u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]])
}

#[cfg(test)]
mod tests {
    use crumple::VertexId;

    use super::*;
    use crate::testing;

    /// Squares over a 2 × 2 image, turned to either side, whose depths come again every now and then.
    fn squares(count: u32) -> (Vec<[i32; 4]>, Vec<[VertexId; 3]>) {
        let mut number = testing::numbers(11);
        let (mut vertices, mut triangles) = (Vec::new(), Vec::new());
        for k in 0..count {
            let z = (number() % 64) as i32 - 32;
            vertices.extend([[0, 0, z, 0], [1 << 27, 0, z, 0], [1 << 27, 1 << 27, z, 0], [0, 1 << 27, z, 0]]);
            let [a, b, c, d] = [4 * k, 4 * k + 1, 4 * k + 2, 4 * k + 3].map(VertexId);
            triangles.extend(if number().is_multiple_of(2) {
                [[a, b, c], [a, c, d]]
            } else {
                [[a, c, b], [a, d, c]]
            });
        }
        (vertices, triangles)
    }

    /// The engine would put columns in order too, so that only here it is seen who did.
    #[test]
    fn the_device_sorts_all_but_the_longest_columns() {
        let Some(device) = testing::device() else { return };
        let mut draw = Draw::new(&device);
        for (count, is_sorted) in
            [(1, true), (24, true), (25, true), (1000, true), (4096, true), (4097, false)]
        {
            let (vertices, triangles) = squares(count);
            let chunks = Chunks::new(&vertices, &triangles, device.largest);
            let image = Image { resolution: [2, 2], shift: 26 };
            let parts = draw.draw(&device, image, &chunks).expect("the device works");
            assert_eq!(parts.starts, [0, 1, 2, 3, 4].map(|c| c * count));
            for column in parts.layers.chunks_exact(count as usize) {
                // Threads that by chance wrote thousands of layers in order do no harm.
                assert!(!is_sorted || column.is_sorted(), "{count} layers");
                let mut squares: Vec<u32> = column.iter().map(|l| l.triangle().0 / 2).collect();
                squares.sort_unstable();
                assert_eq!(squares, (0..count).collect::<Vec<_>>());
            }
        }
    }
}
