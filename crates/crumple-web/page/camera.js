// A camera that orbits: matrices, rays, and the gestures that move it.

const sub = (a, b) => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const unit = (a) => { const l = Math.hypot(...a) || 1; return a.map((x) => x / l); };
const along = (a, s, b) => [a[0] + s * b[0], a[1] + s * b[1], a[2] + s * b[2]];

const FIELD = 0.62;

export class Camera {
  target = [0, 0, 0];
  yaw = 0.5;
  pitch = 0.32;
  distance = 4;
  size = 1;

  /** Looks at a centre, so that so much round it fits. */
  frame({ centre, size }, aspect = 1) {
    this.target = [...centre];
    this.size = size;
    this.distance = (1.05 * size) / Math.tan(FIELD / 2) / Math.min(1, Math.max(0.55, aspect));
  }

  get eye() {
    const [c, s] = [Math.cos(this.pitch), Math.sin(this.pitch)];
    return along(this.target, this.distance, [c * Math.sin(this.yaw), s, c * Math.cos(this.yaw)]);
  }

  axes() {
    const back = unit(sub(this.eye, this.target));
    const right = unit(cross([0, 1, 0], back));
    return { right, up: cross(back, right), back };
  }

  /** View and projection in one, column by column. */
  matrix(aspect) {
    const { right, up, back } = this.axes();
    const eye = this.eye;
    const near = Math.max(this.distance * 0.02, 1e-9);
    const far = this.distance * 4 + this.size * 20;
    const f = 1 / Math.tan(FIELD / 2);
    const view = [right, up, back].map((axis) => [...axis, -dot(axis, eye)]);
    const a = (far + near) / (near - far);
    const b = (2 * far * near) / (near - far);
    const rows = [
      view[0].map((x) => (x * f) / aspect),
      view[1].map((x) => x * f),
      [a * view[2][0], a * view[2][1], a * view[2][2], a * view[2][3] + b],
      view[2].map((x) => -x),
    ];
    return new Float32Array([0, 1, 2, 3].flatMap((c) => rows.map((row) => row[c])));
  }

  /** The line through a place on the picture: x and y from -1 to 1. */
  ray(x, y, aspect) {
    const { right, up, back } = this.axes();
    const t = Math.tan(FIELD / 2);
    const direction = unit([0, 1, 2].map((k) => x * t * aspect * right[k] + y * t * up[k] - back[k]));
    return { from: this.eye, along: direction };
  }

  /** Where a line meets the plane through a point that faces the camera. */
  onPlane(ray, point) {
    const { back } = this.axes();
    const s = dot(sub(point, ray.from), back) / dot(ray.along, back);
    return along(ray.from, s, ray.along);
  }

  orbit(dx, dy) {
    this.yaw -= dx;
    this.pitch = Math.min(1.5, Math.max(-1.5, this.pitch + dy));
  }

  pan(dx, dy) {
    const { right, up } = this.axes();
    const s = this.distance * Math.tan(FIELD / 2);
    this.target = along(along(this.target, -dx * s, right), dy * s, up);
  }

  zoom(factor) {
    this.distance = Math.min(this.size * 60, Math.max(this.size * 0.005, this.distance * factor));
  }
}

/**
 * Mouse, finger and wheel on a canvas. `take(ray)` may claim a press by returning a holder with `move(ray)` and `end()`;
 * other presses orbit, two fingers or the right button pan and zoom.
 */
export function listen(canvas, camera, { take = () => null, changed = () => {} } = {}) {
  const pointers = new Map();
  let holder = null;
  const stop = new AbortController();
  const on = (name, handler) => canvas.addEventListener(name, handler, { signal: stop.signal, passive: false });

  const ray = (event) => {
    const box = canvas.getBoundingClientRect();
    const x = (2 * (event.clientX - box.left)) / box.width - 1;
    const y = 1 - (2 * (event.clientY - box.top)) / box.height;
    return camera.ray(x, y, box.width / box.height);
  };

  on('contextmenu', (event) => event.preventDefault());
  on('pointerdown', (event) => {
    canvas.setPointerCapture(event.pointerId);
    canvas.focus({ preventScroll: true });
    pointers.set(event.pointerId, event);
    if (pointers.size === 1 && event.button === 0 && !event.shiftKey) holder = take(ray(event), event);
    else { holder?.end(); holder = null; }
  });
  on('pointermove', (event) => {
    const before = pointers.get(event.pointerId);
    if (!before) return;
    const [dx, dy] = [event.clientX - before.clientX, event.clientY - before.clientY];
    const height = canvas.clientHeight || 1;
    if (holder && !holder.isMissed) holder.move(ray(event));
    else if (pointers.size === 2) {
      const [other] = [...pointers.values()].filter((p) => p.pointerId !== event.pointerId);
      const apart = (p) => Math.hypot(p.clientX - other.clientX, p.clientY - other.clientY) || 1;
      camera.zoom(apart(before) / apart(event));
      camera.pan(dx / height, dy / height);
    } else if (before.buttons & 2 || event.shiftKey) camera.pan((2 * dx) / height, (2 * dy) / height);
    else camera.orbit((3 * dx) / height, (3 * dy) / height);
    pointers.set(event.pointerId, event);
    changed();
  });
  const up = (event) => {
    pointers.delete(event.pointerId);
    holder?.end();
    holder = null;
  };
  on('pointerup', up);
  on('pointercancel', up);
  on('wheel', (event) => {
    event.preventDefault();
    camera.zoom(Math.exp(Math.max(-1, Math.min(1, event.deltaY * 0.0015))));
    changed();
  });
  on('keydown', (event) => {
    const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[event.key];
    if (step && event.shiftKey) camera.pan(-0.08 * step[0], 0.08 * step[1]);
    else if (step) camera.orbit(-0.1 * step[0], 0.1 * step[1]);
    else if (event.key === '+' || event.key === '=') camera.zoom(0.88);
    else if (event.key === '-') camera.zoom(1.14);
    else return;
    event.preventDefault();
    changed();
  });
  return () => stop.abort();
}
