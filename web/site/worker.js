// Computes beside the page: one wasm instance, texts in and out through its memory.

const module = WebAssembly.compileStreaming
  ? WebAssembly.compileStreaming(fetch('delassus.wasm')).catch(() => fetch('delassus.wasm').then((r) => r.arrayBuffer()).then((b) => WebAssembly.compile(b)))
  : fetch('delassus.wasm').then((r) => r.arrayBuffer()).then((b) => WebAssembly.compile(b));
let instance = null;

async function ask(request) {
  instance ??= await WebAssembly.instantiate(await module, {});
  const { memory, room, ask: answer, answer_length: length } = instance.exports;
  const bytes = new TextEncoder().encode(JSON.stringify(request));
  // Asked for before the memory is looked at: it may move when it grows.
  const place = room(bytes.length) >>> 0;
  new Uint8Array(memory.buffer, place, bytes.length).set(bytes);
  const start = performance.now();
  const found = answer() >>> 0;
  const milliseconds = performance.now() - start;
  const text = new TextDecoder().decode(new Uint8Array(memory.buffer, found, length() >>> 0));
  return { ...JSON.parse(text), milliseconds };
}

self.onmessage = async ({ data }) => {
  try {
    self.postMessage(await ask(data));
  } catch (error) {
    // A trap leaves the instance in an unknown state: the next request gets a new one.
    instance = null;
    self.postMessage({ error: `the computation ended unexpectedly (${error.message}); please report the text that did it` });
  }
};
