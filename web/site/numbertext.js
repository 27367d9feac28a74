// Where the numbers of a text stand, TOML or JSON: sliders change them there, and comments and layout stay.

const NUMBER = /^[+-]?(\d[\d_]*)(\.\d[\d_]*)?([eE][+-]?\d[\d_]*)?$/;
const join = (path, key) => (path ? `${path}.${key}` : key);

/** Reads a text as far as it can be read; `found` gets the start and end of each number by its path. */
class Scanner {
  at = 0;

  found = new Map();

  constructor(text) { this.text = text; }

  /** Passes spaces, and with `lines` their ends and comments. */
  space(lines) {
    const pattern = lines ? /(?:\s|#[^\n]*)*/y : /[ \t]*/y;
    pattern.lastIndex = this.at;
    this.at += pattern.exec(this.text)[0].length;
  }

  take(pattern) {
    const sticky = new RegExp(pattern, 'ys');
    sticky.lastIndex = this.at;
    const [taken] = sticky.exec(this.text) ?? [null];
    if (taken === null) throw new Error(`not read further than ${this.at}`);
    this.at += taken.length;
    return taken;
  }

  here(word) { return this.text.startsWith(word, this.at); }

  string() {
    if (this.here('"""')) return this.take('"""(?:\\\\.|(?!""").)*"""+').slice(3, -3);
    if (this.here("'''")) return this.take("'''.*?'''+").slice(3, -3);
    return this.take('"(?:\\\\.|[^"\\\\\n])*"|\'[^\'\n]*\'').slice(1, -1);
  }

  /** The parts of a key with dots. */
  key() {
    const parts = [];
    do {
      if (parts.length) this.take('\\.');
      this.space(false);
      parts.push(this.here('"') || this.here("'") ? this.string() : this.take('[A-Za-z0-9_-]+'));
      this.space(false);
    } while (this.here('.'));
    return parts;
  }

  pair(path) {
    const key = this.key();
    this.space(false);
    this.take('[=:]');
    this.space(true);
    this.value(key.reduce(join, path));
  }

  value(path) {
    if (this.here('"') || this.here("'")) { this.string(); return; }
    const list = this.here('[');
    if (!list && !this.here('{')) {
      const start = this.at, word = this.take('[^\\s,\\]}#]+');
      if (NUMBER.test(word)) this.found.set(path, [start, this.at]);
      return;
    }
    this.at += 1;
    for (let k = 0; ; k++) {
      this.space(true);
      if (this.here(list ? ']' : '}')) break;
      if (list) this.value(`${path}[${k}]`); else this.pair(path);
      this.space(true);
      if (!this.here(list ? ']' : '}')) this.take(',');
    }
    this.at += 1;
  }

  /** The tables of TOML, with `[[…]]` counted. */
  tables() {
    const counts = new Map();
    let table = '';
    const inside = (path, key) => {
      const next = join(path, key);
      return counts.has(next) ? `${next}[${counts.get(next) - 1}]` : next;
    };
    for (this.space(true); this.at < this.text.length; this.space(true)) {
      if (!this.here('[')) { this.pair(table); continue; }
      const listed = this.take('\\[\\[?') === '[[', key = this.key();
      this.take(listed ? '\\]\\]' : '\\]');
      if (listed) {
        const list = join(key.slice(0, -1).reduce(inside, ''), key.at(-1));
        counts.set(list, (counts.get(list) ?? 0) + 1);
      }
      table = key.reduce(inside, '');
    }
  }
}

/** Whether a text is JSON. */
export function isJson(text) {
  try {
    return typeof JSON.parse(text) === 'object';
  } catch {
    return false;
  }
}

/** Start and end of every number of a text, by its path: `contact[0].friction`. */
export function placesOf(text) {
  const scanner = new Scanner(text);
  try {
    if (isJson(text)) { scanner.space(true); scanner.value(''); } else scanner.tables();
  } catch {
    // What comes before can be changed; the engine says what is wrong.
  }
  return scanner.found;
}

/** A number as it is written in place of another: a decimal number stays one. */
function literal(value, old) {
  const words = String(value);
  return /^-?\d+$/.test(words) && /[.eE]/.test(old) ? `${words}.0` : words;
}

/** The text with these numbers, and those that have no place in it. */
export function written(text, set) {
  const places = placesOf(text), left = {};
  const changes = [];
  for (const [path, value] of Object.entries(set)) {
    if (places.has(path)) changes.push([...places.get(path), value]); else left[path] = value;
  }
  let made = text;
  for (const [start, end, value] of changes.sort((a, b) => b[0] - a[0])) {
    made = made.slice(0, start) + literal(value, made.slice(start, end)) + made.slice(end);
  }
  return { text: made, left };
}
