// The engine, away from the page: every answer is computed here, so that the page stays responsive.
import { load } from './crumple.js';

// Not only when it is asked for something.
const loading = load();
loading.catch(() => {});
let crumple;
let scene = null;
let world = null;
let figure = null;

/** Copies of views, which can be handed over. */
const copied = (buffers) => ({
  positions: buffers.positions.slice(), normals: buffers.normals.slice(),
  triangles: buffers.triangles.slice(), ranges: buffers.ranges.slice(),
});

const timed = (ask) => {
  const begin = performance.now();
  const value = ask();
  return [value, performance.now() - begin];
};

function files() {
  const bodies = [];
  for (let id = 0; id < scene.bodyCount; id++) bodies.push(scene.body(id));
  return { bodies, buffers: copied(scene.layOut()), origin: [...scene.origin] };
}

function check() {
  // The structure is built once and follows from then on; both times are told.
  const [contacts, first] = timed(() => scene.contacts());
  const places = scene.places();
  return {
    contacts, places, crossings: scene.crossings(), ms: first,
    explain: scene.explain()[0], stats: scene.stats(),
  };
}

/** Inside, overlap and distance of two bodies; what cannot be asked says why. */
function pair(a, b) {
  const tried = (ask) => {
    try {
      const [value, ms] = timed(ask);
      return { value, ms };
    } catch (error) {
      return { error: error.message };
    }
  };
  return {
    distance: tried(() => scene.distance(a, b)),
    overlap: tried(() => scene.overlap(a, b)),
    inside: [tried(() => scene.countInside(a, b)), tried(() => scene.countInside(b, a))],
  };
}

function frame(wants = {}) {
  const { isNew, positions, normals, triangles, ranges } = world.layOut();
  const out = { positions: positions.slice(), normals: normals.slice(), report: world.report() };
  if (isNew || wants.all) Object.assign(out, { triangles: triangles.slice(), ranges: ranges.slice(), bodies: world.bodies() });
  if (wants.drawing) Object.assign(out, { drawing: world.drawing(wants.drawing), drawn: wants.drawing });
  if (out.report.intersections > 0) out.contacts = world.contacts();
  if (wants.explain) out.explain = world.explain();
  if (wants.rule) out.compared = world.compare(wants.rule);
  return out;
}

const operations = {
  ready: () => ({ build: crumple.build, memory: crumple.memory.buffer.byteLength }),
  memory: () => crumple.memory.buffer.byteLength,
  clear() { scene?.free(); scene = new crumple.Scene(); },
  open(name, bytes) {
    scene ??= new crumple.Scene();
    const [id, ms] = timed(() => scene.addFile(name, new Uint8Array(bytes)));
    return { id, ms };
  },
  files, check, pair,
  structure: () => scene.drawing(),
  untangleFiles: (rounds) => ({ ...scene.untangle(rounds), buffers: copied(scene.layOut()) }),
  /** The meshes as they are now, as text of OBJ files. */
  text(id) {
    const { name } = scene.body(id);
    const lines = [`# ${name}`];
    const [at, triangles] = [scene.positions(id), scene.triangles(id)];
    for (let i = 0; i < at.length; i += 3) lines.push(`v ${at[i]} ${at[i + 1]} ${at[i + 2]}`);
    for (let i = 0; i < triangles.length; i += 3) lines.push(`f ${triangles[i] + 1} ${triangles[i + 1] + 1} ${triangles[i + 2] + 1}`);
    return lines.join('\n');
  },
  world(name) {
    world?.free();
    world = null;
    world = new crumple.World({ example: name });
    const contacts = world.contacts();
    return { ...frame({ all: true, explain: true }), contacts, view: world.view };
  },
  /** Some steps; `seconds` are those of one of them, in the mean. */
  step({ dt, steps = 1, pulls = [], strokes = [], ...wants }) {
    const cut = { parted: 0, opened: 0, refused: 0 };
    for (const { from, to } of strokes) {
      const done = world.stroke(from, to);
      for (const key of Object.keys(cut)) cut[key] += done[key];
    }
    for (const { grab, to } of pulls) world.pull(grab, to);
    const seconds = { step: 0, detect: 0, solve: 0, certify: 0, verify: 0, cut: 0 };
    let most = 0;
    for (let k = 0; k < steps; k++) {
      const report = world.step(dt);
      most = Math.max(most, report.intersections);
      for (const key of Object.keys(seconds)) seconds[key] += report.seconds[key];
    }
    for (const key of Object.keys(seconds)) seconds[key] /= steps;
    return { ...frame(wants), seconds, most, cut };
  },
  grab: (from, along, reach) => world.grab(from, along, reach),
  release: (grab) => world.release(grab),
  untangle(rounds) {
    const done = world.untangle(rounds);
    return { ...frame(), done };
  },
  free: (isFree) => world.setFree(isFree),
  look: (wants) => frame(wants),
  hash: () => world.hash().toString(16),
  figure(name) {
    figure?.free();
    figure = null;
    figure = new crumple.Figure(name);
    return { view: figure.view };
  },
  at(time, published) {
    figure.at(time, published);
    return {
      ...copied(figure.layOut()), drawing: figure.drawing(), facts: figure.facts(), missed: figure.missed(),
    };
  },
};

/** Every array's memory is handed over, not copied a second time. */
function arraysOf(value, out = []) {
  if (ArrayBuffer.isView(value)) out.push(value.buffer);
  else if (value && typeof value === 'object') Object.values(value).forEach((v) => arraysOf(v, out));
  return out;
}

self.onmessage = async ({ data: { id, operation, args } }) => {
  try {
    crumple ??= await loading;
    const result = operations[operation](...args);
    self.postMessage({ id, result }, [...new Set(arraysOf(result))]);
  } catch (error) {
    // A trap leaves the module in pieces: the page starts another worker.
    const isBroken = error instanceof WebAssembly.RuntimeError || crumple === undefined;
    self.postMessage({ id, error: error?.message ?? String(error), isBroken });
  }
};
