// Bodies, colliding triangles and vertices by WebGL 2. Nothing here knows about frames or places.

const VERTEX = `#version 300 es
uniform mat4 camera;
uniform float pointSize;
in vec3 position;
out vec3 at;
void main() {
  at = position;
  gl_Position = camera * vec4(position, 1.0);
  gl_PointSize = pointSize;
}`;

// The normal comes from how the position changes across the pixel: flat triangles, and no normals to be sent.
const FRAGMENT = `#version 300 es
precision highp float;
uniform vec4 color;
uniform vec3 eye;
uniform float lit;
uniform float isRound;
in vec3 at;
out vec4 pixel;
void main() {
  if (isRound > 0.5 && length(gl_PointCoord - 0.5) > 0.5) discard;
  float light = 1.0;
  // A dot has no normal.
  if (lit > 0.0) {
    vec3 normal = normalize(cross(dFdx(at), dFdy(at)));
    float facing = abs(dot(normal, normalize(eye - at)));
    light = mix(1.0, 0.34 + 0.72 * facing, lit);
  }
  pixel = vec4(color.rgb * light, color.a);
}`;

/** Draws onto a canvas; throws when there is no WebGL 2. */
class Stage {
  constructor(canvas) {
    const gl = canvas.getContext("webgl2", { antialias: true, alpha: false, preserveDrawingBuffer: true });
    if (!gl) throw new Error("this browser has no WebGL 2");
    this.gl = gl;
    this.canvas = canvas;
    this.program = this.link(VERTEX, FRAGMENT);
    this.place = (name) => gl.getUniformLocation(this.program, name);
    this.uniform = Object.fromEntries(
      ["camera", "pointSize", "color", "eye", "lit", "isRound"].map((name) => [name, this.place(name)]));
    this.bodies = [];
    this.marks = { points: this.buffer(), triangles: 0, dots: 0, chosen: [0, 0], chosenDots: [0, 0] };
    gl.enable(gl.DEPTH_TEST);
    gl.blendFunc(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA);
  }

