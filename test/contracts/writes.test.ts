import { describe, expect, it } from 'vitest';
import type { PreviewedRequest } from '../../src/cli/result/result.ts';
import { endpointsByRoute } from '../../src/platform/endpoints/index.ts';
import { pathOf, type ScriptedPlatform, scriptedPlatform } from '../support/platform.ts';
import { askingCommands, changesSomething, commands, hasFlag, methodsOf } from './commands.ts';
import {
  type Invocation,
  invocationsOf,
  invoke,
  reads,
  routeOf,
  secrets,
  storagePath,
  succeed,
} from './invocations.ts';

const asking = askingCommands.filter(({ name }) => name !== 'api');
const changing = asking.filter(changesSomething);

/** They change every repository of an organization at once. */
const sweeping = ['orgs security disable', 'orgs security enable'];
/** They change what people can do with a repository, or where it is. */
const momentous = ['members convert', 'repos archive', 'repos transfer', 'repos unarchive'];
const confirmed = changing.filter(
  (command) => methodsOf(command).includes('DELETE') || [...sweeping, ...momentous].includes(command.name),
);

/** The command that sends whatever it is told to. */
const rawRemoval: Invocation = { line: 'api DELETE /orgs/acme/private-registries/NPM_SECRET' };

/** An inherited setting comes back and nothing is lost, so nobody is asked. */
const removesUnasked = ['hooks unset'];

/** Commands with a flag that enables something, which nobody is asked about. */
const enables = ({ line }: Invocation): boolean => line.endsWith(' --enable');

/** Declared routes, and what is none as it was asked. */
const routesSent = ({ requests }: ScriptedPlatform): readonly string[] =>
  requests
    .filter((request) => pathOf(request) !== storagePath)
    .map((request) => routeOf(request.method, pathOf(request)) ?? `${request.method} ${pathOf(request)}`);

/** The kind of response to a request. */
const answerKind = ({ method, url }: PreviewedRequest) =>
  endpointsByRoute.get(routeOf(method, pathOf({ url: url.slice(new URL(url).origin.length) })) ?? '')?.answer.kind;

/** What a request says, without what each connection and each sealing makes anew. */
function comparable({ method, url, headers, body }: PreviewedRequest) {
  const { accept, authorization, 'content-type': type, 'x-github-api-version': version } = lowerCased(headers);
  const { encrypted_value: sealed, ...fields } = (body ?? {}) as Readonly<Record<string, unknown>>;
  return {
    request: `${method} ${url.slice(new URL(url).origin.length)}`,
    headers: { accept, authorized: authorization !== undefined, type, version },
    body: body === undefined ? undefined : { ...fields, sealed: sealed !== undefined },
  };
}

const lowerCased = (headers: Readonly<Record<string, string>>): Readonly<Record<string, string | undefined>> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

/** The requests that changed something. */
const writesTo = ({ requests }: ScriptedPlatform) =>
  requests
    .filter(({ method }) => method !== 'GET')
    .map(({ method, url, headers, body }) =>
      comparable({
        method: method as PreviewedRequest['method'],
        url: `http://localhost${url}`,
        headers: headers as Record<string, string>,
        ...(body === '' ? {} : { body: JSON.parse(body) as unknown }),
      }),
    );

const linesOf = (some: readonly { readonly name: string }[]): readonly Invocation[] =>
  some.flatMap(({ name }) => invocationsOf(name));

describe('requests', () => {
  it.each(asking)('$name sends exactly the requests that it declares', async (command) => {
    const platform = await scriptedPlatform(succeed);
    expect(invocationsOf(command.name), 'command lines in test/contracts/invocations.ts').not.toEqual([]);
    for (const invocation of invocationsOf(command.name)) {
      const { stderr, code } = await invoke(invocation, platform.env, changesSomething(command) ? ['--yes'] : []);
      expect({ ...invocation, code, stderr }).toMatchObject({ code: 0 });
    }
    expect([...new Set(routesSent(platform))].sort()).toEqual([...command.requests].sort());
  });
});

