// Every test, one after another, in one browser. Arguments choose tests by name.
import { existsSync, mkdirSync } from 'node:fs';
import { chromium } from 'playwright-core';
import { serve } from './server.mjs';
import * as page from './page.mjs';
import * as files from './files.mjs';
import * as play from './play.mjs';
import * as shown from './shown.mjs';
import * as pictures from './pictures.mjs';

const FLAGS = ['--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--ignore-gpu-blocklist', '--no-sandbox', '--disable-background-networking', '--disable-component-update', '--no-first-run'];
const places = [process.env.CHROMIUM, '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
const executablePath = places.find((path) => path && existsSync(path));
if (!executablePath) throw new Error('no browser: CHROMIUM names one, ./test --setup installs one');

mkdirSync('screenshots', { recursive: true });
const server = await serve(process.env.DIST ?? 'dist');
const browser = await chromium.launch({ executablePath, args: FLAGS });

/** A page of its own; what its console complains about ends the test. */
async function open(hash, options = {}, address = server.url) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
  const page = await context.newPage();
  const errors = [];
  page.on('pageerror', (error) => errors.push(error.message));
  page.on('console', (message) => { if (message.type() === 'error') errors.push(`${message.text()} ${message.location().url ?? ''}`); });
  page.setDefaultTimeout(120_000);
  await page.goto(`${address}#${hash}`);
  const close = async () => {
    await context.close();
    if (errors.length) throw new Error(`the console says: ${errors.join(' | ')}`);
  };
  return { page, close, errors };
}

const tests = { ...page.tests, ...files.tests, ...play.tests, ...shown.tests, ...pictures.tests };
const wanted = process.argv.slice(2);
const failed = [];
for (const [name, test] of Object.entries(tests)) {
  if (wanted.length && !wanted.some((part) => name.includes(part))) continue;
  const begin = performance.now();
  try {
    const said = await test({ open, url: server.url });
    console.log(`ok    ${name} (${((performance.now() - begin) / 1000).toFixed(1)} s)${said ? `: ${said}` : ''}`);
  } catch (error) {
    failed.push(name);
    console.log(`FAILS ${name}: ${error.message}`);
  }
}
await browser.close();
server.close();
if (failed.length) {
  console.error(`${failed.length} failed: ${failed.join(', ')}`);
  process.exit(1);
}
