/** Renamed and transferred repositories on the sandbox, which redirects from their former names as the platform does. */
import { describe, expect, it } from 'vitest';
import { onSandbox } from './policy/support.ts';

const idOf = async (forgectl: Awaited<ReturnType<typeof onSandbox>>['forgectl'], name: string) =>
  (await forgectl(`repos get ${name} --jq .id`)).stdout.trim();

const transfer = 'repos transfer acme/site globex --new-name moved --wait --yes --quiet';

describe('after a transfer', () => {
  it.each([
    'repos delete acme/site --yes',
    'repos archive acme/site --yes',
    'repos transfer acme/site acme --new-name back --yes',
    'repos update acme/site --description D',
    'repos topics acme/site --set web',
    'rulesets create acme/site --name Guard --enforcement active',
    'api DELETE /repos/acme/site --yes',
    'api POST /repos/acme/site/dispatches -f event_type=go',
  ])('%s reports both repositories, and changes nothing', async (words) => {
    const { forgectl } = await onSandbox();
    await forgectl(transfer);
    const everything = () => forgectl('repos get globex/moved -o json');
    const before = await everything();
    const { code, stdout, stderr } = await forgectl(words);
    expect({ code, stdout, stderr }).toEqual({
      code: 12,
      stdout: '',
      stderr:
        'forgectl: acme/site is now globex/moved. Nothing was changed there.\nTo change globex/moved, use its current name.\n',
    });
    expect(await everything()).toEqual(before);
  });

  it('repos get follows the redirect, and reports it', async () => {
    const { forgectl } = await onSandbox();
    await forgectl(transfer);
    expect(await forgectl('repos get acme/site --jq .full_name')).toEqual({
      code: 0,
      stdout: 'globex/moved\n',
      stderr: 'acme/site is now globex/moved.\n',
    });
  });

  it('a new repository under the old name is the one that is changed', async () => {
    const { forgectl } = await onSandbox();
    await forgectl(transfer);
    const moved = await idOf(forgectl, 'globex/moved');
    await forgectl('repos create acme/site --private');
    expect(await idOf(forgectl, 'acme/site')).not.toBe(moved);
    expect((await forgectl('repos delete acme/site --yes')).code).toBe(0);
    expect(await idOf(forgectl, 'globex/moved')).toBe(moved);
  });

  it('each fails the target with that message', async () => {
    const { forgectl } = await onSandbox();
    await forgectl(transfer);
    const words = 'each --from - --yes --expect 2 -o json -- repos archive {}';
    const { code, stdout } = await forgectl(words, 'classic', {}, { stdin: 'acme/site\nacme/checkout-proxy\n' });
    expect(code).toBe(9);
    const outcomes = (JSON.parse(stdout) as { target: string; status: string; error?: { message: string } }[])
      .map(({ target, status, error }) => [target, status, error?.message])
      .sort();
    expect(outcomes).toEqual([
      ['acme/checkout-proxy', 'ok', undefined],
      ['acme/site', 'failed', 'acme/site is now globex/moved. Nothing was changed there.'],
    ]);
    expect((await forgectl('repos get globex/moved --jq .archived')).stdout).toBe('false\n');
  });
});

describe('after a rename', () => {
  it('a saved plan for the old name fails that target, and changes nothing', async () => {
    const { forgectl, write } = await onSandbox();
    write(
      'p.yaml',
      'organizations: [acme]\nrepositories: [{ select: { names: [site] }, settings: { description: D } }]\n',
    );
    await forgectl('policy plan FOLDER/p.yaml --out FOLDER/plan.ndjson');
    await forgectl('repos update acme/site --name handbook');
    const before = await forgectl('repos get acme/handbook --jq .description');
    const { code, stdout } = await forgectl('policy apply FOLDER/plan.ndjson --yes -o json');
    expect(code).toBe(9);
    expect(JSON.parse(stdout)).toMatchObject([
      {
        target: 'acme/site',
        status: 'failed',
        error: { message: 'acme/site is now acme/handbook. Nothing was changed there.' },
      },
    ]);
    expect(await forgectl('repos get acme/handbook --jq .description')).toEqual(before);
  });
});
