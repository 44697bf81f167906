import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { fieldsPrinted } from '../../../src/cli/result/field-list.ts';
import { WhereCheck } from '../../../src/cli/result/where-check.ts';
import { root } from '../../contracts/commands.ts';

const lists = readdirSync(join(root, 'schemas')).flatMap((file) => /^(\w+)-list\.json$/.exec(file)?.[1] ?? []);

it.each(lists)('accepts every expression of fields that %s list prints', (topic) => {
  const names = fieldsPrinted(`${topic}:list`, root, 3)
    .map(({ field }) => field)
    .filter((field) => /^[a-zA-Z_][\w.]*$/.test(field));
  const path = fc.constantFrom(...names).map((name) => `.${name}`);
  const expression = fc
    .tuple(path, fc.constantFrom('and', 'or', '==', '<', ','), path, fc.constantFrom('', ' | not', ' | length > 1'))
    .map(([left, operator, right, end]) => `(${left} ${operator} ${right})${end}`);
  fc.assert(
    fc.property(expression, (where) => {
      const check = WhereCheck.of(where, `${topic}:list`, root);
      expect(check).toBeDefined();
      check?.refuseMisspelled();
      check?.refuseUnknown([{}]);
    }),
  );
});
