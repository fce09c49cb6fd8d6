// Your files: dropped meshes are judged here, and nothing leaves the machine.
import { listen } from './camera.js';
import * as colours from './colours.js';
import { duration, facts, gestures, make, real, thousands, toggle } from './dom.js';

const FORMATS = 'OBJ, PLY, STL, OFF, glTF (.glb), VTK, VTU, Gmsh, Medit, TetGen, NumPy; also as .gz';
const ACCEPT = '.obj,.ply,.stl,.off,.gltf,.glb,.xyz,.txt,.csv,.vtk,.vtu,.vtp,.msh,.mesh,.meshb,.node,.ele,.npy,.npz,.gz';
/** A list longer than this is not read by anyone. */
const SHOWN = 200;

export class Files {
  bodies = [];
  problems = [];
  found = null;
  paired = null;
  hidden = new Set();
  showsStructure = false;
  busy = '';
  #queue = Promise.resolve();
  #unlisten = null;

  constructor(context) {
    Object.assign(this, context);
  }

  async enter() {
    this.hint.textContent = gestures('drag: turn');
    this.#unlisten = listen(this.stage.canvas, this.stage.camera, { changed: () => this.stage.redraw() });
    this.stage.clear();
    this.render();
    if (this.bodies.length) await this.refresh();
  }

  leave() {
    this.#unlisten?.();
  }

  /** The engine was started anew: its bodies are gone. */
  lost() {
    Object.assign(this, { bodies: [], found: null, paired: null, busy: '' });
    this.stage.clear();
    this.render();
  }

  recolour() {
    if (this.shown) this.show();
  }

  /** Adds files, one after another; one that cannot be read says why, and the others go on. */
  add(list) {
    this.#queue = this.#queue.then(() => this.read(list));
    return this.#queue;
  }

  async read(list) {
    for (const file of list) {
      this.say(`reading ${file.name}`);
      try {
        const bytes = await file.arrayBuffer();
        await this.engine.call('open', file.name, bytes);
      } catch (error) {
        this.problems.push(error.message);
      }
    }
    await this.refresh(true);
  }

  say(text) {
    this.busy = text;
    this.render();
  }

  async refresh(aims = false) {
    const { bodies, buffers, origin } = await this.engine.call('files');
    Object.assign(this, { bodies, buffers, origin, shown: bodies.length > 0 });
    this.found = this.paired = this.untangled = null;
    if (aims) this.aim();
    this.show();
    if (bodies.some((b) => b.triangles > 0)) {
      this.say('looking for intersections');
      try {
        this.found = await this.engine.call('check');
        const alive = bodies.filter((b) => b.triangles > 0);
        if (alive.length === 2) {
          this.say('comparing the two bodies');
          this.paired = { ...(await this.engine.call('pair', alive[0].id, alive[1].id)), of: alive };
        }
      } catch (error) {
        this.problems.push(error.message);
      }
    }
    this.say('');
    this.show();
  }

  /** Looks at everything. */
  aim() {
    const p = this.buffers.positions;
    let size = 0;
    for (let i = 0; i < p.length; i += 3) size = Math.max(size, Math.hypot(p[i], p[i + 1], p[i + 2]));
    this.stage.camera.frame({ centre: [0, 0, 0], size: size || 1 }, this.stage.aspect);
  }

  async show() {
    const { stage, buffers } = this;
    if (!buffers) return;
    const isOne = this.bodies.length === 1;
    stage.show(buffers, (k) => ({
      colour: isOne ? colours.body(0) : colours.body(k), flatness: 0.35, isHidden: this.hidden.has(k), pointSize: 3,
    }));
    const structure = this.showsStructure && this.found ? colours.strokes(await this.engine.call('structure')) : null;
    stage.picture.paint([...(structure?.paints ?? []), ...this.hits()]);
    stage.picture.setStrokes(structure?.strokes ?? this.lines());
    stage.redraw();
  }

  /** The triangles that intersect, in the arrays of all bodies. */
  hits() {
    if (!this.found) return [];
    const { contacts } = this.found;
    const ids = new Set();
    for (let i = 0; i < contacts.length; i += 2) {
      if (!this.hidden.has(contacts[i])) ids.add(this.buffers.ranges[4 * contacts[i] + 2] + contacts[i + 1]);
    }
    return [{ ids: [...ids], colour: [...colours.HIT, 1], shines: true }];
  }

