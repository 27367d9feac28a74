// A motion, played: one law or several above one another.

import { editor } from './editor.js';
import { ask } from './engine.js';
import { exports, svgText } from './exports.js';
import { mountPlayer } from './player.js';
import { element, field, otherPage, trouble } from './parts.js';

export function show(main, state, examples, remember) {
  const answer = element('div', { id: 'answer' });
  const save = element('div');
  const records = {};
  let player = null;

  const file = element('input', { type: 'file', accept: '.at2,.AT2,.txt,.csv,.asc' });
  const take = async (given) => {
    if (!given) return;
    records['*'] = await given.text();
    edit.tell();
  };
  file.addEventListener('change', () => take(file.files[0]));
  const after = [field('Ground motion (takes the place of the records of the text)', file)];
  const edit = editor({
    title: 'Motion', list: examples.scenarios, state, laws: (state.laws || '').split(',').filter(Boolean), after, change: compute,
  });
  main.append(element('div', { class: 'lab' }, edit.form, element('div', {}, answer, save)));
  const over = (event) => { event.preventDefault(); main.classList.add('drop'); };
  const off = () => main.classList.remove('drop');
  const dropped = (event) => { event.preventDefault(); off(); take(event.dataTransfer.files[0]); };
  main.addEventListener('dragover', over);
  main.addEventListener('dragleave', off);
  main.addEventListener('drop', dropped);

  async function compute(current, address) {
    remember(address);
    answer.classList.add('old');
    const found = await ask('run', { op: 'run', text: current.text, set: current.left, laws: current.laws, records });
    if (!found) return;
    answer.classList.remove('old');
    if (player) player.remove();
    player = null;
    if (found.error) {
      const other = !found.stopped && edit.scenario() === false && otherPage('motion', current.text);
      answer.replaceChildren(other || trouble(found, edit.tell));
      save.replaceChildren();
      return;
    }
    answer.innerHTML = found.html;
    answer.prepend(element('h2', {}, found.title));
    const part = answer.querySelector('[data-part]');
    if (part) {
      const scene = JSON.parse(part.querySelector('script[type="application/json"]').textContent);
      player = mountPlayer(part.querySelector('.player'), scene, [...part.querySelectorAll('figure[data-places]')]);
      for (const button of part.querySelectorAll('button[data-time]')) {
        button.addEventListener('click', () => { player.pause(); player.show(Number(button.dataset.time)); part.scrollIntoView(); });
      }
    }
    answer.dataset.runs = JSON.stringify(found.runs.map(({ status, time, impacts, energy }) => ({ status, time, impacts: impacts.map((i) => i.time), energy: energy.final })));
    const laws = current.laws.map((l) => ` --law ${l}`).join('');
    save.replaceChildren(exports('motion', {
      toml: () => found.toml, csv: () => found.csv, json: () => JSON.stringify(found.runs, null, 1), svg: () => svgText(answer), page: true,
    }), element('pre', { tabindex: 0 }, `delassus run motion.toml${laws} --out motion.html`),
    element('pre', { tabindex: 0 }, `import delassus\nrun = delassus.run("motion.toml"${current.laws[0] ? `, law="${current.laws[0]}"` : ''})\nrun.plot()`));
  }

  edit.start();
  return () => {
    if (player) player.remove();
    main.removeEventListener('dragover', over);
    main.removeEventListener('dragleave', off);
    main.removeEventListener('drop', dropped);
  };
}
