// Systems whose shape follows from their contact directions: bodies on the ground in plane and space, a pendulum that
// strikes it, masses on a line. Directions are those of the velocities of contact points, so they tell where these lie.

import { HEIGHT, WIDTH, arrow, bar, disk, dot, ground, polygon, round, text, wall } from './shapes.js';

const FLOOR = HEIGHT - 48; // arrows that point downwards need room below
const LENGTH = 42; // of the longest arrow at first
const near = (a, b) => Math.abs(a - b) <= 1e-6 * (1 + Math.abs(b));
const clip = (v, most) => Math.max(-most, Math.min(most, v));

/** What the numbers of a text say of its first problem; null where contacts have no directions. */
function reading(paths, get) {
  const prefix = paths.some((path) => path.startsWith('problem[0].')) ? 'problem[0].' : '';
  const own = paths.filter((path) => path.startsWith(prefix));
  const count = own.filter((path) => new RegExp(`^${prefix.replace(/[[\].]/g, '\\$&')}velocity\\[\\d+\\]$`).test(path)).length;
  const speeds = Array.from({ length: count }, (_, i) => `${prefix}velocity[${i}]`);
  const row = (name) => {
    const places = speeds.map((_, i) => [`${name}[${i}]`, `${name}.${i}`].find((path) => own.includes(path)));
    return places.some(Boolean) ? { at: (i) => (places[i] ? get(places[i]) : 0), places } : null;
  };
  const contacts = [];
  for (;;) {
    const name = `${prefix}contact[${contacts.length}]`, normal = row(`${name}.normal`);
    if (!normal) break;
    contacts.push({ normal, tangents: [row(`${name}.tangent`) ?? row(`${name}.tangent[0]`), row(`${name}.tangent[1]`)].filter(Boolean) });
  }
  const clutches = [];
  for (let found; (found = row(`${prefix}clutch[${clutches.length}].direction`));) clutches.push(found);
  const mass = (i) => [`${prefix}mass[${i}][${i}]`, `${prefix}mass[${i}]`].map((path) => (own.includes(path) ? get(path) : undefined)).find((v) => v !== undefined);
  const coupling = [`${prefix}mass[0][1]`, `${prefix}mass[1][0]`];
  return { speeds, contacts, clutches, mass, coupling, full: coupling.every((path) => own.includes(path)) };
}

/** An arrow of a velocity from `at`, with a handle that changes it; `scale` is in pixels for a unit. */
function speed(at, [vx, vy], scale, move) {
  const tip = [at[0] + clip(vx * scale, 110), at[1] - clip(vy * scale, 85)];
  return { shapes: arrow(at, tip, 'var(--speed)'), handle: { at: tip, name: 'velocity', move: ([px, py]) => move((px - at[0]) / scale, (at[1] - py) / scale) } };
}

const scaleOf = (values) => LENGTH / (Math.max(...values.map(Math.abs)) || 1);

/** A planar body: contact points below its centre, u = (x, y, angle). */
function planar({ speeds, contacts }, { get, put }) {
  const points = () => contacts.map(({ normal, tangents }) => [normal.at(2), -tangents[0].at(2)]);
  const scale = scaleOf([get(speeds[0]), get(speeds[1])]);
  const first = points(), reach = Math.max(...first.map(([x, y]) => Math.max(0.8 * Math.abs(x), Math.abs(y)))) || 1, pixels = 58 / reach;
  return {
    draw: () => {
      const now = points(), lowest = Math.min(...now.map(([, y]) => y)), centre = [WIDTH / 2, FLOOR + lowest * pixels];
      const at = ([x, y]) => [centre[0] + x * pixels, centre[1] - y * pixels];
      const { shapes, handle } = speed(centre, [get(speeds[0]), get(speeds[1])], scale, (x, y) => put({ [speeds[0]]: round(x), [speeds[1]]: round(y) }));
      const handles = [handle];
      let words = 'drag the velocity';
      if (now.length === 1) {
        const [[x, y]] = now, far = at([-x, -y]), length = Math.hypot(x, y), { normal, tangents } = contacts[0];
        words = 'drag the rod, or its velocity';
        handles.push({ at: far, move: ([px, py]) => {
          const angle = clip(Math.atan2(at(now[0])[1] - py, px - at(now[0])[0]), Math.PI);
          if (angle < 0.02 || angle > 3.12 || !normal.places[2] || !tangents[0].places[2]) return;
          put({ [normal.places[2]]: round(-length * Math.cos(angle)), [tangents[0].places[2]]: round(length * Math.sin(angle)) });
        }, name: 'end of the rod' });
      }
      return { shapes: [...ground(FLOOR), ...bodyOn(now, at, pixels), ...now.map((p) => dot(at(p))), dot(centre, 3, 'var(--paper)'), ...shapes, text(6, 16, words)], handles };
    },
  };
}

