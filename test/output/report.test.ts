import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from 'puppeteer-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Report, reportHtml } from '../../src/output/report/report.ts';
import { reportTable } from '../../src/output/report/table.ts';
import { root } from '../contracts/commands.ts';
import { startChromium } from '../support/chromium.ts';

const folder = mkdtempSync(join(tmpdir(), 'forgectl-report-'));
const axe = readFileSync(join(root, 'node_modules/axe-core/axe.min.js'), 'utf8');
let browser: Browser | undefined;

beforeAll(async () => {
  browser = await startChromium();
});

afterAll(() => browser?.close());

interface Finding {
  readonly level: string;
  readonly target: string;
  readonly text: string;
  readonly time: string;
}

const levels = ['high', 'medium', 'low'];

const finding = (at: number): Finding => ({
  level: levels[at % 3] ?? '',
  target: `acme/repo-${at}`,
  text: `Branch ${at} is not protected`,
  time: `2026-01-${String(1 + (at % 28)).padStart(2, '0')}T10:00:00Z`,
});

const tableOf = (records: readonly Finding[]) =>
  reportTable({
    title: 'Findings',
    names: ['finding', 'findings'],
    emptyText: 'No findings.',
    records,
    columns: [
      {
        ...{ label: 'Severity', kind: 'word', narrow: 'tag', width: 1, filters: true },
        words: [
          ['high', 'bad'],
          ['medium', 'warn'],
          ['low', 'info'],
        ],
        get: ({ level }) => level,
      },
      { label: 'Target', kind: 'text', narrow: 'main', width: 3, filters: false, get: ({ target }) => target },
      { label: 'Finding', kind: 'text', narrow: 'sub', width: 4, filters: false, get: ({ text }) => text },
      { label: 'Since', kind: 'time', narrow: 'aside', width: 2, filters: false, get: ({ time }) => time },
    ],
    detailsOf: ({ target, text }) => [
      { kind: 'text', label: 'Evidence', text: `${text}\nNo rule applies.` },
      { kind: 'command', label: 'Fix', text: `forgectl rulesets create ${target}` },
      { kind: 'link', label: 'Page', text: `https://git.example.com/${target}` },
    ],
  });

const report = (records: readonly Finding[], part: Partial<Report> = {}): Report => ({
  kind: 'Audit',
  title: 'acme',
  facts: [['Platform', 'https://git.example.com']],
  numbers: [
    { label: 'Findings', value: records.length },
    { label: 'High', value: records.filter(({ level }) => level === 'high').length, tone: 'bad' },
  ],
  notes: ['One repository cannot be read.'],
  plots: [
    {
      ...{ title: 'By day', kind: 'columns', header: 'Day', names: ['2026-01-01', '2026-01-02'] },
      series: [{ name: 'high', tone: 'bad', values: [3, 1] }],
    },
    {
      ...{ title: 'By target', kind: 'bars', header: 'Target', names: records.slice(0, 3).map(({ target }) => target) },
      series: [
        { name: 'high', tone: 'bad', values: [3, 1, 1] },
        { name: 'low', tone: 'info', values: [0, 2, 5] },
      ],
    },
  ],
  table: tableOf(records),
  ...part,
});

const change = {
  sign: '~',
  title: 'ruleset "main" · acme',
  marks: [['loosens protection', 'bad']],
  targets: ['site', 'api'],
  lines: [
    { depth: 2, sign: '-', text: 'rules: deletion', mark: 'loosens', tone: 'bad' },
    { depth: 3, sign: '+', text: 'pattern: x', tone: 'added' },
  ],
} as const;

const planned: Partial<Report> = {
  changes: [
    { title: 'Loosens protection', tone: 'bad', changes: [change] },
    { title: 'Other changes', tone: 'calm', changes: [{ ...change, title: 'settings · globex', targets: [] }] },
  ],
};

/** Opens a report from disk; `problems` has everything that the page must not do. */
async function opened(given: Report): Promise<{ page: Page; problems: string[]; bytes: number }> {
  const text = [...(await reportHtml(given, 'forgectl 1.2.3'))].join('');
  const file = join(folder, `${Math.random()}.html`);
  writeFileSync(file, text);
  const page = await (browser as Browser).newPage();
  const problems: string[] = [];
  page.on('console', (message) => problems.push(message.text()));
  page.on('pageerror', (error) => problems.push(String(error)));
  page.on('dialog', (dialog) => problems.push(dialog.message()));
  const { href } = pathToFileURL(file);
  page.on('request', (request) => {
    if (request.url() !== href) problems.push(request.url());
  });
  await page.goto(href);
  return { page, problems, bytes: Buffer.byteLength(text) };
}

const texts = (page: Page, selector: string) =>
  page.$$eval(selector, (found) => found.map((each) => each.textContent ?? ''));