describe('results', () => {
  it.each(linesOf(asking))('$line prints one JSON document with --json', async (invocation) => {
    const platform = await scriptedPlatform(succeed);
    const asks = linesOf(confirmed).some(({ line }) => line === invocation.line);
    const { stdout } = await invoke(invocation, platform.env, [...(asks ? ['--yes'] : []), '--json']);
    expect(JSON.parse(stdout)).toEqual(expect.any(Object));
  });
});

describe('commands that change something', () => {
  it.each(changing)('$name accepts --dry-run and --yes', (command) => {
    expect([hasFlag(command, 'dry-run'), hasFlag(command, 'yes')]).toEqual([true, true]);
  });

  it.each([...linesOf(changing).filter((invocation) => !reads(invocation)), rawRemoval])(
    '$line --dry-run sends no writes, and prints exactly the requests that would be sent',
    async (invocation) => {
      const platform = await scriptedPlatform(succeed);
      const { stdout, stderr, code } = await invoke(invocation, platform.env, ['--json', '--dry-run', '--debug']);
      expect(code).toBe(0);
      expect(writesTo(platform)).toEqual([]);
      for (const secret of secrets) expect(stdout + stderr).not.toContain(secret);
      await invoke(invocation, platform.env, ['--yes']);
      const result = JSON.parse(stdout) as PreviewedRequest | readonly PreviewedRequest[];
      const planned = [result].flat();
      // A later run of each completes several writes without the responses to those that are done; of a template, it
      // would create the repository again, which the platform refuses.
      if (Array.isArray(result) && !invocation.line.includes(' --template '))
        expect(new Set(planned.map(answerKind))).toEqual(new Set(['nothing']));
      expect(planned.length).toBeGreaterThan(0);
      expect(planned.map(comparable)).toEqual(writesTo(platform));
    },
  );

  it.each(linesOf(changing.filter((command) => !confirmed.includes(command))))(
    '$line does not prompt',
    async (invocation) => {
      const platform = await scriptedPlatform(succeed);
      expect(await invoke(invocation, platform.env, [])).toMatchObject({ code: 0 });
      expect(platform.requests.at(-1)).toBeDefined();
    },
  );
});

describe('commands that require confirmation', () => {
  it('are those that send DELETE, change every repository, archive or transfer one, or end a membership; only hooks unset does not prompt', () => {
    expect(confirmed.map(({ name }) => name)).toEqual(expect.arrayContaining(removesUnasked));
  });

  const asked = linesOf(confirmed.filter(({ name }) => !removesUnasked.includes(name)));

  it.each([...asked.filter((invocation) => !reads(invocation) && !enables(invocation)), rawRemoval])(
    '$line sends nothing without --yes and without a terminal',
    async (invocation) => {
      const platform = await scriptedPlatform(succeed);
      const { stdout, stderr, code } = await invoke(invocation, platform.env, []);
      expect(platform.requests).toEqual([]);
      expect(stdout).toBe('');
      expect(stderr).toMatch(/^forgectl: Nothing was sent\. This \S.+; confirm with --yes\.\n$/);
      expect(code).toBe(2);
    },
  );

  it.each(linesOf(commands.filter(({ name }) => removesUnasked.includes(name))))(
    '$line does not prompt, because nothing is lost',
    async (invocation) => {
      const platform = await scriptedPlatform(succeed);
      expect(await invoke(invocation, platform.env, [])).toMatchObject({ code: 0 });
      expect(platform.requests.map(({ method }) => method)).toEqual(['DELETE']);
    },
  );
});

describe('commands that only read', () => {
  /** One replaces the login of a profile; others change something only if told to. */
  const others = ['api', 'auth login', 'each', 'policy apply'];

  it.each(commands.filter((command) => !others.includes(command.name) && !changesSomething(command)))(
    '$name accepts neither --dry-run nor --yes',
    (command) => {
      expect([hasFlag(command, 'dry-run'), hasFlag(command, 'yes')]).toEqual([false, false]);
    },
  );
});
