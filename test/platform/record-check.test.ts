import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { parseJson } from '../../src/json/exact-json.ts';
import { recordProblem } from '../../src/platform/record-check.ts';
import { organizationRulesetFields } from '../../src/platform/ruleset.ts';

const shape = {
  fields: {
    id: v.number(),
    name: v.string(),
    archived: v.optional(v.boolean()),
    value: v.nullable(v.union([v.string(), v.array(v.string())])),
  },
  body: organizationRulesetFields,
};

const record = { id: 7, name: 'x', value: null };

describe('recordProblem', () => {
  it.each<[what: string, record: object]>([
    ['the required fields alone', record],
    ['fields of any type that it does not declare', { ...record, size: {}, owner: 7 }],
    ['one of several types', { ...record, value: ['a', 'b'] }],
    ['fields of bodies that are null', { ...record, conditions: null, rules: null }],
    [
      'words and kinds of other versions',
      { ...record, enforcement: 'later', rules: [{ type: 'later', parameters: 7 }] },
    ],
    ['parts of known kinds that are missing', { ...record, rules: [{ type: 'pull_request', parameters: {} }] }],
  ])('accepts %s', (_what, given) => {
    expect(recordProblem(shape, given)).toBeUndefined();
  });

  it.each<[json: string, problem: string]>([
    ['7', 'a number instead of a record for [3]'],
    ['[]', 'a list instead of a record for [3]'],
    ['{"name":"x"}', 'nothing instead of a number for [3].id'],
    ['{"id":"7"}', 'a string instead of a number for [3].id'],
    ['{"id":99999999999999999999}', 'an integer that is too large instead of a number for [3].id'],
    ['{"id":1e999}', 'an infinite number instead of a number for [3].id'],
    ['{"id":7,"name":null}', 'null instead of a string for [3].name'],
    ['{"id":7,"__proto__":{"name":"x"}}', 'nothing instead of a string for [3].name'],
    ['{"id":7,"name":"x","archived":null}', 'null instead of true or false for [3].archived'],
    ['{"id":7,"name":"x","value":{}}', 'an object instead of a string or a list for [3].value'],
    ['{"id":7,"name":"x","value":null,"rules":{}}', 'an object instead of a list for [3].rules'],
    ['{"id":7,"name":"x","value":null,"rules":[null]}', 'null instead of an object for [3].rules[0]'],
    ['{"id":7,"name":"x","value":null,"rules":[{}]}', 'nothing instead of a string for [3].rules[0].type'],
    [
      '{"id":7,"name":"x","value":null,"rules":[{"type":"pull_request","parameters":[]}]}',
      'a list instead of an object for [3].rules[0].parameters',
    ],
    [
      '{"id":7,"name":"x","value":null,"conditions":{"ref_name":{"include":["a",7]}}}',
      'a number instead of a string for [3].conditions.ref_name.include[1]',
    ],
  ])('rejects %s', (json, problem) => {
    expect(recordProblem(shape, parseJson(json), '[3]')).toBe(problem);
  });
});
