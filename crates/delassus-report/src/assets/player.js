// The player of a scene: bodies, supports, contact points and impulses over time on a canvas.
// The same file is in every page that `delassus` writes and in the laboratory. No dependencies.

const SPEEDS = [[100, '100 ×'], [10, '10 ×'], [2, '2 ×'], [1, 'real time'], [0.5, '1/2'], [0.25, '1/4'], [0.1, '1/10'],
  [0.02, '1/50'], [0.002, '1/500'], [0.0001, '1/10000']];
const ARROW = 0.3; // longest arrow, in heights of the view

/** The place of frame `t` in sorted `times`: index before, index after, and the part between them. */
export function moment(times, t) {
  let low = 0, high = times.length - 1;
  if (high <= 0 || t <= times[0]) return [0, 0, 0];
  if (t >= times[high]) return [high, high, 0];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (times[middle] <= t) low = middle; else high = middle;
  }
  const span = times[high] - times[low];
  return [low, high, span > 0 ? (t - times[low]) / span : 0];
}

function mix(rows, [a, b, part]) {
  if (!rows.length) return [];
  const from = rows[a], to = rows[b];
  return part === 0 ? from : from.map((v, k) => v + part * (to[k] - v));
}

function style(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

/** Draws films of a scene at time `t`; `options`: trail of impulses [s], and which films and things are shown. */
export function drawScene(context, width, height, scene, t, options) {
  const [left, bottom, right, top] = scene.view;
  const scale = Math.min(width / (right - left), height / (top - bottom));
  const x0 = (width - scale * (right - left)) / 2, y0 = (height - scale * (top - bottom)) / 2;
  const at = (x, y) => [x0 + (x - left) * scale, y0 + (top - y) * scale];
  context.clearRect(0, 0, width, height);
  context.lineJoin = 'round';
  const ink = style('--ink'), paper = style('--paper');
  scene.films.forEach((film, k) => {
    const now = moment(film.times, t);
    const places = mix(film.places, now), shifts = mix(film.shifts, now);
    const point = (end) => {
      const [x, y] = end.point;
      if (end.body !== null) {
        const [px, py, angle] = places.slice(3 * end.body, 3 * end.body + 3);
        return at(px + Math.cos(angle) * x - Math.sin(angle) * y, py + Math.sin(angle) * x + Math.cos(angle) * y);
      }
      return end.shift === null ? at(x, y) : at(x + shifts[2 * end.shift], y + shifts[2 * end.shift + 1]);
    };
    if (k === 0) scene.lines.forEach((line) => drawLine(context, line, shifts, at, scene.view));
    if (!options.films[k]) return;
    const color = style(`--s${k % 7}`);
    context.strokeStyle = color;
    context.fillStyle = color;
    if (options.paths) drawPaths(context, film, now, at);
    scene.bodies.forEach((body, b) => {
      for (const part of body.parts) {
        const corners = part.points.map((p) => point({ body: b, shift: null, point: p }));
        context.beginPath();
        context.lineWidth = 2;
        if (corners.length === 1) {
          context.arc(corners[0][0], corners[0][1], part.radius * scale, 0, 2 * Math.PI);
        } else {
          corners.forEach(([x, y]) => context.lineTo(x, y));
          if (corners.length > 2) context.closePath(); else context.lineWidth = 4;
        }
        if (corners.length !== 2) {
          context.globalAlpha = Number(style('--body-fill')) / (scene.films.length > 1 ? 1.5 : 1);
          context.fill();
          context.globalAlpha = 1;
        }
        context.stroke();
        if (corners.length === 1) { // a radius shows how a disk turns
          const [x, y] = part.points[0];
          const rim = point({ body: b, shift: null, point: [x + part.radius, y] });
          context.beginPath();
          context.lineWidth = 1.2;
          context.moveTo(...corners[0]);
          context.lineTo(...rim);
          context.stroke();
        }
      }
    });
    for (const link of scene.links) drawLink(context, link, link.ends.map(point), ink, paper);
    if (options.impulses) drawArrows(context, film, now, t, at, height, options);
  });
}

function drawLine(context, line, shifts, at, [left, bottom, right, top]) {
  const shift = line.shift === null ? [0, 0] : [shifts[2 * line.shift], shifts[2 * line.shift + 1]];
  const [px, py] = [line.point[0] + shift[0], line.point[1] + shift[1]], [nx, ny] = line.normal;
  // Far beyond the view, as the canvas may be wider; from the point nearest to its middle.
  const reach = 4 * (right - left + top - bottom);
  const along = ny * ((left + right) / 2 - px) - nx * ((bottom + top) / 2 - py);
  const spot = (s, depth) => at(px + (along + s) * ny - depth * nx, py - (along + s) * nx - depth * ny);
  context.beginPath();
  [[-reach, 0], [reach, 0], [reach, reach], [-reach, reach]].forEach(([s, d]) => context.lineTo(...spot(s, d)));
  context.fillStyle = style('--ground');
  context.fill();
  context.beginPath();
  context.moveTo(...spot(-reach, 0));
  context.lineTo(...spot(reach, 0));
  const step = (right - left) / 12;
  if (line.shift !== null) { // marks that move with it
    for (let s = -Math.ceil(reach / step) * step; s < reach; s += step) {
      context.moveTo(...spot(s - along, 0));
      context.lineTo(...spot(s - along - 0.2 * step, 0.2 * step));
    }
  }
  context.strokeStyle = style('--edge');
  context.lineWidth = 1.5;
  context.stroke();
}

function drawPaths(context, film, [now], at) {
  context.globalAlpha = 0.55;
  context.lineWidth = 1;
  const bodies = film.places[0].length / 3, step = Math.max(1, Math.floor(now / 600));
  for (let b = 0; b < bodies; b++) {
    context.beginPath();
    for (let k = 0; k <= now; k += step) context.lineTo(...at(film.places[k][3 * b], film.places[k][3 * b + 1]));
    context.stroke();
  }
  context.globalAlpha = 1;
}

function drawLink(context, link, [a, b], ink, paper) {
  context.strokeStyle = ink;
  context.lineWidth = 1.3;
  context.beginPath();
  const [dx, dy] = [b[0] - a[0], b[1] - a[1]], length = Math.hypot(dx, dy) || 1;
  if (link.spring) {
    for (let k = 0; k <= 14; k++) {
      const side = k % 14 === 0 ? 0 : (k % 2 ? 5 : -5);
      context.lineTo(a[0] + (k / 14) * dx - (side * dy) / length, a[1] + (k / 14) * dy + (side * dx) / length);
    }
    context.stroke();
    return;
  }
  context.moveTo(...a);
  context.lineTo(...b);
  context.stroke();
  context.beginPath();
  context.arc(a[0], a[1], 3.5, 0, 2 * Math.PI);
  context.fillStyle = paper;
  context.fill();
  context.stroke();
}

function drawArrows(context, film, now, t, at, height, options) {
  const touches = film.touches[now[2] < 0.5 ? now[0] : now[1]] || [];
  context.fillStyle = style('--force');
  for (const touch of touches) dot(context, at(...touch.at), 3);
  context.fillStyle = context.strokeStyle = style('--impulse');
  for (const blow of film.impacts) {
    if (blow.time > t || blow.time <= t - options.trail) continue;
    context.globalAlpha = Math.max(0.25, 1 - (t - blow.time) / options.trail);
    for (const arrow of blow.arrows) {
      const tail = at(...arrow.at), size = (ARROW * height) / options.largest;
      dot(context, tail, 3.5);
      drawArrow(context, tail, [tail[0] + size * arrow.vector[0], tail[1] - size * arrow.vector[1]]);
    }
    context.globalAlpha = 1;
  }
}

function dot(context, [x, y], radius) {
  context.beginPath();
  context.arc(x, y, radius, 0, 2 * Math.PI);
  context.fill();
}

/** A line with a head, in the colours of the context. */
export function drawArrow(context, [x, y], [tx, ty]) {
  const length = Math.hypot(tx - x, ty - y);
  if (!(length > 0.5)) return;
  const [ux, uy] = [(tx - x) / length, (ty - y) / length], head = Math.min(12, length);
  context.lineWidth = 2.5;
  context.beginPath();
  context.moveTo(x, y);
  context.lineTo(tx - 0.7 * head * ux, ty - 0.7 * head * uy);
  context.stroke();
  context.beginPath();
  context.moveTo(tx, ty);
  context.lineTo(tx - head * ux - 0.38 * head * uy, ty - head * uy + 0.38 * head * ux);
  context.lineTo(tx - head * ux + 0.38 * head * uy, ty - head * uy - 0.38 * head * ux);
  context.fill();
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

/**
 * Puts a player into `root`. `figures` are elements with data-places, whose panels have time as their
 * horizontal axis: a line in them follows the time, and pointing into them sets it.
 */
export function mountPlayer(root, scene, figures = []) {
  const duration = Math.max(...scene.films.map((film) => film.times[film.times.length - 1] || 0)) || 1;
  const sizes = scene.films.flatMap((f) => f.impacts.flatMap((b) => b.arrows.map((a) => Math.hypot(...a.vector))));
  const largest = sizes.reduce((a, b) => Math.max(a, b), 0) || 1;
  const marks = scene.films.flatMap((film, k) => film.impacts.map((blow) => ({ blow, film: k })))
    .sort((a, b) => a.blow.time - b.blow.time);
  // The speed at which the whole takes four to forty seconds, real time if that does.
  const speeds = SPEEDS.filter(([s]) => duration / s >= 1 && duration / s <= 600);
  const wanted = [1, ...SPEEDS.map(([s]) => s)].find((s) => duration / s >= 4 && duration / s <= 40) || 1;
  const options = { films: scene.films.map(() => true), impulses: true, paths: false, trail: 1, largest };
  let time = 0, speed = wanted, playing = false, last = 0, slow = false;

  const canvas = element('canvas', { role: 'img', 'aria-label': `Animation of ${scene.bodies.length} ${scene.bodies.length === 1 ? 'body' : 'bodies'}; the text below says where it is` });
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
  const second = element('div', { class: 'row' },
    button('‹ impact', 'previous impact', () => jump(-1)), button('impact ›', 'next impact', () => jump(1)),
    element('label', {}, 'speed ', rate), toggle('impulses', true, (on) => { options.impulses = on; }),
    toggle('paths', false, (on) => { options.paths = on; }), toggle('slow at impacts', false, (on) => { slow = on; }));
  if (scene.films.length > 1) {
    scene.films.forEach((film, k) => second.append(
      toggle(film.law, true, (on) => { options.films[k] = on; }, { class: 'law', style: `color: var(--s${k % 7})` })));
  }
  root.replaceChildren(canvas, row, second, says);
  const decimals = Math.max(0, Math.min(9, 3 - Math.floor(Math.log10(duration))));

  const cursors = figures.flatMap((figure) => follow(figure));

  function follow(figure) {
    const svg = figure.querySelector('svg');
    const { size, panels } = JSON.parse(figure.dataset.places);
    svg.style.cursor = 'crosshair';
    const seekTo = (event) => {
      const box = svg.getBoundingClientRect();
      const x = ((event.clientX - box.left) / box.width) * size[0], y = ((event.clientY - box.top) / box.height) * size[1];
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

  function describe() {
    const near = marks.filter(({ blow }) => blow.time <= time && blow.time > time - 0.02 * duration);
    const at = near[near.length - 1];
    const film = scene.films[0], places = mix(film.places, moment(film.times, time));
    const where = scene.bodies.slice(0, 3).map((body, b) => {
      const [x, y, angle] = places.slice(3 * b, 3 * b + 3);
      const show = (v, scale) => (Math.abs(v) < 1e-7 * scale ? '0' : v.toPrecision(4)), size = scene.view[2] - scene.view[0];
      return `${body.name}: x = ${show(x, size)} m, y = ${show(y, size)} m, θ = ${show(angle, 1)} rad`;
    }).join('; ');
    const law = scene.films.length > 1 && at ? ` under ${scene.films[at.film].law}` : '';
    says.textContent = (at ? `Impact at ${digits(at.blow.time)} s${law} (${at.blow.contacts.join(', ')}): ${at.blow.words} ` : '') + where + (scene.bodies.length > 3 ? '; …' : '.');
  }

  function draw() {
    const ratio = window.devicePixelRatio || 1, width = canvas.clientWidth, [left, bottom, right, top] = scene.view;
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
    for (const { line, panel } of cursors) {
      const part = (time - panel.x[0]) / (panel.x[1] - panel.x[0]), x = panel.frame[0] + part * panel.frame[2];
      line.setAttribute('x1', x);
      line.setAttribute('x2', x);
    }
  }

  function seek(t) {
    time = Math.min(Math.max(t, 0), duration);
    slider.value = time;
    draw();
    if (!playing) describe();
  }

  // Impacts worth a pause: not those of a ball that comes to rest.
  const heavy = marks.filter(({ blow }) => blow.arrows.some((a) => Math.hypot(...a.vector) > 0.2 * largest));

  function step(stamp) {
    if (!playing) return;
    const passed = Math.min((stamp - last) / 1000, 0.1);
    last = stamp;
    const after = heavy.some(({ blow }) => time >= blow.time && time < blow.time + 0.1 * speed);
    seek(time + passed * speed * (slow && after ? 0.12 : 1));
    if (time >= duration) pause(); else requestAnimationFrame(step);
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
    if (next) seek(next.blow.time);
  }

  play.addEventListener('click', () => (playing ? pause() : start()));
  slider.addEventListener('input', () => { playing = false; play.textContent = '▶ Play'; seek(Number(slider.value)); });
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
  return { seek, pause, start, get time() { return time; }, remove: () => { playing = false; document.removeEventListener('keydown', keys); } };
}
