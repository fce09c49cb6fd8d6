//! A device: its adapter, memory, kernels, and how they are run.

use std::sync::{Arc, Mutex};

use crate::adapter::{self, Adapter, Wanted};
use crate::error::GpuError;

/// No buffer is made larger, whatever the device allows, so that the memory of small ones suffices.
const LARGEST_BUFFER: u64 = 1 << 28;

/// The smallest limit on buffers that is taken: room for the layers of a few hundred rays.
const SMALLEST_LIMIT: u64 = 1 << 10;

/// An open device.
#[derive(Debug)]
pub(crate) struct Device {
    pub adapter: Adapter,
    pub raw: wgpu::Device,
    pub queue: wgpu::Queue,
    /// Bytes of the largest buffer.
    pub largest: u64,
    /// Most workgroups along a side of a dispatch.
    groups: u32,
    /// The first thing that went wrong.
    fault: Arc<Mutex<Option<String>>>,
}

impl Device {
    pub fn open(wanted: &Wanted) -> Result<Self, GpuError> {
        let (raw_adapter, adapter) = adapter::find(wanted)?;
        let limits = raw_adapter.limits();
        let descriptor = wgpu::DeviceDescriptor {
            label: Some("crumple"),
            required_limits: limits.clone(),
            memory_hints: wgpu::MemoryHints::Performance,
            ..Default::default()
        };
        let (raw, queue) = pollster::block_on(raw_adapter.request_device(&descriptor))
            .map_err(|e| GpuError::Refused { adapter: adapter.to_string(), reason: e.to_string() })?;
        // Faults would end the program otherwise.
        let fault = Arc::new(Mutex::new(None));
        let report = |fault: &Arc<Mutex<Option<String>>>| {
            let fault = Arc::clone(fault);
            move |reason: String| {
                fault.lock().unwrap_or_else(|e| e.into_inner()).get_or_insert(reason);
            }
        };
        let (on_error, on_loss) = (report(&fault), report(&fault));
        raw.on_uncaptured_error(Arc::new(move |e: wgpu::Error| on_error(e.to_string())));
        raw.set_device_lost_callback(move |_, reason| on_loss(format!("the device was lost: {reason}")));
        let largest = limits.max_storage_buffer_binding_size.min(limits.max_buffer_size).min(LARGEST_BUFFER);
        Ok(Self { adapter, raw, queue, largest, groups: limits.max_compute_workgroups_per_dimension, fault })
    }

    /// Lowers the limit on buffers.
    pub fn limit_buffers(&mut self, bytes: u64) {
        self.largest = self.largest.min(bytes.max(SMALLEST_LIMIT));
    }

    /// What went wrong so far.
    pub fn check(&self) -> Result<(), GpuError> {
        match &*self.fault.lock().unwrap_or_else(|e| e.into_inner()) {
            Some(reason) => Err(self.failed(reason.clone())),
            None => Ok(()),
        }
    }

    fn failed(&self, reason: String) -> GpuError {
        GpuError::Failed { adapter: self.adapter.to_string(), reason }
    }

    pub fn too_large(&self, what: &'static str) -> GpuError {
        GpuError::TooLarge { adapter: self.adapter.to_string(), what }
    }

