// The studies of papers: our values beside theirs.

import { ask } from './engine.js';
import { element } from './parts.js';

// Where the parameters of a study can be changed: the system that it is about, the more special first.
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
  const list = element('ul', { class: 'studies' });
  const answer = element('div', { id: 'answer', 'aria-live': 'polite' });
  main.append(element('div', { class: 'lab' }, element('form', {}, element('h1', {}, 'Papers'), list), answer));
  let left = false;

  async function open(id) {
    remember({ study: id });
    for (const button of list.querySelectorAll('button')) button.setAttribute('aria-pressed', String(button.dataset.id === id));
    answer.classList.add('old');
    const found = await ask('study', { op: 'study', id });
    if (!found || left) return;
    answer.classList.remove('old');
    if (found.error) {
      answer.replaceChildren(element('p', { class: 'error', role: 'alert' }, found.error));
      return;
    }
    answer.innerHTML = found.html;
    answer.prepend(element('h2', {}, `${found.title} (${found.verdict})`));
    answer.dataset.verdict = found.verdict;
    const system = SYSTEMS.find(([pattern]) => pattern.test(id));
    if (system) answer.append(element('p', {}, element('a', { href: `#${system[1]}` }, 'Change the parameters of this system')));
    answer.append(element('pre', { tabindex: 0 }, `delassus reproduce ${id} --out studies`));
  }

  ask('papers', { op: 'papers' }).then((found) => {
    if (!found || found.error || left) return;
    for (const { id, title } of found.studies) {
      list.append(element('li', {}, element('button', { type: 'button', 'data-id': id, 'aria-pressed': 'false', onclick: () => open(id) }, `${id}: ${title}`)));
    }
    open(found.studies.some(({ id }) => id === state.study) ? state.study : found.studies[0].id);
  });
  return () => { left = true; };
}
