// Integers of 64 bits as (low, high), two's complement where a sign is meant; WGSL has 32 bits only.
// Sums, differences and products by powers of two wrap, as those of 32 bits do.

alias Wide = vec2<u32>;

fn wide(a: i32) -> Wide {
    return Wide(bitcast<u32>(a), bitcast<u32>(a >> 31u));
}

fn wide_sum(a: Wide, b: Wide) -> Wide {
    let low = a.x + b.x;
    return Wide(low, a.y + b.y + u32(low < a.x));
}

fn wide_difference(a: Wide, b: Wide) -> Wide {
    return Wide(a.x - b.x, a.y - b.y - u32(a.x < b.x));
}

// The whole product of two signed numbers.
fn wide_product(a: i32, b: i32) -> Wide {
    let p = bitcast<u32>(a);
    let q = bitcast<u32>(b);
    let p_low = p & 0xffffu;
    let p_high = p >> 16u;
    let q_low = q & 0xffffu;
    let q_high = q >> 16u;
    let low = p_low * q_low;
    // Neither sum overflows: (2^16 - 1)^2 + 2^16 - 1 < 2^32.
    let middle = p_high * q_low + (low >> 16u);
    let other = p_low * q_high + (middle & 0xffffu);
    let high = p_high * q_high + (middle >> 16u) + (other >> 16u);
    // Read as unsigned, a negative factor is 2^32 too large.
    let excess = select(0u, q, a < 0) + select(0u, p, b < 0);
    return Wide((other << 16u) | (low & 0xffffu), high - excess);
}

// Times a number below 2^16.
fn wide_scaled(a: Wide, by: u32) -> Wide {
    let low = (a.x & 0xffffu) * by;
    let middle = (a.x >> 16u) * by + (low >> 16u);
    return Wide((middle << 16u) | (low & 0xffffu), a.y * by + (middle >> 16u));
}

// About the same number; without sign.
fn wide_to_float(a: Wide) -> f32 {
    return f32(a.y) * 4294967296.0 + f32(a.x);
}

// How many bits it has, without sign.
fn wide_bits(a: Wide) -> u32 {
    return select(64u - countLeadingZeros(a.y), 32u - countLeadingZeros(a.x), a.y == 0u);
}

// Times 2^by, for by from 1 to 31.
fn wide_shifted(a: Wide, by: u32) -> Wide {
    return Wide(a.x << by, (a.y << by) | (a.x >> (32u - by)));
}

fn wide_is_negative(a: Wide) -> bool {
    return bitcast<i32>(a.y) < 0;
}

fn wide_is_zero(a: Wide) -> bool {
    return (a.x | a.y) == 0u;
}

// Whether a >= b, both without sign.
fn wide_is_at_least(a: Wide, b: Wide) -> bool {
    return a.y > b.y || (a.y == b.y && a.x >= b.x);
}
