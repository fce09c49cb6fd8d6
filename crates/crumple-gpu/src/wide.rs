//! The shaders' integers of 64 bits, checked against Rust's.

use crate::device::{Device, Store};
use crate::testing;

/// Every function on one pair of operands: two words in each, two words out.
const KERNEL: &str = "
@group(0) @binding(0) var<storage, read> operands: array<vec4<u32>>;
@group(0) @binding(1) var<storage, read_write> results: array<array<vec2<u32>, 11>>;

@compute @workgroup_size(64)
fn calculate(@builtin(global_invocation_id) id: vec3<u32>) {
    if id.x >= arrayLength(&operands) {
        return;
    }
    let a = operands[id.x].xy;
    let b = operands[id.x].zw;
    results[id.x][0] = wide_sum(a, b);
    results[id.x][1] = wide_difference(a, b);
    results[id.x][2] = wide_product(bitcast<i32>(a.x), bitcast<i32>(b.x));
    results[id.x][3] = wide(bitcast<i32>(a.x));
    results[id.x][4] = wide_shifted(a, 1u + b.x % 31u);
    results[id.x][5] = Wide(u32(wide_is_negative(a)), u32(wide_is_zero(a)));
    results[id.x][6] = Wide(u32(wide_is_at_least(a, b)), u32(wide_is_at_least(b, a)));
    results[id.x][7] = Wide(u32(wide_is_at_least(a, a)), u32(wide_is_zero(wide_difference(a, a))));
    results[id.x][8] = wide_scaled(a, b.x & 0xffffu);
    results[id.x][9] = Wide(wide_bits(a), wide_bits(Wide(a.x, 0u)));
    // The parts are exact where they fit 24 bits.
    results[id.x][10] = Wide(bitcast<u32>(wide_to_float(Wide(a.x >> 8u, 0u))),
        bitcast<u32>(wide_to_float(Wide(0u, b.y >> 8u))));
}
";

fn expected(a: u64, b: u64) -> [u64; 11] {
    let word = |low: bool, high: bool| u64::from(low) | u64::from(high) << 32;
    let float = |v: u64| u64::from((v as f32).to_bits());
    let signed = |v: u64| i64::from(v as u32 as i32);
    [
        a.wrapping_add(b),
        a.wrapping_sub(b),
        (signed(a) * signed(b)) as u64,
        signed(a) as u64,
        a << (1 + (b as u32) % 31),
        word((a as i64) < 0, a == 0),
        word(a >= b, b >= a),
        word(true, true),
        a.wrapping_mul(b & 0xffff),
        u64::from(64 - a.leading_zeros()) | u64::from(32 - (a as u32).leading_zeros()) << 32,
        float(u64::from((a as u32) >> 8)) | float(b >> 40 << 32) << 32,
    ]
}

fn calculate(device: &Device, operands: &[[u64; 2]]) -> Vec<[u64; 11]> {
    use wgpu::BufferUsages as Use;
    let shader = device.shader("wide", format!("{}{KERNEL}", include_str!("shaders/wide.wgsl")));
    let kernel = device.kernel(&shader, "calculate", 64);
    let (given, bytes) = (16 * operands.len() as u64, 88 * operands.len() as u64);
    let mut from = Store::new("operands", Use::STORAGE | Use::COPY_DST);
    let mut to = Store::new("results", Use::STORAGE | Use::COPY_SRC);
    let mut read_back = Store::new("read back", Use::MAP_READ | Use::COPY_DST);
    from.write(device, bytemuck::cast_slice(operands));
    to.reserve(device, bytes);
    read_back.reserve(device, bytes);
    let mut commands = device.commands();
    device.run(&mut commands, &kernel, &[(0, from.bind(given)), (1, to.bind(bytes))], operands.len() as u64);
    commands.copy_buffer_to_buffer(to.buffer(), 0, read_back.buffer(), 0, Some(bytes));
    device.submit(commands);
    device.read(&read_back, bytes, bytemuck::pod_collect_to_vec).expect("the device answers")
}

#[test]
fn integers_of_64_bits_are_those_of_rust() {
    let Some(device) = testing::device() else { return };
    // Where carries and signs turn over, and numbers that look arbitrary.
    let mut edges = vec![0, 1, 2, 3, u64::MAX, u64::MAX - 1, 0x5555_5555_5555_5555];
    for bit in [15, 16, 29, 30, 31, 32, 33, 47, 48, 61, 62, 63] {
        let power = 1u64 << bit;
        edges.extend([power - 1, power, power + 1, power.wrapping_neg(), power.wrapping_neg() - 1]);
    }
    let mut operands: Vec<[u64; 2]> =
        edges.iter().flat_map(|&a| edges.iter().map(move |&b| [a, b])).collect();
    let mut number = testing::numbers(7);
    operands.extend((0..20_000).map(|k| [number() >> (k % 64), number() >> (k / 64 % 64)]));
    for (pair, result) in operands.iter().zip(calculate(&device, &operands)) {
        assert_eq!(result, expected(pair[0], pair[1]), "{pair:x?}");
    }
}
