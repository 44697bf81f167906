import { readAliases } from '../../cli/account/aliases.ts';
import { type AllowedExtension, readAllowed } from '../../cli/account/allowed-extensions.ts';
import { examples, ForgectlCommand } from '../../cli/command/command.ts';
import { whereFlag } from '../../cli/input/flags.ts';
import { allExtensions, type Extension } from '../../cli/lookup/extensions.ts';
import { isOwnWord } from '../../cli/lookup/load-command.ts';
import { readProgram, reasonOf } from '../../disk/programs.ts';
import { ownMember } from '../../json/exact-json.ts';
import { type ExtensionRecord, extensionColumns } from '../../topics/extension-columns.ts';

export default class ExtensionsList extends ForgectlCommand<ExtensionRecord[]> {
  static override summary = 'List extensions and whether they may run';
  static override description =
    `Lists the programs on PATH that are commands: forgectl-NAME is “forgectl NAME”. allowed ones run; new and changed ones
prompt first. Others are refused because someone else could have changed them, hidden by a command or an alias, or missing
from PATH. Sends no requests.`;
  static override examples = examples({
    'List all extensions': 'forgectl extensions list',
    'Show those that changed since you allowed them': `forgectl extensions list --where '.state == "changed"'`,
  });
  static override flags = whereFlag('.state == "allowed"');

  protected override readonly columns = extensionColumns;
  protected override readonly idField = 'name';
  protected override emptyText = 'No extensions: PATH has no program forgectl-NAME.';

  async run() {
    await this.parse(ExtensionsList);
    const allowed = readAllowed(this.settingsDirectory);
    const aliases = readAliases(this.settingsDirectory);
    const found = allExtensions(this.runtime.env);
    const missing = Object.keys(allowed).filter((name) => !found.some((each) => each.name === name));
    return [
      ...found.map((each) => recordOf(each, ownMember(allowed, each.name), hiddenBy(each.name, aliases))),
      ...missing.map((name) => missingRecord(name, allowed[name] as AllowedExtension)),
    ].toSorted((one, other) => (one.name < other.name ? -1 : 1));
  }
}

function hiddenBy(name: string, aliases: Readonly<Record<string, string>>): string | undefined {
  if (isOwnWord(name)) return `“forgectl ${name}” is a command of forgectl`;
  return Object.hasOwn(aliases, name) ? `“forgectl ${name}” is an alias` : undefined;
}

function recordOf(
  { name, program }: Extension,
  allowed: AllowedExtension | undefined,
  hidden: string | undefined,
): ExtensionRecord {
  const { token = false, allowed_at = null } = allowed ?? {};
  const { path, problem } = program;
  const record = { name, reason: null, token, path, sha256: null, allowed_at };
  if (hidden !== undefined) return { ...record, state: 'hidden', reason: hidden };
  if (problem !== undefined) return { ...record, state: 'refused', reason: problem };
  try {
    const { file, sha256 } = readProgram(program);
    const isSame = allowed?.file === file && allowed.sha256 === sha256;
    return { ...record, sha256, state: isSame ? 'allowed' : allowed ? 'changed' : 'new' };
  } catch (error) {
    return { ...record, state: 'refused', reason: reasonOf(error) };
  }
}

const missingRecord = (name: string, { file, sha256, token, allowed_at }: AllowedExtension): ExtensionRecord => ({
  ...{ name, state: 'missing', reason: null, token, path: file, sha256, allowed_at },
});
