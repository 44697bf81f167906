/** Answers whose JSON is right and whose shape is not: every command ends in a result or in one line, never in a crash. */
import { expect, it } from 'vitest';
import { allEndpoints } from '../../src/platform/endpoints/index.ts';
import { commands, hasFlag } from '../contracts/commands.ts';
import { invocationOf, invoke, routeOf, succeed } from '../contracts/invocations.ts';
import { pathOf, type RecordedRequest, type ScriptedAnswer, scriptedPlatform } from '../support/platform.ts';

/** Members that commands read to go on, or that their tables show. */
const members =
  `account actor body budget commit commit_id conditions created_at data enterprise full_name id key key_id
  login message name owner permissions plan rate repositories result rules state updated_at url user`.split(/\s+/);

/** One value in the place of every member. */
const filled = (value: unknown) => Object.fromEntries(members.map((name) => [name, value]));

const shapes: readonly unknown[] = [null, 7, filled(null), filled(7), filled({ a: null })];

/** The shape in the place of each record, or of the whole answer. */
function misshapen(request: RecordedRequest, shape: unknown, whole: boolean): ScriptedAnswer {
  const endpoint = allEndpoints.find(({ route }) => route === routeOf(request.method, pathOf(request)));
  const healthy = succeed(request);
  if (!endpoint || endpoint.answer.kind === 'nothing' || healthy.status === 302) return healthy;
  const list = endpoint.items ? { [endpoint.items]: [shape] } : [shape];
  const body = whole || endpoint.answer.kind === 'record' ? shape : list;
  return { status: endpoint.status, body: JSON.stringify(body) };
}

it.each(commands.filter(({ requests }) => requests.length > 0))(
  '$name never crashes, regardless of the shape of responses',
  async (command) => {
    let [shape, whole]: readonly [unknown, boolean] = [null, false];
    const platform = await scriptedPlatform((request) => misshapen(request, shape, whole));
    const flags = ['--max-wait', '0', '--no-cache', ...(hasFlag(command, 'yes') ? ['--yes'] : [])];
    const invocation = invocationOf(command.name);
    for ([shape, whole] of [...shapes.map((each) => [each, false] as const), [filled(null), true] as const]) {
      const { code, stderr } = await invoke(invocation, platform.env, flags);
      expect({ shape, whole, code, stderr }).not.toMatchObject({ code: 1 });
      expect(stderr).not.toMatch(/inside forgectl|\n\s+at .+:\d+/);
    }
  },
  20_000,
);
