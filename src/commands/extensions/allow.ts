import * as Flags from '@oclif/core/flags';
import { changeAllowed } from '../../cli/account/allowed-extensions.ts';
import { examples, ForgectlCommand } from '../../cli/command/command.ts';
import { GuardError, UsageError } from '../../cli/errors.ts';
import { nameArg } from '../../cli/input/args.ts';
import { valueFlag } from '../../cli/input/flags.ts';
import { BadValue } from '../../cli/input/values.ts';
import { extensionNamed, unknownExtension, usableExtensions } from '../../cli/lookup/extensions.ts';
import { readProgram, reasonOf } from '../../disk/programs.ts';
import type { Column } from '../../output/table/columns.ts';
import { type ExtensionRecord, extensionColumns } from '../../topics/extension-columns.ts';

const sha256 = (text: string): string => {
  if (!/^[0-9a-f]{64}$/i.test(text)) throw new BadValue('must be 64 hexadecimal digits');
  return text.toLowerCase();
};

export default class ExtensionsAllow extends ForgectlCommand<ExtensionRecord> {
  static override summary = 'Allow an extension to run';
  static override description =
    `Allows the file that forgectl-NAME on PATH is now, and prints its path and SHA-256. If the file changes, it must be allowed
again. An extension runs with your permissions, so read it first. Without --token, it gets no token, key or other credential
in its environment, and loses one that it got before. Sends no requests.`;
  static override examples = examples({
    'Allow an extension': 'forgectl extensions allow report',
    'Allow one file only, as in a script':
      'forgectl extensions allow report --sha256 d44944c7d3ff8d33a2c25cfc57b50e50463fa6b8eaa2119201b47da262f48d77',
  });
  static override args = { extension: nameArg('NAME', 'Name of the extension, without “forgectl-”') };
  static override flags = {
    sha256: valueFlag('--sha256', sha256, {
      helpValue: 'HASH',
      description: 'Expected SHA-256 of the file; if it differs, nothing is allowed and the exit code is 12',
    }),
    token: Flags.boolean({ description: 'Also pass it the token in use, as FORGECTL_TOKEN' }),
  };

  protected override readonly columns: readonly Column<ExtensionRecord>[] = [
    ...extensionColumns,
    { header: 'SHA-256', get: 'sha256' },
  ];
  protected override readonly idField = 'name';

  protected override promptable(argument: string, given: object) {
    const options = usableExtensions(this.runtime.env).map(({ name }) => name);
    return { ...super.promptable(argument, given), options };
  }

  async run(): Promise<ExtensionRecord> {
    const { args, flags } = await this.parse(ExtensionsAllow);
    const name = args.extension;
    const extension = extensionNamed(name, this.runtime.env);
    if (!extension) throw unknownExtension(name);
    const token = flags.token === true;
    const { path, problem } = extension.program;
    const refuse = (why: string) => new UsageError(`The extension “${name}” was not allowed: ${path} ${why}.`);
    if (problem !== undefined) throw refuse(problem);
    let read: ReturnType<typeof readProgram>;
    try {
      read = readProgram(extension.program);
    } catch (error) {
      throw refuse(reasonOf(error));
    }
    const { file, sha256: found } = read;
    if (flags.sha256 !== undefined && flags.sha256 !== found)
      throw new GuardError(`${path} has SHA-256 ${found}, not ${flags.sha256}. Nothing was allowed.`);
    const allowed_at = this.runtime.terminal.now().toISOString();
    const allowed = { file, sha256: found, token, allowed_at };
    await changeAllowed(this.settingsDirectory, (all) => ({ ...all, [name]: allowed }));
    return { name, state: 'allowed', reason: null, token, path, sha256: found, allowed_at };
  }
}
