// Where one looks from: turned by mouse, fingers and keys, moved smoothly to places.

class Orbit {
  constructor(up, radius, onChange) {
    this.up = unit(up);
    const side = Math.abs(this.up[0]) < 0.9 ? [1, 0, 0] : [0, 0, 1];
    // Two directions along the floor; with y up, a yaw of zero looks from +z.
    this.floorB = unit(cross(side, this.up));
    this.floorA = cross(this.up, this.floorB);
    if (this.up[1] > 0.9) [this.floorA, this.floorB] = [[0, 0, 1], [1, 0, 0]];
    this.radius = radius;
    this.onChange = onChange;
    this.fieldOfView = 0.6;
    this.pose = { target: [0, 0, 0], distance: 1, yaw: 0.5, pitch: 0.25 };
    this.goal = null;
  }

  direction(pose) {
    const flat = add(scale(this.floorA, Math.cos(pose.yaw)), scale(this.floorB, Math.sin(pose.yaw)));
    return add(scale(flat, Math.cos(pose.pitch)), scale(this.up, Math.sin(pose.pitch)));
  }

  camera(aspect, pose = this.pose) {
    const direction = this.direction(pose);
    const reach = this.radius + length(pose.target);
    return cameraMatrix({ ...pose, direction, up: this.up, reach, fieldOfView: this.fieldOfView }, aspect);
  }

  /** The distance from which a ball of this radius fills the view. */
  distanceFor(radius) {
    return radius / Math.sin(this.fieldOfView / 2);
  }

  turn(yaw, pitch) {
    this.goal = null;
    this.pose = { ...this.pose, yaw: this.pose.yaw + yaw, pitch: clamp(this.pose.pitch + pitch, -1.55, 1.55) };
    this.onChange();
  }

  zoom(factor) {
    this.goal = null;
    const distance = clamp(this.pose.distance * factor, this.radius * 1e-5, this.radius * 40);
    this.pose = { ...this.pose, distance };
    this.onChange();
  }

  /** Moves by shares of the view's shorter side. */
  pan(right, up) {
    this.goal = null;
    const camera = this.camera(1);
    const span = 2 * this.pose.distance * Math.tan(this.fieldOfView / 2);
    const by = add(scale(camera.right, -right * span), scale(camera.up, -up * span));
    this.pose = { ...this.pose, target: add(this.pose.target, by) };
    this.onChange();
  }

  /** Goes to a pose in a quarter of a second, or at once for those who do not want motion. */
  goTo(pose) {
    let yaw = pose.yaw - this.pose.yaw;
    yaw -= 2 * Math.PI * Math.round(yaw / (2 * Math.PI));
    const goal = { ...pose, yaw: this.pose.yaw + yaw };
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) {
      [this.pose, this.goal] = [goal, null];
    } else {
      this.goal = { from: this.pose, to: goal, start: performance.now() };
    }
    this.onChange();
  }

  /** Advances the motion; true while there is one. */
  advance(now) {
    if (!this.goal) return false;
    const { from, to, start } = this.goal;
    const linear = clamp((now - start) / 250, 0, 1);
    const t = linear * linear * (3 - 2 * linear);
    const between = (name) => from[name] + (to[name] - from[name]) * t;
    this.pose = {
      target: mix(from.target, to.target, t),
      distance: Math.exp(Math.log(from.distance) + (Math.log(to.distance) - Math.log(from.distance)) * t),
      yaw: between("yaw"),
      pitch: between("pitch"),
    };
    if (linear === 1) this.goal = null;
    return true;
  }

  /** Mouse and fingers. */
  listen(canvas) {
    const fingers = new Map();
    let spread = 0;
    const side = () => Math.min(canvas.clientWidth, canvas.clientHeight) || 1;
    canvas.addEventListener("pointerdown", (event) => {
      fingers.set(event.pointerId, [event.clientX, event.clientY]);
      spread = 0;
      canvas.setPointerCapture(event.pointerId);
    });
    const lift = (event) => {
      fingers.delete(event.pointerId);
      spread = 0;
    };
    canvas.addEventListener("pointerup", lift);
    canvas.addEventListener("pointercancel", lift);
    canvas.addEventListener("pointermove", (event) => {
      const last = fingers.get(event.pointerId);
      if (!last) return;
      const by = [event.clientX - last[0], event.clientY - last[1]];
      fingers.set(event.pointerId, [event.clientX, event.clientY]);
      if (fingers.size === 1) {
        const isPan = event.shiftKey || event.buttons === 2 || event.buttons === 4;
        if (isPan) this.pan(by[0] / side(), -by[1] / side());
        else this.turn((-by[0] / side()) * 4, (by[1] / side()) * 4);
      } else if (fingers.size === 2) {
        const [p, q] = [...fingers.values()];
        const now = Math.hypot(p[0] - q[0], p[1] - q[1]);
        if (spread > 0 && now > 0) this.zoom(spread / now);
        spread = now;
        this.pan(by[0] / side() / 2, -by[1] / side() / 2);
      }
    });
    canvas.addEventListener("wheel", (event) => {
      event.preventDefault();
      const lines = event.deltaMode === 1 ? 16 : 1;
      this.zoom(Math.exp(clamp(event.deltaY * lines, -200, 200) * 0.0015));
    }, { passive: false });
    canvas.addEventListener("contextmenu", (event) => event.preventDefault());
  }

  /** Keys that move the view; true when this was one. */
  key(event) {
    const step = 0.12;
    const move = (x, y) => (event.shiftKey ? this.pan(-x * 0.06, -y * 0.06) : this.turn(x * step, -y * step));
    switch (event.key) {
      case "ArrowLeft": move(-1, 0); return true;
      case "ArrowRight": move(1, 0); return true;
      case "ArrowUp": move(0, 1); return true;
      case "ArrowDown": move(0, -1); return true;
      case "+": case "=": this.zoom(0.85); return true;
      case "-": case "_": this.zoom(1 / 0.85); return true;
      default: return false;
    }
  }
}
