import * as Flags from '@oclif/core/flags';
import { examples, ForgectlCommand } from '../cli/command/command.ts';
import { RefusedResultError, UsageError } from '../cli/errors.ts';
import { collecting, optionalTextArg, textArg } from '../cli/input/args.ts';
import { keyAndValue } from '../cli/input/file-flags.ts';
import { bodyFlag, confirmedWriteFlags, valueFlag, whereFlag } from '../cli/input/flags.ts';
import { oneOf } from '../cli/input/values.ts';
import { Listing } from '../cli/result/listing.ts';
import { PlainText } from '../cli/result/result.ts';
import type { ApiResponse } from '../client/client.ts';
import { isRead } from '../client/http.ts';
import type { Page } from '../client/pages.ts';
import { graphqlPath, type RawRequest } from '../client/raw-request.ts';
import { PlannedRequest } from '../client/request.ts';
import { invalid } from '../platform/validate.ts';
import { graphqlErrors, graphqlPages } from '../topics/api/graphql.ts';
import { headerText } from '../topics/api/headers.ts';
import { type Fill, hasPlaceholder, inPath } from '../topics/api/placeholders.ts';
import { apiRequest, combinationProblems, listsRecords, type PrintingFlags } from '../topics/api/request.ts';
import { secretsOf } from '../topics/api/secrets.ts';

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

const readMethod = (text: string) => oneOf(methods)(text.toUpperCase());

const isMethod = (text: string): boolean => methods.some((method) => method === text.toUpperCase());

const several = { multiple: true, multipleNonGreedy: true } as const;

interface Typed {
  readonly method?: string;
  readonly path?: string;
}

type ApiFlags = PrintingFlags & { readonly json: boolean; readonly 'dry-run': boolean };

export default class Api extends ForgectlCommand<unknown> {
  static override summary = 'Send any API request';
  static override description =
    `Sends requests for which forgectl has no command. Arguments and flags are the same as those of gh api. The path is
relative to the base URL, such as /orgs/acme, and graphql is the GraphQL endpoint; a full URL must have the platform’s
origin and, for a write, start with the base URL, unless it is the GraphQL endpoint or the upload URL of a release.
Requests carry the same token, API version and media type as other commands. {owner}, {repo} and {branch} in the path and
in -F are taken from the git checkout of the current directory, if one of its remotes is on the platform.

METHOD defaults to GET, or to POST with fields or --input. Fields become the body, or query parameters of GET and HEAD:
key=value, key[sub]=value in an object, key[]=value in a list, and key[] for an empty list. -F converts true, false,
null and integers, and replaces @FILE with the contents of the file; other values are text. In GraphQL requests, all
fields except query and operationName are variables.

The response is printed as JSON; use -o for another format. --paginate joins lists; other pages are printed one after
another, and --jq filters each page. With --where, --fields, or any format but JSON, the records of all pages are
printed as one list, without the object that wraps them.`;
  static override examples = examples({
    'Show an organization as JSON': 'forgectl api /orgs/acme',
    'Print the names of all private repositories':
      "forgectl api -X GET /orgs/acme/repos -f type=private --paginate --jq '.[].full_name'",
    'Preview a change to two settings': `forgectl api -X PATCH /repos/acme/site -f description=Website -F has_wiki=false --dry-run`,
  });
  static override args = {
    method: optionalTextArg('METHOD', methods, 'The same as --method'),
    path: textArg('PATH', 'Path relative to the base URL, or graphql'),
  };
  static override flags = {
    method: {
      ...valueFlag('--method', readMethod, {
        char: 'X',
        helpValue: methods.join('|'),
        description: 'Method, case-insensitive (default: GET, or POST with fields or --input)',
      }),
      options: methods,
    },
    'raw-field': Flags.string({
      ...several,
      char: 'f',
      helpValue: 'key=value',
      description: 'Text field, sent unchanged',
    }),
    field: Flags.string({
      ...several,
      ...keyAndValue,
      char: 'F',
      description:
        'Typed field (true, false, null, integer or text); @FILE reads text from a file, @- from standard input',
    }),
    header: Flags.string({ ...several, char: 'H', helpValue: 'Name:value', description: 'Request header' }),
    preview: Flags.string({
      ...several,
      char: 'p',
      helpValue: 'NAME',
      description: 'API preview to accept, such as mercy; separate several with commas',
    }),
    input: bodyFlag({}, 'fields'),
    paginate: Flags.boolean({ description: 'Fetch all pages' }),
    slurp: Flags.boolean({ description: 'With --paginate, print one list of all pages' }),
    ...whereFlag(),
    include: Flags.boolean({ char: 'i', description: 'Print the response status and headers first' }),
    silent: Flags.boolean({ description: 'Do not print the response body' }),
    ...confirmedWriteFlags,
  };

