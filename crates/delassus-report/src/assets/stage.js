// What drawings of scenes share, in plane and space: times between frames, colours, arrows of impulses.

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

export function mix(rows, [a, b, part]) {
  if (!rows.length) return [];
  const from = rows[a], to = rows[b];
  return part === 0 ? from : from.map((v, k) => v + part * (to[k] - v));
}

const NAMES = ['ink', 'paper', 'soft', 'line', 'ground', 'edge', 'force', 'impulse', 'speed', 'body-fill', 's0', 's1', 's2', 's3', 's4', 's5', 's6'];

/** The colours of the page's style, which follow light and dark. */
export function colours() {
  const style = getComputedStyle(document.documentElement);
  return Object.fromEntries(NAMES.map((name) => [name, style.getPropertyValue(`--${name}`).trim()]));
}

/** Impulses and relative velocities of an impact when `part` of its course is over. */
export function courseAt({ course }, part) {
  const [a, b, between] = moment(course.map((m) => m.part), part);
  const mixed = (key) => course[a][key].map((v, c) => v.map((x, k) => x + between * (course[b][key][c][k] - x)));
  return { impulses: mixed('impulses'), velocities: mixed('velocities') };
}

export const size = (vector) => Math.hypot(...vector);

/** The impulses of the whole impact. */
export const impulsesOf = ({ course }) => (course.length ? course[course.length - 1].impulses : []);

/**
 * Points that touch and arrows of impulses of one film at time `t`; `at` brings points of the scene to the canvas,
 * `reach` is the length of the longest arrow in metres. While `options.held` goes through an impact, only that
 * is shown, with the relative velocities of its contacts.
 */
export function drawBlows(context, film, now, t, at, reach, options, colour) {
  context.fillStyle = colour.force;
  for (const point of film.touches[now[2] < 0.5 ? now[0] : now[1]] || []) dot(context, at(point), 3);
  const arrow = (point, vector, scale, name) => {
    context.fillStyle = context.strokeStyle = colour[name];
    const tail = at(point);
    dot(context, tail, 3.5);
    drawArrow(context, tail, at(point.map((p, k) => p + scale * vector[k])));
  };
  const { held } = options;
  if (held) {
    if (held.film !== film) return;
    const { impulses, velocities } = courseAt(held.blow, held.part);
    const fastest = Math.max(1e-300, ...held.blow.course.flatMap((m) => m.velocities.map(size)));
    held.blow.points.forEach((point, c) => {
      arrow(point, impulses[c], reach / options.largest, 'impulse');
      arrow(point, velocities[c], (0.8 * reach) / fastest, 'speed');
    });
    return;
  }
  for (const blow of film.impacts) {
    if (blow.time > t || blow.time <= t - options.trail) continue;
    context.globalAlpha = Math.max(0.25, 1 - (t - blow.time) / options.trail);
    const impulses = impulsesOf(blow);
    blow.points.forEach((point, c) => arrow(point, impulses[c], reach / options.largest, 'impulse'));
    context.globalAlpha = 1;
  }
}

export function dot(context, [x, y], radius) {
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

/** Lines between points of the canvas. */
export function stroke(context, points, closed = false) {
  context.beginPath();
  points.forEach(([x, y]) => context.lineTo(x, y));
  if (closed) context.closePath();
  context.stroke();
}

/** A joint or spring between two points of the canvas. */
export function drawLink(context, link, [a, b], colour) {
  context.strokeStyle = colour.ink;
  context.lineWidth = 1.3;
  const [dx, dy] = [b[0] - a[0], b[1] - a[1]], length = Math.hypot(dx, dy) || 1;
  if (link.spring) {
    stroke(context, Array.from({ length: 15 }, (_, k) => {
      const side = k % 14 === 0 ? 0 : (k % 2 ? 5 : -5);
      return [a[0] + (k / 14) * dx - (side * dy) / length, a[1] + (k / 14) * dy + (side * dx) / length];
    }));
    return;
  }
  stroke(context, [a, b]);
  context.fillStyle = colour.paper;
  dot(context, a, 3.5);
  context.stroke();
}

/** The paths of all bodies up to now; `wide` numbers a body in each frame, the first of them its point. */
export function drawPaths(context, film, [now], at, wide) {
  context.globalAlpha = 0.6;
  context.lineWidth = 1;
  const bodies = film.places[0].length / wide, step = Math.max(1, Math.floor(now / 500));
  for (let b = 0; b < bodies; b++) {
    const points = [];
    for (let k = 0; k <= now; k += step) points.push(at(film.places[k].slice(wide * b, wide * b + 3)));
    stroke(context, points);
  }
  context.globalAlpha = 1;
}
