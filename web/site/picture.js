// The system of an impact, drawn, with handles: dragging them changes its numbers, as the sliders do.

import { HEIGHT, WIDTH, arrow, ground, round, shape, text } from './shapes.js';
import { systemOf } from './systems.js';

/** A rod on its tip: its end turns it, the arrow is the velocity with which the tip arrives. */
function rod({ get, set, prefix }) {
  const [x, y, half] = [WIDTH / 2, HEIGHT - 30, 62], unit = 42;
  const angle = `${prefix}.angle`, ratio = `${prefix}.velocity_ratio`;
  return {
    draw: () => {
      const [cos, sin] = [Math.cos(get(angle)), Math.sin(get(angle))], end = [x - 2 * half * cos, y - 2 * half * sin];
      const slope = get(ratio) ?? 0, tail = [x + Math.max(-3.4, Math.min(3.4, slope)) * unit, y - unit];
      return {
        shapes: [...ground(y), shape('line', { x1: x, y1: y, x2: end[0], y2: end[1], stroke: 'var(--s0)', 'stroke-width': 6, 'stroke-linecap': 'round' }),
          shape('circle', { cx: x - half * cos, cy: y - half * sin, r: 3, fill: 'var(--paper)' }), ...arrow(tail, [x, y], 'var(--speed)'),
          text(6, 16, 'drag the rod, or the tail of its velocity')],
        handles: [
          { at: end, name: 'end of the rod', move: ([px, py]) => set(angle, round(Math.min(Math.PI, Math.max(0, Math.atan2(y - py, x - px))))) },
          ...(get(ratio) === undefined ? [] : [{ at: tail, name: 'velocity', move: ([px]) => set(ratio, round((px - x) / unit)) }]),
        ],
      };
    },
  };
}

/** A block that turns about its left corner: its upper corner gives its sides, the arrow how fast it comes down. */
function block({ get, set, put, prefix }) {
  const left = 70, floor = HEIGHT - 30, size = 120;
  const [width, height, aspect, rate] = ['width', 'height', 'aspect', 'rate'].map((key) => `${prefix}.${key}`);
  return {
    draw: () => {
      const [w, h] = get(aspect) === undefined ? [get(width), get(height)] : [1, get(aspect)], scale = size / Math.max(w, h, 1e-9);
      const corner = [left + w * scale, floor - h * scale], foot = [left + w * scale, floor];
      const speed = get(rate), tail = [foot[0] + 26, foot[1] - 14 + 30 * Math.max(-3, Math.min(0.2, speed ?? 0))];
      const move = ([px, py]) => {
        const [across, up] = [Math.max(8, px - left), Math.max(8, floor - py)];
        if (get(aspect) !== undefined) set(aspect, round(up / across));
        else put({ [width]: round(across / scale), [height]: round(up / scale) });
      };
      return {
        shapes: [...ground(floor), shape('rect', { x: left, y: corner[1], width: w * scale, height: h * scale, fill: 'var(--s0)', 'fill-opacity': 0.3, stroke: 'var(--s0)', 'stroke-width': 2 }),
          shape('circle', { cx: left, cy: floor, r: 4, fill: 'var(--force)' }), ...(speed === undefined ? [] : arrow(tail, [tail[0], floor - 4], 'var(--speed)')),
          text(6, 16, 'drag the corner, or the tail of its velocity')],
        handles: [{ at: corner, move, name: 'corner of the block' }, ...(speed === undefined ? [] : [{ at: tail, name: 'velocity', move: ([, py]) => set(rate, round((py - foot[1] + 14) / 30)) }])],
      };
    },
  };
}

