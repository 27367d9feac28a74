// The laboratory and the pages that the program writes, in a real browser.
// node test.mjs PROGRAM [FOLDER FOR PICTURES]
// Checks what must hold; sizes and times are told, not judged.

import { spawn, execFileSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import assert from 'node:assert/strict';
import { chromium } from 'playwright-core';

const root = resolve(import.meta.dirname, '../..');
const program = resolve(process.argv[2] ?? join(root, 'target/release/delassus'));
const pictures = process.argv[3];
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const scratch = mkdtempSync(join(tmpdir(), 'delassus-lab-'));
const delassus = (...args) => execFileSync(program, args, { cwd: root, maxBuffer: 1 << 28 }).toString();

const server = spawn(program, ['lab', '--no-open', '--site', join(root, 'web/dist')], { stdio: ['ignore', 'pipe', 'inherit'] });
const address = await new Promise((done, failed) => {
  server.stdout.once('data', (data) => done(data.toString().trim()));
  server.once('exit', (code) => failed(new Error(`delassus lab ended with status ${code}`)));
});
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox'] });

/** A page on which an error, a warning of the policy or a request elsewhere fails the test. */
async function open(url, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  const page = await context.newPage();
  page.wrong = [];
  page.on('pageerror', (error) => page.wrong.push(error.message));
  page.on('console', (message) => { if (message.type() === 'error') page.wrong.push(message.text()); });
  page.on('request', (request) => {
    const own = url.startsWith('file:') ? url : address;
    if (!request.url().startsWith(own) && !/^(data|blob):/.test(request.url())) page.wrong.push(`request to ${request.url()}`);
  });
  await page.goto(url);
  return page;
}

async function close(page) {
  assert.deepEqual(page.wrong, []);
  await page.context().close();
}

async function accessible(page, what) {
  await page.addScriptTag({ content: axe }).catch(() => page.evaluate(axe)); // a policy forbids scripts, not evaluation
  const { violations } = await page.evaluate(() => window.axe.run());
  const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
  assert.deepEqual(serious.map(({ id, nodes }) => [id, nodes[0].html.slice(0, 120), nodes[0].failureSummary]), [], what);
}

const picture = async (page, name) => { if (pictures) await page.screenshot({ path: join(pictures, `${name}.png`) }); };

/** Compares numbers to `tolerance`, relative where they are above 1, all else exactly. */
function near(ours, theirs, tolerance, where = '') {
  if (typeof ours === 'number' && typeof theirs === 'number') {
    assert.ok(Math.abs(ours - theirs) <= tolerance * Math.max(1, Math.abs(ours), Math.abs(theirs)), `${where}: ${ours} and ${theirs}`);
  } else if (ours && theirs && typeof ours === 'object') {
    for (const key of new Set([...Object.keys(ours), ...Object.keys(theirs)])) {
      if (!/residual|stats|warnings|distance/.test(key)) near(ours[key], theirs[key], tolerance, `${where}.${key}`);
    }
  } else assert.equal(ours, theirs, where);
}

const answered = (page) => page.waitForFunction(() => document.querySelector('#answer figure') && !document.querySelector('#answer.old'));

const tests = {
  async 'impacts are those of the program'() {
    const folder = join(root, 'crates/delassus-cli/examples');
    for (const file of readdirSync(folder).filter((name) => name.endsWith('.toml'))) {
      const page = await open(`${address}#impact?example=${file.replace('.toml', '')}`);
      await answered(page);
      const shown = JSON.parse(await page.locator('#answer').getAttribute('data-outcomes'));
      let own = JSON.parse(delassus('impact', join(folder, file), '--json'));
      if (Array.isArray(own[0])) [own] = own; // of a batch the page shows the first
      assert.equal(shown.length, own.length, file);
      // lzb integrates powers, which the two worlds compute with different last digits: six digits are shown.
      own.forEach((outcome, k) => near(shown[k], outcome, outcome.law === 'lzb' ? 1e-5 : 1e-9, `${file} ${outcome.law}`));
      await close(page);
    }
  },

  async 'motions are those of the program'() {
    for (const name of ['rocking-block', 'bouncing-ball', 'cradle', 'earthquake', 'slider-crank']) {
      const page = await open(`${address}#motion?example=${name}`);
      await answered(page);
      const [shown] = JSON.parse(await page.locator('#answer').getAttribute('data-runs'));
      const own = JSON.parse(delassus('run', join(root, 'scenarios', `${name}.toml`), '--json'));
      // Where impacts accumulate, differences in the last digit grow from one to the next: the first ones
      // agree as far as they are shown, the end to what is seen.
      const first = (times) => times.slice(0, 8);
      near(first(shown.impacts), first(own.impacts.map((impact) => impact.time)), 1e-6, name);
      near([shown.status, shown.energy], [own.status, own.energy.final], 1e-6, name);
      near(shown.time, own.time, 1e-3, name);
      await picture(page, `motion-${name}`);
      await close(page);
    }
  },

  async 'sliders by keyboard change the answer, and the address keeps it'() {
    const page = await open(`${address}#impact?example=kane`);
    await answered(page);
    const before = await page.locator('#answer').getAttribute('data-outcomes');
    await page.getByLabel('contact[0].friction').first().focus();
    for (let k = 0; k < 5; k++) await page.keyboard.press('ArrowRight');
    const value = await page.locator('.slider input[type=number]').first().inputValue();
    await page.waitForFunction((set) => document.querySelector('#answer').dataset.set.includes(set), value);
    assert.notEqual(await page.locator('#answer').getAttribute('data-outcomes'), before);
    assert.match(page.url(), /set\.contact/);
    const after = await page.locator('#answer').getAttribute('data-outcomes');
    const again = await open(page.url());
    await answered(again);
    await again.waitForFunction((wanted) => document.querySelector('#answer').dataset.outcomes === wanted, after);
    await again.waitForFunction(() => document.querySelector('#map').dataset.points === '400');
    await picture(again, 'impact');
    await close(again);
    await close(page);
  },

  async 'a wrong text gets the message of the program and the page goes on'() {
    const page = await open(`${address}#impact?example=kane`);
    await answered(page);
    await page.locator('details summary', { hasText: 'Text' }).click();
    const text = await page.locator('textarea').inputValue();
    await page.locator('textarea').fill(text.replace('friction = 0.5', 'friction = -0.5'));
    await page.getByRole('alert').waitFor();
    assert.match(await page.getByRole('alert').textContent(), /contact\[0\]\.friction = -0\.5/);
    await page.locator('textarea').fill(text);
    await answered(page);
    await close(page);
  },

  async 'the player plays, by keyboard alone'() {
    const page = await open(`${address}#motion?example=rocking-block&laws=lzb,newton`);
    await answered(page);
    const slider = page.getByLabel('time');
    await page.locator('button.play').focus();
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => Number(document.querySelector('.player input').value) > 0);
    await page.keyboard.press('Enter');
    const there = Number(await slider.inputValue());
    await slider.focus();
    await page.keyboard.press('ArrowRight');
    assert.ok(Number(await slider.inputValue()) > there);
    await page.getByRole('button', { name: 'next impact' }).focus();
    await page.keyboard.press('Enter');
    assert.match(await page.locator('.says').textContent(), /Impact at .* under/);
    await close(page);
  },

  async 'every study opens'() {
    const page = await open(`${address}#papers`);
    await answered(page);
    const ids = await page.locator('.studies button').evaluateAll((all) => all.map((b) => b.dataset.id));
    assert.equal(ids.length, delassus('reproduce', '--list').trim().split('\n').length);
    for (const id of ids.slice(0, 6)) {
      await page.locator(`.studies button[data-id="${id}"]`).click();
      await page.waitForFunction(() => !document.querySelector('#answer.old') && document.querySelector('#answer table'));
    }
    await picture(page, 'papers');
    await close(page);
  },

  async 'nothing serious for those who do not see or use a mouse, in light and dark'() {
    for (const colorScheme of ['light', 'dark']) {
      for (const name of ['impact', 'motion', 'papers']) {
        const page = await open(`${address}#${name}`, { colorScheme, bypassCSP: true });
        await answered(page);
        await accessible(page, `${name}, ${colorScheme}`);
        await picture(page, `${name}-${colorScheme}`);
        await close(page);
      }
    }
  },

  async 'pages of the program: offline, accessible, on a phone'() {
    const files = { run: ['run', 'scenarios/cradle.toml', '--law', 'lzb,newton'], impact: ['impact'], report: ['report', 'scenarios/rod.toml', 'crates/delassus-cli/examples/block.toml'] };
    for (const [name, args] of Object.entries(files)) {
      const file = join(scratch, `${name}.html`);
      delassus(...args, '--out', file);
      const page = await open(`file://${file}`, { viewport: { width: 390, height: 800 }, bypassCSP: true });
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
      assert.ok(wide <= 0, `${name}: ${wide} pixels wider than a phone`);
      await accessible(page, name);
      await picture(page, `${name}-phone`);
      if (name !== 'impact') {
        await page.getByRole('button', { name: 'Play' }).first().click();
        await page.waitForFunction(() => Number(document.querySelector('.player input').value) > 0);
      }
      await page.emulateMedia({ media: 'print' });
      assert.equal(await page.locator('.player .row').first().isVisible().catch(() => false), false);
      await close(page);
    }
  },

  async 'a thousand random inputs'() {
    const page = await open(`${address}#impact`);
    await answered(page);
    const bad = await page.evaluate(async () => {
      const { ask } = await import('./engine.js');
      const { problems, scenarios } = await ask('examples', { op: 'examples' });
      let seed = 20120301;
      const random = (n) => { seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0; return Math.floor((seed / 2 ** 32) * n); };
      const words = ['-', '1e308', '0', 'nan', '[', ']', '"', '\n', '=', '[[contact]]', '1e-300', '{}', '§', 'friction = 2', 'null'];
      const wrong = [];
      for (let k = 0; k < 1000; k++) {
        const motion = k % 10 === 0, list = motion ? scenarios.filter(({ name }) => /ball$|rod|slope/.test(name)) : problems;
        let { text } = list[random(list.length)];
        for (let changes = 1 + random(3); changes > 0; changes--) {
          const at = random(text.length), word = words[random(words.length)];
          text = text.slice(0, at) + word + text.slice(at + random(4));
        }
        const found = await ask(`random${k}`, { op: motion ? 'run' : 'impact', text: motion ? `${text}\n` : text });
        if (!found.html && (!found.error || /unexpectedly|worker failed/.test(found.error))) wrong.push([text, found.error]);
      }
      return wrong;
    });
    assert.deepEqual(bad, []);
    await close(page);
  },

  async 'how large and how fast it is'() {
    const size = gzipSync(readFileSync(join(root, 'web/dist/delassus.wasm')), { level: 9 }).length;
    console.log(`    ${Math.round(size / 1000)} kB of wasm, compressed`);
    const page = await open(`${address}#motion?example=chain`);
    const start = Date.now();
    await answered(page);
    console.log(`    first answer ${Date.now() - start} ms after load`);
    const text = readFileSync(join(root, 'crates/delassus-cli/examples/kane.toml'), 'utf8');
    const rate = await page.evaluate(async (kane) => {
      const { ask } = await import('./engine.js');
      const { milliseconds } = await ask('rate', { op: 'repeat', text: kane, count: 300000 });
      return 300 / milliseconds;
    }, text);
    console.log(`    ${rate.toFixed(2)} million impacts a second (Newton, one contact)`);
    const frames = await page.evaluate(async () => {
      const { drawScene } = await import('./player.js');
      const bodies = Array.from({ length: 50 }, (_, k) => ({ name: `b${k}`, parts: [{ points: [[-0.4, -0.4], [0.4, -0.4], [0.4, 0.4], [-0.4, 0.4]], radius: 0 }] }));
      const places = [0, 1].map((t) => bodies.flatMap((_, k) => [k % 10, Math.floor(k / 10), t]));
      const film = { law: 'x', times: [0, 1], places, shifts: [], touches: [[], []], impacts: [] };
      const scene = { bodies, lines: [], links: [], view: [-1, -1, 11, 6], films: [film] };
      const context = document.querySelector('canvas').getContext('2d');
      const begin = performance.now();
      for (let k = 0; k < 100; k++) drawScene(context, 900, 500, scene, k / 100, { films: [true], impulses: true, paths: false, trail: 1, largest: 1 });
      context.getImageData(0, 0, 1, 1);
      return 1e5 / (performance.now() - begin);
    });
    console.log(`    ${Math.round(frames)} frames a second of 50 bodies`);
    await close(page);
  },
};

let failed = 0;
for (const [name, test] of Object.entries(tests)) {
  const start = Date.now();
  try {
    await test();
    console.log(`ok   ${name} (${((Date.now() - start) / 1000).toFixed(1)} s)`);
  } catch (error) {
    failed += 1;
    console.log(`FAIL ${name}\n${error.stack}`);
  }
}
await browser.close();
server.kill();
rmSync(scratch, { recursive: true });
console.log(failed ? `${failed} tests failed` : 'all passed');
process.exit(failed ? 1 : 0);