/** What stands on these points: a rod on one; on two a block, a dimer where they are wide, a foot where they are uneven. */
function bodyOn(points, at, pixels) {
  const xs = points.map(([x]) => x), [left, right] = [Math.min(...xs), Math.max(...xs)], depth = -Math.min(...points.map(([, y]) => y));
  if (points.length === 1) return [bar(at(points[0]), at(points[0].map((v) => -v)))];
  if (!near(left, -right)) {
    const [back, front] = [0.5 * left, 0.35 * right];
    return [polygon([[left, -depth], [right, -depth], [right, -0.5 * depth], [front, 0.3 * depth], [front, 1.6 * depth], [back, 1.6 * depth], [left, 0]].map(at))];
  }
  if (depth < 0.5 * right) return [bar(at([left, 0]), at([right, 0]), 4), ...xs.map((x) => disk(at([x, 0]), depth * pixels))];
  return [polygon([[left, -depth], [right, -depth], [right, depth], [left, depth]].map(at))];
}

/** A body in space, seen from the side and a little from above: u = (x, y, z, angular velocity). */
function spatial({ speeds, contacts }, { get, put }) {
  const points = contacts.map(({ normal, tangents }) => [-normal.at(4), normal.at(3), tangents[0].at(4)]);
  const depth = -Math.min(...points.map((p) => p[2])), reach = Math.max(depth, ...points.flatMap(([x, y]) => [Math.abs(x), Math.abs(y)])) || 1;
  const pixels = 52 / reach, scale = scaleOf([get(speeds[0]), get(speeds[2])]);
  const flat = ([x, y, z]) => [x + 0.5 * y, z + 0.3 * y];
  return {
    draw: () => {
      const centre = [WIDTH / 2, HEIGHT - 50 - depth * pixels];
      const at = (p) => { const [x, y] = flat(p); return [centre[0] + x * pixels, centre[1] - y * pixels]; };
      const { shapes, handle } = speed(centre, flat(speeds.slice(0, 3).map(get)), scale, (x, y) => {
        const across = get(speeds[1]);
        put({ [speeds[0]]: round(x - 0.5 * across), [speeds[2]]: round(y - 0.3 * across) });
      });
      return {
        shapes: [...ground(HEIGHT - 62), ...solidOn(points, depth, at, pixels), ...points.map((p) => dot(at(p))), dot(centre, 3, 'var(--paper)'), ...shapes, text(6, 16, 'drag the velocity (along x and upwards)')],
        handles: [handle],
      };
    },
  };
}

/** A ball on one point; on several a box, or a table where its centre lies high above them. */
function solidOn(points, depth, at, pixels) {
  if (points.length === 1) return [disk(at([0, 0, 0]), depth * pixels)];
  const around = [...points].sort((a, b) => Math.atan2(a[1], a[0]) - Math.atan2(b[1], b[0]));
  const wide = Math.max(...points.flatMap(([x, y]) => [Math.abs(x), Math.abs(y)])), table = depth > 1.2 * wide;
  const raised = (z) => around.map(([x, y]) => at([x, y, z]));
  if (table) return [...around.map(([x, y, z]) => bar(at([x, y, z]), at([x, y, 0]), 4)), polygon(raised(0), { 'fill-opacity': 0.6 })];
  const sides = around.map((p, k) => [p, around[(k + 1) % around.length]]).map(([[a, b, c], [d, e, f]]) => polygon([at([a, b, c]), at([d, e, f]), at([d, e, depth]), at([a, b, depth])], { 'fill-opacity': 0.15, 'stroke-width': 1.5 }));
  return [...sides, polygon(raised(depth), { 'fill-opacity': 0.4 })];
}

const STEEPEST = 1.4; // of a rod's angle to the vertical, in radians
const exact = (v) => Number(v.toPrecision(6));

