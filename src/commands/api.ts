import * as Flags from '@oclif/core/flags';
import { ForgectlCommand } from '../cli/command/command.ts';
import { UsageError } from '../cli/errors.ts';
import { collecting, optionalTextArg, textArg } from '../cli/input/args.ts';
import { kindOf, parseDocument } from '../cli/input/body-input.ts';
import { namedJson } from '../cli/input/file-flags.ts';
import { bodyFlag, writeFlags } from '../cli/input/flags.ts';
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
  static override summary = 'Send any request';
  static override description =
    `For what has no command of its own. The path is relative to the base URL, such as /orgs/acme; a full URL must be on the platform’s own
origin. Without METHOD the request is a GET. Fields go into the query of a GET or HEAD and into the body of everything else. The token, the
API version and the media type are added as for every command. The response is printed as JSON; -o selects another format.`;
  static override examples = [
    { description: 'Read something', command: '<%= config.bin %> api /orgs/acme' },
    {
      description: 'Every page of a list',
      command: "<%= config.bin %> api GET /orgs/acme/repos -f type=private --paginate --jq '.[].full_name'",
    },
  ];
  static override args = {
    method: optionalTextArg('METHOD', methods, 'GET (default), HEAD, POST, PUT, PATCH or DELETE, in any case'),
    path: textArg('PATH', 'Path below the base URL'),
  };
  static override flags = {
    'raw-field': Flags.string({
      char: 'f',
      multiple: true,
      multipleNonGreedy: true,
      helpValue: 'name=value',
      description: 'A field whose value is text, sent as it is',
    }),
    field: Flags.string({
      char: 'F',
      multiple: true,
      multipleNonGreedy: true,
      ...namedJson,
      description:
        'A field whose value is JSON: a number, true, a list …; from a file with @FILE, from standard input with @-',
    }),
    header: Flags.string({
      char: 'H',
      multiple: true,
      multipleNonGreedy: true,
      helpValue: 'Name:value',
      description: 'A header',
    }),
    input: bodyFlag({}, 'fields'),
    paginate: Flags.boolean({
      description:
        'Ask for all pages, and print their records as one list, taken out of its envelope; a record is printed as it is',
    }),
    include: Flags.boolean({ char: 'i', description: 'Print the status and the headers of the answer first' }),
    ...writeFlags,
  };

  protected override readonly documentFormat = 'json';

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
    if (flags.paginate && method !== 'GET') this.problems.push(invalid('--paginate', 'goes only with GET'));
    if (flags.paginate && flags.include) this.problems.push(invalid('--include', 'cannot be used with --paginate'));
    if (reads && flags.input !== undefined) this.problems.push(invalid('--input', `is a body, and ${method} has none`));
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

  /** Absent when nothing was given: many requests take no body at all. */
  private async body(input: string | undefined, fields: Readonly<Record<string, unknown>>): Promise<unknown> {
    const added = Object.keys(fields).length > 0;
    if (input === undefined) return added ? fields : undefined;
    const name = nameOf(input, '--input');
    const given = await parseDocument(name, await readSource(input, this.runtime.stdin, '--input'));
    if (!added) return given;
    if (!isObject(given))
      throw new UsageError(`${name} holds ${kindOf(given)}; -f and -F add to an object only. Nothing was sent.`);
    return { ...given, ...fields };
  }

  private async send(raw: RawRequest, include: boolean): Promise<unknown> {
    if (raw.method === 'DELETE') await this.input.confirm(raw.path);
    const received = await this.session.send(raw);
    if (received instanceof PlannedRequest) return received;
    const { status, headers, data } = received;
    if (include) await this.output.printText(headerText(status, headers));
    if (headers.link?.includes('rel="next"')) this.notice('There are more pages. Use --paginate to see them all.');
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
