/** How the sandbox says no. A handler throws a refusal; the application answers with it. */
import type { Problem } from '../platform/validate.ts';

/** One element of the `errors` of a 422: the public platform sends either form. */
export type RefusedField =
  | string
  | { readonly resource: string; readonly field: string; readonly code: string; readonly message?: string };

export class Refusal extends Error {
  readonly status: number;
  readonly errors: readonly RefusedField[] | undefined;
  /** Where to ask instead. */
  readonly location: string | undefined;

  constructor(status: number, message: string, errors?: readonly RefusedField[], location?: string) {
    super(message);
    this.status = status;
    this.errors = errors;
    this.location = location;
  }
}

/** Also for what the caller may not know to exist. */
export const notFound = (): Refusal => new Refusal(404, 'Not Found');

export const forbidden = (message: string): Refusal => new Refusal(403, message);

export const badRequest = (message: string): Refusal => new Refusal(400, message);

/** A refusal, 422 as a rule, with what is wrong with each field of a resource, in the platform's form. */
export function validationFailed(resource: string, problems: readonly Problem[], status = 422): Refusal {
  const errors = problems.map(({ field, code, message }) => ({
    resource,
    field,
    code: code === 'missing_field' ? code : 'invalid',
    message,
  }));
  return new Refusal(status, 'Validation Failed', errors);
}

/** 422 for a rule that no single field states. */
export const unprocessable = (message: string, errors?: readonly RefusedField[]): Refusal =>
  new Refusal(422, message, errors);
