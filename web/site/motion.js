// A motion, played: one law or several above one another.

import { editor } from './editor.js';
import { ask } from './engine.js';
import { exports, svgText } from './exports.js';
import { mountPlayer } from './player.js';
import { element, otherPage, trouble } from './parts.js';
import { recordPart } from './record.js';
import { besideText, recordsIn } from './recordtext.js';

/** Samples of all runs as one table, with a column that names the law where there are several. */
function table(runs, csvs) {
  if (csvs.length === 1) return csvs[0];
  const rows = csvs.map((csv, k) => csv.trimEnd().split('\n').map((row, line) => `${line ? runs[k].law : 'law'},${row}`));
  return `${rows.flatMap((lines, k) => (k ? lines.slice(1) : lines)).join('\n')}\n`;
}

/** The same in Python, under every law that is chosen. */
function python(laws) {
  if (laws.length < 2) return `import delassus\nrun = delassus.run("motion.toml"${laws[0] ? `, law="${laws[0]}"` : ''})\nrun.plot()`;
  return `import delassus\nfor law in ${JSON.stringify(laws)}:\n    run = delassus.run("motion.toml", law=law)\n    run.plot()`;
}

const gallery = new Map(); // records of the site by their names, fetched where a scenario names one

/** The records that a text names and the site has. */
async function siteRecords(text, own) {
  const names = recordsIn(text).map(({ file }) => file).filter((name) => /^records\/[\w.-]+$/.test(name) && !own[name]);
  await Promise.all(names.filter((name) => !gallery.has(name)).map(async (name) => {
    const response = await fetch(name).catch(() => null);
    if (response?.ok) gallery.set(name, await response.text());
  }));
  return Object.fromEntries(names.filter((name) => gallery.has(name)).map((name) => [name, gallery.get(name)]));
}

export function show(main, state, examples, remember) {
  const answer = element('div', { id: 'answer' });
  const save = element('div');
  const records = {};
  let player = null, newest = null;

  const record = recordPart(() => edit, records);
  const edit = editor({
    title: 'Motion', list: examples.scenarios, state, laws: (state.laws || '').split(',').filter(Boolean), after: [record.box], change: compute,
  });
  main.append(element('div', { class: 'lab' }, edit.form, element('div', {}, answer, save)));
  const over = (event) => { event.preventDefault(); main.classList.add('drop'); };
  const off = () => main.classList.remove('drop');
  const dropped = (event) => { event.preventDefault(); off(); record.take(event.dataTransfer.files[0]); };
  main.addEventListener('dragover', over);
  main.addEventListener('dragleave', off);
  main.addEventListener('drop', dropped);

  async function compute(current, address) {
    remember(address);
    record.look(current.text);
    answer.classList.add('old');
    const mine = newest = {}, beside = await siteRecords(current.text, records);
    if (mine !== newest) return;
    const found = await ask('run', { op: 'run', text: current.text, set: current.left, laws: current.laws, records: { ...beside, ...records } });
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
    offer(found, current);
  }

  /** What can be saved; records that the text names stand beside it then, without their folders. */
  function offer(found, { laws }) {
    const { text, files } = besideText(found.toml);
    const content = (name) => records[name] ?? gallery.get(name);
    const needed = files.map(({ file, beside }) => ({ file: beside, text: content(file) })).filter((one) => one.text !== undefined);
    save.replaceChildren(exports('motion', {
      toml: () => text, csv: () => table(found.runs, found.csvs), json: () => JSON.stringify(found.runs, null, 1), svg: () => svgText(answer), page: true, files: needed,
    }));
    if (files.length) save.append(element('p', {}, `motion.toml needs beside it: ${files.map(({ beside }) => beside).join(', ')}.`));
    if (files.some(({ file }) => records[file])) save.append(element('p', {}, 'The link names the record and does not hold it: whoever opens it drops the file again.'));
    save.append(element('pre', { tabindex: 0 }, `delassus run motion.toml${laws.length ? ` --law ${laws.join(',')}` : ''} --out motion.html`),
      element('pre', { tabindex: 0 }, python(laws)));
  }

  edit.start();
  return () => {
    if (player) player.remove();
    main.removeEventListener('dragover', over);
    main.removeEventListener('dragleave', off);
    main.removeEventListener('drop', dropped);
  };
}
