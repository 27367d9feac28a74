// Records of ground motion in the text of a scenario: which files it names, and a file put in place of a motion.

import { isJson } from './numbertext.js';

const FILE = /(["']?)file\1\s*[=:]\s*(["'])(.*?)\2/g;
// Keys that belong to a file and not to the motion.
const OF_FILE = /,?[ \t]*(["']?)(?:units|interval|component)\1\s*[=:]\s*(?:"[^"]*"|'[^']*'|[^\s,}]+)/g;

/** The braces or the section of the text in which a file is named. */
function around(text, start, end) {
  const open = text.lastIndexOf('{', start), close = text.indexOf('}', end);
  if (open > text.lastIndexOf('}', start) && close > 0) return [open, close];
  const next = text.indexOf('\n[', end);
  return [Math.max(0, text.lastIndexOf('\n[', start)), next < 0 ? text.length : next];
}

/** The files of records that a text names, in order, with their directions. */
export function recordsIn(text) {
  return [...text.matchAll(FILE)].map((found) => {
    const start = found.index, end = start + found[0].length;
    const [from, to] = around(text, start, end);
    const direction = /direction["']?\s*[=:]\s*\[([^\]]*)\]/.exec(text.slice(from, to))?.[1].split(',').map(Number);
    return { file: found[3], start, end, from, to, direction, horizontal: !direction || direction.filter((v) => !Number.isNaN(v)).at(-1) === 0 };
  });
}

/** The keys of a record, as TOML within braces or as JSON. */
function keys({ file, units, interval }, json) {
  const name = (key) => (json ? `${JSON.stringify(key)}: ` : `${key} = `);
  return [name('file') + JSON.stringify(file), units && name('units') + JSON.stringify(units), interval && name('interval') + interval].filter(Boolean);
}

/** The text with the file of one of its records replaced; direction and scale of the motion stay. */
export function replaceRecord(text, which, record) {
  const { start, end, from, to } = recordsIn(text)[which];
  const braces = text[from] === '{';
  const words = keys(record, isJson(text)).join(braces ? ', ' : '\n');
  return text.slice(0, from) + text.slice(from, start).replace(OF_FILE, '').replace(/\{\s*,/, '{') + words + text.slice(end, to).replace(OF_FILE, '') + text.slice(to);
}

/** Where a value in brackets ends that begins at `at`, or a line where it has none. */
function valueEnd(text, at) {
  let depth = 0;
  for (let k = at; k < text.length; k++) {
    if (text[k] === '#') k = text.indexOf('\n', k) < 0 ? text.length : text.indexOf('\n', k);
    if ('[{'.includes(text[k])) depth += 1;
    if (']}'.includes(text[k])) depth -= 1;
    if (text[k] === '\n' && depth <= 0) return k;
  }
  return text.length;
}

/** The text with a record as the only motion of its first ground, horizontal; null where there is no ground to move. */
export function moveGround(text, record) {
  if (isJson(text)) {
    const tree = JSON.parse(text), scenario = Array.isArray(tree) ? tree[0] : tree;
    if (!scenario.ground?.length) {
      if (!scenario.rocking_block) return null;
      scenario.ground = [{ name: 'ground' }];
    }
    scenario.ground[0].motion = [{ record: Object.fromEntries(Object.entries(record).filter(([, value]) => value)) }];
    return JSON.stringify(tree, null, 1);
  }
  const motion = `motion = [{ record = { ${keys(record).join(', ')} } }]\n`;
  const head = /^[ \t]*\[\[\s*ground\s*\]\][^\n]*\n/m.exec(text);
  if (!head) return /^[ \t]*\[\s*rocking_block\s*\]/m.test(text) ? `${text.trimEnd()}\n\n[[ground]]\nname = "ground"\n${motion}` : null;
  const begin = head.index + head[0].length;
  // Its own keys, then tables of its own such as [ground.motion.pulse], up to the next table that is none.
  const parts = text.slice(begin).split(/^(?=[ \t]*\[)/m);
  let own = /^[ \t]*\[/.test(parts[0]) ? '' : parts.shift();
  const kept = [];
  while (parts.length && /^[ \t]*\[\[?\s*ground\s*\./.test(parts[0])) {
    const part = parts.shift();
    if (!/^[ \t]*\[\[?\s*ground\s*\.\s*motion\b/.test(part)) kept.push(part);
  }
  const old = /^[ \t]*motion\b[^=\n]*=/m.exec(own);
  if (old) own = own.slice(0, old.index) + own.slice(valueEnd(own, old.index + old[0].length) + 1);
  const space = /\n*$/.exec(own)[0].slice(1) || (parts.length || kept.length ? '\n' : '');
  return `${text.slice(0, begin)}${own.trimEnd()}\n${motion}${space}${kept.join('')}${parts.join('')}`;
}

/** The text with the folders of its records left out, and the names of the files that it needs beside it. */
export function besideText(text) {
  const files = [...new Set(recordsIn(text).map(({ file }) => file))];
  const bare = (file) => file.split(/[\\/]/).at(-1);
  return { text: text.replace(FILE, (all, quote, other, file) => all.replace(file, bare(file))), files: files.map((file) => ({ file, beside: bare(file) })) };
}
