/** Plots as SVG, laid out by Apache ECharts without a browser. Loaded only by reports. */
import { BarChart } from 'echarts/charts';
import { GridComponent } from 'echarts/components';
import { type EChartsCoreOption, init, use } from 'echarts/core';
import { SVGRenderer } from 'echarts/renderers';
import { formatCount } from '../amounts.ts';
import { safeText } from '../safe-text.ts';
import { type Html, html } from './html.ts';
import type { Tone } from './page-data.ts';
import { type SvgNode, svgOf } from './svg.ts';

export interface PlotSeries {
  readonly name: string;
  readonly tone: Tone;
  readonly values: readonly number[];
}

export interface Plot {
  readonly title: string;
  /** Columns are days, `2026-02-28`, in a plot as wide as the page; bars have any names. */
  readonly kind: 'columns' | 'bars';
  /** What the names are: the header of their column. */
  readonly header: string;
  readonly names: readonly string[];
  readonly series: readonly PlotSeries[];
  /** What the plot does not show. */
  readonly note?: string | undefined;
}

use([BarChart, GridComponent, SVGRenderer]);

/** In pixels: plots of a wide page, of half of one, and of a phone. */
const widths = { columns: 1040, bars: 500, narrow: 330 } as const;

/** In pixels: about the width of a character of the widest fonts, which ECharts underestimates. */
const characterWidth = 7.4;

/** The part of a plot that names take at most. */
const widestNames = 0.42;

/** Returns a figure for each plot. */
export const figuresOf = (plots: readonly Plot[]): readonly Html[] => plots.map(figureOf);

function figureOf(plot: Plot): Html {
  const { title, kind, series, note } = plot;
  const shown = series.filter(({ values }) => values.some((value) => value > 0));
  const legend = shown.map(({ name, tone }) => html`<li class="${tone}">${name}</li>`);
  return html`<figure class="plot ${kind}"><figcaption><h2>${title}</h2>${shown.length > 1 ? html`<ul class="legend">${legend}</ul>` : ''}</figcaption>
<div class="wide">${drawn(plot, widths[kind])}</div><div class="narrow">${drawn(plot, widths.narrow)}</div>
${note === undefined ? '' : html`<p class="note">${note}</p>`}
<details><summary>Numbers</summary>${numbersOf(plot, shown)}</details></figure>`;
}

function numbersOf({ title, header, names }: Plot, series: readonly PlotSeries[]): Html {
  const rows = names.map(
    (name, at) =>
      html`<tr><th scope="row"><bdi>${name}</bdi></th>${series.map(({ values }) => html`<td>${formatCount(values[at] ?? 0)}</td>`)}</tr>`,
  );
  return html`<div class="numbers-of" role="group" aria-label="${title}: numbers" tabindex="0"><table><thead><tr><th scope="col">${header}</th>${series.map(({ name }) => html`<th scope="col">${name}</th>`)}</tr></thead><tbody>${rows}</tbody></table></div>`;
}

function drawn(plot: Plot, width: number): Html {
  const isBars = plot.kind === 'bars';
  const height = isBars ? 12 + plot.names.length * 28 : 200;
  const chart = init(null, undefined, { renderer: 'svg', ssr: true, width, height });
  try {
    chart.setOption(isBars ? barsOf(plot, width) : columnsOf(plot));
    const painter = chart.getZr().painter as unknown as { renderToVNode: (options: object) => SvgNode };
    const root = painter.renderToVNode({ animation: false, emphasis: false });
    return svgOf(root, { width, height, label: spokenText(plot) });
  } finally {
    chart.dispose();
  }
}

const spokenText = ({ title, series }: Plot): string => {
  const totals = series.map(({ name, values }) => `${formatCount(values.reduce((a, b) => a + b, 0))} ${name}`);
  return `${title}: ${totals.join(', ')}`;
};

const quiet = { animation: false, silent: true } as const;
const axisLabel = { color: 'var(--muted)', fontSize: 12 } as const;
const plain = { axisLine: { show: false }, axisTick: { show: false } } as const;

function barsOf({ names, series }: Plot, width: number): EChartsCoreOption {
  const most = Math.floor((width * widestNames) / characterWidth);
  const shown = names.map((name) => shortName(name, most));
  const left = 10 + characterWidth * Math.max(...shown.map(({ length }) => length));
  const totals = names.map((_, at) => series.reduce((sum, { values }) => sum + (values[at] ?? 0), 0));
  return {
    ...quiet,
    grid: { left, right: 44, top: 2, bottom: 2, outerBoundsMode: 'none' },
    xAxis: { type: 'value', show: false },
    yAxis: {
      type: 'category',
      inverse: true,
      data: shown,
      axisLabel: { ...axisLabel, color: 'var(--ink)', interval: 0 },
      ...plain,
    },
    series: [
      ...stacked(series),
      {
        ...stackedBar,
        data: totals.map(() => 0),
        label: {
          show: true,
          position: 'right',
          color: 'var(--muted)',
          fontSize: 12,
          formatter: ({ dataIndex }: { dataIndex: number }) => formatCount(totals[dataIndex] ?? 0),
        },
      },
    ],
  };
}

function columnsOf({ names, series }: Plot): EChartsCoreOption {
  return {
    ...quiet,
    grid: { left: 0, right: 16, top: 10, bottom: 0, outerBoundsMode: 'same', outerBoundsContain: 'axisLabel' },
    xAxis: {
      type: 'category',
      data: names.map(dayText),
      axisLabel: { ...axisLabel, hideOverlap: true },
      axisLine: { lineStyle: { color: 'var(--line)' } },
      axisTick: { show: false },
    },
    yAxis: {
      type: 'value',
      minInterval: 1,
      splitNumber: 3,
      axisLabel: { ...axisLabel, formatter: formatCount },
      splitLine: { lineStyle: { color: 'var(--line)' } },
      ...plain,
    },
    series: stacked(series),
  };
}

const stackedBar = { type: 'bar', stack: 'all', silent: true, barMaxWidth: 18, barCategoryGap: '30%' } as const;

const stacked = (series: readonly PlotSeries[]) =>
  series.map(({ name, tone, values }) => ({
    ...stackedBar,
    name,
    data: [...values],
    itemStyle: { color: `var(--${tone}-fill)` },
  }));

const shortName = (name: string, most: number): string => {
  // ECharts keeps the widths of texts in an object: `__proto__` would change the prototype of all objects.
  const text = name in Object.prototype ? `${name}\u200b` : safeText(name);
  return text.length <= most ? text : `${text.slice(0, most - 1).toWellFormed()}…`;
};

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** `Feb 28` */
function dayText(date: string): string {
  const [, month, day] = date.split('-').map(Number);
  return `${months[(month ?? 1) - 1]} ${day}`;
}
