import { expect, it } from 'vitest';
import { lines, parse } from '../graph.ts';

it('has packages of all frameworks and platforms, without projects', async () => {
  const text = JSON.stringify({
    version: 2,
    dependencies: {
      'net8.0': {
        AutoMapper: { type: 'Direct', resolved: '13.0.1', dependencies: { 'microsoft.extensions.options': '6.0.0' } },
        'Microsoft.Extensions.Options': { type: 'CentralTransitive', resolved: '9.0.0' },
        core: { type: 'Project', dependencies: { AutoMapper: '[13.0.1, )' } },
      },
      'net8.0/win-x64': {
        Native: { type: 'Transitive', resolved: '1.0.0', dependencies: { AutoMapper: '13.0.1' } },
      },
      netstandard2: { AutoMapper: { type: 'Transitive', resolved: '12.0.0' } },
    },
  });
  expect(lines(await parse('packages.lock.json', text))).toEqual([
    'pkg:nuget/AutoMapper@13.0.1 direct ? → pkg:nuget/Microsoft.Extensions.Options@9.0.0',
    'pkg:nuget/Microsoft.Extensions.Options@9.0.0 indirect ?',
    'pkg:nuget/Native@1.0.0 indirect ? → pkg:nuget/AutoMapper@13.0.1',
    'pkg:nuget/AutoMapper@12.0.0 indirect ?',
  ]);
});
