import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { requireFixFiles, writeFixFiles } from '../../../src/topics/audit/fix-files.ts';
import { fixFiles } from '../../../src/topics/audit/fix-policy.ts';
import { temporaryDirectory } from '../../support/run.ts';

it('owners whose files would have the same name, or differ only in case, each get their own', () => {
  const settings = { location: 'Oslo' };
  const policies = [
    { organizations: ['enterprise-sandbox'], settings },
    { enterprise: 'sandbox', settings },
    { organizations: ['Acme'], settings },
    { organizations: ['acme'], settings },
  ];
  expect(fixFiles(policies)).toEqual([
    { name: 'Acme.yaml', document: { organizations: ['Acme'], settings } },
    { name: 'acme-2.yaml', document: { organizations: ['acme'], settings } },
    { name: 'enterprise-sandbox.yaml', document: { organizations: ['enterprise-sandbox'], settings } },
    { name: 'enterprise-sandbox-2.yaml', document: { enterprise: 'sandbox', settings } },
  ]);
});

it.skipIf(process.platform === 'win32')(
  'No file is replaced without --force, also behind the parent of a link',
  async () => {
    const directory = await temporaryDirectory();
    mkdirSync(join(directory, 'elsewhere/deep'), { recursive: true });
    symlinkSync('elsewhere/deep', join(directory, 'link'));
    const file = join(directory, 'elsewhere/acme.yaml');
    writeFileSync(file, 'mine');
    const folder = `${directory}/link/..`;
    const policies = [{ organizations: ['acme'], settings: {} }];
    expect(() => requireFixFiles(folder, ['acme.yaml'], false)).toThrow('acme.yaml already exists.');
    await expect(writeFixFiles(folder, policies, false)).rejects.toThrow('acme.yaml already exists.');
    expect(readFileSync(file, 'utf8')).toBe('mine');
    await writeFixFiles(folder, policies, true);
    expect(readFileSync(file, 'utf8')).toContain('acme');
    expect(readdirSync(join(directory, 'elsewhere'))).toEqual(['acme.yaml', 'deep']);
  },
);
