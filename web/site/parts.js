// Parts that pages share: elements, editor, sliders, choice of laws, export.

import { ask } from './engine.js';
import { picture } from './picture.js';

export const LAWS = ['newton', 'moreau', 'poisson', 'kinematic', 'lzb', 'sequential', 'walton', 'stronge', 'chatterjee-ruina', 'reflections'];

export function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith('on')) made.addEventListener(key.slice(2), value); else made.setAttribute(key, value);
  }
  made.append(...children);
  return made;
}

export function say(text) {
  document.querySelector('#state').textContent = text;
}

let serial = 0;
export function field(label, control) {
  control.id ||= `f${++serial}`;
  return element('div', { class: 'field' }, element('label', { for: control.id }, label), control);
}

export function select(options, chosen, change) {
  const made = element('select', { onchange: () => change(made.value) });
  for (const option of options) {
    const [value, text] = Array.isArray(option) ? option : [option, option];
    made.append(element('option', { value, ...(value === chosen ? { selected: '' } : {}) }, text));
  }
  return made;
}

export function checks(legend, names, chosen, change) {
  const boxes = names.map((name) => {
    const box = element('input', { type: 'checkbox', value: name, ...(chosen.includes(name) ? { checked: '' } : {}) });
    box.addEventListener('change', () => change(boxes.filter(([b]) => b.checked).map(([b]) => b.value)));
    return [box, element('label', {}, box, name)];
  });
  return element('fieldset', {}, element('legend', {}, legend), element('div', { class: 'laws' }, ...boxes.map(([, label]) => label)));
}

// Ranges of numbers that sliders move, by the end of their path.
const RANGES = [
  [/friction(_static)?$/, 0, 1.5], [/restitution(_tangential)?$/, 0, 1], [/stiffness(_ratio)?$/, 0.1, 10],
  [/(^|\.)angle$/, -Math.PI, Math.PI], [/velocity_ratio$/, -6, 6], [/aspect$/, 0.2, 5], [/exponent$/, 1, 2.5],
  [/scale$/, 0, 3], [/amplitude$/, 0, null], [/frequency$/, 0.1, 20], [/(^|\.)(rate|slip)$/, null, null],
  [/velocity(\[\d\])?$/, null, null], [/(height|width|length|radius)$/, 0.05, null], [/gravity$/, 0, 20],
];

/** A slider with a field for its number; `put` moves both without telling. `firm` ends are never exceeded. */
export function slider({ label, value, from, to, firm = false }, change) {
  const id = `f${++serial}`;
  const step = Number(((to - from) / 200).toPrecision(1));
  const range = element('input', { type: 'range', id, min: from, max: to, step: 'any', value, 'aria-describedby': `${id}n` });
  const number = element('input', { type: 'number', id: `${id}n`, step: 'any', value, 'aria-label': label, ...(firm ? { min: from, max: to } : {}) });
  const put = (v, other) => {
    if (!Number.isFinite(v) || (firm && (v < from || v > to))) return;
    other.value = v;
    change(v);
  };
  range.addEventListener('input', () => put(Number(Number(range.value).toPrecision(4)), number));
  range.addEventListener('keydown', (event) => { // keys move by readable steps
    const way = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1, PageUp: 10, PageDown: -10 }[event.key];
    if (!way) return;
    event.preventDefault();
    range.value = Number((Number(range.value) + way * step).toPrecision(6));
    put(Number(Number(range.value).toPrecision(6)), number);
  });
  number.addEventListener('input', () => { if (number.value !== '') put(number.valueAsNumber, range); });
  number.addEventListener('keydown', (event) => { // the same steps in the field
    const way = { ArrowUp: 1, ArrowDown: -1 }[event.key];
    if (!way || number.value === '') return;
    event.preventDefault();
    number.value = Number((number.valueAsNumber + way * step).toPrecision(6));
    put(number.valueAsNumber, range);
  });
  return { row: element('div', { class: 'slider' }, element('label', { for: id }, label), range, number), put: (v) => { range.value = v; number.value = v; } };
}

/** The numbers of a text that get a slider, with their ranges; `put` moves one from elsewhere. */
export function sliders(numbers, set, change) {
  const box = element('fieldset', {}, element('legend', {}, 'Numbers')), controls = new Map();
  for (const [path, value] of Object.entries(numbers)) {
    const known = RANGES.find(([pattern]) => pattern.test(path));
    if (!known || box.children.length > 14) continue;
    const size = 2 * Math.abs(value) || 1;
    const from = Math.min(known[1] ?? -size, value), to = Math.max(known[2] ?? size, value);
    const { row, put } = slider({ label: path, value: set[path] ?? value, from, to }, (v) => change(path, v));
    controls.set(path, put);
    box.append(row);
  }
  return { box: box.children.length > 1 ? box : '', put: (path, value) => controls.get(path)?.(value) };
}

