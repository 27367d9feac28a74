// Asks workers: one for the answers of each page and one for maps, so that a long computation holds up nothing else.
// Of several requests of one kind only the newest is computed: the one that is being computed when a newer comes has a
// moment to end, then its worker is given up and another takes its place.

import { shownPage } from './state.js';

// What only one module answers; the rest is in all of them. Motions in space have a module of their own beside that of the page.
const OWN = { impact: 'impact', parameters: 'impact', map: 'impact', repeat: 'impact', papers: 'papers', study: 'papers' };
const MODULES = { impact: ['impact'], motion: ['motion', 'space'], papers: ['papers'] };
const AGE = 700; // milliseconds that a computation may have taken before a newer request ends it,
const GRACE = 300; // and that it has left then

/** The compiled module of a page; null where the server has none. */
async function load(name) {
  const response = await fetch(`${name}.wasm`);
  if (!response.ok) return null;
  const again = response.clone();
  try {
    return await WebAssembly.compileStreaming(response);
  } catch {
    return WebAssembly.compile(await again.arrayBuffer()); // a server that does not know the type
  }
}

const modules = new Map();

/** Loaded once, also for the workers that take the place of others. */
function moduleOf(name) {
  if (!modules.has(name)) modules.set(name, load(name).catch((error) => { modules.delete(name); throw error; }));
  return modules.get(name);
}

class Engine {
  waiting = new Map(); // kind → { kind, request, resolve }

  busy = null;

  constructor(name) {
    this.name = name;
    this.start();
  }

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
    clearTimeout(job?.timer);
    job?.resolve(answer);
    this.next();
  }

  async next() {
    if (this.busy || !this.waiting.size) return;
    const [kind, job] = this.waiting.entries().next().value;
    this.waiting.delete(kind);
    this.busy = job;
    job.since = performance.now();
    try {
      const compiled = await moduleOf(this.name);
      if (this.busy === job) this.worker.postMessage({ request: job.request, name: this.name, compiled });
    } catch (error) {
      if (this.busy === job) this.done({ error: `${this.name}.wasm cannot be loaded: ${error.message}` });
    }
  }

  ask(kind, request) {
    return new Promise((resolve) => {
      this.waiting.get(kind)?.resolve(null);
      this.waiting.delete(kind);
      this.waiting.set(kind, { kind, request, resolve });
      const { busy } = this;
      if (busy?.kind === kind) {
        const left = Math.max(GRACE, AGE - (performance.now() - busy.since));
        busy.timer ??= setTimeout(() => { if (this.busy === busy) this.interrupt(null); }, left);
      }
      this.next();
    });
  }

  /** Ends what is being computed with this answer. */
  interrupt(answer) {
    if (!this.busy) return;
    this.worker.terminate();
    this.start();
    this.done(answer);
  }

  /** Ends what was asked of this kind: something else answers that now. */
  forget(kind) {
    this.waiting.get(kind)?.resolve(null);
    this.waiting.delete(kind);
    if (this.busy?.kind === kind) this.interrupt(null);
  }

  /** Ends everything: nobody waits for it any more. */
  drop() {
    for (const job of this.waiting.values()) job.resolve(null);
    this.waiting.clear();
    this.interrupt(null);
  }
}

const engines = new Map();

function engine(key, name = key) {
  if (!engines.has(key)) engines.set(key, new Engine(name));
  return engines.get(key);
}

const newest = new Map(); // kind → its last motion

/** A motion: by the module that its text seems to need, which names the other one where it is not so. */
async function askRun(kind, request) {
  const mine = {};
  newest.set(kind, mine);
  const [plane, space] = MODULES.motion;
  let name = /\bdimension["']?\s*[=:]\s*3\b/.test(request.text) ? space : plane, answer;
  do {
    engines.get(name === plane ? space : plane)?.forget(kind);
    answer = await engine(name).ask(kind, request);
    if (newest.get(kind) !== mine) return null;
    name = answer?.module;
  } while (name);
  newest.delete(kind);
  return answer;
}

/** The answer to a request; null where a newer one of the same kind took its place. */
export function ask(kind, request, page = shownPage()) {
  return request.op === 'run' ? askRun(kind, request) : engine(OWN[request.op] ?? page).ask(kind, request);
}

/** A map; one that is still being computed is given up. */
export function askMap(request) {
  const maps = engine('maps', 'impact');
  maps.interrupt(null);
  return maps.ask('map', request);
}

/** Ends the map that is being computed. */
export function stopMap() {
  engines.get('maps')?.drop();
}

const enginesOf = (page) => MODULES[page].map((name) => engines.get(name)).filter(Boolean);

/** Since when the shown page has been computing; null where it is not. */
export function busySince() {
  return enginesOf(shownPage()).map(({ busy }) => busy?.since).find(Boolean) ?? null;
}

/** Ends what the shown page is computing. */
export function stop() {
  const since = busySince();
  if (since === null) return;
  const seconds = ((performance.now() - since) / 1000).toFixed(1);
  for (const one of enginesOf(shownPage())) one.interrupt({ error: `Stopped after ${seconds} s: nothing was computed.`, stopped: true });
}

/** Ends all that a page computes, when it is left. */
export function leavePage(page) {
  for (const one of enginesOf(page)) one.drop();
  if (page === 'impact') stopMap();
}
