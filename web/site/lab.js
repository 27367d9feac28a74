// The pages of the laboratory: the address says what is shown, workers compute it.

import { watchBusy } from './busy.js';
import { ask, leavePage } from './engine.js';
import { show as impact } from './impact.js';
import { show as motion } from './motion.js';
import { show as papers } from './papers.js';
import { readState, shownPage, writeState } from './state.js';
import { say } from './parts.js';

const pages = { impact, motion, papers };
const texts = new Map(); // page → its examples
let shown = null, leave = null;

/** The texts that a page starts from, asked for once. */
async function examplesOf(page) {
  if (!texts.has(page)) {
    const found = await ask('examples', { op: 'examples' }, page);
    if (!found) return null;
    if (found.error) {
      say(found.error);
      return { problems: [], scenarios: [] };
    }
    say(`${found.version}, computed ${found.program ? 'by the program that serves this page' : 'in this page'}`);
    texts.set(page, found);
  }
  return texts.get(page);
}

async function open() {
  const name = shownPage();
  for (const link of document.querySelectorAll('header nav a')) {
    if (link.hash === `#${name}`) link.setAttribute('aria-current', 'page'); else link.removeAttribute('aria-current');
  }
  if (leave) leave();
  if (shown) leavePage(shown);
  leave = null;
  shown = name;
  const main = document.querySelector('main');
  main.replaceChildren();
  document.title = `${name[0].toUpperCase()}${name.slice(1)} – delassus laboratory`;
  const asked = location.hash;
  const examples = await examplesOf(name);
  if (!examples || location.hash !== asked) return; // another page is open by now
  leave = pages[name](main, readState(), examples, (next) => writeState({ page: name, ...next }));
}

// Our own changes of the address do not open the page again.
window.addEventListener('hashchange', () => { if (readState().page !== shown || !writeState.own()) open(); });
// What is folded beside an answer is printed as well.
const fold = (open) => () => {
  for (const part of document.querySelectorAll(open ? '#answer details:not([open])' : '#answer details[data-folded]')) {
    part.open = open;
    part.toggleAttribute('data-folded', open);
  }
};
window.addEventListener('beforeprint', fold(true));
window.addEventListener('afterprint', fold(false));
watchBusy(document.querySelector('#busy'));
open();
