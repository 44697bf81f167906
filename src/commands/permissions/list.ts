import * as Flags from '@oclif/core/flags';
import { platformWords } from '../../cli/account/platform-words.ts';
import { examples, ForgectlCommand } from '../../cli/command/command.ts';
import { optionalNameArg } from '../../cli/input/args.ts';
import { valueFlag, whereFlag } from '../../cli/input/flags.ts';
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
import { permissionWords } from '../../topics/permissions/explanation.ts';

interface PermittedEndpoint {
  /** Null if a fine-grained token needs no permission or is not supported. */
  permission: string | null;
  level: Level | null;
  method: string;
  path: string;
  /** The specification's (*): requires several permissions or a different one. */
  marked: boolean;
  scopes: readonly string[] | null;
  role: string | null;
  token_kinds: readonly TokenKind[] | null;
}

export default class PermissionsList extends ForgectlCommand<Listing<PermittedEndpoint>> {
  static override summary = 'List the endpoints that each permission grants';
  static override description =
    `Lists the fine-grained permission map: permissions with their levels and endpoints. A write permission includes
read. (*) marks endpoints that require several permissions or a different one; “permissions explain” shows the details.
PATTERN filters by permission, method or path: text matches anywhere, and a pattern with * must match the whole, with or
without the leading slash of a path. Lists everything unless --limit is given. The JSON output adds the known scopes,
role and token kinds. Sends no requests.`;
  static override examples = examples({
    'List the endpoints of the permission “members”': 'forgectl permissions list members',
    'List the endpoints for an organization’s rulesets': "forgectl permissions list '/orgs/*/rulesets*'",
  });
  static override args = {
    pattern: optionalNameArg('PATTERN', 'Filter by permission, method or path; * matches any text'),
  };
  static override flags = {
    limit: valueFlag('--limit', wholeNumber(1), {
      char: 'L',
      helpValue: 'NUMBER',
      description: 'Maximum number of items (default: all)',
    }),
    all: Flags.boolean({ description: 'List all items, as without --limit' }),
    ...whereFlag('.level == "write"'),
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
    const nothingFound = () => `No permission, method or path matches “${args.pattern}”.`;
    return Listing.of(openings, { nothingFound, limit: flags.all ? undefined : flags.limit });
  }
}

/** Returns one entry per permission that an endpoint requires, alone or with others. */
function openingsOf({ permission, method, path, ...needs }: Requirements, words: PlatformWords): PermittedEndpoint[] {
  const rest = {
    method,
    path: spelledPath(path, words),
    marked: needs.marked,
    scopes: needs.scopes ?? null,
    role: needs.role ?? null,
    token_kinds: needs.asApp ? [] : (needs.tokens ?? null),
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

/** Returns a case-insensitive matcher: a pattern with `*` must match the whole text, any other matches anywhere. */
function matcher(pattern: string): (text: string) => boolean {
  const wanted = pattern.toLowerCase();
  if (!wanted.includes('*')) return (text) => text.toLowerCase().includes(wanted);
  const literal = wanted.split('*').map((part) => part.replace(/[\\^$.+?()[\]{}|]/g, '\\$&'));
  const whole = new RegExp(`^/?${literal.join('.*')}$`);
  return (text) => whole.test(text.toLowerCase());
}
