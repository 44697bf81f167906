/**
 * A program that sends a write to each of many repositories, with a journal: what is killed by the tests of `fleet`. Every other
 * repository gets a ruleset, the rest a description.
 */
import { Client } from '../../src/client/client.ts';
import { planRawRequest } from '../../src/client/raw-request.ts';
import { createTransport } from '../../src/client/transport/transport.ts';
import { Journal } from '../../src/fleet/journal/journal.ts';
import { FleetRun, type TargetError } from '../../src/fleet/runner.ts';

const [path = '', baseUrl = '', count = ''] = process.argv.slice(2);
const platform = {
  baseUrl,
  apiVersion: '2022-11-28',
  vendor: 'github',
  alertsSegment: 'dependabot',
  userAgent: 'test',
};
const client = new Client({ platform, transport: createTransport({ maxWaitMs: 5000 }) });

const read = async (path: string) => (await client.request({ method: 'GET', path })).data;
const hasRuleset = async (name: string) => ((await read(`/repos/${name}/rulesets`)) as readonly unknown[]).length > 0;
const description = async (name: string) => ((await read(`/repos/${name}`)) as { description: string }).description;
const getsRuleset = (name: string) => Number(name.split('-')[1]) % 2 === 0;

async function main(): Promise<void> {
  const journal = new Journal(path, { platform: baseUrl, command: ['test'] }, { resume: true });
  const run = new FleetRun<string, string, TargetError>({
    targets: Array.from({ length: Number(count) }, (_, index) => `acme/service-${index}`),
    name: (target) => target,
    journal,
    async work(name, writes) {
      if (writes.isDone('write')) return name;
      const creates = getsRuleset(name);
      const facts = creates ? { creates } : { before: await description(name) };
      const plan = creates
        ? planRawRequest(platform, { method: 'POST', path: `/repos/${name}/rulesets`, body: { name: 'Guard' } })
        : planRawRequest(platform, { method: 'PATCH', path: `/repos/${name}`, body: { description: 'new' } });
      await client.forTask(() => writes.watch('write', facts)).send(plan);
      return name;
    },
    async verify(name, { before }) {
      if (getsRuleset(name)) return (await hasRuleset(name)) ? 'wanted' : 'absent';
      const now = await description(name);
      return now === 'new' ? 'wanted' : now === before ? 'before' : 'other';
    },
    describe: (error) => ({ exit: 1, code: 'unexpected', message: (error as Error).message }),
    // What a create needs to come to its end on the platform does not depend on the time here.
    clock: { now: Date.now, sleep: () => new Promise((resolve) => setTimeout(resolve, 20)) },
  });
  for await (const { target, status } of run) process.stdout.write(`${target} ${status}\n`);
  journal.close();
  await client.close();
}

await main().catch((error: Error) => {
  process.stderr.write(`${error.message}\n`);
  process.exit(1);
});
