// The pairs of each frame as a curve that one can click on.

const SVG = "http://www.w3.org/2000/svg";

/** All rows of a frame's lists. */
const hitsOf = (frame) => frame.pairs[0] + frame.pairs[1] + frame.inside + frame.edges + frame.impacts;

class Timeline {
  constructor(frames, worst, onFrame) {
    this.frames = frames;
    this.curve = document.getElementById("curve");
    this.scrubber = document.getElementById("scrubber");
    this.scrubber.max = String(frames.length - 1);
    this.scrubber.addEventListener("input", () => onFrame(Number(this.scrubber.value)));
    const [width, height] = [1000, 100];
    this.curve.setAttribute("viewBox", `0 0 ${width} ${height}`);
    this.x = (k) => (frames.length > 1 ? (k / (frames.length - 1)) * width : width / 2);
    const most = Math.max(1, ...frames.map(hitsOf));
    document.getElementById("most").textContent = `hits per frame, at most ${digits.format(Math.max(0, ...frames.map(hitsOf)))}`;
    const y = (n) => height - 4 - (n / most) * (height - 12);
    const points = frames.map((frame, k) => `${this.x(k).toFixed(2)},${y(hitsOf(frame)).toFixed(2)}`);
    this.shape("polygon", { class: "area", points: `0,${height} ${points.join(" ")} ${width},${height}` });
    this.shape("polyline", { class: "line", points: points.join(" ") });
    frames.forEach((frame, k) => {
      if (frame.problem) this.shape("line", { class: "problem", x1: this.x(k), x2: this.x(k), y1: 0, y2: height });
    });
    if (worst.length) {
      const k = worst[0];
      this.shape("line", { class: "peak", x1: this.x(k), x2: this.x(k), y1: y(most), y2: height });
    }
    this.cursor = this.shape("line", { class: "cursor", x1: 0, x2: 0, y1: 0, y2: height });
    const pick = (event) => {
      const box = this.curve.getBoundingClientRect();
      const share = clamp((event.clientX - box.left) / box.width, 0, 1);
      onFrame(Math.round(share * (frames.length - 1)));
    };
    this.curve.addEventListener("pointerdown", (event) => {
      this.curve.setPointerCapture(event.pointerId);
      pick(event);
    });
    this.curve.addEventListener("pointermove", (event) => {
      if (event.buttons) pick(event);
    });
  }

  shape(name, attributes) {
    const element = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
    this.curve.append(element);
    return element;
  }

  show(k) {
    this.cursor.setAttribute("x1", String(this.x(k)));
    this.cursor.setAttribute("x2", String(this.x(k)));
    this.scrubber.value = String(k);
    const frame = this.frames[k];
    this.scrubber.setAttribute("aria-valuetext", `frame ${frame.frame}, ${hitsOf(frame)} hits`);
  }
}
