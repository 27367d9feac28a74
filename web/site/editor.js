// The form beside an answer: examples, numbers, laws, and the text, which the sliders change.

import { ask } from './engine.js';
import { written } from './numbertext.js';
import { LAWS, checks, element, field, select, sliders } from './parts.js';
import { picture } from './picture.js';

const OWN = 'own text';

/** Editor with examples, numbers and laws; calls `change(current, address)` whenever something is different. */
export function editor({ title, list, state, laws, change, pictured = false, after = [] }) {
  const names = list.map((e) => e.name);
  const find = (name) => list.find((e) => e.name === name)?.text ?? '';
  const known = state.text !== undefined || !state.example || names.includes(state.example);
  const first = state.text !== undefined ? OWN : (names.includes(state.example) ? state.example : names[0] ?? OWN);
  // `base` is the text without what the sliders changed, which is `set`.
  const current = { example: first, base: state.text ?? find(first), set: known ? { ...state.set } : {}, laws, scenario: null };

  const area = element('textarea', { spellcheck: 'false', 'aria-label': 'text of the problem or scenario' });
  const numbers = element('div');
  const notice = element('div');
  const beside = element('p', { class: 'beside' });
  const details = element('details', {}, element('summary', {}, 'Text'), beside, area);
  if (!known) notice.append(element('p', { class: 'error', role: 'alert' }, `There is no example “${state.example}”; ${first} is shown instead.`));

  const tell = () => {
    const { text, left } = written(current.base, current.set);
    if (area.value !== text) area.value = text;
    const others = Object.entries(left).map(([path, value]) => `${path} = ${value}`);
    beside.textContent = others.length ? `The sliders have in place of the text’s values: ${others.join(', ')}.` : '';
    const own = current.example === OWN;
    // A copy: what an answer was asked for must not change while it is computed.
    const set = { ...current.set };
    change({ ...current, set, text, left }, {
      example: own ? undefined : current.example, text: own ? current.base : undefined, set, laws: current.laws.join(','),
    });
  };
  const refresh = async () => {
    const found = await ask('numbers', { op: 'numbers', text: current.base });
    if (!found) return;
    current.scenario = found.scenario ?? null;
    if (!found.numbers) { numbers.replaceChildren(); return; }
    let drawn = null;
    const take = (changes) => { Object.assign(current.set, changes); drawn?.redraw(); tell(); };
    const made = sliders(found.numbers, current.set, (path, value) => take({ [path]: value }));
    drawn = pictured ? picture(found.numbers, current.base, current.set, (changes) => {
      Object.entries(changes).forEach(([path, value]) => made.put(path, value));
      take(changes);
    }) : null;
    numbers.replaceChildren(drawn ? drawn.svg : '', made.box);
  };
  /** Shows a text, or an example by its name. */
  const put = ({ example = OWN, base = find(example), set = {} }) => {
    Object.assign(current, { example, base, set: { ...set } });
    choice.value = example;
    notice.replaceChildren();
    refresh();
    tell();
  };
  const choice = select([...names, OWN], current.example, (name) => {
    if (name !== OWN) { put({ example: name }); return; }
    put({ base: area.value }); // what is shown, to go on from
    details.open = true;
    area.scrollIntoView({ block: 'center' });
    area.focus();
  });
  let timer = 0;
  area.addEventListener('input', () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      // What the sliders changed stands in the text already; the rest goes on being set.
      put({ base: area.value, set: written(current.base, current.set).left });
    }, 250);
  });
  const form = element('form', { onsubmit: (event) => event.preventDefault() }, element('h1', {}, title),
    notice, field('System', choice), numbers,
    checks(pictured ? 'Laws (none: all)' : 'Laws (none: that of the text)', LAWS, current.laws, (chosen) => { current.laws = chosen; tell(); }),
    ...after, details);
  return {
    form, tell, put,
    start: () => { refresh(); tell(); },
    /** What is shown, for `put` to bring back. */
    kept: () => ({ example: current.example, base: current.base, set: { ...current.set } }),
    text: () => written(current.base, current.set).text,
    scenario: () => current.scenario,
  };
}
