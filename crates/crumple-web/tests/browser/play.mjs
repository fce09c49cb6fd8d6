// The playground: pulling moves, cutting opens, nothing crosses, memory does not grow.
import assert from 'node:assert/strict';

const SCENES = ['cloth', 'pile', 'organ', 'snow', 'knot'];
const started = (page) => page.waitForFunction(() => document.getElementById('panel').dataset.state === 'running' && window.crumplePage.views.play.bodies);
const pause = (page) => page.evaluate(() => window.crumplePage.views.play.pause(true));
const call = (page, ...args) => page.evaluate((a) => window.crumplePage.engine.call(...a), args);

/** How high the highest vertex of a body is. */
const height = (page, body) => page.evaluate(async (k) => {
  const { positions } = await window.crumplePage.engine.call('look', {});
  const { ranges } = window.crumplePage.views.play;
  let highest = -Infinity;
  for (let v = ranges[4 * k]; v < ranges[4 * k] + ranges[4 * k + 1]; v++) highest = Math.max(highest, positions[3 * v + 1]);
  return highest;
}, body);

/** Every scene for 600 frames: exact detection finds nothing in any of them. */
const free = Object.fromEntries(SCENES.map((scene) => [`${scene}: 600 frames without an intersection`, async ({ open }) => {
  const { page, close } = await open(`play/${scene}`);
  await started(page);
  await pause(page);
  let seconds = 0;
  for (let done = 0; done < 600; done += 20) {
    // The organ is cut through on the way.
    const strokes = scene === 'organ' && done === 100 ? [{ from: [[0.05, 1.4, 1], [0.05, 1.4, -1]], to: [[0.1, 0.2, 1], [0.1, 0.2, -1]] }] : [];
    const frame = await call(page, 'step', { dt: 1 / 60, steps: 20, strokes });
    if (strokes.length) assert.ok(frame.cut.parted > 20, JSON.stringify(frame.cut));
    assert.equal(frame.most, 0, `${frame.most} intersections near frame ${done}`);
    seconds += 20 * frame.seconds.step;
  }
  await close();
  return `${((1000 * seconds) / 600).toFixed(2)} ms a step`;
}]));

