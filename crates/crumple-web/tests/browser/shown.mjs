// What is shown beside the bodies: every method's structure, and what each paper's own rule misses.
import assert from 'node:assert/strict';

const STRUCTURES = ['answering', 'regions', 'buckets', 'cells', 'layers', 'distances'];
const RULES = ['volino', 'ganovelli', 'teschner', 'heidelberger', 'madera'];
const running = (page) => page.waitForFunction(() => document.getElementById('panel').dataset.state === 'running' && window.crumplePage.views.play.bodies);
const call = (page, ...args) => page.evaluate((a) => window.crumplePage.engine.call(...a), args);

/** What a choice of the panel leads to, as numbers. */
const compared = async (page, rule) => {
  await page.selectOption('#rule', rule);
  await page.waitForFunction(() => window.crumplePage.views.play.compared);
  return page.evaluate(() => {
    const { triangles, ...numbers } = window.crumplePage.views.play.compared;
    return { ...numbers, painted: triangles.length };
  });
};

export const tests = {
  async 'times are those of one step, of several in the mean'({ open }) {
    const { page, close } = await open('play/knot');
    await running(page);
    await page.evaluate(() => window.crumplePage.views.play.pause(true));
    const [{ seconds }, wall] = await page.evaluate(async () => {
      const begin = performance.now();
      const frame = await window.crumplePage.engine.call('step', { dt: 1 / 60, steps: 40 });
      return [frame, (performance.now() - begin) / 1000];
    });
    assert.ok(seconds.step > 0 && 40 * seconds.step <= wall + 0.01, `${seconds.step} s a step, ${wall} s for 40`);
    const { step, ...stages } = seconds;
    const sum = Object.values(stages).reduce((a, b) => a + b, 0);
    assert.ok(sum <= 1.05 * step + 1e-4, `stages of ${sum} s in a step of ${step} s`);
    await close();
    return `${(1000 * seconds.step).toFixed(2)} ms a step`;
  },

  async 'every structure is drawn'({ open }) {
    const { page, close } = await open('play/knot');
    await running(page);
    await page.evaluate(() => window.crumplePage.views.play.pause(true));
    await call(page, 'step', { dt: 1 / 60, steps: 20 });
    const said = [];
    for (const name of STRUCTURES) {
      await page.selectOption('#structure', name);
      await page.waitForFunction((wanted) => window.crumplePage.views.play.lastFrame.drawn === wanted, name);
      const { lines, points, triangles } = await page.evaluate(() => {
        const { drawing } = window.crumplePage.views.play.lastFrame;
        return { lines: drawing.lines.length / 6, points: drawing.points.length / 3, triangles: drawing.triangles.length };
      });
      assert.ok(lines + points + triangles > 0, `${name} shows nothing`);
      await page.screenshot({ path: `screenshots/structure-${name}.png`, timeout: 120_000 });
      said.push(`${name} ${lines} lines ${points} points ${triangles} triangles`);
    }
    await close();
    return said.join(', ');
  },

  async 'what each rule misses of crossed sheets'({ open }) {
    const { page, close } = await open('play/sheets');
    await running(page);
    const said = [];
    for (const rule of RULES) {
      const { what, there, found, missed } = await compared(page, rule);
      assert.equal(found + missed, there);
      if (rule === 'volino' || rule === 'ganovelli') assert.ok(there > 50, `${rule}: ${there}`);
      said.push(`${rule}: ${missed} of ${there} ${what}`);
    }
    await page.screenshot({ path: 'screenshots/sheets-rule.png', timeout: 120_000 });
    await close();
    return said.join(', ');
  },

  async 'particles that may get in do, and what the rays see of them'({ open }) {
    const { page, close } = await open('play/snow');
    await running(page);
    await page.evaluate(() => window.crumplePage.views.play.pause(true));
    await call(page, 'free', true);
    // Long steps: contacts alone do not keep up with them.
    await call(page, 'step', { dt: 1 / 8, steps: 12 });
    const { what, there, found, missed } = await compared(page, 'heidelberger');
    assert.ok(there > 0, 'not one got in');
    assert.equal(found + missed, there);
    await close();
    return `${missed} of ${there} ${what} missed`;
  },

  async 'every paper has its figure and its own rule'({ open }) {
    const { page, close } = await open('papers/volino');
    const said = [];
    for (const paper of RULES) {
      await page.evaluate((name) => { location.hash = `papers/${name}`; }, paper);
      await page.waitForFunction((name) => window.crumplePage.views.papers.paper === name && document.querySelector('#live dl'), paper);
      const before = await page.evaluate(() => window.crumplePage.views.papers.time);
      await page.waitForFunction((time) => window.crumplePage.views.papers.time > time, before);
      await page.click('text="Paper\'s own rule"');
      await page.waitForFunction(() => window.crumplePage.views.papers.isPublished && window.crumplePage.views.papers.frame);
      const facts = await page.evaluate(() => Object.fromEntries(window.crumplePage.views.papers.frame.facts));
      assert.ok(Object.keys(facts).some((key) => /paper/.test(key)), JSON.stringify(facts));
      assert.ok((await page.textContent('#panel blockquote')).length > 80);
      said.push(`${paper}: ${facts['missed by it'] ?? facts["the paper's sum of spans"]}`);
      await page.click('text="Paper\'s own rule"');
    }
    await close();
    return said.join(', ');
  },
};
