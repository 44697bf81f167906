/** The findings of an audit: those of thousands of repositories, which would take hundreds of megabytes as objects. */
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { bySeverity } from '../../foresight/audit/finding.ts';
import { parseJson } from '../../json/exact-json.ts';
import { LazyList } from '../../json/lazy-list.ts';
import type { OpenFinding } from './report.ts';

/** In bytes: findings of a check are very alike, so that a piece of this length is compressed to a twentieth. */
const pieceLength = 64 * 1024;

/** Findings that are sorted together. */
interface Group {
  readonly first: OpenFinding;
  readonly pieces: Buffer[];
  /** Lines of JSON. Strings would survive collections of V8's young generation, which then grows. */
  readonly rest: Buffer;
  length: number;
}

export class FindingStore {
  readonly #groups = new Map<string, Group>();
  #count = 0;

  add(finding: OpenFinding): void {
    const { status, severity, check } = finding;
    const key = `${status} ${severity} ${check}`;
    const group = this.#groups.get(key) ?? { first: finding, pieces: [], rest: Buffer.alloc(pieceLength), length: 0 };
    this.#groups.set(key, group);
    this.#count++;
    const line = `${JSON.stringify(finding)}\n`;
    const bytes = Buffer.byteLength(line);
    if (group.length + bytes > pieceLength) {
      if (group.length > 0) group.pieces.push(compressed(group.rest.subarray(0, group.length)));
      group.length = 0;
    }
    if (bytes > pieceLength) group.pieces.push(compressed(Buffer.from(line)));
    else group.length += group.rest.write(line, group.length);
  }

  /** Returns all findings in the order of reports. Only those of one check are in memory at a time. */
  list(): LazyList<OpenFinding> {
    const groups = [...this.#groups.values()].sort((a, b) => bySeverity(a.first, b.first));
    return new LazyList(this.#count, function* () {
      for (const { pieces, rest, length } of groups) {
        const texts = [...pieces.map((piece) => inflateRawSync(piece).toString()), rest.toString('utf8', 0, length)];
        const lines = texts.flatMap((text) => text.split('\n').filter(Boolean));
        yield* lines.map((line) => parseJson(line) as OpenFinding).sort(bySeverity);
      }
    });
  }
}

const compressed = (piece: Buffer): Buffer => deflateRawSync(piece, { level: 1 });
