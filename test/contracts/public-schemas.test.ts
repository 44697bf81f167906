/** schemas/ against the public platform's published description: what may come from there, the schemas allow. */
import { expect, it } from 'vitest';
import { allEndpoints } from '../../src/platform/endpoints/index.ts';
import { commands } from './commands.ts';
import { alternatives, describedAnswer, describedDefinitions, readJson, type Schema } from './json-schema.ts';

/** Where the description allows a type that the schema does not: `[].owner.gravatar_id: null`. */
function refusals(theirs: Schema, ours: Schema, ourDefinitions: Schema['$defs'], path = ''): string[] {
  const [known, allowed] = [alternatives(theirs, describedDefinitions), alternatives(ours, ourDefinitions)];
  // A schema without a type allows everything, and so does a map of any names.
  if (allowed.length === 0 || path.split(/[.[]/).length > 6) return [];
  const types = new Set(allowed.flatMap(({ type }) => (type === 'number' ? ['number', 'integer'] : [type])));
  const refused = known.filter(({ type }) => !types.has(type)).map(({ type }) => `${path}: ${type}`);
  const members = known
    .flatMap(({ properties = {} }) => Object.entries(properties))
    .flatMap(([name, schema]) => {
      const own = allowed.find(({ properties }) => properties?.[name])?.properties?.[name];
      return own ? refusals(schema, own, ourDefinitions, `${path}.${name}`) : [];
    });
  const lists = known
    .flatMap(({ items }) => (items ? [items] : []))
    .flatMap((items) => {
      const own = allowed.find((each) => each.items)?.items;
      return own ? refusals(items, own, ourDefinitions, `${path}[]`) : [];
    });
  return [...new Set([...refused, ...members, ...lists])];
}

/** Commands that print something other than the response to their only request. */
const derived = ['policy explain'];

/** The response that a command prints unchanged: a record, or a list without its envelope. */
function answerOf({ name, requests }: (typeof commands)[number]): Schema | undefined {
  if (derived.includes(name)) return undefined;
  const [route, ...others] = requests;
  const endpoint = allEndpoints.find((each) => each.route === route);
  if (!route || !endpoint || others.length > 0 || endpoint.answer.kind === 'nothing') return undefined;
  return describedAnswer(endpoint);
}

const compared = commands.flatMap((command) => {
  const answer = answerOf(command);
  return answer ? [{ name: command.name, answer }] : [];
});

it.each(compared)('the public platform’s response to $name matches its schema', ({ name, answer }) => {
  const schema = readJson(`schemas/${name.replaceAll(' ', '-')}.json`) as Schema;
  expect(refusals(answer, schema, schema.$defs)).toEqual([]);
});

it('compares several responses', () => {
  const topics = new Set(compared.map(({ name }) => name.split(' ')[0]));
  const read = ['comments', 'forks', 'installations', 'migrations', 'orgs', 'registries', 'repos', 'rulesets'];
  expect([...topics]).toEqual(expect.arrayContaining(read));
});
