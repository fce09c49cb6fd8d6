// The papers: a short page each, with the figure alive.
import { listen } from './camera.js';
import * as colours from './colours.js';
import { facts, gestures, make, toggle } from './dom.js';
import { PAPERS } from './papers-text.js';

export class Papers {
  paper = 'volino';
  isPaused = matchMedia('(prefers-reduced-motion: reduce)').matches;
  isPublished = false;
  showsStructure = true;
  time = 0.8;
  #turn = 0;
  #unlisten = null;

  constructor(context) {
    Object.assign(this, context);
  }

  async enter(detail) {
    this.paper = detail in PAPERS ? detail : 'volino';
    this.time = PAPERS[this.paper].time ?? 0.8;
    this.#unlisten?.();
    this.#unlisten = listen(this.stage.canvas, this.stage.camera, { changed: () => this.stage.redraw() });
    this.hint.textContent = gestures('drag: turn');
    await this.load();
  }

  leave() {
    this.#turn++;
    this.#unlisten?.();
  }

  lost() {
    this.load().catch((error) => this.tell(error.message));
  }

  recolour() {
    if (this.frame) this.show(this.frame);
  }

  async load() {
    const turn = ++this.#turn;
    this.stage.clear();
    this.render();
    const { view } = await this.engine.call('figure', this.paper);
    if (turn !== this.#turn) return;
    this.stage.camera.yaw = 0.5;
    this.stage.camera.pitch = 0.4;
    this.stage.camera.frame(view, this.stage.aspect);
    await this.ask();
    this.run(turn);
  }

  async ask() {
    this.frame = await this.engine.call('at', this.time, this.isPublished);
    this.show(this.frame);
  }

  async run(turn) {
    let last = performance.now();
    while (turn === this.#turn) {
      const now = await new Promise((resolve) => requestAnimationFrame(resolve));
      if (!this.isPaused) {
        this.time += Math.min(0.05, (now - last) / 1000);
        try {
          const frame = await this.engine.call('at', this.time, this.isPublished);
          if (turn !== this.#turn) return;
          this.show(frame);
        } catch (error) {
          this.isPaused = true;
          this.tell(error.message);
        }
      }
      last = now;
    }
  }

  show(frame) {
    this.frame = frame;
    const { stage } = this;
    const alpha = PAPERS[this.paper].alpha ?? 1;
    stage.show(frame, (k) => ({ colour: [...colours.body(k).slice(0, 3), alpha], flatness: PAPERS[this.paper].flatness ?? 0.2 }));
    const { strokes, paints } = colours.strokes(frame.drawing);
    const missed = { ids: [...frame.missed], colour: [...colours.MISSED, 1], shines: true };
    const hits = paints.filter((p) => p.shines);
    stage.picture.paint([...(this.showsStructure ? paints.filter((p) => !p.shines) : []), ...hits, missed]);
    stage.picture.setStrokes(this.showsStructure ? strokes : {});
    stage.redraw();
    this.figures?.replaceChildren(facts(frame.facts));
  }

  render() {
    const { title, authors, words, ours, legend, differs } = PAPERS[this.paper];
    this.panel.dataset.state = 'running';
    this.figures = make('div', { id: 'live' });
    const choose = make('select', { 'aria-label': 'Paper', onchange: (event) => { location.hash = `papers/${event.target.value}`; } },
      ...Object.entries(PAPERS).map(([name, paper]) => make('option', { value: name, selected: name === this.paper }, paper.short)));
    const again = () => this.ask().catch((error) => this.tell(error.message));
    this.panel.replaceChildren(
      make('div', { class: 'row' }, choose),
      make('h1', {}, title), make('p', { class: 'soft' }, authors),
      make('div', { class: 'row' },
        make('button', { type: 'button', class: 'main', onclick: (event) => { this.isPaused = !this.isPaused; event.target.textContent = this.isPaused ? 'Play' : 'Pause'; } }, this.isPaused ? 'Play' : 'Pause'),
        toggle("Paper's own rule", this.isPublished, (on) => { this.isPublished = on; again(); }),
        toggle('Structure', this.showsStructure, (on) => { this.showsStructure = on; this.show(this.frame); })),
      make('p', { class: 'soft' }, legend),
      this.figures,
      make('h2', {}, 'The idea'),
      make('blockquote', {}, words),
      ...ours.map((text) => make('p', {}, text)),
      make('h2', {}, 'What we do differently'), make('p', {}, differs),
    );
  }
}
