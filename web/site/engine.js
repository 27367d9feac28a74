// Asks the worker. Of several requests of one kind that wait, only the newest is computed.

const worker = new Worker(new URL('worker.js', import.meta.url), { type: 'module' });
const waiting = new Map(); // kind → { request, resolve }
let busy = null;

function next() {
  if (busy || !waiting.size) return;
  const [kind, job] = waiting.entries().next().value;
  waiting.delete(kind);
  busy = job;
  worker.postMessage(job.request);
}

worker.onmessage = ({ data }) => {
  const { resolve } = busy;
  busy = null;
  resolve(data);
  next();
};
worker.onerror = (event) => {
  event.preventDefault();
  const { resolve } = busy || {};
  busy = null;
  if (resolve) resolve({ error: `the worker failed: ${event.message}` });
  next();
};

/** The answer to a request; null where a newer one of the same kind took its place. */
export function ask(kind, request) {
  return new Promise((resolve) => {
    const older = waiting.get(kind);
    if (older) older.resolve(null);
    waiting.delete(kind);
    waiting.set(kind, { request, resolve });
    next();
  });
}
