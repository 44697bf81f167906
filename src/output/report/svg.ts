/** The nodes of a drawing as SVG for a page whose policy allows no styles of elements. */
import { asText } from '../../json/exact-json.ts';
import { Html, html } from './html.ts';

/** A node as ECharts draws it. Its own text does not escape attributes. */
export interface SvgNode {
  readonly tag: string;
  readonly attrs: Readonly<Record<string, unknown>>;
  readonly children?: readonly (SvgNode | undefined)[] | undefined;
  readonly text?: string | undefined;
}

/** Everything that plots need; names, events and references are left out. */
const attributes: ReadonlySet<string> = new Set([
  ...['d', 'x', 'y', 'x1', 'x2', 'y1', 'y2', 'width', 'height', 'points', 'transform'],
  ...['fill', 'fill-opacity', 'stroke', 'stroke-width', 'stroke-opacity', 'stroke-dasharray', 'stroke-linecap'],
  ...['dominant-baseline', 'text-anchor', 'paint-order', 'opacity'],
]);
const elements: ReadonlySet<string> = new Set(['g', 'path', 'rect', 'line', 'polyline', 'polygon', 'text']);

/** Returns a drawing as an image with a label for screen readers. */
export const svgOf = (
  { children = [] }: SvgNode,
  { width, height, label }: { readonly width: number; readonly height: number; readonly label: string },
): Html =>
  html`<svg role="img" aria-label="${label}" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">${children.map(nodeOf)}</svg>`;

function nodeOf(node: SvgNode | undefined): Html {
  if (!node || !elements.has(node.tag) || isInvisible(node)) return html``;
  const { tag, attrs, children = [], text } = node;
  const kept = Object.entries(attrs).filter(([name, value]) => attributes.has(name) && value != null);
  const typed = kept.map(([name, value]) => html` ${name}="${asText(value)}"`);
  const name = new Html(tag);
  return html`<${name}${typed}>${text ?? ''}${children.map(nodeOf)}</${name}>`;
}

const isInvisible = ({ tag, attrs: { fill, stroke } }: SvgNode): boolean =>
  tag !== 'g' && fill === 'none' && (stroke === undefined || stroke === 'none');
