/** One request for the same property values of several repositories does what one for each would do. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { OutcomeUnknownError } from '../../../../src/client/errors.ts';
import type { HttpRequest } from '../../../../src/client/request.ts';
import { Journal } from '../../../../src/fleet/journal/journal.ts';
import { ApplyRun } from '../../../../src/fleet/policy/applying/apply.ts';
import { stepsOf } from '../../../../src/fleet/policy/applying/optional-changes.ts';
import { stepsIn } from '../../../../src/fleet/policy/applying/phases.ts';
import type { Step } from '../../../../src/fleet/policy/live/change.ts';
import { valuesOf } from '../../../../src/sandbox/state/properties.ts';
import { embeddedPlatform } from '../../../support/embedded-platform.ts';
import { temporaryDirectory } from '../../../support/run.ts';
import { embeddedPolicies, policyOf } from '../embedded-policies.ts';

/** `POLICY_CASES=1000` and another `POLICY_SEED` are for a deliberate trial. */
const numRuns = Number(process.env.POLICY_CASES ?? 6);
const seed = Number(process.env.POLICY_SEED ?? 1);
vi.setConfig({ testTimeout: 60_000 + numRuns * 3000 });

const scale = { orgs: 1, repos: 75 };

/** The platform whose writes are batched and go wrong, and one on which each repository is changed alone. */
const embedded = embeddedPlatform(scale);
const twin = embeddedPlatform(scale);
const { planOf } = embeddedPolicies(embedded);

const propertiesPath = '/orgs/acme/properties/values';
const isOfProperties = ({ url }: HttpRequest) => url.endsWith(propertiesPath);
const namesIn = ({ body }: HttpRequest) => JSON.parse(String(body)).repository_names as string[];

function stateOf({ platform }: typeof embedded): Readonly<Record<string, unknown>> {
  const organization = platform.accounts.organization('acme');
  if (!organization) throw new Error('There is no acme.');
  const all = platform.repositories.of(organization);
  return Object.fromEntries(
    all
      .slice(0, all.total)
      .map((repository) => [
        repository.name,
        { archived: repository.archived, description: repository.description, ...valuesOf(platform, repository) },
      ]),
  );
}

const active = Object.entries(stateOf(embedded)).flatMap(([name, state]) =>
  (state as { archived: boolean }).archived ? [] : [name],
);

interface Ended {
  readonly failed: readonly string[];
  readonly results: Readonly<Record<string, string>>;
}

/** Applies steps, and stops after some writes. */
async function applyTo(
  { client }: typeof embedded,
  steps: readonly Step[],
  { journal, signal }: { readonly journal?: Journal; readonly signal?: AbortSignal } = {},
): Promise<Ended> {
  const results: Record<string, string> = {};
  const describeError = (error: unknown) => ({ exit: 1, code: 'error', message: String(error) });
  const run = new ApplyRun(steps, { client, describe: describeError, journal, signal, concurrency: 8 });
  for await (const { target, status } of run) results[target.name] = status;
  return { results, failed: Object.keys(results).filter((name) => !['ok', 'skipped'].includes(results[name] ?? '')) };
}

const setArchived = async (name: string, archived: boolean) => {
  for (const each of [embedded, twin])
    await each.client.request({ method: 'PATCH', path: `/repos/acme/${name}`, body: { archived } });
};

const wishes = fc.array(
  fc.record(
    {
      tier: fc.constantFrom('gold', 'silver'),
      team: fc.constantFrom('core', 'web', null),
      description: fc.constantFrom('one', 'two'),
    },
    { requiredKeys: [] },
  ),
  { minLength: active.length, maxLength: active.length },
);

/** The same wish for many, so that batches are full. */
const alike = fc
  .tuple(fc.constantFrom('gold', 'silver', 'bronze'), fc.constantFrom(active.length, 61, 31, 2))
  .map(([tier, count]) => active.map((_, at) => (at < count ? { tier } : {})));

type Wishes = readonly { readonly description?: string; readonly tier?: string }[];

async function stepsFor(wished: Wishes): Promise<readonly Step[]> {
  const repositories = wished.flatMap(({ description, ...properties }, at) => {
    const parts = {
      ...(description && { settings: { description } }),
      ...(Object.keys(properties).length && { properties }),
    };
    return Object.keys(parts).length ? [{ select: { names: [active[at]] }, ...parts }] : [];
  });
  if (repositories.length === 0) return [];
  const plan = await planOf(await policyOf({ 'p.yaml': { organizations: ['acme'], repositories } }));
  return stepsIn(stepsOf(plan)).steps;
}