const targets = (page: Page) => texts(page, '.body .main');

const status = async (page: Page) => (await texts(page, '[role=status]'))[0];

/** Types a search in one go. */
const search = (page: Page, selector: string, text: string) =>
  page.$eval(
    selector,
    (input, value) => {
      (input as unknown as { value: string }).value = value;
      input.dispatchEvent(new Event('input'));
    },
    text,
  );

/** The page draws after the event for scrolling, in the next frame. */
const drawn = (page: Page) => page.evaluate('new Promise((done) => requestAnimationFrame(() => setTimeout(done)))');

describe('the table of a report', () => {
  let page: Page;
  let problems: string[];

  beforeAll(async () => {
    ({ page, problems } = await opened(report(Array.from({ length: 500 }, (_, at) => finding(at)))));
    await page.evaluate('document.getElementById("table").scrollIntoView()');
    await drawn(page);
  });

  it('has only rows in view in the page, and tells screen readers of all', async () => {
    expect((await targets(page)).slice(0, 2)).toEqual(['acme/repo-0', 'acme/repo-1']);
    expect((await targets(page)).length).toBeLessThan(60);
    expect(await page.$eval('[role=table]', (table) => table.getAttribute('aria-rowcount'))).toBe('501');
    await page.evaluate('scrollTo(0, document.body.scrollHeight)');
    await drawn(page);
    expect(await targets(page)).toContain('acme/repo-499');
    expect(await page.$eval('.body .row:last-child', (row) => row.getAttribute('aria-rowindex'))).toBe('501');
  });

  it('searches rows and details, filters by a word, and clears both', async () => {
    await search(page, 'input', 'REPO-31 create');
    expect(await status(page)).toBe('11 of 500 findings');
    await page.select('select[aria-label=Severity]', await optionOf(page, 'medium (167)'));
    expect(await targets(page)).toEqual([
      'acme/repo-31',
      'acme/repo-310',
      'acme/repo-313',
      'acme/repo-316',
      'acme/repo-319',
    ]);
    await search(page, 'input', 'repo-31 nothing');
    expect(await texts(page, '.body .empty')).toEqual(['No findings match.']);
    await page.click('.clear');
    expect(await status(page)).toBe('500 findings');
  });

  it('sorts words by weight, text by its numbers, and times from the newest, and says so', async () => {
    const header = (at: number) => `.head > :nth-child(${at})`;
    const order = (at: number) => page.$eval(header(at), (cell) => cell.getAttribute('aria-sort'));
    await page.click(`${header(1)} button`);
    expect((await targets(page)).slice(0, 2)).toEqual(['acme/repo-0', 'acme/repo-3']);
    await page.click(`${header(2)} button`);
    await page.click(`${header(2)} button`);
    expect([(await targets(page))[0], await order(2), await order(1)]).toEqual(['acme/repo-499', 'descending', null]);
    await page.click(`${header(4)} button`);
    expect([(await targets(page))[0], await order(4)]).toEqual(['acme/repo-27', 'descending']);
    expect((await texts(page, '.body .time'))[0]).toBe('2026-01-28 10:00');
  });

  it('opens rows and moves among them with the keyboard', async () => {
    await page.click('.head > :nth-child(2) button');
    await page.focus('.body button[tabindex="0"]');
    for (const key of ['End', 'ArrowUp', 'ArrowUp', 'ArrowDown', 'Enter'] as const) await page.keyboard.press(key);
    expect(await texts(page, 'dialog :is(h2, .bar span, pre, a)')).toEqual([
      '499 of 500',
      'acme/repo-498',
      'forgectl rulesets create acme/repo-498',
      'https://git.example.com/acme/repo-498',
    ]);
    await page.keyboard.press('ArrowDown');
    expect(await texts(page, 'dialog h2')).toEqual(['acme/repo-499']);
    await page.keyboard.press('Escape');
    // The dialog returns the focus to the row that was opened first, and then the table moves it.
    await page.waitForFunction(`document.activeElement.textContent === 'acme/repo-499'`);
  });

  it('causes no error and sends no request', () => expect(problems).toEqual([]));
});

const optionOf = (page: Page, text: string) =>
  page.$$eval('option', (all, wanted) => all.find((each) => each.textContent === wanted)?.value ?? '', text);

