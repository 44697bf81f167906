import { Config } from '@oclif/core/config';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { fullConfig, runConfig } from '../../../src/cli/lookup/config.ts';
import { root } from '../../contracts/commands.ts';

afterEach(() => vi.unstubAllEnvs());

describe('the config of a run', () => {
  it.each([
    {},
    { HOME: '/home/somebody', XDG_CONFIG_HOME: '', XDG_CACHE_HOME: '' },
    { HOME: '/home/somebody', XDG_CONFIG_HOME: '/settings', XDG_CACHE_HOME: '/caches' },
    { FORGECTL_CONFIG_DIR: '/mine/settings', FORGECTL_CACHE_DIR: '/mine/caches' },
  ])('has the same package, version and directories as with oclif, with %j', async (env) => {
    for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
    const { name, version, bin, dirname, home, configDir, topicSeparator, windows } = await runConfig();
    expect(await Config.load({ root })).toMatchObject({
      name,
      version,
      bin,
      dirname,
      home,
      configDir,
      topicSeparator,
      windows,
    });
    expect([name, bin, topicSeparator]).toEqual(['forgectl', 'forgectl', ' ']);
  });
});

describe('the config with all commands', () => {
  it('has the same commands as with oclif', async () => {
    const [ours, theirs] = [await fullConfig(), await Config.load({ root })];
    const facts = ({ id, summary, flags, args, hidden }: Config['commands'][number]) => ({
      id,
      summary,
      flags,
      args,
      hidden,
    });
    expect(ours.commands.map(facts)).toEqual(theirs.commands.map(facts));
    expect(ours.commandIDs).toEqual(theirs.commandIDs);
    expect(ours.findCommand('orgs:get')).toMatchObject({ id: 'orgs:get', summary: 'Show an organization' });
  });

  it('has the same topics as with oclif', async () => {
    const [ours, theirs] = [await fullConfig(), await Config.load({ root })];
    const facts = ({ name, description }: Config['topics'][number]) => ({ name, description });
    const byName = (one: { name: string }, other: { name: string }) => (one.name < other.name ? -1 : 1);
    expect(ours.topics.map(facts).sort(byName)).toEqual(theirs.topics.map(facts).sort(byName));
    expect(ours.findTopic('orgs:security')).toMatchObject({ name: 'orgs:security' });
  });
});
