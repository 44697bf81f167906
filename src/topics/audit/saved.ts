/** Reads audits that were saved as ndjson. */
import type { Readable } from 'node:stream';
import { UsageError } from '../../cli/errors.ts';
import { linesOfFile } from '../../cli/input/lines.ts';
import { nameOf } from '../../cli/input/sources.ts';
import { isObject, parseJson } from '../../json/exact-json.ts';
import { isJsonTooDeep } from '../../json/nesting.ts';
import type { AuditFinding, AuditHeader, AuditTrailer } from './report.ts';
import { isFinding, isHeader, isTrailer } from './saved-lines.ts';

/** A saved audit without its findings. */
export type SavedAudit = AuditHeader & AuditTrailer;

const hint = 'Save one with: forgectl audit ORG -o ndjson > audit.ndjson';

/**
 * Reads a saved audit, and passes on its findings one by one. Throws UsageError for anything else, and for one that is cut
 * off, which may have findings.
 */
export async function readAudit(
  source: string,
  stdin: Readable,
  found: (finding: AuditFinding, header: AuditHeader) => void,
): Promise<SavedAudit> {
  const name = nameOf(source);
  const damaged = (at: number) => new UsageError(`${name} is truncated or damaged at line ${at}.`);
  let header: AuditHeader | undefined;
  // The last line is none of the findings.
  let last = '';
  let count = 0;
  for await (const line of linesOfFile(source, stdin)) {
    count++;
    if (header) {
      if (count > 2) found(findingIn(last) ?? raise(damaged(count - 1)), header);
    } else header = headerIn(line, name) ?? raise(damaged(1));
    last = line;
  }
  if (!header) throw notSaved(name);
  const trailer = count > 1 && last.endsWith('\n') ? parsedLine(last) : undefined;
  if (!isTrailer(trailer)) throw damaged(Math.max(count, 1));
  return { ...header, ...trailer };
}

const notSaved = (name: string): UsageError => new UsageError(`${name} is not a saved audit.`, hint);

/** Returns undefined for a damaged header. Throws UsageError for the first line of anything else. */
function headerIn(line: string, name: string): AuditHeader | undefined {
  const first = parsedLine(line);
  if (!isObject(first) || !('audit' in first)) throw notSaved(name);
  if (first.audit !== 1)
    throw new UsageError(
      `${name} is an audit of version ${JSON.stringify(first.audit)}; this version of forgectl reads version 1.`,
      hint,
    );
  return isHeader(first) ? first : undefined;
}

function findingIn(line: string): AuditFinding | undefined {
  const finding = parsedLine(line);
  return isFinding(finding) ? finding : undefined;
}

function raise(error: Error): never {
  throw error;
}

function parsedLine(line: string): unknown {
  if (isJsonTooDeep(line)) return undefined;
  try {
    return parseJson(line);
  } catch {
    return undefined;
  }
}
