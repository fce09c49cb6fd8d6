// Undoes chunk.rs: base64, deflate, byte planes, zigzag differences.

/** The bytes of a data element, unpacked. */
async function unpack(id) {
  const text = document.getElementById(id).textContent;
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** Points as coordinates relative to `centre`. The subtraction is done in double precision. */
function decodePoints(head, bytes, centre) {
  const { count, planes, low, step } = head;
  const out = new Float32Array(3 * count);
  const mask = planes === 2 ? 0xffff : 0xffffff;
  for (let axis = 0; axis < 3; axis++) {
    const offset = low[axis] - centre[axis];
    let number = 0;
    for (let i = 0; i < count; i++) {
      let z = 0;
      for (let plane = 0; plane < planes; plane++) z |= bytes[(plane * 3 + axis) * count + i] << (8 * plane);
      number = (number + ((z >>> 1) ^ -(z & 1))) & mask;
      out[3 * i + axis] = offset + step[axis] * number;
    }
  }
  return out;
}

/** Rows of whole numbers, `width` a row. */
function decodeNumbers(bytes, width) {
  const count = bytes.length / (4 * width);
  const out = new Uint32Array(width * count);
  for (let column = 0; column < width; column++) {
    let number = 0;
    for (let i = 0; i < count; i++) {
      let z = 0;
      for (let plane = 0; plane < 4; plane++) z |= bytes[(plane * width + column) * count + i] << (8 * plane);
      number = (number + ((z >>> 1) ^ -(z & 1))) | 0;
      out[width * i + column] = number;
    }
  }
  return out;
}
