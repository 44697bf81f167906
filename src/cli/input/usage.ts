/** Usage lines of commands. */

/** Returns the name of a command as typed, from oclif's ID. */
export const typedName = (id: string): string => id.replaceAll(':', ' ');

/** The arguments in a usage line, by name. */
export type UsedArguments = Readonly<Record<string, { readonly required?: boolean; readonly multiple?: boolean }>>;

/** Returns a command's usage line, with its required flags. */
export function usageOf(id: string, args: UsedArguments, flags: readonly string[] = []): string {
  const labels = Object.entries(args).map(([name, arg]) => argumentLabel(name, arg));
  return ['forgectl', typedName(id), ...labels, ...flags, '[FLAGS]'].join(' ');
}

export function argumentLabel(name: string, { required, multiple }: UsedArguments[string]): string {
  const word = `${name.toUpperCase()}${multiple ? '…' : ''}`;
  return required ? word : `[${word}]`;
}

/** The command being parsed, as in oclif. */
export interface ParsedCommand {
  /** With colons. */
  readonly id: string;
  readonly args: UsedArguments;
  readonly flags: Readonly<Record<string, ParsedFlag>>;
  readonly baseFlags: Readonly<Record<string, ParsedFlag>>;
}

interface ParsedFlag {
  readonly type: 'boolean' | 'option';
  readonly allowNo?: boolean;
  readonly helpValue?: string | string[] | undefined;
  /** The words that it accepts. */
  readonly options?: readonly string[] | undefined;
}

export function usageAdvice({ id, args, flags }: ParsedCommand, missing: readonly string[] = []): string {
  const words = missing.map((name) => {
    const flag = flags[name];
    return flag?.type === 'option' ? `--${name}=${flag.helpValue ?? 'VALUE'}` : `--[no-]${name}`;
  });
  return `Usage: ${usageOf(id, args, words)}`;
}
