// The studies of papers: our values beside theirs, and their parameters open to change.

import { ask } from './engine.js';
import { exports, svgText } from './exports.js';
import { element, field, slider, trouble } from './parts.js';

// The system that a study is about, where one can go on: the more special first.
const SYSTEMS = [
  [/glocker-2014\/(fig-2|fig-3)$/, 'impact?example=stack&laws=poisson'], [/glocker-2014\/(fig-4|section-9.1)/, 'impact?example=clutch&laws=poisson'],
  [/glocker-2014\/(fig-7|fig-8)/, 'impact?example=sphere&laws=poisson'], [/glocker-2014\/section-9.3/, 'impact?example=chain3&laws=newton,poisson'],
  [/glocker-2014/, 'impact?example=kane&laws=newton,poisson'],
  [/payr-glocker-2005\/fig-13/, 'impact?example=sphere&laws=newton,walton,stronge'], [/payr-glocker-2005\/section-6/, 'motion?example=rod'],
  [/payr-glocker-2005/, 'impact?example=rod_impact&laws=newton'],
  [/brogliato-zhang-liu-2012\/section-7/, 'impact?example=chain3&laws=kinematic'], [/brogliato-zhang-liu-2012/, 'impact?example=block_impact&laws=kinematic,lzb'],
  [/zhang-brogliato-liu-2012\/fig-(4|5|9)$/, 'motion?example=rocking-block'], [/zhang-brogliato-liu-2012/, 'impact?example=block_impact&laws=lzb'],
];

export function show(main, state, examples, remember) {
  const choice = element('select', { onchange: () => { notice.replaceChildren(); open(choice.value); } });
  const notice = element('div');
  const heading = element('h2');
  const controls = element('div');
  const answer = element('div', { id: 'answer', 'aria-live': 'polite' });
  const save = element('div');
  main.append(element('div', { class: 'lab' }, element('form', { onsubmit: (event) => event.preventDefault() }, element('h1', {}, 'Papers'), notice, field('Study', choice), controls),
    element('div', {}, heading, answer, save)));
  let left = false, shown = null, set = {}, newest = null;

  async function compute() {
    const asked = newest = { ...set }, id = shown;
    remember({ study: id, set: asked });
    answer.classList.add('old');
    const found = await ask('study', { op: 'study', id, set: asked });
    if (!found || left || id !== shown) return;
    answer.classList.toggle('old', asked !== newest);
    answer.dataset.set = JSON.stringify(asked);
    if (found.error) {
      answer.replaceChildren(trouble(found, compute));
      save.replaceChildren();
      if (Object.keys(asked).length && !controls.children.length) controls.append(reset());
      return;
    }
    heading.textContent = `${id}: ${found.title} (${found.verdict === 'changed' ? 'with your parameters' : found.verdict})`;
    answer.dataset.verdict = found.verdict;
    if (!controls.querySelector('.slider')) offer(found.parameters);
    answer.innerHTML = found.html;
    const values = Object.entries(asked).map(([name, value]) => ` --set ${name}=${value}`).join('');
    const system = SYSTEMS.find(([pattern]) => pattern.test(id));
    save.replaceChildren(exports(id.replace('/', '-'), {
      csvs: found.tables, svg: answer.querySelector('figure svg') ? () => svgText(answer) : null, page: true,
    }), element('pre', { tabindex: 0 }, `delassus reproduce ${id}${values} --out studies`));
    if (!values) save.append(element('pre', { tabindex: 0 }, `import delassus\nstudy, = delassus.reproduce("${id}")\nprint(study)`));
    if (system) save.append(element('p', {}, element('a', { href: `#${system[1]}` }, 'This system under all laws')));
  }

  const reset = () => element('button', { type: 'button', onclick: () => { set = {}; controls.replaceChildren(); compute(); } }, 'The paper\'s values');

  /** A slider for every parameter of the study. */
  function offer(parameters) {
    if (!parameters.length) {
      controls.replaceChildren(element('p', {}, 'This study has no parameters to change.'));
      return;
    }
    const box = element('fieldset', {}, element('legend', {}, 'Parameters'));
    for (const { name, meaning, value, from, to } of parameters) {
      const made = slider({ label: meaning, value, from, to, firm: true }, (v) => { set[name] = v; compute(); });
      made.row.title = `${name}, from ${from} to ${to}`;
      box.append(made.row);
    }
    box.append(reset());
    controls.replaceChildren(box);
  }

  function open(id, values = {}) {
    shown = choice.value = id;
    set = { ...values };
    controls.replaceChildren();
    heading.textContent = choice.selectedOptions[0].textContent;
    return compute();
  }

  async function list() {
    const found = await ask('papers', { op: 'papers' });
    if (!found || left) return;
    if (found.error) {
      answer.replaceChildren(trouble(found, list));
      return;
    }
    const groups = new Map(); // a group a paper
    for (const { id, title } of found.studies) {
      const [paper, part] = id.split('/');
      if (!groups.has(paper)) groups.set(paper, element('optgroup', { label: paper }));
      groups.get(paper).append(element('option', { value: id }, `${part}: ${title}`));
    }
    choice.append(...groups.values());
    const known = found.studies.some(({ id }) => id === state.study);
    const id = known ? state.study : found.studies[0].id;
    if (state.study && !known) notice.append(element('p', { class: 'error', role: 'alert' }, `There is no study “${state.study}”; ${id} is shown instead.`));
    open(id, known ? state.set : {});
  }
  list();
  return () => { left = true; };
}
