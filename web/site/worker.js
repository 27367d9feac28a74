// Computes beside the page: a wasm instance, texts in and out through its memory. Where the server has no module, the
// program that serves the page answers instead (`delassus lab`).

let instance = null;

async function ask(request, name, compiled) {
  const text = JSON.stringify(request);
  if (!compiled) {
    const start = performance.now();
    const response = await fetch('ask', { method: 'POST', body: text });
    if (!response.ok) throw new Error(`${name}.wasm is missing here, and ${response.status} ${response.statusText}`);
    return { ...await response.json(), milliseconds: performance.now() - start, program: true };
  }
  instance ??= await WebAssembly.instantiate(compiled, {});
  const { memory, room, ask: answer, answer_length: length } = instance.exports;
  const bytes = new TextEncoder().encode(text);
  // Asked for before the memory is looked at: it may move when it grows.
  const place = room(bytes.length) >>> 0;
  new Uint8Array(memory.buffer, place, bytes.length).set(bytes);
  const start = performance.now();
  const found = answer() >>> 0;
  const milliseconds = performance.now() - start;
  return { ...JSON.parse(new TextDecoder().decode(new Uint8Array(memory.buffer, found, length() >>> 0))), milliseconds };
}

self.onmessage = async ({ data: { request, name, compiled } }) => {
  try {
    self.postMessage(await ask(request, name, compiled));
  } catch (error) {
    // A trap leaves the instance in an unknown state: the next request gets a new one.
    instance = null;
    self.postMessage({ error: `the computation ended unexpectedly (${error.message}); please report the text that did it` });
  }
};
