// What a project that depends on the package writes. It is checked against the declarations, and run.
import { load, hasSimd, type Crumple, type Report, type Scene } from 'crumple-web';

function insist(what: boolean, text: string): asserts what {
  if (!what) throw new Error(text);
}

const crumple: Crumple = await load();
insist(crumple.build === (hasSimd() ? 'simd' : 'scalar'), crumple.build);

const sheet = new Uint32Array([0, 1, 2, 0, 2, 3]);
const scene: Scene = new crumple.Scene();
const flat: number = scene.addTriangles('flat', new Float64Array([0, 0, 0, 4, 0, 0, 4, 4, 0, 0, 4, 0]), sheet);
const upright = scene.addTriangles('upright', new Float64Array([1, 2, -1, 3.5, 2, -1, 3.5, 2, 1, 1, 2, 1]), sheet);
const rows: Uint32Array = scene.contacts();
insist(rows.length === 4 * 3 && rows[0] === flat && rows[2] === upright, `contacts: ${rows}`);
const [place] = scene.places();
insist(place !== undefined && Math.abs(place.length - 2.5) < 1e-12, JSON.stringify(place));
insist(scene.distance(flat, upright)?.distance === 0, 'they cross');
const view: Float64Array = scene.positions(flat);
insist(view.buffer === crumple.memory.buffer, 'a view of the memory of the module');
const done = scene.untangle();
insist(done.before === 3 && done.after === 0 && scene.contacts().length === 0, JSON.stringify(done));
const read = scene.addFile('one.obj', new TextEncoder().encode('v 0 0 9\nv 1 0 9\nv 0 1 9\nf 1 2 3\n'));
insist(scene.body(read).triangles === 1, 'a file in memory');
let said = '';
try {
  scene.addFile('bad.obj', new TextEncoder().encode('v 0 0 zero\n'));
} catch (error) {
  said = String(error);
}
insist(/bad\.obj.*line 1/.test(said), said);
scene.free();

const world = new crumple.World({ gravity: -9.81 });
world.addCloth('cloth', new Float64Array([0, 1, 0, 1, 1, 0, 1, 1, 1, 0, 1, 1]), sheet);
world.addFixed('floor', new Float64Array([-9, 0, -9, -9, 0, 9, 9, 0, 9, 9, 0, -9]), sheet);
let report: Report = world.report();
for (let frame = 0; frame < 60; frame++) report = world.step(1 / 60);
insist(report.frame === 60 && report.intersections === 0, JSON.stringify(report));
const { positions } = world.layOut();
insist(positions.length === 3 * 8 && positions[1]! < 0.3, `it fell to ${positions[1]}`);
world.free();
console.log('ok');
