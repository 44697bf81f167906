import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { embeddedPlatform } from '../../../../support/embedded-platform.ts';
import { scriptedPlatform } from '../../../../support/platform.ts';
import { run, temporaryDirectory } from '../../../../support/run.ts';
import { embeddedPolicies, policyOf, undoOf } from '../../embedded-policies.ts';

const onSite = (sections: object) =>
  policyOf({ 'p.yaml': { organizations: ['acme'], repositories: [{ select: { names: ['site'] }, ...sections }] } });

const off = { alerts: { vulnerability: false, fixes: false } };
const on = { alerts: { vulnerability: true, fixes: true } };

describe('alerts', () => {
  it('are enabled before fixes, which need them, and disabled after them, also by an undo', async () => {
    const embedded = embeddedPlatform();
    const { planOf, apply } = embeddedPolicies(embedded);
    const writes = () => embedded.writes.splice(0).map(({ method, url }) => `${method} ${url.split('/').at(-1)}`);
    const disabled = ['DELETE automated-security-fixes', 'DELETE vulnerability-alerts'];
    const enabled = ['PUT vulnerability-alerts', 'PUT automated-security-fixes'];

    const disabling = await planOf(await onSite(off));
    expect(disabling.changes.map(({ name, effect, body }) => ({ name, effect, body }))).toEqual([
      { name: 'fixes', effect: 'loosens', body: { fixes: false } },
      { name: 'vulnerability', effect: 'loosens', body: { vulnerability: false } },
    ]);
    expect((await apply(disabling)).failures).toEqual([]);
    expect(writes()).toEqual(disabled);
    expect((await planOf(await onSite(off))).changes).toEqual([]);

    expect((await apply(undoOf(disabling))).failures).toEqual([]);
    expect(writes()).toEqual(enabled);
    const { changes, requests } = await planOf(await onSite(on));
    expect(changes).toEqual([]);
    // The caller, the repositories, and two switches.
    expect(requests.sent).toBe(4);
  });

  const site = { id: 7, name: 'site', full_name: 'acme/site', archived: false, topics: ['web'] };
  const notFound = (message: string) => ({ status: 404, body: { message } });

  /** Plans alerts where the platform responds to the reads of both switches so. */
  async function planned(vulnerability: object, fixes: object): Promise<string> {
    const { env } = await scriptedPlatform(({ url }) => {
      if (url.endsWith('/vulnerability-alerts')) return vulnerability;
      if (url.endsWith('/automated-security-fixes')) return fixes;
      return { body: url.includes('/orgs/acme/repos') ? [site] : { login: 'admin' } };
    });
    const file = join(await temporaryDirectory(), 'p.yaml');
    writeFileSync(
      file,
      'organizations: [acme]\nrepositories: [{ select: {}, alerts: { vulnerability: true, fixes: true } }]\n',
    );
    const { stdout, code } = await run(['policy', 'plan', file, '--jq', '.changes[] | .reason // .before'], { env });
    return `${stdout}${code}`;
  }

  const hidden = (path: string) => `GET /repos/acme/site/${path} returned 404: needs administration (read)`;

  it.each([
    [
      'says so',
      notFound('Vulnerability alerts are disabled.'),
      notFound('Not Found'),
      '{"fixes":false}\n{"vulnerability":false}\n0',
    ],
    [
      'shows the other switch',
      notFound('Not Found'),
      { body: { enabled: false, paused: false } },
      '{"fixes":false}\n{"vulnerability":false}\n0',
    ],
    ['shows the alerts', { status: 204 }, notFound('Not Found'), '{"fixes":false}\n0'],
    [
      'shows neither, which leaves them unknown',
      notFound('Not Found'),
      notFound('Not Found'),
      `${hidden('automated-security-fixes')}\n${hidden('vulnerability-alerts')}\n5`,
    ],
  ])('are disabled with 404 where the platform %s', async (_case, vulnerability, fixes, expected) => {
    expect(await planned(vulnerability, fixes)).toBe(expected);
  });
});

describe('topics', () => {
  it('are a set in lower case, which plans find in the list of repositories', async () => {
    const embedded = embeddedPlatform();
    const { planOf, apply } = embeddedPolicies(embedded);
    const plan = await planOf(await onSite({ topics: ['Web', 'managed'] }));
    // The caller, and the repositories.
    expect(plan.requests.sent).toBe(2);
    expect(plan.changes).toEqual([
      expect.objectContaining({ kind: 'topics', effect: 'neutral', body: { topics: ['managed', 'web'] } }),
    ]);
    const earlier = plan.changes[0]?.before?.topics as readonly string[];
    expect((await apply(plan)).failures).toEqual([]);
    expect(embedded.writes.map(({ method, url, body }) => [method, url.split('/v3')[1], body])).toEqual([
      ['PUT', '/repos/acme/site/topics', '{"names":["managed","web"]}'],
    ]);
    expect((await planOf(await onSite({ topics: ['managed', 'web'] }))).changes).toEqual([]);
    expect((await apply(undoOf(plan))).failures).toEqual([]);
    expect((await planOf(await onSite({ topics: earlier }))).changes).toEqual([]);
    expect((await planOf(await onSite({ topics: [] }))).changes).toHaveLength(earlier.length > 0 ? 1 : 0);
  });
});
