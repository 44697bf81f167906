import { expect, test } from 'vitest';
import { allEndpoints } from '../../src/platform/endpoints/index.ts';
import { sandboxForTests } from './support.ts';

const { ask } = sandboxForTests();

const names: Readonly<Record<string, string>> = { org: 'acme', owner: 'acme', repo: 'site', username: 'admin' };

test('every declared endpoint is served', async () => {
  const unserved: string[] = [];
  for (const { method, route, template } of allEndpoints) {
    // A self-managed platform, as this is one, has no list of versions.
    if (route === 'GET /versions') continue;
    const path = template.replace('<alerts>', 'depalerts').replace(/\{(\w+)\}/g, (_, name) => names[name] ?? '1');
    // Without a token a path that leads nowhere is 404, a protected endpoint 401, and a public one names its permission.
    const { status, headers } = await ask(`${method} ${path}`, { as: null });
    if (status === 404 && !headers.has('x-accepted-github-permissions')) unserved.push(route);
  }
  expect(unserved).toEqual([]);
});
