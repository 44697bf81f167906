/** The layout of policy files that read as if a person had written them. */
import { isCollection, isMap, isScalar, isSeq, type Node } from 'yaml';
import { asText, isObject } from '../../../json/exact-json.ts';

/** Columns of a mapping or list on one line. */
const widest = 100;

/**
 * Returns a function that adds comments above mappings and lists, and puts those that are short and have no comments within
 * on one line.
 *
 * @param comments by the mapping or list of the value that the nodes are made of
 */
export const layoutOf =
  (comments: ReadonlyMap<object, string>) =>
  (contents: Node | null, document: unknown): void => {
    arrange(contents, document, comments);
    // A document begins with its keys.
    if (isCollection(contents)) contents.flow = false;
  };

/** Arranges a node, and returns its width on one line; infinite if it needs several. */
function arrange(node: unknown, value: unknown, comments: ReadonlyMap<object, string>): number {
  if (isScalar(node)) return widthOf(node.value);
  if (!isCollection(node)) return Number.POSITIVE_INFINITY;
  let width = 2;
  let last: unknown;
  for (const [holder, key, part, inner] of partsOf(node, value)) {
    const own = arrange(part, inner, comments);
    const comment = typeof inner === 'object' && inner !== null ? comments.get(inner) : undefined;
    width += key + own + 2;
    if (comment === undefined) continue;
    holder.commentBefore = ` ${comment}`;
    holder.spaceBefore = last !== undefined && [last, part].some((each) => isCollection(each) && !each.flow);
    width = Number.POSITIVE_INFINITY;
    last = part;
  }
  node.flow = width <= widest;
  return width;
}

type Part = readonly [holder: Node, key: number, part: unknown, value: unknown];

/** Returns the parts of a collection: the node that comments precede, the width of the key, and the values. */
function partsOf(node: unknown, value: unknown): readonly Part[] {
  if (isSeq(node) && Array.isArray(value))
    return node.items.map((item, at): Part => [item as Node, 0, item, value[at]]);
  if (!isMap(node) || !isObject(value)) return [];
  return node.items.map(({ key, value: part }): Part => {
    const name = asText(isScalar(key) ? key.value : key);
    return [key as Node, name.length + 2, part, value[name]];
  });
}

/** Returns the width of a scalar, about. Texts with several lines need them. */
const widthOf = (value: unknown): number =>
  typeof value === 'string' && value.includes('\n') ? Number.POSITIVE_INFINITY : asText(value).length + 2;
