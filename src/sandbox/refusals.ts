/** Refusals: handlers throw them, and the application sends them. */
import type { Problem } from '../platform/validate.ts';

/** An element of the `errors` of a 422: the public platform uses both forms. */
export type RefusedField =
  | string
  | { readonly resource: string; readonly field: string; readonly code: string; readonly message?: string };

export class Refusal extends Error {
  readonly status: number;
  readonly errors: readonly RefusedField[] | undefined;
  /** URL of the redirect. */
  readonly location: string | undefined;

  constructor(status: number, message: string, errors?: readonly RefusedField[], location?: string) {
    super(message);
    this.status = status;
    this.errors = errors;
    this.location = location;
  }
}

/** Also for records that the caller must not know about. */
export const notFound = (message = 'Not Found'): Refusal => new Refusal(404, message);

/** Returns what was found. Throws 404 for nothing. */
export function found<T>(record: T | undefined): T {
  if (record === undefined) throw notFound();
  return record;
}

export const forbidden = (message: string): Refusal => new Refusal(403, message);

export const badRequest = (message: string): Refusal => new Refusal(400, message);

/** A refusal (422 by default) with the errors of a resource's fields, in the platform's form. */
export function validationFailed(resource: string, problems: readonly Problem[], status = 422): Refusal {
  const errors = problems.map(({ field, code, message }) => ({
    resource,
    field,
    code: code === 'missing_field' ? code : 'invalid',
    message,
  }));
  return new Refusal(status, 'Validation Failed', errors);
}

/** 422 for a rule about several fields. */
export const unprocessable = (message: string, errors?: readonly RefusedField[]): Refusal =>
  new Refusal(422, message, errors);
