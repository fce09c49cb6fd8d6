// Every scene as a picture, on desktop and phone, light and dark: to be looked at.
import assert from 'node:assert/strict';

const PLAY = { cloth: 110, pile: 110, organ: 20, snow: 150, knot: 60, sheets: 0, shirt: 0 };
const PAPERS = ['volino', 'ganovelli', 'teschner', 'heidelberger', 'madera'];
const DESKTOP = { viewport: { width: 1300, height: 820 } };
const PHONE = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, hasTouch: true, isMobile: true };

/** As it is, and in the dark; nothing may be cut off or wider than the screen. */
async function taken(page, file) {
  await page.screenshot({ path: `screenshots/${file}.png`, timeout: 120_000 });
  const cut = await page.evaluate(() => {
    const isCut = (e) => e.scrollWidth > e.clientWidth + 1;
    return ['html', 'nav', '#panel', '#live'].filter((name) => { const e = document.querySelector(name); return e && isCut(e); });
  });
  assert.deepEqual(cut, [], 'what is wider than its place');
  await page.click('#theme');
  await page.waitForTimeout(250);
  assert.ok((await colours(page)) > 30, 'the picture is empty in the dark');
  await page.screenshot({ path: `screenshots/${file}-dark.png`, timeout: 120_000 });
}

/** How many different colours the canvas shows, roughly: an empty one shows a few. */
const colours = (page) => page.evaluate(() => {
  const { stage } = window.crumplePage;
  stage.drawNow();
  const { gl } = stage.picture;
  const [w, h] = [gl.drawingBufferWidth, gl.drawingBufferHeight];
  const bytes = new Uint8Array(4 * w * h);
  gl.readPixels(0, 0, w, h, gl.RGBA, gl.UNSIGNED_BYTE, bytes);
  const seen = new Set();
  for (let i = 0; i < bytes.length; i += 28) seen.add((bytes[i] >> 3) << 10 | (bytes[i + 1] >> 3) << 5 | bytes[i + 2] >> 3);
  return seen.size;
});

async function play(open, scene, name, options) {
  const { page, close } = await open(`play/${scene}`, options);
  await page.waitForFunction(() => document.getElementById('panel').dataset.state === 'running' && window.crumplePage.views.play.bodies);
  await page.evaluate(() => window.crumplePage.views.play.pause(true));
  await page.evaluate(async (steps) => {
    const { play } = window.crumplePage.views;
    if (steps === 0) return; // What crosses at the start stays as it is.
    play.show(await window.crumplePage.engine.call('step', { dt: 1 / 60, steps }));
  }, PLAY[scene]);
  assert.ok((await colours(page)) > 40, 'the picture is empty');
  await taken(page, name);
  await close();
}

async function paper(open, name, file, options) {
  const { page, close } = await open(`papers/${name}`, options);
  await page.waitForFunction(() => document.querySelector('#live dl'));
  await page.evaluate(() => { window.crumplePage.views.papers.isPaused = true; });
  await page.waitForTimeout(400);
  assert.ok((await colours(page)) > 30, 'the picture is empty');
  await taken(page, file);
  await close();
}

export const tests = {
  ...Object.fromEntries(Object.keys(PLAY).map((scene) => [`pictures of ${scene}`, async ({ open }) => {
    await play(open, scene, `${scene}-desktop`, DESKTOP);
    await play(open, scene, `${scene}-phone`, PHONE);
  }])),
  ...Object.fromEntries(PAPERS.map((name) => [`pictures of the paper ${name}`, async ({ open }) => {
    await paper(open, name, `${name}-desktop`, DESKTOP);
    await paper(open, name, `${name}-phone`, PHONE);
  }])),
  async 'what the rule without outlines misses'({ open }) {
    const { page, close } = await open('papers/volino', DESKTOP);
    await page.waitForFunction(() => document.querySelector('#live dl'));
    await page.evaluate(() => { window.crumplePage.views.papers.isPaused = true; });
    await page.click('text="Paper\'s own rule"');
    await page.waitForFunction(() => window.crumplePage.views.papers.frame.missed.length > 0);
    const facts = await page.evaluate(() => Object.fromEntries(window.crumplePage.views.papers.frame.facts));
    assert.ok(Number(facts['missed by it']) > 0);
    assert.equal(Number(facts['pairs that are there, exact']), Number(facts['found by the paper\'s rule']) + Number(facts['missed by it']));
    await page.screenshot({ path: 'screenshots/volino-missed.png', timeout: 120_000 });
    await close();
    return `${facts['missed by it']} of ${facts['pairs that are there, exact']} pairs`;
  },
};
