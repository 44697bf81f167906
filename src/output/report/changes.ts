/** Changes to read one after the other, with what they add and remove. */
import { formatCount } from '../amounts.ts';
import { type Html, html } from './html.ts';
import type { Tone } from './page-data.ts';

export interface ChangeLine {
  readonly depth: number;
  readonly sign: string;
  readonly text: string;
  /** A few words behind the text, with a color. */
  readonly mark?: string | undefined;
  readonly tone: Tone | 'added' | 'removed' | 'plain';
}

export interface ReportChange {
  readonly sign: string;
  readonly title: string;
  readonly marks: readonly (readonly [text: string, tone: Tone])[];
  /** The names of targets, if there are several. */
  readonly targets: readonly string[];
  readonly lines: readonly ChangeLine[];
}

export interface ChangeSection {
  readonly title: string;
  readonly lead?: string;
  readonly tone: Tone;
  readonly changes: readonly ReportChange[];
}

/** Changes of a report: browsers take long for more. */
const mostChanges = 5000;

/** In targets: more of them are folded. */
const mostTargets = 12;

/** Returns the sections, in pieces. */
export function* changesOf(sections: readonly ChangeSection[]): Iterable<Html> {
  const shown = sections.filter(({ changes }) => changes.length > 0);
  if (shown.length === 0) return;
  const total = shown.reduce((sum, { changes }) => sum + changes.length, 0);
  let room = mostChanges;
  yield html`<div class="changes" id="changes">
<div class="toolbar" role="search" hidden><input type="search" aria-label="Search changes" placeholder="Search changes" autocomplete="off" spellcheck="false"><p role="status"></p></div>
`;
  for (const { title, lead, tone, changes } of shown) {
    yield html`<section class="section ${tone}"><h2>${title} <span class="count">${formatCount(changes.length)}</span></h2>
${lead === undefined ? '' : html`<p class="lead">${lead}</p>`}`;
    for (const change of changes.slice(0, room)) yield changeOf(change);
    room = Math.max(0, room - changes.length);
    yield html`</section>`;
  }
  if (total > mostChanges)
    yield html`<p class="omitted">${formatCount(total - mostChanges)} more changes are not in this report: -o json has all.</p>`;
  yield html`</div>`;
}

function changeOf({ sign, title, marks, targets, lines }: ReportChange): Html {
  const names = html`<ul class="targets">${targets.map((name) => html`<li><bdi>${name}</bdi></li>`)}</ul>`;
  const folded = html`<details><summary>${formatCount(targets.length)} repositories</summary>${names}</details>`;
  return html`<article class="change">
<h3><span class="sign">${sign}</span><bdi>${title}</bdi>${marks.map(([text, tone]) => html`<span class="mark ${tone}">${text}</span>`)}</h3>
${targets.length > mostTargets ? folded : targets.length ? names : ''}
${lines.length ? html`<div class="diff" role="group" aria-label="Fields" tabindex="0">${lines.map(lineOf)}</div>` : ''}
</article>
`;
}

/** The indentation has classes, because the policy of the page allows no styles of elements. */
const deepest = 8;

const lineOf = ({ depth, sign, text, mark, tone }: ChangeLine): Html =>
  html`<p class="${tone} d${Math.min(depth, deepest)}"><span class="sign">${sign}</span><bdi>${text}</bdi>${mark === undefined ? '' : html` <em>${mark}</em>`}</p>`;
