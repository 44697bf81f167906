import type { Command } from '@oclif/core/command';

/**
 * Loads one command and nothing else. oclif's own loader would first look for sources, tsconfig and package types, which
 * is known here.
 */
export async function loadCommand(id: string): Promise<Command.Class> {
  const path = `../commands/${id.replaceAll(':', '/')}.ts`;
  const { default: command } = (await import(path)) as { default: Command.Class };
  command.id = id;
  return command;
}
