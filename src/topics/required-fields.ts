/** Fields that commands rely on. */
import { InvalidResponseError, type RequestSummary } from '../client/errors.ts';
import { isObject } from '../json/exact-json.ts';

const isValid = {
  text: (value: unknown) => typeof value === 'string' && value !== '',
  id: (value: unknown) => Number.isSafeInteger(value) && Number(value) > 0,
};

/** Throws InvalidResponseError for a record without one of the fields, by their paths, as `user.login`. */
export function requireFields(
  record: unknown,
  { method, path }: Pick<RequestSummary, 'method' | 'path'>,
  fields: Readonly<Record<string, keyof typeof isValid>>,
): void {
  const valueAt = (at: string) =>
    at.split('.').reduce<unknown>((value, name) => (isObject(value) ? value[name] : undefined), record);
  const invalid = Object.entries(fields).flatMap(([at, type]) => (isValid[type](valueAt(at)) ? [] : [at]));
  if (invalid.length > 0)
    throw new InvalidResponseError(
      { method, path },
      `${method} ${path} returned a record without a valid ${invalid.join(' and ')}.`,
    );
}
