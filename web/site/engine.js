// Asks workers: one for answers, one for maps, so that a long map holds up nothing else. Of several requests of one
// kind that wait, only the newest is computed.

import { shownPage } from './state.js';

class Engine {
  waiting = new Map(); // kind → { request, resolve }

  busy = null;

  constructor() { this.start(); }

  start() {
    this.worker = new Worker(new URL('worker.js', import.meta.url), { type: 'module' });
    this.worker.onmessage = ({ data }) => this.done(data);
    this.worker.onerror = (event) => {
      event.preventDefault();
      this.done({ error: `the worker failed: ${event.message}` });
    };
  }

  done(answer) {
    const job = this.busy;
    this.busy = null;
    job?.resolve(answer);
    this.next();
  }

  next() {
    if (this.busy || !this.waiting.size) return;
    const [kind, job] = this.waiting.entries().next().value;
    this.waiting.delete(kind);
    this.busy = job;
    this.worker.postMessage({ request: job.request, page: shownPage() });
  }

  ask(kind, request) {
    return new Promise((resolve) => {
      this.waiting.get(kind)?.resolve(null);
      this.waiting.delete(kind);
      this.waiting.set(kind, { request, resolve });
      this.next();
    });
  }

  /** Ends what is being computed: nobody waits for it any more. */
  interrupt() {
    if (!this.busy) return;
    this.worker.terminate();
    this.start();
    this.done(null);
  }
}

const answers = new Engine();
let maps = null;

/** The answer to a request; null where a newer one of the same kind took its place. */
export function ask(kind, request) {
  return answers.ask(kind, request);
}

/** A map; one that is still being computed is given up. */
export function askMap(request) {
  maps ??= new Engine();
  maps.interrupt();
  return maps.ask('map', request);
}
