/** Reports as one HTML file each, which needs nothing else and sends no request. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { formatCount } from '../amounts.ts';
import { type ChangeSection, changesOf } from './changes.ts';
import { Html, type HtmlValue, html, jsonElement } from './html.ts';
import type { Tone } from './page-data.ts';
import type { Plot } from './plots.ts';
import { type ReportTable, tableOf } from './table.ts';

export interface ReportNumber {
  readonly label: string;
  readonly value: number;
  readonly tone?: Tone;
  /** A few words below the number. */
  readonly note?: string;
}

export interface Report {
  /** What it is a report of, such as “Ruleset impact”. */
  readonly kind: string;
  readonly title: string;
  readonly lead?: string;
  readonly facts: readonly (readonly [label: string, value: string])[];
  readonly numbers: readonly ReportNumber[];
  /** What a reader must know about the numbers. */
  readonly notes: readonly string[];
  readonly plots: readonly Plot[];
  readonly changes?: readonly ChangeSection[];
  readonly table?: ReportTable;
}

/** Returns the HTML of a report, in pieces. `generator` is the program and its version. */
export async function reportHtml(report: Report, generator: string): Promise<Iterable<string>> {
  const figures = report.plots.length ? await (await import('./plots.ts')).figuresOf(report.plots) : [];
  return piecesOf(report, generator, figures);
}

function* piecesOf(report: Report, generator: string, figures: readonly Html[]): Iterable<string> {
  const { table, changes = [] } = report;
  const [style, script] = [asset('page.css'), asset('page.js')];
  yield headOf(`${report.kind}: ${report.title}`, { generator, style, script }).text;
  yield headerOf(report).text;
  yield '<main id="main">';
  yield numbersOf(report.numbers).text;
  if (figures.length) yield html`<div class="plots">${figures}</div>`.text;
  for (const piece of changesOf(changes)) yield piece.text;
  if (table) yield tableOf(table).text;
  yield '</main>';
  yield html`<footer><p>Created by ${generator}. This page sends no requests.</p></footer>`.text;
  if (table) yield jsonElement('rows', table.packed).text;
  yield `<script>${script}</script></body></html>\n`;
}

/** Reads a file of dist/report, which the build makes of page/. It is as far from here as from a bundled file. */
const asset = (name: string): string =>
  readFileSync(new URL(`../../../dist/report/${name}`, import.meta.url), 'utf8').trim();

function headOf(
  title: string,
  { generator, style, script }: Readonly<Record<'generator' | 'style' | 'script', string>>,
): Html {
  const policy = [
    "default-src 'none'",
    `script-src '${digestOf(script)}'`,
    `style-src '${digestOf(style)}'`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${new Html(policy)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<meta name="generator" content="${generator}">
<title>${title}</title>
<style>${new Html(style)}</style>
</head>
<body>
`;
}

const digestOf = (text: string): string => `sha256-${createHash('sha256').update(text).digest('base64')}`;

function headerOf({ kind, title, lead, facts, notes, table, changes }: Report): Html {
  const skip = table
    ? html`<a class="skip" href="#table">Skip to the table</a>`
    : changes?.length
      ? html`<a class="skip" href="#changes">Skip to the changes</a>`
      : '';
  return html`<header>${skip}
<p class="kind">${kind}</p>
<h1><bdi>${title}</bdi></h1>
${lead === undefined ? '' : html`<p class="lead">${lead}</p>`}
<dl class="facts">${facts.map(([label, value]) => html`<div><dt>${label}</dt><dd><bdi>${value}</bdi></dd></div>`)}</dl>
${notes.length ? html`<ul class="notes">${notes.map((note) => html`<li><bdi>${note}</bdi></li>`)}</ul>` : ''}
</header>`;
}

const numbersOf = (numbers: readonly ReportNumber[]): Html => {
  const tiles = numbers.map(
    ({ label, value, tone = 'plain', note }): HtmlValue =>
      html`<div class="number ${value === 0 ? 'zero' : tone}"><dt>${label}</dt><dd><b>${formatCount(value)}</b>${note === undefined ? '' : html`<span>${note}</span>`}</dd></div>`,
  );
  return tiles.length ? html`<dl class="numbers" aria-label="Summary">${tiles}</dl>` : html``;
};
