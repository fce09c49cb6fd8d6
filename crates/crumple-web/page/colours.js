// Colours of bodies, structures and answers, for light and dark pages.

const rgb = (hex) => [1, 3, 5].map((i) => parseInt(hex.slice(i, i + 2), 16) / 255);

/** Colours that are told apart by most eyes. */
const BODIES = ['#5b8fc7', '#e0b35a', '#76b48a', '#b58bc4', '#6fb9c4', '#d98f6c', '#9aa75a', '#c986a0'].map(rgb);
const CLOTH = rgb('#4f86c6');
const STILL = { light: rgb('#d9d4c8'), dark: rgb('#454b57') };
export const HIT = rgb('#e8452c');
export const MISSED = rgb('#f2c200');

const dark = () => document.documentElement.dataset.theme === 'dark';

export const background = () => (dark() ? rgb('#14171c') : rgb('#f4f1ea'));
export const body = (k) => [...BODIES[k % BODIES.length], 1];

/** The colour of a body of the playground. */
export function ofKind(kind, k) {
  if (kind === 'fixed') return [...(dark() ? STILL.dark : STILL.light), 1];
  if (kind === 'cloth') return [...CLOTH, 1];
  if (kind === 'particles') return [...(dark() ? rgb('#f1f4fa') : rgb('#3d4654')), 1];
  return body(k);
}

const wheel = (k, lightness) => {
  const hue = (k * 0.618034) % 1;
  return [0, 1 / 3, 2 / 3].map((shift) => {
    const t = Math.abs((((hue + shift) % 1) * 6) - 3) - 1;
    return lightness + 0.32 * (Math.min(1, Math.max(0, t)) - 0.5);
  });
};

/** The colour of a tone of a drawing, with how much it covers. */
export function ofTone(tone) {
  if (tone === 129) return [...HIT, 1];
  if (tone === 128) return [...(dark() ? rgb('#7f8da3') : rgb('#8a8577')), 0.35];
  if (tone >= 64) return [...wheel(tone - 64, 0.62), 1];
  return [...wheel(tone * 3 + 1, dark() ? 0.6 : 0.45), 0.4];
}

/** Tones as four bytes each. */
export function tints(tones) {
  const out = new Uint8Array(4 * tones.length);
  const known = new Map();
  tones.forEach((tone, i) => {
    if (!known.has(tone)) known.set(tone, ofTone(tone).map((x) => Math.round(255 * x)));
    out.set(known.get(tone), 4 * i);
  });
  return out;
}

/** A drawing as strokes and painted lists for a picture. */
export function strokes(drawing) {
  const painted = new Map();
  drawing.triangles.forEach((t, i) => {
    const tone = drawing.triangleTones[i];
    if (!painted.has(tone)) painted.set(tone, []);
    painted.get(tone).push(t);
  });
  return {
    strokes: {
      lines: drawing.lines, lineTints: tints(drawing.lineTones),
      points: drawing.points, pointTints: tints(drawing.pointTones), pointSize: 6,
    },
    paints: [...painted].map(([tone, ids]) => ({ ids, colour: [...ofTone(tone).slice(0, 3), 1], shines: tone === 129 }))
      .sort((a, b) => Number(a.shines) - Number(b.shines)),
  };
}
