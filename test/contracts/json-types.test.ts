import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryDirectory } from '../support/run.ts';
import { commands, root } from './commands.ts';

/** Nobody knows what a request answers that no endpoint declares. */
const unknownToAll = ['api'];

it('every command except api has a type for its JSON', async () => {
  const folder = await temporaryDirectory();
  const lines = [
    `import type { ForgectlCommand } from '${root}src/cli/command/command.ts';`,
    'type Known<C> = C extends ForgectlCommand<infer T> ? (unknown extends T ? false : true) : false;',
    ...commands.map(({ file }, index) => `import type C${index} from '${root}src/commands/${file}.ts';`),
    ...commands.map(({ name }, index) => `export const c${index}: Known<C${index}> = true; // ${name}`),
  ];
  writeFileSync(join(folder, 'types.mts'), lines.join('\n'));
  const settings = {
    extends: join(root, 'tsconfig.json'),
    compilerOptions: { rewriteRelativeImportExtensions: false, typeRoots: [join(root, 'node_modules/@types')] },
    include: ['types.mts', join(root, 'src/**/*.d.ts')],
  };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(settings));

  const { stdout } = spawnSync(join(root, 'node_modules/.bin/tsc'), ['-p', folder, '--pretty', 'false'], {
    encoding: 'utf8',
  });
  const errors = stdout.trim().split('\n');
  const refused = errors.map((error) => {
    const [, line, message] = /types\.mts\((\d+),\d+\): error TS\d+: (.*)/.exec(error) ?? [];
    return line === undefined ? error : `${lines[Number(line) - 1]?.split('// ')[1]}: ${message}`;
  });
  expect(refused).toEqual(unknownToAll.map((name) => `${name}: Type 'true' is not assignable to type 'false'.`));
});
