import { describe, expect, test } from 'vitest';
import type { Client, ListOptions } from '../../src/client/client.ts';
import { InvalidResponseError, ServerError } from '../../src/client/errors.ts';
import { type Page, type PageSource, pagesOf } from '../../src/client/pages.ts';
import { RecordText, ReusableBuffer } from '../../src/json/record-text.ts';
import { endpoint, list } from '../../src/platform/endpoint.ts';
import { listInstallations } from '../../src/platform/endpoints/installations.ts';
import { listOrganizations, listOwnOrganizations } from '../../src/platform/endpoints/orgs.ts';
import { rejection, testClient } from '../support/client.ts';
import { type Answering, json, startServer } from '../support/server.ts';

interface Numbered {
  readonly id: number;
}

const listBudgets = endpoint({
  route: 'GET /enterprises/{enterprise}/settings/billing/budgets',
  summary: 'List budgets',
  paging: 'has_next_page',
  items: 'budgets',
  perPage: 10,
  status: 200,
  answer: list<Numbered>(),
});

/** A list of `total` numbers at /api/v3/user/orgs, in pages with Link as the platform sends it. */
const numbersInPages =
  (total: number, { last = true, then }: { last?: boolean; then?: (page: number) => void } = {}): Answering =>
  (response, { url }) => {
    const query = new URL(url, 'http://x').searchParams;
    const perPage = Number(query.get('per_page') ?? 30);
    const page = Number(query.get('page') ?? 1);
    const pages = Math.ceil(total / perPage);
    then?.(page);
    const at = (number: number) => {
      const target = new URL(url, `http://${response.req.headers.host}`);
      target.searchParams.set('page', String(number));
      return target.href;
    };
    const links = [
      ...(page < pages ? [`<${at(page + 1)}>; rel="next"`] : []),
      ...(page < pages && last ? [`<${at(pages)}>; rel="last"`] : []),
      ...(page > 1 ? [`<${at(1)}>; rel="first"`, `<${at(page - 1)}>; rel="prev"`] : []),
    ];
    const from = (page - 1) * perPage;
    const records = Array.from({ length: Math.max(Math.min(perPage, total - from), 0) }, (_, index) => ({
      id: from + index + 1,
    }));
    json(response, records, links.length ? { link: links.join(', ') } : {});
  };

const upTo = (last: number) => Array.from({ length: last }, (_, index) => index + 1);

/** A list without a platform: each page is a record, and its text is its number, or zeros for `bytes` of them. */
function sourceOf(headers: (page: number) => Record<string, string>, bytes?: (page: number) => number) {
  let count = 0;
  const source: PageSource<number> = {
    first: { method: 'GET', url: 'https://ghe.example.com/api/v3/user/orgs', headers: {} },
    paging: 'page',
    asked: { method: 'GET', path: '/user/orgs' },
    fetch: async ({ url }) => {
      const page = ++count;
      const body = bytes ? Buffer.alloc(bytes(page)) : Buffer.from(String(page));
      return { status: 200, headers: headers(page), body, url };
    },
    read: ({ body }) => ({ items: [body.length] }),
  };
  return source;
}

async function collect<T>(pages: AsyncIterable<Page<T>>): Promise<Page<T>[]> {
  const all: Page<T>[] = [];
  for await (const page of pages) all.push(page);
  return all;
}

/** The ids of a whole list, which these tests number from 1. */
const idsOf = (pages: readonly Page<unknown>[]) =>
  pages.flatMap(({ items }) => (items as Numbered[]).map(({ id }) => id));

const ownOrganizations = (client: Client, options?: ListOptions) => client.pages(listOwnOrganizations, {}, options);