export const tests = {
  async 'pulling lifts the cloth'({ open }) {
    const { page, close } = await open('play/cloth');
    await started(page);
    await pause(page);
    // It lies on the ball by then.
    await call(page, 'step', { dt: 1 / 60, steps: 200 });
    const before = await height(page, 0);
    await page.evaluate(() => window.crumplePage.views.play.look());
    const box = await page.locator('#canvas').boundingBox();
    const [x, y] = [box.x + box.width / 2, box.y + box.height * 0.3];
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.waitForFunction(() => [...window.crumplePage.views.play.holders].some((h) => h.grab !== undefined));
    await page.mouse.move(x, y - 200, { steps: 8 });
    const pulls = await page.evaluate(() => window.crumplePage.views.play.orders().pulls);
    assert.equal(pulls.length, 1);
    const frame = await call(page, 'step', { dt: 1 / 60, steps: 60, pulls });
    assert.equal(frame.most, 0);
    await page.mouse.up();
    const after = await height(page, 0);
    assert.ok(after > before + 0.1, `the cloth's top was at ${before}, is at ${after}`);
    await page.evaluate(() => window.crumplePage.views.play.look());
    await page.screenshot({ path: 'screenshots/cloth-pulled.png', timeout: 120_000 });
    assert.equal(await page.evaluate(() => window.crumplePage.views.play.holders.size), 0);
    await close();
    return `its top from ${before.toFixed(3)} to ${after.toFixed(3)}`;
  },

  async 'a finger pulls, too'({ open }) {
    const { page, close } = await open('play/pile', { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
    await started(page);
    await pause(page);
    await call(page, 'step', { dt: 1 / 60, steps: 40 });
    await page.evaluate(() => window.crumplePage.views.play.look());
    const session = await page.context().newCDPSession(page);
    const box = await page.locator('#canvas').boundingBox();
    const touch = (type, y) => session.send('Input.dispatchTouchEvent', { type, touchPoints: type === 'touchEnd' ? [] : [{ x: box.x + box.width / 2, y }] });
    const y = box.y + box.height * 0.55;
    await touch('touchStart', y);
    await page.waitForFunction(() => [...window.crumplePage.views.play.holders].some((h) => h.grab !== undefined));
    await touch('touchMove', y - 80);
    const [pull] = await page.evaluate(() => window.crumplePage.views.play.orders().pulls);
    assert.ok(pull.to.every(Number.isFinite));
    await touch('touchEnd');
    await page.waitForFunction(() => window.crumplePage.views.play.holders.size === 0);
    await close();
  },

  async 'a blade opens the organ'({ open }) {
    const { page, close } = await open('play/organ');
    await started(page);
    await pause(page);
    const vertices = () => page.evaluate(async () => (await window.crumplePage.engine.call('look', { all: true })).positions.length / 3);
    const before = await vertices();
    const box = await page.locator('#canvas').boundingBox();
    const x = box.x + box.width / 2;
    await page.mouse.move(x, box.y + box.height * 0.2);
    await page.mouse.down();
    await page.mouse.move(x + 10, box.y + box.height * 0.8, { steps: 20 });
    await page.mouse.up();
    const strokes = await page.evaluate(() => window.crumplePage.views.play.orders().strokes);
    assert.ok(strokes.length >= 10);
    const frame = await call(page, 'step', { dt: 1 / 60, strokes });
    assert.ok(frame.cut.parted > 20 && frame.cut.opened > 10, JSON.stringify(frame.cut));
    assert.equal(frame.most, 0);
    const rest = await call(page, 'step', { dt: 1 / 60, steps: 60 });
    assert.equal(rest.most, 0);
    const after = await vertices();
    assert.equal(after - before, frame.cut.opened);
    await page.evaluate(() => window.crumplePage.views.play.look());
    await page.waitForTimeout(300);
    await page.screenshot({ path: 'screenshots/organ-cut.png' });
    await close();
    return `${frame.cut.parted} facets parted, ${frame.cut.opened} vertices became two`;
  },

  ...free,

  ...Object.fromEntries(['sheets', 'shirt'].map((scene) => [`${scene}: one button untangles, and nothing crosses from then on`, async ({ open }) => {
    const { page, close } = await open(`play/${scene}`);
    await started(page);
    const before = await page.evaluate(() => window.crumplePage.views.play.lastFrame.report.intersections);
    assert.ok(before > 50, `${before} pairs are too few for a test`);
    // Looking again does not change what is there.
    await page.evaluate(() => window.crumplePage.views.play.look());
    assert.equal(Number((await page.textContent('#verdict b')).replaceAll(',', '')), before);
    await page.screenshot({ path: `screenshots/${scene}-tangled.png`, timeout: 120_000 });
    await page.evaluate(() => { window.crumplePage.views.play.isPaused = true; });
    await page.click('#untangle');
    await page.waitForFunction(() => !window.crumplePage.views.play.isTangled);
    for (let done = 0; done < 600; done += 20) {
      const frame = await call(page, 'step', { dt: 1 / 60, steps: 20 });
      assert.equal(frame.most, 0, `${frame.most} intersections near frame ${done}`);
    }
    await close();
    return `${before} pairs, then 600 frames without one`;
  }])),

  async 'memory does not grow'({ open }) {
    const { page, close } = await open('play/knot');
    await started(page);
    await pause(page);
    const memory = () => call(page, 'memory');
    const play = async () => {
      for (let k = 0; k < 4; k++) {
        await call(page, 'world', 'knot');
        await call(page, 'step', { dt: 1 / 60, steps: 60, drawing: 'answering' });
      }
    };
    await play();
    const warm = await memory();
    await play();
    await play();
    const later = await memory();
    assert.equal(later, warm, `${warm} bytes became ${later}`);
    await close();
    return `${(later / 2 ** 20).toFixed(0)} MB after 12 worlds`;
  },
};
