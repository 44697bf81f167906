import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RecordText, ReusableBuffer } from '../../src/json/record-text.ts';
import { maskSecrets } from '../../src/output/secrets.ts';

const textOf = (page: string) => RecordText.of(Buffer.from(page));

const maskedLines = (page: string) =>
  textOf(page)
    ?.maskedLines((record) => JSON.stringify(maskSecrets(record)), new ReusableBuffer())
    .toString();

describe('a page of records as text', () => {
  it('is a line for each record, exactly as the platform wrote it', () => {
    const page =
      '[{"id":9007199254740993,"name":"Grüße 🚀","topics":["a","b"],"owner":{"id":1}},{"ok":true,"no":false,"x":null},{}]';
    const text = textOf(page);
    expect(text?.length).toBe(3);
    expect(text?.lines(new ReusableBuffer()).toString()).toBe(
      '{"id":9007199254740993,"name":"Grüße 🚀","topics":["a","b"],"owner":{"id":1}}\n{"ok":true,"no":false,"x":null}\n{}\n',
    );
    expect(maskedLines(page)).toBe(text?.lines(new ReusableBuffer()).toString());
  });

  it('is read when a record is looked at', () => {
    expect([...(textOf('[{"id":1},{"id":2}]') ?? [])]).toEqual([{ id: 1 }, { id: 2 }]);
  });

  it('is also that of some of its records, whose secrets are masked', () => {
    const some = textOf('[{"id":1},{"token":"x","name":"ü"},{"id":3},{"id":4}]')?.only([1, 3]) as RecordText;
    const line = (record: unknown) => JSON.stringify(maskSecrets(record));
    expect(some.maskedLines(line, new ReusableBuffer()).toString()).toBe('{"token":"********","name":"ü"}\n{"id":4}\n');
    expect([...some]).toEqual([{ token: 'x', name: 'ü' }, { id: 4 }]);
    expect(textOf('[{"id":1}]')?.only([])).toEqual([]);
  });

  it.each([
    [
      'of a member that is a secret',
      '[{"id":1,"temp_clone_token":"AB12"},{"id":2}]',
      '{"id":1,"temp_clone_token":"********"}\n{"id":2}\n',
    ],
    ['of any case and depth', '[{"a":[{"Client_SECRET":"x"}]}]', '{"a":[{"Client_SECRET":"********"}]}\n'],
    ['in a name that is written with escapes', '[{"to\\u006ben":"x","id":1}]', '{"token":"********","id":1}\n'],
    ['that holds escapes itself', '[{"pem":"a\\nb"},{"id":2}]', '{"pem":"********"}\n{"id":2}\n'],
    [
      'in a signed URL',
      '[{"url":"https://s.example.com/a?X=1&sig=abc&y=2"}]',
      '{"url":"https://s.example.com/a?X=1&sig=********&y=2"}\n',
    ],
    [
      'after a name with other characters',
      '[{"url":"https://s.example.com/a?a=1&token+=abc","token. ":"x"}]',
      '{"url":"https://s.example.com/a?a=1&token+=********","token. ":"********"}\n',
    ],
    [
      'in a URL with a password',
      '[{"id":7,"url":"https://u:pässword@example.com/"}]',
      '{"id":7,"url":"https://u:********@example.com/"}\n',
    ],
    [
      'in a name of joined words',
      '[{"accessToken":"x","api-key":"y","dbpassword":"z","DBPASSWORD":"z","api__key":"z","tokens":"a"}]',
      '{"accessToken":"********","api-key":"********","dbpassword":"********","DBPASSWORD":"********","api__key":"********","tokens":"a"}\n',
    ],
    [
      'in place of a user name in a URL',
      '[{"url":"https://ghp_0123456789abcdef@example.com/"}]',
      '{"url":"https://********@example.com/"}\n',
    ],
    [
      'in a URL within another one',
      '[{"url":"https://h/?to=https%3A%2F%2Fu%3Ap%40h"},{"a":"1%"}]',
      '{"url":"https://h/?to=https%3A%2F%2Fu%3A********%40h"}\n{"a":"1%"}\n',
    ],
    [
      'in a URL that is written with escapes',
      '[{"url":"https:\\/\\/u:p\\u0040x@example.com"}]',
      '{"url":"https://u:********@example.com"}\n',
    ],
  ])('masks a secret %s', (_, page, lines) => {
    expect(maskedLines(page)).toBe(lines);
  });

  it.each([
    '[{"key_id":"1","secret_type":"token","secret_scanning":{"status":"enabled"}}]',
    '[{"token":""},{"token":null},{"secret":true},{"password":3}]',
    '[{"ssh_url":"git@ghe.example.com:acme/site.git","avatar_url":"https://ghe.example.com/u/1?v=4"}]',
  ])('does not mask what is not a secret: %s', (page) => {
    expect(maskedLines(page)).toBe(`${page.slice(1, -1).replaceAll('},{"', '}\n{"')}\n`);
  });

  it.each([
    ['an object', '{"id":1}'],
    ['an empty list', '[]'],
    ['a list of other values', '[1,2]'],
    ['a null in a list', '[{"id":1},null]'],
    ['spaces', '[{"id": 1}]'],
    ['lines', '[{"id":1},\n{"id":2}]'],
    ['a mark at the beginning', '\ufeff[{"id":1}]'],
    ['what is cut short', '[{"id":1},{"id":2}'],
    ['a text without its end', '[{"id":"1}]'],
    ['an end without a beginning', ']'],
    ['more after the end', '[{"id":1}]]'],
    ['a comma too many', '[{"id":1,}]'],
    ['a comma too few', '[{"id":1}{"id":2}]'],
    ['a name that is none', '[{id:1}]'],
    ['brackets that do not match', '[{"a":[1}]]'],
    ['a zero before a number', '[{"id":01}]'],
    ['a word that is none', '[{"id":nul}]'],
    ['a control character in a text', '[{"id":"a\tb"}]'],
    ['an escape that is none', '[{"id":"\\x41"}]'],
    ['an escape in capitals', '[{"id":"\\U0041"}]'],
    ['an escape that is cut short', '[{"id":"\\u004"}]'],
    ['values nested without end', `[{"a":${'['.repeat(100)}${']'.repeat(100)}}]`],
  ])('must be parsed if it has another form: %s', (_, page) => {
    expect(textOf(page)).toBeUndefined();
  });

  it('must be parsed if it is not UTF-8', () => {
    expect(RecordText.of(Buffer.from([...Buffer.from('[{"a":"'), 0xc3, 0x28, ...Buffer.from('"}]')]))).toBeUndefined();
  });

  it('accepts only valid JSON, whatever is changed in it', () => {
    const page = Buffer.from(
      '[{"id":10,"name":"site \\u00e9","topics":["a",{"b":null}],"private":true},{"id":0,"token":"x"}]',
    );
    fc.assert(
      fc.property(fc.nat(page.length - 1), fc.nat(255), (place, byte) => {
        const changed = Buffer.from(page);
        changed[place] = byte;
        if (RecordText.of(changed)) JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(changed));
      }),
      { numRuns: 2000 },
    );
  });
});

describe('room for lines', () => {
  it('is the same memory for one page after the other', () => {
    const room = new ReusableBuffer();
    const first = textOf('[{"name":"a long one"}]')?.lines(room);
    const second = textOf('[{"id":2}]')?.lines(room);
    expect(second?.toString()).toBe('{"id":2}\n');
    expect(second?.buffer).toBe(first?.buffer);
  });
});
