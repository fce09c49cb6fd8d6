// The package as a project gets it: packed, installed into an empty project, checked by TypeScript, run by Node.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, '../..');
const project = mkdtempSync(join(tmpdir(), 'crumple-package-'));
const run = (program, ...args) => execFileSync(program, args, { cwd: project, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });

try {
  const [{ filename }] = JSON.parse(run('npm', 'pack', root, '--json', '--loglevel=error'));
  writeFileSync(join(project, 'package.json'), JSON.stringify({ name: 'project', type: 'module', private: true }));
  run('npm', 'install', '--offline', '--no-audit', '--no-fund', '--loglevel=error', `./${filename}`);
  for (const file of ['main.ts', 'tsconfig.json']) cpSync(join(here, file), join(project, file));
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  const checked = (...options) => run(process.execPath, tsc, '-p', '.', ...options);
  checked();
  checked('--module', 'esnext', '--moduleResolution', 'bundler', '--noEmit');
  assert.equal(run(process.execPath, 'out/main.js').trim(), 'ok');
  // Classes are types here: they come with the loaded module.
  writeFileSync(join(project, 'main.ts'), "import { Scene } from 'crumple-web';\nnew Scene();\n");
  assert.throws(() => execFileSync(process.execPath, [tsc, '-p', '.', '--verbatimModuleSyntax', 'false'], { cwd: project, stdio: 'ignore' }));

  // What is declared is there, and the other way round.
  const { load } = await import(pathToFileURL(join(project, 'node_modules/crumple-web/dist/crumple.js')).href);
  const declared = readFileSync(join(root, 'dist/crumple.d.ts'), 'utf8');
  for (const build of ['simd', 'scalar'].filter((name) => existsSync(join(root, 'dist', name)))) {
    const crumple = await load({ build });
    for (const name of ['Scene', 'World', 'Figure']) {
      const [, body] = declared.match(new RegExp(`declare class ${name} \\{\n(.*?)\n\\}`, 's'));
      const names = [...body.matchAll(/^  (?:readonly )?(?!static)(\w+)[(:?]/gm)].map((m) => m[1]).sort();
      assert.deepEqual([...new Set(names)], Object.getOwnPropertyNames(crumple[name].prototype).sort(), `${build} ${name}`);
    }
    assert.ok(crumple.World.examples.includes('cloth'));
  }
  console.log('ok    the package in a project of its own, with TypeScript');
} finally {
  rmSync(project, { recursive: true, force: true });
}