  protected override readonly documentFormat = 'json';

  /** The endpoint is known only at run time. */
  protected override get offline(): boolean {
    return false;
  }

  protected override placed({ method, path }: Typed): Typed {
    const isPath = path === undefined && method !== undefined && !isMethod(method);
    return isPath ? { path: method } : { method, path };
  }

  async run() {
    const { args, flags } = await this.collect(Api);
    if (args.method && flags.method) this.problems.push(invalid('--method', 'cannot be used with METHOD'));
    const method =
      args.method === undefined ? flags.method : await collecting('METHOD', readMethod)(args.method ?? '', this);
    const path = args.path ?? '';
    const fill: Fill = (text, encode) => this.#filled(text, encode);
    const typed = { ...flags, method: method ?? undefined, path };
    const { raw, problems, notices } = await apiRequest(typed, { stdin: this.runtime.stdin, fill });
    this.problems.push(...problems, ...combinationProblems(flags));
    if (flags.paginate && raw.method !== 'GET' && path !== graphqlPath)
      this.problems.push(invalid('--paginate', 'requires GET; add -X GET to send fields in the query'));
    this.valid(args);
    for (const notice of notices) this.notice(notice);
    const request = { ...raw, path: await fill(path, inPath) };
    for (const secret of secretsOf(request)) this.addSentSecret(secret, flags['dry-run']);
    return flags.paginate ? this.#sendForAll(request, flags) : this.#send(request, flags);
  }

  async #filled(text: string, encode?: (value: string) => string): Promise<string> {
    if (!hasPlaceholder(text)) return text;
    if (this.isWithinAnother)
      throw new UsageError(
        '{owner}, {repo} and {branch} refer to the repository in this directory, not to the target. Nothing was sent.',
        'Use {org} and {name} for the owner and the name of each target.',
      );
    const { filled } = await import('../topics/api/folder-repository.ts');
    const { baseUrl } = (await this.session.connection()).platform;
    return filled(text, { path: process.cwd(), env: this.runtime.env, baseUrl }, encode);
  }

  async #send(raw: RawRequest, flags: ApiFlags): Promise<unknown> {
    if (!isRead(raw.method) && raw.path !== graphqlPath) {
      const { confirmWrite, requireName } = await import('../topics/api/asking.ts');
      await confirmWrite(raw, this.session, this.input);
      if (!flags['dry-run']) await requireName(raw, this.session);
    }
    const response = await this.session.send(raw);
    if (response instanceof PlannedRequest) return response;
    await this.#received(response, raw, flags);
    if (response.headers.link?.includes('rel="next"'))
      this.notice('More pages are available. Use --paginate to fetch them all.');
    const namesFormat = flags.output !== undefined || flags.json;
    return flags.silent || (response.status === 204 && !namesFormat) ? undefined : shown(response.data);
  }

  async #sendForAll(raw: RawRequest, flags: ApiFlags): Promise<unknown> {
    if (listsRecords(flags) && !flags.slurp && raw.path !== graphqlPath)
      return shown(await this.session.sendForAll(raw));
    const pages = raw.path === graphqlPath ? await this.#graphqlPages(raw) : await this.session.sendForPages(raw);
    if (pages instanceof PlannedRequest) return pages;
    const { shownPages } = await import('../topics/api/pages.ts');
    const received = (page: ApiResponse<unknown>) => this.#received(page, raw, flags);
    const separate = flags.jq !== undefined || flags.include || flags.silent;
    const result = await shownPages(pages, { slurp: flags.slurp, separate, received });
    if (!flags.silent) return shown(result);
    if (result instanceof Listing) await result.records();
    return undefined;
  }

  async #graphqlPages(raw: RawRequest): Promise<AsyncIterable<Page<ApiResponse<unknown>>> | PlannedRequest> {
    const first = await this.session.send(raw);
    if (first instanceof PlannedRequest) return first;
    return graphqlPages(raw.body, first, async (body) => {
      const next = await this.session.send({ ...raw, body });
      if (next instanceof PlannedRequest) throw new TypeError('a dry run plans only the first page');
      return next;
    });
  }

  /** Prints the response headers, and records GraphQL errors, which come with status 200. */
  async #received(response: ApiResponse<unknown>, { path }: RawRequest, { include }: ApiFlags): Promise<void> {
    if (include) await this.output.printText(headerText(response));
    const errors = path === graphqlPath ? graphqlErrors(response.data) : [];
    if (errors.length > 0) this.failure = new RefusedResultError(errors.join('; '));
  }
}

const shown = (data: unknown): unknown => (typeof data === 'string' ? new PlainText(data) : data);
