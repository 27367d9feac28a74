// The player of a scene: bodies, supports, contact points and impulses over time on a canvas.
// The same files are in every page that `delassus` writes and in the laboratory. No dependencies.

import { drawPlane } from './plane.js';
import { CAMERA, drawSpace } from './space.js';
import { colours, courseAt, impulsesOf, mix, moment, size } from './stage.js';

const SPEEDS = [[100, '100 ×'], [10, '10 ×'], [2, '2 ×'], [1, 'real time'], [0.5, '1/2'], [0.25, '1/4'], [0.1, '1/10'],
  [0.02, '1/50'], [0.002, '1/500'], [0.0001, '1/10000']];
const THROUGH = 1.8; // seconds for the course of an impact

const inSpace = (scene) => scene.view.length === 6;

/**
 * Draws films of a scene at time `t`; `options`: which films and things are shown, the trail of impulses [s], the
 * camera, and the impact that is `held`, with how much of its course is over.
 */
export function drawScene(context, width, height, scene, t, options) {
  context.clearRect(0, 0, width, height);
  context.lineJoin = 'round';
  (inSpace(scene) ? drawSpace : drawPlane)(context, width, height, scene, t, options, colours());
}

function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

/** Six digits, as the program prints. */
export function digits(value) {
  return Number(value.toPrecision(6)).toString();
}

/** Sliders for the camera of a scene in space, which dragging the canvas moves too. */
function cameraRow(canvas, camera, draw) {
  const control = (label, key, min, max, step) => {
    const range = element('input', { type: 'range', min, max, step, value: camera[key], 'aria-label': label });
    range.addEventListener('input', () => { camera[key] = Number(range.value); draw(); });
    return { range, key, min, max };
  };
  const controls = [control('turn the view', 'turn', -Math.PI, Math.PI, 0.02), control('tilt the view', 'tilt', -0.3, 1.57, 0.02),
    control('size of the view', 'zoom', 0.4, 6, 0.05)];
  const put = (key, value) => {
    const { range, min, max } = controls.find((c) => c.key === key);
    camera[key] = Math.min(Math.max(value, min), max);
    range.value = camera[key];
  };
  canvas.style.touchAction = 'none';
  canvas.style.cursor = 'grab';
  canvas.addEventListener('pointerdown', (event) => canvas.setPointerCapture(event.pointerId));
  canvas.addEventListener('pointermove', (event) => {
    if (!(event.buttons & 1)) return;
    const turn = camera.turn - event.movementX / 120;
    put('turn', turn > Math.PI ? turn - 2 * Math.PI : turn < -Math.PI ? turn + 2 * Math.PI : turn);
    put('tilt', camera.tilt + event.movementY / 120);
    draw();
  });
  canvas.addEventListener('wheel', (event) => {
    if (!event.ctrlKey && !event.shiftKey) return; // the page scrolls
    event.preventDefault();
    put('zoom', camera.zoom * Math.exp(-event.deltaY / 400));
    draw();
  }, { passive: false });
  const [turn, tilt, zoom] = controls.map((c) => c.range);
  return element('div', { class: 'row view' }, element('label', {}, 'turn ', turn), element('label', {}, 'tilt ', tilt), element('label', {}, 'size ', zoom));
}

/**
 * Puts a player into `root`. `figures` are elements with data-places, whose panels have time as their
 * horizontal axis: a line in them follows the time, and pointing into them sets it.
 */
