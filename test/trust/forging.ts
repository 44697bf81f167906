/** Saves plans and edits them, as somebody who can write the file may. */
import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { onSandbox } from '../commands/policy/support.ts';

export type Edit = (line: Record<string, unknown>) => object;

export const inPlan = (text: string, edits: Readonly<Record<number, Edit>>): string =>
  text
    .split('\n')
    .map((line, at) => (edits[at] ? JSON.stringify(edits[at](JSON.parse(line))) : line))
    .join('\n');

/** Returns a plan with the digest that fits its content: SHA-256 of the file without the digest itself. */
export function withDigest(text: string): string {
  const [header = '', ...lines] = text.split('\n');
  const { digest: _old, ...rest } = JSON.parse(header);
  const digest = hash('sha256', [JSON.stringify(rest), ...lines].join('\n'));
  return [JSON.stringify({ ...rest, digest }), ...lines].join('\n');
}

/** Saves the plan of a policy, and returns functions that forge and apply it. */
export async function saved(policy: string, options?: Parameters<typeof onSandbox>[0]) {
  const { forgectl, write, folder } = await onSandbox(options);
  write('p.yaml', policy);
  await forgectl('policy plan FOLDER/p.yaml --out FOLDER/plan.ndjson');
  const text = readFileSync(join(folder, 'plan.ndjson'), 'utf8');
  return {
    forgectl,
    write,
    folder,
    text,
    apply: async (forged: string, flags = '', env = {}) => {
      write('forged.ndjson', forged);
      const ended = await forgectl(`policy apply FOLDER/forged.ndjson --yes${flags}`, 'classic', env);
      return { ...ended, stderr: ended.stderr.replaceAll(folder, 'FOLDER') };
    },
  };
}

/** A sandbox with one organization and two repositories. */
export const one = { orgs: 1, repos: 2 };

/** Saves the plan of one change, and returns a function that applies it with other changes of the same target in its place. */
export async function replacing(policy: string) {
  const { forgectl, text, apply, write } = await saved(policy, one);
  const idOf = async (team: string) => Number((await forgectl(`teams get acme ${team} --jq .id`)).stdout);
  const [header = '', line = '', ...rest] = text.split('\n');
  const { target, organization_id, repository_id, source } = JSON.parse(line);
  const common = { target, ...(organization_id === undefined ? { repository_id } : { organization_id }), source };
  const applied = (change: object | readonly object[], flags = ' --deny loosens') => {
    const lines = [change].flat().map((each) => JSON.stringify({ ...common, changes: [], ...each }));
    return apply(withDigest([header, ...lines, ...rest].join('\n')), flags);
  };
  return { forgectl, applied, idOf, write };
}

/** The result of applying a plan whose first change is rejected. */
export const damaged = { code: 2, stdout: '', stderr: expect.stringContaining('is truncated or damaged at line 2.') };

/** The result of applying a change that starts from another value than the object has. */
export const changed = { code: 9, stdout: expect.stringContaining('changed after the plan, so nothing was sent') };
