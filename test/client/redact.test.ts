import { inspect } from 'node:util';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { MaskingError, Redactor } from '../../src/client/redact.ts';
import { SecretFinder } from '../../src/client/secret-finder.ts';
import { token } from '../support/client.ts';

const redactorOf = (...secrets: string[]) => {
  const redactor = new Redactor();
  for (const secret of secrets) redactor.add(secret);
  return redactor;
};

describe('a registered secret is masked', () => {
  test.each([
    ['plain', `Bad token ${token}, sorry`, 'Bad token ********, sorry'],
    ['twice', `${token} ${token}`, '******** ********'],
    ['in base64', `value ${Buffer.from(token).toString('base64')} end`, 'value ******** end'],
    ['in base64url', `v=${Buffer.from(token).toString('base64url')}&b=1`, 'v=********&b=1'],
  ])('%s', (_form, text, shown) => {
    expect(redactorOf(token).redact(text)).toBe(shown);
  });

  test.each(['x', 'xy', 'ada:', 'a longer user name:'])('inside the base64 of other text: after %j', (before) => {
    const shown = redactorOf(token).redact(Buffer.from(`${before}${token} and more`).toString('base64'));
    expect(shown).toContain('********');
    const left = Buffer.from(shown.replace('********', ''), 'base64').toString('latin1');
    expect(left).not.toContain(token.slice(4, 8));
    expect(shown).not.toContain(Buffer.from(token).toString('base64').slice(8, 16));
  });

  const odd = 'p/ä"s\\s w+rd\nline';

  test.each(['&lowbar;', '&#95;', '&#95', '&#000000095;', '&#x5F;', '&#x00000005f;', '&UnderBar;'])(
    'behind the HTML escape %s',
    (written) => {
      expect(redactorOf('ghp_secret').redact(`a ghp${written}secret b`)).toBe('a ******** b');
    },
  );

  test('in base64url with other characters', () => {
    // In base64: c2VjcmV0Pz8/Pj4+c2VjcmV0
    expect(redactorOf('secret???>>>secret').redact('v=c2VjcmV0Pz8_Pj4-c2VjcmV0&b=1')).toBe('v=********&b=1');
  });

  test('in base64, except if so short that it would match by chance', () => {
    expect(redactorOf('secret').redact('id c2VjcmV0')).toBe('id c2VjcmV0');
  });

  test.each([
    ['in JSON', JSON.stringify({ a: odd }), '{"a":"********"}'],
    ['percent-encoded', `/x/${encodeURIComponent(odd)}/y`, '/x/********/y'],
    [
      'percent-encoded in lower case',
      `/x/${encodeURIComponent(odd).replace(/%../g, (t) => t.toLowerCase())}/y`,
      '/x/********/y',
    ],
    ['in a query', new URLSearchParams({ a: odd, b: '1' }).toString(), 'a=********&b=1'],
  ])('with special characters, %s', (_form, text, shown) => {
    expect(redactorOf(odd).redact(text)).toBe(shown);
  });

  const escaped = String.raw`p%41s\n&lt;s\u0042-%2B"w`;

  test.each([
    ['as it is', escaped],
    ['in JSON', JSON.stringify({ a: escaped })],
    ['in JSON for HTML', JSON.stringify({ a: escaped }).replaceAll('&', String.raw`\u0026`)],
    ['percent-encoded', encodeURIComponent(escaped)],
    ['in a URL', encodeURI(escaped)],
    ['in HTML', escaped.replaceAll('&', '&amp;').replaceAll('"', '&quot;')],
  ])('that looks escaped itself, %s', (_form, text) => {
    expect(
      redactorOf(escaped)
        .redact(text)
        .replace(/^\{"a":"|"\}$/g, ''),
    ).toBe('********');
  });

  test('that looks escaped itself, except if so short that it would match by chance', () => {
    expect(redactorOf('%41%42%43').redact('ABC &#65;BC')).toBe('ABC &#65;BC');
  });

  test('with the special characters of patterns', () => {
    expect(redactorOf('a.b*c(d)[e]$^|{1}?+\\').redact('x a.b*c(d)[e]$^|{1}?+\\ y a0bbc')).toBe('x ******** y a0bbc');
  });

  test('with another secret as its prefix, in full', () => {
    expect(redactorOf('abcd', 'abcdefgh').redact('abcdefgh abcd')).toBe('******** ********');
  });

  test('in full where it overlaps another secret', () => {
    expect(redactorOf('abcdefgh', 'efghijkl').redact('x abcdefghijkl y')).toBe('x ******** y');
    expect(redactorOf('efghijkl', 'abcdefgh').redact('abcdefghijkl')).toBe('********');
    expect(redactorOf('abcdefgh', 'cd').redact('abcdefgh')).toBe('********');
    expect(redactorOf('abab').redact('abababab')).toBe('****************');
  });

  test.each([120_000, 2_000_000])('with %d characters', (length) => {
    const long = `ghs_${'(x)+'.repeat(length / 4)}`;
    const redactor = redactorOf(long);
    expect(redactor.redact(`a ${long} b ${encodeURIComponent(long)} c`)).toBe('a ******** b ******** c');
    expect(redactor.redact(Buffer.from(long).toString('base64'))).toBe('********');
  });

  test.each(['\ud800lone', 'lone\udc00', 'a\ud800b\udfffc'])('with the lone surrogates of %j', (secret) => {
    const redactor = redactorOf(secret);
    expect(redactor.redact(`x ${secret} y`)).toBe('x ******** y');
    expect(redactor.redact(`x ${encodeURIComponent(secret.toWellFormed())} y`)).toBe('x ******** y');
    expect(redactor.redact(JSON.stringify({ a: secret }))).toBe('{"a":"********"}');
  });

  test('in bytes that were read as Latin-1', () => {
    expect(redactorOf(odd).redact(`x ${Buffer.from(odd).toString('latin1')} y`)).toBe('x ******** y');
    expect(redactorOf(odd).mayMask(Buffer.from(`x ${odd} y`))).toBe(true);
    expect(redactorOf(odd).mayMask(Buffer.from(odd.slice(1)))).toBe(false);
  });

  test.each([1, 20])('in bytes, behind escapes in one of their parts, with %d secrets', (count) => {
    const redactor = redactorOf('gh%s_one');
    for (let number = 1; number < count; number++) redactor.add(`another secret, ${number}`);
    const inParts = (...parts: string[]) =>
      redactor.mayMask(
        Buffer.from(parts.join(',')),
        parts.map((part) => Buffer.from(part)),
      );
    expect(inParts('"a"', String.raw`"\ gh\u0025s\u005fone"`)).toBe(true);
    expect(inParts('"a"', 'gh%s_one')).toBe(true);
    expect(inParts(String.raw`"\u0061"`, String.raw`"gh\u0025s\u005ftwo"`)).toBe(false);
  });

  test('an empty secret masks nothing', () => {
    expect(redactorOf('').redact('text')).toBe('text');
  });
});

