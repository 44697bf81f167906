import { basename } from 'node:path';
import { examples, ForgectlCommand } from '../cli/command/command.ts';
import { completionModel } from '../cli/completion/model.ts';
import { type Shell, scripts, shells } from '../cli/completion/scripts.ts';
import { UsageError } from '../cli/errors.ts';
import { optionalWordArg } from '../cli/input/args.ts';
import { fullConfig } from '../cli/lookup/config.ts';
import { fieldsPrinted } from '../cli/result/field-list.ts';
import { PlainText } from '../cli/result/result.ts';

/** The commands that load the script now and in every session. */
const installation: Readonly<Record<Shell, readonly [now: string, always: string]>> = {
  bash: ['eval "$(forgectl autocomplete bash)"', 'add that line to ~/.bashrc'],
  zsh: ['eval "$(forgectl autocomplete zsh)"', 'add that line to ~/.zshrc'],
  fish: [
    'forgectl autocomplete fish | source',
    'forgectl autocomplete fish > ~/.config/fish/completions/forgectl.fish',
  ],
  powershell: ['forgectl autocomplete powershell | Out-String | Invoke-Expression', 'add that line to $PROFILE'],
};

export default class Autocomplete extends ForgectlCommand<PlainText> {
  static override summary = 'Print a shell completion script';
  static override description =
    `Prints a script that completes topics, commands, flags, enumerated values, field names, profiles and files with Tab.
The script is self-contained and reads profile names from the settings file, so Tab does not start forgectl. If you
save the script to a file, print it again after an update. In PowerShell, add this line to $PROFILE: forgectl
autocomplete powershell | Out-String | Invoke-Expression. Sends no requests.`;
  static override examples = examples({
    'Enable completion in every bash session': `echo 'eval "$(forgectl autocomplete bash)"' >> ~/.bashrc`,
    'Enable completion in every zsh session': `echo 'eval "$(forgectl autocomplete zsh)"' >> ~/.zshrc`,
    'Enable completion in every fish session':
      'mkdir -p ~/.config/fish/completions && forgectl autocomplete fish > ~/.config/fish/completions/forgectl.fish',
  });
  static override args = { shell: optionalWordArg('SHELL', shells, 'Shell (default: $SHELL)') };

  async run() {
    const { args } = await this.parse(Autocomplete);
    const shell = args.shell ?? shellIn(this.runtime.env);
    const config = await fullConfig();
    const script = scripts[shell](
      completionModel(config, (id) => fieldsPrinted(id, config.root, 1).map(({ field }) => field)),
    );
    const [now, always] = installation[shell];
    const note = `To load it now: ${now}\nTo load it in every session: ${always}`;
    return new PlainText(script.trimEnd(), this.runtime.terminal.stdoutIsTTY ? note : undefined);
  }
}

/** Returns the login shell. Throws UsageError for an unsupported shell. */
function shellIn({ SHELL, PSModulePath }: NodeJS.ProcessEnv): Shell {
  const name = basename(SHELL ?? '');
  if (name === 'pwsh' || (!SHELL && PSModulePath)) return 'powershell';
  const shell = shells.find((known) => known === name);
  if (shell) return shell;
  throw new UsageError(
    SHELL ? `Completion is not supported for ${SHELL}.` : 'Could not detect the shell: SHELL is not set.',
    `Specify one: forgectl autocomplete ${shells.join(', ').replace(/, (\w+)$/, ' or $1')}.`,
  );
}
