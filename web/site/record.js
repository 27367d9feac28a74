// A record of ground motion, chosen or dropped: it becomes part of the scenario’s text by its file’s name.

import { element, field, select } from './parts.js';
import { moveGround, recordsIn, replaceRecord } from './recordtext.js';

const UNITS = [['', 'as the file says'], ['g', 'g'], ['m/s2', 'm/s²'], ['cm/s2', 'cm/s²'], ['gal', 'gal'], ['mm/s2', 'mm/s²']];

/** Controls for a record; `edit` gives the editor, `records` gets the content of the file by its name. */
export function recordPart(edit, records) {
  const file = element('input', { type: 'file', accept: '.at2,.AT2,.txt,.csv,.asc,.v1a,.V1A,.v2a,.V2A' });
  const told = element('div', { 'aria-live': 'polite' });
  let used = null; // { name, before, which, units, interval }

  const apply = () => {
    const { name, before, which, units, interval } = used, record = { file: name, units, interval };
    const made = which < 0 ? moveGround(before.text, record) : replaceRecord(before.text, which, record);
    if (made !== null) edit().put({ base: made });
    return made !== null;
  };
  /** The same record with another unit or interval, in the text as it is now. */
  const adjust = () => {
    const { name, units, interval } = used, text = edit().text(), which = recordsIn(text).findIndex((record) => record.file === name);
    edit().put({ base: replaceRecord(text, which, { file: name, units, interval }) });
  };
  const remove = () => {
    delete records[used.name];
    const { before } = used;
    used = null;
    file.value = '';
    told.replaceChildren();
    edit().put(before.kept);
  };

  async function take(given) {
    if (!given) return;
    if (used) remove();
    const name = given.name.replace(/["'\\\p{Cc}]/gu, '_');
    records[name] = await given.text();
    const text = edit().text(), found = recordsIn(text);
    const same = found.findIndex((record) => record.file === name), level = found.findIndex((record) => record.horizontal);
    used = { name, before: { text, kept: edit().kept() }, which: same >= 0 ? same : level, units: '', interval: '' };
    if (!apply()) {
      delete records[name];
      used = null;
      told.replaceChildren(element('p', { class: 'error', role: 'alert' }, `${name} is not used: this scenario has no ground that could move.`));
      return;
    }
    const places = [...found.map((record, k) => [String(k), `${record.file}${record.direction ? `, along (${record.direction.join(', ')})` : ', horizontal'}`]),
      ['-1', found.length || /motion/.test(text) ? 'all motion of the ground; horizontal' : 'nothing: the ground moves horizontally']];
    const place = select(places, String(used.which), (value) => { used.which = Number(value); apply(); });
    const unit = select(UNITS, '', (value) => { used.units = value; adjust(); });
    const step = element('input', { type: 'text', inputmode: 'decimal', placeholder: 'as the file says' });
    step.addEventListener('change', () => {
      const wanted = Number(step.value.replace(',', '.'));
      used.interval = wanted > 0 && Number.isFinite(wanted) ? String(wanted) : '';
      adjust();
    });
    told.replaceChildren(
      element('p', {}, 'Record ', element('strong', {}, name), ' ', element('button', { type: 'button', onclick: remove }, 'Remove')),
      field('It takes the place of', place), field('Its unit', unit), field('Time between its samples [s]', step),
    );
  }
  file.addEventListener('change', () => take(file.files[0]));
  const box = element('fieldset', {}, element('legend', {}, 'Ground motion'), field('Record, from a file (or drop it on the page)', file), told);
  /** Forgets the record where the text that is shown does not name it. */
  const look = (text) => {
    if (!used || recordsIn(text).some((record) => record.file === used.name)) return;
    delete records[used.name];
    used = null;
    file.value = '';
    told.replaceChildren();
  };
  return { box, take, look };
}
