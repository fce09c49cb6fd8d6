// The canvas that all views share: a picture, a camera, and drawing when something has changed.
import { Camera } from './camera.js';
import { Picture } from './gl.js';
import * as colours from './colours.js';

export class Stage {
  #isDue = false;
  constructor(canvas) {
    this.canvas = canvas;
    this.camera = new Camera();
    this.picture = new Picture(canvas);
    this.picture.onrestored = () => this.onrestored?.();
    new ResizeObserver(() => this.redraw()).observe(canvas);
  }

  get aspect() {
    return this.canvas.clientWidth / Math.max(1, this.canvas.clientHeight);
  }

  /** Draws once, soon. */
  redraw() {
    if (this.#isDue) return;
    this.#isDue = true;
    requestAnimationFrame(() => {
      this.#isDue = false;
      this.picture.draw(this.camera, colours.background());
    });
  }

  /** Draws now: what is on the canvas is up to date when this returns. */
  drawNow() {
    this.picture.draw(this.camera, colours.background());
  }

  clear() {
    this.picture.setBodies(new Uint32Array(0), []);
    this.picture.paint([]);
    this.picture.setStrokes({});
    this.redraw();
  }

  /** Arrays of the engine as bodies; `look(k)` gives colour and the like of body k. */
  show({ positions, normals, triangles, ranges }, look) {
    this.picture.setVertices(positions, normals);
    if (!triangles) return;
    const bodies = [];
    for (let k = 0; k < ranges.length / 4; k++) {
      const [firstVertex, vertices, firstTriangle, count] = ranges.subarray(4 * k, 4 * k + 4);
      bodies.push({ firstVertex, vertices, firstTriangle, triangles: count, ...look(k) });
    }
    this.picture.setBodies(triangles, bodies);
  }
}
