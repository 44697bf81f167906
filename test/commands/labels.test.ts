import { describe, expect, test } from 'vitest';
import { nockedEnv as env, platform, useNock } from '../support/nocked.ts';
import { run } from '../support/run.ts';

useNock();

const labels = '/api/v3/repos/acme/site/labels';
const bug = {
  id: 208045946,
  node_id: 'MDU6TGFiZWwyMDgwNDU5NDY=',
  url: 'https://ghe.example.com/api/v3/repos/acme/site/labels/bug',
  name: 'bug',
  description: "Something isn't working",
  color: 'f29513',
  default: true,
};

describe('labels list', () => {
  test('prints name, color, origin and description in a pipe, and every field with --json', async () => {
    platform().get(labels).twice().reply(200, [bug]);
    const { stdout, code } = await run(['labels', 'list', 'acme/site'], { env });
    expect({ stdout, code }).toEqual({ stdout: "bug\tf29513\ttrue\tSomething isn't working\n", code: 0 });
    expect(JSON.parse((await run(['labels', 'list', 'acme/site', '--json'], { env })).stdout)).toEqual([bug]);
  });

  test('shows a table on a terminal', async () => {
    platform().get(labels).reply(200, [bug]);
    const { stdout } = await run(['labels', 'list', 'acme/site'], { env, tty: true, columns: 80 });
    expect(stdout).toMatch(/^NAME +COLOR +DEFAULT +DESCRIPTION\nbug +f29513 +yes +Something isn't working\n/);
  });

  test('ends with exit code 3 if the repository does not exist', async () => {
    platform().get(labels).reply(404, { message: 'Not Found' });
    expect(await run(['labels', 'list', 'acme/site'], { env })).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('GET /repos/acme/site/labels returned 404 Not Found'),
    });
  });
});

describe('labels create', () => {
  test('sends name, color and description', async () => {
    platform().post(labels, { name: 'bug', color: 'f29513', description: "Something isn't working" }).reply(201, bug);
    const words = ['labels', 'create', 'acme/site', 'bug', '--color', 'f29513'];
    const { stdout, code } = await run([...words, '--description', "Something isn't working", '--quiet'], { env });
    expect({ stdout, code }).toEqual({ stdout: 'bug\n', code: 0 });
  });

  test.each([
    ['--color', '#f29513', 'color must be six hexadecimal digits, such as d73a4a'],
    ['--color', 'red', 'color must be six hexadecimal digits, such as d73a4a'],
    ['--description', 'x'.repeat(101), 'description must be at most 100 characters'],
  ])('rejects %s %s', async (flag, value, message) => {
    const { stderr, code } = await run(['labels', 'create', 'acme/site', 'bug', flag, value], { env });
    expect(code).toBe(2);
    expect(stderr).toContain(message);
  });
});

describe('labels update', () => {
  test('sends only the given fields, and encodes the name', async () => {
    platform().patch(`${labels}/good%20first%20issue%2F1`, { new_name: 'starter', description: '' }).reply(200, bug);
    const words = ['labels', 'update', 'acme/site', 'good first issue/1', '--new-name', 'starter', '--description', ''];
    expect(await run(words, { env })).toMatchObject({ code: 0 });
  });

  test('takes the record of a label as input', async () => {
    platform()
      .patch(`${labels}/bug`, { new_name: 'bug', description: "Something isn't working", color: 'f29513' })
      .reply(200, bug);
    const words = ['labels', 'update', 'acme/site', 'bug', '--input', '-'];
    expect(await run(words, { env, stdin: JSON.stringify(bug) })).toMatchObject({ code: 0 });
  });

  test('requires a change', async () => {
    const { stderr, code } = await run(['labels', 'update', 'acme/site', 'bug'], { env });
    expect(code).toBe(2);
    expect(stderr).toContain('No changes given. Nothing was sent.');
  });
});

describe('labels delete', () => {
  test('deletes with --yes and prints nothing in a pipe', async () => {
    platform().delete(`${labels}/help%20wanted`).reply(204);
    const words = ['labels', 'delete', 'acme/site', 'help wanted', '--yes'];
    expect(await run(words, { env })).toMatchObject({ code: 0, stdout: '' });
  });

  test('requires --yes when prompts are disabled', async () => {
    const { stderr, code } = await run(['labels', 'delete', 'acme/site', 'bug'], { env });
    expect(code).toBe(2);
    expect(stderr).toContain('Nothing was sent. This deletes label bug of acme/site; confirm with --yes.');
  });
});