describe('a list with numbered pages', () => {
  test('is returned whole and in order', async () => {
    const server = await startServer(numbersInPages(95));
    const pages = await collect(ownOrganizations(testClient(server.origin)));
    expect(idsOf(pages)).toEqual(upTo(95));
    expect(pages.map(({ items, more }) => [items.length, more])).toEqual([
      [30, true],
      [30, true],
      [30, true],
      [5, false],
    ]);
    expect(server.requests.map(({ url }) => url).sort()).toEqual([
      '/api/v3/user/orgs',
      '/api/v3/user/orgs?page=2',
      '/api/v3/user/orgs?page=3',
      '/api/v3/user/orgs?page=4',
    ]);
  });

  test('is requested in pages of the given size, starting with the given page', async () => {
    const server = await startServer(numbersInPages(10));
    const pages = await collect(ownOrganizations(testClient(server.origin), { perPage: 3, page: 2 }));
    expect(idsOf(pages)).toEqual([4, 5, 6, 7, 8, 9, 10]);
    expect(server.requests.map(({ url }) => url).sort()).toEqual([
      '/api/v3/user/orgs?per_page=3&page=2',
      '/api/v3/user/orgs?per_page=3&page=3',
      '/api/v3/user/orgs?per_page=3&page=4',
    ]);
  });

  test('is fetched concurrently once the last page is known, within the concurrency limit', async () => {
    const answers: (() => void)[] = [];
    const number = numbersInPages(200);
    const server = await startServer((response, request, count) => {
      if (count === 1) number(response, request, count);
      else answers.push(() => number(response, request, count));
    });
    const pages = ownOrganizations(testClient(server.origin), { perPage: 10, concurrency: 4 });
    const whole = collect(pages);
    // Answered only when four are there, the last first: order must not come from the order of answers.
    for (let answered = 1; answered < 20; ) {
      const expected = Math.min(4, 20 - answered);
      while (answers.length < expected) await new Promise((resolve) => setImmediate(resolve));
      expect(answers).toHaveLength(expected);
      for (const answer of answers.splice(0).reverse()) {
        answer();
        answered++;
      }
    }
    expect(idsOf(await whole)).toEqual(upTo(200));
    expect(server.requests).toHaveLength(20);
  });

  test('is fetched only as far as it is read, except for concurrent pages', async () => {
    const server = await startServer(numbersInPages(1000));
    const pages = ownOrganizations(testClient(server.origin), { perPage: 10, concurrency: 3 })[Symbol.asyncIterator]();
    await pages.next();
    await pages.next();
    while (server.requests.length < 5) await new Promise((resolve) => setImmediate(resolve));
    // Two pages were read; three more are here or on their way, and no other may come.
    for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve));
    expect(server.requests).toHaveLength(5);
    await pages.return?.();
  });

  test('is fetched only as far as the limit requires', async () => {
    const server = await startServer(numbersInPages(1000));
    const pages = await collect(ownOrganizations(testClient(server.origin), { perPage: 10, limit: 25 }));
    expect(idsOf(pages)).toEqual(upTo(30));
    expect(pages.at(-1)?.more).toBe(true);
    expect(server.requests).toHaveLength(3);
  });

  test('needs one request if its first page reaches the limit', async () => {
    const server = await startServer(numbersInPages(1000));
    const pages = await collect(ownOrganizations(testClient(server.origin), { limit: 30 }));
    expect(pages.map(({ items, more }) => [items.length, more])).toEqual([[30, true]]);
    expect(server.requests).toHaveLength(1);
  });

  test('continues if it grows during the read', async () => {
    let total = 25;
    const server = await startServer((response, request, count) => {
      if (count === 3) total = 45;
      numbersInPages(total)(response, request, count);
    });
    const pages = await collect(ownOrganizations(testClient(server.origin), { perPage: 10, concurrency: 1 }));
    expect(idsOf(pages)).toEqual(upTo(45));
  });

  test('ends early if it shrinks during the read', async () => {
    let total = 100;
    const server = await startServer((response, request, count) => {
      if (count === 2) total = 15;
      numbersInPages(total)(response, request, count);
    });
    const pages = await collect(ownOrganizations(testClient(server.origin), { perPage: 10, concurrency: 1 }));
    expect(idsOf(pages)).toEqual(upTo(15));
  });

  test('may be numbered under another path, as for renamed repositories', async () => {
    const server = await startServer((response, { url }) => {
      const page = Number(new URL(url, 'http://x').searchParams.get('page') ?? 1);
      const link = (number: number, rel: string) => `</repositories/7/forks?page=${number}>; rel="${rel}"`;
      json(response, [{ id: page }], page < 3 ? { link: `${link(page + 1, 'next')}, ${link(3, 'last')}` } : {});
    });
    expect(idsOf(await collect(ownOrganizations(testClient(server.origin))))).toEqual([1, 2, 3]);
    expect(server.requests.map(({ url }) => url).sort()).toEqual([
      '/api/v3/user/orgs',
      '/repositories/7/forks?page=2',
      '/repositories/7/forks?page=3',
    ]);
  });

  test('is followed link by link if its next page is not numbered like its last', async () => {
    const links = [
      '</api/v3/user/orgs?after=b&page=2>; rel="next", </api/v3/user/orgs?page=9>; rel="last"',
      '</c>; rel="next"',
      '',
    ];
    const server = await startServer((response, _request, count) =>
      json(response, [{ id: count }], { link: links[count - 1] as string }),
    );
    expect(idsOf(await collect(ownOrganizations(testClient(server.origin))))).toEqual([1, 2, 3]);
    expect(server.requests.map(({ url }) => url)).toEqual([
      '/api/v3/user/orgs',
      '/api/v3/user/orgs?after=b&page=2',
      '/c',
    ]);
  });

  test('is returned without its envelope', async () => {
    const server = await startServer((response, _request, count) =>
      json(
        response,
        { total_count: 2, installations: [{ id: count }] },
        count === 1
          ? { link: '</api/v3/user/installations?page=2>; rel="next", </api/v3/user/installations?page=2>; rel="last"' }
          : {},
      ),
    );
    expect(idsOf(await collect(testClient(server.origin).pages(listInstallations, {})))).toEqual([1, 2]);
  });

  test('is one empty page after a 204', async () => {
    const server = await startServer((response) => response.writeHead(204).end());
    expect(await collect(ownOrganizations(testClient(server.origin)))).toEqual([{ items: [], more: false }]);
  });
});

