// Three-dimensional arithmetic; matrices are column after column, as WebGL takes them.

const add = (a, b) => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
const sub = (a, b) => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const scale = (a, s) => [a[0] * s, a[1] * s, a[2] * s];
const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const length = (a) => Math.hypot(a[0], a[1], a[2]);
const unit = (a) => scale(a, 1 / (length(a) || 1));
const mix = (a, b, t) => add(scale(a, 1 - t), scale(b, t));
const clamp = (x, low, high) => Math.min(high, Math.max(low, x));

/** Perspective times look-at, and the eye. */
function cameraMatrix(pose, aspect) {
  const back = unit(pose.direction);
  const right = unit(cross(pose.up, back));
  const up = cross(back, right);
  const eye = add(pose.target, scale(back, pose.distance));
  const near = pose.distance * 0.01;
  const far = pose.distance + pose.reach * 4;
  // The field of view is that of the shorter side, so that a place fits a phone held upright too.
  const f = 1 / Math.tan(pose.fieldOfView / 2);
  const [fx, fy] = aspect > 1 ? [f / aspect, f] : [f, f * aspect];
  const [a, b] = [(far + near) / (near - far), (2 * far * near) / (near - far)];
  const row = (axis, s) => [s * axis[0], s * axis[1], s * axis[2], -s * dot(axis, eye)];
  const [x, y, z] = [row(right, fx), row(up, fy), row(back, a)];
  const w = row(back, -1);
  z[3] += b;
  return {
    matrix: new Float32Array([x[0], y[0], z[0], w[0], x[1], y[1], z[1], w[1], x[2], y[2], z[2], w[2], x[3], y[3], z[3], w[3]]),
    eye, right, up, back, fx, fy,
  };
}

/** A colour "#rrggbb" as three numbers from 0 to 1. */
const rgb = (text) => [1, 3, 5].map((k) => parseInt(text.slice(k, k + 2), 16) / 255);
