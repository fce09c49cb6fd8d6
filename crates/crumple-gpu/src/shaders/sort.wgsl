// Puts the layers of each column in order: by depth, entries before exits, triangle. No two are equal, so the order
// does not depend on which thread wrote first.

// The end of each column, which is the begin of the next.
@group(0) @binding(0) var<storage, read> ends: array<u32>;
@group(0) @binding(1) var<storage, read_write> layers: array<vec2<u32>>;

const THREADS: u32 = 64u;
// Up to here sorting by insertion is the faster of the two.
const SHORT: u32 = 24u;
// Longer columns are left to the processor, lest one thread keeps the device for long.
const LONG: u32 = 4096u;

fn is_before(a: vec2<u32>, b: vec2<u32>) -> bool {
    let p = bitcast<i32>(a.x);
    let q = bitcast<i32>(b.x);
    return p < q || (p == q && a.y < b.y);
}

fn insertion_sort(first: u32, len: u32) {
    for (var k = 1u; k < len; k++) {
        let layer = layers[first + k];
        var place = k;
        while place > 0u {
            let other = layers[first + place - 1u];
            if !is_before(layer, other) {
                break;
            }
            layers[first + place] = other;
            place -= 1u;
        }
        layers[first + place] = layer;
    }
}

// Lets a layer sink to its place in the heap of `len` layers whose root is `from`.
fn sink(first: u32, from_: u32, len: u32, layer: vec2<u32>) {
    var place = from_;
    loop {
        var child = 2u * place + 1u;
        if child >= len {
            break;
        }
        if child + 1u < len && is_before(layers[first + child], layers[first + child + 1u]) {
            child += 1u;
        }
        let largest = layers[first + child];
        if !is_before(layer, largest) {
            break;
        }
        layers[first + place] = largest;
        place = child;
    }
    layers[first + place] = layer;
}

fn heap_sort(first: u32, len: u32) {
    for (var k = len / 2u; k > 0u; k--) {
        sink(first, k - 1u, len, layers[first + k - 1u]);
    }
    for (var k = len - 1u; k > 0u; k--) {
        let layer = layers[first + k];
        layers[first + k] = layers[first];
        sink(first, 0u, k, layer);
    }
}

@compute @workgroup_size(64)
fn sort(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let column = id.y * groups.x * THREADS + id.x;
    // The last element is the total.
    if column >= arrayLength(&ends) - 1u {
        return;
    }
    var first = 0u;
    if column > 0u {
        first = ends[column - 1u];
    }
    let len = ends[column] - first;
    if len > LONG {
        return;
    }
    if len > SHORT {
        heap_sort(first, len);
    } else if len > 1u {
        insertion_sort(first, len);
    }
}
