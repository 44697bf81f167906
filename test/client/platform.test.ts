import { describe, expect, test } from 'vitest';
import { BaseUrlError } from '../../src/client/errors.ts';
import { normalizeBaseUrl } from '../../src/client/platform.ts';

describe('a base URL is completed', () => {
  test.each([
    ['ghe.example.com', 'https://ghe.example.com/api/v3'],
    ['https://ghe.example.com', 'https://ghe.example.com/api/v3'],
    ['https://ghe.example.com/', 'https://ghe.example.com/api/v3'],
    ['https://ghe.example.com/api/v3', 'https://ghe.example.com/api/v3'],
    ['https://ghe.example.com/api/v3/', 'https://ghe.example.com/api/v3'],
    [' HTTPS://GHE.Example.com \n', 'https://ghe.example.com/api/v3'],
    ['ghe.example.com:8443', 'https://ghe.example.com:8443/api/v3'],
    ['https://ghe.example.com:443', 'https://ghe.example.com/api/v3'],
    ['https://corp.example.com/forge/api/v3', 'https://corp.example.com/forge/api/v3'],
    ['https://bücher.example', 'https://xn--bcher-kva.example/api/v3'],
    ['10.0.0.5', 'https://10.0.0.5/api/v3'],
    ['github.com', 'https://api.github.com'],
    ['https://github.com/', 'https://api.github.com'],
    ['api.github.com', 'https://api.github.com'],
    ['https://api.github.com/api/v3', 'https://api.github.com'],
    ['acme.ghe.com', 'https://api.acme.ghe.com'],
    ['api.acme.ghe.com', 'https://api.acme.ghe.com'],
    ['https://api.acme.ghe.com/', 'https://api.acme.ghe.com'],
    ['api.forge.example.com', 'https://api.forge.example.com'],
    ['api.forge.example.com/api/v3', 'https://api.forge.example.com/api/v3'],
    ['http://127.0.0.1:3000', 'http://127.0.0.1:3000/api/v3'],
    ['http://127.8.9.10', 'http://127.8.9.10/api/v3'],
    ['http://localhost:3000/api/v3/', 'http://localhost:3000/api/v3'],
    ['http://[::1]:3000', 'http://[::1]:3000/api/v3'],
  ])('%j is %s', (text, url) => {
    expect(normalizeBaseUrl(text)).toBe(url);
  });
});

describe('an invalid base URL is rejected', () => {
  test.each([
    ['', 'The base URL is not a valid URL. Example: https://ghe.example.com'],
    ['https://', 'The base URL is not a valid URL. Example: https://ghe.example.com'],
    ['https:/ghe.example.com', 'The base URL is not a valid URL. Example: https://ghe.example.com'],
    ['HTTPS:ghe.example.com', 'The base URL is not a valid URL. Example: https://ghe.example.com'],
    ['not a host', 'The base URL is not a valid URL. Example: https://ghe.example.com'],
    ['https://ghe.example.com?a=b', 'The base URL for ghe.example.com must not contain a query or fragment.'],
    ['https://ghe.example.com/?', 'The base URL for ghe.example.com must not contain a query or fragment.'],
    ['https://ghe.example.com/#top', 'The base URL for ghe.example.com must not contain a query or fragment.'],
    ['ftp://ghe.example.com', 'The base URL for ghe.example.com must start with https://.'],
    [
      'http://ghe.example.com',
      'The base URL for ghe.example.com must start with https:// (plain http is only allowed for this machine).',
    ],
    [
      'http://127.0.0.1.example.com',
      'The base URL for 127.0.0.1.example.com must start with https:// (plain http is only allowed for this machine).',
    ],
    [
      'http://localhost.example.com',
      'The base URL for localhost.example.com must start with https:// (plain http is only allowed for this machine).',
    ],
    ['https://github.com/acme/site', 'The base URL for github.com is https://api.github.com, without a path.'],
  ])('%j', (text, message) => {
    expect(() => normalizeBaseUrl(text)).toThrow(new BaseUrlError(message));
  });

  test.each(['https://ada:s3cret@ghe.example.com', 'ada:s3cret@ghe.example.com', 'https://s3cret@ghe.example.com'])(
    'credentials in it are not repeated: %#',
    (text) => {
      const refusal = (() => {
        try {
          return normalizeBaseUrl(text);
        } catch (error) {
          return error as Error;
        }
      })() as Error;
      expect(refusal).toBeInstanceOf(BaseUrlError);
      expect(refusal.message).toBe(
        'The base URL for ghe.example.com must not contain a user name or password; tokens are set at login.',
      );
      expect(String(refusal.stack)).not.toContain('s3cret');
    },
  );
});
