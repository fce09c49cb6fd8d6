// The playground: soft things to pull on and to cut, and what the engine says about them.
import { listen } from './camera.js';
import * as colours from './colours.js';
import { duration, facts, gestures, make, thousands, toggle } from './dom.js';

const SCENES = {
  cloth: ['Cloth on a ball', 'A cloth of 9,800 triangles falls on a ball and folds on itself. Pull it, fold it, try to push it through.'],
  pile: ['Pile of soft bodies', '30 soft bodies of 500 tets each in a bowl. Throw them about.'],
  organ: ['An organ to cut', '5,040 tets between two clamps. Draw the blade across it: it opens where you cut.'],
  snow: ['Snow on a breathing body', '1,500 particles on a body that breathes, after figure 11 of Heidelberger, Teschner and Gross. Not one gets in.'],
  knot: ['Rings on a knot', 'Soft rings on a trefoil. Pull as hard as you like: they cannot leave it.'],
  sheets: ['Crossed sheets', 'One sheet is stuck through the other. Press Untangle: what crosses moves apart until nothing does, and then they fall.'],
  shirt: ['A tangled shirt', 'Its sleeves were pushed through its body. Press Untangle.'],
};
const STAGES = [['detect', 'near pairs', '#4f86c6'], ['solve', 'motion, contacts', '#76b48a'], ['certify', 'proof: no crossing', '#e0b35a'], ['verify', 'exact check', '#b58bc4'], ['cut', 'cutting', '#e8452c']];
const RULES = { '': 'none', volino: 'Volino 1994', ganovelli: 'Ganovelli 2000', teschner: 'Teschner 2003', heidelberger: 'Heidelberger 2003', madera: 'Madera 2007' };
const STRUCTURES = { '': 'none', answering: 'what answers now', regions: 'regions that are tested', buckets: 'buckets', cells: 'cells', layers: 'layers of rays', distances: 'distance lines' };
const DT = 1 / 60;
/** From how high a scene is seen: an organ from the side, into a bowl from above. */
const PITCH = { organ: 0.18, pile: 0.8 };

export class Play {
  scene = 'cloth';
  isPaused = matchMedia('(prefers-reduced-motion: reduce)').matches;
  structure = '';
  isCutting = false;
  isFree = false;
  rule = '';
  holders = new Set();
  strokes = [];
  frames = 0;
  worst = 0;
  #turn = 0;
  #unlisten = null;
  #stop = null;

  constructor(context) {
    Object.assign(this, context);
  }

