/** `--private=false`: a flag that takes no value, given one. */
import { UsageError } from './errors.ts';

interface KnownFlag {
  readonly type: string;
  readonly allowNo?: boolean;
}

/**
 * The words with `--x=true` as `--x` and `--x=false` as `--no-x`; oclif would take the value for an argument. Throws
 * UsageError for any other value, and for one that a flag without a `--no-` form cannot have.
 */
export function withoutBooleanValues(words: readonly string[], flags: Readonly<Record<string, KnownFlag>>): string[] {
  const end = words.indexOf('--');
  return words.map((word, index) => {
    const [, name = '', value = ''] = /^--([a-z0-9-]+)=(.*)$/s.exec(word) ?? [];
    const flag = Object.hasOwn(flags, name) ? flags[name] : undefined;
    if (flag?.type !== 'boolean' || (end !== -1 && index > end)) return word;
    if (value === 'true') return `--${name}`;
    if (value === 'false' && flag.allowNo) return `--no-${name}`;
    throw new UsageError(
      `--${name} takes no value${flag.allowNo ? ` but true or false: --${name} or --no-${name}` : ''}. Nothing was sent.`,
    );
  });
}