test.each([0, 1, 500])('a list is returned whole with a concurrency of %i', async (concurrency) => {
  const server = await startServer(numbersInPages(95));
  expect(idsOf(await collect(ownOrganizations(testClient(server.origin), { concurrency })))).toEqual(upTo(95));
});

describe('a list with links only', () => {
  test('requests the next page before returning this one, and no other', async () => {
    const server = await startServer(numbersInPages(100, { last: false }));
    const pages = ownOrganizations(testClient(server.origin), { perPage: 10 })[Symbol.asyncIterator]();
    await pages.next();
    while (server.requests.length < 2) await new Promise((resolve) => setImmediate(resolve));
    for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve));
    expect(server.requests.map(({ url }) => url)).toEqual([
      '/api/v3/user/orgs?per_page=10',
      '/api/v3/user/orgs?per_page=10&page=2',
    ]);
    await pages.return?.();
  });

  test('is returned whole and in order', async () => {
    const server = await startServer(numbersInPages(95, { last: false }));
    expect(idsOf(await collect(ownOrganizations(testClient(server.origin))))).toEqual(upTo(95));
  });

  test('stops at the limit', async () => {
    const server = await startServer(numbersInPages(95, { last: false }));
    const pages = await collect(ownOrganizations(testClient(server.origin), { perPage: 10, limit: 20 }));
    expect(idsOf(pages)).toEqual(upTo(20));
    expect(server.requests).toHaveLength(2);
  });

  test('by since follows the given links, with or without page numbers', async () => {
    const server = await startServer((response, { url }) => {
      const since = Number(new URL(url, 'http://x').searchParams.get('since') ?? 0);
      const link = (page: number, rel: string) =>
        `</api/v3/organizations?since=${since + 2}&page=${page}>; rel="${rel}"`;
      const links = `${link(2, 'next')}, ${link(9, 'last')}`;
      json(response, [{ id: since + 1 }, { id: since + 2 }], since < 4 ? { link: links } : {});
    });
    expect(idsOf(await collect(testClient(server.origin).pages(listOrganizations, { query: { since: 0 } })))).toEqual(
      upTo(6),
    );
    expect(server.requests.map(({ url }) => url)).toEqual([
      '/api/v3/organizations?since=0',
      '/api/v3/organizations?since=2&page=2',
      '/api/v3/organizations?since=4&page=2',
    ]);
  });
});

