// Files that are dropped: the same answers as the program's, and faults that are told.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

const MESHES = '../../testdata/meshes';

/** Pairs of the program: rows of body, triangle, body, triangle. */
function native(...paths) {
  let text;
  try {
    text = execFileSync(process.env.CRUMPLE, ['check', ...paths, '--json'], { encoding: 'utf8', maxBuffer: 1 << 30, stdio: 'pipe' });
  } catch (error) {
    // Status 1 says that something collides.
    if (error.status !== 1) throw error;
    text = error.stdout;
  }
  const [frame] = JSON.parse(text).frames;
  return frame.triangle_pairs;
}

/** Drops files onto the page, as a person does. */
async function drop(page, files) {
  const data = await page.evaluateHandle((list) => {
    const transfer = new DataTransfer();
    for (const { name, bytes } of list) transfer.items.add(new File([Uint8Array.from(atob(bytes), (c) => c.charCodeAt(0))], name));
    return transfer;
  }, files.map(({ name, bytes }) => ({ name, bytes: Buffer.from(bytes).toString('base64') })));
  await page.dispatchEvent('#canvas', 'drop', { dataTransfer: data });
}

const settled = (page) => page.waitForFunction(() => document.getElementById('panel').dataset.state === 'checked');
const pairs = (page) => page.evaluate(() => {
  const flat = window.crumplePage.views.files.found.contacts;
  return Array.from({ length: flat.length / 4 }, (_, i) => [...flat.slice(4 * i, 4 * i + 4)]);
});

/** A sheet of n by n cells that is folded all over itself, as OBJ. */
function crumpled(n) {
  const lines = [];
  for (let i = 0; i <= n; i++) {
    for (let j = 0; j <= n; j++) {
      const [u, v] = [(2 * i) / n - 1, (2 * j) / n - 1];
      const x = u + 0.35 * Math.sin(9 * u + 2 * v) * Math.cos(5 * v);
      const y = 0.3 * Math.cos(11 * u - 3 * v) + 0.2 * Math.sin(7 * v);
      lines.push(`v ${x.toFixed(7)} ${y.toFixed(7)} ${(v + 0.3 * Math.sin(8 * v + 4 * u)).toFixed(7)}`);
    }
  }
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < n; j++) {
      const a = i * (n + 1) + j + 1;
      lines.push(`f ${a} ${a + n + 1} ${a + n + 2} ${a + 1}`);
    }
  }
  return lines.join('\n');
}

function written(name, text) {
  const path = join(mkdtempSync(join(tmpdir(), 'crumple-')), name);
  writeFileSync(path, text);
  return path;
}

