// Drawing by plain WebGL 2: shaded surfaces, painted triangles, lines and points.

const SURFACE = {
  vertex: `#version 300 es
    uniform mat4 matrix;
    in vec3 position; in vec3 normal;
    out vec3 at; out vec3 n;
    void main() { at = position; n = normal; gl_Position = matrix * vec4(position, 1.0); }`,
  fragment: `#version 300 es
    precision highp float;
    uniform vec3 eye; uniform vec4 colour; uniform float flatness; uniform vec3 fog; uniform float reach;
    in vec3 at; in vec3 n;
    out vec4 result;
    void main() {
      vec3 look = normalize(eye - at);
      vec3 face = normalize(cross(dFdx(at), dFdy(at)));
      vec3 up = mix(length(n) > 0.0 ? normalize(n) : face, face, flatness);
      float back = 1.0;
      if (dot(up, look) < 0.0) { up = -up; back = 0.9; }
      vec3 key = normalize(vec3(0.45, 0.85, 0.35));
      float light = 0.50 + 0.25 * (0.5 + 0.5 * up.y) + 0.36 * max(dot(up, key), 0.0);
      float rim = pow(1.0 - max(dot(up, look), 0.0), 3.0);
      float shine = pow(max(dot(up, normalize(key + look)), 0.0), 40.0);
      vec3 c = colour.rgb * light * back + 0.10 * rim + 0.10 * shine;
      float far = reach > 0.0 ? smoothstep(0.55, 1.0, length(at.xz) / reach) : 0.0;
      result = vec4(mix(c, fog, far), colour.a);
    }`,
};

const STROKE = {
  vertex: `#version 300 es
    uniform mat4 matrix; uniform float size;
    in vec3 position; in vec4 tint;
    out vec4 c;
    void main() { c = tint; gl_Position = matrix * vec4(position, 1.0); gl_PointSize = size; }`,
  fragment: `#version 300 es
    precision highp float;
    uniform float size;
    in vec4 c;
    out vec4 result;
    void main() {
      float inside = 1.0;
      if (size > 0.0) {
        vec2 d = 2.0 * gl_PointCoord - 1.0;
        inside = 1.0 - smoothstep(0.7, 1.0, dot(d, d));
        if (inside <= 0.0) discard;
      }
      result = vec4(c.rgb, c.a * inside);
    }`,
};

function program(gl, { vertex, fragment }) {
  const made = gl.createProgram();
  for (const [kind, text] of [[gl.VERTEX_SHADER, vertex], [gl.FRAGMENT_SHADER, fragment]]) {
    const shader = gl.createShader(kind);
    gl.shaderSource(shader, text);
    gl.compileShader(shader);
    gl.attachShader(made, shader);
  }
  ['position', 'normal'].forEach((name, i) => gl.bindAttribLocation(made, i, name));
  gl.bindAttribLocation(made, 2, 'tint');
  gl.linkProgram(made);
  if (!gl.getProgramParameter(made, gl.LINK_STATUS)) throw new Error(gl.getProgramInfoLog(made) || 'shaders do not link');
  const at = (name) => gl.getUniformLocation(made, name);
  return { made, at: Object.fromEntries(['matrix', 'eye', 'colour', 'flatness', 'fog', 'reach', 'size'].map((n) => [n, at(n)])) };
}

export class Picture {
  /** Throws a sentence where WebGL 2 is missing. */
  constructor(canvas) {
    this.canvas = canvas;
    const gl = canvas.getContext('webgl2', { antialias: true, alpha: false, powerPreference: 'high-performance' });
    if (!gl) throw new Error('This browser does not draw with WebGL 2, which the pictures need.');
    this.gl = gl;
    this.isLost = false;
    canvas.addEventListener('webglcontextlost', (event) => { event.preventDefault(); this.isLost = true; });
    canvas.addEventListener('webglcontextrestored', () => { this.#build(); this.isLost = false; this.onrestored?.(); });
    this.#build();
  }

  #build() {
    const gl = this.gl;
    this.surface = program(gl, SURFACE);
    this.stroke = program(gl, STROKE);
    this.buffers = {};
    for (const name of ['positions', 'normals', 'triangles', 'painted', 'lines', 'lineTints', 'points', 'pointTints']) {
      this.buffers[name] = gl.createBuffer();
    }
    this.counts = { lines: 0, points: 0 };
    this.bodies = [];
    this.paints = [];
    gl.enable(gl.DEPTH_TEST);
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA);
  }

