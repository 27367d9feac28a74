// What is shown, saved: files, pictures, the link.

import { element, say } from './parts.js';

export function download(name, content, type = 'text/plain') {
  const link = element('a', { href: URL.createObjectURL(content instanceof Blob ? content : new Blob([content], { type })), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

/** A picture of an SVG as PNG, three times its size. */
export async function toPng(svg) {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  await image.decode();
  const canvas = element('canvas', { width: 3 * image.naturalWidth, height: 3 * image.naturalHeight });
  canvas.getContext('2d').drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve) => { canvas.toBlob(resolve, 'image/png'); });
}

/** Copies the address, and says so only where it was done. */
async function copyLink() {
  try {
    await navigator.clipboard.writeText(location.href);
    say('The link is copied.');
  } catch {
    say('This browser does not let the page copy; the address of the page is the link.');
  }
}

/** Buttons that save what is shown; `svg` finds the figure, `csvs` are tables with names of their own, `files` what else is needed. */
export function exports(name, { toml, csv, csvs = [], json, svg, page, files = [] }) {
  const box = element('div', { class: 'buttons' });
  const add = (text, act) => box.append(element('button', { type: 'button', onclick: act }, text));
  if (toml) add('TOML', () => download(`${name}.toml`, toml()));
  if (csv) add('CSV', () => download(`${name}.csv`, csv()));
  for (const table of csvs) {
    const file = table.name.replaceAll('/', '-'), part = file.slice(name.length + 1, -4);
    add(part ? `CSV, ${part}` : 'CSV', () => download(file, table.text));
  }
  if (json) add('JSON', () => download(`${name}.json`, json()));
  if (svg) add('SVG', () => download(`${name}.svg`, svg(), 'image/svg+xml'));
  if (svg) add('PNG', async () => download(`${name}.png`, await toPng(svg())));
  for (const { file, text } of files) add(file, () => download(file, text));
  if (page) add('Link', copyLink);
  return element('section', {}, element('h2', {}, 'Take it with you'), box);
}

export function svgText(root) {
  const svg = root.querySelector('figure svg').cloneNode(true);
  for (const line of svg.querySelectorAll('line')) line.remove(); // the player's cursors
  return new XMLSerializer().serializeToString(svg);
}