describe('a list with has_next_page', () => {
  const budgets = (client: Client, options?: ListOptions) =>
    client.pages(listBudgets, { path: { enterprise: 'initech' } }, options);

  test('is requested by page number until the last page', async () => {
    const server = await startServer((response, _request, count) =>
      json(response, { budgets: [{ id: count }], has_next_page: count < 3, total_count: 3 }),
    );
    const pages = await collect(budgets(testClient(server.origin)));
    expect(idsOf(pages)).toEqual([1, 2, 3]);
    expect(pages.map(({ more }) => more)).toEqual([true, true, false]);
    expect(server.requests.map(({ url }) => url)).toEqual([
      '/api/v3/enterprises/initech/settings/billing/budgets',
      '/api/v3/enterprises/initech/settings/billing/budgets?page=2',
      '/api/v3/enterprises/initech/settings/billing/budgets?page=3',
    ]);
  });

  test('continues from the given page', async () => {
    const server = await startServer((response, _request, count) =>
      json(response, { budgets: [{ id: count }], has_next_page: count < 2 }),
    );
    await collect(budgets(testClient(server.origin), { page: 4, perPage: 1 }));
    expect(server.requests.map(({ url }) => url)).toEqual([
      '/api/v3/enterprises/initech/settings/billing/budgets?per_page=1&page=4',
      '/api/v3/enterprises/initech/settings/billing/budgets?per_page=1&page=5',
    ]);
  });

  test('is an error, not an endless list, if a page repeats', async () => {
    const server = await startServer((response) => json(response, { budgets: [{ id: 1 }], has_next_page: true }));
    const error = await rejection(collect(budgets(testClient(server.origin))));
    expect(error).toBeInstanceOf(InvalidResponseError);
    expect(error.message).toBe('GET /enterprises/initech/settings/billing/budgets returned the same page twice.');
  });
});

describe('unexpected pages of dozens of megabytes', () => {
  const mebibyte = 1024 * 1024;
  /** A small page, and then some that are asked for at the same time, one byte apart so that none is like the one before. */
  const largePages = (last: number, bytes: number) =>
    sourceOf(
      (page) => ({ link: page < last ? `</x?page=${page + 1}>; rel="next", </x?page=${last}>; rel="last"` : '' }),
      (page) => (page === 1 ? 1 : bytes - page),
    );

  test('are an error beyond 128 MiB side by side', async () => {
    const error = await rejection(collect(pagesOf(largePages(4, 45 * mebibyte), { concurrency: 3 })));
    expect(error).toBeInstanceOf(InvalidResponseError);
    expect(error.message).toBe('GET /user/orgs returned more than 128 MiB of pages at the same time.');
  });

  test('come one after the other, however many', async () => {
    const pages = await collect(pagesOf(largePages(6, 42 * mebibyte), { concurrency: 2 }));
    expect(pages.flatMap(({ items }) => [...items])).toEqual([
      1,
      ...[2, 3, 4, 5, 6].map((page) => 42 * mebibyte - page),
    ]);
  });
});

