/** The shells that forgectl can complete in, with the script and how it is loaded. */
import { bashScript } from './bash.ts';
import { fishScript } from './fish.ts';
import type { CompletionModel } from './model.ts';
import { powershellScript } from './powershell.ts';
import { zshScript } from './zsh.ts';

export const shells = ['bash', 'zsh', 'fish', 'powershell'] as const;

export type Shell = (typeof shells)[number];

export const scripts: Readonly<Record<Shell, (model: CompletionModel) => string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
  powershell: powershellScript,
};