export function mountPlayer(root, scene, figures = []) {
  const duration = Math.max(...scene.films.map((film) => film.times[film.times.length - 1] || 0)) || 1;
  const largest = scene.films.flatMap((f) => f.impacts.flatMap((b) => impulsesOf(b).map(size))).reduce((a, b) => Math.max(a, b), 0) || 1;
  const marks = scene.films.flatMap((film, k) => film.impacts.map((blow) => ({ blow, film: k })))
    .sort((a, b) => a.blow.time - b.blow.time);
  // The speed at which the whole takes four to forty seconds, real time if that does.
  const speeds = SPEEDS.filter(([s]) => duration / s >= 1 && duration / s <= 600);
  const wanted = [1, ...SPEEDS.map(([s]) => s)].find((s) => duration / s >= 4 && duration / s <= 40) || 1;
  const options = { films: scene.films.map(() => true), impulses: true, paths: false, trail: 1, largest, camera: { ...CAMERA }, held: null };
  let time = 0, speed = wanted, playing = false, last = 0, slow = false;

  const count = `${scene.bodies.length} ${scene.bodies.length === 1 ? 'body' : 'bodies'}`;
  const canvas = element('canvas', { role: 'img', 'aria-label': `Animation of ${count}${inSpace(scene) ? ' in space' : ''}; the text below says where it is` });
  const play = element('button', { class: 'play', type: 'button' }, '▶ Play');
  const slider = element('input', { type: 'range', min: 0, max: duration, step: duration / 2000, value: 0, 'aria-label': 'time' });
  const clock = element('output', { class: 'clock' });
  const rate = element('select', { 'aria-label': 'speed' });
  for (const [s, name] of speeds.length ? speeds : SPEEDS) rate.append(element('option', { value: s, ...(s === wanted ? { selected: '' } : {}) }, name));
  const says = element('p', { class: 'says', role: 'status' });
  const button = (text, label, act) => {
    const made = element('button', { type: 'button', 'aria-label': label, title: label }, text);
    made.addEventListener('click', act);
    return made;
  };
  const toggle = (text, on, act, attributes = {}) => {
    const box = element('input', { type: 'checkbox', ...(on ? { checked: '' } : {}) });
    box.addEventListener('change', () => { act(box.checked); draw(); });
    return element('label', attributes, box, text);
  };
  const row = element('div', { class: 'row' }, play, slider, clock);
  const course = element('input', { type: 'range', min: 0, max: 1, step: 0.01, value: 1, 'aria-label': 'course of the impact' });
  const through = element('div', { class: 'row course', hidden: '' }, element('label', {}, 'through the impact ', course), element('span', { class: 'key' }, 'red: impulse, green: relative velocity'));
  const toImpacts = [button('‹ impact', 'previous impact', () => jump(-1)), button('impact ›', 'next impact', () => jump(1))];
  if (!marks.length) toImpacts.forEach((made) => { made.disabled = true; made.title = 'no impacts are listed'; });
  const second = element('div', { class: 'row' },
    ...toImpacts,
    element('label', {}, 'speed ', rate), toggle('impulses', true, (on) => { options.impulses = on; }),
    toggle('paths', false, (on) => { options.paths = on; }), toggle('slow through impacts', false, (on) => { slow = on; }));
  if (scene.films.length > 1) {
    scene.films.forEach((film, k) => second.append(
      toggle(film.law, true, (on) => { options.films[k] = on; }, { class: 'law', style: `color: var(--s${film.color % 7})` })));
  }
  root.replaceChildren(canvas, row, through, second, says);
  if (inSpace(scene)) second.after(cameraRow(canvas, options.camera, () => draw()));
  const decimals = Math.max(0, Math.min(9, 3 - Math.floor(Math.log10(duration))));

  const cursors = figures.flatMap((figure) => follow(figure));

  function follow(figure) {
    const svg = figure.querySelector('svg');
    const { size: extent, panels } = JSON.parse(figure.dataset.places);
    svg.style.cursor = 'crosshair';
    const seekTo = (event) => {
      const box = svg.getBoundingClientRect();
      const x = ((event.clientX - box.left) / box.width) * extent[0], y = ((event.clientY - box.top) / box.height) * extent[1];
      const panel = panels.find(({ frame: [l, u, w, h] }) => x >= l && x <= l + w && y >= u && y <= u + h);
      if (!panel) return;
      const part = (x - panel.frame[0]) / panel.frame[2];
      pause();
      seek(panel.x[0] + part * (panel.x[1] - panel.x[0]));
    };
    svg.addEventListener('pointerdown', seekTo);
    svg.addEventListener('pointermove', (event) => { if (event.buttons & 1) seekTo(event); });
    return panels.map((panel) => {
      const line = document.createElementNS('http://www.w3.org/2000/svg', 'line');
      line.setAttribute('stroke', '#c0391f');
      line.setAttribute('stroke-width', '1.2');
      line.setAttribute('y1', panel.frame[1]);
      line.setAttribute('y2', panel.frame[1] + panel.frame[3]);
      svg.append(line);
      return { line, panel };
    });
  }

  function places() {
    const film = scene.films[0], now = mix(film.places, moment(film.times, time)), wide = inSpace(scene) ? 7 : 3;
    const extent = inSpace(scene) ? scene.view[3] - scene.view[0] : scene.view[2] - scene.view[0];
    const show = (v, scale) => (Math.abs(v) < 1e-7 * scale ? '0' : v.toPrecision(4));
    const where = (body, [x, y, third]) => (inSpace(scene)
      ? `${body.name}: x = ${show(x, extent)} m, y = ${show(y, extent)} m, z = ${show(third, extent)} m`
      : `${body.name}: x = ${show(x, extent)} m, y = ${show(y, extent)} m, θ = ${show(third, 1)} rad`);
    const told = scene.bodies.slice(0, 3).map((body, b) => where(body, now.slice(wide * b, wide * b + 3))).join('; ');
    return told + (scene.bodies.length > 3 ? '; …' : '.');
  }

  function describe() {
    const { held } = options;
    const near = marks.filter(({ blow }) => blow.time <= time && blow.time > time - 0.02 * duration);
    const at = held || near[near.length - 1];
    const law = (film) => (scene.films.length > 1 ? ` under ${film.law}` : '');
    if (held) {
      const { impulses, velocities } = courseAt(held.blow, held.part);
      const contacts = held.blow.contacts.slice(0, 4).map((name, c) => `${name}: impulse ${digits(size(impulses[c] || [0]))} N s, relative velocity ${digits(size(velocities[c] || [0]))} m/s`);
      says.textContent = `Impact at ${digits(held.blow.time)} s${law(held.film)}, ${Math.round(100 * held.part)} % of its course: ${contacts.join('; ')}. ${held.blow.words}`;
      return;
    }
    says.textContent = (at ? `Impact at ${digits(at.blow.time)} s${law(scene.films[at.film])} (${at.blow.contacts.join(', ')}): ${at.blow.words} ` : '') + places();
  }

  function draw() {
    const ratio = window.devicePixelRatio || 1, width = canvas.clientWidth;
    const [left, bottom, right, top] = inSpace(scene) ? [0, 0, 1, 0.66] : scene.view;
    const height = Math.min(Math.max(width * (top - bottom) / (right - left), 160), 0.62 * window.innerHeight, 1.2 * width);
    if (!width) return;
    if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
      canvas.width = Math.round(width * ratio);
      canvas.height = Math.round(height * ratio);
      canvas.style.height = `${height}px`;
    }
    const context = canvas.getContext('2d');
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    options.trail = playing ? Math.max(0.4 * speed, duration / 400) : duration / 60;
    drawScene(context, width, height, scene, time, options);
    clock.textContent = `${time.toFixed(decimals)} s`;
    slider.setAttribute('aria-valuetext', `${time.toFixed(decimals)} seconds`);
    through.hidden = !options.held;
    if (options.held) course.value = options.held.part;
    for (const { line, panel } of cursors) {
      const part = (time - panel.x[0]) / (panel.x[1] - panel.x[0]), x = panel.frame[0] + part * panel.frame[2];
      line.setAttribute('x1', x);
      line.setAttribute('x2', x);
    }
  }

  /** Shows a time; `mark` is the impact that is held there, at the end of its course unless told otherwise. */
  function seek(t, mark = null, part = 1) {
    time = Math.min(Math.max(t, 0), duration);
    const able = mark && mark.blow.points.length && mark.blow.course.length > 1;
    options.held = able ? { blow: mark.blow, film: scene.films[mark.film], part } : null;
    slider.value = time;
    draw();
    if (!playing) describe();
  }

  /** Goes to the impact at that time, or to the time. */
  function show(t) {
    const near = marks.find(({ blow }) => Math.abs(blow.time - t) <= 1e-9 * duration);
    seek(t, near);
  }

  // Impacts worth a pause: not those of a ball that comes to rest.
  const heavy = marks.filter(({ blow }) => impulsesOf(blow).some((v) => size(v) > 0.2 * largest));

  function step(stamp) {
    if (!playing) return;
    const passed = Math.min((stamp - last) / 1000, 0.1);
    last = stamp;
    const { held } = options;
    if (held && held.part < 1) {
      held.part = Math.min(1, held.part + passed / THROUGH);
      draw();
    } else {
      const next = time + passed * speed;
      const struck = slow ? heavy.find(({ blow }) => blow.time > time && blow.time <= next) : null;
      if (struck) seek(struck.blow.time, struck, 0); else seek(next);
    }
    if (time >= duration && !options.held) pause(); else requestAnimationFrame(step);
  }

  function start() {
    if (time >= duration) time = 0;
    playing = true;
    last = performance.now();
    play.textContent = '⏸ Pause';
    requestAnimationFrame(step);
  }

  function pause() {
    playing = false;
    play.textContent = '▶ Play';
    draw();
    describe();
  }

  function jump(way) {
    pause();
    const small = 1e-9 * duration;
    const next = way > 0 ? marks.find(({ blow }) => blow.time > time + small)
      : marks.filter(({ blow }) => blow.time < time - small).pop();
    if (next) seek(next.blow.time, next);
  }

  play.addEventListener('click', () => (playing ? pause() : start()));
  slider.addEventListener('input', () => { playing = false; play.textContent = '▶ Play'; seek(Number(slider.value)); });
  course.addEventListener('input', () => {
    playing = false;
    play.textContent = '▶ Play';
    if (options.held) options.held.part = Number(course.value);
    draw();
    describe();
  });
  rate.addEventListener('change', () => { speed = Number(rate.value); draw(); });
  const keys = (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || !root.isConnected) return;
    if (event.target.closest && event.target.closest('input, select, textarea, button, summary, a')) return;
    const act = {
      ' ': () => (playing ? pause() : start()), ArrowRight: () => seek(time + duration / 200), ArrowLeft: () => seek(time - duration / 200),
      '[': () => jump(-1), ']': () => jump(1), Home: () => seek(0), End: () => seek(duration),
    }[event.key];
    if (act) { event.preventDefault(); act(); }
  };
  document.addEventListener('keydown', keys);
  new ResizeObserver(draw).observe(canvas);
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', draw);
  seek(0);
  return { seek, show, pause, start, get time() { return time; }, remove: () => { playing = false; document.removeEventListener('keydown', keys); } };
}
