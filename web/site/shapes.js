// Shapes of the pictures of systems, as SVG.

const SVG = 'http://www.w3.org/2000/svg';
export const [WIDTH, HEIGHT] = [320, 200];

export function shape(tag, attributes) {
  const made = document.createElementNS(SVG, tag);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}

export const arrow = ([x, y], [tx, ty], colour) => {
  const length = Math.hypot(tx - x, ty - y) || 1, [ux, uy] = [(tx - x) / length, (ty - y) / length];
  const head = `${tx},${ty} ${tx - 9 * ux - 4 * uy},${ty - 9 * uy + 4 * ux} ${tx - 9 * ux + 4 * uy},${ty - 9 * uy - 4 * ux}`;
  return [shape('line', { x1: x, y1: y, x2: tx - 6 * ux, y2: ty - 6 * uy, stroke: colour, 'stroke-width': 2.5 }), shape('polygon', { points: head, fill: colour })];
};
export const ground = (y) => [shape('rect', { x: 0, y, width: WIDTH, height: HEIGHT - y, fill: 'var(--ground)' }), shape('line', { x1: 0, x2: WIDTH, y1: y, y2: y, stroke: 'var(--edge)', 'stroke-width': 1.5 })];
export const wall = (x, left) => [shape('rect', { x: left ? 0 : x, y: 24, width: left ? x : WIDTH - x, height: HEIGHT - 24, fill: 'var(--ground)' }), shape('line', { x1: x, x2: x, y1: 24, y2: HEIGHT, stroke: 'var(--edge)', 'stroke-width': 1.5 })];
export const text = (x, y, words) => {
  const made = shape('text', { x, y, 'font-size': 12, fill: 'var(--soft)' });
  made.textContent = words;
  return made;
};
export const dot = ([x, y], r = 3.5, fill = 'var(--force)') => shape('circle', { cx: x, cy: y, r, fill });
export const bar = ([x, y], [tx, ty], width = 6) => shape('line', { x1: x, y1: y, x2: tx, y2: ty, stroke: 'var(--s0)', 'stroke-width': width, 'stroke-linecap': 'round' });
const BODY = { fill: 'var(--s0)', 'fill-opacity': 0.3, stroke: 'var(--s0)', 'stroke-width': 2, 'stroke-linejoin': 'round' };
export const polygon = (points, more = {}) => shape('polygon', { points: points.map((p) => p.join(',')).join(' '), ...BODY, ...more });
export const disk = ([x, y], r) => shape('circle', { cx: x, cy: y, r, ...BODY });
export const round = (v) => Number(v.toPrecision(3));
