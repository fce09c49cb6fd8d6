// Crumple for JavaScript: exact collision detection and a simulator, typed arrays in and out.
//
//   import { load } from './crumple.js';
//   const { Scene } = await load();
//   const scene = new Scene();
//   scene.addFile('shirt.obj', new Uint8Array(await file.arrayBuffer()));
//   scene.contacts();           // Uint32Array, four numbers a row: body, triangle, body, triangle
//
// What is called a view shows the module's own memory: use it before the next call, or copy it.

// The smallest module with a 128-bit vector instruction.
const SIMD_PROBE = new Uint8Array([
  0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11,
]);

/** Whether this machine runs the vector build. */
export function hasSimd() {
  return WebAssembly.validate(SIMD_PROBE);
}

// Written out, so that bundlers see what belongs to a page.
const BESIDE = {
  simd: {
    glue: () => import('./simd/crumple_web.js'),
    wasm: () => new URL('./simd/crumple_web_bg.wasm', import.meta.url),
  },
  scalar: {
    glue: () => import('./scalar/crumple_web.js'),
    wasm: () => new URL('./scalar/crumple_web_bg.wasm', import.meta.url),
  },
};

const elsewhere = (kind, base) => ({
  glue: () => import(/* @vite-ignore */ /* webpackIgnore: true */ new URL(`${kind}/crumple_web.js`, base).href),
  wasm: () => new URL(`${kind}/crumple_web_bg.wasm`, base),
});

/**
 * Loads the module: the vector build where it runs, else the scalar one.
 * `base` is where the folders `simd` and `scalar` lie; `bytes` are the module itself where nothing can be fetched. In Node it is read.
 */
export async function load({ base, build, bytes } = {}) {
  if (typeof WebAssembly !== 'object') throw new Error('WebAssembly is missing here');
  const kind = build ?? (hasSimd() ? 'simd' : 'scalar');
  const parts = base ? elsewhere(kind, base) : BESIDE[kind];
  // Fetched and compiled while its JavaScript side is on the way.
  const source = bytes ?? fetched(parts.wasm());
  const [glue, module] = await Promise.all([parts.glue(), source]);
  const { memory } = await glue.default({ module_or_path: module });
  return { build: kind, memory, ...classes(glue, memory) };
}

/** `\0asm`, as every module begins. */
const MAGIC = 0x0061736d;