export const tests = {
  async 'a dropped file gives the same pairs as the program'({ open }) {
    const { page, close } = await open('files');
    await page.waitForSelector('#panel button');
    const path = written('crumpled.obj', crumpled(90));
    await drop(page, [{ name: 'crumpled.obj', bytes: readFileSync(path) }]);
    await settled(page);
    const expected = native(path);
    assert.ok(expected.length > 500, `${expected.length} pairs are too few for a test`);
    assert.deepEqual(await pairs(page), expected);
    const shown = await page.textContent('#verdict b');
    assert.equal(Number(shown.replaceAll(',', '')), expected.length);
    // A place is a button; pressing it moves the camera.
    const before = await page.evaluate(() => [...window.crumplePage.stage.camera.target]);
    await page.click('ul.list:last-of-type button');
    assert.notDeepEqual(await page.evaluate(() => [...window.crumplePage.stage.camera.target]), before);
    await page.screenshot({ path: 'screenshots/files.png' });
    await close();
    return `${expected.length} pairs`;
  },

  async 'two bodies: distance, volume, inside'({ open }) {
    const { page, close } = await open('files');
    await page.waitForSelector('#panel button');
    const cube = (x) => {
      const at = [0, 1].flatMap((i) => [0, 1].flatMap((j) => [0, 1].map((k) => `v ${x + i} ${j} ${k}`)));
      const sides = ['1 2 4 3', '5 7 8 6', '1 5 6 2', '3 4 8 7', '1 3 7 5', '2 6 8 4'];
      return [...at, ...sides.map((s) => `f ${s}`)].join('\n');
    };
    await drop(page, [{ name: 'a.obj', bytes: cube(0) }, { name: 'b.obj', bytes: cube(0.75) }]);
    await page.waitForFunction(() => window.crumplePage.views.files.paired);
    const paired = await page.evaluate(() => window.crumplePage.views.files.paired);
    assert.equal(paired.distance.value.distance, 0);
    const { lower, upper } = paired.overlap.value;
    assert.ok(lower <= 0.25 && upper >= 0.25 && upper - lower < 0.01, `${lower} to ${upper}`);
    assert.equal(paired.inside[0].value, 4);
    await page.evaluate(() => window.crumplePage.views.files.clear());
    await drop(page, [{ name: 'a.obj', bytes: cube(0) }, { name: 'b.obj', bytes: cube(3) }]);
    await page.waitForFunction(() => window.crumplePage.views.files.paired);
    assert.equal(await page.evaluate(() => window.crumplePage.views.files.paired.distance.value.distance), 2);
    await close();
  },

  async 'a file that cannot be read says why, and the page goes on'({ open }) {
    const { page, close } = await open('files');
    await page.waitForSelector('#panel button');
    const bad = 'v 0 0 0\nv 1 0 0\nv zero 1 0\nf 1 2 3\n';
    // A binary STL of 100 triangles that ends in the second.
    const shortStl = Buffer.alloc(84 + 60);
    shortStl.writeUInt32LE(100, 80);
    await drop(page, [{ name: 'bad.obj', bytes: bad }, { name: 'what.xyzzy', bytes: 'nothing' }, { name: 'short.stl', bytes: shortStl }, { name: 'good.obj', bytes: 'v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n' }]);
    await settled(page);
    const problems = await page.$$eval('.problem', (all) => all.map((p) => p.textContent));
    assert.equal(problems.length, 3);
    assert.match(problems[2], /^short\.stl.*byte/);
    let said = '';
    try {
      execFileSync(process.env.CRUMPLE, ['check', written('bad.obj', bad)], { encoding: 'utf8', stdio: 'pipe' });
    } catch (error) {
      said = error.stderr;
    }
    assert.ok(problems[0].startsWith('bad.obj') && /line 3/.test(problems[0]), problems[0]);
    assert.ok(said.includes(problems[0].replace(/^bad.obj[:]? ?/, '')), `${said} against ${problems[0]}`);
    assert.equal(await page.textContent('#verdict b'), '0');
    await close();
    return problems.join(' | ');
  },

  async 'every format is read'({ open }) {
    const { page, close } = await open('files');
    await page.waitForSelector('#panel button');
    const { readdirSync, statSync } = await import('node:fs');
    const all = readdirSync(MESHES, { recursive: true }).map((name) => join(MESHES, name)).filter((path) => statSync(path).isFile());
    let read = 0;
    for (const path of all) {
      const bytes = readFileSync(path);
      const told = await page.evaluate(async ([name, text]) => {
        const { engine } = window.crumplePage;
        await engine.call('clear');
        try {
          await engine.call('open', name, Uint8Array.from(atob(text), (c) => c.charCodeAt(0)).buffer);
          return { pairs: (await engine.call('check')).contacts.length / 4 };
        } catch (error) {
          return { error: error.message };
        }
      }, [basename(path), bytes.toString('base64')]);
      let expected;
      try { expected = native(path).length; } catch { expected = undefined; }
      // What needs a second file beside it cannot be read from one.
      if (told.error !== undefined) continue;
      assert.equal(told.pairs, expected, path);
      read++;
    }
    assert.ok(read >= 10, `only ${read} of ${all.length} samples were read`);
    await close();
    return `${read} of ${all.length} samples, pairs as the program's`;
  },

  async 'a mesh of 300,000 triangles leaves the page responsive'({ open }) {
    const { page, close } = await open('files');
    await page.waitForSelector('#panel button');
    await drop(page, [{ name: 'large.obj', bytes: crumpled(388) }]);
    // From here on: making the file to drop is the test's own work.
    await page.evaluate(() => {
      window.gaps = [];
      let last = performance.now();
      window.beat = setInterval(() => { const now = performance.now(); window.gaps.push(now - last); last = now; }, 10);
    });
    await settled(page);
    const { gap, ms, triangles } = await page.evaluate(() => {
      clearInterval(window.beat);
      const { bodies, found } = window.crumplePage.views.files;
      return { gap: Math.max(...window.gaps), ms: found.ms, triangles: bodies[0].triangles };
    });
    assert.ok(triangles > 300_000);
    assert.ok(gap < 2000, `the page stood still for ${gap} ms`);
    await page.screenshot({ path: 'screenshots/files-300k.png', timeout: 120_000 });
    await close();
    return `${triangles} triangles, first check ${ms.toFixed(0)} ms, longest pause of the page ${gap.toFixed(0)} ms`;
  },
};
