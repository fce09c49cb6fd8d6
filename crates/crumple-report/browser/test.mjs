// Loads reports in a browser and looks: pixels, keys, names, content policy, phone width.

import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { join } from "node:path";
import { rmSync } from "node:fs";
import * as fixtures from "./fixtures.mjs";

const require = createRequire(join(process.env.CRUMPLE_NODE_MODULES, "_"));
const puppeteer = require("puppeteer-core");

/** Generous: a busy machine draws a frame a second by software. What is waited for is a condition, never a time. */
const PATIENCE = 300_000;

const browser = await puppeteer.launch({
  executablePath: process.env.BROWSER,
  timeout: PATIENCE,
  protocolTimeout: PATIENCE,
  args: ["--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist"],
});

/** A page that collects whatever it complains about and whatever it asks the network for. */
async function open(url, { width = 1280, height = 900, dark = false } = {}) {
  const page = await browser.newPage();
  page.complaints = [];
  page.requests = [];
  page.on("console", (message) => {
    if (["error", "warn"].includes(message.type())) page.complaints.push(message.text());
  });
  page.on("pageerror", (error) => page.complaints.push(String(error)));
  page.on("request", (request) => {
    if (!request.url().startsWith("data:") && request.url() !== url) page.requests.push(request.url());
  });
  await page.emulateMediaFeatures([
    { name: "prefers-color-scheme", value: dark ? "dark" : "light" },
    { name: "prefers-reduced-motion", value: "reduce" },
  ]);
  page.setDefaultTimeout(PATIENCE);
  await page.setViewport({ width, height, deviceScaleFactor: 1 });
  await page.goto(url);
  await page.waitForSelector("#canvas[data-ready]");
  await settled(page);
  return page;
}

/** What was asked for is drawn, and the picture handed over. */
async function settled(page) {
  const twoPictures = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  await page.evaluate(twoPictures);
  await page.waitForFunction(() => window.crumple.isSettled(), { polling: 50 });
  await page.evaluate(twoPictures);
}

/** Where a point of the files is on the canvas, by our own projection: the page's camera is only asked for its place. */
async function project(page, point) {
  const { camera, size } = await page.evaluate(() => {
    const canvas = document.getElementById("canvas");
    return { camera: window.crumple.camera(), size: [canvas.width, canvas.height] };
  });
  const minus = (a, b) => a.map((x, k) => x - b[k]);
  const dot = (a, b) => a.reduce((sum, x, k) => sum + x * b[k], 0);
  const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
  const unit = (a) => a.map((x) => x / Math.sqrt(dot(a, a)));
  const forward = unit(minus(camera.target, camera.eye));
  const right = unit(cross(forward, camera.up));
  const up = cross(right, forward);
  const away = minus(point, camera.eye);
  const depth = dot(away, forward);
  const focal = Math.min(...size) / 2 / Math.tan(camera.fieldOfView / 2);
  return [size[0] / 2 + (focal * dot(away, right)) / depth, size[1] / 2 - (focal * dot(away, up)) / depth].map(Math.round);
}

/** The colour of a pixel of the canvas, counted from the top left. */
const pixel = (page, [x, y]) =>
  page.evaluate((x, y) => {
    const canvas = document.getElementById("canvas");
    const flat = document.createElement("canvas");
    [flat.width, flat.height] = [canvas.width, canvas.height];
    const context = flat.getContext("2d");
    context.drawImage(canvas, 0, 0);
    return [...context.getImageData(x, y, 1, 1).data].slice(0, 3);
  }, x, y);

/** Colliding triangles are warm: red well above green, whichever of the two shades. The bodies here are steel and sand. */
const isHot = ([r, g, b]) => r > g + 60 && r > 110 && (b < r - 30 || g < 80);
const isSteel = ([r, , b]) => b > r + 10;

/** Points of a triangle well inside it. */
const inner = ([a, b, c]) =>
  [[0.6, 0.2], [0.2, 0.6], [0.2, 0.2], [0.4, 0.4], [0.33, 0.33]].map(([u, v]) =>
    a.map((x, k) => u * x + v * b[k] + (1 - u - v) * c[k]));

async function colours(page, triangle) {
  const out = [];
  for (const point of inner(triangle)) out.push(await pixel(page, await project(page, point)));
  return out;
}

