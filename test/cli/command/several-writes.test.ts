/** A command that sends several writes side by side: each has an outcome of its own. */
import { expect, it } from 'vitest';
import { ForgectlCommand } from '../../../src/cli/command/command.ts';
import { writeFlags } from '../../../src/cli/input/flags.ts';
import { runConfig } from '../../../src/cli/lookup/config.ts';
import type { main } from '../../../src/cli/run/main.ts';
import { attachRuntime, type Runtime } from '../../../src/cli/runtime.ts';
import { PlannedRequest } from '../../../src/client/request.ts';
import { updateOrganization } from '../../../src/platform/endpoints/orgs.ts';
import { type Script, scriptedPlatform } from '../../support/platform.ts';
import { instantClock, run } from '../../support/run.ts';

interface Renamed {
  readonly logins: readonly string[];
}

class RenameBoth extends ForgectlCommand<Renamed> {
  static override flags = writeFlags;

  async run() {
    await this.parse(RenameBoth);
    const rename = (org: string) =>
      this.write(
        updateOrganization,
        { path: { org }, body: { name: 'Rockets' } },
        { verifyCommand: `forgectl orgs get ${org}` },
      );
    const outcomes = await Promise.allSettled([rename('acme'), rename('globex')]);
    const answers = outcomes.map((outcome) => {
      if (outcome.status === 'rejected') throw outcome.reason;
      return outcome.value;
    });
    const planned = answers.filter((answer) => answer instanceof PlannedRequest);
    if (planned.length > 0) return planned;
    return { logins: answers.flatMap((answer) => (answer instanceof PlannedRequest ? [] : answer.login)) };
  }
}

interface Trial {
  readonly words?: readonly string[];
  readonly clock?: Runtime['clock'];
}

/** Runs the command; `interrupt` is what Ctrl-C does. */
async function renameBoth(script: (interrupt: () => void) => Script, { words = [], clock }: Trial = {}) {
  let interrupt = () => {};
  const platform = await scriptedPlatform(script(() => interrupt()));
  const program: typeof main = async (argv, given) => {
    const onInterrupt = (taker: () => void) => {
      interrupt = taker;
      return () => {};
    };
    const runtime: Runtime = { ...(given as Runtime), onInterrupt };
    const config = await runConfig();
    attachRuntime(config, runtime);
    await new RenameBoth([...argv], config)._run();
  };
  return { platform, ...(await run(words, { env: platform.env, program, ...(clock ? { clock } : {}) })) };
}

const acme = { body: { login: 'acme' } };
const globex = { body: { login: 'globex' } };

it('prints its result after all writes', async () => {
  const { stdout, code } = await renameBoth(() => ({ 'PATCH /orgs/acme': acme, 'PATCH /orgs/globex': globex }), {
    words: ['--json'],
  });
  expect({ result: JSON.parse(stdout), code }).toEqual({ result: { logins: ['acme', 'globex'] }, code: 0 });
});

it('prints all requests of a dry run, and sends none', async () => {
  const { platform, stdout, stderr, code } = await renameBoth(() => ({}), { words: ['--dry-run'] });
  expect(stdout.split('\n').filter((line) => /^PATCH|^authorization/.test(line))).toEqual([
    `PATCH ${platform.baseUrl}/orgs/acme`,
    'authorization: Bearer ********',
    `PATCH ${platform.baseUrl}/orgs/globex`,
    'authorization: Bearer ********',
  ]);
  expect({ stderr, code, sent: platform.requests }).toEqual({
    stderr: 'Dry run: nothing was sent.\n',
    code: 0,
    sent: [],
  });
});

it('an interruption reports writes without a response, but not those not yet sent', async () => {
  const { stderr } = await renameBoth((interrupt) => ({
    'PATCH /orgs/acme': () => {
      interrupt();
      return acme;
    },
    'PATCH /orgs/globex': globex,
  }));
  expect(stderr).toBe(
    [
      'forgectl: Interrupted before the response to PATCH /orgs/acme; the change may have happened.',
      'Check the result before you retry: forgectl orgs get acme.\n',
    ].join('\n'),
  );
});

it('does not report a write that waits for a rate limit when it is interrupted', async () => {
  let interrupt = () => {};
  const { stderr } = await renameBoth(
    (interrupted) => {
      interrupt = interrupted;
      let asked = 0;
      return {
        'PATCH /orgs/acme': () =>
          asked++ === 0 ? { status: 429, headers: { 'retry-after': '7' }, body: { message: 'slow down' } } : acme,
        'PATCH /orgs/globex': globex,
      };
    },
    { clock: { ...instantClock(), sleep: async () => interrupt() } },
  );
  expect(stderr).toContain('forgectl: Interrupted\n');
  expect(stderr).not.toContain('Whether');
});

it('reports only the writes still without a response when it is interrupted', async () => {
  const { stderr } = await renameBoth((interrupt) => ({
    'PATCH /orgs/acme': acme,
    'PATCH /orgs/globex': () => {
      interrupt();
      return globex;
    },
  }));
  expect(stderr).toContain('the response to PATCH /orgs/globex; the change may have happened.');
});

it('gives advice about the write that failed, not about the one sent last', async () => {
  const { stderr, code } = await renameBoth(() => ({
    'PATCH /orgs/acme': { status: 500, body: { message: 'Server Error' } },
    'PATCH /orgs/globex': globex,
  }));
  expect(code).toBe(8);
  expect(stderr).toContain('Check the result before you retry: forgectl orgs get acme.');
});
