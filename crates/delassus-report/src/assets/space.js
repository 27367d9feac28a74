// Draws bodies in space at one time on a canvas: convex solids from back to front, with shade, seen by a camera that
// turns around the middle of the scene. `motion/solids.rs` draws the same for films.

import { drawBlows, drawLink, drawPaths, mix, moment, stroke } from './stage.js';

const SPACE_ARROW = 0.22; // longest arrow, in diagonals of the view
const AWAY = 2.2; // distance of the eye, in diagonals of the view
const MOST_ORDERED = 80; // solids beyond which only distances order them

export const CAMERA = { turn: -1.15, tilt: 0.36, zoom: 1 };

const dot3 = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const minus = (a, b) => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const plus = (a, b, s = 1) => [a[0] + s * b[0], a[1] + s * b[1], a[2] + s * b[2]];
const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];

/** An eye that looks at the middle of the view; that and grounds, as far as they are shown, fill a canvas of that size. */
export function cameraOf({ view, patches }, { turn, tilt, zoom }, width, height) {
  const low = view.slice(0, 3), high = view.slice(3), centre = low.map((v, k) => (v + high[k]) / 2);
  const diagonal = Math.hypot(...minus(high, low)), away = AWAY * diagonal;
  const [st, ct, si, ci] = [Math.sin(turn), Math.cos(turn), Math.sin(tilt), Math.cos(tilt)];
  const back = [ci * ct, ci * st, si], right = [-st, ct, 0], up = [-si * ct, -si * st, ci];
  const light = [0, 1, 2].map((k) => (0.55 * back[k] + 0.75 * up[k] - 0.35 * right[k]) / 0.9937);
  let scale = 1, middle = [0, 0];
  const at = (point) => {
    const p = minus(point, centre), s = (scale * away) / Math.max(away - dot3(p, back), 1e-3 * away);
    return [middle[0] + s * dot3(p, right), middle[1] - s * dot3(p, up), s];
  };
  const box = Array.from({ length: 8 }, (_, c) => [0, 1, 2].map((k) => (c >> k & 1 ? high[k] : low[k])));
  const corners = [...box, ...patches.flatMap((patch) => patch.points)].map(at);
  const [x, y] = [0, 1].map((k) => [Math.min(...corners.map((c) => c[k])), Math.max(...corners.map((c) => c[k]))]);
  scale = 0.94 * zoom * Math.min(width / (x[1] - x[0]), height / (y[1] - y[0]));
  middle = [width / 2 - (scale * (x[0] + x[1])) / 2, height / 2 - (scale * (y[0] + y[1])) / 2];
  return { at, eye: plus(centre, back, away), light, diagonal };
}

/** Place and orientation from x, y, z and a quaternion that need not have unit length. */
function placeOf(q) {
  const n = Math.hypot(q[3], q[4], q[5], q[6]) || 1, [w, x, y, z] = [q[3] / n, q[4] / n, q[5] / n, q[6] / n];
  const axes = [
    [1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)],
    [2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x)],
    [2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)],
  ];
  const point = (p) => [0, 1, 2].map((k) => q[k] + p[0] * axes[0][k] + p[1] * axes[1][k] + p[2] * axes[2][k]);
  return { axes, point };
}

export function drawSpace(context, width, height, scene, t, options, colour) {
  const camera = cameraOf(scene, options.camera || CAMERA, width, height), { at, eye } = camera;
  const first = mix(scene.films[0].shifts, moment(scene.films[0].times, t));
  const shifted = (p, shift, shifts) => (shift === null ? p : plus(p, shifts.slice(3 * shift, 3 * shift + 3)));
  // Grounds and walls that the eye sees from behind lie before everything else and are only outlined.
  const behind = (patch) => dot3(patch.normal, minus(eye, shifted(patch.points[0], patch.shift, first))) <= 0;
  // Hills hide what lies behind them.
  const away = (patch) => (patch.relief ? Math.hypot(...minus(eye, patch.points[0])) : Infinity);
  const seen = scene.patches.filter((p) => !behind(p)).map((p) => [away(p), p]).sort(([a], [b]) => (a === b ? 0 : b - a));
  for (const [, patch] of seen) drawPatch(context, patch, (p) => at(shifted(p, patch.shift, first)), colour);
  const solids = [], over = [];
  scene.films.forEach((film, k) => {
    if (!options.films[k]) return;
    const now = moment(film.times, t), q = mix(film.places, now), shifts = mix(film.shifts, now);
    const places = scene.bodies.map((_, b) => placeOf(q.slice(7 * b, 7 * b + 7)));
    scene.bodies.forEach((body, b) => {
      for (const solid of body.solids) solids.push(placed(solid, places[b], shadesOf(colour[`s${film.color % 7}`], colour.paper, b)));
    });
    over.push(() => {
      context.strokeStyle = colour[`s${film.color % 7}`];
      if (options.paths) drawPaths(context, film, now, at, 7);
      for (const link of scene.links) {
        drawLink(context, link, link.ends.map((e) => at(e.body !== null ? places[e.body].point(e.point) : shifted(e.point, e.shift, shifts))), colour);
      }
      if (options.impulses) drawBlows(context, film, now, t, at, SPACE_ARROW * camera.diagonal, options, colour);
    });
  });
  context.globalAlpha = scene.films.length > 1 ? 0.6 : 1;
  for (const solid of ordered(solids, eye)) {
    if (solid.planes.length) drawFaces(context, solid, camera); else drawBall(context, solid, camera);
  }
  context.globalAlpha = 1;
  over.forEach((draw) => draw());
  context.strokeStyle = colour.edge;
  context.lineWidth = 0.6;
  for (const patch of scene.patches.filter((p) => !p.relief && behind(p))) stroke(context, patch.points.map((p) => at(shifted(p, patch.shift, first))), true);
}

