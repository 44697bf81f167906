/** GraphQL requests of `api`. */
import type { ApiResponse } from '../../client/client.ts';
import type { Page } from '../../client/pages.ts';
import { isObject } from '../../json/exact-json.ts';

/** Returns a body in which all fields but `query` and `operationName` are variables. */
export function graphqlBody(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { query, operationName, ...variables } = fields;
  return {
    ...(query === undefined ? {} : { query }),
    ...(operationName === undefined ? {} : { operationName }),
    ...(Object.keys(variables).length > 0 ? { variables } : {}),
  };
}

/** Returns the messages of the errors in a response, whose status is 200. */
export function graphqlErrors(data: unknown): string[] {
  const errors = isObject(data) && Array.isArray(data.errors) ? data.errors : [];
  return errors.map((error: unknown) =>
    isObject(error) && typeof error.message === 'string' ? error.message : 'error',
  );
}

/**
 * Yields the given first page of a list and those after it, until `pageInfo` reports no more. `send` requests a page
 * with the cursor as the variable `endCursor`.
 */
export async function* graphqlPages(
  body: unknown,
  first: ApiResponse<unknown>,
  send: (body: unknown) => Promise<ApiResponse<unknown>>,
): AsyncGenerator<Page<ApiResponse<unknown>>> {
  let response = first;
  for (let cursor: string | undefined; ; ) {
    const next = nextCursor(response.data);
    const more = next !== undefined && next !== cursor;
    yield { items: [response], more };
    if (!more) return;
    cursor = next;
    response = await send(withCursor(body, next));
  }
}

function withCursor(body: unknown, endCursor: string): unknown {
  const given = isObject(body) ? body : {};
  return { ...given, variables: { ...(isObject(given.variables) ? given.variables : {}), endCursor } };
}

/** Returns the cursor after the first list in a response that has `pageInfo`; undefined if that is complete. */
function nextCursor(data: unknown): string | undefined {
  const info = pageInfoIn(data);
  return info?.hasNextPage === true && typeof info.endCursor === 'string' ? info.endCursor : undefined;
}

function pageInfoIn(value: unknown): Readonly<Record<string, unknown>> | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if (isObject(value) && isObject(value.pageInfo)) return value.pageInfo;
  for (const below of Object.values(value)) {
    const found = pageInfoIn(below);
    if (found) return found;
  }
  return undefined;
}