it('axe finds no violations in light and dark, wide and narrow, with plots, changes and an open row', async () => {
  const { page, problems } = await opened(report([finding(0), finding(1), finding(2)], planned));
  await page.evaluate(axe);
  await page.evaluate(`document.querySelectorAll('details').forEach((each) => { each.open = true; })`);
  const violations = async (scheme: string, width: number) => {
    await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }]);
    await page.setViewport({ width, height: 900 });
    const found = await page.evaluate(
      `axe.run().then(({ violations }) => violations.map(({ id, nodes }) => [id, ...nodes.map(({ html }) => html)]))`,
    );
    // Wide parts scroll by themselves.
    return [found, await page.evaluate('document.documentElement.scrollWidth <= innerWidth')];
  };
  expect(await violations('light', 1280)).toEqual([[], true]);
  expect(await violations('dark', 390)).toEqual([[], true]);
  await page.evaluate(`document.getElementById('table').scrollIntoView()`);
  await drawn(page);
  await page.click('.body .row:nth-child(2)');
  expect(await violations('light', 390)).toEqual([[], true]);
  expect(await violations('dark', 1280)).toEqual([[], true]);
  expect(problems).toEqual([]);
});

it('the changes of a plan are searched with their fields', async () => {
  const { page, problems } = await opened(report([], planned));
  expect(await status(page)).toBe('2 changes');
  await search(page, '#changes input', 'globex deletion');
  expect(await status(page)).toBe('1 of 2 changes');
  expect(await page.$$eval('.section:not([hidden]) h2', (all) => all.map((each) => each.textContent))).toEqual([
    'Other changes 1',
  ]);
  expect(await texts(page, '#table .empty')).toEqual(['No findings.']);
  expect(problems).toEqual([]);
});

it('names of the platform mean nothing to the page', async () => {
  const hostile = '</script><img src=x onerror=alert(1)><script>alert(2)</script>"\' onload=alert(3) {{x}}';
  const bidi = 'acme/\u202Egnp.exe\u2066';
  const long = 'x'.repeat(10_000);
  const records = [hostile, bidi, long].map((target) => ({ ...finding(0), target, text: target, level: target }));
  const { page, problems } = await opened(
    report(records, {
      title: hostile,
      notes: [hostile, bidi, long],
      facts: [[hostile, long]],
      changes: [{ title: 'All', tone: 'bad', changes: [{ ...change, title: hostile, targets: [bidi, long] }] }],
    }),
  );
  await page.evaluate('document.getElementById("table").scrollIntoView()');
  await drawn(page);
  expect(await targets(page)).toEqual([hostile, 'acme/\\u202egnp.exe\\u2066', long]);
  expect(await texts(page, 'h1')).toEqual([hostile]);
  expect(await page.$$('img, [onerror], [onload]')).toEqual([]);
  await page.click('.body .row');
  expect(await texts(page, 'dialog h2')).toEqual([hostile]);
  expect(await page.$$('dialog a')).toHaveLength(1);
  expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
  await page.emulateMediaType('print');
  expect(await page.evaluate('getComputedStyle(document.querySelector("dialog[open]")).display')).toBe('none');
  expect(problems).toEqual([]);
});

it('a search finds texts of which the name of the row is a part', async () => {
  const records = ['acme/app', 'acme/e', 'acme'].map((target) => ({
    ...finding(0),
    target,
    text: 'acme/site: approvals',
  }));
  const { page } = await opened(report(records));
  for (const text of ['approvals', 'acme/site:', 'applies', 'com/acme/app']) {
    await search(page, 'input', text);
    expect([text, await status(page)]).toEqual([text, text === 'com/acme/app' ? '1 of 3 findings' : '3 findings']);
  }
});

it('the policy of the page allows no other script, style or request', async () => {
  const { page, problems } = await opened(report([finding(0)]));
  const added = await page.evaluate(`(async () => {
    const script = document.createElement('script');
    script.textContent = 'window.injected = true';
    document.body.append(script);
    document.body.insertAdjacentHTML('beforeend', '<p id="styled" style="color: rgb(1, 2, 3)">x</p>');
    const fetched = await fetch('https://git.example.com/').then(() => true, () => false);
    return [window.injected === true, getComputedStyle(document.getElementById('styled')).color === 'rgb(1, 2, 3)', fetched];
  })()`);
  expect(added).toEqual([false, false, false]);
  expect(problems.filter((text) => !/Content Security Policy/.test(text))).toEqual([]);
});

it('50,000 findings fit into 20 MB, and printing writes 2,000 of them', async () => {
  const { page, problems, bytes } = await opened(report(Array.from({ length: 50_000 }, (_, at) => finding(at))));
  expect(bytes).toBeLessThan(20_000_000);
  await search(page, 'input', 'repo-4999');
  expect(await status(page)).toBe('11 of 50,000 findings');
  await page.click('.clear');
  await page.evaluate('dispatchEvent(new Event("beforeprint"))');
  expect(await targets(page)).toHaveLength(2000);
  expect(await texts(page, '.printed:not([hidden])')).toEqual([
    'The first 2,000 of 50,000 findings are printed; 48,000 are left out. Filter the table to print others.',
  ]);
  await page.evaluate('dispatchEvent(new Event("afterprint"))');
  expect((await targets(page)).length).toBeLessThan(60);
  expect(problems).toEqual([]);
});