describe('an invalid next page is an error', () => {
  test.each([
    ['on another origin', 'https://evil.example.com/api/v3/user/orgs?page=2', 'a next-page link to another origin'],
    ['that is the current page', '/api/v3/user/orgs', 'a next-page link to a page already visited'],
    ['that is not a URL', 'http://[', 'a next-page link to another origin'],
  ])('%s', async (_what, next, how) => {
    const server = await startServer((response) => json(response, [{ id: 1 }], { link: `<${next}>; rel="next"` }));
    const error = await rejection(collect(ownOrganizations(testClient(server.origin))));
    expect(error).toBeInstanceOf(InvalidResponseError);
    expect(error.message).toBe(`GET /user/orgs returned ${how}.`);
    expect(server.requests).toHaveLength(1);
  });

  test('that leads back in a loop', async () => {
    const server = await startServer((response, { url }, count) =>
      json(response, [{ id: count }], { link: `<${url === '/b' ? '/c' : '/b'}>; rel="next"` }),
    );
    const seen: number[] = [];
    const error = await rejection(
      (async () => {
        for await (const { items } of ownOrganizations(testClient(server.origin))) seen.push(items.length);
      })(),
    );
    expect(error.message).toBe('GET /user/orgs returned a next-page link to a page already visited.');
    expect(seen).toEqual([1, 1]);
  });

  test('that repeats an earlier one, although it was not visited', async () => {
    const server = await startServer((response, _request, count) =>
      json(response, [{ id: count }], { link: `</api/v3/user/orgs?page=${9 - count}>; rel="next"` }),
    );
    const error = await rejection(collect(ownOrganizations(testClient(server.origin))));
    expect(error.message).toBe('GET /user/orgs returned a next-page link to an earlier page.');
    expect(server.requests).toHaveLength(2);
  });

  test('that leads back in a loop of hundreds', async () => {
    let asked = 0;
    const source = sourceOf(() => ({ link: `</api/v3/user/orgs?after=${++asked % 900}>; rel="next"` }));
    const error = await rejection(collect(pagesOf(source, { concurrency: 16 })));
    expect(error.message).toBe('GET /user/orgs returned a next-page link to a page already visited.');
    expect(asked).toBe(901);
  });

  test('that continues endlessly with new items: after a hundred thousand pages', async () => {
    let asked = 0;
    const source = sourceOf(() => ({ link: `</api/v3/user/orgs?after=${++asked}>; rel="next"` }));
    let seen = 0;
    const error = await rejection(
      (async () => {
        for await (const { items } of pagesOf(source, { concurrency: 16 })) seen += items.length;
      })(),
    );
    expect(error.message).toBe('GET /user/orgs returned 100000 pages and still links to a next page.');
    expect(seen).toBe(99_999);
    expect(asked).toBe(100_000);
  });

  test('that repeats the same items under another address', async () => {
    const server = await startServer((response, _request, count) =>
      json(response, [{ id: 1 }], { link: `</b?since=${count}>; rel="next"` }),
    );
    const error = await rejection(collect(ownOrganizations(testClient(server.origin))));
    expect(error.message).toBe('GET /user/orgs returned the same page twice.');
    expect(server.requests).toHaveLength(2);
  });

  test('that is empty, like each one after it', async () => {
    const server = await startServer((response, _request, count) =>
      json(response, [], { link: `</b?since=${count}>; rel="next"` }),
    );
    const error = await rejection(collect(ownOrganizations(testClient(server.origin))));
    expect(error.message).toBe('GET /user/orgs returned more than 100 empty pages in a row.');
    expect(server.requests).toHaveLength(101);
  });
});

describe('a page that fails', () => {
  test('ends the list after the pages before it', async () => {
    const number = numbersInPages(50);
    const server = await startServer((response, request, count) =>
      request.url.endsWith('page=3') ? json(response, { message: 'Down' }, {}, 500) : number(response, request, count),
    );
    const seen: unknown[] = [];
    const error = await rejection(
      (async () => {
        const pages = ownOrganizations(testClient(server.origin, { maxWaitMs: 0 }), { perPage: 10 });
        for await (const { items } of pages) seen.push(...items);
      })(),
    );
    expect(error).toBeInstanceOf(ServerError);
    expect(seen).toHaveLength(20);
  });

  test('is a record instead of a list', async () => {
    const server = await startServer((response) => json(response, { message: 'Hello' }));
    expect(await rejection(collect(ownOrganizations(testClient(server.origin))))).toBeInstanceOf(InvalidResponseError);
  });
});

