// WebAssembly against native code on one thread: the same worlds, the same bits, and how long a step takes.
//   cargo build --release --example native && node tests/compare.mjs target/release/examples/native [FRAMES]
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { load } from '../dist/crumple.js';

const [program, frames = '200'] = process.argv.slice(2);
const rows = execFileSync(program, [frames], { encoding: 'utf8' }).trim().split('\n').map((line) => line.split(' '));
const builds = ['simd', 'scalar'].filter((build) => existsSync(`dist/${build}`));
console.log(`| world, ${frames} frames | native, ms a step | ${builds.map((b) => `${b}, ms (times native)`).join(' | ')} |`);
console.log(`| --- | --: | ${builds.map(() => '--:').join(' | ')} |`);
const told = new Map(rows.map(([name, mean]) => [name, [name, Number(mean).toFixed(2)]]));
for (const build of builds) {
  const { World } = await load({ build, bytes: readFileSync(`dist/${build}/crumple_web_bg.wasm`) });
  for (const [name, mean, , hash] of rows) {
    const world = new World({ example: name });
    let seconds = 0;
    for (let k = 0; k < Number(frames); k++) seconds += world.step(1 / 60).seconds.step;
    assert.equal(world.hash().toString(16).padStart(16, '0'), hash, `${name}: not the same bits as native code`);
    const ms = (1000 * seconds) / Number(frames);
    told.get(name).push(`${ms.toFixed(2)} (${(ms / Number(mean)).toFixed(2)})`);
    world.free();
  }
}
for (const row of told.values()) console.log(`| ${row.join(' | ')} |`);
console.log('the same bits everywhere');
