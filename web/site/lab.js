// The pages of the laboratory: the address says what is shown, the worker computes it.

import { ask } from './engine.js';
import { show as impact } from './impact.js';
import { show as motion } from './motion.js';
import { show as papers } from './papers.js';
import { readState, shownPage, writeState } from './state.js';
import { say } from './parts.js';

const pages = { impact, motion, papers };
let shown = null, leave = null;

const examples = await ask('examples', { op: 'examples' });
if (examples.error) say(examples.error);

function open() {
  const state = readState();
  const name = shownPage();
  for (const link of document.querySelectorAll('header nav a')) {
    if (link.hash === `#${name}`) link.setAttribute('aria-current', 'page'); else link.removeAttribute('aria-current');
  }
  if (leave) leave();
  const main = document.querySelector('main');
  main.replaceChildren();
  shown = name;
  document.title = `${name[0].toUpperCase()}${name.slice(1)} – delassus laboratory`;
  leave = pages[name](main, state, examples, (next) => writeState({ page: name, ...next }));
}

// Our own changes of the address do not open the page again.
window.addEventListener('hashchange', () => { if (readState().page !== shown || !writeState.own()) open(); });
if (!examples.error) say(`${examples.version}, computed ${examples.program ? 'by the program that serves this page' : 'in this page'}`);
open();
