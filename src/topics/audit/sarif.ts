/** Findings as SARIF 2.1.0, within the limits of the platform. Public platform, SARIF support for code scanning. */
import { createHash } from 'node:crypto';
import type { Severity } from '../../foresight/audit/check.ts';
import { checks } from '../../foresight/audit/checks/index.ts';
import { keyOf } from '../../foresight/audit/finding.ts';
import { suppressionExpired } from '../../foresight/audit/suppressions.ts';
import { counted, formatCount } from '../../output/amounts.ts';
import type { OpenFinding } from './report.ts';

/** “Results per run: 25,000.” All results are in one run; the platform allows 20. */
const mostResults = 25_000;

/** “Tags per rule: 20. Only the first 10 tags will be included.” */
const mostTags = 10;

/** Where a finding is shown. */
export interface Location {
  /** A path below the root of the repository with the policies. */
  readonly file: string;
  readonly line: number;
}

interface SarifOptions {
  readonly version: string;
  /** Open findings, the most severe first. */
  readonly findings: Iterable<OpenFinding>;
  /** What was not checked. */
  readonly notes: readonly string[];
  /** Returns the place of a target in the policy; undefined if there is none. */
  readonly locate: (finding: OpenFinding) => Location | undefined;
}

interface Sarif {
  /** In pieces: there may be thousands of results. */
  readonly text: Iterable<string>;
  /** A notice about results that are left out. */
  readonly notice: string | undefined;
}

export function sarifOf({ version, findings, notes, locate }: SarifOptions): Sarif {
  let [count, omitted] = [0, 0];
  const ids = new Set<string>();
  for (const { status, check } of findings)
    if (status !== 'fail') continue;
    else if (count === mostResults) omitted++;
    else {
      count++;
      ids.add(check);
    }
  const notice = omitted
    ? `The SARIF file has the ${formatCount(mostResults)} most severe findings; ${counted(omitted, 'other')} would exceed the limit of the platform.`
    : undefined;
  const rules = rulesOf(ids);
  const indices = new Map(rules.map(({ id }, index) => [id, index]));
  const messages = [...notes, ...(notice ? [notice] : [])];
  const run = {
    tool: { driver: { name: 'forgectl', semanticVersion: version, rules } },
    automationDetails: { id: 'forgectl-audit/' },
    invocations: [
      {
        executionSuccessful: true,
        toolExecutionNotifications: messages.map((text) => ({ level: 'warning', message: messageOf(text) })),
      },
    ],
  };
  const results = function* () {
    let separator = '';
    let left = count;
    for (const finding of findings) {
      if (finding.status !== 'fail') continue;
      if (left-- === 0) return;
      yield separator + JSON.stringify(resultOf(finding, indices.get(finding.check) ?? -1, locate(finding)));
      separator = ',\n';
    }
  };
  const text = function* () {
    yield `{"$schema":"https://json.schemastore.org/sarif-2.1.0.json","version":"2.1.0","runs":[${JSON.stringify(run).slice(0, -1)},"results":[\n`;
    yield* results();
    yield '\n]}]}\n';
  };
  return { text: text(), notice };
}

const levels: Readonly<Record<Severity, string>> = { high: 'error', medium: 'warning', low: 'note', info: 'note' };

/** “over 9.0 is critical, 7.0 to 8.9 is high, 4.0 to 6.9 is medium and 0.1 to 3.9 is low.” */
const scores: Readonly<Record<Severity, string>> = { high: '8.0', medium: '5.0', low: '2.0', info: '0.1' };

function rulesOf(ids: ReadonlySet<string>) {
  const own = {
    ...suppressionExpired,
    description: 'A suppression in audit.yaml holds until its date. Its findings are open again.',
    documents: [] as readonly string[],
    maps: {},
    scope: 'suppression',
  };
  return [...checks, own]
    .filter(({ id }) => ids.has(id))
    .map(({ id, title, description, severity, documents, maps, scope }) => ({
      id,
      name: id,
      shortDescription: { text: title },
      fullDescription: { text: description },
      help: { text: description },
      ...(documents[0] !== undefined && { helpUri: documents[0] }),
      defaultConfiguration: { level: levels[severity] },
      properties: {
        'security-severity': scores[severity],
        precision: 'very-high',
        tags: ['security', scope, ...Object.values(maps).flat()].slice(0, mostTags),
      },
    }));
}

/** SARIF 3.11.6: plain text of messages may have links, `[text](URL)`. Names come from the platform and must not be any. */
const messageOf = (text: string) => ({ text: text.replaceAll('](', '] (') });

function resultOf(finding: OpenFinding, ruleIndex: number, location: Location | undefined) {
  const { check, severity, target, message, fix, baseline } = finding;
  const mend = fix?.command ?? fix?.hint;
  const { file, line } = location ?? { file: pathOf(target), line: 1 };
  return {
    ruleId: check,
    ruleIndex,
    level: levels[severity],
    message: messageOf(`${target}: ${message}${mend ? `\n${mend}` : ''}`),
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri: file.toWellFormed().split('/').map(encodeURIComponent).join('/') },
          region: { startLine: line },
        },
        logicalLocations: [{ fullyQualifiedName: target }],
      },
    ],
    partialFingerprints: { 'forgectlFinding/v1': fingerprintOf(finding) },
    ...(baseline && baseline !== 'gone' && { baselineState: baseline === 'new' ? 'new' : 'unchanged' }),
  };
}

/**
 * Returns the name of a target as a path, which need not exist. In a relative reference, a colon would end a scheme, and the
 * target of a saved audit may be any text, which must not lead out of the repository, not even on Windows.
 */
const pathOf = (target: string): string =>
  target
    .replace(':', '-')
    .split(/[/\\]/)
    .map((segment) => (/^\.{0,2}$/.test(segment) ? '_' : segment))
    .join('/');

/** The same from run to run, whatever the message says. */
const fingerprintOf = (finding: OpenFinding): string => createHash('sha256').update(keyOf(finding)).digest('hex');
