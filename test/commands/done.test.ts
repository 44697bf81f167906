/** Commands whose answer has nothing to show. */
import { describe, expect, it } from 'vitest';
import { classicToken, scriptedPlatform } from '../support/platform.ts';
import { run } from '../support/run.ts';

const done: readonly (readonly [words: string, said: string])[] = [
  ['registries delete acme NPM_SECRET --yes', 'Deleted registry NPM_SECRET of acme.'],
  ['registries update acme NPM_SECRET --visibility all', 'Updated registry NPM_SECRET of acme.'],
  ['repos dispatch acme/site deploy', 'Sent the event deploy to acme/site.'],
  ['comments delete acme/site 7 --yes', 'Deleted comment 7 of acme/site.'],
  ['dismissals cancel acme/site 7 --yes', 'Cancelled the request to dismiss alert 7 of acme/site.'],
  ['bypass dismiss-response acme/site 7 --yes', 'Dismissed response 7 in acme/site.'],
  ['rulesets delete acme 7 --yes', 'Deleted ruleset 7 of acme.'],
  ['rulesets delete acme/site 7 --yes', 'Deleted ruleset 7 of acme/site.'],
  ['migrations delete 7 --yes', 'Deleted the archive of migration 7.'],
  ['migrations unlock 7 site --yes', 'Unlocked site. Pushes are allowed again.'],
  ['orgs immutable-releases remove acme 7 --yes', 'Immutable releases are no longer enforced for 7.'],
];

describe('a success message', () => {
  it.each(done)('appears for %s on a terminal only', async (words, said) => {
    const platform = await scriptedPlatform(({ method }) => ({ status: method === 'GET' ? 404 : 204 }));
    const options = { env: { ...platform.env, FORGECTL_TOKEN: classicToken } };
    const seen = await run(words.split(' '), { ...options, tty: true });
    expect({ ...seen }).toEqual({ stdout: '', stderr: `${said}\n`, code: 0 });
    expect(await run(words.split(' '), options)).toEqual({ stdout: '', stderr: '', code: 0 });
    const json = await run([...words.split(' '), '--json'], { ...options, tty: true });
    expect(json).toEqual({ stdout: '{}\n', stderr: '', code: 0 });
  });

  it('reports changes that continue in the background', async () => {
    const platform = await scriptedPlatform(() => ({ status: 204 }));
    const words = ['orgs', 'security', 'enable', 'acme', 'secret_scanning', '--yes'];
    const { stderr } = await run(words, { env: platform.env, tty: true });
    expect(stderr).toContain(
      'secret_scanning is being enabled in the repositories of acme; this continues in the background.\n',
    );
  });

  it('does not appear without a change: after a refusal or a dry run', async () => {
    const platform = await scriptedPlatform(() => ({ status: 422, body: { message: 'No' } }));
    const words = ['repos', 'dispatch', 'acme/site', 'deploy'];
    const refused = await run(words, { env: platform.env, tty: true });
    const dry = await run([...words, '--dry-run'], { env: platform.env, tty: true });
    expect(refused.stderr + dry.stderr).not.toContain('Sent');
  });
});
