// Parts that pages share: elements, sliders, choice of laws, messages.

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

/** What went wrong, in place of an answer; one that was stopped can be tried again. */
export function trouble({ error, stopped }, again) {
  const box = element('div', { class: 'error', role: 'alert' }, error);
  if (stopped) box.append(' ', element('button', { type: 'button', onclick: again }, 'Compute again'));
  return box;
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

// What problems have and scenarios have not.
const PROBLEM = /^\s*"?(mass|velocity)"?\s*[=:]|^\s*\[\[?\s*(problem|contact|clutch|joint|rod_impact|block_impact)\b/m;

/** Where a text belongs to the other page: says so and leads there; else nothing. */
export function otherPage(page, text) {
  if (page === 'motion' && !PROBLEM.test(text)) return '';
  const [what, here, other, name] = page === 'motion'
    ? ['a problem, one impact to resolve', 'motions', 'impact', 'Impact'] : ['a scenario, a motion to simulate', 'single impacts', 'motion', 'Motion'];
  const href = `#${other}?${new URLSearchParams({ text })}`;
  return element('p', { class: 'error', role: 'alert' }, `The text is ${what}; this page computes ${here}. `, element('a', { href }, `Open it on the page ${name}`));
}