const tests = {
  async "draws the colliding triangles where they are"() {
    const page = await open(fixtures.spike());
    await page.click("#fit");
    await settled(page);
    const [a, b, c, d] = fixtures.SHEET;
    const hit = await colours(page, [a, b, c]);
    const clear = await colours(page, [a, c, d]);
    // The spike stands before one or the other point.
    assert.ok(hit.filter(isHot).length >= 4, `the first triangle collides: ${JSON.stringify(hit)}`);
    assert.ok(clear.filter(isSteel).length >= 4, `the second one does not: ${JSON.stringify(clear)}`);
    const outside = await pixel(page, await project(page, [-1.2, 2, 0]));
    assert.ok(!isHot(outside) && outside.every((x) => x > 235), `nothing is drawn beside: ${outside}`);
    // Hidden, the sheet and its mark are gone.
    await page.click("#body-0");
    await settled(page);
    assert.ok((await colours(page, [a, b, c])).filter(isHot).length <= 1);
    assert.ok((await colours(page, [a, c, d])).filter(isSteel).length === 0);
    assert.deepEqual(page.complaints, []);
    assert.deepEqual(page.requests, []);
    await page.close();
  },

  async "jumps to a place"() {
    const page = await open(fixtures.spike());
    await page.click("#worst");
    await settled(page);
    const [x, y] = await project(page, [3 + 0.2 / 3, 0.8, 0]);
    const size = await page.evaluate(() => [document.getElementById("canvas").width, document.getElementById("canvas").height]);
    assert.ok(Math.abs(x - size[0] / 2) < 60 && Math.abs(y - size[1] / 2) < 60, `the crossing is in the middle: ${x} ${y} of ${size}`);
    assert.match(await page.$eval("#label", (e) => e.textContent), /place 1 of 1: .*1 pairs, depth 0.5/);
    await page.close();
  },

  async "a body called <script> is text"() {
    const page = await open(fixtures.spike());
    const name = "<script>window.hacked=3<script>.obj";
    assert.equal(await page.$eval(".body .name", (e) => e.textContent), name);
    const cell = await page.$eval("#places td.text", (e) => e.textContent);
    assert.ok(cell.startsWith(`${name} (</script><script>window.hacked=1</script> / <img src=x`), cell);
    assert.ok((await page.title()).startsWith(name));
    assert.equal(await page.evaluate(() => window.hacked), undefined);
    // Not even a script that got in would run.
    await page.evaluate(() => {
      const script = document.createElement("script");
      script.textContent = "window.hacked = 4";
      document.body.append(script);
    });
    assert.equal(await page.evaluate(() => window.hacked), undefined);
    assert.ok(page.complaints.length === 1 && page.complaints[0].includes("Content Security Policy"), String(page.complaints));
    await page.close();
  },

  async "the table copies as CSV"() {
    const page = await open(fixtures.spike());
    await page.evaluate(() => {
      Object.defineProperty(navigator, "clipboard", { value: { writeText: async (text) => (window.copied = text) } });
    });
    await page.click("#copy");
    await page.waitForFunction(() => window.copied);
    const lines = (await page.evaluate(() => window.copied)).trim().split("\n");
    assert.equal(lines[0], "place,bodies,pairs,crossing,size,depth,x,y,z");
    assert.equal(lines.length, 2);
    assert.match(lines[1], /^1,"<script>.* with =spike ""x"" & co\.obj",1,0\.\d+,0\.\d+,0\.5,3\.\d+,0\.8,0$/);
    await page.close();
  },

  async "works by keyboard alone"() {
    const page = await open(fixtures.sequence());
    const state = () => page.evaluate(() => ({ ...window.crumple.state(), ...window.crumple.camera() }));
    for (let i = 0; i < 40; i++) {
      await page.keyboard.press("Tab");
      if (await page.evaluate(() => document.activeElement.id === "canvas")) break;
    }
    const before = await state();
    assert.equal(await page.evaluate(() => document.activeElement.id), "canvas");
    await page.keyboard.press("ArrowRight");
    const turned = await state();
    assert.notDeepEqual(turned.eye, before.eye);
    assert.deepEqual(turned.target, before.target);
    await page.keyboard.press("+");
    const near = await state();
    const distance = (s) => Math.hypot(...s.eye.map((x, k) => x - s.target[k]));
    assert.ok(distance(near) < distance(turned));
    await page.keyboard.press("w");
    await settled(page);
    assert.deepEqual([(await state()).frame, (await state()).place], [3, 0]);
    await page.keyboard.press(",");
    await settled(page);
    assert.equal((await state()).staged, 2);
    await page.keyboard.press("n");
    assert.equal((await state()).place, 0);
    await page.keyboard.press("g");
    assert.equal((await state()).isGhost, true);
    // Buttons are reached and pressed too.
    for (let i = 0; i < 40; i++) {
      await page.keyboard.press("Tab");
      if (await page.evaluate(() => document.activeElement.id === "edges")) break;
    }
    await page.keyboard.press("Enter");
    assert.equal((await state()).hasEdges, true);
    assert.deepEqual(page.complaints, []);
    await page.close();
  },

  async "shows a sequence, its worst frame first"() {
    const page = await open(fixtures.sequence());
    const state = () => page.evaluate(() => window.crumple.state());
    assert.equal((await state()).frame, 3, "frame 3 has two spikes through the sheet");
    assert.equal(await page.$$eval(".thumb", (all) => all.length), 3);
    await page.click("#fit");
    const [a, b, c] = fixtures.SHEET;
    for (const [frame, hot] of [[1, false], [2, true], [4, true]]) {
      await page.evaluate((k) => window.crumple.showFrame(k), frame);
      await settled(page);
      const seen = await colours(page, [a, b, c]);
      assert.equal(seen.filter(isHot).length >= 3, hot, `frame ${frame}: ${JSON.stringify(seen)}`);
    }
    // The mark of the moving body moved with it: its upper part, seen from the side.
    await page.evaluate(() => window.crumple.showFrame(4));
    await settled(page);
    const [x, y] = await project(page, [3.05, 0.8, 0.55]);
    assert.ok(isHot(await pixel(page, [x, y])), "the spike of frame 4 stands at x = 3");
    // The frame with other faces is a row that says so.
    assert.match(await page.$eval("#notes", (e) => e.textContent), /Frame 5 \(spike_5\.obj\) was not checked: .*3 vertices, against 6/);
    await page.evaluate(() => window.crumple.showFrame(5));
    await settled(page);
    assert.match(await page.$eval("#label", (e) => e.textContent), /Frame 5 .*not checked/);
    await page.click("#all-frames");
    assert.equal(await page.$$eval("#places tbody tr", (all) => all.length), 3);
    await page.click("#places tbody tr:nth-child(2)");
    await settled(page);
    assert.equal((await state()).place >= 0, true);
    assert.deepEqual(page.complaints, []);
    await page.close();
  },

  async "shows solids with the vertices inside them"() {
    const page = await open(fixtures.tets());
    await page.keyboard.press("n");
    await settled(page);
    assert.match(await page.$eval("#label", (e) => e.textContent), /small\.mesh|large\.mesh/);
    assert.match(await page.$eval("#places thead", (e) => e.textContent), /vertices inside/);
    const seen = await pixel(page, await project(page, [0.5, 0.5, 0.5]));
    assert.ok(isHot(seen), `the corner inside shines through: ${seen}`);
    assert.deepEqual(page.complaints, []);
    await page.close();
  },

  async "a clean mesh says so"() {
    const page = await open(fixtures.clean());
    assert.match(await page.$eval(".verdict", (e) => e.textContent), /clear\s+Nothing collides/);
    assert.ok(await page.$eval("#worst", (e) => e.disabled));
    assert.deepEqual(page.complaints, []);
    await page.close();
  },

  async "fits a phone, light and dark"() {
    for (const dark of [false, true]) {
      const page = await open(fixtures.sequence(), { width: 390, height: 844, dark });
      const [wide, inner] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
      assert.ok(wide <= inner, `${wide} of ${inner} pixels wide`);
      const small = await page.$$eval(".bar button, .scrub button", (all) => all.filter((b) => b.offsetHeight < 40).length);
      assert.equal(small, 0, "buttons are large enough for a finger");
      const corner = await pixel(page, [3, 3]);
      assert.equal(corner.every((x) => x < 60), dark, `background ${corner}`);
      assert.deepEqual(page.complaints, []);
      await page.close();
    }
  },
};

let failed = 0;
const wanted = process.argv[2];
for (const [name, test] of Object.entries(tests)) {
  if (wanted && !name.includes(wanted)) continue;
  try {
    await test();
    console.log(`ok    ${name}`);
  } catch (error) {
    failed++;
    console.log(`FAIL  ${name}\n      ${error.message.replaceAll("\n", "\n      ")}`);
  }
}
await browser.close();
console.log(failed ? `${failed} failed` : "all passed");
rmSync(fixtures.folder, { recursive: true, force: true });
process.exit(failed ? 1 : 0);
