// An impact under all laws, side by side, and where which regime holds.

import { ask, askMap } from './engine.js';
import { download, editor, element, exports, field, select, svgText, toPng } from './parts.js';

const MEASURES = ['state', 'energy', 'theorem', 'solutions', 'kinematic', 'kinetic', 'energetic'];
// Axes of the map for the systems that have natural ones; else the first two sliders.
const AXES = { rod: [['rod.velocity_ratio', -6, 6], ['rod.angle', 0.02, 3.12]], block: [['block.aspect', 0.2, 5], ['block.friction', 0, 1]] };

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

export function show(main, state, examples, remember) {
  const answer = element('div', { id: 'answer' });
  const map = element('div', { id: 'map' });
  const save = element('div');
  const chosen = { law: state.maplaw || 'newton', measure: state.measure || 'state' };
  let now = null, keys = null;

  const law = select(['newton', 'moreau', 'poisson', 'kinematic', 'lzb', 'sequential'], chosen.law, (v) => { chosen.law = v; draw(); });
  const measure = select(MEASURES, chosen.measure, (v) => { chosen.measure = v; draw(); });
  const after = [element('fieldset', {}, element('legend', {}, 'Map'), field('law', law), field('measure', measure))];
  const edit = editor({
    title: 'Impact', list: examples.problems, state, pictured: true, laws: (state.laws || '').split(',').filter(Boolean), after,
    change: (current, address) => { now = { current, address }; compute(); },
  });
  main.append(element('div', { class: 'lab' }, edit.form, element('div', {}, answer, map, save)));

  async function compute() {
    const { current, address } = now;
    remember({ ...address, maplaw: chosen.law === 'newton' ? '' : chosen.law, measure: chosen.measure === 'state' ? '' : chosen.measure });
    const found = await ask('impact', { op: 'impact', text: current.text, set: current.set, laws: current.laws });
    if (!found) return;
    if (found.error) {
      answer.replaceChildren(element('p', { class: 'error', role: 'alert' }, found.error));
      save.replaceChildren();
    } else {
      answer.innerHTML = `<h2>Answers</h2>${found.html}`;
      answer.dataset.set = JSON.stringify(current.set);
      answer.dataset.outcomes = JSON.stringify(found.outcomes);
      // The program computes a text that names a law under that one alone, unless told otherwise.
      const named = found.one ? found.outcomes.filter((o) => o.status !== 'not-applicable').map((o) => o.law) : current.laws;
      const laws = named.length ? ` --law ${named.join(',')}` : '';
      save.replaceChildren(exports('impact', {
        toml: () => found.toml, csv: () => table(found.outcomes), json: () => JSON.stringify(found.outcomes, null, 1), svg: () => svgText(answer), page: true,
      }), element('pre', { tabindex: 0 }, `delassus impact impact.toml${laws}`),
      element('pre', { tabindex: 0 }, `import delassus\nproblem = delassus.Problem.load("impact.toml")\nfor out in problem.resolve_all(): print(out)`));
    }
    draw();
  }

  function axes(numbers) {
    const form = Object.keys(AXES).find((name) => numbers.some(([path]) => path.startsWith(`${name}_impact.`) || path.startsWith(`${name}.`)));
    if (form) return AXES[form];
    const able = numbers.filter(([path]) => /velocity\[|friction$|restitution$|stiffness$/.test(path));
    if (able.length < 2) return null;
    return able.slice(0, 2).map(([path, value]) => (/velocity/.test(path)
      ? [path, -2 * Math.abs(value) || -1, 2 * Math.abs(value) || 1] : [path, 0, /stiffness/.test(path) ? 10 : 1]));
  }

  // Coarse first, then fine; a newer request takes the place of both.
  async function draw() {
    const { current } = now;
    const request = keys = {};
    const listed = await ask('mapnumbers', { op: 'numbers', text: current.text });
    if (!listed || request !== keys) return;
    const ranges = listed.numbers ? axes(Object.entries(listed.numbers)) : null;
    if (!ranges) { map.replaceChildren(); return; }
    const [x, y] = ranges.map(([key, from, to]) => ({ key, from, to }));
    for (const points of [50, 400]) {
      const found = await askMap({ op: 'map', text: current.text, set: current.set, laws: [chosen.law], x, y, measure: chosen.measure, points });
      if (!found || request !== keys) return;
      if (found.error) {
        map.replaceChildren(element('h2', {}, 'Map'), element('p', { class: 'error' }, found.error));
        return;
      }
      map.innerHTML = `<h2>Map</h2><figure class="large">${found.figure}</figure>`;
      map.dataset.points = found.points;
      const save = (name, content, type) => element('button', { type: 'button', onclick: async () => download(name, await content(), type) }, `${name.split('.')[1].toUpperCase()} of the map`);
      map.append(element('div', { class: 'buttons' }, save('map.csv', () => found.csv), save('map.svg', () => svgText(map), 'image/svg+xml'),
        save('map.png', () => toPng(svgText(map)))),
        element('pre', { tabindex: 0 }, `delassus map impact.toml --x ${x.key}=${x.from}:${x.to}:400 --y ${y.key}=${y.from}:${y.to}:400 --measure ${chosen.measure} --law ${chosen.law} --out map.svg`));
    }
  }

  edit.start();
  return () => { keys = null; };
}
