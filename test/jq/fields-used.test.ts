import { expect, it } from 'vitest';
import { fieldsUsed } from '../../src/jq/fields-used.ts';

it.each<[expression: string, fields: readonly string[]]>([
  ['.archived', ['archived']],
  ['.archived and (.pushed_at // .created_at) < "2025-11"', ['archived', 'pushed_at', 'created_at']],
  ['.owner.login == "acme" | not', ['owner']],
  ['.topics[] == "payments"', ['topics']],
  ['.topics[0] | ascii_downcase | test("^\\\\w")', ['topics']],
  ['if .size >= 1.5 then .fork else false end', ['size', 'fork']],
  ['"pushed_at\\".name" == .name', ['name']],
  ['true', []],
])('finds the fields that %s depends on', (expression, fields) => {
  expect(fieldsUsed(expression)).toEqual(fields);
});

it.each([
  '.',
  '..',
  '.[]',
  '.["archived"]',
  '."archived"',
  '.size | . > 3',
  'keys | length > 3',
  'length > 3',
  'any',
  'contains({archived: true})',
  '. as $r | $r.archived',
  '. as {$archived} | $archived',
  'def f: .archived; f',
  '"\\(.)" == .name',
  '"\\\\\\(.)" == .name',
  '@json',
  '.a # . is archived',
  '.name | in({"site": 1})',
  'getpath(["archived"])',
  '.size | tostring',
])('does not guess the fields that %s depends on', (expression) => {
  expect(fieldsUsed(expression)).toBeUndefined();
});
