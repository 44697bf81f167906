import { basename } from 'node:path';
import { ForgectlCommand } from '../cli/command/command.ts';
import { completionModel } from '../cli/completion/model.ts';
import { type Shell, scripts, shells } from '../cli/completion/scripts.ts';
import { UsageError } from '../cli/errors.ts';
import { optionalWordArg } from '../cli/input/args.ts';
import { fullConfig } from '../cli/lookup/config.ts';
import { fieldsPrinted } from '../cli/result/field-list.ts';
import { PlainText } from '../cli/result/result.ts';

/** How the shell loads the script now, and how it does in every session. */
const installation: Readonly<Record<Shell, readonly [now: string, always: string]>> = {
  bash: ['eval "$(forgectl autocomplete bash)"', 'put that line into ~/.bashrc'],
  zsh: ['eval "$(forgectl autocomplete zsh)"', 'put that line into ~/.zshrc'],
  fish: [
    'forgectl autocomplete fish | source',
    'forgectl autocomplete fish > ~/.config/fish/completions/forgectl.fish',
  ],
  powershell: ['forgectl autocomplete powershell | Out-String | Invoke-Expression', 'put that line into $PROFILE'],
};

export default class Autocomplete extends ForgectlCommand<PlainText> {
  static override summary = 'Print a script that completes commands in your shell';
  static override description =
    `Prints a script with which Tab completes topics, commands, flags, the words that flags and arguments take, names of fields, profiles and
files. PowerShell takes it with forgectl autocomplete powershell | Out-String | Invoke-Expression, in $PROFILE for every session. The
script holds all that it needs, and reads the names of profiles off the settings file, so Tab runs no forgectl. One that was kept in a
file is printed anew after an update. Nothing is sent.`;
  static override examples = [
    {
      description: 'For bash, in every session',
      command: `echo 'eval "$(<%= config.bin %> autocomplete bash)"' >> ~/.bashrc`,
    },
    {
      description: 'For zsh, in every session',
      command: `echo 'eval "$(<%= config.bin %> autocomplete zsh)"' >> ~/.zshrc`,
    },
    {
      description: 'For fish, in every session',
      command:
        'mkdir -p ~/.config/fish/completions && <%= config.bin %> autocomplete fish > ~/.config/fish/completions/forgectl.fish',
    },
  ];
  static override args = { shell: optionalWordArg('SHELL', shells, 'Shell, by default the one in $SHELL') };

  async run() {
    const { args } = await this.parse(Autocomplete);
    const shell = args.shell ?? shellIn(this.runtime.env);
    const config = await fullConfig();
    const script = scripts[shell](
      completionModel(config, (id) => fieldsPrinted(id, config.root, 1).map(({ field }) => field)),
    );
    const [now, always] = installation[shell];
    const note = `To load it now: ${now}\nTo have it in every session: ${always}`;
    return new PlainText(script.trimEnd(), this.runtime.terminal.stdoutIsTTY ? note : undefined);
  }
}

/** The shell that the person logs in with. Throws UsageError for one that there is no script for. */
function shellIn({ SHELL, PSModulePath }: NodeJS.ProcessEnv): Shell {
  const name = basename(SHELL ?? '');
  if (name === 'pwsh' || (!SHELL && PSModulePath)) return 'powershell';
  const shell = shells.find((known) => known === name);
  if (shell) return shell;
  throw new UsageError(
    SHELL ? `There is no completion for ${SHELL}.` : 'Cannot tell which shell this is: SHELL is not set.',
    `Name one: forgectl autocomplete ${shells.join(', ').replace(/, (\w+)$/, ' or $1')}.`,
  );
}
