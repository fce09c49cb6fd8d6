// The page: which frame, which place, what is hidden; everything else follows from these.

const data = JSON.parse(document.getElementById("data").textContent);
const at = (id) => document.getElementById(id);
const state = { frame: 0, place: -1, isGhost: false, hasEdges: false, isThrough: true };
const canvas = at("canvas");
let stage, orbit, timeline, table;
/** Drawing is asked for, and done once per picture of the screen. */
let isAsked = false;
/** The frame whose geometry is on the stage; -1 while it is being unpacked. */
let staged = -1;
let playing = 0;
const stagedChunks = [];
let marks = { positions: new Float32Array(), of: new Uint32Array(), triangles: 0 };

function ask() {
  if (isAsked) return;
  isAsked = true;
  requestAnimationFrame(render);
}

function isDark() {
  return matchMedia("(prefers-color-scheme: dark)").matches;
}

function render(now) {
  isAsked = false;
  const ratio = Math.min(devicePixelRatio || 1, 2);
  const [width, height] = [Math.round(canvas.clientWidth * ratio), Math.round(canvas.clientHeight * ratio)];
  if (canvas.width !== width || canvas.height !== height) [canvas.width, canvas.height] = [width, height];
  if (!width || !height) return;
  const isMoving = orbit.advance(now);
  stage.draw(orbit.camera(width / height), {
    ...state,
    background: isDark() ? [0.075, 0.095, 0.115] : [0.965, 0.973, 0.98],
    highlight: rgb(data.highlight),
    chosen: isDark() ? [1, 0.78, 0.2] : [0.75, 0.0, 0.35],
    dot: 6 * ratio,
  });
  if (isMoving) ask();
}

/** Bodies that keep no positions in this frame stand as in the last frame before it that does. */
function chunksOf(k) {
  for (let i = k; i >= 0; i--) if (data.frames[i].chunks.length) return data.frames[i].chunks;
  const later = data.frames.find((frame) => frame.chunks.length);
  return later ? later.chunks : [];
}

/** Unpacks a frame; only the last one that was asked for is shown. */
async function stageFrame(k) {
  const chunks = chunksOf(k);
  const fresh = await Promise.all(chunks.map(async (chunk, body) => {
    if (stagedChunks[body] === chunk) return null;
    return decodePoints(data.points[chunk], await unpack(`p${chunk}`), data.centre);
  }));
  const head = data.marks[k];
  const [points, of] = await Promise.all([unpack(`m${k}`), unpack(`o${k}`)]);
  if (state.frame !== k) return;
  fresh.forEach((positions, body) => {
    if (!positions) return;
    stage.setPositions(body, positions);
    stagedChunks[body] = chunks[body];
  });
  marks = { positions: decodePoints(head, points, data.centre), of: decodeNumbers(of, 2), triangles: head.triangles };
  staged = k;
  stageMarks();
}

/** Marks of the bodies that are shown; those of the place in hand stand together. */
function stageMarks() {
  const { positions, of, triangles } = marks;
  const count = of.length / 2;
  const isHere = (i) => of[2 * i + 1] === state.place;
  const order = { triangles: [], dots: [] };
  for (const wanted of [true, false]) {
    for (let i = 0; i < count; i++) {
      if (isHere(i) !== wanted || !stage.bodies[of[2 * i]].isShown) continue;
      (i < triangles ? order.triangles : order.dots).push(i);
    }
  }
  const out = new Float32Array(9 * order.triangles.length + 3 * order.dots.length);
  order.triangles.forEach((i, n) => out.set(positions.subarray(9 * i, 9 * i + 9), 9 * n));
  const start = 9 * order.triangles.length;
  const from = 9 * triangles;
  order.dots.forEach((i, n) => {
    const at = from + 3 * (i - triangles);
    out.set(positions.subarray(at, at + 3), start + 3 * n);
  });
  const chosen = [0, order.triangles.filter(isHere).length];
  const chosenDots = [0, order.dots.filter(isHere).length];
  stage.setMarks(out, order.triangles.length, order.dots.length, chosen, chosenDots);
  ask();
}