/** Two rods from a ceiling whose last end strikes the ground: u = their rates. Its directions tell lengths and angles. */
function pendulum({ speeds, contacts: [{ normal, tangents: [tangent] }], coupling }, { get, set, put }) {
  const scale = scaleOf(speeds.map(get)), angle = (k) => Math.atan2(normal.at(k), -tangent.at(k));
  const lengths = speeds.map((_, k) => Math.hypot(normal.at(k), tangent.at(k)));
  const pixels = 112 / (lengths.reduce((a, b) => a + b, 0) || 1), tip = [WIDTH / 2 - 10, FLOOR];
  // Of the mass matrix of two hinged rods only the coupling depends on their angles, by the cosine of their difference.
  const cosine = Math.cos(angle(0) - angle(1)), most = get(coupling[0]) / cosine;
  const turns = Math.abs(cosine) > 0.05 && speeds.every((_, k) => normal.places[k] && tangent.places[k] && Math.abs(angle(k)) <= STEEPEST);
  const turn = (k, wanted) => {
    const phi = clip(wanted, STEEPEST), mass = exact(most * Math.cos(phi - angle(1 - k)));
    put({ [normal.places[k]]: exact(lengths[k] * Math.sin(phi)), [tangent.places[k]]: exact(-lengths[k] * Math.cos(phi)), [coupling[0]]: mass, [coupling[1]]: mass });
  };
  return {
    draw: () => {
      const up = (k, [x, y]) => [x + normal.at(k) * pixels, y + tangent.at(k) * pixels];
      const knee = up(1, tip), hinge = up(0, knee), places = [hinge, knee, tip];
      // Each end moves across its rod; the arrow is the part that its own rate gives.
      const arrows = speeds.map((path, k) => {
        const across = [tangent.at(k), normal.at(k)], unit = across.map((v) => v / (lengths[k] || 1));
        return speed(places[k + 1], unit.map((v) => v * get(path)), scale, (x, y) => set(path, round(x * unit[0] + y * unit[1])));
      });
      // The tip stays where it is: a rod is turned by its upper end.
      const ends = turns ? [hinge, knee].map((at, k) => ({ at, move: ([px, py]) => turn(k, Math.atan2(px - places[k + 1][0], places[k + 1][1] - py)), name: `angle of rod ${k + 1}` })) : [];
      const degrees = speeds.map((_, k) => `${Number(((180 / Math.PI) * angle(k)).toFixed(1))}°`).join(', ');
      return {
        shapes: [...ground(FLOOR), bar([hinge[0] - 26, hinge[1]], [hinge[0] + 26, hinge[1]], 3), ...speeds.map((_, k) => bar(places[k], places[k + 1])), ...[hinge, knee].map((p) => dot(p, 3.5, 'var(--paper)')),
          dot(tip), ...arrows.flatMap(({ shapes }) => shapes), text(6, 16, turns ? `drag hinges (${degrees}) and velocities` : 'drag the velocity of each rod’s end')],
        handles: [...arrows.map(({ handle }, k) => ({ ...handle, name: `velocity of rod ${k + 1}` })), ...ends],
      };
    },
  };
}

/** Masses on a line, in the order of their coordinates; what holds one of them alone is a wall, or the ground below. */
function line({ speeds, contacts, clutches, mass }, source, { get, set }) {
  const count = speeds.length, scale = 0.9 * scaleOf(speeds.map(get)), upright = /\bground\b/i.test(source);
  const sizes = speeds.map((_, i) => Math.cbrt(mass(i) ?? 1)), whole = 2 * sizes.reduce((a, b) => a + b, 0);
  const pixels = Math.min((upright ? 122 : 220) / whole, 28 / Math.max(...sizes));
  const held = (sign) => contacts.some(({ normal }) => speeds.every((_, i) => (i === (sign > 0 ? 0 : count - 1) ? normal.at(i) * sign > 0 : normal.at(i) === 0)));
  return {
    draw: () => {
      const shapes = [], handles = [];
      let place = (upright ? FLOOR : WIDTH / 2 - (whole * pixels) / 2);
      const [low, high] = [held(1), held(-1)], begin = place;
      speeds.forEach((path, i) => {
        const radius = sizes[i] * pixels, at = upright ? [WIDTH / 2, place - radius] : [place + radius, 120];
        place += upright ? -2 * radius : 2 * radius;
        const v = get(path), drawn = speed(upright ? [at[0] + radius + 14, at[1]] : [at[0], at[1] - radius - 12 - 16 * (i % 2)], upright ? [0, v] : [v, 0], scale, (x, y) => set(path, round(upright ? y : x)));
        shapes.push(disk(at, radius), ...drawn.shapes);
        handles.push({ ...drawn.handle, name: `velocity ${i + 1}` });
      });
      if (low) shapes.unshift(...(upright ? ground(begin) : wall(begin, true)));
      if (high && !upright) shapes.unshift(...wall(place, false));
      if (clutches.length) shapes.push(text(begin, 175, 'joined by a one-way clutch'));
      return { shapes: [...shapes, text(6, 16, 'drag the velocities')], handles };
    },
  };
}

/** The picture that a problem's directions give; null where they do not tell what it is. */
export function systemOf(paths, source, access) {
  const read = reading(paths, access.get), { speeds, contacts } = read;
  if (!contacts.length || !speeds.length) return null;
  const is = (row, values) => values.every((value, i) => value === null || near(row.at(i), value));
  const rough = (count) => contacts.every(({ tangents }) => tangents.length >= count);
  if (speeds.length === 3 && rough(1) && contacts.every(({ normal, tangents }) => is(normal, [0, 1, null]) && is(tangents[0], [1, 0, null]))) return planar(read, access);
  if (speeds.length === 6 && rough(2) && contacts.every(({ normal, tangents }) => is(normal, [0, 0, 1, null, null, 0]) && is(tangents[0], [1, 0, 0, 0, null, null]))) return spatial(read, access);
  if (read.full && speeds.length === 2 && contacts.length === 1 && rough(1)) return pendulum(read, access);
  const unit = ({ normal }) => speeds.every((_, i) => [0, 1, -1].includes(normal.at(i)));
  return !read.full && speeds.length <= 12 && rough(0) && contacts.every((contact) => unit(contact) && !contact.tangents.length) ? line(read, source, access) : null;
}