  /** The curves of crossing, and the shortest way between two bodies. */
  lines() {
    const crossings = this.found?.crossings ?? new Float32Array(0);
    const tints = new Uint8Array((crossings.length / 6) * 4).fill(255);
    const distance = this.paired?.distance.value;
    if (!distance || distance.distance === 0) return { lines: crossings, lineTints: tints };
    const ends = [distance.a, distance.b].map((p) => p.map((x, k) => x - this.origin[k])).flat();
    const colour = [...colours.HIT.map((x) => 255 * x), 255];
    return {
      lines: Float32Array.from([...crossings, ...ends]), lineTints: Uint8Array.from([...tints, ...colour]),
      points: Float32Array.from(ends), pointTints: Uint8Array.from([...colour, ...colour]), pointSize: 9,
    };
  }

  async untangle() {
    this.say('moving apart what crosses');
    try {
      this.untangled = await this.engine.call('untangleFiles', 300);
      this.buffers = this.untangled.buffers;
      this.found = await this.engine.call('check');
    } catch (error) {
      this.problems.push(error.message);
    }
    this.say('');
    this.show();
  }

  /** Hands the meshes back as files. */
  async save() {
    for (const body of this.bodies.filter((b) => b.triangles > 0)) {
      const url = URL.createObjectURL(new Blob([await this.engine.call('text', body.id)]));
      make('a', { href: url, download: `${body.name.replace(/\.[^.]*$/, '')}-untangled.obj` }).click();
      setTimeout(() => URL.revokeObjectURL(url), 10_000);
    }
  }

  jump(place) {
    const { camera } = this.stage;
    camera.target = place.centre.map((x, k) => x - this.origin[k]);
    camera.distance = Math.max(place.size * 2.5, camera.size * 0.12);
    this.stage.redraw();
  }

  async clear() {
    await this.engine.call('clear');
    Object.assign(this, { bodies: [], problems: [], found: null, paired: null, buffers: null, shown: false, untangled: null, hidden: new Set() });
    this.stage.clear();
    this.render();
  }

  /** A sheet that crosses itself, for who has no mesh at hand. */
  example() {
    const n = 60;
    const lines = [];
    for (let i = 0; i <= n; i++) {
      for (let j = 0; j <= n; j++) {
        const t = (3.6 * i) / n - 1.8;
        lines.push(`v ${(t * t * t - 1.6 * t).toFixed(6)} ${(1.4 * t * t).toFixed(6)} ${((2.4 * j) / n + 0.2 * t).toFixed(6)}`);
      }
    }
    const at = (i, j) => i * (n + 1) + j + 1;
    for (let i = 0; i < n; i++) for (let j = 0; j < n; j++) lines.push(`f ${at(i, j)} ${at(i + 1, j)} ${at(i + 1, j + 1)} ${at(i, j + 1)}`);
    return this.add([new File([lines.join('\n')], 'ribbon.obj')]);
  }

  render() {
    if (!this.#isHere()) return;
    const input = make('input', { type: 'file', multiple: true, accept: ACCEPT, hidden: true, id: 'choose', onchange: (event) => this.add([...event.target.files]) });
    this.panel.replaceChildren(...[
      make('h1', {}, this.bodies.length ? 'Your files' : 'Drop a mesh'),
      this.bodies.length ? null : make('p', {}, 'Does it cross itself, or another? Drop one file or several: triangles that intersect are found exactly, shown in place, and listed. Nothing leaves this machine.'),
      make('div', { class: 'row' }, input,
        make('button', { class: 'main', type: 'button', onclick: () => input.click() }, 'Choose files'),
        this.bodies.length ? make('button', { type: 'button', onclick: () => this.clear() }, 'Clear') : make('button', { type: 'button', onclick: () => this.example() }, 'Try an example')),
      make('p', { class: 'soft' }, this.busy ? `… ${this.busy}` : this.bodies.length ? '' : FORMATS),
      ...this.problems.map((text) => make('p', { class: 'problem', role: 'alert' }, text)),
      ...this.sections(),
    ].filter(Boolean));
    this.panel.dataset.state = this.busy ? 'busy' : this.found ? 'checked' : 'idle';
  }

  #isHere() {
    return location.hash.startsWith('#files');
  }

