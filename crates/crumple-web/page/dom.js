// Elements in one call, and numbers as people read them.

export function make(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [key, value] of Object.entries(properties)) {
    if (key === 'class') element.className = value;
    else if (key.startsWith('on')) element.addEventListener(key.slice(2), value);
    else if (key in element && key !== 'list') element[key] = value;
    else element.setAttribute(key, value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return element;
}

/** A button that is on or off. */
export function toggle(label, isOn, change, title = '') {
  const button = make('button', { type: 'button', title, onclick: () => set(button.getAttribute('aria-pressed') !== 'true') }, label);
  const set = (value) => { button.setAttribute('aria-pressed', String(value)); change(value); };
  button.setAttribute('aria-pressed', String(isOn));
  return button;
}

export const facts = (rows) => make('dl', {}, ...rows.flatMap(([name, value]) => [make('dt', {}, ...[name].flat()), make('dd', {}, String(value))]));

export const thousands = (n) => Math.round(n).toLocaleString('en');
export const duration = (ms) => (ms < 1000 ? `${ms < 10 ? ms.toFixed(2) : ms.toFixed(0)} ms` : `${(ms / 1000).toFixed(2)} s`);
export const real = (x) => (x === 0 ? '0' : Math.abs(x) >= 1e-3 && Math.abs(x) < 1e6 ? String(Number(x.toPrecision(5))) : x.toExponential(3));

const hasFingers = matchMedia('(pointer: coarse)').matches;

/** What gestures do, after what dragging does: for fingers, or for a mouse and keys. */
export const gestures = (dragging, keys = '') =>
  [dragging, hasFingers ? 'two fingers: zoom, move' : 'wheel: zoom · right button: move', hasFingers ? '' : keys].filter(Boolean).join(' · ');
