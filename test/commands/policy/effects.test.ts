import { describe, expect, it } from 'vitest';
import { run } from '../../support/run.ts';

describe('policy effects', () => {
  it('lists fields with their directions and sources, without a login', async () => {
    const jq = '.[] | select(.kind == "hook" or .field == "rules[update].parameters.update_allows_fetch_and_merge")';
    const { stdout, stderr, code } = await run(['policy', 'effects', '--jq', jq]);
    expect(
      stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toEqual([
      {
        kind: 'ruleset',
        field: 'rules[update].parameters.update_allows_fetch_and_merge',
        direction: 'true loosens',
        source: 'Branch can pull changes from its upstream repository',
      },
      {
        kind: 'hook',
        field: 'allow_downstream_configuration',
        direction: 'true loosens',
        source: 'Whether repositories can override enforcement.',
      },
      {
        kind: 'hook',
        field: 'enforcement',
        direction: 'disabled < testing < enabled',
        source: '`enabled` indicates it will run and reject any pushes that result in a non-zero status.',
      },
    ]);
    expect({ stderr, code }).toEqual({ stderr: '', code: 0 });
  });

  it('shows whole directions at 80 columns', async () => {
    const { stdout } = await run(['policy', 'effects'], { tty: true, columns: 80 });
    expect(stdout).toContain(`
registry     replaces_base                            true tightens
registry     visibility                               all < private < selected
`);
  });
});
