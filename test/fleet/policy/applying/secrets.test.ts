import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readSecrets } from '../../../../src/fleet/policy/applying/secrets.ts';
import type { PlannedChange } from '../../../../src/fleet/policy/live/change.ts';
import { checkPolicy } from '../../../../src/fleet/policy/wanted/load.ts';
import type { SecretReference } from '../../../../src/fleet/policy/wanted/model.ts';
import { whyNoSource } from '../../../../src/fleet/policy/wanted/secret-sources.ts';
import { temporaryDirectory } from '../../../support/run.ts';

describe.skipIf(process.platform === 'win32')('the file of a secret', () => {
  async function read(file: string): Promise<string> {
    const reference = { file, source: 'p.yaml:3' } as SecretReference;
    const secrets = await readSecrets([{ secret: reference } as PlannedChange], {}, () => undefined);
    return Buffer.from(secrets(reference)).toString();
  }

  it('may be a link to another folder, as /run/secrets has them', async () => {
    const folder = await temporaryDirectory();
    mkdirSync(join(folder, '..data'));
    writeFileSync(join(folder, '..data/npm'), 's3cret\n');
    mkdirSync(join(folder, 'secrets'));
    symlinkSync('../..data/npm', join(folder, 'secrets/npm'));
    expect(await read(join(folder, 'secrets/npm'))).toBe('s3cret');
  });

  it('must be a regular file of at most 64 KiB', async () => {
    const folder = await temporaryDirectory();
    const [pipe, large] = [join(folder, 'pipe'), join(folder, 'large')];
    execFileSync('mkfifo', [pipe]);
    writeFileSync(large, 'x'.repeat(64 * 1024 + 1));
    await expect(read(pipe)).rejects.toThrow(`p.yaml:3: file ${pipe} is not a regular file`);
    await expect(read(large)).rejects.toThrow(`p.yaml:3: file ${large} is larger than 64 KiB`);
    await expect(read(folder)).rejects.toThrow(`p.yaml:3: file ${folder} cannot be read: it is a directory`);
  });

  it.each([
    ['nothing', '', 'PRIVATE KEY'],
    ['attributes', 'Bag Attributes\n    friendlyName: app\n', 'PRIVATE KEY'],
    ['a certificate', `-----BEGIN CERTIFICATE-----\r\nMIIC\r\n-----END CERTIFICATE-----\r\n`, 'RSA PRIVATE KEY'],
    ['blank lines', '\n'.repeat(300), 'EC PRIVATE KEY'],
  ])('is no private key, which may be that of an app, even after %s', async (_what, before, type) => {
    const file = join(await temporaryDirectory(), 'app.pem');
    writeFileSync(file, `${before}-----BEGIN ${type}-----\nMIIEvQ\n`);
    await expect(read(file)).rejects.toThrow(`p.yaml:3: file ${file} is a private key`);
  });

  it('may be a JSON file with a private key in it, as registries of cloud services take it', async () => {
    const file = join(await temporaryDirectory(), 'account.json');
    writeFileSync(file, `{"private_key":"-----BEGIN ${'PRIVATE KEY'}-----\\nMIIEvQ\\n"}`);
    expect(await read(file)).toContain('private_key');
  });

  it.skipIf(process.platform !== 'linux')(
    'is not reached through /proc, even by a link to a folder there',
    async () => {
      const folder = await temporaryDirectory();
      symlinkSync('/proc/self', join(folder, 'self'));
      symlinkSync('/proc/self/fd/0', join(folder, 'open'));
      symlinkSync('self/root', join(folder, 'root'));
      symlinkSync('root/etc/hostname', join(folder, 'host'));
      symlinkSync('host', join(folder, 'name'));
      symlinkSync('open', join(folder, 'input'));
      for (const file of ['self/fd/0', 'self/root/etc/hostname', 'open', 'input', 'name', 'root/etc/hostname'])
        expect(whyNoSource({ file: join(folder, file) })).toBe('is below /proc, /sys or /dev');
      // The system resolves the link first.
      expect(whyNoSource({ file: `${folder}/self/../version` })).toBe('is below /proc, /sys or /dev');
      expect(whyNoSource({ file: join(folder, 'npm') })).toBeUndefined();
    },
  );

  it('leads through at most 256 folders and links, so that no policy takes long to check', async () => {
    const folder = await temporaryDirectory();
    symlinkSync('loop', join(folder, 'loop'));
    const tooMany = 'leads through more than 256 folders and links';
    for (const file of ['./'.repeat(1000), 'a/'.repeat(500_000), join(folder, 'loop')])
      expect(whyNoSource({ file })).toBe(tooMany);
    expect(whyNoSource({ file: `/${'a/'.repeat(250)}npm` })).toBeUndefined();
  });

  it('is looked at once for all registries', async () => {
    const registry = (name: string) =>
      `  - { registry_type: npm_registry, url: "https://${name}.example.com", visibility: all, secret: { file: npm } }\n`;
    const text = `organizations: [acme]\nregistries:\n${['one', 'two', 'three'].map(registry).join('')}`;
    const looked: unknown[] = [];
    const whyNoSecret = (location: object) => {
      looked.push(location);
      return 'is forbidden';
    };
    const { problems } = await checkPolicy([{ file: 'p.yaml', text }], { whyNoSecret });
    expect(problems.map(({ place: { line }, message }) => [line, message])).toEqual(
      [3, 4, 5].map((line) => [line, 'registries cannot take a secret from ./npm, which is forbidden']),
    );
    expect(looked).toHaveLength(1);
  });

  it.skipIf(process.platform !== 'linux')(
    'is checked again once it is open, in case it was replaced by a link',
    async () => {
      const file = join(await temporaryDirectory(), 'npm');
      writeFileSync(file, 's3cret');
      const secret = { file, source: 'p.yaml:3' } as SecretReference;
      const replaced: typeof whyNoSource = (location) => {
        const why = whyNoSource(location);
        rmSync(file, { force: true });
        symlinkSync('/proc/self/environ', file);
        return why;
      };
      await expect(readSecrets([{ secret } as PlannedChange], {}, replaced)).rejects.toThrow(
        `p.yaml:3: file ${file} is below /proc, /sys or /dev`,
      );
    },
  );
});