/** What is in hand, in words. */
function label() {
  const frame = data.frames[state.frame];
  const words = [];
  if (data.frames.length > 1) words.push(`Frame ${frame.frame}${frame.name ? ` (${frame.name})` : ""}`);
  if (frame.problem) words.push(`not checked: ${frame.problem}`);
  const place = frame.places[state.place];
  if (place) {
    const who = whoOf(data.bodies, place);
    const what = place.pairs ? `${digits.format(place.pairs)} pairs` : `${digits.format(place.inside)} vertices inside`;
    words.push(`place ${state.place + 1} of ${frame.places.length}: ${who}, ${what}, depth ${real(place.depth)}`);
  } else if (!frame.problem) {
    const hits = hitsOf(frame);
    words.push(hits ? `${digits.format(hits)} hits in ${frame.places.length} places` : "nothing collides");
  }
  at("label").textContent = words.join(" · ");
}

/** Goes to a frame; the view stays. */
async function showFrame(k) {
  state.frame = clamp(k, 0, data.frames.length - 1);
  state.place = -1;
  timeline.show(state.frame);
  table.show(state.frame, -1);
  label();
  await stageFrame(state.frame);
}

/** Goes to a place of a frame and looks at it from where it is seen best. */
async function showPlace(k, place) {
  stop();
  [state.frame, state.place] = [k, place];
  timeline.show(k);
  table.show(k, place);
  label();
  if (staged === k) stageMarks();
  else await stageFrame(k);
  if (state.frame !== k || state.place !== place) return;
  const row = data.frames[k].places[place];
  const target = sub(row.centre, data.centre);
  const distance = orbit.distanceFor(Math.max(0.8 * row.size, 0.03 * data.radius));
  orbit.goTo(bestPose(target, distance));
}

/** Of some directions, the one from which most of the place can be seen; the present one wins a tie. */
function bestPose(target, distance) {
  const total = data.bodies.reduce((sum, body) => sum + body.drawn, 0);
  const yaws = total > 400000 ? 6 : 12;
  let best = { ...orbit.pose, target, distance };
  let most = stage.visible(orbit.camera(1, best)) * 1.3;
  for (const pitch of [0.3, -0.35, 1.0]) {
    for (let i = 0; i < yaws; i++) {
      const pose = { target, distance, pitch, yaw: (2 * Math.PI * i) / yaws + 0.4 };
      const seen = stage.visible(orbit.camera(1, pose)) * (pitch > 0.9 || pitch < 0 ? 0.85 : 1);
      if (seen > most) [best, most] = [pose, seen];
    }
  }
  return best;
}

function fit() {
  orbit.goTo({ ...orbit.pose, target: [0, 0, 0], distance: orbit.distanceFor(data.radius) });
}

function step(by) {
  const count = data.frames[state.frame].places.length;
  if (count) showPlace(state.frame, (Math.max(state.place, by < 0 ? 0 : -1) + by + count) % count);
}

function showWorst() {
  if (data.worst.length) showPlace(data.worst[0], 0);
}

function toggle(name, button) {
  state[name] = !state[name];
  at(button).ariaPressed = String(state[name]);
  ask();
}

function showBody(k, isShown) {
  stage.bodies[k].isShown = isShown;
  at(`body-${k}`).checked = isShown;
  stageMarks();
}

function stop() {
  clearTimeout(playing);
  playing = 0;
  at("play").textContent = "▶";
}

async function play() {
  if (playing) return stop();
  at("play").textContent = "❚❚";
  const advance = async () => {
    const start = performance.now();
    await showFrame((state.frame + 1) % data.frames.length);
    if (playing) playing = setTimeout(advance, Math.max(0, 60 - (performance.now() - start)));
  };
  playing = setTimeout(advance, 0);
}

