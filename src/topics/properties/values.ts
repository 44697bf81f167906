/**
 * Parses custom properties from the command line: `tier=gold`, `region=eu region=us`, `region:=["eu"]`, or `team=` to
 * unset.
 */

import * as Args from '@oclif/core/args';
import type { Arg } from '@oclif/core/interfaces';
import { ValidationError } from '../../cli/errors.ts';
import { collecting, type InvalidArgument } from '../../cli/input/args.ts';
import { BadValue, plainName } from '../../cli/input/values.ts';
import { asText } from '../../json/exact-json.ts';
import { propertyProblem } from '../../platform/custom-properties.ts';
import type { CustomProperty } from '../../platform/records.ts';
import { didYouMean } from '../../platform/suggest.ts';
import { invalid, type Problem } from '../../platform/validate.ts';

/** A parsed NAME=VALUE. */
interface TypedProperty {
  readonly name: string;
  readonly value: string | readonly string[] | null;
  /** True if the value is the whole list, which cannot be repeated. */
  readonly isWhole: boolean;
}

export interface PropertyValue {
  property_name: string;
  value: string | string[] | null;
}

export const propertiesArg = (): Arg<(TypedProperty | InvalidArgument)[] | undefined> =>
  Args.custom<TypedProperty | InvalidArgument>({ parse: collecting('PROPERTIES', readProperty), ignoreStdin: true })({
    required: true,
    multiple: true,
    description: 'Properties, as NAME=VALUE; NAME= unsets a property',
  }) as unknown as Arg<(TypedProperty | InvalidArgument)[] | undefined>;

function readProperty(text: string): TypedProperty {
  const [, name, colon, value] = /^([^=:\s]+)(:?)=(.*)$/s.exec(text) ?? [];
  if (name === undefined || value === undefined)
    throw new BadValue('must have the form NAME=VALUE, or NAME= to unset a property');
  if (colon) return { name, value: readJson(value), isWhole: true };
  return { name, value: value === '' ? null : value, isWhole: value === '' };
}

function readJson(text: string): string | string[] | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new BadValue('must have JSON after :=');
  }
  const isText = (each: unknown) => typeof each === 'string';
  if (value === null || isText(value) || (Array.isArray(value) && value.every(isText)))
    return value as string | string[];
  throw new BadValue('must be a string, a list of strings, or null');
}

/** Returns each property once; a repeated one has a list of values. */
export function propertyValues(
  typed: readonly (TypedProperty | InvalidArgument)[],
  problems: Problem[],
): PropertyValue[] {
  const values = new Map<string, TypedProperty[]>();
  for (const property of typed)
    if (property) values.set(property.name, [...(values.get(property.name) ?? []), property]);
  return [...values].map(([property_name, given]) => {
    const [first] = given;
    if (given.length === 1) return { property_name, value: first?.value as PropertyValue['value'] };
    if (given.some(({ isWhole }) => isWhole))
      problems.push(
        invalid(property_name, 'is given more than once but cannot be combined with an unset or a JSON value'),
      );
    return { property_name, value: given.map(({ value }) => String(value)) };
  });
}

/** The name of a repository as typed, and what errors call it. */
export interface TypedName {
  readonly text: string;
  readonly called: string;
}

/** Returns the distinct names without their owner. Reports invalid names and repositories of other owners. */
export function repositoryNames(
  typed: readonly TypedName[],
  org: string | null | undefined,
  problems: Problem[],
): string[] {
  const names = new Map<string, string>();
  for (const { text, called } of typed) {
    const parts = text.split('/');
    const owner = parts.length > 1 ? parts[0] : undefined;
    const name = parts.at(-1) ?? '';
    try {
      if (parts.length > 2) throw new BadValue('must have the form NAME or ORG/NAME');
      if (owner !== undefined && org && owner.toLowerCase() !== org.toLowerCase())
        throw new BadValue(`is not a repository of ${org}`);
      const plain = plainName(name.replace(/\.git$/i, ''));
      // A file of another kind has lines like client_secret=…
      if (!/^[\w.-]+$/.test(plain)) throw new BadValue('is not the name of a repository');
      if (!names.has(plain.toLowerCase())) names.set(plain.toLowerCase(), plain);
    } catch (error) {
      if (!(error instanceof BadValue)) throw error;
      problems.push(invalid(called, error.message));
    }
  }
  return [...names.values()];
}

/** Returns definitions by their names in lower case. */
export const definitionsByName = (defined: readonly CustomProperty[]): ReadonlyMap<string, CustomProperty> =>
  new Map(defined.map((each) => [asText(each?.property_name).toLowerCase(), each]));

/** Returns values with the names of their definitions. Throws ValidationError for those that the platform refuses. */
export function checkedValues(
  typed: readonly PropertyValue[],
  defined: readonly CustomProperty[],
  org: string,
): PropertyValue[] {
  const problems: Problem[] = [];
  const byName = definitionsByName(defined);
  const values = typed.map(({ property_name: name, value: given }): PropertyValue => {
    const definition = byName.get(name.toLowerCase());
    const value = definition?.value_type === 'multi_select' && typeof given === 'string' ? [given] : given;
    // Without a value of its own, a repository has the default of a required property.
    const problem = definition
      ? propertyProblem({ ...definition, required: false }, value)
      : `is not a custom property of ${org}${didYouMean(name, [...byName.keys()])}`;
    if (problem !== undefined) problems.push(invalid(name, problem));
    return { property_name: definition?.property_name ?? name, value };
  });
  if (problems.length) throw new ValidationError(problems, `List them with “forgectl properties list ${org}”.`);
  return values;
}
