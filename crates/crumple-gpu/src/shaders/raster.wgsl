// Which rays of a band cross which triangles, and at which depth: the rules of `View`, in the same integers.
//
// The box of a triangle is cut into pieces of 8 x 8 pixels and each piece is one thread's work, so that a triangle
// that fills the image keeps no thread busy for long and one that holds no pixel's centre costs next to nothing.

struct Band {
    // The pixels that are drawn, ends included.
    first: vec2<i32>,
    last: vec2<i32>,
    // log2 of the lattice units across a pixel.
    shift: u32,
    // The number within the body of the first triangle that is bound.
    triangle: u32,
    // The pieces of this dispatch.
    piece: u32,
    pieces: u32,
}

struct Triangle {
    a: vec3<i32>,
    b: vec3<i32>,
    c: vec3<i32>,
}

// Pixels, ends included; empty where an end is before its begin.
struct Box {
    first: vec2<i32>,
    last: vec2<i32>,
}

// A triangle that turns counter-clockwise, and what it was.
struct Shape {
    at: Triangle,
    // Twice its area.
    area: Wide,
    // 2^31 where a ray leaves the body here.
    leaves: u32,
}

// A piece: the pixels of it that are crossed, bit 8·y + x, low word first.
struct Piece {
    shape: Shape,
    first: vec2<i32>,
    crossed: vec2<u32>,
    triangle: u32,
}

@group(0) @binding(0) var<uniform> band: Band;
@group(0) @binding(1) var<storage, read> vertices: array<vec4<i32>>;
@group(0) @binding(2) var<storage, read> triangles: array<u32>;
// Pieces of each triangle, then of all triangles before it.
@group(0) @binding(3) var<storage, read_write> offsets: array<u32>;
// Layers of each column, then those of all before it; `fill` moves each to the end of its column.
@group(0) @binding(4) var<storage, read_write> ends: array<atomic<u32>>;
// (depth, tag) as the engine's `Layer`.
@group(0) @binding(5) var<storage, read_write> layers: array<vec2<u32>>;

const THREADS: u32 = 64u;
const SIDE: i32 = 8;
const LIMIT: i32 = 1 << 30u;

fn vertex(id: u32) -> vec3<i32> {
    return vertices[id].xyz;
}

fn triangle(id: u32) -> Triangle {
    return Triangle(vertex(triangles[3u * id]), vertex(triangles[3u * id + 1u]), vertex(triangles[3u * id + 2u]));
}

// The pixels whose centres lie in the box of a triangle.
fn centres(t: Triangle) -> Box {
    let half = 1 << (band.shift - 1u);
    let low = min(min(t.a, t.b), t.c).xy;
    let high = max(max(t.a, t.b), t.c).xy;
    let shift = vec2<u32>(band.shift);
    return Box(max((low + (half - 1)) >> shift, band.first), min((high - half) >> shift, band.last));
}

// Twice the area of (p, q, ray), positive where the ray lies to the left.
fn edge(p: vec3<i32>, q: vec3<i32>, ray: vec2<i32>) -> Wide {
    return wide_difference(wide_product(q.x - p.x, ray.y - p.y), wide_product(q.y - p.y, ray.x - p.x));
}

// Whether a ray through the edge counts as inside of it.
fn owns(p: vec3<i32>, q: vec3<i32>) -> bool {
    return q.y < p.y || (q.y == p.y && q.x > p.x);
}

fn shape(t: Triangle) -> Shape {
    let area = edge(t.a, t.b, t.c.xy);
    if wide_is_negative(area) {
        return Shape(Triangle(t.a, t.c, t.b), wide_difference(Wide(0u, 0u), area), 0u);
    }
    return Shape(t, area, 0x80000000u);
}

fn centre(pixel: vec2<i32>) -> vec2<i32> {
    return (pixel << vec2<u32>(band.shift)) + (1 << (band.shift - 1u));
}

