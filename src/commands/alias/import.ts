import * as Flags from '@oclif/core/flags';
import { changeAliases } from '../../cli/account/aliases.ts';
import { examples, ForgectlCommand } from '../../cli/command/command.ts';
import { UsageError } from '../../cli/errors.ts';
import { fileArg } from '../../cli/input/args.ts';
import { parseDocument } from '../../cli/input/body-input.ts';
import { nameOf, readSource } from '../../cli/input/sources.ts';
import { checkedAlias, whyTaken } from '../../cli/lookup/aliases.ts';
import { isObject } from '../../json/exact-json.ts';
import { type Alias, aliasColumns } from '../../topics/alias-columns.ts';

export default class AliasImport extends ForgectlCommand<Alias[]> {
  static override summary = 'Import aliases from a file';
  static override description =
    `Reads aliases from a YAML or JSON file: what “forgectl alias list -o yaml” prints, or a mapping of names to command
lines. If one of them is invalid, or exists with another command line, none is imported. Sends no requests.`;
  static override examples = examples({
    'Import aliases': 'forgectl alias import aliases.yaml',
    'Replace existing ones': 'forgectl alias import aliases.yaml --force',
  });
  static override args = { file: fileArg('YAML or JSON file; - is standard input') };
  static override flags = { force: Flags.boolean({ description: 'Replace existing aliases' }) };

  protected override readonly columns = aliasColumns;
  protected override readonly idField = 'name';

  async run() {
    const { args, flags } = await this.parse(AliasImport);
    const name = nameOf(args.file);
    const imported: Alias[] = [];
    const problems: string[] = [];
    for (const [alias, line] of linesIn(
      name,
      await parseDocument(name, await readSource(args.file, this.runtime.stdin)),
    ))
      try {
        imported.push({ name: alias, command: checkedAlias(alias, line, this.runtime.env) });
      } catch (error) {
        if (!(error instanceof UsageError)) throw error;
        problems.push(error.message);
      }
    await changeAliases(this.settingsDirectory, (aliases) => {
      const taken = imported.flatMap((each) => whyTaken(each.name, each.command, aliases) ?? []);
      const all = flags.force ? problems : [...problems, ...taken];
      if (all.length > 0)
        throw new UsageError(
          [`${name} was not imported:`, ...all].join('\n'),
          problems.length > 0 || taken.length === 0 ? undefined : 'To replace existing aliases, add --force.',
        );
      return { ...aliases, ...Object.fromEntries(imported.map((each) => [each.name, each.command])) };
    });
    return imported;
  }
}

/** Returns the names and command lines of a document. Throws UsageError. */
function linesIn(name: string, document: unknown): readonly (readonly [name: string, line: string])[] {
  const entries = Array.isArray(document)
    ? document.map((each) => (isObject(each) ? [each.name, each.command] : []))
    : Object.entries(isObject(document) ? document : { '': undefined });
  if (entries.every((entry): entry is [string, string] => entry.every(isText) && entry.length === 2)) return entries;
  throw new UsageError(`${name} must contain a mapping of names to command lines.`);
}

const isText = (value: unknown): value is string => typeof value === 'string';