export function download(name, content, type = 'text/plain') {
  const link = element('a', { href: URL.createObjectURL(content instanceof Blob ? content : new Blob([content], { type })), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

/** A picture of an SVG as PNG, three times its size. */
export async function toPng(svg) {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  await image.decode();
  const canvas = element('canvas', { width: 3 * image.naturalWidth, height: 3 * image.naturalHeight });
  canvas.getContext('2d').drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve) => { canvas.toBlob(resolve, 'image/png'); });
}

/** Buttons that save what is shown; `svg` finds the figure, `csvs` are tables with names of their own. */
export function exports(name, { toml, csv, csvs = [], json, svg, page }) {
  const box = element('div', { class: 'buttons' });
  const add = (text, act) => box.append(element('button', { type: 'button', onclick: act }, text));
  if (toml) add('TOML', () => download(`${name}.toml`, toml()));
  if (csv) add('CSV', () => download(`${name}.csv`, csv()));
  for (const table of csvs) {
    const file = table.name.replaceAll('/', '-'), part = file.slice(name.length + 1, -4);
    add(part ? `CSV, ${part}` : 'CSV', () => download(file, table.text));
  }
  if (json) add('JSON', () => download(`${name}.json`, json()));
  if (svg) add('SVG', () => download(`${name}.svg`, svg(), 'image/svg+xml'));
  if (svg) add('PNG', async () => download(`${name}.png`, await toPng(svg())));
  if (page) add('Link', async () => { await navigator.clipboard?.writeText(location.href); say('The link is copied.'); });
  return element('section', {}, element('h2', {}, 'Take it with you'), box);
}

export function svgText(root) {
  const svg = root.querySelector('figure svg').cloneNode(true);
  for (const line of svg.querySelectorAll('line')) line.remove(); // the player's cursors
  return new XMLSerializer().serializeToString(svg);
}

/** Editor with examples, numbers and laws; calls `change(state)` whenever something is different. */
export function editor({ title, list, state, laws, change, pictured = false, after = [] }) {
  const own = 'own text';
  const names = list.map((e) => e.name);
  const find = (name) => list.find((e) => e.name === name)?.text;
  const current = { example: state.text !== undefined ? own : (names.includes(state.example) ? state.example : names[0]), text: state.text, set: { ...state.set }, laws };
  const area = element('textarea', { spellcheck: 'false', 'aria-label': 'text of the problem or scenario' });
  const numbers = element('div');
  const text = () => (current.example === own ? area.value : find(current.example));
  const tell = () => change({ ...current, text: text() }, {
    example: current.example === own ? undefined : current.example,
    text: current.example === own ? area.value : undefined, set: current.set, laws: current.laws.join(','),
  });
  const refresh = async () => {
    const found = await ask('numbers', { op: 'numbers', text: text() });
    if (!found) return;
    if (!found.numbers) { numbers.replaceChildren(); return; }
    let drawn = null;
    const change = (path, value) => { current.set[path] = value; drawn?.redraw(); tell(); };
    const made = sliders(found.numbers, current.set, change);
    drawn = pictured ? picture(found.numbers, current.set, (path, value) => { made.put(path, value); change(path, value); }) : null;
    numbers.replaceChildren(drawn ? drawn.svg : '', made.box);
  };
  const choice = select([...names, own], current.example, (name) => {
    current.example = name;
    current.set = {};
    if (name !== own) area.value = find(name);
    refresh();
    tell();
  });
  area.value = current.text ?? find(current.example);
  let timer = 0;
  area.addEventListener('input', () => {
    current.example = choice.value = own;
    current.set = {};
    clearTimeout(timer);
    timer = setTimeout(() => { refresh(); tell(); }, 250);
  });
  const form = element('form', { onsubmit: (event) => event.preventDefault() }, element('h1', {}, title),
    field('System', choice), numbers,
    checks(pictured ? 'Laws (none: all)' : 'Laws (none: that of the text)', LAWS, current.laws, (chosen) => { current.laws = chosen; tell(); }),
    ...after, element('details', {}, element('summary', {}, 'Text'), area));
  refresh();
  return { form, start: tell, text, current };
}