describe('a secret recognized by its context is masked without being registered', () => {
  test.each([
    ['{"temp_clone_token":"AAA","name":"site"}', '{"temp_clone_token":"********","name":"site"}'],
    ['{"encrypted_value" : "A\\"B=="}', '{"encrypted_value" : "********"}'],
    ['{"key_id":"K1","key":"abc","secret_type":"npm"}', '{"key_id":"K1","key":"abc","secret_type":"npm"}'],
    ['authorization: Bearer abc.def', 'authorization: Bearer ********'],
    ['[3] > authorization: Bearer abc.def', '[3] > authorization: Bearer ********'],
    ['Authorization: token abc', 'Authorization: token ********'],
    ['Authorization: ApiKey abc', 'Authorization: ApiKey ********'],
    ['proxy-authorization: Basic YTpi', 'proxy-authorization: Basic ********'],
    ['set-cookie: session=abc; Path=/', 'set-cookie: ********'],
    [
      'https://storage.example.com/a.tar.gz?X-Amz-Signature=5ec&X-Amz-Expires=300',
      'https://storage.example.com/a.tar.gz?X-Amz-Signature=********&X-Amz-Expires=300',
    ],
    ['http://ada:p@w@proxy.example.com:3128', 'http://ada:********@proxy.example.com:3128'],
    [
      '{"accessToken":"AAA","api--key":"B","dbpassword":"C","tokens":"D"}',
      '{"accessToken":"********","api--key":"********","dbpassword":"********","tokens":"D"}',
    ],
    ['http://ghp_0123456789abcdef@proxy.example.com:3128', 'http://********@proxy.example.com:3128'],
    [
      '{"url":"https:\\/\\/abcdefghijklmnopqrst:@h"},"//h:80","a@b"',
      '{"url":"https:\\/\\/********:@h"},"//h:80","a@b"',
    ],
    ['http://ada:pw@proxy.example.com:3128', 'http://ada:********@proxy.example.com:3128'],
    [`no file ${'github_pat'}_0123456789abcdef0, ghx_0123456789abcdef`, 'no file ********, ghx_0123456789abcdef'],
  ])('%s', (text, shown) => {
    expect(new Redactor().redact(text)).toBe(shown);
  });
});

