// An impact under all laws, side by side, and where which regime holds.

import { editor } from './editor.js';
import { ask } from './engine.js';
import { exports, svgText } from './exports.js';
import { mapPart } from './map.js';
import { element, otherPage, trouble } from './parts.js';

/** Answers as comma-separated values, a row a law: velocities, then γ⁺ and impulse of every element. */
function table(outcomes) {
  const columns = ['law', 'status', 'energy_before', 'energy_after'], rows = outcomes.map((o) => {
    const row = { law: o.law, status: o.status, energy_before: o.kinetic_energy?.before, energy_after: o.kinetic_energy?.after };
    const put = (name, list) => list?.forEach((value, k) => { row[list.length > 1 ? `${name}[${k}]` : name] = value; });
    o.velocity?.forEach((value, k) => { row[`velocity[${k}]`] = value; });
    o.elements?.forEach((e) => { put(`${e.name}.gamma`, e.gamma_plus); put(`${e.name}.impulse`, e.impulse); });
    return row;
  });
  for (const key of new Set(rows.flatMap(Object.keys))) if (!columns.includes(key)) columns.push(key);
  return `${[columns, ...rows.map((row) => columns.map((key) => row[key] ?? ''))].map((cells) => cells.join(',')).join('\n')}\n`;
}

/** The same in Python, under the laws that are chosen, else under all. */
function python(laws, text) {
  const load = /^\s*\[\[\s*problem\s*\]\]/m.test(text) ? 'load_all("impact.toml")[0]' : 'load("impact.toml")';
  const each = laws.length ? `for law in ${JSON.stringify(laws)}:\n    print(law, problem.resolve(law))`
    : 'for law, out in problem.resolve_all().items():\n    print(law, out)';
  return `import delassus\nproblem = delassus.Problem.${load}\n${each}`;
}

export function show(main, state, examples, remember) {
  const answer = element('div', { id: 'answer' });
  const save = element('div');
  let now = null;

  const map = mapPart(state, () => { keep(); map.draw(now.current); });
  const edit = editor({
    title: 'Impact', list: examples.problems, state, pictured: true, laws: (state.laws || '').split(',').filter(Boolean), after: [map.controls],
    change: (current, address) => { now = { current, address }; compute(); },
  });
  main.append(element('div', { class: 'lab' }, edit.form, element('div', {}, answer, map.box, save)));
  const keep = () => remember({ ...now.address, ...map.choices() });

  async function compute() {
    const { current } = now;
    map.look(current);
    keep();
    answer.classList.add('old');
    const asked = ask('impact', { op: 'impact', text: current.text, set: current.left, laws: current.laws });
    map.draw(current);
    const found = await asked;
    if (!found) return;
    // An answer that something newer was asked after is shown, and stays marked as old.
    answer.classList.toggle('old', now.current !== current);
    if (found.error) {
      answer.replaceChildren((edit.scenario() && otherPage('impact', current.text)) || trouble(found, edit.tell));
      save.replaceChildren();
      return;
    }
    answer.innerHTML = `<h2>Answers</h2>${found.html}`;
    answer.dataset.set = JSON.stringify(current.set);
    answer.dataset.outcomes = JSON.stringify(found.outcomes);
    // The program computes a text that names a law under that one alone, unless told otherwise.
    const named = found.one ? found.outcomes.filter((o) => o.status !== 'not-applicable').map((o) => o.law) : current.laws;
    save.replaceChildren(exports('impact', {
      toml: () => found.toml, csv: () => table(found.outcomes), json: () => JSON.stringify(found.outcomes, null, 1), svg: () => svgText(answer), page: true,
    }), element('pre', { tabindex: 0 }, `delassus impact impact.toml${named.length ? ` --law ${named.join(',')}` : ''}`),
    element('pre', { tabindex: 0 }, python(current.laws, found.toml)));
  }

  edit.start();
  return map.leave;
}
