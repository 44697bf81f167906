import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { onSandbox } from './support.ts';

const policy = `organizations: [acme]
settings: { default_repository_permission: write, company: Acme }
rulesets:
  - name: Guard
    target: branch
    enforcement: active
    conditions: { ref_name: { include: ["~DEFAULT_BRANCH"], exclude: [] }, repository_name: { include: ["~ALL"], exclude: [] } }
    rules: [{ type: deletion }]
repositories:
  - { select: { names: [site, "c*"] }, settings: { homepage: "https://acme.example" } }
`;

async function planned() {
  const sandbox = await onSandbox();
  sandbox.write('p.yaml', policy);
  await sandbox.forgectl('policy plan FOLDER/p.yaml --out FOLDER/plan.ndjson');
  const lines = (name: string) =>
    readFileSync(join(sandbox.folder, name), 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
  return { ...sandbox, lines };
}

const review = 'policy review FOLDER/plan.ndjson --out FOLDER/reviewed.ndjson';

describe('policy review', () => {
  it('saves the kept changes as a plan for policy apply', async () => {
    const { forgectl, lines } = await planned();
    const [header, ...rest] = lines('plan.ndjson');
    const { stdout, stderr, code } = await forgectl(
      `${review} --json`,
      'classic',
      {},
      {
        person: [
          ['Changes that loosen protection to keep:', ' \r'],
          ['Updates with an unknown effect to keep:', '\r'],
          ['Other changes to keep:', '\r'],
        ],
      },
    );
    expect(code, stderr).toBe(0);
    const [reviewed, ...keptLines] = lines('reviewed.ndjson');
    expect(reviewed).toEqual({ ...header, plan: 3, reviewed_from: header.digest, digest: expect.any(String) });
    const [changes, kept] = [rest.slice(0, -1), keptLines.slice(0, -1)];
    const ofOrganization = changes.filter(({ kind, target }) => kind === 'settings' && target === 'acme');
    expect(ofOrganization).toHaveLength(1);
    expect(kept).toEqual(changes.filter((change) => !ofOrganization.includes(change)));
    const counts = { kept: kept.length, dropped: 1, dependent: 0 };
    expect(JSON.parse(stdout)).toMatchObject({ ...counts, reviewed_from: header.digest });
    const origin = `\nReviewed, from the plan with the digest ${header.digest.slice(0, 12)}….\n`;
    expect((await forgectl('policy show FOLDER/reviewed.ndjson')).stderr).toContain(origin);
    const applied = await forgectl('policy apply FOLDER/reviewed.ndjson --yes');
    expect(applied).toMatchObject({ code: 0, stderr: expect.stringContaining(origin) });
    await forgectl('policy plan FOLDER/p.yaml --out FOLDER/left.ndjson');
    expect(lines('left.ndjson').slice(1, -1)).toEqual(ofOrganization);
  });

  it('does not show the value of a property with the name of a secret', async () => {
    const { forgectl, write, folder } = await onSandbox();
    const define = 'api -X PUT /orgs/acme/properties/schema/db_password -f value_type=string';
    expect(await forgectl(define)).toMatchObject({ code: 0 });
    expect(await forgectl('properties set acme db_password=opensesame --repos site')).toMatchObject({ code: 0 });
    write(
      'p.yaml',
      'organizations: [acme]\nrepositories: [{ select: { names: [site] }, properties: { db_password: null } }]\n',
    );
    await forgectl('policy plan FOLDER/p.yaml --out FOLDER/plan.ndjson');
    expect(readFileSync(join(folder, 'plan.ndjson'), 'utf8')).toContain('opensesame');
    const person: [string, string][] = [['Updates with an unknown effect to keep:', '\r']];
    const { stdout, stderr, code } = await forgectl(review, 'classic', {}, { person });
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining('db_password: ******** → null') });
    expect(stdout + stderr).not.toContain('opensesame');
  });

  it('drops changes that depend on a dropped one, and lists them', async () => {
    const { forgectl, lines } = await planned();
    const { stderr, code } = await forgectl(
      review,
      'classic',
      {},
      {
        person: [
          ['Changes that loosen protection to keep:', '\r'],
          ['Updates with an unknown effect to keep:', '\r'],
          ['Other changes to keep:', ' \r'],
        ],
      },
    );
    expect(code, stderr).toBe(0);
    expect(stderr).toContain('Also dropped, because they depend on dropped changes:');
    expect(lines('reviewed.ndjson').slice(1, -1)).toEqual([]);
  });

  it('requires a saved plan, another file and a terminal', async () => {
    const { forgectl, folder } = await planned();
    const failure = async (words: string) => {
      const { stderr, code } = await forgectl(words);
      return { message: stderr.split('\n')[0], code };
    };
    expect(await failure('policy review FOLDER/p.yaml --out FOLDER/r.ndjson')).toEqual({
      message: `forgectl: ${folder}/p.yaml is not a saved plan. Nothing was sent.`,
      code: 2,
    });
    expect(await failure('policy review FOLDER/plan.ndjson --out FOLDER/plan.ndjson')).toEqual({
      message: 'forgectl: --out must not be the plan itself.',
      code: 2,
    });
    expect(await failure('policy review FOLDER/plan.ndjson')).toEqual({
      message: 'forgectl: --out is required.',
      code: 2,
    });
    expect(await failure(review)).toEqual({
      message: 'forgectl: policy review requires a terminal, with prompts enabled.',
      code: 2,
    });
    expect(existsSync(join(folder, 'reviewed.ndjson'))).toBe(false);
  });
});
