// Makes a module smaller, and leaves it compressed beside itself: node shrink.mjs IN OUT LEVEL (of optimisation: s or z). The module has names of functions, which are left out in the end.
// A page has nowhere to print the message of a panic, which ends its instance in any case. So functions that panic trap
// instead, what only they need is left out, and the places in the sources that they would tell are blanked.

import { readFileSync, writeFileSync } from 'node:fs';
import zopfli from '@gfx/zopfli';
import binaryen from 'binaryen';

// Functions of the standard library that do not return, by a part of their names.
const PANICS = /panicking|unwrap_failed|expect_failed|slice_index_fail|slice_error_fail|mismatch_fail|capacity_overflow|handle_alloc_error|assert_failed|do_panic|radix_panic|panic_already|panic_access|panic_on_ord/;

/** The data of a module: where each part lies in memory and in the file. */
function parts(bytes) {
  const found = [];
  let at = 8;
  const number = () => {
    let value = 0, shift = 0, byte;
    do { byte = bytes[at++]; value += (byte & 127) * 2 ** shift; shift += 7; } while (byte > 127);
    return value;
  };
  while (at < bytes.length) {
    const kind = bytes[at++], size = number(), end = at + size;
    if (kind === 11) {
      for (let count = number(); count > 0; count--) {
        if (number() !== 0 || bytes[at++] !== 0x41) throw new Error('a part of the data without a fixed place');
        const address = number(); // positive and below 2^31, so its sign bit only lengthens it
        if (bytes[at++] !== 0x0b) throw new Error('the place of a part of the data is computed');
        const length = number();
        found.push({ address, at, length });
        at += length;
      }
    }
    at = end;
  }
  return found;
}

/** Blanks the places of panics: a file's name and its length, line, column. How many there were. */
function blank(bytes) {
  const data = parts(bytes), view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength), names = new Set();
  const inside = (address, length) => data.find((part) => address >= part.address && address + length <= part.address + part.length);
  let count = 0;
  for (const { address, at, length } of data) {
    for (let k = (4 - (address % 4)) % 4; k + 16 <= length; k += 4) {
      const [name, size, line, column] = [0, 4, 8, 12].map((o) => view.getUint32(at + k + o, true));
      if (size < 4 || size > 300 || line < 1 || line > 1e5 || column < 1 || column > 1000) continue;
      const part = inside(name, size);
      if (!part) continue;
      const from = part.at + name - part.address, text = bytes.subarray(from, from + size).toString('latin1');
      if (!/^[\w/.+~:\\-]+\.rs$/.test(text)) continue;
      bytes.fill(0, at + k, at + k + 16);
      names.add(`${from} ${size}`);
      count += 1;
    }
  }
  for (const name of names) { const [from, size] = name.split(' ').map(Number); bytes.fill(0, from, from + size); }
  return count;
}

const [input, output, level] = process.argv.slice(2), bytes = readFileSync(input);
const blanked = blank(bytes), module = binaryen.readBinary(bytes);
let trapped = 0;
for (let k = 0; k < module.getNumFunctions(); k++) {
  const one = module.getFunctionByIndex(k), { name, module: imported } = binaryen.getFunctionInfo(one);
  if (imported || !PANICS.test(name)) continue;
  binaryen.Function.setBody(one, module.unreachable());
  trapped += 1;
}
// Without either the module was built without names, or by a compiler that names or lays them out otherwise.
if (!trapped || !blanked) throw new Error(`${input}: no panics were found`);
// The stack lies lowest in memory, so that no address is as low as the least offsets.
binaryen.setLowMemoryUnused(true);
if (level === 'z') { // Functions stay where they are called from: what is computed once need not be fast.
  binaryen.setAlwaysInlineMaxSize(2);
  binaryen.setFlexibleInlineMaxSize(2);
  binaryen.setOneCallerInlineMaxSize(0);
}
binaryen.setOptimizeLevel(2);
binaryen.setShrinkLevel(2);
module.optimize();
if (level === 'z') { module.runPasses(['dae-optimizing']); module.optimize(); }
module.runPasses(['strip-debug', 'strip-producers', 'strip-target-features']);
if (!module.validate()) throw new Error(`${input}: not valid when made smaller`);
const made = module.emitBinary();
writeFileSync(output, made);
// What gzip writes, searched for longer and in as many blocks as help: some 4 % shorter, and read by the same browsers.
writeFileSync(`${output}.gz`, await zopfli.gzipAsync(made, { numiterations: 15, blocksplittingmax: 0 }));