async function fetched(url) {
  if (url.protocol === 'file:' && typeof process === 'object') {
    const files = 'node:fs/promises';
    return (await import(files)).readFile(url);
  }
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url} could not be fetched: ${response.status} ${response.statusText}`);
  try {
    return await WebAssembly.compileStreaming(response.clone());
  } catch {
    // A server that gives it another type, or a page in its place.
    const bytes = await response.arrayBuffer();
    if (new DataView(bytes).getUint32(0) !== MAGIC) throw new Error(`${url} is not WebAssembly: is it where the package says?`);
    return bytes;
  }
}

function classes(glue, memory) {
  const floats = (at, length) => new Float32Array(memory.buffer, at, length);
  const indices = (at, length) => new Uint32Array(memory.buffer, at, length);

  /** Views of what a picture needs: positions, normals, triangles, and the range of each body. */
  const buffers = (inner) => {
    const [p, np, n, nn, t, nt, r, nr] = inner.buffersAt();
    return { positions: floats(p, np), normals: floats(n, nn), triangles: indices(t, nt), ranges: indices(r, nr) };
  };

  /** A structure as plain arrays; the Rust side is freed. */
  const drawing = (inner) => {
    const keys = ['lines', 'lineTones', 'points', 'pointTones', 'triangles', 'triangleTones', 'leftOut'];
    const out = Object.fromEntries(keys.map((key) => [key, inner[key]]));
    inner.free();
    return out;
  };

  const tabbed = (text) => (text ? text.split('\n').map((line) => line.split('\t')) : []);

  class Scene {
    #inner = new glue.Scene();
    addFile(name, bytes) { return this.#inner.addFile(name, bytes); }
    addTriangles(name, positions, triangles) { return this.#inner.addTriangles(name, positions, triangles); }
    addTets(name, positions, tets) { return this.#inner.addTets(name, positions, tets); }
    setPositions(body, positions) { this.#inner.setPositions(body, positions); }
    remove(body) { this.#inner.remove(body); }
    get bodyCount() { return this.#inner.bodyCount; }
    body(id) {
      const [vertices, triangles, tets, closed] = this.#inner.counts(id);
      const notes = this.#inner.notes(id);
      return {
        id, name: this.#inner.name(id), vertices, triangles, tets, closed: closed === 1,
        notes: notes ? notes.split('\n') : [],
      };
    }
    positions(body) {
      return new Float64Array(memory.buffer, this.#inner.positionsAt(body), 3 * this.#inner.counts(body)[0]);
    }
    triangles(body) { return indices(this.#inner.trianglesAt(body), 3 * this.#inner.counts(body)[1]); }
    useMethod(name) { this.#inner.useMethod(name); }
    contacts() { return this.#inner.contacts(); }
    penetrations() { return this.#inner.penetrations(); }
    places() {
      const flat = this.#inner.places();
      const out = [];
      for (let i = 0; i < flat.length; i += 8) {
        const [a, b, pairs, length, x, y, z, size] = flat.subarray(i, i + 8);
        out.push({ bodies: [a, b], pairs, length, centre: [x, y, z], size });
      }
      return out;
    }
    crossings() { return this.#inner.crossings(); }
    distance(a, b) {
      const found = this.#inner.distance(a, b);
      if (!found) return undefined;
      const [distance, lower, upper, ...rest] = found;
      return {
        distance, lower, upper, a: rest.slice(0, 3), b: rest.slice(3, 6),
        contains: [null, 'a', 'b'][rest[6]],
      };
    }
    overlap(a, b, rays = 256) {
      const [volume, lower, upper] = this.#inner.overlap(a, b, rays);
      return { volume, lower, upper };
    }
    inside(body, points) { return this.#inner.inside(body, points); }
    countInside(of, within) { return this.#inner.countInside(of, within); }
    untangle(rounds = 300) {
      const [before, after, moved, largest] = this.#inner.untangle(rounds);
      return { before, after, moved, largest };
    }
    explain() { return this.#inner.explain().split('\n'); }
    stats() {
      const [visits, tests, certified, candidates, contacts] = this.#inner.stats();
      return { visits, tests, certified, candidates, contacts };
    }
    drawing() { return drawing(this.#inner.drawing()); }
    layOut() { this.#inner.layOut(); return buffers(this.#inner); }
    get origin() { return this.#inner.origin; }
    free() { this.#inner.free(); }
  }

  class World {
    #inner;
    constructor({ gravity = -9.81, substeps = 10, example } = {}) {
      this.#inner = example ? glue.World.example(example) : new glue.World(gravity, substeps);
    }
    static get examples() { return glue.World.exampleNames().split('\n'); }
    get view() { const [x, y, z, size] = this.#inner.view; return { centre: [x, y, z], size }; }
    addCloth(name, positions, triangles) { return this.#inner.addCloth(name, positions, triangles); }
    addSolid(name, positions, tets, young = 1e5) { return this.#inner.addSolid(name, positions, tets, young); }
    addFixed(name, positions, triangles) { return this.#inner.addFixed(name, positions, triangles); }
    lead(body, positions) { this.#inner.lead(body, positions); }
    pin(body, vertex) { this.#inner.pin(body, vertex); }
    unpin(body, vertex) { this.#inner.unpin(body, vertex); }
    grab(from, along, reach) {
      const found = this.#inner.grab(Float64Array.from(from), Float64Array.from(along), reach);
      return found ? { grab: found[0], at: [...found.subarray(1)] } : undefined;
    }
    pull(grab, to) { this.#inner.pull(grab, Float64Array.from(to)); }
    release(grab) { this.#inner.release(grab); }
    stroke(from, to) {
      const [parted, opened, refused] = this.#inner.stroke(Float64Array.from([...from, ...to].flat()));
      return { parted, opened, refused };
    }
    setFree(isFree) { this.#inner.setFree(isFree); }
    step(dt) { this.#inner.step(dt); return this.report(); }
    report() {
      const [frame, passes, substeps, contacts, watched, intersections, held, progress, torn,
        step, detect, solve, certify, verify, cut] = this.#inner.report();
      const seconds = { step, detect, solve, certify, verify, cut };
      return { frame, passes, substeps, contacts, watched, intersections, held, progress, torn, seconds };
    }
    bodies() { return tabbed(this.#inner.bodies()).map(([name, kind]) => ({ name, kind })); }
    /** Views for drawing; `isNew` when the triangles are others than before. */
    layOut() { const isNew = this.#inner.layOut(); return { isNew, ...buffers(this.#inner) }; }
    contacts() { return this.#inner.contacts(); }
    explain() { return this.#inner.explain(); }
    drawing(name = 'answering') { return drawing(this.#inner.drawing(String(name))); }
    compare(rule) {
      const inner = this.#inner.compare(String(rule));
      const [there, found, missed, exactMs, ruleMs] = inner.numbers;
      const out = { what: inner.what, there, found, missed, exactMs, ruleMs, triangles: inner.triangles };
      inner.free();
      return out;
    }
    untangle(rounds = 300) {
      const [before, after, moved, largest] = this.#inner.untangle(rounds);
      return { before, after, moved, largest };
    }
    hash() { return this.#inner.hash(); }
    free() { this.#inner.free(); }
  }

  class Figure {
    #inner;
    constructor(name) { this.#inner = new glue.Figure(name); }
    get view() { const [x, y, z, size] = this.#inner.view; return { centre: [x, y, z], size }; }
    at(time, published = false) { this.#inner.at(time, published); }
    facts() { return tabbed(this.#inner.facts); }
    missed() { return this.#inner.missed; }
    drawing() { return drawing(this.#inner.drawing()); }
    layOut() { return buffers(this.#inner); }
    free() { this.#inner.free(); }
  }

  return { Scene, World, Figure };
}
