import { describe, expect, it } from 'vitest';
import { scriptedPlatform } from '../../support/platform.ts';
import { run } from '../../support/run.ts';
import { onSandbox } from './support.ts';

const wanted = `organizations: [acme]
repositories:
  - select: { names: [site] }
    labels:
      - { name: BUG, color: D73A4A, description: Something is broken }
      - { name: defect, was: [broken, invalid, wontfix-yet], color: "000000" }
      - { name: ready }
    absent: { labels: [WontFix] }
    manage: { labels: all }
`;

describe('policies with labels', () => {
  it('create, rename, update and delete them, after which the plan is empty; an export has them as they are', async () => {
    const { forgectl, write } = await onSandbox({ orgs: 1, repos: 1 });
    write('p.yaml', wanted);
    const plan = await forgectl('policy plan FOLDER/p.yaml');
    expect(plan.stdout).toBe(
      `~\tlabel\tBUG\tacme/site\tneutral\tdescription: "Something isn't working" → "Something is broken"
~\tlabel\tdefect\tacme/site\tneutral\tcolor: "e4e669" → "000000"; name: "invalid" → "defect"
-\tlabel\tdocumentation\tacme/site\tneutral\tnot declared; deleted only with --prune
-\tlabel\tduplicate\tacme/site\tneutral\tnot declared; deleted only with --prune
-\tlabel\tenhancement\tacme/site\tneutral\tnot declared; deleted only with --prune
-\tlabel\tgood first issue\tacme/site\tneutral\tnot declared; deleted only with --prune
-\tlabel\thelp wanted\tacme/site\tneutral\tnot declared; deleted only with --prune
-\tlabel\tquestion\tacme/site\tneutral\tnot declared; deleted only with --prune
+\tlabel\tready\tacme/site\tneutral\t
-\tlabel\twontfix\tacme/site\tneutral\t
`,
    );
    // The caller, the repositories, and a page of labels.
    expect(plan.stderr).toContain('6 undeclared (deleted or reset only with --prune). 3 requests.\n');
    expect(plan.stderr).toContain('\nAn undo does not restore deleted labels on issues and pull requests.\n');
    const requests = await forgectl('policy apply FOLDER/p.yaml --dry-run --json');
    expect(
      JSON.parse(requests.stdout).map(({ method, url, body }: Record<string, string>) => ({ method, url, body })),
    ).toEqual([
      { method: 'POST', url: expect.stringMatching(/\/repos\/acme\/site\/labels$/), body: { name: 'ready' } },
      {
        method: 'PATCH',
        url: expect.stringMatching(/\/repos\/acme\/site\/labels\/BUG$/),
        body: { description: 'Something is broken' },
      },
      {
        method: 'PATCH',
        url: expect.stringMatching(/\/repos\/acme\/site\/labels\/invalid$/),
        body: { color: '000000', new_name: 'defect' },
      },
      { method: 'DELETE', url: expect.stringMatching(/\/repos\/acme\/site\/labels\/wontfix$/), body: undefined },
    ]);
    expect(await forgectl('policy apply FOLDER/p.yaml --yes --prune')).toMatchObject({ code: 0 });
    expect(await forgectl('policy plan FOLDER/p.yaml --exit-code')).toMatchObject({ code: 0, stdout: '' });
    expect(await forgectl('labels list acme/site --jq .[]|[.name,.color,.description]')).toMatchObject({
      stdout:
        '["bug","d73a4a","Something is broken"]\n["defect","000000","This doesn\'t seem right"]\n["ready","ededed",null]\n',
    });
    await forgectl('policy export acme --repositories --dir FOLDER/live');
    const exported = await forgectl(
      'policy explain acme/site FOLDER/live --jq .[]|select(.kind=="labels")|[.name,.field,.value]',
    );
    expect(exported.stdout).toContain(
      '["defect","color","000000"]\n["defect","description","This doesn\'t seem right"]\n',
    );
    expect(await forgectl('policy plan FOLDER/live --exit-code')).toMatchObject({ code: 0 });
  });

  it('are unknown where they cannot be read', async () => {
    const site = { id: 7, name: 'site', full_name: 'acme/site', archived: false };
    const { env } = await scriptedPlatform(({ url }) => {
      if (url.includes('/labels')) return { status: 404, body: { message: 'Not Found' } };
      return { body: url.includes('/orgs/acme/repos') ? [site] : { login: 'admin' } };
    });
    const { folder, write } = await onSandbox({ orgs: 1, repos: 1 });
    write('p.yaml', wanted);
    const { code, stdout } = await run(['policy', 'plan', `${folder}/p.yaml`], { env });
    expect(stdout.split('\n')[0]).toBe(
      '?\tlabel\t\tacme/site\t\tGET /repos/acme/site/labels returned 404: needs issues (read) or pull_requests (read)',
    );
    expect(code).toBe(5);
  });

  it.each([{ name: 'ready' }, { name: 'ready', color: 7 }])('are done after the response %j', async (body) => {
    const site = { id: 7, name: 'site', full_name: 'acme/site', archived: false };
    const { env } = await scriptedPlatform(({ method, url }) => {
      if (method === 'POST') return { status: 201, body: { id: 3, ...body } };
      if (url.includes('/labels')) return { body: [] };
      if (url.includes('/orgs/acme/repos')) return { body: [site] };
      return { body: url.endsWith('/repos/acme/site') ? site : { login: 'admin' } };
    });
    const { folder, write } = await onSandbox({ orgs: 1, repos: 1 });
    write('new.yaml', 'organizations: [acme]\nrepositories: [{ select: {}, labels: [{ name: ready }] }]\n');
    const { code, stderr } = await run(['policy', 'apply', `${folder}/new.yaml`, '--yes'], {
      env: { ...env, XDG_STATE_HOME: folder },
    });
    expect(stderr).not.toContain('Internal error');
    expect(code).toBe(0);
  });
});
