//! Prefix sums: what lies before each element.

use crate::device::{Device, Kernel, Store};

/// Elements that one workgroup sums up.
const BLOCK: u64 = 1024;

/// The kernels of a prefix sum and the totals of its blocks, one store per level: 1024, 1024², 1024³ elements.
#[derive(Debug)]
pub(crate) struct Scan {
    blocks: Kernel,
    add: Kernel,
    totals: [Store; 3],
}

impl Scan {
    pub fn new(device: &Device) -> Self {
        let shader = device.shader("scan", include_str!("shaders/scan.wgsl").into());
        Self {
            blocks: device.kernel(&shader, "scan_blocks", BLOCK as u32),
            add: device.kernel(&shader, "scan_add", 256),
            totals: [(); 3].map(|()| Store::new("totals of blocks", wgpu::BufferUsages::STORAGE)),
        }
    }

    /// Replaces each of the first `len` numbers by the sum of those before it; sums stay at the largest number where
    /// they do not fit 32 bits.
    pub fn run(&mut self, device: &Device, commands: &mut wgpu::CommandEncoder, data: &Store, len: u64) {
        let mut lens = [len; 4];
        for k in 0..3 {
            lens[k + 1] = lens[k].div_ceil(BLOCK);
            self.totals[k].reserve(device, 4 * lens[k + 1]);
        }
        let level = |k: usize| if k == 0 { data } else { &self.totals[k - 1] };
        // The last level has one block.
        let last = (0..3).find(|&k| lens[k] <= BLOCK).unwrap_or(2);
        let bind = |k: usize| [(0, level(k).bind(4 * lens[k])), (1, level(k + 1).bind(4 * lens[k + 1]))];
        for k in 0..=last {
            device.run(commands, &self.blocks, &bind(k), lens[k]);
        }
        for k in (0..last).rev() {
            device.run(commands, &self.add, &bind(k), lens[k]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing;

    fn scan(device: &Device, scan: &mut Scan, numbers: &[u32]) -> Vec<u32> {
        use wgpu::BufferUsages as Use;
        let bytes = 4 * numbers.len() as u64;
        let mut data = Store::new("data", Use::STORAGE | Use::COPY_DST | Use::COPY_SRC);
        let mut read_back = Store::new("read back", Use::MAP_READ | Use::COPY_DST);
        data.write(device, bytemuck::cast_slice(numbers));
        read_back.reserve(device, bytes);
        let mut commands = device.commands();
        scan.run(device, &mut commands, &data, numbers.len() as u64);
        commands.copy_buffer_to_buffer(data.buffer(), 0, read_back.buffer(), 0, Some(bytes));
        device.submit(commands);
        device.read(&read_back, bytes, bytemuck::pod_collect_to_vec).expect("the device answers")
    }

    fn expected(numbers: &[u32]) -> Vec<u32> {
        let mut sum = 0u32;
        numbers
            .iter()
            .map(|&n| {
                let before = sum;
                sum = sum.saturating_add(n);
                before
            })
            .collect()
    }

    #[test]
    fn sums_of_any_length_are_those_before() {
        let Some(device) = testing::device() else { return };
        let mut sums = Scan::new(&device);
        let mut number = testing::numbers(3);
        for len in [1, 2, 1023, 1024, 1025, 5000, 1 << 20, (1 << 20) + 1, 3_000_001] {
            let small: Vec<u32> = (0..len).map(|_| (number() % 1000) as u32).collect();
            assert!(scan(&device, &mut sums, &small) == expected(&small), "{len} numbers");
        }
    }

    #[test]
    fn what_does_not_fit_stays_at_the_largest() {
        let Some(device) = testing::device() else { return };
        let mut sums = Scan::new(&device);
        let large = vec![1 << 30; 3000];
        assert_eq!(scan(&device, &mut sums, &large), expected(&large));
        let mut late = vec![0; 2_000_000];
        (late[0], late[1_999_000]) = (u32::MAX, 5);
        assert!(scan(&device, &mut sums, &late) == expected(&late));
    }
}
