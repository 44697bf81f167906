import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { run, temporaryDirectory } from '../../support/run.ts';
import { startLanguageServer } from '../../support/yaml-language-server.ts';

it('editors with the YAML language server check and complete policies by the schema', async () => {
  const folder = await temporaryDirectory();
  writeFileSync(join(folder, 'policy.schema.json'), (await run(['policy', 'schema'])).stdout);
  const server = await startLanguageServer();
  const policy = (text: string) => `# yaml-language-server: $schema=policy.schema.json\norganizations: [acme]\n${text}`;

  const mistaken = `settings: { default_repository_permision: read }
rulesets:
  - name: Guard
    enforcment: active
    new_field: 1
    conditions: { repository_name: { include: [svc-*], exclude: [], protected: true } }
    bypass_actors: [team:release, { actor: "app:deployer", mode: pull_request }, deployer]
    rules:
      - type: rule_of_tomorrow
        parameters: { strengths: 2 }
      - type: requird_signatures
      - type: max_file_size
        parameters: { max_file_sise: 5, max_file_size: 200 }
`;
  const problems = await server.open(join(folder, 'mistaken.yaml'), policy(mistaken));
  expect(problems.map((problem) => problem.slice(0, 60)).sort()).toEqual([
    '13: Value must be "creation" | "update" | "deletion" | "requ',
    '15: Property max_file_sise is not allowed.',
    '15: Value is above the maximum of 100.',
    '3: Property default_repository_permision is not allowed.',
    '6: Property enforcment is not allowed.',
    '9: String does not match the pattern of "^(team|app|role|use',
  ]);

  const rules = 'rulesets:\n  - name: Guard\n    enforcement: active\n    rules:\n      - type: ';
  expect((await server.complete(join(folder, 'type.yaml'), policy(rules))).toSorted()).toEqual([
    'branch_name_pattern',
    'code_scanning',
    'commit_author_email_pattern',
    'commit_message_pattern',
    'committer_email_pattern',
    'creation',
    'deletion',
    'file_extension_restriction',
    'file_path_restriction',
    'max_file_path_length',
    'max_file_size',
    'merge_queue',
    'non_fast_forward',
    'pull_request',
    'required_deployments',
    'required_linear_history',
    'required_signatures',
    'required_status_checks',
    'tag_name_pattern',
    'update',
    'workflows',
  ]);
  const parameters = `${rules}required_status_checks\n        parameters:\n          `;
  expect(await server.complete(join(folder, 'parameters.yaml'), policy(parameters))).toEqual(
    expect.arrayContaining([
      'required_status_checks',
      'strict_required_status_checks_policy',
      'do_not_enforce_on_create',
    ]),
  );
  expect(
    await server.complete(join(folder, 'value.yaml'), policy('settings:\n  default_repository_permission: ')),
  ).toEqual(['read', 'write', 'admin', 'none']);
});
