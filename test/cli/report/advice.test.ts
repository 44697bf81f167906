/** What to do after a limit and after a 404, in words that can be read aloud. */
import { describe, expect, it } from 'vitest';
import { type AdviceContext, adviceFor } from '../../../src/cli/report/advice.ts';
import { NetworkError, NotFoundError, PermissionError, RateLimitError } from '../../../src/client/errors.ts';

const asked = { method: 'GET', path: '/orgs/acme' };
const refusal = { status: 403, message: 'Slow down', fields: [], moreFields: 0 };

describe('the time to retry', () => {
  it.each([
    [1_000, '2026-03-01T12:00:01Z', 'in 1 second, at 12:00:01 UTC'],
    [45_200, '2026-03-01T12:00:45.200Z', 'in 46 seconds, at 12:00:45 UTC'],
    [840_000, '2026-03-01T12:14:00Z', 'in 14 minutes, at 12:14 UTC'],
    [840_001, '2026-03-01T12:14:00.001Z', 'in 15 minutes, at 12:15 UTC'],
    [5_400_000, '2026-03-01T13:30:00Z', 'in 90 minutes, at 13:30 UTC'],
    [7_000_000, '2026-03-01T13:56:40Z', 'in 2 hours, at 13:57 UTC'],
    [3_600_000, '2026-03-02T00:30:00Z', 'in 60 minutes, on 2026-03-02 at 00:30 UTC'],
  ])('after %i ms is given as a duration and as a time', (ms, at, told) => {
    const error = new RateLimitError(asked, refusal, { ms, at: new Date(at) });
    expect(adviceFor(error, {})).toBe(`Retry ${told}, or wait longer with --max-wait.`);
  });

  it('is estimated if the platform gives no time', () => {
    expect(adviceFor(new RateLimitError(asked, refusal, undefined), {})).toBe(
      'Retry in a minute or later, or wait longer with --max-wait.',
    );
  });
});

describe('an unreachable platform', () => {
  it.each([['refused'], ['name'], ['tls']] as const)(
    'suggests that the address is wrong, whatever the message says (%s)',
    (kind) => {
      const error = new NetworkError(asked, { kind }, 'Reworded.');
      expect(adviceFor(error, { profile: 'work', baseUrlFrom: 'profile work' })).toBe(
        'Check that the platform is running and the base URL is correct: forgectl config list --profile work',
      );
      expect(adviceFor(error, { profile: 'work', baseUrlFrom: 'FORGECTL_BASE_URL' })).toBe(
        'Check that the platform is running and FORGECTL_BASE_URL is correct.',
      );
      // At login, the profile may not exist yet.
      expect(adviceFor(error, { profile: 'work', baseUrlFrom: '--base-url' })).toBe(
        'Check that the platform is running and the base URL is correct.',
      );
    },
  );

  it('has no such advice if the proxy failed', () => {
    const error = new NetworkError(asked, { kind: 'refused', atProxy: true }, 'Reworded.');
    expect(adviceFor(error, {})).toBeUndefined();
  });
});

it('an untrusted certificate suggests a private authority, whatever the message says', () => {
  const error = new NetworkError(asked, { kind: 'certificate' }, 'Reworded.');
  expect(adviceFor(error, { profile: 'work' })).toBe(
    'If the platform uses a private certificate authority, run “forgectl config set ca-file FILE --profile work” or set NODE_EXTRA_CA_CERTS.',
  );
});

it('an address with certificates in its path is not a certificate error', () => {
  const error = new NetworkError(asked, { kind: 'timeout' }, 'GET /orgs/CERT failed.');
  expect(adviceFor(error, {})).toBeUndefined();
});

describe('TLS to a plain HTTP server', () => {
  const error = new NetworkError(asked, { kind: 'tls' }, 'Reworded.');

  it.each(['127.0.0.1:8080', 'localhost:8080', '[::1]:8080'])('suggests http on this machine (%s)', (host) => {
    expect(adviceFor(error, { baseUrl: `https://${host}/api/v3` })).toMatch(
      `If it speaks plain HTTP, use --base-url http://${host}/api/v3. Check that the platform is running`,
    );
  });

  it('does not suggest it elsewhere', () => {
    expect(adviceFor(error, { baseUrl: 'https://ghe.example.com/api/v3' })).toMatch(/^Check that the platform/);
  });
});

describe('after a 403', () => {
  it('reports only that for an archived repository', () => {
    const message = 'Repository was archived so is read-only.';
    const endpoint = {
      permission: 'x=write',
      refusals: [{ status: 403, advice: 'Delegated dismissal must be enabled.' }],
    };
    expect(
      adviceFor(new PermissionError(asked, { ...refusal, message }), {
        endpoint,
        tokenSource: 'keyring',
        profile: 'work',
      } as AdviceContext),
    ).toBe('Archived repositories are read-only. Unarchive the repository first: “forgectl repos unarchive”.');
  });
});

describe('after a 404', () => {
  const error = new NotFoundError(asked, { ...refusal, status: 404, heldScopes: ['repo'] });

  it('lists scopes or permissions that the token may lack', () => {
    const endpoint = { scopes: ['admin:org'], role: 'organization owner' };
    expect(adviceFor(error, { endpoint, tokenKind: 'classic', tokenSource: 'keyring', profile: 'work' })).toBe(
      'Check the spelling. Resources that the token cannot access also return 404. Required scope: admin:org (the token has repo). Required role: organization owner. Profile: work.',
    );
  });

  it('does not advise permissions if only classic tokens work', () => {
    const endpoint = { tokens: ['classic'], permission: 'repository_pre_receive_hooks=read' } as const;
    const advice = (tokenKind: AdviceContext['tokenKind']) =>
      adviceFor(error, { endpoint, tokenKind, tokenSource: 'environment' });
    expect(advice('classic')).toBe('Check the spelling. Resources that the token cannot access also return 404.');
    expect(advice('fine_grained')).toBe(
      'Check the spelling. Resources that the token cannot access also return 404. This works only with classic personal access tokens; this one is a fine-grained personal access token.',
    );
    expect(advice(undefined)).toBe(
      'Check the spelling. Resources that the token cannot access also return 404. This works only with classic personal access tokens.',
    );
  });

  it.each(['https://ghe.example.com/api', 'https://ghe.example.com/acme'])(
    'suggests the likely API address for the base URL %s',
    (baseUrl) => {
      const told = `The base URL is ${baseUrl}; the API of ghe.example.com may be at https://ghe.example.com/api/v3.`;
      expect(adviceFor(error, { baseUrl })).toContain(told);
      expect(adviceFor(error, { baseUrl, tokenSource: 'environment' })).toContain(told);
    },
  );

  it.each(['https://ghe.example.com/api/v3', 'https://proxy.example.com/ghe/api/v3', 'https://api.github.com'])(
    'has no advice for the base URL %s',
    (baseUrl) => {
      expect(adviceFor(error, { baseUrl })).not.toContain('base URL');
    },
  );

  it('reports that no token was sent', () => {
    expect(adviceFor(error, {})).toBe('Check the spelling. Without a token, private resources also return 404.');
  });
});
