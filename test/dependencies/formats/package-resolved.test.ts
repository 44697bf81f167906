import { expect, it } from 'vitest';
import { lines, parse } from '../graph.ts';

it('reads version 1', async () => {
  const text = JSON.stringify({
    version: 1,
    object: {
      pins: [
        {
          package: 'Nimble',
          repositoryURL: 'https://git.example.com/Quick/Nimble.git',
          state: { version: '9.2.1', revision: '5d41402' },
        },
        {
          package: 'Own',
          repositoryURL: 'git@git.example.com:acme/own.git',
          state: { branch: 'main', revision: '5d41402' },
        },
      ],
    },
  });
  expect(lines(await parse('Package.resolved', text))).toEqual([
    'pkg:swift/git.example.com/Quick/Nimble@9.2.1 ? ?',
    'pkg:swift/git.example.com/acme/own?vcs_url=git%2Bssh:%2F%2Fgit%40git.example.com%2Facme%2Fown.git%405d41402 ? ?',
  ]);
});

it.each([2, 3])('reads version %i, with packages of a registry and without local ones', async (version) => {
  const text = JSON.stringify({
    version,
    pins: [
      {
        identity: 'sentry',
        kind: 'remoteSourceControl',
        location: 'https://user:secret@git.example.com/acme/sentry',
        state: { version: '9.25.0' },
      },
      { identity: 'mona.LinkedList', kind: 'registry', location: '', state: { version: '1.0.0' } },
      { identity: 'local', kind: 'localSourceControl', location: '/src/local', state: { version: '1.0.0' } },
    ],
  });
  expect(lines(await parse('Package.resolved', text))).toEqual([
    'pkg:swift/git.example.com/acme/sentry@9.25.0 ? ?',
    'pkg:swift/mona/LinkedList@1.0.0 ? ?',
  ]);
});
