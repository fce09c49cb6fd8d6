// The page: three views on one stage.
import { Engine } from './engine.js';
import { Stage } from './stage.js';
import { Files } from './files.js';
import { Play } from './play.js';
import { Papers } from './papers.js';

const byId = (id) => document.getElementById(id);
const message = byId('message');

export function tell(text) {
  message.textContent = text;
  message.hidden = !text;
}

function start() {
  if (typeof WebAssembly !== 'object') {
    return tell('This browser has no WebAssembly, which the engine needs.\nA current Firefox, Chrome, Edge or Safari has it.');
  }
  // It loads while the picture is set up.
  const engine = new Engine();
  let stage;
  try {
    stage = new Stage(byId('canvas'));
  } catch (error) {
    engine.stop();
    return tell(`${error.message}\nA current Firefox, Chrome, Edge or Safari does.`);
  }
  const context = { engine, stage, panel: byId('panel'), hint: byId('hint'), drop: byId('drop'), tell };
  const views = { files: new Files(context), play: new Play(context), papers: new Papers(context) };
  let current = null;

  const route = () => {
    const [name, detail] = location.hash.slice(1).split('/');
    const view = views[name] ?? views.play;
    for (const link of document.querySelectorAll('nav a')) {
      if (views[link.dataset.view] === view) link.setAttribute('aria-current', 'page');
      else link.removeAttribute('aria-current');
    }
    tell('');
    if (view !== current) current?.leave();
    current = view;
    view.enter(detail).catch((error) => tell(error.message));
  };
  engine.onrestart = (reason) => {
    tell(`The engine stopped (${reason}) and was started anew.`);
    current?.lost?.();
  };
  stage.onrestored = () => current?.lost?.();
  byId('theme').addEventListener('click', () => {
    const root = document.documentElement;
    root.dataset.theme = root.dataset.theme === 'dark' ? 'light' : 'dark';
    try { localStorage.setItem('theme', root.dataset.theme); } catch { /* a private window forgets */ }
    current?.recolour?.();
    stage.redraw();
  });
  // A file may be dropped wherever one is: it leads to the view of files.
  addEventListener('dragover', (event) => { event.preventDefault(); context.drop.hidden = false; });
  addEventListener('dragleave', (event) => { if (!event.relatedTarget) context.drop.hidden = true; });
  addEventListener('drop', (event) => {
    event.preventDefault();
    context.drop.hidden = true;
    const dropped = [...event.dataTransfer.files];
    if (dropped.length === 0) return;
    if (current !== views.files) location.hash = 'files';
    views.files.add(dropped).catch((error) => tell(error.message));
  });
  addEventListener('hashchange', route);
  // For tests: everything that a person can reach is reached through here, too.
  window.crumplePage = { engine, stage, views };
  route();
}

start();
