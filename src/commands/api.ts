import * as Flags from '@oclif/core/flags';
import { ForgectlCommand } from '../cli/command/command.ts';
import { UsageError } from '../cli/errors.ts';
import { collecting, optionalTextArg, textArg } from '../cli/input/args.ts';
import { kindOf, parseDocument } from '../cli/input/body-input.ts';
import { namedJson } from '../cli/input/file-flags.ts';
import { bodyFlag, whereFlag, writeFlags } from '../cli/input/flags.ts';
import { nameOf, readSource } from '../cli/input/sources.ts';
import { oneOf } from '../cli/input/values.ts';
import { PlainText } from '../cli/result/result.ts';
import type { RawRequest } from '../client/raw-request.ts';
import { PlannedRequest } from '../client/request.ts';
import { isObject } from '../json/exact-json.ts';
import { safeText } from '../output/safe-text.ts';
import { invalid } from '../platform/validate.ts';
import { apiFields, apiHeaders } from '../topics/api-fields.ts';

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

const readMethod = (text: string) => oneOf(methods)(text.toUpperCase());

const isMethod = (text: string): boolean => methods.some((method) => method === text.toUpperCase());

interface Typed {
  readonly method?: string;
  readonly path?: string;
}

export default class Api extends ForgectlCommand<unknown> {
  static override summary = 'Send any API request';
  static override description =
    `Sends requests that have no command of their own. The path is relative to the base URL, such as /orgs/acme; a full URL
must have the platform’s origin. METHOD defaults to GET. Fields become query parameters of GET and HEAD, and the body
of other requests. Requests carry the same token, API version and media type as other commands. The response is
printed as JSON; use -o for another format.`;
  static override examples = [
    { description: 'Show an organization as JSON', command: '<%= config.bin %> api /orgs/acme' },
    {
      description: 'Print the names of all private repositories',
      command: "<%= config.bin %> api GET /orgs/acme/repos -f type=private --paginate --jq '.[].full_name'",
    },
  ];
  static override args = {
    method: optionalTextArg('METHOD', methods, 'GET (default), HEAD, POST, PUT, PATCH or DELETE; case-insensitive'),
    path: textArg('PATH', 'Path relative to the base URL'),
  };
  static override flags = {
    'raw-field': Flags.string({
      char: 'f',
      multiple: true,
      multipleNonGreedy: true,
      helpValue: 'name=value',
      description: 'String field, sent unchanged',
    }),
    field: Flags.string({
      char: 'F',
      multiple: true,
      multipleNonGreedy: true,
      ...namedJson,
      description: 'JSON field, such as a number, true or a list; @FILE reads a file, @- standard input',
    }),
    header: Flags.string({
      char: 'H',
      multiple: true,
      multipleNonGreedy: true,
      helpValue: 'Name:value',
      description: 'Request header',
    }),
    input: bodyFlag({}, 'fields'),
    paginate: Flags.boolean({
      description: 'Fetch all pages and print their records as one list without its envelope',
    }),
    ...whereFlag,
    include: Flags.boolean({ char: 'i', description: 'Print the response status and headers first' }),
    ...writeFlags,
  };

  protected override readonly documentFormat = 'json';

  /** Its endpoint is only known when it runs. */
  protected override get offline(): boolean {
    return false;
  }

  protected override placed({ method, path }: Typed): Typed {
    const isPath = path === undefined && method !== undefined && !isMethod(method);
    return isPath ? { path: method } : { method, path };
  }

  async run() {
    const { args, flags } = await this.collect(Api);
    const method = await collecting('METHOD', readMethod)(args.method ?? 'GET', this);
    const reads = method === 'GET' || method === 'HEAD';
    const fields = await apiFields(flags['raw-field'], flags.field, this.runtime.stdin);
    const { headers, problems } = apiHeaders(flags.header);
    this.problems.push(...fields.problems, ...problems);
    if (flags.paginate && method !== 'GET') this.problems.push(invalid('--paginate', 'requires GET'));
    if (flags.where !== undefined && !flags.paginate) this.problems.push(invalid('--where', 'requires --paginate'));
    if (flags.paginate && flags.include) this.problems.push(invalid('--include', 'cannot be used with --paginate'));
    if (reads && flags.input !== undefined)
      this.problems.push(invalid('--input', `is a body, which ${method} requests do not have`));
    const { path } = this.valid(args);
    const body = reads ? undefined : await this.body(flags.input, fields.values);
    const raw: RawRequest = {
      ...this.valid({ method }),
      path,
      headers,
      ...(reads ? { query: fields.values } : { body }),
    };
    return flags.paginate ? this.shown(await this.session.sendForAll(raw)) : this.send(raw, flags.include);
  }

  /** Returns the body; undefined without input or fields, since many requests have no body. */
  private async body(input: string | undefined, fields: Readonly<Record<string, unknown>>): Promise<unknown> {
    const added = Object.keys(fields).length > 0;
    if (input === undefined) return added ? fields : undefined;
    const name = nameOf(input, '--input');
    const given = await parseDocument(name, await readSource(input, this.runtime.stdin, '--input'));
    if (!added) return given;
    if (!isObject(given))
      throw new UsageError(`${name} holds ${kindOf(given)}; -f and -F require an object. Nothing was sent.`);
    return { ...given, ...fields };
  }

  private async send(raw: RawRequest, include: boolean): Promise<unknown> {
    if (raw.method === 'DELETE') await this.input.confirm(raw.path);
    const received = await this.session.send(raw);
    if (received instanceof PlannedRequest) return received;
    const { status, headers, data } = received;
    if (include) await this.output.printText(headerText(status, headers));
    if (headers.link?.includes('rel="next"'))
      this.notice('More pages are available. Use --paginate to fetch them all.');
    return this.shown(data);
  }

  private shown(data: unknown): unknown {
    return typeof data === 'string' ? new PlainText(data) : data;
  }
}

function headerText(status: number, headers: Readonly<Record<string, string>>): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${safeText(value)}`);
  return `${[`HTTP ${status}`, ...lines].join('\n')}\n\n`;
}
