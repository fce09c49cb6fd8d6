// Sums of all elements before each one, in place: blocks of 1024, then the sums of the blocks, and so on.
// A sum that does not fit 32 bits stays at the largest number, so that it is seen.

@group(0) @binding(0) var<storage, read_write> data: array<u32>;
// The total of each block.
@group(0) @binding(1) var<storage, read_write> totals: array<u32>;

const THREADS: u32 = 256u;
const EACH: u32 = 4u;
const BLOCK: u32 = 1024u;

var<workgroup> sums: array<u32, 256>;

fn saturating_sum(a: u32, b: u32) -> u32 {
    let sum = a + b;
    return select(sum, 0xffffffffu, sum < a);
}

@compute @workgroup_size(256)
fn scan_blocks(
    @builtin(local_invocation_index) thread: u32,
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
) {
    let block = group.y * groups.x + group.x;
    let first = block * BLOCK + thread * EACH;
    let len = arrayLength(&data);
    var values: array<u32, 4>;
    var own = 0u;
    for (var k = 0u; k < EACH; k++) {
        if first + k < len {
            values[k] = data[first + k];
        }
        own = saturating_sum(own, values[k]);
    }
    sums[thread] = own;
    workgroupBarrier();
    for (var step = 1u; step < THREADS; step *= 2u) {
        var before = 0u;
        if thread >= step {
            before = sums[thread - step];
        }
        workgroupBarrier();
        sums[thread] = saturating_sum(before, sums[thread]);
        workgroupBarrier();
    }
    var sum = 0u;
    if thread > 0u {
        sum = sums[thread - 1u];
    }
    for (var k = 0u; k < EACH; k++) {
        if first + k < len {
            data[first + k] = sum;
        }
        sum = saturating_sum(sum, values[k]);
    }
    if thread == THREADS - 1u && block < arrayLength(&totals) {
        totals[block] = sum;
    }
}

// Adds what lies before each block, once the totals have been summed up in the same way.
@compute @workgroup_size(256)
fn scan_add(
    @builtin(global_invocation_id) id: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
) {
    let at = id.y * groups.x * THREADS + id.x;
    if at < arrayLength(&data) {
        data[at] = saturating_sum(totals[at / BLOCK], data[at]);
    }
}