/** Two velocities as an arrow from the middle, in a square that is as large as they were at first. */
function velocities({ get, put, paths }) {
  const [x, y, reach] = [WIDTH / 2, HEIGHT / 2 + 6, 80];
  const largest = 1.6 * Math.max(...paths.map((path) => Math.abs(get(path)))) || 1;
  const value = (pixels) => round((pixels / reach) * largest);
  return {
    draw: () => {
      const [a, b] = paths.map((path) => Math.max(-1.1, Math.min(1.1, get(path) / largest))), tip = [x + a * reach, y - (b || 0) * reach];
      return {
        shapes: [shape('line', { x1: x - 130, x2: x + 130, y1: y, y2: y, stroke: 'var(--line)' }), shape('line', { x1: x, x2: x, y1: y - 88, y2: y + 88, stroke: 'var(--line)' }),
          ...arrow([x, y], tip, 'var(--speed)'), text(6, 16, 'drag the velocity'), text(x + 92, y - 5, paths[0].replace('velocity', 'u')), ...(paths[1] ? [text(x + 6, y - 80, paths[1].replace('velocity', 'u'))] : [])],
        handles: [{ at: tip, name: 'velocity', move: ([px, py]) => put({ [paths[0]]: value(px - x), ...(paths[1] ? { [paths[1]]: value(y - py) } : {}) }) }],
      };
    },
  };
}

function drawingOf(numbers, source, access) {
  const paths = Object.keys(numbers);
  if (paths.includes('rod_impact.angle')) return rod({ ...access, prefix: 'rod_impact' });
  if (paths.some((path) => path.startsWith('block_impact.'))) return block({ ...access, prefix: 'block_impact' });
  const system = systemOf(paths, source, access);
  if (system) return system;
  const speeds = paths.filter((path) => /(^|\])\.?velocity\[\d+\]$/.test(path)).slice(0, 2);
  return speeds.length ? velocities({ ...access, paths: speeds }) : null;
}

const STEP = 4; // pixels that an arrow key moves a handle, and with Shift
const FINE = 1;

/**
 * The picture of a problem with these numbers, from the text `source`; none where nothing of it can be drawn. `put` tells
 * of changes: values by their paths. Handles are dragged, or moved by the arrow keys.
 */
export function picture(numbers, source, changed, put) {
  const access = { get: (path) => changed[path] ?? numbers[path], put, set: (path, value) => put({ [path]: value }) };
  const drawing = drawingOf(numbers, source, access);
  if (!drawing) return null;
  const svg = shape('svg', { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: 'picture', role: 'group', 'aria-label': 'The system with its velocity' });
  const [scene, dots] = [shape('g', { 'aria-hidden': 'true' }), shape('g', {})];
  svg.append(scene, dots);
  let held = null, handles = [];
  const handle = (k) => {
    const made = shape('circle', { r: 9, class: 'handle', 'data-handle': k, tabindex: 0, role: 'button', 'aria-roledescription': 'handle' });
    made.addEventListener('keydown', (event) => {
      const way = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
      if (!way) return;
      event.preventDefault();
      const { at, move } = handles[k], step = event.shiftKey ? FINE : STEP;
      move([at[0] + step * way[0], at[1] + step * way[1]]);
    });
    return made;
  };
  const redraw = () => {
    const drawn = drawing.draw();
    handles = drawn.handles;
    scene.replaceChildren(...drawn.shapes);
    // Handles stay, so that the one that is moved keeps the keyboard.
    while (dots.children.length > handles.length) dots.lastChild.remove();
    handles.forEach(({ at, name }, k) => {
      const made = dots.children[k] ?? dots.appendChild(handle(k));
      made.setAttribute('cx', at[0]);
      made.setAttribute('cy', at[1]);
      made.setAttribute('aria-label', `${name ?? `handle ${k + 1}`}: move it with the arrow keys`);
    });
  };
  redraw();
  const place = (event) => {
    const box = svg.getBoundingClientRect();
    return [((event.clientX - box.left) / box.width) * WIDTH, ((event.clientY - box.top) / box.height) * HEIGHT];
  };
  svg.addEventListener('pointerdown', (event) => {
    const taken = event.target.closest?.('[data-handle]');
    if (!taken) return;
    held = Number(taken.dataset.handle);
    svg.setPointerCapture(event.pointerId);
    event.preventDefault();
  });
  svg.addEventListener('pointermove', (event) => { if (held !== null) handles[held].move(place(event)); });
  for (const end of ['pointerup', 'pointercancel']) svg.addEventListener(end, () => { held = null; });
  return { svg, redraw };
}
