// WebAssembly against native code on one thread: the same worlds, the same bits, and CPU milliseconds a step. The organ is cut through.
//   cargo build --release --example native && node tests/compare.mjs target/release/examples/native [FRAMES]
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { load } from '../dist/crumple.js';

const CUT = 50;
const STROKE = [[[0.05, 1.4, 1], [0.05, 1.4, -1]], [[0.1, 0.2, 1], [0.1, 0.2, -1]]];

const [program, count = '200'] = process.argv.slice(2);
const frames = Number(count);
const rows = execFileSync(program, [count], { encoding: 'utf8' }).trim().split('\n').map((line) => line.split(' '));
const builds = ['simd', 'scalar'].filter((build) => existsSync(`dist/${build}`));

/** CPU milliseconds of this process. */
const now = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

/** Milliseconds of every step, and the hash at the end. */
function play(World, name) {
  const world = new World({ example: name });
  const times = [];
  for (let k = 0; k < frames; k++) {
    const begin = now();
    if (name === 'organ' && k === CUT) world.stroke(...STROKE);
    world.step(1 / 60);
    times.push(now() - begin);
  }
  const hash = world.hash().toString(16).padStart(16, '0');
  world.free();
  return { times, hash };
}

console.log(`| world, ${count} frames | native, ms a step | ${builds.map((b) => `${b}, ms a step | times native | half the steps below | 95 % below`).join(' | ')} |`);
console.log(`| --- | --: | ${builds.map(() => '--: | --: | --: | --:').join(' | ')} |`);
const told = new Map(rows.map(([name, mean]) => [name, [name, Number(mean).toFixed(1)]]));
for (const build of builds) {
  const { World } = await load({ build, bytes: readFileSync(`dist/${build}/crumple_web_bg.wasm`) });
  // Compiling the module is not a step.
  play(World, 'knot');
  for (const [name, mean, , expected] of rows) {
    const { times, hash } = play(World, name);
    assert.equal(hash, expected, `${name}: not the same bits as native code`);
    const ms = times.reduce((a, b) => a + b) / frames;
    const sorted = times.sort((a, b) => a - b);
    const at = (share) => sorted[Math.floor(share * (frames - 1))].toFixed(1);
    told.get(name).push(ms.toFixed(1), (ms / Number(mean)).toFixed(2), at(0.5), at(0.95));
  }
}
for (const row of told.values()) console.log(`| ${row.join(' | ')} |`);
console.log('the same bits everywhere');
