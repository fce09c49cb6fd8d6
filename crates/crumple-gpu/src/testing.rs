//! What the unit tests share.

use crate::adapter::Wanted;
use crate::device::Device;

/// A device of any kind; where there is none the test says so and is skipped, unless `CRUMPLE_GPU_REQUIRED` is set.
pub(crate) fn device() -> Option<Device> {
    match Device::open(&Wanted::Any) {
        Ok(device) => Some(device),
        Err(why) if std::env::var_os("CRUMPLE_GPU_REQUIRED").is_none() => {
            eprintln!("SKIPPED: {why}");
            None
        }
        Err(why) => panic!("CRUMPLE_GPU_REQUIRED is set, but {why}"),
    }
}

/// Numbers that look arbitrary.
pub(crate) fn numbers(seed: u64) -> impl FnMut() -> u64 {
    let mut state = seed;
    move || {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state ^ (state >> 29)).wrapping_mul(0xbf58476d1ce4e5b9)
    }
}
