// Small meshes whose collisions are known, written as files and checked by the program.

import { execFileSync } from "node:child_process";
import { mkdtempSync, mkdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export const folder = mkdtempSync(join(tmpdir(), "crumple-browser-"));

/** A square of two triangles; a spike goes through the first of them at (x, 0.8). */
export const SHEET = [[0, 0, 0], [4, 0, 0], [4, 4, 0], [0, 4, 0]];
export const spikeAt = (x, tip) => [[x, 0.8, 1], [x + 0.4, 0.8, 1], [x, 0.8, tip]];

const obj = (points, faces, head = "") =>
  head + points.map((p) => `v ${p.join(" ")}\n`).join("") + faces.map((f) => `f ${f.join(" ")}\n`).join("");

export function write(name, text) {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
}

/** Runs `crumple check … --report`; collisions are no failure here. */
export function report(name, args) {
  const path = join(folder, name);
  try {
    execFileSync(process.env.CRUMPLE, ["check", ...args, "--report", path, "--up", "z"], { stdio: ["ignore", "ignore", "pipe"] });
  } catch (error) {
    if (error.status !== 1 && error.status !== 2) throw error;
  }
  return `file://${path}`;
}

/** Two bodies with names that try to be more than names. */
export function spike() {
  const nasty = `o </script><script>window.hacked=1</script>\ng <img src=x onerror=window.hacked=2>\n`;
  const sheet = write("<script>window.hacked=3<script>.obj", obj(SHEET, [[1, 2, 3], [1, 3, 4]], nasty));
  const spike = write("=spike \"x\" & co.obj", obj(spikeAt(3, -0.5), [[1, 2, 3]]));
  return report("spike.html", [sheet, spike]);
}

/** Five frames: the spike comes down, goes through in frames 2 to 4, deepest in 3; frame 5 has other faces. */
export function sequence() {
  const sheet = write("sheet.obj", obj(SHEET, [[1, 2, 3], [1, 3, 4]]));
  mkdirSync(join(folder, "frames"), { recursive: true });
  const tips = [0.9, 0.4, -0.2, -0.6, -0.3];
  const frames = tips.map((tip, k) =>
    write(join("frames", `spike_${k}.obj`), obj([...spikeAt(1 + 0.5 * k, tip), ...spikeAt(3.5, k === 3 ? -1 : 0.5)], [[1, 2, 3], [4, 5, 6]])));
  frames.push(write(join("frames", "spike_5.obj"), obj(spikeAt(1, 0.5), [[1, 2, 3]])));
  return report("sequence.html", ["--fixed", sheet, "--sequence", ...frames]);
}

/** A small tet whose corner is inside a large one, as TetGen and as Medit have them. */
export function tets() {
  const mesh = (points) =>
    `MeshVersionFormatted 2\nDimension 3\nVertices\n4\n${points.map((p) => `${p.join(" ")} 0\n`).join("")}Tetrahedra\n1\n1 2 3 4 0\nEnd\n`;
  const at = (s, o) => [[o, o, o], [o + s, o, o], [o, o + s, o], [o, o, o + s]];
  return report("tets.html", [write("large.mesh", mesh(at(4, 0))), write("small.mesh", mesh(at(4, 0.5)))]);
}

export function clean() {
  return report("clean.html", [write("clean.obj", obj(SHEET, [[1, 2, 3], [1, 3, 4]]))]);
}