// How many pieces each triangle has; none where it is far, edge-on, or holds no centre.
@compute @workgroup_size(64)
fn pieces(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let at = id.y * groups.x * THREADS + id.x;
    if at >= arrayLength(&offsets) {
        return;
    }
    var count = 0u;
    // The last element has no triangle and becomes the total.
    if at < arrayLength(&offsets) - 1u {
        let t = triangle(at);
        let box = centres(t);
        if all(box.first <= box.last) {
            let reach = max(max(abs(t.a), abs(t.b)), abs(t.c));
            let is_far = max(max(reach.x, reach.y), reach.z) >= LIMIT;
            if !is_far && !wide_is_zero(edge(t.a, t.b, t.c.xy)) {
                let size = vec2<u32>((box.last - box.first) / SIDE + 1);
                count = size.x * size.y;
            }
        }
    }
    offsets[at] = count;
}

// The triangle to which a piece belongs: the last one that no more than `piece` pieces lie before.
fn owner(piece: u32) -> u32 {
    var low = 0u;
    var high = arrayLength(&offsets) - 1u;
    while high - low > 1u {
        let middle = low + (high - low) / 2u;
        if offsets[middle] <= piece {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

// One less than the edge function where the edge is not owned, so that inside means not negative.
fn inside(p: vec3<i32>, q: vec3<i32>, ray: vec2<i32>) -> Wide {
    let e = edge(p, q, ray);
    if owns(p, q) {
        return e;
    }
    return wide_difference(e, Wide(1u, 0u));
}

// What a function gains over so many pixels, where it grows.
fn gain(step: Wide, pixels: u32) -> Wide {
    if wide_is_negative(step) {
        return Wide(0u, 0u);
    }
    return wide_scaled(step, pixels);
}

fn find(piece: u32) -> Piece {
    let id = owner(piece);
    let t = triangle(id);
    let box = centres(t);
    let s = shape(t);
    let across = u32((box.last.x - box.first.x) / SIDE + 1);
    let place = piece - offsets[id];
    let first = box.first + SIDE * vec2<i32>(vec2<u32>(place % across, place / across));
    let last = min(box.last, first + (SIDE - 1));
    let ray = centre(first);
    var row_a = inside(s.at.b, s.at.c, ray);
    var row_b = inside(s.at.c, s.at.a, ray);
    var row_c = inside(s.at.a, s.at.b, ray);
    // What the three gain from one pixel to the next.
    let right_a = wide_shifted(wide(s.at.b.y - s.at.c.y), band.shift);
    let right_b = wide_shifted(wide(s.at.c.y - s.at.a.y), band.shift);
    let right_c = wide_shifted(wide(s.at.a.y - s.at.b.y), band.shift);
    let up_a = wide_shifted(wide(s.at.c.x - s.at.b.x), band.shift);
    let up_b = wide_shifted(wide(s.at.a.x - s.at.c.x), band.shift);
    let up_c = wide_shifted(wide(s.at.b.x - s.at.a.x), band.shift);
    var crossed = vec2<u32>(0u, 0u);
    // The largest value over the piece, at one of its corners: negative where the triangle passes by. This saves a
    // quarter of the time on 6,000 slivers at 512 x 512 and costs small triangles nothing that could be measured.
    let size = vec2<u32>(last - first);
    let most_a = wide_sum(wide_sum(row_a, gain(right_a, size.x)), gain(up_a, size.y));
    let most_b = wide_sum(wide_sum(row_b, gain(right_b, size.x)), gain(up_b, size.y));
    let most_c = wide_sum(wide_sum(row_c, gain(right_c, size.x)), gain(up_c, size.y));
    if bitcast<i32>(most_a.y | most_b.y | most_c.y) < 0 {
        return Piece(s, first, crossed, id);
    }
    for (var y = 0; y <= last.y - first.y; y++) {
        var a = row_a;
        var b = row_b;
        var c = row_c;
        var row = 0u;
        for (var x = 0; x <= last.x - first.x; x++) {
            row |= (((a.y | b.y | c.y) >> 31u) ^ 1u) << u32(x);
            a = wide_sum(a, right_a);
            b = wide_sum(b, right_b);
            c = wide_sum(c, right_c);
        }
        if y < 4 {
            crossed.x |= row << (8u * u32(y));
        } else {
            crossed.y |= row << (8u * u32(y) - 32u);
        }
        row_a = wide_sum(row_a, up_a);
        row_b = wide_sum(row_b, up_b);
        row_c = wide_sum(row_c, up_c);
    }
    return Piece(s, first, crossed, id);
}

// The depth at which a ray crosses: floor of (Ea·a.z + Eb·b.z + Ec·c.z) / area.
//
// A long division of the depths above the lowest corner, in digits of as many bits as fit: the rest before a digit is
// below area, Ea + Eb + Ec = area, so that the number to be divided is below area·2^(digit + 1), which must not exceed
// 2^64. Areas are below 2^62, so a digit has at least one bit; most depths take one or two digits of 15 bits. Floats
// only guess a digit, to within one: the rest says whether it was right.
fn depth(s: Shape, ray: vec2<i32>) -> i32 {
    let ea = edge(s.at.b, s.at.c, ray);
    let eb = edge(s.at.c, s.at.a, ray);
    let ec = edge(s.at.a, s.at.b, ray);
    let lowest = min(min(s.at.a.z, s.at.b.z), s.at.c.z);
    let za = bitcast<u32>(s.at.a.z - lowest);
    let zb = bitcast<u32>(s.at.b.z - lowest);
    let zc = bitcast<u32>(s.at.c.z - lowest);
    let most = min(15u, 63u - wide_bits(s.area));
    let inverse = 1.0 / wide_to_float(s.area);
    var whole = 0u;
    var rest = Wide(0u, 0u);
    var left = 32u - countLeadingZeros(za | zb | zc);
    while left > 0u {
        let bits = min(most, left);
        left -= bits;
        let mask = (1u << bits) - 1u;
        rest = wide_shifted(rest, bits);
        rest = wide_sum(rest, wide_scaled(ea, (za >> left) & mask));
        rest = wide_sum(rest, wide_scaled(eb, (zb >> left) & mask));
        rest = wide_sum(rest, wide_scaled(ec, (zc >> left) & mask));
        var digit = min(u32(wide_to_float(rest) * inverse), (2u << bits) - 1u);
        rest = wide_difference(rest, wide_scaled(s.area, digit));
        while wide_is_negative(rest) {
            rest = wide_sum(rest, s.area);
            digit -= 1u;
        }
        while wide_is_at_least(rest, s.area) {
            rest = wide_difference(rest, s.area);
            digit += 1u;
        }
        whole = (whole << bits) + digit;
    }
    return lowest + bitcast<i32>(whole);
}

// The number of a pixel within the band, row after row.
fn column(pixel: vec2<i32>) -> u32 {
    let place = vec2<u32>(pixel - band.first);
    return place.y * u32(band.last.x - band.first.x + 1) + place.x;
}

// The lowest set bit of a mask that is not empty.
fn lowest_bit(mask: vec2<u32>) -> u32 {
    return select(32u + firstTrailingBit(mask.y), firstTrailingBit(mask.x), mask.x != 0u);
}

// The mask without its lowest set bit.
fn without_lowest(mask: vec2<u32>) -> vec2<u32> {
    if mask.x != 0u {
        return vec2<u32>(mask.x & (mask.x - 1u), mask.y);
    }
    return vec2<u32>(0u, mask.y & (mask.y - 1u));
}

@compute @workgroup_size(64)
fn count(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let at = id.y * groups.x * THREADS + id.x;
    if at >= band.pieces {
        return;
    }
    let piece = find(band.piece + at);
    for (var mask = piece.crossed; any(mask != vec2<u32>(0u)); mask = without_lowest(mask)) {
        let bit = lowest_bit(mask);
        atomicAdd(&ends[column(piece.first + vec2<i32>(vec2<u32>(bit & 7u, bit >> 3u)))], 1u);
    }
}

@compute @workgroup_size(64)
fn fill(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let at = id.y * groups.x * THREADS + id.x;
    if at >= band.pieces {
        return;
    }
    let piece = find(band.piece + at);
    let tag = (band.triangle + piece.triangle) | piece.shape.leaves;
    for (var mask = piece.crossed; any(mask != vec2<u32>(0u)); mask = without_lowest(mask)) {
        let bit = lowest_bit(mask);
        let pixel = piece.first + vec2<i32>(vec2<u32>(bit & 7u, bit >> 3u));
        let z = depth(piece.shape, centre(pixel));
        let place = atomicAdd(&ends[column(pixel)], 1u);
        layers[place] = vec2<u32>(bitcast<u32>(z), tag);
    }
}
