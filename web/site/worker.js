// Computes beside the page: wasm instances, texts in and out through their memory. Each page has a module of its own,
// which is loaded when it is first needed. Where the server has none, the program that serves the page answers instead
// (`delassus lab`).

// What only one module answers; the rest is in all of them.
const OWN = { impact: 'impact', map: 'impact', repeat: 'impact', run: 'motion', papers: 'papers', study: 'papers' };

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
const instances = new Map();

async function ask(request, name) {
  const text = JSON.stringify(request);
  if (!modules.has(name)) modules.set(name, load(name));
  const compiled = await modules.get(name);
  if (!compiled) {
    const start = performance.now();
    const response = await fetch('ask', { method: 'POST', body: text });
    if (!response.ok) throw new Error(`${name}.wasm is missing here, and ${response.status} ${response.statusText}`);
    return { ...await response.json(), milliseconds: performance.now() - start, program: true };
  }
  if (!instances.has(name)) instances.set(name, await WebAssembly.instantiate(compiled, {}));
  const { memory, room, ask: answer, answer_length: length } = instances.get(name).exports;
  const bytes = new TextEncoder().encode(text);
  // Asked for before the memory is looked at: it may move when it grows.
  const place = room(bytes.length) >>> 0;
  new Uint8Array(memory.buffer, place, bytes.length).set(bytes);
  const start = performance.now();
  const found = answer() >>> 0;
  const milliseconds = performance.now() - start;
  return { ...JSON.parse(new TextDecoder().decode(new Uint8Array(memory.buffer, found, length() >>> 0))), milliseconds };
}

self.onmessage = async ({ data: { request, page } }) => {
  const name = OWN[request.op] ?? page;
  try {
    self.postMessage(await ask(request, name));
  } catch (error) {
    // A trap leaves the instance in an unknown state: the next request gets a new one.
    instances.delete(name);
    self.postMessage({ error: `the computation ended unexpectedly (${error.message}); please report the text that did it` });
  }
};