  /** Other vertices; as many as before, or with other triangles. */
  setVertices(positions, normals) {
    const { gl, buffers } = this;
    for (const [name, data] of [['positions', positions], ['normals', normals]]) {
      gl.bindBuffer(gl.ARRAY_BUFFER, buffers[name]);
      gl.bufferData(gl.ARRAY_BUFFER, data, gl.DYNAMIC_DRAW);
    }
  }

  /** Other triangles; each body is `{ firstVertex, vertices, firstTriangle, triangles, colour, flatness, reach }`. */
  setBodies(triangles, bodies) {
    const { gl, buffers } = this;
    gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, buffers.triangles);
    gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, triangles, gl.STATIC_DRAW);
    this.triangles = triangles;
    this.bodies = bodies;
  }

  /** Triangles over the surface: lists of `{ ids, colour, shines }`; what shines is seen through what is before it. */
  paint(lists) {
    const { gl, buffers } = this;
    const all = [];
    this.paints = lists.filter((list) => list.ids.length).map(({ ids, colour, shines }) => {
      const first = all.length;
      for (const t of ids) all.push(this.triangles[3 * t], this.triangles[3 * t + 1], this.triangles[3 * t + 2]);
      return { first, count: all.length - first, colour, shines };
    });
    gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, buffers.painted);
    gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, new Uint32Array(all), gl.DYNAMIC_DRAW);
  }

  /** Segments (six numbers) and points (three), each with a colour of four bytes. */
  setStrokes({ lines = new Float32Array(0), lineTints = new Uint8Array(0), points = new Float32Array(0), pointTints = new Uint8Array(0), pointSize = 7 }) {
    const { gl, buffers } = this;
    // Both ends of a segment have its colour.
    const twice = new Uint8Array(2 * lineTints.length);
    for (let i = 0; i < lineTints.length; i += 4) {
      twice.set(lineTints.subarray(i, i + 4), 2 * i);
      twice.set(lineTints.subarray(i, i + 4), 2 * i + 4);
    }
    for (const [name, data] of [['lines', lines], ['lineTints', twice], ['points', points], ['pointTints', pointTints]]) {
      gl.bindBuffer(gl.ARRAY_BUFFER, buffers[name]);
      gl.bufferData(gl.ARRAY_BUFFER, data, gl.DYNAMIC_DRAW);
    }
    this.counts = { lines: lines.length / 3, points: points.length / 3 };
    this.pointSize = pointSize;
  }

  resize() {
    const scale = Math.min(window.devicePixelRatio || 1, 2);
    const [w, h] = [Math.round(this.canvas.clientWidth * scale), Math.round(this.canvas.clientHeight * scale)];
    if (w && h && (this.canvas.width !== w || this.canvas.height !== h)) [this.canvas.width, this.canvas.height] = [w, h];
    return scale;
  }

  draw(camera, background) {
    const { gl, canvas, buffers } = this;
    if (this.isLost) return;
    const scale = this.resize();
    const matrix = camera.matrix(canvas.width / Math.max(1, canvas.height));
    gl.viewport(0, 0, canvas.width, canvas.height);
    gl.clearColor(...background, 1);
    gl.depthMask(true);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    this.#surfaces(matrix, camera, background);
    const s = this.stroke;
    gl.useProgram(s.made);
    gl.uniformMatrix4fv(s.at.matrix, false, matrix);
    gl.depthMask(false);
    this.#bodyPoints(scale);
    gl.uniform1f(s.at.size, 0);
    this.#strokes('lines', 'lineTints', gl.LINES, this.counts.lines);
    gl.uniform1f(s.at.size, (this.pointSize ?? 7) * scale);
    this.#strokes('points', 'pointTints', gl.POINTS, this.counts.points);
    gl.depthMask(true);
  }

  #attribute(index, buffer, size, type = this.gl.FLOAT, normalized = false) {
    const { gl } = this;
    gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
    gl.enableVertexAttribArray(index);
    gl.vertexAttribPointer(index, size, type, normalized, 0, 0);
  }

  #surfaces(matrix, camera, background) {
    const { gl, buffers, surface: s } = this;
    gl.useProgram(s.made);
    gl.uniformMatrix4fv(s.at.matrix, false, matrix);
    gl.uniform3fv(s.at.eye, camera.eye);
    gl.uniform3fv(s.at.fog, background);
    this.#attribute(0, buffers.positions, 3);
    this.#attribute(1, buffers.normals, 3);
    gl.disableVertexAttribArray(2);
    gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, buffers.triangles);
    gl.enable(gl.POLYGON_OFFSET_FILL);
    gl.polygonOffset(1, 1);
    // What is seen through comes last.
    for (const body of [...this.bodies].sort((a, b) => b.colour[3] - a.colour[3])) {
      if (!body.triangles || body.isHidden) continue;
      gl.depthMask(body.colour[3] === 1);
      gl.uniform4fv(s.at.colour, body.colour);
      gl.uniform1f(s.at.flatness, body.flatness ?? 0);
      gl.uniform1f(s.at.reach, body.reach ?? 0);
      gl.drawElements(gl.TRIANGLES, 3 * body.triangles, gl.UNSIGNED_INT, 12 * body.firstTriangle);
    }
    gl.depthMask(true);
    gl.polygonOffset(0, 0);
    gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, buffers.painted);
    gl.uniform1f(s.at.reach, 0);
    gl.uniform1f(s.at.flatness, 1);
    for (const { first, count, colour, shines } of this.paints) {
      gl.depthFunc(gl.LEQUAL);
      gl.uniform4fv(s.at.colour, colour);
      gl.drawElements(gl.TRIANGLES, count, gl.UNSIGNED_INT, 4 * first);
      if (!shines) continue;
      gl.depthFunc(gl.GREATER);
      gl.depthMask(false);
      gl.uniform4fv(s.at.colour, [colour[0], colour[1], colour[2], 0.28]);
      gl.drawElements(gl.TRIANGLES, count, gl.UNSIGNED_INT, 4 * first);
      gl.depthMask(true);
    }
    gl.depthFunc(gl.LESS);
    gl.disable(gl.POLYGON_OFFSET_FILL);
  }

  /** Bodies without triangles are points. */
  #bodyPoints(scale) {
    const { gl, stroke: s } = this;
    this.#attribute(0, this.buffers.positions, 3);
    gl.disableVertexAttribArray(1);
    gl.disableVertexAttribArray(2);
    gl.depthMask(true);
    for (const body of this.bodies) {
      if (body.triangles || body.isHidden) continue;
      gl.vertexAttrib4fv(2, body.colour);
      gl.uniform1f(s.at.size, (body.pointSize ?? 5) * scale);
      gl.drawArrays(gl.POINTS, body.firstVertex, body.vertices);
    }
    gl.depthMask(false);
  }

  #strokes(name, tints, mode, count) {
    const { gl, buffers } = this;
    if (!count) return;
    this.#attribute(0, buffers[name], 3);
    gl.disableVertexAttribArray(1);
    this.#attribute(2, buffers[tints], 4, gl.UNSIGNED_BYTE, true);
    gl.drawArrays(mode, 0, count);
  }
}
