// Where which regime holds: a map over two numbers of a problem, with the problem itself as a dot in it.

import { ask, askMap, stopMap } from './engine.js';
import { download, svgText, toPng } from './exports.js';
import { element, field, select } from './parts.js';

const MEASURES = ['state', 'energy', 'theorem', 'solutions', 'kinematic', 'kinetic', 'energetic'];
const MAP_LAWS = ['newton', 'moreau', 'poisson', 'kinematic', 'lzb', 'sequential'];
// Pairs of axes that are natural for a system; else the first two of the numbers that impacts depend on most.
const NATURAL = [[/^rod(_impact)?\.velocity_ratio$/, /^rod(_impact)?\.angle$/], [/^block(_impact)?\.aspect$/, /^block(_impact)?\.friction$/]];
const COMMON = /^velocity\[|friction$|restitution$|stiffness$/;
const AXES = ['horizontal', 'vertical'];
const RANGES = [
  [/velocity_ratio$/, -6, 6], [/angle$/, 0.02, 3.12], [/aspect$/, 0.2, 5], [/(friction|friction_static|restitution|restitution_tangential)$/, 0, 1],
  [/stiffness(_ratio)?$/, 0, 10], [/exponent$/, 1, 2.5],
];

function range(key, value) {
  const known = RANGES.find(([pattern]) => pattern.test(key));
  if (known) return [known[1], known[2]];
  const positive = /mass|inertia|length|width|height|radius/.test(key);
  const size = Math.abs(value ?? 1) || 1;
  return positive ? [size / 5, 5 * size] : [-2 * size, 2 * size];
}

/** A range of the address, from:to. */
function readRange(text) {
  const [from, to] = (text ?? '').split(':').map(Number);
  return Number.isFinite(from) && Number.isFinite(to) && from < to ? [from, to] : null;
}

/** The values of a problem's parameters, also of those that follow from others. */
function valueOf(parameters, key) {
  if (typeof parameters[key] === 'number') return parameters[key];
  const at = (name) => parameters[key.replace(/^(rod|block)\..*/, `$1_impact.${name}`)];
  if (key === 'block.aspect') return at('height') / at('width');
  if (key === 'rod.velocity_ratio') return at('tangential_velocity') / at('normal_velocity');
  return undefined;
}

/** The map with its controls; `changed` is told of choices, `choices` are those for the address. */
export function mapPart(state, changed) {
  const chosen = {
    law: state.maplaw || 'newton', measure: state.measure || 'state', x: state.mapx, y: state.mapy, ranges: { x: readRange(state.rangex), y: readRange(state.rangey) },
  };
  const box = element('div', { id: 'map' });
  const told = element('p', { class: 'progress', role: 'status' });
  const law = select(MAP_LAWS, chosen.law, (value) => { chosen.law = value; changed(); });
  const measure = select(MEASURES, chosen.measure, (value) => { chosen.measure = value; changed(); });
  const axes = ['x', 'y'].map((name) => select([], null, (value) => { chosen[name] = value; chosen.ranges[name] = null; changed(); }));
  // From and to of each axis; empty fields give the range that suits the number.
  const ends = ['x', 'y'].map((name, k) => ['from', 'to'].map((end) => {
    const input = element('input', { type: 'text', inputmode: 'decimal', 'aria-label': `${AXES[k]} axis ${end}` });
    input.addEventListener('change', () => {
      const [from, to] = ends[k].map(({ value }) => (value.trim() === '' ? NaN : Number(value.replace(',', '.'))));
      chosen.ranges[name] = Number.isFinite(from) && Number.isFinite(to) && from < to ? [from, to] : null;
      const empty = ends[k].every(({ value }) => value.trim() === '');
      for (const one of ends[k]) one.setAttribute('aria-invalid', !chosen.ranges[name] && !empty);
      if (chosen.ranges[name] || empty) { drawn = null; changed(); }
    });
    return input;
  }));
  const axis = (k) => [field(`${AXES[k]} axis`, axes[k]), element('div', { class: 'ends' }, 'from', ends[k][0], 'to', ends[k][1])];
  const controls = element('fieldset', {}, element('legend', {}, 'Map'), field('law', law), field('measure', measure),
    ...axis(0), ...axis(1));
  let newest = null, drawn = null, system = null;

  /** The two axes: those chosen where the problem has them, else natural ones. */
  function pair(parameters) {
    const keys = Object.keys(parameters);
    const natural = NATURAL.map((patterns) => patterns.map((pattern) => keys.find((key) => pattern.test(key)))).find((found) => found.every(Boolean));
    const common = [...keys.filter((key) => COMMON.test(key) && parameters[key]), ...keys];
    const [first, second] = natural ?? [common[0], common.find((key) => key !== common[0])];
    const x = keys.includes(chosen.x) ? chosen.x : (chosen.y === first ? second : first);
    const y = keys.includes(chosen.y) && chosen.y !== x ? chosen.y : [second, first, ...keys].find((key) => key !== x);
    axes.forEach((list, k) => {
      list.replaceChildren(...keys.map((key) => element('option', { value: key, ...(key === [x, y][k] ? { selected: '' } : {}) }, key)));
    });
    return x && y ? [x, y] : null;
  }

  /** Where the problem lies in the map that is shown. */
  function mark(parameters) {
    box.querySelector('.mark')?.remove();
    const svg = box.querySelector('figure svg');
    if (!svg || !drawn?.frame) return;
    const [left, top, width, height] = drawn.frame;
    const [across, up] = [drawn.x, drawn.y].map(({ key, from, to }) => (valueOf(parameters, key) - from) / (to - from));
    box.dataset.mark = '';
    if (!(across >= 0 && across <= 1 && up >= 0 && up <= 1)) return;
    const dot = document.createElementNS('http://www.w3.org/2000/svg', 'circle');
    const place = { cx: left + across * width, cy: top + (1 - up) * height, r: 4, fill: '#fff', stroke: '#000', 'stroke-width': 1.8, class: 'mark' };
    for (const [key, value] of Object.entries(place)) dot.setAttribute(key, value);
    const title = document.createElementNS('http://www.w3.org/2000/svg', 'title');
    title.textContent = 'the problem as it is set';
    dot.append(title);
    svg.append(dot);
    box.dataset.mark = `${across.toFixed(4)} ${up.toFixed(4)}`;
  }

  function fail(message) {
    told.textContent = '';
    drawn = null;
    box.classList.remove('old');
    box.replaceChildren(element('h2', {}, 'Map'), element('p', { class: 'error' }, message));
  }

  function put(found, request) {
    const { x, y } = request;
    box.innerHTML = `<h2>Map</h2><figure class="large" tabindex="0">${found.figure}</figure>`;
    box.dataset.points = found.points;
    const save = (name, content, type) => element('button', { type: 'button', onclick: async () => download(name, await content(), type) }, `${name.split('.')[1].toUpperCase()} of the map`);
    box.append(element('div', { class: 'buttons' }, save('map.csv', () => found.csv), save('map.svg', () => svgText(box), 'image/svg+xml'),
      save('map.png', () => toPng(svgText(box)))),
      element('pre', { tabindex: 0 }, `delassus map impact.toml --x ${x.key}=${x.from}:${x.to}:400 --y ${y.key}=${y.from}:${y.to}:400 --measure ${request.measure} --law ${request.laws[0]} --out map.svg`));
  }

  /** Forgets what belongs to another system: what is shown says nothing about this one. */
  function look({ base, example }) {
    const text = example === 'own text' ? example : base;
    if (system === text) return;
    stopMap();
    box.replaceChildren();
    delete box.dataset.points;
    drawn = null;
    if (system !== null) chosen.ranges = { x: null, y: null };
    system = text;
  }

  /** Coarse first, then fine; a newer request takes the place of both. */
  async function draw({ base, set }) {
    const mine = newest = {};
    box.classList.add('old');
    const listed = await ask('parameters', { op: 'parameters', text: base, set, laws: [chosen.law] });
    if (!listed || mine !== newest) return;
    if (listed.error) { // which the answer tells
      told.textContent = '';
      drawn = null;
      box.replaceChildren();
      return;
    }
    const found = pair(listed.parameters);
    if (!found) { fail('This problem has no two numbers for the axes of a map.'); return; }
    const [x, y] = found.map((key, k) => {
      const [from, to] = chosen.ranges['xy'[k]] ?? (drawn && [drawn.x, drawn.y].find((axis) => axis.key === key) ? rangeOf(key) : range(key, valueOf(listed.parameters, key)));
      ends[k].forEach((input, e) => { if (document.activeElement !== input) input.value = [from, to][e]; });
      return { key, from, to };
    });
    // The numbers on the axes change nothing of the map.
    const held = Object.fromEntries(Object.entries(set).filter(([path]) => ![x.key, y.key].includes(path.replace(/^problem\[0\]\./, ''))));
    const request = { op: 'map', text: base, set: held, laws: [chosen.law], x, y, measure: chosen.measure };
    const wanted = JSON.stringify(request);
    if (drawn?.wanted === wanted && drawn.fine) { box.classList.remove('old'); mark(listed.parameters); return; }
    mark(listed.parameters);
    for (const points of [50, 400]) {
      told.replaceChildren(`Computing the map, ${points} × ${points} points … `,
        element('button', { type: 'button', onclick: () => { stopMap(); told.textContent = 'The map was stopped.'; } }, 'Stop'));
      const answer = await askMap({ ...request, points });
      if (!answer || mine !== newest) return;
      if (answer.error) { fail(answer.error); return; }
      box.classList.remove('old');
      drawn = { x, y, wanted, frame: answer.frame, fine: points === 400 };
      put(answer, request);
      mark(listed.parameters);
    }
    told.textContent = '';
  }

  /** The range of an axis stays while its number is moved. */
  function rangeOf(key) {
    const { from, to } = [drawn.x, drawn.y].find((axis) => axis.key === key);
    return [from, to];
  }

  return {
    box: element('div', {}, told, box), controls, draw, look,
    choices: () => ({
      maplaw: chosen.law === 'newton' ? '' : chosen.law, measure: chosen.measure === 'state' ? '' : chosen.measure, mapx: chosen.x, mapy: chosen.y,
      rangex: chosen.ranges.x?.join(':'), rangey: chosen.ranges.y?.join(':'),
    }),
    leave: () => { newest = null; },
  };
}