  async enter(detail) {
    const { canvas, camera } = this.stage;
    this.scene = detail in SCENES ? detail : 'cloth';
    this.isCutting = this.scene === 'organ';
    canvas.classList.toggle('cutting', this.isCutting);
    this.#leaveInput();
    this.#unlisten = listen(canvas, camera, { take: (ray) => this.take(ray), changed: () => this.stage.redraw() });
    this.#stop = new AbortController();
    addEventListener('keydown', (event) => this.key(event), { signal: this.#stop.signal });
    await this.reset();
  }

  leave() {
    this.#turn++;
    this.#leaveInput();
    this.stage.canvas.classList.remove('cutting');
  }

  #leaveInput() {
    this.#unlisten?.();
    this.#stop?.abort();
    this.holders.clear();
  }

  lost() {
    this.reset().catch((error) => this.tell(error.message));
  }

  async reset() {
    const turn = ++this.#turn;
    Object.assign(this, { frames: 0, worst: 0, strokes: [], isFree: false, isTangled: false, compared: null, cuts: 0 });
    this.holders.clear();
    this.stage.clear();
    this.render(true);
    const first = await this.engine.call('world', this.scene);
    if (turn !== this.#turn) return;
    this.isTangled = first.report.intersections > 0;
    this.stage.camera.yaw = 0.5;
    this.stage.camera.pitch = PITCH[this.scene] ?? 0.35;
    this.stage.camera.frame(first.view, this.stage.aspect);
    this.show(first);
    this.render();
    this.run(turn);
  }

  /** Asks for a frame, shows it, asks for the next: never more than one under way. */
  async run(turn) {
    while (turn === this.#turn) {
      const next = new Promise((resolve) => requestAnimationFrame(resolve));
      if (!this.isTangled && (!this.isPaused || this.wantsOne)) {
        this.wantsOne = false;
        try {
          const frame = await this.engine.call('step', this.orders());
          if (turn !== this.#turn) return;
          this.frames++;
          this.worst = Math.max(this.worst, frame.most);
          if (frame.cut.parted) this.cuts += frame.cut.parted;
          this.tell('');
          this.show(frame);
        } catch (error) {
          if (turn !== this.#turn) return;
          this.isPaused = true;
          this.tell(error.message);
          this.render();
        }
      }
      await next;
    }
  }

  /** Moves what crosses apart; from then on nothing crosses. */
  async untangle() {
    const turn = this.#turn;
    this.live.prepend(make('p', { class: 'soft' }, '… moving apart what crosses'));
    const frame = await this.engine.call('untangle', 300);
    if (turn !== this.#turn) return;
    const { before, after, moved } = frame.done;
    this.isTangled = after > 0;
    this.show(frame);
    this.render();
    this.tell(after > 0
      ? `${thousands(after)} of ${thousands(before)} pairs could not be moved apart.`
      : `${thousands(before)} pairs were moved apart; ${thousands(moved)} vertices moved.`);
  }

  /** What the next step is to do. */
  orders() {
    const pulls = [...this.holders].filter((h) => h.grab !== undefined && h.to).map(({ grab, to }) => ({ grab, to }));
    const strokes = this.strokes;
    this.strokes = [];
    return { dt: DT, pulls, strokes, drawing: this.structure, rule: this.frames % 15 === 0 ? this.rule : '', explain: this.frames % 30 === 2 };
  }

  /** A press takes hold of what is under it, or begins a cut; where there is nothing, the camera turns. */
  take(ray) {
    return this.isCutting ? this.blade(ray) : this.hold(ray);
  }

  hold(ray) {
    const { camera } = this.stage;
    const holder = {
      grab: undefined, to: null, isMissed: false, isOver: false,
      move: (next) => { if (holder.at) holder.to = camera.onPlane(next, holder.at); },
      end: () => {
        holder.isOver = true;
        this.holders.delete(holder);
        if (holder.grab !== undefined) this.engine.call('release', holder.grab);
      },
    };
    this.holders.add(holder);
    this.engine.call('grab', ray.from, ray.along, 0.05 * camera.size).then((found) => {
      if (!found) { holder.isMissed = true; this.holders.delete(holder); return; }
      Object.assign(holder, found, { to: found.at });
      if (holder.isOver) this.engine.call('release', found.grab);
    }).catch((error) => this.tell(error.message));
    return holder;
  }

  blade(ray) {
    const { camera } = this.stage;
    // The blade's edge lies along the line of sight, through everything.
    const edge = (r) => [0.3, 1.7].map((s) => r.from.map((x, k) => x + s * camera.distance * r.along[k]));
    let last = edge(ray);
    return {
      isMissed: false,
      move: (next) => { const now = edge(next); this.strokes.push({ from: last, to: now }); last = now; },
      end: () => {},
    };
  }

  key(event) {
    if (event.target.closest?.('button, select, input, a, summary') || event.ctrlKey || event.metaKey) return;
    const names = Object.keys(SCENES);
    if (event.key === ' ') { this.pause(!this.isPaused); event.preventDefault(); }
    else if (event.key === '.') { this.isPaused = true; this.wantsOne = true; this.render(); }
    else if (event.key === 'r') this.reset();
    else if (event.key === 's') { this.structure = this.structure ? '' : 'answering'; this.render(); this.look(); }
    else if (event.key === 'c') this.cut(!this.isCutting);
    else if (event.key === 'g') this.lift();
    else if (event.key >= '1' && event.key <= String(names.length)) location.hash = `play/${names[event.key - 1]}`;
  }

  /** For who has no pointer: takes hold of the middle of the picture and lifts it; again lets go. */
  lift() {
    if (this.lifted) {
      this.lifted.end();
      this.lifted = null;
      return;
    }
    const { camera } = this.stage;
    this.lifted = this.hold(camera.ray(0, 0, this.stage.aspect));
    const wait = () => {
      if (!this.lifted) return;
      if (this.lifted.isMissed) { this.lifted = null; this.tell('There is nothing to hold in the middle of the picture.'); return; }
      if (this.lifted.at) this.lifted.to = [this.lifted.at[0], this.lifted.at[1] + 0.5 * camera.size, this.lifted.at[2]];
      else requestAnimationFrame(wait);
    };
    wait();
  }

  pause(isPaused) {
    this.isPaused = isPaused;
    this.render();
  }

  cut(isCutting) {
    this.isCutting = isCutting;
    this.stage.canvas.classList.toggle('cutting', isCutting);
    this.render();
  }

  async free(isFree) {
    this.isFree = isFree;
    await this.engine.call('free', isFree);
  }

  /** The present frame again, with what is wanted now. */
  async look() {
    this.show(await this.engine.call('look', { all: true, drawing: this.structure, rule: this.rule }));
  }

  recolour() {
    this.look().catch((error) => this.tell(error.message));
  }

  show(frame) {
    const { stage } = this;
    if (frame.bodies) this.bodies = frame.bodies;
    if (frame.ranges) this.ranges = frame.ranges;
    if (frame.explain) this.explain = frame.explain;
    stage.show(frame, (k) => {
      const { kind, name } = this.bodies[k];
      const isGround = kind === 'fixed' && ['floor', 'table', 'tray', 'bowl'].includes(name);
      const reach = name === 'floor' ? 2 : name === 'table' ? 1.5 : 0;
      return { colour: colours.ofKind(kind, k), flatness: isGround ? 0.2 : 0, reach, pointSize: 4 };
    });
    const structure = frame.drawing ? colours.strokes(frame.drawing) : null;
    if (frame.compared) this.compared = frame.compared;
    const missed = { ids: [...(this.compared?.triangles ?? [])], colour: [...colours.MISSED, 1], shines: true };
    stage.picture.paint([...(structure?.paints ?? []), ...this.hits(frame.contacts), missed]);
    stage.picture.setStrokes(structure?.strokes ?? this.threads());
    stage.redraw();
    this.tellFrame(frame);
  }

  hits(contacts) {
    if (!contacts?.length) return [];
    const ids = new Set();
    for (let i = 0; i < contacts.length; i += 2) ids.add(this.ranges[4 * contacts[i] + 2] + contacts[i + 1]);
    return [{ ids: [...ids], colour: [...colours.HIT, 1], shines: true }];
  }

  /** A dot where each hand pulls. */
  threads() {
    const points = [...this.holders].filter((h) => h.to).flatMap((h) => h.to);
    const tint = [...colours.HIT.map((x) => 255 * x), 255];
    return { points: Float32Array.from(points), pointTints: Uint8Array.from(Array(points.length / 3).fill(tint).flat()), pointSize: 11 };
  }

  render(isLoading = false) {
    this.hint.textContent = gestures(this.isCutting ? 'drag: cut' : 'drag a body: pull · elsewhere: turn', 'space: pause');
    const [title, text] = SCENES[this.scene];
    this.panel.dataset.state = isLoading ? 'busy' : 'running';
    this.live = make('div', { id: 'live' });
    const scenes = make('select', { 'aria-label': 'Scene', onchange: (event) => { location.hash = `play/${event.target.value}`; } },
      ...Object.entries(SCENES).map(([name, [label]]) => make('option', { value: name, selected: name === this.scene }, label)));
    const choice = (id, label, all, chosen, change) => make('p', { class: 'choice' }, make('label', { htmlFor: id }, label),
      make('select', { id, onchange: (event) => { change(event.target.value); this.look().catch((error) => this.tell(error.message)); } },
        ...Object.entries(all).map(([name, text]) => make('option', { value: name, selected: name === chosen }, text))));
    this.panel.replaceChildren(
      make('div', { class: 'row' }, scenes),
      make('h1', {}, title), make('p', {}, text),
      make('div', { class: 'row' },
        this.isTangled
          ? make('button', { type: 'button', class: 'main', id: 'untangle', onclick: () => this.untangle().catch((error) => this.tell(error.message)) }, 'Untangle')
          : make('button', { type: 'button', class: 'main', onclick: () => this.pause(!this.isPaused) }, this.isPaused ? 'Play' : 'Pause'),
        make('button', { type: 'button', onclick: () => this.reset() }, 'Start again'),
        toggle('Blade', this.isCutting, (on) => this.cut(on), 'Dragging cuts instead of pulling')),
      choice('structure', 'Structure', STRUCTURES, this.structure, (name) => { this.structure = name; }),
      this.live,
      make('h2', {}, 'What if'),
      make('div', { class: 'row' }, toggle('Things may cross', this.isFree, (on) => this.free(on), 'Without the proof: contacts only push apart')),
      choice('rule', "A paper's own rule", RULES, this.rule, (rule) => { this.rule = rule; this.compared = null; }),
      make('details', {}, make('summary', {}, 'Keys'), make('p', { class: 'soft' },
        ...[['space', 'pause'], ['.', 'one step'], ['r', 'start again'], ['s', 'structure'], ['c', 'blade'], ['g', 'lift what is in the middle'], ['1–7', 'scene'], ['arrows', 'turn'], ['+ −', 'zoom']]
          .flatMap(([key, what]) => [make('kbd', {}, key), ` ${what} · `]))),
    );
    if (isLoading) this.live.append(make('p', { class: 'soft' }, '… loading'));
    else if (this.lastFrame) this.tellFrame(this.lastFrame);
  }

  /** Everything that changes with the frame. */
  tellFrame(frame) {
    this.lastFrame = frame;
    const { report } = frame;
    const seconds = frame.seconds ?? report.seconds;
    const ms = (key) => 1000 * seconds[key];
    this.mean = this.frames > 1 ? 0.9 * (this.mean ?? ms('step')) + 0.1 * ms('step') : ms('step');
    const whole = Math.max(ms('step'), 1e-9);
    // What is shown as 0.00 ms says nothing.
    const stages = STAGES.filter(([key]) => ms(key) >= 0.005);
    const compared = this.compared ? [
      [`${this.compared.what}, exact`, thousands(this.compared.there)], [`found by ${RULES[this.rule]}`, thousands(this.compared.found)],
      ['missed (yellow)', thousands(this.compared.missed)], ['time, exact / rule', `${duration(this.compared.exactMs)} / ${duration(this.compared.ruleMs)}`],
    ] : [];
    const soFar = report.frame > 1 ? `; at most ${thousands(this.worst)} in ${thousands(report.frame)} frames` : '';
    this.live.replaceChildren(
      make('div', { class: report.intersections ? 'verdict bad' : 'verdict', id: 'verdict' }, make('b', {}, thousands(report.intersections)),
        make('span', {}, `intersections now, by exact detection${soFar}`)),
      // Before the first step there is nothing to tell of one.
      report.frame ? make('div', { class: 'stages', role: 'img', 'aria-label': 'Time of a step by stage' },
        ...stages.map(([key, , colour]) => make('i', { style: `width:${(100 * ms(key)) / whole}%;background:${colour}` }))) : '',
      facts([
        ...(report.frame ? [
          ['step, mean', duration(this.mean)], ['this step', duration(ms('step'))],
          ...stages.map(([key, label, colour]) => [[make('span', { class: 'key', style: `background:${colour}` }), label], duration(ms(key))]),
          ['contacts', thousands(report.contacts)], ['pairs watched', thousands(report.watched)],
          ['vertices held back', thousands(report.held)],
        ] : []),
        ...(this.cuts ? [['facets parted', thousands(this.cuts)]] : []),
        ...compared,
      ]),
      make('p', { class: 'soft why' }, this.explain ?? ''),
    );
  }
}
