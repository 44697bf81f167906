/** The findings of an audit: those of thousands of repositories, which would take hundreds of megabytes as objects. */
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { bySeverity, type Ordered } from '../../foresight/audit/finding.ts';
import { parseJson } from '../../json/exact-json.ts';
import { LazyList } from '../../json/lazy-list.ts';
import type { OpenFinding } from './report.ts';

/**
 * In bytes: findings of a check are very alike, so that a piece of this length is compressed to a twentieth. Each
 * compression leaves a buffer of 16 KiB until the next major garbage collection.
 */
const pieceLength = 256 * 1024;

/** Lines: what the finding is sorted by within its group, a tab, and the finding, both as JSON. */
interface Piece {
  /** What its first finding in the order of reports is sorted by. */
  first: Ordered;
  /** Compressed. */
  readonly content: Uint8Array;
}

/** Findings that are sorted together. */
interface Group {
  readonly pieces: Piece[];
  /** Lines of the last piece. Strings would survive collections of V8's young generation, which then grows. */
  readonly rest: Buffer;
  length: number;
  /** As in a piece. */
  first: Ordered;
}

export class FindingStore {
  readonly #groups = new Map<string, Group>();
  #count = 0;

  add(finding: OpenFinding): void {
    const { status, severity, check } = finding;
    const key = `${status} ${severity} ${check}`;
    const group = this.#groups.get(key) ?? newGroup(finding);
    this.#groups.set(key, group);
    this.#count++;
    const line = `${JSON.stringify([finding.target, finding.object])}\t${JSON.stringify(finding)}\n`;
    const bytes = Buffer.byteLength(line);
    if (group.length + bytes > pieceLength) endPiece(group);
    if (bytes > pieceLength) {
      group.pieces.push({ first: orderOf(finding), content: compressed(Buffer.from(line)) });
      return;
    }
    if (group.length === 0 || bySeverity(finding, group.first) < 0) group.first = orderOf(finding);
    group.length += group.rest.write(line, group.length);
  }

  /**
   * Returns all findings in the order of reports. In memory are those of two pieces, if targets are added in about that
   * order, and those of one check at most.
   */
  list(): LazyList<OpenFinding> {
    for (const group of this.#groups.values()) endPiece(group);
    const groups = [...this.#groups.values()].sort((a, b) => bySeverity(firstOf(a), firstOf(b)));
    return new LazyList(this.#count, function* () {
      for (const { pieces } of groups) yield* sorted(pieces);
    });
  }
}

const newGroup = (first: OpenFinding): Group => ({
  pieces: [],
  rest: Buffer.alloc(pieceLength),
  length: 0,
  first: orderOf(first),
});

const orderOf = ({ status, severity, check, target, object }: OpenFinding): Ordered => ({
  ...{ status, severity, check, target },
  ...(object !== undefined && { object }),
});

const firstOf = ({ pieces }: Group): Ordered => (pieces[0] as Piece).first;

function endPiece(group: Group): void {
  const { pieces, rest, length, first } = group;
  if (length > 0) pieces.push({ first, content: compressed(rest.subarray(0, length)) });
  group.length = 0;
}

/** A finding as text: objects that wait for their turn would survive collections of V8's young generation. */
interface Line {
  readonly order: Ordered;
  readonly finding: string;
}

/** Yields the findings of pieces in order. A piece is read once all that precedes its first finding has been yielded. */
function* sorted(pieces: readonly Piece[]): Generator<OpenFinding> {
  const inOrder = pieces.toSorted((a, b) => bySeverity(a.first, b.first));
  let read: Line[] = [];
  for (const [at, piece] of inOrder.entries()) {
    read = [...read, ...linesOf(piece)].sort((a, b) => bySeverity(a.order, b.order));
    const next = inOrder[at + 1]?.first;
    const left = next ? read.findIndex(({ order }) => bySeverity(order, next) >= 0) : -1;
    const end = left === -1 ? read.length : left;
    for (const { finding } of read.slice(0, end)) yield parseJson(finding) as OpenFinding;
    read = read.slice(end);
  }
}

function linesOf({ first, content }: Piece): Line[] {
  // In one chunk, whose memory is freed at once: chunks of all pieces would be as large as all findings.
  const bytes = inflateRawSync(content, { chunkSize: pieceLength });
  const lines: Line[] = [];
  // A string of all lines would stay in memory as long as one of its parts.
  for (let start = 0, end = bytes.indexOf('\n'); end !== -1; start = end + 1, end = bytes.indexOf('\n', start)) {
    const tab = bytes.indexOf('\t', start);
    const [target, object] = parseJson(bytes.toString('utf8', start, tab)) as [target: string, object: string | null];
    const order = { ...first, target, object: object ?? undefined };
    lines.push({ order, finding: bytes.toString('utf8', tab + 1, end) });
  }
  bytes.buffer.transfer(0);
  return lines;
}

/** Returns a copy of the result, which is a view of a larger buffer. */
const compressed = (piece: Buffer): Uint8Array => new Uint8Array(deflateRawSync(piece, { level: 1 }));
