/** Rulesets that name teams of the same policy. */
import { expect, it } from 'vitest';
import { onSandbox } from './support.ts';

const wanted = `organizations: [acme]
teams: [{ name: Release Team }]
rulesets:
  - name: Tags
    target: tag
    enforcement: active
    bypass_actors: ["team:release-team"]
    conditions: { ref_name: { include: [~ALL], exclude: [] }, repository_name: { include: [~ALL], exclude: [] } }
    rules: [{ type: deletion }]
repositories:
  - select: { names: [site] }
    rulesets:
      - name: Guard
        target: branch
        enforcement: active
        bypass_actors: ["team:release-team", "role:admin"]
        conditions: { ref_name: { include: [~DEFAULT_BRANCH], exclude: [] } }
        rules: [{ type: update }]
`;

it('one apply creates a team and the rulesets that name it, also from a saved plan', async () => {
  const { forgectl, write } = await onSandbox({ orgs: 1, repos: 1 });
  write('p.yaml', wanted);
  const plan = await forgectl('policy plan FOLDER/p.yaml --out FOLDER/plan.ndjson');
  expect(plan.stdout).toBe(`+\tteam\tRelease Team\tacme\tneutral\t
-\tteam_member\trelease-team/admin\tacme\ttightens\t
+\truleset\tTags\tacme\ttightens\t
+\truleset\tGuard\tacme/site\ttightens\t
`);
  expect((await forgectl('policy apply FOLDER/plan.ndjson --yes --undo-out FOLDER/undo.ndjson')).code).toBe(0);
  expect(await forgectl('policy apply FOLDER/undo.ndjson --yes')).toMatchObject({ code: 0 });
  expect(await forgectl('policy plan FOLDER/p.yaml')).toMatchObject({ stdout: plan.stdout, code: 0 });
  expect(await forgectl('policy apply FOLDER/undo.ndjson --yes')).toMatchObject({ code: 0 });
  expect(await forgectl('policy apply FOLDER/p.yaml --yes')).toMatchObject({ code: 0 });
  expect(await forgectl('policy plan FOLDER/p.yaml')).toMatchObject({ stdout: '', code: 0 });
  write('p.yaml', wanted.replaceAll('release-team', 'releases').replace('Release Team', 'Releases'));
  expect((await forgectl('policy apply FOLDER/p.yaml --yes')).code).toBe(0);
  expect(await forgectl('policy plan FOLDER/p.yaml')).toMatchObject({ stdout: '', code: 0 });
  write('p.yaml', wanted.replace('[{ name: Release Team }]', '[]'));
  write('q.yaml', wanted.replaceAll('team:release-team', 'team:nobody'));
  expect((await forgectl('policy plan FOLDER/q.yaml')).stdout).toContain('no team “nobody” in acme');
});