  link(vertex, fragment) {
    const gl = this.gl;
    const program = gl.createProgram();
    for (const [kind, text] of [[gl.VERTEX_SHADER, vertex], [gl.FRAGMENT_SHADER, fragment]]) {
      const shader = gl.createShader(kind);
      gl.shaderSource(shader, text);
      gl.compileShader(shader);
      if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS)) throw new Error(gl.getShaderInfoLog(shader));
      gl.attachShader(program, shader);
    }
    gl.bindAttribLocation(program, 0, "position");
    gl.linkProgram(program);
    if (!gl.getProgramParameter(program, gl.LINK_STATUS)) throw new Error(gl.getProgramInfoLog(program));
    return program;
  }

  /** A buffer of positions with a vertex array that reads it. */
  buffer() {
    const gl = this.gl;
    const [array, data] = [gl.createVertexArray(), gl.createBuffer()];
    gl.bindVertexArray(array);
    gl.bindBuffer(gl.ARRAY_BUFFER, data);
    gl.enableVertexAttribArray(0);
    gl.vertexAttribPointer(0, 3, gl.FLOAT, false, 0, 0);
    gl.bindVertexArray(null);
    return { array, data };
  }

  fill(buffer, values) {
    const gl = this.gl;
    gl.bindBuffer(gl.ARRAY_BUFFER, buffer.data);
    gl.bufferData(gl.ARRAY_BUFFER, values, gl.DYNAMIC_DRAW);
  }

  addBody(color, triangles) {
    const gl = this.gl;
    const body = { color, points: this.buffer(), index: gl.createBuffer(), corners: triangles, isShown: true, lines: null, count: 0 };
    gl.bindVertexArray(body.points.array);
    gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, body.index);
    gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, triangles, gl.STATIC_DRAW);
    gl.bindVertexArray(null);
    this.bodies.push(body);
  }

  setPositions(k, positions) {
    this.fill(this.bodies[k].points, positions);
    this.bodies[k].count = positions.length / 3;
  }

  /** Triangles (nine numbers each), then dots; `chosen` are [first, count] of the place in hand. */
  setMarks(positions, triangles, dots, chosen, chosenDots) {
    this.fill(this.marks.points, positions);
    Object.assign(this.marks, { triangles, dots, chosen, chosenDots });
  }

  /** The edges of a body, each once, made when they are first asked for. */
  lines(body) {
    if (body.lines) return body.lines;
    const gl = this.gl;
    const corners = body.corners;
    const keys = new Float64Array(corners.length);
    const many = 0x4000000;
    for (let i = 0; i < corners.length; i++) {
      const [a, b] = [corners[i], corners[i % 3 === 2 ? i - 2 : i + 1]];
      keys[i] = Math.min(a, b) * many + Math.max(a, b);
    }
    keys.sort();
    const pairs = new Uint32Array(2 * keys.length);
    let count = 0;
    for (let i = 0; i < keys.length; i++) {
      if (i > 0 && keys[i] === keys[i - 1]) continue;
      pairs[count++] = Math.floor(keys[i] / many);
      pairs[count++] = keys[i] % many;
    }
    const array = gl.createVertexArray();
    gl.bindVertexArray(array);
    gl.bindBuffer(gl.ARRAY_BUFFER, body.points.data);
    gl.enableVertexAttribArray(0);
    gl.vertexAttribPointer(0, 3, gl.FLOAT, false, 0, 0);
    const index = gl.createBuffer();
    gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, index);
    gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, pairs.subarray(0, count), gl.STATIC_DRAW);
    gl.bindVertexArray(null);
    body.lines = { array, count };
    return body.lines;
  }

  paint(color, alpha, lit) {
    const gl = this.gl;
    gl.uniform4f(this.uniform.color, color[0], color[1], color[2], alpha);
    gl.uniform1f(this.uniform.lit, lit);
  }

  /** One picture. */
  draw(camera, look) {
    const { gl, canvas, uniform } = this;
    gl.viewport(0, 0, canvas.width, canvas.height);
    gl.clearColor(...look.background, 1);
    gl.depthMask(true);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    gl.useProgram(this.program);
    gl.uniformMatrix4fv(uniform.camera, false, camera.matrix);
    gl.uniform3fv(uniform.eye, camera.eye);
    gl.uniform1f(uniform.isRound, 0);
    gl.uniform1f(uniform.pointSize, look.dot);
    gl.enable(gl.POLYGON_OFFSET_FILL);
    gl.polygonOffset(1, 1);
    if (look.isGhost) {
      gl.enable(gl.BLEND);
      gl.depthMask(false);
    }
    for (const body of this.bodies) if (body.isShown) this.drawBody(body, look);
    gl.depthMask(true);
    gl.disable(gl.BLEND);
    gl.disable(gl.POLYGON_OFFSET_FILL);
    this.drawMarks(look);
    gl.bindVertexArray(null);
  }

  drawBody(body, look) {
    const { gl, uniform } = this;
    this.paint(body.color, look.isGhost ? 0.22 : 1, 1);
    gl.bindVertexArray(body.points.array);
    if (body.corners.length) {
      gl.drawElements(gl.TRIANGLES, body.corners.length, gl.UNSIGNED_INT, 0);
    } else {
      gl.uniform1f(uniform.isRound, 1);
      this.paint(body.color, 1, 0);
      gl.drawArrays(gl.POINTS, 0, body.count);
      gl.uniform1f(uniform.isRound, 0);
    }
    if (look.hasEdges && body.corners.length) {
      const lines = this.lines(body);
      gl.bindVertexArray(lines.array);
      this.paint(scale(body.color, 0.45), look.isGhost ? 0.5 : 1, 0);
      gl.drawElements(gl.LINES, lines.count, gl.UNSIGNED_INT, 0);
    }
  }

  /** What collides: first faintly through everything, then where it can be seen; the place in hand strongest. */
  drawMarks(look) {
    const { gl, uniform, marks } = this;
    const dots = (first, count) => {
      gl.uniform1f(uniform.isRound, 1);
      gl.drawArrays(gl.POINTS, 3 * marks.triangles + first, count);
      gl.uniform1f(uniform.isRound, 0);
    };
    gl.bindVertexArray(marks.points.array);
    if (look.isThrough) {
      gl.enable(gl.BLEND);
      gl.disable(gl.DEPTH_TEST);
      this.paint(look.highlight, 0.16, 0);
      gl.drawArrays(gl.TRIANGLES, 0, 3 * marks.triangles);
      this.paint(look.highlight, 0.35, 0);
      gl.drawArrays(gl.TRIANGLES, 3 * marks.chosen[0], 3 * marks.chosen[1]);
      dots(0, marks.dots);
      gl.enable(gl.DEPTH_TEST);
      gl.disable(gl.BLEND);
    }
    gl.depthFunc(gl.LEQUAL);
    this.paint(look.highlight, 1, 0.45);
    gl.drawArrays(gl.TRIANGLES, 0, 3 * marks.triangles);
    this.paint(look.highlight, 1, 0);
    dots(0, marks.dots);
    this.paint(look.chosen, 1, 0.45);
    gl.drawArrays(gl.TRIANGLES, 3 * marks.chosen[0], 3 * marks.chosen[1]);
    dots(...marks.chosenDots);
    gl.depthFunc(gl.LESS);
  }

  /** How many pixels of the place in hand are seen from a camera, in a small picture that nobody sees. */
  visible(camera) {
    const { gl, uniform } = this;
    const side = 96;
    if (!this.small) {
      const [target, color, depth] = [gl.createFramebuffer(), gl.createRenderbuffer(), gl.createRenderbuffer()];
      gl.bindFramebuffer(gl.FRAMEBUFFER, target);
      gl.bindRenderbuffer(gl.RENDERBUFFER, color);
      gl.renderbufferStorage(gl.RENDERBUFFER, gl.RGBA8, side, side);
      gl.framebufferRenderbuffer(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.RENDERBUFFER, color);
      gl.bindRenderbuffer(gl.RENDERBUFFER, depth);
      gl.renderbufferStorage(gl.RENDERBUFFER, gl.DEPTH_COMPONENT16, side, side);
      gl.framebufferRenderbuffer(gl.FRAMEBUFFER, gl.DEPTH_ATTACHMENT, gl.RENDERBUFFER, depth);
      this.small = target;
    }
    gl.bindFramebuffer(gl.FRAMEBUFFER, this.small);
    gl.viewport(0, 0, side, side);
    gl.clearColor(0, 0, 0, 1);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    gl.useProgram(this.program);
    gl.uniformMatrix4fv(uniform.camera, false, camera.matrix);
    gl.uniform3fv(uniform.eye, camera.eye);
    gl.uniform1f(uniform.isRound, 0);
    gl.uniform1f(uniform.pointSize, 3);
    gl.enable(gl.POLYGON_OFFSET_FILL);
    gl.polygonOffset(1, 1);
    this.paint([0, 0, 0], 1, 0);
    for (const body of this.bodies) {
      if (!body.isShown || !body.corners.length) continue;
      gl.bindVertexArray(body.points.array);
      gl.drawElements(gl.TRIANGLES, body.corners.length, gl.UNSIGNED_INT, 0);
    }
    gl.disable(gl.POLYGON_OFFSET_FILL);
    gl.bindVertexArray(this.marks.points.array);
    this.paint([1, 1, 1], 1, 0);
    gl.drawArrays(gl.TRIANGLES, 3 * this.marks.chosen[0], 3 * this.marks.chosen[1]);
    gl.drawArrays(gl.POINTS, 3 * this.marks.triangles + this.marks.chosenDots[0], this.marks.chosenDots[1]);
    gl.bindVertexArray(null);
    const pixels = new Uint8Array(4 * side * side);
    gl.readPixels(0, 0, side, side, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
    let count = 0;
    for (let i = 0; i < pixels.length; i += 4) count += pixels[i] > 127;
    return count;
  }
}
