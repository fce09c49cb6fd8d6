//! The layers of one body: count, sum up, fill, sort, read back, band after band.

use std::ops::Range;

use bytemuck::{Pod, Zeroable};
use crumple::methods::layered_depth::Layer;

use crate::band::Band;
use crate::chunk::Chunks;
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

/// A part of the body that has been uploaded and cut into pieces.
#[derive(Clone)]
struct Cut {
    triangles: Range<usize>,
    vertices: u64,
    pieces: u32,
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
        let mut parts = Parts { starts: vec![0], layers: Vec::new() };
        let mut bands = vec![Band::whole(image.resolution)];
        let ranges: Vec<_> = body.ranges().collect();
        // One part stays where it is for all bands.
        let mut uploaded = None;
        while let Some(band) = bands.pop() {
            let fits = 4 * (band.columns() + 1) <= device.largest;
            if fits && self.draw_band(device, image, band, body, &ranges, &mut uploaded, &mut parts)? {
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
    #[allow(clippy::too_many_arguments)]
    fn draw_band(
        &mut self,
        device: &Device,
        image: Image,
        band: Band,
        body: &Chunks<'_>,
        ranges: &[Range<usize>],
        uploaded: &mut Option<usize>,
        parts: &mut Parts,
    ) -> Result<bool, GpuError> {
        let columns = band.columns() + 1;
        self.ends.reserve(device, 4 * columns);
        let mut commands = device.commands();
        commands.clear_buffer(self.ends.buffer(), 0, Some(4 * columns));
        device.submit(commands);
        let uniform = |cut: &Cut| BandUniform {
            first: band.first,
            last: band.last,
            shift: image.shift,
            triangle: cut.triangles.start as u32,
            piece: 0,
            pieces: 0,
        };
        let mut cuts = Vec::with_capacity(ranges.len());
        for (k, range) in ranges.iter().enumerate() {
            let mut cut = self.upload(device, body, k, range, uploaded);
            self.cut(device, uniform(&cut), &mut cut)?;
            self.each_piece(device, uniform(&cut), &cut, columns, None);
            cuts.push(cut);
        }
        let mut commands = device.commands();
        self.scan.run(device, &mut commands, &self.ends, columns);
        self.copy_last(device, &mut commands, Last::End, columns);
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
        let is_alone = cuts.len() == 1;
        for (k, cut) in cuts.iter_mut().enumerate() {
            if !is_alone {
                self.upload(device, body, k, &ranges[k], uploaded);
                self.cut(device, uniform(cut), cut)?;
            }
            self.each_piece(device, uniform(cut), cut, columns, Some(bytes));
        }
        self.sort_and_read(device, columns, bytes, parts)?;
        Ok(true)
    }

    /// Sends a part of the body to the device, unless it is there.
    fn upload(
        &mut self,
        device: &Device,
        body: &Chunks<'_>,
        k: usize,
        range: &Range<usize>,
        uploaded: &mut Option<usize>,
    ) -> Cut {
        let chunk = body.get(range.clone());
        if *uploaded != Some(k) {
            self.vertices.write(device, bytemuck::cast_slice(&chunk.vertices));
            self.triangles.write(device, bytemuck::cast_slice(&chunk.triangles));
            *uploaded = Some(k);
        }
        Cut { triangles: range.clone(), vertices: chunk.vertices.len() as u64, pieces: 0 }
    }

    /// Counts the pieces of each triangle and sums them up.
    fn cut(&mut self, device: &Device, uniform: BandUniform, cut: &mut Cut) -> Result<(), GpuError> {
        let len = cut.triangles.len() as u64 + 1;
        self.offsets.reserve(device, 4 * len);
        self.band.write(device, bytemuck::bytes_of(&uniform));
        let mut commands = device.commands();
        device.run(&mut commands, &self.pieces, &self.body(cut), len);
        self.scan.run(device, &mut commands, &self.offsets, len);
        self.copy_last(device, &mut commands, Last::Offset, len);
        device.submit(commands);
        cut.pieces = device.read(&self.read_back, 4, number)?;
        if cut.pieces == u32::MAX {
            return Err(device.too_large("there are more than 2^32 pieces of 8 by 8 pixels"));
        }
        Ok(())
    }

    /// What the kernels see of a part of the body.
    fn body(&self, cut: &Cut) -> [(u32, wgpu::BindingResource<'_>); 4] {
        let len = cut.triangles.len() as u64;
        [
            (0, self.band.bind(size_of::<BandUniform>() as u64)),
            (1, self.vertices.bind(12 * cut.vertices)),
            (2, self.triangles.bind(12 * len)),
            (3, self.offsets.bind(4 * (len + 1))),
        ]
    }

    /// Counts the layers of each column, or fills in those, where bytes say how many there are.
    fn each_piece(
        &mut self,
        device: &Device,
        mut uniform: BandUniform,
        cut: &Cut,
        columns: u64,
        fill: Option<u64>,
    ) {
        for first in (0..cut.pieces).step_by(PIECES as usize) {
            uniform.piece = first;
            uniform.pieces = PIECES.min(cut.pieces - first);
            self.band.write(device, bytemuck::bytes_of(&uniform));
            let mut bindings = self.body(cut).to_vec();
            bindings.push((4, self.ends.bind(4 * columns)));
            let kernel = match fill {
                Some(bytes) => {
                    bindings.push((5, self.layers.bind(bytes)));
                    &self.fill
                }
                None => &self.count,
            };
            let mut commands = device.commands();
            device.run(&mut commands, kernel, &bindings, u64::from(uniform.pieces));
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

    /// Copies the last of `len` numbers to where it can be read.
    fn copy_last(&mut self, device: &Device, commands: &mut wgpu::CommandEncoder, last: Last, len: u64) {
        self.read_back.reserve(device, 4);
        let from = match last {
            Last::Offset => self.offsets.buffer(),
            Last::End => self.ends.buffer(),
        };
        commands.copy_buffer_to_buffer(from, 4 * (len - 1), self.read_back.buffer(), 0, Some(4));
    }
}

/// Which total is asked for.
#[derive(Clone, Copy)]
enum Last {
    Offset,
    End,
}

/// Four bytes of the device as a number; devices are little-endian.
fn number(bytes: &[u8]) -> u32 {
    u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]])
}
