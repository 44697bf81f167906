import { changeAllowed, readAllowed } from '../../cli/account/allowed-extensions.ts';
import { examples, ForgectlCommand } from '../../cli/command/command.ts';
import { UsageError } from '../../cli/errors.ts';
import { nameArg } from '../../cli/input/args.ts';
import { ownMember } from '../../json/exact-json.ts';
import type { Column } from '../../output/table/columns.ts';

interface ForgottenExtension {
  name: string;
  path: string;
  /** SHA-256 in hexadecimal. */
  sha256: string;
}

export default class ExtensionsForget extends ForgectlCommand<ForgottenExtension> {
  static override summary = 'Forget that an extension may run';
  static override description =
    'Forgets an extension, which then prompts before it runs again and gets no token. Its file stays. Sends no requests.';
  static override examples = examples({
    'Forget an extension': 'forgectl extensions forget report',
    'Print the file that could run': 'forgectl extensions forget report --jq .path',
  });
  static override args = { extension: nameArg('NAME', 'Name of the extension, without “forgectl-”') };

  protected override readonly columns: readonly Column<ForgottenExtension>[] = [
    { header: 'Name', get: 'name' },
    { header: 'Path', get: 'path' },
    { header: 'SHA-256', get: 'sha256' },
  ];

  protected override readonly idField = 'name';

  protected override promptable(argument: string, given: object) {
    return { ...super.promptable(argument, given), options: Object.keys(readAllowed(this.settingsDirectory)) };
  }

  async run() {
    const { args } = await this.parse(ExtensionsForget);
    const name = args.extension;
    const allowed = readAllowed(this.settingsDirectory);
    const known = ownMember(allowed, name);
    if (!known)
      throw new UsageError(
        `The extension “${name}” has not been allowed.`,
        'List the extensions with “forgectl extensions list”.',
      );
    await changeAllowed(this.settingsDirectory, ({ [name]: _, ...others }) => others);
    return { name, path: known.file, sha256: known.sha256 };
  }
}
