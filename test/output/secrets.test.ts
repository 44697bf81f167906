import { describe, expect, it } from 'vitest';
import { parseJson } from '../../src/json/exact-json.ts';
import { LazyList } from '../../src/json/lazy-list.ts';
import { maskSecrets } from '../../src/output/secrets.ts';

describe('maskSecrets', () => {
  it('masks the text of secret fields at any depth', () => {
    const record = {
      name: 'site',
      temp_clone_token: 'abc',
      encrypted_value: 'c2VhbGVk',
      hooks: [{ config: { url: 'https://ci.example.com', secret: 's3' } }],
      app: { client_secret: 'a', webhook_secret: 'b', private_key: 'c', pem: 'd', password: 'e', access_token: 'f' },
    };
    expect(maskSecrets(record)).toEqual({
      name: 'site',
      temp_clone_token: '********',
      encrypted_value: '********',
      hooks: [{ config: { url: 'https://ci.example.com', secret: '********' } }],
      app: {
        client_secret: '********',
        webhook_secret: '********',
        private_key: '********',
        pem: '********',
        password: '********',
        access_token: '********',
      },
    });
  });

  it.each([
    'token',
    'Token',
    'secret',
    'password',
    'passwd',
    'passphrase',
    'credential',
    'credentials',
    'private_key',
    'signing_key',
    'access_key',
    'api_key',
    'apikey',
    'pem',
    'authorization',
    'encrypted_value',
    'encoded_jit_config',
  ])('masks the text of a field named %s, or with a name that ends in it', (name) => {
    expect(maskSecrets({ [name]: 'abc', [`their_${name}`]: 'abc' })).toEqual({
      [name]: '********',
      [`their_${name}`]: '********',
    });
  });

  it('masks the values of a change of a field with the name of a secret', () => {
    const changes = [
      { path: 'dbPassword', from: 'a', to: null },
      { path: 'deploy_token[b[c]]', to: 'b[c]' },
      { path: 'deploy_token', from: ['d'], to: ['d', 'e'] },
      { path: 'rules[update].parameters.secret', from: 'f', omitted: true },
      { path: 'secret', to: { env: 'NPM_TOKEN' } },
      { path: 'topics[api-token]', to: 'api-token' },
      { path: 'src/token', status: 'added' },
    ];
    expect(maskSecrets(changes)).toEqual([
      { path: 'dbPassword', from: '********', to: null },
      { path: 'deploy_token[********]', to: '********' },
      { path: 'deploy_token', from: ['********'], to: ['********', '********'] },
      { path: 'rules[********].parameters.secret', from: '********', omitted: true },
      { path: 'secret', to: { env: 'NPM_TOKEN' } },
      { path: 'topics[api-token]', to: 'api-token' },
      { path: 'src/token', status: 'added' },
    ]);
  });

  it('masks numbers that the run knows as secrets', () => {
    const record = parseJson('{"a":839201748392,"b":[12345678901234567890],"c":1.5,"d":7}');
    expect(maskSecrets(record, (text) => text.replace(/839201748392|12345678901234567890/, '*'))).toEqual({
      a: '********',
      b: ['********'],
      c: 1.5,
      d: 7,
    });
  });

  it('masks secrets in camel case, with hyphens, and in lists', () => {
    const record = { clientSecret: 'a', 'x-api-key': 'b', ACCESS_TOKEN: 'c', token: ['d', ['e'], 1], isTokenized: 'f' };
    expect(maskSecrets(record)).toEqual({
      clientSecret: '********',
      'x-api-key': '********',
      ACCESS_TOKEN: '********',
      token: ['********', ['********'], 1],
      isTokenized: 'f',
    });
  });
  it.each([
    ...['accessToken', 'clientSecret', 'apiKey', 'api-key', 'x-api-key', 'PRIVATE-TOKEN', 'passwd'],
    ...[
      'secretKey',
      'authtoken',
      'APIToken',
      'SSHPrivateKey',
      'privatekey',
      'client.secret',
      'config[secret]',
      'API Key',
      'hook:password',
    ],
    ...['dbpassword', 'DBPASSWORD', 'Itemtoken', 'clientsecret', 'myapikey', 'api--key', 'api__key', 'private - key'],
  ])('masks the text of a field named %s, however its words are joined', (name) => {
    expect(maskSecrets({ [name]: 'abc' })).toEqual({ [name]: '********' });
  });

  it.each([
    'X-Amz-Signature',
    'x-amz-signature',
    'X-Amz-Credential',
    'X-Amz-Security-Token',
    'X-Goog-Signature',
    'X-Goog-Credential',
    'AWSAccessKeyId',
    'Signature',
    'sig',
    'token',
    'access_token',
    'refresh_token',
    'client_secret',
    'private_token',
    'api_key',
    'jwt',
    'clientSecret',
    'APIToken',
    'accessKey',
    'privatekey',
    'signing.key',
    'encryptedValue',
    'config%5BaccessKey%5D',
    'private%20key',
    'client:secret',
    'my+secret',
    'user/password',
    '$api_key',
    'config.secret',
    'config[secret]',
    'config%5Bsecret%5D',
  ])('masks the parameter %s of a URL, at any position', (name) => {
    const urls = (value: string) =>
      ['?', '?a=1&', '#a;'].map((before) => `https://h.example/x${before}${name}=${value}`);
    expect(maskSecrets(urls('5ec'))).toEqual(urls('********'));
  });

  it('does not mask names that only resemble secrets', () => {
    const record = {
      key: 'cHVibGlj',
      key_id: '568250167242549743',
      secret_type: 'adafruit_io_key',
      secret_scanning: { status: 'enabled' },
      security_and_analysis: { secret_scanning_push_protection: { status: 'disabled' } },
      auth_type: 'token',
      tokens: 'a',
      passwordless: 'b',
      permissions: { secrets: 'read', organization_personal_access_tokens: 'write' },
      token: null,
      secret: true,
      password: 3,
      private_key: '',
    };
    expect(maskSecrets(record)).toEqual(record);
  });

  it.each([
    [
      'https://media.example.com/1/archive?X-Amz-Algorithm=AWS4&X-Amz-Credential=AKIA%2F2024&X-Amz-Security-Token=tok&X-Amz-Signature=5f2a&x=1',
      'https://media.example.com/1/archive?X-Amz-Algorithm=AWS4&X-Amz-Credential=********&X-Amz-Security-Token=********&X-Amz-Signature=********&x=1',
    ],
    [
      'https://acct.blob.example.net/c/a.tar.gz?se=2024-06-11&sp=r&sv=2023-01-03&sig=Zm9v%3D#top',
      'https://acct.blob.example.net/c/a.tar.gz?se=2024-06-11&sp=r&sv=2023-01-03&sig=********#top',
    ],
    ['https://raw.example.com/a/b?token=GHSAT0&x=1', 'https://raw.example.com/a/b?token=********&x=1'],
    ['see (https://h.example/?Signature=abc) now', 'see (https://h.example/?Signature=********) now'],
    ['https://x-access-token:ghs_16C7@git.example.com/a.git', 'https://x-access-token:********@git.example.com/a.git'],
    ['https://ada:p@ss@git.example.com/a.git', 'https://ada:********@git.example.com/a.git'],
    ['https://ada@x:pw@git.example.com/a.git', 'https://ada@x:********@git.example.com/a.git'],
    ['https://github_pat_11ABCDEFG0@git.example.com/a.git', 'https://********@git.example.com/a.git'],
    ['ssh://git@git.example.com/a.git', 'ssh://git@git.example.com/a.git'],
    ['https://git.example.com:8443/@acme/site', 'https://git.example.com:8443/@acme/site'],
    ['https://api.example.com/repos/a/b/issues{/number}', 'https://api.example.com/repos/a/b/issues{/number}'],
    [
      'https://api.example.com/search?design=1&tokens=2&q=sig',
      'https://api.example.com/search?design=1&tokens=2&q=sig',
    ],
  ])('masks the signature of a URL: %s', (url, shown) => {
    expect(maskSecrets({ url, list: [url] })).toEqual({ url: shown, list: [shown] });
  });

  it('masks secrets in names of fields', () => {
    const key = ['-----BEGIN', 'PRIVATE KEY-----'].join(' ');
    const record = { 'https://ci:pw@h.example': 1, 'h.example?token=abc': { [`${key}\nabc`]: 1 }, b: 1 };
    expect(maskSecrets(record)).toEqual({
      'https://ci:********@h.example': 1,
      'h.example?token=********': { [`${key}********`]: 1 },
      b: 1,
    });
  });

  it('masks secrets in the records of lazy lists', () => {
    const { list } = maskSecrets({ list: new LazyList(1, () => [{ token: 'secret' }]) });
    expect([...list]).toEqual([{ token: '********' }]);
  });

  it('does not change its input', () => {
    const record = Object.freeze({
      token: 'abc',
      nested: Object.freeze({ secret: 'def', list: Object.freeze(['x?sig=1']) }),
    });
    maskSecrets(record);
    expect(record).toEqual({ token: 'abc', nested: { secret: 'def', list: ['x?sig=1'] } });
  });

  it('keeps a field named __proto__ a field', () => {
    const masked = maskSecrets(JSON.parse('{"__proto__":{"token":"abc"},"a":1}'));
    expect(JSON.stringify(masked)).toBe('{"__proto__":{"token":"********"},"a":1}');
    expect(Object.getPrototypeOf(masked)).toBe(Object.prototype);
  });
});
