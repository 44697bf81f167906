/** After one apply of what an import writes, a plan is empty: the fixtures of each format, on the sandbox. */
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { onSandbox } from './support.ts';

const fixtures = join(import.meta.dirname, '../../topics/policy/import/fixtures');

const loops: readonly {
  readonly format: string;
  readonly words: string;
  /** What the source expects to exist. */
  readonly before?: readonly string[];
  /** What the policy has made of the source, as `jq` shows it. */
  readonly made: readonly [words: string, shown: string];
}[] = [
  {
    format: 'safe-settings',
    words: 'settings.yml suborgs/services.yml repos/svc-a.yml --organization globex',
    before: [
      'properties define globex tier --value-type single_select --allowed-values gold,silver',
      'repos create globex/handbook --visibility private --auto-init',
      'repos create globex/svc-b --visibility private --auto-init',
    ],
    made: [
      'repos list globex --all --jq map([.name,.visibility,.has_wiki,.allow_merge_commit])|sort|.[]',
      '["handbook","internal",false,true]\n["svc-a","internal",true,true]\n["svc-b","internal",true,false]\n',
    ],
  },
  {
    format: 'repository-settings',
    words: 'repository-settings.yml --organization globex',
    before: ['repos create globex/handbook --visibility private --auto-init'],
    made: ['labels list globex/handbook --jq map(.name)|contains(["help","translation","typo"])', 'true\n'],
  },
  {
    format: 'terraform',
    words: 'state.json',
    before: [
      'repos create globex/starter --visibility private --auto-init',
      'repos update globex/starter --is-template',
    ],
    made: [
      'repos list globex --all --jq map([.name,.archived])|sort|.[]',
      '["agent",false]\n["legacy",true]\n["starter",false]\n["svc-a",false]\n["svc-b",false]\n',
    ],
  },
  {
    format: 'rulesets',
    words: 'rulesets.json',
    before: ['repos create globex/site --visibility private --auto-init'],
    made: ['rulesets list globex/site --jq map(.name)|sort|.[]', 'Guard\nHistory\n'],
  },
];

const knownLogins = ['app:deployer', 'lunarcrab', 'team:core-team', 'team:docs', 'team:security'];

it.each(loops)(
  'an organization is like the source of $format after one apply',
  async ({ format, words, before = [], made }) => {
    const { forgectl, folder } = await onSandbox({ orgs: 1, repos: 1, emptyOrganizations: ['globex'], knownLogins });
    cpSync(fixtures, folder, { recursive: true });
    cpSync(join(fixtures, 'safe-settings'), folder, { recursive: true });
    const files = words.replaceAll(/\S+\.(?:yml|json)/g, 'FOLDER/$&');
    const imported = await forgectl(`policy import ${format} ${files} --dir FOLDER/policy --allow-losses`, 'none');
    expect(imported).toMatchObject({ code: 0 });
    for (const each of before) expect(await forgectl(each)).toMatchObject({ code: 0 });
    const applied = await forgectl('policy apply FOLDER/policy --yes --allow archived,visibility');
    expect(applied.code, applied.stderr).toBe(0);
    expect(await forgectl('policy plan FOLDER/policy --exit-code')).toMatchObject({ code: 0, stdout: '' });
    expect((await forgectl(made[0])).stdout).toBe(made[1]);
  },
);