describe('a reader that stops early', () => {
  test('aborts pending requests', async () => {
    const number = numbersInPages(100);
    let open = 0;
    const server = await startServer((response, request, count) => {
      if (count === 1) return number(response, request, count);
      open++;
      response.on('close', () => open--);
    });
    for await (const _page of ownOrganizations(testClient(server.origin), { perPage: 10, concurrency: 4 })) {
      while (open < 4) await new Promise((resolve) => setImmediate(resolve));
      break;
    }
    while (open > 0) await new Promise((resolve) => setImmediate(resolve));
    expect(server.requests).toHaveLength(5);
  });

  test('by a signal receives its reason', async () => {
    const stop = new AbortController();
    const server = await startServer((response, request, count) => {
      if (count === 1) numbersInPages(100)(response, request, count);
      else stop.abort(new Error('Ctrl-C'));
    });
    const pages = ownOrganizations(testClient(server.origin), { perPage: 10, signal: stop.signal });
    expect((await rejection(collect(pages))).message).toBe('Ctrl-C');
  });
});

describe('a list of raw pages', () => {
  const linesOf = async (client: Client, options: ListOptions = {}) => {
    const lines: string[] = [];
    for await (const { items } of client.pages(listOwnOrganizations, {}, { ...options, raw: true }))
      lines.push(items instanceof RecordText ? items.lines(new ReusableBuffer()).toString() : JSON.stringify(items));
    return lines;
  };

  test('returns the text of its pages, each requested once and in order', async () => {
    const server = await startServer(numbersInPages(7));
    expect(await linesOf(testClient(server.origin), { perPage: 3 })).toEqual([
      '{"id":1}\n{"id":2}\n{"id":3}\n',
      '{"id":4}\n{"id":5}\n{"id":6}\n',
      '{"id":7}\n',
    ]);
    expect(server.requests.map(({ url }) => url)).toEqual([
      '/api/v3/user/orgs?per_page=3',
      '/api/v3/user/orgs?per_page=3&page=2',
      '/api/v3/user/orgs?per_page=3&page=3',
    ]);
  });

  test('is parsed if the platform formats it in another way', async () => {
    const server = await startServer((response) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end('[ {"id": 1} ]'),
    );
    expect(await linesOf(testClient(server.origin))).toEqual(['[{"id":1}]']);
  });

  test.each([
    ['cut short', 'application/json', '[{"id":1},{"id"', '200 with truncated or invalid JSON'],
    ['no list', 'application/json', '{"id":1}', 'something other than a list'],
    ['no JSON by its name', 'text/html', '[{"id":1}]', '200 with text/html instead of JSON'],
  ])('is rejected if it is %s', async (_, type, body, how) => {
    const server = await startServer((response) => response.writeHead(200, { 'content-type': type }).end(body));
    const error = await rejection(linesOf(testClient(server.origin)));
    expect(error).toBeInstanceOf(InvalidResponseError);
    expect(error.message).toContain(how);
  });

  test('is rejected if a page repeats', async () => {
    const server = await startServer((response, { url }) => {
      const page = Number(new URL(url, 'http://x').searchParams.get('page') ?? 1);
      json(response, [{ id: 1 }], { link: `</api/v3/user/orgs?page=${page + 1}>; rel="next"` });
    });
    expect((await rejection(linesOf(testClient(server.origin)))).message).toBe(
      'GET /user/orgs returned the same page twice.',
    );
  });

  test('keeps the last page only in memory', async () => {
    const server = await startServer(numbersInPages(6));
    const pages: RecordText[] = [];
    for await (const { items } of testClient(server.origin).pages(listOwnOrganizations, {}, { perPage: 2, raw: true }))
      pages.push(items as RecordText);
    expect(pages.map(({ bytes }) => bytes.length)).toEqual([0, 0, 19]);
  });
});
