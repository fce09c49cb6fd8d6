// The page itself: it loads and asks nothing of anyone else, goes on without a network, follows light and dark, keys and reduced motion, and
// says what it misses.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

const started = (page) => page.waitForFunction(() => document.getElementById('panel').dataset.state === 'running' && window.crumplePage.views.play.bodies);
const call = (page, ...args) => page.evaluate((a) => window.crumplePage.engine.call(...a), args);

export const tests = {
  async 'the page loads without a complaint'({ open, url }) {
    const { page, close } = await open('play/cloth');
    await started(page);
    await page.waitForFunction(() => window.crumplePage.views.play.frames > 0);
    const ready = await page.evaluate(() => performance.now());
    const { build } = await call(page, 'ready');
    for (const hash of ['files', 'papers/volino', 'play/knot']) {
      await page.evaluate((h) => { location.hash = h; }, hash);
      await page.waitForTimeout(600);
    }
    // Nothing is asked of any other place.
    const foreign = await page.evaluate(() => performance.getEntriesByType('resource').map((r) => r.name));
    assert.deepEqual(foreign.filter((name) => !name.startsWith(url)), []);
    await close();
    return `${build} build, first step shown after ${ready.toFixed(0)} ms`;
  },

  'each build of the module is small': async () => {
    const builds = ['simd', 'scalar'].map((build) => join(process.env.DIST ?? 'dist', build, 'crumple_web_bg.wasm')).filter(existsSync);
    assert.ok(builds.length > 0);
    return builds.map((path) => {
      const bytes = gzipSync(readFileSync(path), { level: 9 }).length;
      assert.ok(bytes < 2.5e6, `${path} has ${bytes} bytes, compressed`);
      return `${path}: ${(bytes / 1e6).toFixed(2)} MB compressed`;
    }).join(', ');
  },

  async 'hints name what is at hand: a mouse and keys, or fingers'({ open }) {
    for (const [options, wanted, other] of [[{}, /wheel.*space/, /finger/], [{ hasTouch: true, isMobile: true }, /two fingers/, /wheel|space/]]) {
      const { page, close } = await open('play/sheets', options);
      await started(page);
      const hint = await page.textContent('#hint');
      assert.match(hint, wanted);
      assert.doesNotMatch(hint, other);
      await close();
    }
  },

  async 'without a network it goes on'({ open }) {
    const { page, close, errors } = await open('play/knot');
    await started(page);
    await page.context().setOffline(true);
    await page.evaluate(() => { location.hash = 'files'; });
    await page.click('text="Try an example"');
    await page.waitForFunction(() => document.getElementById('panel').dataset.state === 'checked');
    assert.ok(Number((await page.textContent('#verdict b')).replaceAll(',', '')) > 0);
    await page.evaluate(() => { location.hash = 'papers/teschner'; });
    await page.waitForFunction(() => document.querySelector('#live dl'));
    // The browser asks for the tab's icon again, for itself.
    const others = errors.filter((error) => !error.endsWith('/icon.svg'));
    errors.splice(0, errors.length, ...others);
    await close();
  },

  async 'the program serves it, with its own rules of safety'({ open }) {
    const { CRUMPLE } = process.env;
    const embedded = spawnSync(CRUMPLE, ['page', '--to', join(mkdtempSync(join(tmpdir(), 'page-')), 'page')]).status === 0;
    if (!embedded) return 'not tested: the program was built before the page';
    const server = spawn(CRUMPLE, ['page', '--port', '0'], { stdio: ['ignore', 'pipe', 'inherit'] });
    try {
      const line = await new Promise((resolve) => { server.stdout.once('data', (data) => resolve(String(data))); });
      const [address] = line.match(/http:\/\/127\.0\.0\.1:\d+\//);
      const { page, close } = await open('play/knot', {}, address);
      await started(page);
      await page.waitForFunction(() => window.crumplePage.views.play.frames > 2);
      await page.evaluate(() => { location.hash = 'papers/madera'; });
      await page.waitForFunction(() => document.querySelector('#live dl'));
      await close();
      return address;
    } finally {
      server.kill();
    }
  },

  async 'light and dark: as the system says, or as was chosen'({ open }) {
    const { page, close } = await open('files', { colorScheme: 'dark' });
    const theme = () => page.evaluate(() => document.documentElement.dataset.theme);
    const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    await page.waitForSelector('#panel button');
    assert.equal(await theme(), 'dark');
    const dark = await ground();
    await page.click('#theme');
    assert.equal(await theme(), 'light');
    assert.notEqual(await ground(), dark);
    await page.reload();
    await page.waitForSelector('#panel button');
    assert.equal(await theme(), 'light');
    await close();
  },

  async 'reduced motion starts paused; keys work'({ open }) {
    const { page, close } = await open('play/knot', { reducedMotion: 'reduce' });
    await started(page);
    await page.waitForTimeout(500);
    assert.equal(await page.evaluate(() => window.crumplePage.views.play.frames), 0);
    await page.focus('#canvas');
    await page.keyboard.press('.');
    await page.waitForFunction(() => window.crumplePage.views.play.frames === 1);
    const yaw = await page.evaluate(() => window.crumplePage.stage.camera.yaw);
    await page.keyboard.press('ArrowLeft');
    assert.notEqual(await page.evaluate(() => window.crumplePage.stage.camera.yaw), yaw);
    await page.keyboard.press(' ');
    await page.waitForFunction(() => window.crumplePage.views.play.frames > 2);
    await page.keyboard.press('1');
    await page.waitForFunction(() => window.crumplePage.views.play.scene === 'cloth');
    await close();
  },

  async 'without WebGL or WebAssembly the page says so'({ open }) {
    const said = async (script, word) => {
      const { page, close } = await open('files');
      await page.addInitScript(script);
      await page.reload();
      await page.waitForSelector('#message:not([hidden])');
      assert.match(await page.textContent('#message'), word);
      await close();
    };
    await said('HTMLCanvasElement.prototype.getContext = () => null;', /WebGL 2/);
    await said('delete window.WebAssembly;', /WebAssembly/);
  },
};