function drawPatch(context, patch, at, colour) {
  context.fillStyle = colour.ground;
  context.strokeStyle = colour.edge;
  context.lineWidth = 0.8;
  stroke(context, patch.points.map(at), true);
  context.fill();
  context.globalAlpha = 0.25;
  for (const ends of patch.grid) stroke(context, ends.map(at));
  context.globalAlpha = 1;
}

function channels(hex) {
  const long = hex.length === 4 ? hex.replace(/[^#]/g, '$&$&') : hex;
  return [1, 3, 5].map((k) => parseInt(long.slice(k, k + 2), 16));
}

// A colour for a body, and how it looks in more or less light.
const shades = new Map();
function shadesOf(base, paper, body) {
  const key = `${base}${paper}${body % 3}`;
  if (!shades.has(key)) {
    const own = channels(base), white = channels('#ffffff'), part = 0.25 + 0.12 * (body % 3);
    const light = own.map((v, k) => v + part * (white[k] - v));
    shades.set(key, (s) => `rgb(${light.map((v) => Math.min(255, Math.round(v * s))).join()})`);
  }
  return shades.get(key);
}

/** A solid where it is: corners, and per face its outward normal and normal · x of its points. */
function placed(solid, { axes, point }, shade) {
  const vertices = solid.vertices.map(point);
  const centre = vertices.reduce((sum, v) => plus(sum, v, 1 / vertices.length), [0, 0, 0]);
  const planes = solid.faces.map((face) => {
    let area = [0, 0, 0];
    face.forEach((v, k) => { area = plus(area, cross(minus(vertices[v], centre), minus(vertices[face[(k + 1) % face.length]], centre))); });
    const length = Math.hypot(...area) || 1, normal = area.map((v) => v / length);
    return [normal, dot3(normal, vertices[face[0]])];
  });
  return { solid, vertices, centre, planes, axes, shade, radius: solid.radius };
}

function drawFaces(context, { solid, vertices, planes, shade }, { at, eye, light }) {
  context.lineWidth = 0.8;
  planes.forEach(([normal, offset], k) => {
    if (dot3(normal, eye) <= offset) return;
    const tone = solid.tones[k] === 1 ? 0.86 : 1, s = tone * (0.5 + 0.5 * Math.max(0, dot3(normal, light)));
    context.fillStyle = shade(s);
    context.strokeStyle = solid.tones[k] === 2 ? shade(0.55 * s) : shade(s);
    context.beginPath();
    for (const v of solid.faces[k]) { const [x, y] = at(vertices[v]); context.lineTo(x, y); }
    context.closePath();
    context.fill();
    context.stroke();
  });
}

function drawBall(context, { centre, radius, axes, shade }, { at, eye, light }) {
  const [x, y, scale] = at(centre), r = scale * radius, [lx, ly] = at(plus(centre, light, 0.5 * radius));
  const gradient = context.createRadialGradient(lx, ly, 0.05 * r, x, y, r);
  gradient.addColorStop(0, shade(1.15));
  gradient.addColorStop(1, shade(0.62));
  context.fillStyle = gradient;
  context.strokeStyle = shade(0.5);
  context.lineWidth = 0.9;
  context.beginPath();
  context.arc(x, y, r, 0, 2 * Math.PI);
  context.fill();
  context.stroke();
  // Great circles, where they are seen, show how it turns.
  const view = minus(eye, centre);
  for (const [a, b] of [[0, 1], [0, 2]]) {
    let pen = false;
    context.beginPath();
    for (let k = 0; k <= 36; k++) {
      const cos = Math.cos((2 * Math.PI * k) / 36), sin = Math.sin((2 * Math.PI * k) / 36);
      const out = [0, 1, 2].map((i) => radius * (cos * axes[a][i] + sin * axes[b][i]));
      const seen = dot3(out, view) > radius * radius;
      if (seen) {
        const [px, py] = at(plus(centre, out));
        if (pen) context.lineTo(px, py); else context.moveTo(px, py);
      }
      pen = seen;
    }
    context.stroke();
  }
}

/** The solids from back to front: a plane between two convex ones tells which is in front, the one on the eye's side. */
function ordered(solids, eye) {
  const distance = new Map(solids.map((s) => [s, Math.hypot(...minus(s.centre, eye))]));
  const left = [...solids].sort((a, b) => distance.get(b) - distance.get(a));
  if (left.length > MOST_ORDERED) return left;
  const out = [];
  while (left.length) {
    // The farthest that covers none of those left; where they cover each other in a ring, the farthest.
    const free = left.findIndex((s) => left.every((other) => other === s || !covers(s, other, eye)));
    out.push(...left.splice(Math.max(free, 0), 1));
  }
  return out;
}

/** Whether the first may cover the second. */
function covers(a, b, eye) {
  const span = minus(a.centre, b.centre), room = 0.02 * Math.hypot(...span);
  const beyond = (s, [normal, offset]) => s.vertices.every((v) => dot3(normal, v) - s.radius >= offset - room);
  const outside = ([normal, offset]) => dot3(normal, eye) > offset;
  const own = a.planes.find((plane) => beyond(b, plane));
  if (own) return !outside(own);
  const other = b.planes.find((plane) => beyond(a, plane));
  if (other) return outside(other);
  return dot3(minus(eye, plus(b.centre, span, 0.5)), span) > 0;
}
