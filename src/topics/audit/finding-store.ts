/** The findings of an audit: those of thousands of repositories, which would take hundreds of megabytes as objects. */
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { bySeverity } from '../../foresight/audit/finding.ts';
import { parseJson } from '../../json/exact-json.ts';
import { LazyList } from '../../json/lazy-list.ts';
import type { OpenFinding } from './report.ts';

/** In characters: findings of a check are very alike, so that a piece of this length is compressed to a twentieth. */
const pieceLength = 64 * 1024;

/** Findings that are sorted together. */
interface Group {
  readonly first: OpenFinding;
  readonly pieces: Buffer[];
  /** As JSON. */
  rest: string[];
  length: number;
}

export class FindingStore {
  readonly #groups = new Map<string, Group>();
  #count = 0;

  add(finding: OpenFinding): void {
    const { status, severity, check } = finding;
    const key = `${status} ${severity} ${check}`;
    const group = this.#groups.get(key) ?? { first: finding, pieces: [], rest: [], length: 0 };
    this.#groups.set(key, group);
    this.#count++;
    const text = JSON.stringify(finding);
    group.rest.push(text);
    group.length += text.length;
    if (group.length < pieceLength) return;
    group.pieces.push(deflateRawSync(`[${group.rest.join(',')}]`, { level: 1 }));
    group.rest = [];
    group.length = 0;
  }

  /** Returns all findings in the order of reports. Only those of one check are in memory at a time. */
  list(): LazyList<OpenFinding> {
    const groups = [...this.#groups.values()].sort((a, b) => bySeverity(a.first, b.first));
    return new LazyList(this.#count, function* () {
      for (const { pieces, rest } of groups) {
        const texts = [...pieces.map((piece) => inflateRawSync(piece).toString()), `[${rest.join(',')}]`];
        yield* texts.flatMap((text) => parseJson(text) as OpenFinding[]).sort(bySeverity);
      }
    });
  }
}