    /// Compiles an entry of a shader.
    pub fn kernel(&self, shader: &wgpu::ShaderModule, entry: &'static str, threads: u32) -> Kernel {
        let pipeline = self.raw.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
            label: Some(entry),
            layout: None,
            module: shader,
            entry_point: Some(entry),
            compilation_options: Default::default(),
            cache: None,
        });
        Kernel { layout: pipeline.get_bind_group_layout(0), pipeline, threads }
    }

    /// Reads a shader.
    pub fn shader(&self, label: &'static str, text: String) -> wgpu::ShaderModule {
        self.raw.create_shader_module(wgpu::ShaderModuleDescriptor {
            label: Some(label),
            source: wgpu::ShaderSource::Wgsl(text.into()),
        })
    }

    /// An empty list of commands.
    pub fn commands(&self) -> wgpu::CommandEncoder {
        self.raw.create_command_encoder(&Default::default())
    }

    /// Hands commands over to the device.
    pub fn submit(&self, commands: wgpu::CommandEncoder) {
        self.queue.submit([commands.finish()]);
    }

    /// Appends one run of a kernel: at least one thread per item.
    pub fn run(
        &self,
        commands: &mut wgpu::CommandEncoder,
        kernel: &Kernel,
        bindings: &[(u32, wgpu::BindingResource<'_>)],
        items: u64,
    ) {
        let entries: Vec<_> = bindings
            .iter()
            .map(|(binding, resource)| wgpu::BindGroupEntry { binding: *binding, resource: resource.clone() })
            .collect();
        let group = self.raw.create_bind_group(&wgpu::BindGroupDescriptor {
            label: None,
            layout: &kernel.layout,
            entries: &entries,
        });
        let [x, y] = grid(items.div_ceil(u64::from(kernel.threads)), self.groups);
        let mut pass = commands.begin_compute_pass(&Default::default());
        pass.set_pipeline(&kernel.pipeline);
        pass.set_bind_group(0, &group, &[]);
        pass.dispatch_workgroups(x, y, 1);
    }

    /// Waits for the device and hands over what it copied to `store`, from the begin to `bytes`.
    pub fn read<R>(&self, store: &Store, bytes: u64, f: impl FnOnce(&[u8]) -> R) -> Result<R, GpuError> {
        let slice = store.buffer().slice(..bytes);
        let answer = Arc::new(Mutex::new(None));
        let to = Arc::clone(&answer);
        slice.map_async(wgpu::MapMode::Read, move |result| {
            *to.lock().unwrap_or_else(|e| e.into_inner()) = Some(result);
        });
        self.raw.poll(wgpu::PollType::wait_indefinitely()).map_err(|e| self.failed(e.to_string()))?;
        self.check()?;
        match answer.lock().unwrap_or_else(|e| e.into_inner()).take() {
            Some(Ok(())) => {}
            Some(Err(e)) => return Err(self.failed(e.to_string())),
            None => return Err(self.failed("memory could not be read back".into())),
        }
        let result = {
            let view = slice.get_mapped_range().map_err(|e| self.failed(e.to_string()))?;
            f(&view)
        };
        store.buffer().unmap();
        Ok(result)
    }
}

/// Sides of a dispatch of so many workgroups, where none may be longer than `most`.
fn grid(groups: u64, most: u32) -> [u32; 2] {
    let x = groups.clamp(1, u64::from(most));
    [x as u32, groups.div_ceil(x).max(1) as u32]
}

/// A compiled entry of a shader.
#[derive(Debug)]
pub(crate) struct Kernel {
    pipeline: wgpu::ComputePipeline,
    layout: wgpu::BindGroupLayout,
    /// Threads of a workgroup; the kernels of scans count items per workgroup.
    threads: u32,
}

/// Memory of the device that grows and is used again.
#[derive(Debug)]
pub(crate) struct Store {
    label: &'static str,
    usage: wgpu::BufferUsages,
    buffer: Option<wgpu::Buffer>,
}

impl Store {
    pub fn new(label: &'static str, usage: wgpu::BufferUsages) -> Self {
        Self { label, usage, buffer: None }
    }

    /// Makes room for so many bytes; what was there may be lost.
    pub fn reserve(&mut self, device: &Device, bytes: u64) {
        if self.buffer.as_ref().is_some_and(|b| b.size() >= bytes) {
            return;
        }
        // The old one is given back first.
        self.buffer = None;
        let size = bytes.next_power_of_two().min(device.largest).max(bytes).max(16);
        self.buffer = Some(device.raw.create_buffer(&wgpu::BufferDescriptor {
            label: Some(self.label),
            size,
            usage: self.usage,
            mapped_at_creation: false,
        }));
    }

    /// The memory, once there is room.
    pub fn buffer(&self) -> &wgpu::Buffer {
        self.buffer.as_ref().expect("reserved before")
    }

    /// The first bytes, as a kernel sees them.
    pub fn bind(&self, bytes: u64) -> wgpu::BindingResource<'_> {
        wgpu::BindingResource::Buffer(wgpu::BufferBinding {
            buffer: self.buffer(),
            offset: 0,
            size: wgpu::BufferSize::new(bytes),
        })
    }

    /// Fills it from the begin.
    pub fn write(&mut self, device: &Device, bytes: &[u8]) {
        self.reserve(device, bytes.len() as u64);
        device.queue.write_buffer(self.buffer(), 0, bytes);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_grid_has_room_for_all_workgroups() {
        for groups in [0, 1, 2, 65_535, 65_536, 1_000_000, 65_535 * 65_535] {
            let [x, y] = grid(groups, 65_535);
            assert!(x <= 65_535 && y <= 65_535 && u64::from(x) * u64::from(y) >= groups.max(1));
        }
    }
}