function key(event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const isField = event.target.matches("input:not([type=checkbox]), select, textarea");
  const isButton = event.target.matches("button, summary, input");
  if (isField) return;
  // Arrow keys belong to the view only while it has the focus: elsewhere they scroll.
  if ((event.target === canvas || !event.key.startsWith("Arrow")) && orbit.key(event)) return event.preventDefault();
  const actions = {
    n: () => step(1), p: () => step(-1), w: showWorst, f: fit,
    ",": () => showFrame(state.frame - 1), ".": () => showFrame(state.frame + 1),
    g: () => toggle("isGhost", "ghost"), e: () => toggle("hasEdges", "edges"), x: () => toggle("isThrough", "through"),
    " ": isButton || data.frames.length < 2 ? null : play,
  };
  const digit = Number(event.key);
  if (digit >= 1 && digit <= stage.bodies.length) showBody(digit - 1, !stage.bodies[digit - 1].isShown);
  else if (actions[event.key]) actions[event.key]();
  else return;
  event.preventDefault();
}

/** Looks at the point of a body under a double click: the nearest vertex along the ray. */
function lookAt(event) {
  const box = canvas.getBoundingClientRect();
  const camera = orbit.camera(box.width / box.height);
  const x = ((event.clientX - box.left) / box.width) * 2 - 1;
  const y = 1 - ((event.clientY - box.top) / box.height) * 2;
  const ray = unit(add(add(scale(camera.right, x / camera.fx), scale(camera.up, y / camera.fy)), scale(camera.back, -1)));
  const centre = sub(orbit.pose.target, camera.eye);
  const target = add(camera.eye, scale(ray, dot(centre, ray)));
  orbit.goTo({ ...orbit.pose, target, distance: orbit.pose.distance * 0.6 });
}

async function start() {
  stage = new Stage(canvas);
  orbit = new Orbit(data.up, data.radius, ask);
  orbit.pose.distance = orbit.distanceFor(data.radius);
  for (let k = 0; k < data.bodies.length; k++) {
    stage.addBody(rgb(data.bodies[k].color), decodeNumbers(await unpack(`t${k}`), 3));
  }
  listBodies(data.bodies, showBody);
  timeline = new Timeline(data.frames, data.worst, (k) => {
    stop();
    showFrame(k);
  });
  table = new PlaceTable(data, showPlace);
  orbit.listen(canvas);
  canvas.addEventListener("dblclick", lookAt);
  document.addEventListener("keydown", key);
  const clicks = {
    worst: showWorst, previous: () => step(-1), next: () => step(1), fit,
    ghost: () => toggle("isGhost", "ghost"), edges: () => toggle("hasEdges", "edges"),
    through: () => toggle("isThrough", "through"), play,
    before: () => showFrame(state.frame - 1), after: () => showFrame(state.frame + 1),
  };
  for (const [id, action] of Object.entries(clicks)) at(id).addEventListener("click", action);
  for (const id of ["worst", "previous", "next"]) at(id).disabled = !data.worst.length;
  for (const thumb of document.querySelectorAll(".thumb")) {
    thumb.addEventListener("click", () => {
      showPlace(Number(thumb.dataset.frame), Number(thumb.dataset.place));
      at("view").scrollIntoView({ block: "nearest" });
    });
  }
  new ResizeObserver(ask).observe(canvas);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", ask);
  // For whoever drives the page by a script: where one looks from, in the coordinates of the files.
  window.crumple = Object.freeze({
    showFrame, showPlace,
    camera: () => ({
      eye: add(orbit.camera(1).eye, data.centre), target: add(orbit.pose.target, data.centre), up: orbit.up,
      fieldOfView: orbit.fieldOfView, isMoving: Boolean(orbit.goal),
    }),
    state: () => ({ ...state, staged }),
    /** Whether what was asked for is on the screen: the frame unpacked, the camera there, nothing left to draw. */
    isSettled: () => staged === state.frame && !orbit.goal && !isAsked,
  });
  // The worst frame is shown first, whole; a click goes to its worst place.
  await showFrame(data.worst.length ? data.worst[0] : 0);
  canvas.dataset.ready = "true";
}

if (data.frames.length && data.bodies.length) {
  start().catch((error) => {
    at("trouble").textContent = `The view cannot be shown: ${error.message}. The pictures and notes are complete.`;
    at("trouble").hidden = false;
    throw error;
  });
} else {
  at("trouble").textContent = "No frame could be checked; the notes say why.";
  at("trouble").hidden = false;
}
