//! Which adapters there are, and which one is taken.

use std::fmt;

use crate::error::GpuError;

/// Interfaces that are asked for adapters; those of other systems are left out by the compiler.
const BACKENDS: wgpu::Backends = wgpu::Backends::PRIMARY;

/// Which adapter is wanted.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Wanted {
    /// The best graphics processor; never a software adapter, which is slower than the engine's own path.
    #[default]
    Hardware,
    /// The best graphics processor, or a software adapter where there is none, as for tests.
    Any,
    /// The best whose name contains this, in any case.
    Named(String),
}

/// An adapter that was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Adapter {
    /// What its driver calls it.
    pub name: String,
    /// The interface through which it is used, such as `vulkan`.
    pub backend: String,
    /// Whether it is emulated by the processor.
    pub is_software: bool,
}

impl fmt::Display for Adapter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} by {}", self.name, self.backend)?;
        if self.is_software { write!(f, ", in software") } else { Ok(()) }
    }
}

/// All adapters, best first: discrete graphics processors, integrated ones, virtual ones, unknown ones, software.
pub fn adapters() -> Vec<Adapter> {
    all().into_iter().map(|(_, adapter)| adapter).collect()
}

fn all() -> Vec<(wgpu::Adapter, Adapter)> {
    // Without any the library would panic.
    if (BACKENDS & wgpu::Instance::enabled_backend_features()).is_empty() {
        return Vec::new();
    }
    let mut descriptor = wgpu::InstanceDescriptor::new_without_display_handle();
    descriptor.backends = BACKENDS;
    descriptor.flags = wgpu::InstanceFlags::empty();
    let instance = wgpu::Instance::new(descriptor);
    let mut found = pollster::block_on(instance.enumerate_adapters(BACKENDS));
    found.retain(|a| a.get_downlevel_capabilities().flags.contains(wgpu::DownlevelFlags::COMPUTE_SHADERS));
    found.sort_by_key(|a| match a.get_info().device_type {
        wgpu::DeviceType::DiscreteGpu => 0,
        wgpu::DeviceType::IntegratedGpu => 1,
        wgpu::DeviceType::VirtualGpu => 2,
        wgpu::DeviceType::Other => 3,
        wgpu::DeviceType::Cpu => 4,
    });
    let describe = |a: wgpu::Adapter| {
        let info = a.get_info();
        let adapter = Adapter {
            name: info.name,
            backend: info.backend.to_string(),
            is_software: info.device_type == wgpu::DeviceType::Cpu,
        };
        (a, adapter)
    };
    found.into_iter().map(describe).collect()
}

/// The best adapter of those that are wanted.
pub(crate) fn find(wanted: &Wanted) -> Result<(wgpu::Adapter, Adapter), GpuError> {
    let mut found = all();
    let names: Vec<Adapter> = found.iter().map(|(_, adapter)| adapter.clone()).collect();
    Ok(found.swap_remove(choose(&names, wanted)?))
}

/// The place of the first adapter that is wanted.
fn choose(found: &[Adapter], wanted: &Wanted) -> Result<usize, GpuError> {
    let names = || found.iter().map(Adapter::to_string).collect::<Vec<_>>().join("; ");
    if found.is_empty() {
        return Err(GpuError::NoAdapter { backends: backends() });
    }
    match wanted {
        Wanted::Any => Ok(0),
        Wanted::Hardware => {
            found.iter().position(|a| !a.is_software).ok_or_else(|| GpuError::OnlySoftware { found: names() })
        }
        Wanted::Named(name) => {
            let lower = name.to_lowercase();
            found
                .iter()
                .position(|a| a.name.to_lowercase().contains(&lower))
                .ok_or_else(|| GpuError::NoSuchAdapter { wanted: name.clone(), found: names() })
        }
    }
}

fn backends() -> String {
    let backends = BACKENDS & wgpu::Instance::enabled_backend_features();
    let names: Vec<_> = backends.iter_names().map(|(name, _)| name.to_lowercase()).collect();
    if names.is_empty() { "any interface".into() } else { names.join(" or ") }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn adapter(name: &str, is_software: bool) -> Adapter {
        Adapter { name: name.into(), backend: "vulkan".into(), is_software }
    }

    #[test]
    fn the_first_that_is_wanted_is_taken() {
        let found = [adapter("Fast 9000", false), adapter("Slow 1", false), adapter("llvmpipe", true)];
        assert_eq!(choose(&found, &Wanted::Hardware), Ok(0));
        assert_eq!(choose(&found, &Wanted::Any), Ok(0));
        assert_eq!(choose(&found, &Wanted::Named("slow".into())), Ok(1));
        assert_eq!(choose(&found, &Wanted::Named("LLVM".into())), Ok(2));
        assert_eq!(choose(&found[2..], &Wanted::Any), Ok(0));
    }

    #[test]
    fn refusals_say_why() {
        let said =
            |found: &[Adapter], wanted: Wanted| choose(found, &wanted).expect_err("nothing fits").to_string();
        let software = [adapter("llvmpipe", true)];
        assert!(said(&[], Wanted::Any).contains("no graphics adapter was found"));
        assert!(
            said(&software, Wanted::Hardware)
                .contains("only software adapters were found (llvmpipe by vulkan")
        );
        assert!(said(&software, Wanted::Named("arc".into())).contains("\"arc\""));
    }
}
