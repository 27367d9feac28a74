// The laboratory and the pages that the program writes, in a real browser.
// node test.mjs PROGRAM [FOLDER FOR PICTURES]; ONLY=words takes the tests with these words in their title, SITE another folder than web/dist
// Checks what must hold; sizes and times are told, not judged.

import { spawn, spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { brotliCompressSync, gunzipSync, gzipSync } from 'node:zlib';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import assert from 'node:assert/strict';
import { chromium } from 'playwright-core';

const root = resolve(import.meta.dirname, '../..');
const program = resolve(process.argv[2] ?? join(root, 'target/release/delassus'));
const pictures = process.argv[3];
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const scratch = mkdtempSync(join(tmpdir(), 'delassus-lab-'));
/** What the program prints; status 1 says that a result has a flaw, which the page shows as well. */
const delassus = (...args) => {
  const { status, stdout, stderr } = spawnSync(program, args, { cwd: root, maxBuffer: 1 << 28 });
  if (status !== 0 && status !== 1) throw new Error(`delassus ${args.join(' ')}: ${stderr}`);
  return stdout.toString();
};

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

/** The program that serves a site, and where. */
async function serve(...options) {
  const started = spawn(program, ['lab', '--no-open', ...options], { cwd: scratch, stdio: ['ignore', 'pipe', 'inherit'] });
  const where = await new Promise((done, failed) => {
    started.stdout.once('data', (data) => done(data.toString().trim()));
    started.once('exit', (code) => failed(new Error(`delassus lab ended with status ${code}`)));
  });
  return { started, where };
}

/** Lets a file fall on the page. */
async function drop(page, name, text) {
  const data = await page.evaluateHandle(([file, content]) => {
    const transfer = new DataTransfer();
    transfer.items.add(new File([content], file));
    return transfer;
  }, [name, text]);
  await page.dispatchEvent('main', 'drop', { dataTransfer: data });
}

const answered = (page) => page.waitForFunction(() => document.querySelector('#answer figure') && !document.querySelector('#answer.old, #busy.on'));

// Where the site is not built the program answers in place of the module.
const built = process.env.SITE ?? join(root, 'web/dist');
const { started: server, where: address } = await serve(...(existsSync(built) ? ['--site', built] : []));

const tests = {
  async 'impacts are those of the program'() {
    const folder = join(root, 'crates/delassus-cli/examples');
    for (const file of readdirSync(folder).filter((name) => name.endsWith('.toml'))) {
      const page = await open(`${address}#impact?example=${file.replace('.toml', '')}`);
      await answered(page);
      const shown = JSON.parse(await page.locator('#answer').getAttribute('data-outcomes'));
      let own = JSON.parse(delassus('impact', join(folder, file), '--json'));
      if (Array.isArray(own[0])) [own] = own; // of a batch the page shows the first
      assert.equal(shown.length, 10, file); // all laws, also where the text names one
      own.forEach((outcome) => assert.deepEqual(shown.find(({ law }) => law === outcome.law), outcome, `${file} ${outcome.law}`)); // to the last digit
      await close(page);
    }
  },

  async 'motions are those of the program'() {
    const names = ['rocking-block', 'bouncing-ball', 'cradle', 'earthquake', 'slider-crank', 'dimer', 'stack', 'double-pendulum',
      'space/cube-on-floor', 'space/coin', 'space/block-lzb', 'space/foot', 'space/balls-and-cushion'];
    for (const name of names) {
      const page = await open(`${address}#motion?example=${name}`);
      await answered(page);
      const [shown] = JSON.parse(await page.locator('#answer').getAttribute('data-runs'));
      const own = JSON.parse(delassus('run', join(root, 'scenarios', `${name}.toml`), '--json'));
      // Every digit of every impact, also of motions that amplify the last one.
      const { status, time, energy, impacts } = own;
      assert.deepEqual(shown, { status, time, impacts: impacts.map((impact) => impact.time), energy: energy.final }, name);
      await picture(page, `motion-${name.replace('/', '-')}`);
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

  async 'dragging the picture changes the numbers'() {
    for (const [example, path] of [['rod_impact', 'rod_impact.angle'], ['block_impact', 'block_impact.height'], ['kane', 'velocity[0]'], ['rod', 'velocity[0]'], ['dimer', 'velocity[1]'],
      ['foot', 'velocity[1]'], ['chain3', 'velocity[0]'], ['stack', 'velocity[0]'], ['cube', 'velocity[2]']]) {
      const page = await open(`${address}#impact?example=${example}`);
      await answered(page);
      const before = await page.locator('#answer').getAttribute('data-outcomes');
      const handle = await page.locator('.picture .handle').first().boundingBox();
      const [x, y] = [handle.x + handle.width / 2, handle.y + handle.height / 2];
      await page.mouse.move(x, y);
      await page.mouse.down();
      await page.mouse.move(x + 25, y + 30, { steps: 5 });
      await page.mouse.up();
      await page.waitForFunction((key) => document.querySelector('#answer').dataset.set?.includes(key), path);
      assert.notEqual(await page.locator('#answer').getAttribute('data-outcomes'), before, example);
      // Answers come one after the other while the handle moves; the last is that of the number shown.
      const shown = Number(await page.getByLabel(path, { exact: true }).last().inputValue());
      await page.waitForFunction(([key, value]) => JSON.parse(document.querySelector('#answer').dataset.set)[key] === value, [path, shown]);
      await picture(page, `drag-${example}`);
      await close(page);
    }
  },

  async 'the pendulum turns with its mass matrix, by mouse and by keyboard'() {
    const page = await open(`${address}#impact?example=kane`);
    await answered(page);
    const settled = async () => {
      await page.waitForFunction(() => {
        const set = Object.fromEntries([...new URLSearchParams(location.hash.split('?')[1])].filter(([key]) => key.startsWith('set.')).map(([key, value]) => [key.slice(4), Number(value)]));
        const answer = document.querySelector('#answer'), shown = JSON.parse(answer.dataset.set);
        return !answer.classList.contains('old') && Object.keys(set).length > 3 && Object.entries(set).every(([key, value]) => shown[key] === value);
      });
      return JSON.parse(await page.locator('#answer').getAttribute('data-set'));
    };
    // Two rods of 2 m and 3 kg: the coupling is 6 kg m² times the cosine of the angle between them; the paper's figures have four digits.
    const consistent = (set) => {
      const [normal, tangent] = ['normal', 'tangent'].map((name) => [0, 1].map((k) => set[`contact[0].${name}[${k}]`] ?? { normal: [0.6840, 1], tangent: [-1.8794, -1.7321] }[name][k]));
      const angles = normal.map((n, k) => Math.atan2(n, -tangent[k]));
      normal.forEach((n, k) => assert.ok(Math.abs(Math.hypot(n, tangent[k]) - 2) < 2e-4, `rod ${k}: ${n}, ${tangent[k]}`));
      assert.equal(set['mass[0][1]'], set['mass[1][0]']);
      assert.ok(Math.abs(set['mass[0][1]'] - 6 * Math.cos(angles[0] - angles[1])) < 3e-4, `${set['mass[0][1]']} at ${angles}`);
      return angles;
    };
    const box = await page.getByLabel(/^angle of rod 1/).boundingBox();
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    await page.mouse.down();
    await page.mouse.move(box.x + 60, box.y + 20, { steps: 5 });
    await page.mouse.up();
    const dragged = consistent(await settled());
    assert.ok(dragged[0] > 0.5, `${dragged}`);
    await page.getByLabel(/^angle of rod 2/).focus();
    for (let k = 0; k < 4; k++) await page.keyboard.press('ArrowLeft');
    const turned = consistent(await settled());
    assert.ok(turned[1] < dragged[1], `${turned}`);
    const file = join(scratch, 'turned.toml');
    writeFileSync(file, await page.locator('textarea').inputValue());
    assert.deepEqual(JSON.parse(await page.locator('#answer').getAttribute('data-outcomes')), JSON.parse(delassus('impact', file, '--json')));
    await picture(page, 'pendulum');
    await close(page);
  },

  async 'the ranges of a map can be chosen, and the address keeps them'() {
    const page = await open(`${address}#impact?example=kane`);
    await answered(page);
    const drawn = (where, words) => where.waitForFunction((wanted) => document.querySelector('#map pre')?.textContent.includes(wanted) && !document.querySelector('#map.old'), words);
    await page.waitForFunction(() => document.querySelector('#map').dataset.points);
    const [from, to] = ['from', 'to'].map((end) => page.getByLabel(`horizontal axis ${end}`));
    await from.fill('0.25');
    await to.fill('0.1');
    await to.press('Tab');
    assert.equal(await to.getAttribute('aria-invalid'), 'true');
    await to.fill('0.75');
    await to.press('Tab');
    await drawn(page, '=0.25:0.75:400 ');
    assert.match(page.url(), /rangex=0\.25%3A0\.75/);
    const again = await open(page.url());
    await drawn(again, '=0.25:0.75:400 ');
    await close(again);
    // Another system has numbers of its own.
    await page.getByLabel('System', { exact: true }).selectOption('rod_impact');
    await drawn(page, '=-6:6:400 ');
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
    // Through the impact, by keyboard: the impulse grows along its course.
    const impulse = async () => [...(await page.locator('.says').textContent()).matchAll(/impulse ([\d.e+-]+) N s/g)].reduce((sum, found) => sum + Number(found[1]), 0);
    const whole = await impulse();
    await page.getByLabel('course of the impact').focus();
    await page.keyboard.press('Home');
    assert.equal(await impulse(), 0);
    for (let k = 0; k < 50; k++) await page.keyboard.press('ArrowRight');
    const half = await impulse();
    assert.ok(half > 0 && half < whole, `${half} of ${whole}`);
    await picture(page, 'through');
    await close(page);
  },

  async 'bodies in space are drawn, and the view turns'() {
    const page = await open(`${address}#motion?example=space/cube-on-floor`);
    await answered(page);
    const look = () => page.evaluate(() => document.querySelector('.player canvas').toDataURL());
    const start = await look();
    await page.getByLabel('turn the view').focus();
    for (let k = 0; k < 20; k++) await page.keyboard.press('ArrowRight');
    const turned = await look();
    assert.notEqual(turned, start);
    await page.locator('.player canvas').scrollIntoViewIfNeeded();
    const box = await page.locator('.player canvas').boundingBox();
    await page.mouse.move(box.x + 200, box.y + 100);
    await page.mouse.down();
    await page.mouse.move(box.x + 260, box.y + 130, { steps: 4 });
    await page.mouse.up();
    assert.notEqual(await look(), turned);
    await page.getByRole('button', { name: 'next impact' }).click();
    assert.match(await page.locator('.says').textContent(), /Impact at .*% of its course: cube/);
    await picture(page, 'space');
    await close(page);
  },

  async 'without the module the program answers'() {
    const { started, where } = await serve();
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(`${where}#impact?example=kane`);
    await answered(page);
    const shown = JSON.parse(await page.locator('#answer').getAttribute('data-outcomes'));
    assert.deepEqual(shown, JSON.parse(delassus('impact', 'crates/delassus-cli/examples/kane.toml', '--json')));
    await context.close();
    started.kill();
  },

  async 'every study opens'() {
    const page = await open(`${address}#papers`);
    await answered(page);
    const ids = await page.getByLabel('Study').evaluate((list) => [...list.options].map((option) => option.value));
    assert.equal(ids.length, delassus('reproduce', '--list').trim().split('\n').length);
    for (const id of ids.slice(0, 6)) {
      await page.getByLabel('Study').selectOption(id);
      await page.waitForFunction((wanted) => location.hash.includes(encodeURIComponent(wanted)) && !document.querySelector('#answer.old') && document.querySelector('#answer table'), id);
    }
    await picture(page, 'papers');
    await close(page);
  },

  async 'parameters of a study can be changed, and the program gives the same'() {
    const id = 'glocker-2014/table-2';
    const page = await open(`${address}#papers?study=${id}`);
    const settled = (verdict) => page.waitForFunction((wanted) => {
      const answer = document.querySelector('#answer');
      return answer?.dataset.verdict === wanted && !answer.classList.contains('old') && answer.querySelector('table');
    }, verdict);
    await settled('agrees');
    await page.getByLabel('friction μ').first().focus();
    for (let k = 0; k < 3; k++) await page.keyboard.press('ArrowLeft');
    await settled('changed');
    const value = await page.getByLabel('friction μ').last().inputValue();
    await page.waitForFunction((wanted) => JSON.parse(document.querySelector('#answer').dataset.set).friction === Number(wanted), value);
    const shown = await page.locator('#answer tbody tr').evaluateAll((rows) => rows.map((row) => row.children[2].textContent));
    const [study] = JSON.parse(delassus('reproduce', id, '--set', `friction=${value}`, '--json'));
    assert.equal(study.verdict, 'changed');
    assert.equal(shown.length, study.values.length);
    study.values.forEach(({ ours }, k) => {
      if (typeof ours === 'number') assert.ok(Math.abs(Number(shown[k].replaceAll('−', '-')) - ours) <= 1e-9 * Math.abs(ours) + 1e-12, `${shown[k]} and ${ours}`);
      else assert.equal(shown[k], ours);
    });
    assert.match(await page.locator('pre').first().textContent(), new RegExp(`--set friction=${value}`));
    const again = await open(page.url());
    await again.waitForFunction(() => document.querySelector('#answer')?.dataset.verdict === 'changed');
    assert.equal(await again.getByLabel('friction μ').last().inputValue(), value);
    await picture(again, 'papers-changed');
    await close(again);
    await page.getByRole('button', { name: 'The paper\'s values' }).click();
    await settled('agrees');
    await close(page);
  },

  async 'a record dropped on the page moves the ground'() {
    const page = await open(`${address}#motion?example=earthquake`);
    await answered(page);
    const before = await page.locator('#answer').getAttribute('data-runs');
    // Half a second of 0.3 g, then rest.
    const values = Array.from({ length: 200 }, (_, k) => (k < 50 ? Math.sin(Math.PI * k / 25) * 0.3 : 0).toExponential(6));
    const record = `A RECORD\nTEST\nACCELERATION TIME SERIES IN UNITS OF G\nNPTS= 200, DT= .0100 SEC\n${values.join('\n')}\n`;
    await drop(page, 'mine.AT2', record);
    await page.waitForFunction((old) => document.querySelector('#answer').dataset.runs !== old, before);
    assert.equal(await page.getByRole('alert').count(), 0);
    // Only the horizontal record is another one, and can be removed again.
    assert.deepEqual((await page.locator('textarea').inputValue()).match(/[\w-]+\.AT2(?=")/g), ['mine.AT2', 'synthetic-up.AT2']);
    await page.getByRole('button', { name: 'Remove' }).click();
    await page.waitForFunction((old) => document.querySelector('#answer').dataset.runs === old, before);
    // Where the text has no record the ground gets one, or it is said why not.
    for (const example of ['pulse', 'rocking-block', 'space/rocking-block']) {
      await page.getByLabel('System').selectOption(example);
      await page.waitForFunction((name) => location.hash.endsWith(encodeURIComponent(name)) && !document.querySelector('#answer.old'), example);
      const still = await page.locator('#answer').getAttribute('data-runs');
      await drop(page, 'bare.txt', values.join('\n'));
      await page.getByRole('alert').waitFor();
      assert.match(await page.getByRole('alert').textContent(), /unit.*bare\.txt/s);
      await page.getByLabel('Its unit').selectOption('g');
      await page.getByLabel('Time between its samples').fill('0.01');
      await page.keyboard.press('Enter');
      await page.waitForFunction((old) => document.querySelector('#answer figure') && document.querySelector('#answer').dataset.runs !== old, still);
      await page.getByRole('button', { name: 'Remove' }).click();
    }
    await page.getByLabel('System').selectOption('double-pendulum');
    await drop(page, 'mine.AT2', record);
    assert.match(await page.getByRole('alert').textContent(), /mine\.AT2 is not used/);
    await close(page);
  },

  async 'a long computation can be stopped, and holds up nothing else'() {
    const page = await open(`${address}#motion?example=bouncing-ball`);
    await answered(page);
    const text = readFileSync(join(root, 'scenarios/space/packing.toml'), 'utf8').replace('balls = 120', 'balls = 3000');
    const begin = async () => {
      await page.locator('textarea').evaluate((area, heavy) => { area.value = heavy; area.dispatchEvent(new Event('input')); }, text);
      await page.locator('#busy.on').waitFor();
    };
    await begin();
    await page.getByRole('button', { name: 'Stop' }).click();
    assert.match(await page.getByRole('alert').textContent(), /Stopped after/);
    await begin();
    await page.getByLabel('System').selectOption('rod'); // takes its place
    await answered(page);
    await begin();
    await page.getByRole('link', { name: 'Impact' }).click();
    await answered(page);
    await close(page);
  },

  async 'sliders change the text, and typing keeps them'() {
    const page = await open(`${address}#impact?example=kane`);
    await answered(page);
    await page.getByLabel('contact[0].friction').last().fill('0.625');
    const area = page.locator('textarea');
    assert.match(await area.inputValue(), /friction = 0\.625/);
    assert.match(await area.inputValue(), /#/); // comments stay
    await page.getByLabel('System', { exact: true }).selectOption('own text');
    assert.ok(await area.evaluate((e) => e === document.activeElement && e.checkVisibility()));
    await area.fill((await area.inputValue()).replace('restitution = 0.5', 'restitution = 0.25'));
    await page.waitForFunction(() => [...document.querySelectorAll('.slider input[type=number]')].some((e) => e.value === '0.25'));
    assert.equal(await page.getByLabel('contact[0].friction').last().inputValue(), '0.625');
    // A text of the other page leads there.
    await area.fill(readFileSync(join(root, 'scenarios/rod.toml'), 'utf8'));
    await page.getByRole('link', { name: 'Open it on the page Motion' }).click();
    await answered(page);
    await close(page);
  },

  async 'the map has axes to choose and a dot for the problem'() {
    const page = await open(`${address}#impact?example=rod_impact`);
    await answered(page);
    const fine = () => page.waitForFunction(() => document.querySelector('#map').dataset.points === '400' && !document.querySelector('#map.old'));
    await fine();
    const before = await page.locator('#map').getAttribute('data-mark');
    await page.getByLabel('rod_impact.angle').last().fill('1.5');
    await page.waitForFunction((old) => document.querySelector('#map').dataset.mark !== old, before);
    await page.getByLabel('vertical axis', { exact: true }).selectOption('rod_impact.friction');
    await page.waitForFunction(() => document.querySelector('#map pre')?.textContent.includes('--y rod_impact.friction='));
    await page.getByLabel('System', { exact: true }).selectOption('sphere');
    assert.equal(await page.locator('#map figure').count(), 0); // the old one is gone at once
    await fine();
    assert.equal(await page.locator('#map .mark').count(), 1);
    await close(page);
  },

  async 'the gallery is whole, and names that do not exist are said'() {
    const page = await open(`${address}#motion?example=nonsense`);
    await answered(page);
    assert.match(await page.getByRole('alert').textContent(), /nonsense/);
    const offered = await page.getByLabel('System').locator('option').allTextContents();
    for (const folder of ['', 'space/']) {
      for (const file of readdirSync(join(root, 'scenarios', folder)).filter((name) => name.endsWith('.toml'))) {
        assert.ok(offered.includes(folder + file.replace('.toml', '')), file);
      }
    }
    await close(page);
    const papers = await open(`${address}#papers?study=nonsense`);
    await papers.getByRole('alert').waitFor();
    assert.match(await papers.getByRole('alert').textContent(), /nonsense/);
    await close(papers);
  },

  async 'what is saved stands alone'() {
    const page = await open(`${address}#motion?example=earthquake&laws=newton,lzb`, { acceptDownloads: true });
    await answered(page);
    const folder = mkdtempSync(join(scratch, 'saved-'));
    for (const name of ['TOML', 'CSV', 'synthetic-east.AT2', 'synthetic-up.AT2']) {
      const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name, exact: true }).click()]);
      await file.saveAs(join(folder, file.suggestedFilename()));
    }
    const rows = readFileSync(join(folder, 'motion.csv'), 'utf8').trim().split('\n').map((row) => row.split(',')[0]);
    assert.deepEqual([...new Set(rows)], ['law', 'newton', 'lzb']);
    const shown = JSON.parse(await page.locator('#answer').getAttribute('data-runs'));
    assert.equal(JSON.parse(delassus('run', join(folder, 'motion.toml'), '--law', 'newton', '--json')).impacts.length, shown[0].impacts.length);
    assert.match(await page.locator('pre').last().textContent(), /"newton","lzb"/);
    await close(page);
  },

  async 'every control is reached by the keyboard alone'() {
    for (const where of ['impact?example=kane', 'motion?example=rocking-block', 'papers?study=glocker-2014/table-2']) {
      const page = await open(`${address}#${where}`);
      await answered(page);
      if (where.startsWith('impact')) await page.waitForFunction(() => document.querySelector('#map').dataset.points === '400');
      const missed = await page.evaluate(() => {
        const all = [...document.querySelectorAll('a[href], button, input, select, textarea, summary')];
        const seen = all.filter((e) => e.checkVisibility() && !e.disabled && e.closest('[inert]') === null);
        seen.forEach((e, k) => { e.dataset.control = k; });
        return seen.length;
      });
      assert.ok(missed > 10, where);
      await page.evaluate(() => document.activeElement?.blur());
      const reached = new Set();
      for (let k = 0; k < missed + 60; k++) {
        await page.keyboard.press('Tab');
        reached.add(await page.evaluate(() => document.activeElement?.dataset?.control));
      }
      const left = await page.evaluate((known) => [...document.querySelectorAll('[data-control]')].filter((e) => !known.includes(e.dataset.control)).map((e) => e.outerHTML.slice(0, 120)), [...reached].filter(Boolean));
      assert.deepEqual(left, [], where);
      await close(page);
    }
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
      const smallest = await page.locator('figure svg text').evaluateAll((texts) => Math.min(...texts.map((e) => e.getBoundingClientRect().height)));
      assert.ok(smallest >= 5, `${name}: text of ${smallest} pixels`);
      await accessible(page, name);
      await picture(page, `${name}-phone`);
      if (name !== 'impact') {
        await page.getByRole('button', { name: 'Play' }).first().click();
        await page.waitForFunction(() => Number(document.querySelector('.player input').value) > 0);
      }
      await page.emulateMedia({ media: 'print' });
      assert.equal(await page.locator('.player .row').first().isVisible().catch(() => false), false);
      assert.ok(await page.locator('.wide').evaluateAll((tables) => tables.every((e) => getComputedStyle(e).overflowX === 'visible')), 'tables clipped in print');
      await close(page);
    }
  },

  async 'a thousand random inputs'() {
    const page = await open(`${address}#impact`);
    await answered(page);
    const bad = await page.evaluate(async () => {
      const { ask } = await import('./engine.js');
      const { problems } = await ask('examples', { op: 'examples' });
      const { scenarios } = await ask('examples', { op: 'examples' }, 'motion');
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
    for (const [name, most] of Object.entries({ impact: 615_000, motion: 700_000, space: 745_000, papers: 690_000 })) {
      const bytes = readFileSync(join(built, `${name}.wasm`)), sent = readFileSync(join(built, `${name}.wasm.gz`));
      assert.ok(gunzipSync(sent).equals(bytes), `${name}.wasm.gz is not ${name}.wasm`);
      const gzip = gzipSync(bytes, { level: 9 }).length, small = brotliCompressSync(bytes).length;
      console.log(`    ${name}: ${Math.round(sent.length / 1000)} kB of wasm compressed as it is sent, ${Math.round(gzip / 1000)} by gzip -9, ${Math.round(small / 1000)} by brotli`);
      assert.ok(sent.length <= 700_000, `${sent.length} bytes of compressed wasm; web/build.sh makes it smaller after npm ci`);
      assert.ok(gzip <= most, `${gzip} bytes by gzip -9`); // web/README.md says what they are made of
      assert.ok(small <= 700_000, `${small} bytes by brotli`);
    }
    const page = await open(`${address}#motion?example=chain`);
    const start = Date.now();
    await answered(page);
    console.log(`    first answer ${Date.now() - start} ms after load`);
    const text = readFileSync(join(root, 'crates/delassus-cli/examples/kane.toml'), 'utf8');
    const rate = (count) => page.evaluate(async ([kane, times]) => {
      const { ask } = await import('./engine.js');
      const { milliseconds } = await ask('rate', { op: 'repeat', text: kane, count: times });
      return times / 1000 / milliseconds;
    }, [text, count]);
    const native = async (count) => {
      const begin = performance.now();
      await (await fetch(`${address}ask`, { method: 'POST', body: JSON.stringify({ op: 'repeat', text, count }) })).json();
      return count / 1000 / (performance.now() - begin);
    };
    const pairs = [];
    await rate(20000);
    for (let k = 0; k < 5; k++) pairs.push([await rate(200000), await native(200000)]);
    const [own, theirs] = pairs.sort((a, b) => a[0] / a[1] - b[0] / b[1])[2];
    console.log(`    ${own.toFixed(2)} million impacts a second in the page, ${theirs.toFixed(2)} in the program: ${(own / theirs).toFixed(2)} of it`);
    for (const dimension of [2, 3]) {
      const frames = await page.evaluate(async (wide) => {
        const { drawScene } = await import('./player.js');
        const corners = Array.from({ length: 8 }, (_, c) => [0, 1, 2].map((k) => (c >> k & 1 ? 0.4 : -0.4)));
        const faces = [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
        const solid = { vertices: corners, faces, tones: [2, 2, 2, 2, 2, 2], radius: 0 };
        const part = { points: [[-0.4, -0.4], [0.4, -0.4], [0.4, 0.4], [-0.4, 0.4]], radius: 0 };
        const bodies = Array.from({ length: 50 }, (_, k) => ({ name: `b${k}`, ...(wide === 2 ? { parts: [part] } : { solids: [solid] }) }));
        const place = (k, t) => (wide === 2 ? [k % 10, Math.floor(k / 10), t] : [k % 10, Math.floor(k / 10), 0, 1, 0.2, 0.3, t]);
        const places = [0, 1].map((t) => bodies.flatMap((_, k) => place(k, t)));
        const film = { law: 'x', color: 0, times: [0, 1], places, shifts: [], touches: [[], []], impacts: [] };
        const scene = { bodies, lines: [], patches: [], links: [], view: wide === 2 ? [-1, -1, 11, 6] : [-1, -1, -1, 11, 6, 1], films: [film] };
        const context = document.querySelector('canvas').getContext('2d');
        const begin = performance.now();
        for (let k = 0; k < 60; k++) drawScene(context, 900, 500, scene, k / 60, { films: [true], impulses: true, paths: false, trail: 1, largest: 1 });
        context.getImageData(0, 0, 1, 1);
        return 6e4 / (performance.now() - begin);
      }, dimension);
      console.log(`    ${Math.round(frames)} frames a second of 50 bodies in ${dimension === 2 ? 'the plane' : 'space'}`);
    }
    await close(page);
  },
};

let failed = 0;
for (const [name, test] of Object.entries(tests).filter(([title]) => title.includes(process.env.ONLY ?? ''))) {
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
