// The page's side of the worker: call an operation, get a promise.

export class Engine {
  #worker = null;
  #waiting = new Map();
  #next = 1;
  /** Called when the engine had to be started anew. */
  onrestart = () => {};

  constructor() {
    this.#start();
  }

  #start() {
    this.#worker = new Worker(new URL('worker.js', import.meta.url), { type: 'module' });
    this.#worker.onmessage = ({ data }) => this.#answer(data);
    this.#worker.onerror = (event) => {
      event.preventDefault();
      this.#fail(event.message || 'the engine could not be loaded');
    };
  }

  #answer({ id, result, error, isBroken }) {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (error === undefined) return waiting?.resolve(result);
    waiting?.reject(new Error(error));
    if (isBroken) this.#fail(error);
  }

  #fail(message) {
    this.#worker.terminate();
    for (const { reject } of this.#waiting.values()) reject(new Error(message));
    this.#waiting.clear();
    this.#start();
    this.onrestart(message);
  }

  stop() {
    this.#worker.terminate();
  }

  call(operation, ...args) {
    const id = this.#next++;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#worker.postMessage({ id, operation, args });
    });
  }
}
