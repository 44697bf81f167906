/** The tables of checks in docs/audit.md, from their declarations. */

import { administrationChecks } from '../src/foresight/audit/checks/administration/index.ts';
import { defaultBranchChecks } from '../src/foresight/audit/checks/default-branch/index.ts';
import { checks } from '../src/foresight/audit/checks/index.ts';
import { organizationChecks } from '../src/foresight/audit/checks/organization/index.ts';
import { peopleChecks } from '../src/foresight/audit/checks/people/index.ts';
import { repositoryChecks } from '../src/foresight/audit/checks/repository/index.ts';
import { rulesetChecks } from '../src/foresight/audit/checks/rulesets/index.ts';
import { describeCheck } from '../src/topics/audit/description.ts';

const groups = {
  'Settings of organizations': organizationChecks,
  People: peopleChecks,
  'Rulesets of organizations': rulesetChecks,
  'Apps, hooks, registries, budgets and requests': administrationChecks,
  'Default branches': defaultBranchChecks,
  Repositories: repositoryChecks,
};

const [begin, end] = ['<!-- checks: npm run build writes this part -->', '<!-- /checks -->'];

/** Returns the page with the tables of all checks. Throws an error if it has no place for them, or a check is in no table. */
export function withChecks(page: string): string {
  const [before, , after] = page.split(new RegExp(`(?<=${begin})([^]*)(?=${end})`));
  if (before === undefined || after === undefined) throw new Error(`docs/audit.md must contain ${begin} and ${end}`);
  const listed = Object.values(groups).flat();
  const missing = checks.filter((check) => !listed.includes(check));
  if (missing.length > 0) throw new Error(`no table in docs/audit.md for ${missing.map(({ id }) => id).join(', ')}`);
  const tables = Object.entries(groups).map(([heading, some]) => `### ${heading}\n\n${tableOf(some)}`);
  return `${before}\n\n${tables.join('\n\n')}\n\n${after}`;
}

const heads = ['Check', 'Severity', 'Passes if', 'Needs', 'Elsewhere'];

const tableOf = (some: typeof checks): string =>
  [heads, heads.map(() => '---'), ...some.map(rowOf)].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

function rowOf(check: (typeof checks)[number]): string[] {
  const { id, severity, title, deep, permission, thresholds, maps } = describeCheck(check);
  const limits = thresholds.map(
    ({ name, default: value, description }) => `\`${name}: ${value}\` (${lowerFirst(description)})`,
  );
  const others = Object.values(maps).flat();
  return [
    `\`${id}\`${deep ? ' (deep)' : ''}`,
    severity,
    [title, ...limits].join('; '),
    permission ?? '',
    others.map((name) => `\`${name}\``).join(', '),
  ];
}

const lowerFirst = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);
