import type { Config } from '@oclif/core/config';
import type { ForgectlCommand } from './command.ts';

type CommandClass = (new (argv: string[], config: Config) => ForgectlCommand<unknown>) & { id: string };

/**
 * Loads one command and nothing else. oclif's own loader would first look for sources, tsconfig and package types, which
 * is known here.
 */
export async function loadCommand(id: string): Promise<CommandClass> {
  const listeners = process.stdout.listeners('error');
  const path = `../commands/${id.replaceAll(':', '/')}.ts`;
  const { default: command } = (await import(path)) as { default: CommandClass };
  // oclif's base class listens for errors of stdout, and throws them; the writer has told them already.
  for (const listener of process.stdout.listeners('error'))
    if (!listeners.includes(listener)) process.stdout.off('error', listener as () => void);
  command.id = id;
  return command;
}
