import { expect, it } from 'vitest';
import { PendingWrites } from '../../src/fleet/pending-writes.ts';

it('an aborted run neither sends nor records the writes that wait for their turn', async () => {
  const run = new AbortController();
  const recorded: string[] = [];
  let quiet = 0;
  const pending = new PendingWrites({ signal: run.signal, onQuiet: () => quiet++ });
  const [first, queued] = ['first', 'queued'].map((step) => pending.track({ sending: () => void recorded.push(step) }));
  await first?.watch.sending?.();
  run.abort(new Error('Interrupted'));
  await expect(queued?.watch.sending?.()).rejects.toThrow('Interrupted');
  expect({ recorded, pending: pending.count, quiet }).toEqual({ recorded: ['first'], pending: 1, quiet: 0 });
  await first?.watch.received?.(200);
  expect({ pending: pending.count, quiet }).toEqual({ pending: 0, quiet: 1 });
});
