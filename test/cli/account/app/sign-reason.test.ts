/** What sign commands report, with the bytes of a key as programs write them. */
import { createPrivateKey } from 'node:crypto';
import { expect, it } from 'vitest';
import { reasonIn } from '../../../../src/cli/account/app/sign-reason.ts';
import { appKey } from '../../../support/app.ts';

const bytes = [...createPrivateKey(appKey).export({ format: 'der', type: 'pkcs1' }).subarray(-400)];
const hexadecimal = bytes.map((byte) => byte.toString(16).padStart(2, '0'));
const decimal = BigInt(`0x${hexadecimal.join('')}`);
const withheld = ' (its report is not shown, because it may contain a key)';
const reason = (report: string) => reasonIn(report, { passed: {}, withheld: [] });

it.each([
  ['Python', (byte: number, hex: string) => (byte > 32 && byte < 127 ? String.fromCharCode(byte) : `\\x${hex}`)],
  ['C', (_: number, hex: string) => `\\x${hex}`],
  ['a shell', (byte: number) => `\\${byte.toString(8).padStart(3, '0')}`],
  ['JSON', (_: number, hex: string) => `\\u00${hex}`],
  ['URLs', (_: number, hex: string) => `%${hex}`],
  ['HTML', (byte: number) => `&#${byte};`],
  ['XML', (byte: number) => `&#x${byte.toString(16)};`],
])('a report with the bytes of a key as in %s is not shown', (_, write) => {
  const written = bytes.map((byte, at) => write(byte, hexadecimal[at] ?? '')).join('');
  expect(['', withheld]).toContain(reason(`no key: ${written}`));
});

it.each([
  ['Java', (byte: number) => `(byte)${byte}, `],
  ['Rust', (byte: number) => `${byte}u8, `],
  ['PHP', (byte: number) => `[0] => ${byte} `],
  ['XML', (byte: number) => `<v>${byte}</v>`],
  ['text', (byte: number) => `"${byte}";`],
  ['C', (_: number, hex: string) => `0x${hex};`],
  ['assembly', (_: number, hex: string) => `${hex}h `],
  ['Perl', (_: number, hex: string) => `\\x{${hex}}`],
  ['Unicode', (_: number, hex: string) => `U+00${hex} `],
])('a report with the bytes of a key as numbers of %s is not shown', (_, write) => {
  expect(reason(`no key: ${bytes.map((byte, at) => write(byte, hexadecimal[at] ?? '')).join('')}`)).toBe(
    ' (its report is not shown, because it may contain a key)',
  );
});

it('a number of a key is masked with its sign', () => {
  expect(reason(`E:65537 D:+${decimal} P:+7`)).toBe(': E:65537 D:******** P:+7');
});

it('a report with some escapes is shown', () => {
  const report = 'no key at https://kms.example.com/k%2Fa%C3%A9 (caf\\xc3\\xa9, \\u00fc, &#233;)';
  expect(reason(report)).toBe(`: ${report}`);
});

/** As `fold` writes it. */
const linesOf = (text: string, width: number) => text.match(new RegExp(`.{1,${width}}`, 'g')) ?? [];

it.each(['\\n', '\\r\\n', '\\t'])('hexadecimal is masked behind %s', (between) => {
  const lines = linesOf(hexadecimal.join(''), 64);
  expect(reason(`{"error":"${lines.join(between)}"}`)).toBe(
    `: {"error":"${lines.map(() => '********').join(between)}"}`.slice(0, 202),
  );
});

it.each(['\n', '\\n', '", "', "' '", ',', '|', ':'])(
  'short lines of a key with %j between them are not shown',
  (between) => {
    const base64 = Buffer.from(bytes).toString('base64');
    for (const text of [base64, hexadecimal.join('')])
      expect(reason(`no key: "${linesOf(text, 20).join(between)}"`)).toBe(withheld);
  },
);

it.each([
  'no key at C:\\new\\table in region eu-west-1, eu-west-2',
  'AccessDenied: arn:aws:kms:eu-west-1:123456789012:key/0f8fad5b-d9cb-469f-a165-70867728950e is not allowed',
  '2026-02-28T12:00:00Z 10.11.12.13:443 -> 10.20.30.40:8200: i/o timeout after 30 s (2 of 3)',
  'rpc error: code = Unavailable desc = dial tcp 10.11.12.13:8200: connect: connection refused',
])('a report with colons and backslashes is shown: %s', (report) => {
  expect(reason(report)).toBe(`: ${report}`);
});