/** Returns how many requests the property values of steps need. */
function requestsNeeded(steps: readonly Step[]): number {
  const counts = Map.groupBy(
    steps.filter(({ kind }) => kind === 'properties'),
    ({ body }) => JSON.stringify(body),
  );
  return [...counts.values()].reduce((sum, { length }) => sum + Math.ceil(length / 30), 0);
}

/** Applies each repository alone on the other platform. */
async function applyToTwin(steps: readonly Step[]): Promise<readonly string[]> {
  const failed: string[] = [];
  for (const its of Map.groupBy(steps, ({ target }) => target).values())
    failed.push(...(await applyTo(twin, its)).failed);
  return failed;
}

const lost = (request: HttpRequest) =>
  new OutcomeUnknownError({ method: request.method, path: propertiesPath }, 'lost');

describe('whatever property values the repositories get', () => {
  it('as many requests as needed do the same as one for each, after the other changes of each repository', async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(wishes, alike), async (wished) => {
        const steps = await stepsFor(wished);
        embedded.writes.length = 0;
        expect((await applyTo(embedded, steps)).failed).toEqual([]);
        expect(await applyToTwin(steps)).toEqual([]);
        expect(stateOf(embedded)).toEqual(stateOf(twin));
        expect(await stepsFor(wished)).toEqual([]);
        const batches = embedded.writes.filter(isOfProperties);
        expect(batches).toHaveLength(requestsNeeded(steps));
        expect(batches.filter((each) => namesIn(each).length > 30)).toEqual([]);
        const order = embedded.writes.map((write) =>
          isOfProperties(write) ? namesIn(write) : write.url.split('/').at(-1),
        );
        for (const [at, names] of order.entries())
          if (typeof names !== 'object') expect(order.slice(0, at).flat()).not.toContain(names);
      }),
      { numRuns, seed, endOnFailure: true },
    );
  });

  it('a run that loses writes and responses, is stopped or meets refusals sets each once, and continues from its journal', async () => {
    const faults = fc.array(fc.constantFrom('none', 'lost before', 'lost after', 'stopped'), { maxLength: 6 });
    const archived = fc.subarray(active, { maxLength: 3 });
    const directory = await temporaryDirectory();
    let runs = 0;
    await fc.assert(
      fc.asyncProperty(fc.oneof(wishes, alike), faults, archived, async (wished, planned, refused) => {
        const steps = await stepsFor(wished);
        for (const name of refused) await setArchived(name, true);
        const path = join(directory, `${runs++}.ndjson`);
        const left = [...planned];
        const set: string[] = [];
        const unrecorded: string[] = [];
        let stopping = new AbortController();
        let fault: string | undefined;
        embedded.beforeWrite((request) => {
          fault = isOfProperties(request) ? left.shift() : undefined;
          // Each repository of a request is in the journal before it is sent.
          const journal = readFileSync(path, 'utf8');
          const isRecorded = (name: string) =>
            journal.includes(`{"target":"acme/${name}","sending":"update properties"`);
          if (isOfProperties(request)) unrecorded.push(...namesIn(request).filter((name) => !isRecorded(name)));
          if (fault === 'lost before') throw lost(request);
        });
        const ignore = embedded.afterWrite((request, status) => {
          if (!isOfProperties(request)) return;
          if (status < 300) set.push(...namesIn(request));
          if (fault === 'lost after') throw lost(request);
          if (fault === 'stopped') stopping.abort();
        });
        let ended: Ended;
        // A run for each fault, at most, and one without any.
        for (let run = 0; ; run++) {
          stopping = new AbortController();
          const journal = new Journal(path, { platform: 'x' }, { resume: run > 0 });
          journal.recordTargets([...new Set(steps.map(({ target }) => target))].map((name) => ({ name })));
          const faultsLeft = left.length;
          ended = await applyTo(embedded, steps, { journal, signal: stopping.signal });
          journal.close();
          if (left.length === faultsLeft) break;
        }
        embedded.beforeWrite();
        ignore();
        expect(unrecorded).toEqual([]);
        const failed = await applyToTwin(steps);
        expect(ended.failed.toSorted()).toEqual(failed.toSorted());
        expect(failed.filter((name) => !refused.includes(name.slice('acme/'.length)))).toEqual([]);
        expect(stateOf(embedded)).toEqual(stateOf(twin));
        const due = steps.flatMap(({ kind, target }) => (kind === 'properties' ? [target.slice('acme/'.length)] : []));
        expect(set.toSorted()).toEqual(due.filter((name) => !failed.includes(`acme/${name}`)).toSorted());
        for (const name of refused) await setArchived(name, false);
      }),
      { numRuns, seed, endOnFailure: true },
    );
  });
});
