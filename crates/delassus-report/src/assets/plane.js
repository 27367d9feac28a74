// Draws a planar scene at one time on a canvas.

import { drawBlows, drawLink, drawPaths, mix, moment, stroke } from './stage.js';

const PLANE_ARROW = 0.3; // longest arrow, in heights of the view

export function drawPlane(context, width, height, scene, t, options, colour) {
  const [left, bottom, right, top] = scene.view;
  const scale = Math.min(width / (right - left), height / (top - bottom));
  const x0 = (width - scale * (right - left)) / 2, y0 = (height - scale * (top - bottom)) / 2;
  const at = ([x, y]) => [x0 + (x - left) * scale, y0 + (top - y) * scale];
  scene.films.forEach((film, k) => {
    const now = moment(film.times, t);
    const places = mix(film.places, now), shifts = mix(film.shifts, now);
    const point = (end) => {
      const [x, y] = end.point;
      if (end.body !== null) {
        const [px, py, angle] = places.slice(3 * end.body, 3 * end.body + 3);
        return at([px + Math.cos(angle) * x - Math.sin(angle) * y, py + Math.sin(angle) * x + Math.cos(angle) * y]);
      }
      return end.shift === null ? at([x, y]) : at([x + shifts[2 * end.shift], y + shifts[2 * end.shift + 1]]);
    };
    if (k === 0) scene.lines.forEach((line) => drawLine(context, line, shifts, at, scene.view, colour));
    if (!options.films[k]) return;
    context.strokeStyle = context.fillStyle = colour[`s${film.color % 7}`];
    if (options.paths) drawPaths(context, film, now, at, 3);
    const opacity = Number(colour['body-fill']) / (scene.films.length > 1 ? 1.5 : 1);
    scene.bodies.forEach((body, b) => {
      for (const part of body.parts) drawPart(context, part, (p) => point({ body: b, shift: null, point: p }), scale, opacity);
    });
    for (const link of scene.links) drawLink(context, link, link.ends.map(point), colour);
    if (options.impulses) drawBlows(context, film, now, t, at, (PLANE_ARROW * height) / scale, options, colour);
  });
}

function drawPart(context, part, point, scale, opacity) {
  const corners = part.points.map(point);
  context.beginPath();
  context.lineWidth = 2;
  if (corners.length === 1) {
    context.arc(corners[0][0], corners[0][1], part.radius * scale, 0, 2 * Math.PI);
  } else {
    corners.forEach(([x, y]) => context.lineTo(x, y));
    if (corners.length > 2) context.closePath(); else context.lineWidth = 4;
  }
  if (corners.length !== 2) {
    context.globalAlpha = opacity;
    context.fill();
    context.globalAlpha = 1;
  }
  context.stroke();
  if (corners.length === 1) { // a radius shows how a disk turns
    const [x, y] = part.points[0];
    context.lineWidth = 1.2;
    stroke(context, [corners[0], point([x + part.radius, y])]);
  }
}

function drawLine(context, line, shifts, at, [left, bottom, right, top], colour) {
  const shift = line.shift === null ? [0, 0] : [shifts[2 * line.shift], shifts[2 * line.shift + 1]];
  const [px, py] = [line.point[0] + shift[0], line.point[1] + shift[1]], [nx, ny] = line.normal;
  // Far beyond the view, as the canvas may be wider; from the point nearest to its middle.
  const reach = 4 * (right - left + top - bottom);
  const along = ny * ((left + right) / 2 - px) - nx * ((bottom + top) / 2 - py);
  const spot = (s, depth) => at([px + (along + s) * ny - depth * nx, py - (along + s) * nx - depth * ny]);
  context.beginPath();
  [[-reach, 0], [reach, 0], [reach, reach], [-reach, reach]].forEach(([s, d]) => context.lineTo(...spot(s, d)));
  context.fillStyle = colour.ground;
  context.fill();
  context.strokeStyle = colour.edge;
  context.lineWidth = 1.5;
  stroke(context, [spot(-reach, 0), spot(reach, 0)]);
  const step = (right - left) / 12;
  if (line.shift !== null) { // marks that move with it
    for (let s = -Math.ceil(reach / step) * step; s < reach; s += step) {
      stroke(context, [spot(s - along, 0), spot(s - along - 0.2 * step, 0.2 * step)]);
    }
  }
}
