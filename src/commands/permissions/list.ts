import * as Flags from '@oclif/core/flags';
import { platformWords } from '../../cli/account/platform-words.ts';
import { ForgectlCommand } from '../../cli/command/command.ts';
import { optionalNameArg } from '../../cli/input/args.ts';
import { valueFlag } from '../../cli/input/flags.ts';
import { wholeNumber } from '../../cli/input/values.ts';
import { Listing } from '../../cli/result/listing.ts';
import type { Column } from '../../output/table/columns.ts';
import type { TokenKind } from '../../platform/endpoint.ts';
import type { Level } from '../../platform/permission-map.ts';
import {
  allRequirements,
  type PlatformWords,
  permissionSets,
  type Requirements,
  spelledPath,
} from '../../platform/permissions.ts';
import { permissionWords } from '../../topics/explanation.ts';

interface PermittedEndpoint {
  /** Null where a fine-grained token needs none, or cannot be used. */
  permission: string | null;
  level: Level | null;
  method: string;
  path: string;
  /** The specification's (*): several permissions are needed, or a different one does. */
  marked: boolean;
  scopes: readonly string[] | null;
  role: string | null;
  token_kinds: readonly TokenKind[] | null;
}

export default class PermissionsList extends ForgectlCommand<Listing<PermittedEndpoint>> {
  static override summary = 'List which permission opens which endpoints';
  static override description =
    `Lists the fine-grained permission map: each permission, its level, and the endpoints that it opens. A write permission also opens what
asks for read. (*) marks endpoints that need several permissions or take a different one; “permissions explain” says more. PATTERN keeps
what has it somewhere in permission, method or path; with * in it, what is like it as a whole, a path with or without its first slash. Nothing
is sent, and all is shown unless --limit says otherwise. In JSON each entry also has scopes, role and token kinds, where they are known.`;
  static override examples = [
    { description: 'What the permission “members” opens', command: '<%= config.bin %> permissions list members' },
    {
      description: 'What there is to do with an organization’s rulesets',
      command: "<%= config.bin %> permissions list '/orgs/*/rulesets*'",
    },
  ];
  static override args = { pattern: optionalNameArg('PATTERN', 'Part of a permission, method or path; * is any text') };
  static override flags = {
    limit: valueFlag('--limit', wholeNumber(1), {
      char: 'L',
      helpValue: 'NUMBER',
      description: 'Show at most this many; all unless given',
    }),
    all: Flags.boolean({ description: 'Show all, as without --limit' }),
  };

  protected override readonly columns: readonly Column<PermittedEndpoint>[] = [
    {
      header: 'Permission',
      get: ({ permission, token_kinds: tokens }) =>
        permission ?? permissionWords({ permission: undefined, tokens: tokens ?? undefined }),
      as: 'name',
      priority: 1,
    },
    { header: 'Level', get: 'level', priority: 1 },
    { header: 'Method', get: 'method', priority: 1 },
    { header: 'Path', get: 'path', as: 'message', priority: 1 },
    { header: 'Marked', get: ({ marked }) => (marked ? '(*)' : ''), priority: 3 },
  ];
  protected override readonly recordsName = 'permissions';

  async run() {
    const { args, flags } = await this.parse(PermissionsList);
    const words = platformWords(flags.profile, this.runtime.env, this.settingsDirectory);
    const isWanted = matcher(args.pattern ?? '');
    const openings = allRequirements.flatMap((needs) => {
      const paths = [spelledPath(needs.path, words), needs.path, needs.path.replace('<alerts>', 'depalerts')];
      const isWantedPath = paths.some((path) => isWanted(path) || isWanted(`${needs.method} ${path}`));
      return openingsOf(needs, words).filter(
        ({ permission, method }) => isWantedPath || isWanted(method) || (permission !== null && isWanted(permission)),
      );
    });
    const nothingFound = () => `No permission, method or path has “${args.pattern}” in it.`;
    return Listing.of(openings, { nothingFound, limit: flags.all ? undefined : flags.limit });
  }
}

/** One for each permission that an endpoint asks for, alone or with others. */
function openingsOf({ permission, method, path, ...needs }: Requirements, words: PlatformWords): PermittedEndpoint[] {
  const rest = {
    method,
    path: spelledPath(path, words),
    marked: needs.marked,
    scopes: needs.scopes ?? null,
    role: needs.role ?? null,
    token_kinds: needs.tokens ?? null,
  };
  if (!permission) return [{ permission: null, level: null, ...rest }];
  const pairs = new Set(
    permissionSets(permission).flatMap((set) => set.map((one) => `${one.permission}=${one.level}`)),
  );
  return [...pairs].map((pair) => {
    const [name = '', level] = pair.split('=');
    return { permission: name, level: level as Level, ...rest };
  });
}

/** A pattern with `*` must fit as a whole; any other is looked for. Upper and lower case are the same. */
function matcher(pattern: string): (text: string) => boolean {
  const wanted = pattern.toLowerCase();
  if (!wanted.includes('*')) return (text) => text.toLowerCase().includes(wanted);
  const literal = wanted.split('*').map((part) => part.replace(/[\\^$.+?()[\]{}|]/g, '\\$&'));
  const whole = new RegExp(`^/?${literal.join('.*')}$`);
  return (text) => whole.test(text.toLowerCase());
}
