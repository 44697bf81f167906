import type { Config } from '@oclif/core/config';
import type { ForgectlCommand } from './command.ts';

type CommandClass = (new (argv: string[], config: Config) => ForgectlCommand<unknown>) & { id: string };

/**
 * Loads one command and nothing else. oclif's own loader would first look for sources, tsconfig and package types, which
 * is known here.
 */
export async function loadCommand(id: string): Promise<CommandClass> {
  const path = `../commands/${id.replaceAll(':', '/')}.ts`;
  const { default: command } = (await import(path)) as { default: CommandClass };
  command.id = id;
  return command;
}