describe('text that cannot be masked', () => {
  /** Fails as a search for secrets might: with a text that contains them. */
  const failing = () => {
    vi.spyOn(SecretFinder.prototype, 'masked').mockImplementation((text) => {
      throw new RangeError(`cannot search ${text}`, { cause: text });
    });
    onTestFinished(() => void vi.restoreAllMocks());
    return redactorOf(token);
  };

  test('is an error that does not quote it', () => {
    const redactor = failing();
    for (const mask of [() => redactor.redact(token), () => redactor.maskKnown(token)]) {
      const error = thrown(mask);
      expect(error).toBeInstanceOf(MaskingError);
      expect(inspect(error)).not.toContain(token);
      expect(error).toHaveProperty('message', 'The output could not be masked, so it is not shown.');
    }
  });

  test('is replaced by a fixed sentence in a message', () => {
    expect(failing().message(`lost ${token}`)).toBe('This message could not be masked, so it is not shown.');
    expect(failing().message(`lost ${token}`, '{}')).toBe('{}');
  });
});

function thrown(act: () => unknown): unknown {
  try {
    return act();
  } catch (error) {
    return error;
  }
}

test.each([
  ['{"url":"https://h/?a=1\\u0026sig=5ec\\u0026b=2"}', '{"url":"https://h/?a=1\\u0026sig=********\\u0026b=2"}'],
  ['{"url":"https:\\/\\/ada:5ec@h\\/"}', '{"url":"https:\\/\\/ada:********@h\\/"}'],
  ['{"to\\u006ben":"5ec"}', '{"to\\u006ben":"********"}'],
  ['{"text":"{\\"api_key\\":\\"5ec\\"}"}', '{"text":"{\\"api_key\\":\\"********\\"}"}'],
  ['{"token":["5ec", "5ed"],"name":"x"}', '{"token":["********", "********"],"name":"x"}'],
  ['{"token":[1,"5ec"],"name":"x"}', '{"token":[********,"********"],"name":"x"}'],
  ['{"password":[["x","5ec"],null],"id":1}', '{"password":[["********","********"],null],"id":1}'],
  ['{"password":[{"v":"5]}ec"}],"id":1}', '{"password":[{"v":"********"}],"id":1}'],
  ['{"secret":{"v" : "5ec","w":{"x":true}},"name":"x"}', '{"secret":{"v" : "********","w":{"x":true}},"name":"x"}'],
  ['{"token":839201748392017,"id":1}', '{"token":********,"id":1}'],
  ['{"token": -1.5e3,"secret":false}', '{"token": ********,"secret":false}'],
  ['{"secret":{"v":"5ec","w":["5ed", 5', '{"secret":{"v":"********","w":["********", ********'],
  ['{"text":"{\\"secret\\":{\\"v\\":\\"5ec\\"}}"}', '{"text":"{\\"secret\\":{\\"v\\":\\"********\\"}}"}'],
  ['Set "token": it is required', 'Set "token": it is required'],
  ['{"APIToken":"5ec","config[secret]":"5ec"}', '{"APIToken":"********","config[secret]":"********"}'],
  ['https://h/?to=https%3A%2F%2Fada%3A5ec%40g', 'https://h/?to=https%3A%2F%2Fada%3A********%40g'],
])('a secret that its context shows is masked in %s', (text, shown) => {
  expect(redactorOf().redact(text)).toBe(shown);
});

test.each(['"token":[', '"token":{"token":', '"token":1,', '{"secret":[{}]}'])(
  'a secret is masked after many times %s',
  (part) => {
    expect(redactorOf().redact(`${part.repeat(200_000)}"secret":"5ec"`)).not.toContain('5ec');
  },
);
