// Says that a computation takes long, for how long already, and offers to stop it.

import { busySince, stop } from './engine.js';
import { element } from './parts.js';

const LATE = 500; // milliseconds after which it is said

/** Looks five times a second whether the shown page is still computing. */
export function watchBusy(box) {
  const words = element('span', { role: 'status' });
  const seconds = element('span', { 'aria-hidden': 'true' });
  const button = element('button', { type: 'button', onclick: () => { stop(); look(); } }, 'Stop');
  box.append(words, seconds, button);
  function look() {
    const since = busySince();
    const passed = since === null ? 0 : performance.now() - since;
    const late = passed > LATE;
    box.classList.toggle('on', late);
    button.hidden = !late;
    words.textContent = late ? 'Computing …' : '';
    seconds.textContent = late ? `${Math.floor(passed / 1000)} s` : '';
  }
  look();
  setInterval(look, 200);
}