  sections() {
    if (!this.bodies.length) return [];
    const out = [];
    if (this.found) {
      const pairs = this.found.contacts.length / 4;
      out.push(make('div', { class: pairs ? 'verdict bad' : 'verdict', id: 'verdict' }, make('b', {}, thousands(pairs)),
        make('span', {}, pairs === 1 ? 'pair of triangles intersects, exactly' : 'pairs of triangles intersect, exactly')));
      out.push(facts([['time', duration(this.found.ms)], ['pairs tested exactly', thousands(this.found.stats.candidates)], ['ruled out by proof', thousands(this.found.stats.certified)]]));
      out.push(make('p', { class: 'soft' }, this.found.explain));
      out.push(make('div', { class: 'row' }, toggle('Structure', this.showsStructure, (on) => { this.showsStructure = on; this.show(); }, 'What the method looked at'),
        make('button', { type: 'button', onclick: () => { this.aim(); this.stage.redraw(); } }, 'Show all'),
        pairs ? make('button', { type: 'button', id: 'untangle', title: 'Move what crosses apart, as little as possible', onclick: () => this.untangle() }, 'Untangle') : null,
        this.untangled ? make('button', { type: 'button', onclick: () => this.save() }, 'Save as OBJ') : null));
      if (this.untangled) {
        const { before, after, moved, largest } = this.untangled;
        out.push(make('p', { class: 'soft' }, `Untangled: ${thousands(before)} pairs became ${thousands(after)}; ${thousands(moved)} vertices moved, by ${real(largest)} at most.`));
      }
    }
    out.push(make('h2', {}, 'Bodies'), make('ul', { class: 'list' }, ...this.bodies.map((b) => this.bodyRow(b))));
    if (this.paired) out.push(...this.pairRows());
    if (this.found?.places.length) out.push(make('h2', {}, `Places, the worst first (${thousands(this.found.places.length)})`), this.placeList());
    return out;
  }

  bodyRow(body) {
    const size = body.tets ? `${thousands(body.tets)} tets` : body.triangles ? `${thousands(body.triangles)} triangles` : `${thousands(body.vertices)} points`;
    const flip = () => {
      if (!this.hidden.delete(body.id)) this.hidden.add(body.id);
      this.show();
      this.render();
    };
    const isShown = !this.hidden.has(body.id);
    return make('li', {}, make('button', { type: 'button', 'aria-pressed': 'false', title: isShown ? 'Hide it' : 'Show it', onclick: flip },
      make('span', { class: 'name' }, `${isShown ? '●' : '○'} ${body.name}`), make('small', {}, `${size}${body.closed ? ', closed' : ''}`)),
    ...body.notes.map((note) => make('small', { title: note }, 'ⓘ')));
  }

  pairRows() {
    const { distance, overlap, inside, of } = this.paired;
    const said = (answer, text) => (answer.error ? `– (${answer.error})` : answer.value === undefined ? '–' : text(answer.value));
    const [a, b] = of.map((body) => body.name);
    return [
      make('h2', {}, 'The two bodies'),
      facts([
        ['distance', said(distance, (d) => real(d.distance))],
        ['one holds the other', said(distance, (d) => (d.contains ? (d.contains === 'a' ? a : b) : 'no'))],
        ['shared volume', said(overlap, (o) => `${real(o.volume)} (${real(o.lower)} to ${real(o.upper)})`)],
        [`vertices of ${a} inside ${b}`, said(inside[0], thousands)],
        [`vertices of ${b} inside ${a}`, said(inside[1], thousands)],
        ['time', duration([distance, overlap, ...inside].reduce((sum, x) => sum + (x.ms ?? 0), 0))],
      ]),
    ];
  }

  placeList() {
    const name = (id) => this.bodies[id]?.name ?? id;
    const rows = this.found.places.slice(0, SHOWN).map((place, k) => {
      const who = place.bodies[0] === place.bodies[1] ? name(place.bodies[0]) : `${name(place.bodies[0])} × ${name(place.bodies[1])}`;
      return make('li', {}, make('button', { type: 'button', onclick: () => this.jump(place) },
        make('span', { class: 'name' }, `${k + 1}. ${who}`), make('small', {}, `${thousands(place.pairs)} pairs, ${real(place.length)} long`)));
    });
    return make('ul', { class: 'list' }, ...rows);
  }
}
