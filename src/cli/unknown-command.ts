import type { Config } from '@oclif/core/config';
import { UsageError } from './errors.ts';
import { closest } from './suggest.ts';

/** The error for words that name neither a command nor a topic, with the command that was probably meant. */
export function unknownCommand(config: Config, id: string): UsageError {
  if (id.startsWith('-')) return new UsageError(`A command comes first, and ${id} is not one.`, 'See “forgectl help”.');
  const words = id.replaceAll(':', ' ');
  const known = config.commandIDs.map((name) => name.replaceAll(':', ' '));
  const near = closest(words, known);
  return new UsageError(
    `There is no command “${words}”.`,
    near ? `Did you mean “forgectl ${near}”? “forgectl help” lists all.` : '“forgectl help” lists all commands.',
  );
}
