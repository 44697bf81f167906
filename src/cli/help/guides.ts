/** Help pages about topics other than commands: `forgectl help environment`. */
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import type { FlagGroup } from './command-page.ts';

export interface GuidePart {
  readonly heading: string;
  readonly texts?: readonly string[];
  /** Texts by label. */
  readonly items?: Readonly<Record<string, string>>;
  /** Command lines by what they achieve. */
  readonly examples?: Readonly<Record<string, string>>;
}

export interface Guide {
  readonly name: string;
  /** One line, without a full stop. */
  readonly summary: string;
  readonly parts: readonly GuidePart[];
}

const environment: Guide = {
  name: 'environment',
  summary: 'Environment variables that forgectl reads',
  parts: [
    {
      heading: 'ORDER',
      texts: ['Flags override variables, variables override the profile’s settings, and those override the defaults.'],
    },
    {
      heading: 'PLATFORM AND TOKEN',
      items: {
        FORGECTL_BASE_URL: 'Base URL of the platform, such as https://ghe.example.com',
        FORGECTL_TOKEN: 'Token for that platform; sent nowhere else',
        FORGECTL_TOKEN_FILE:
          'File with the token, in which {index} is the shard, counted from 0; FORGECTL_TOKEN takes precedence',
        FORGECTL_APP_ID:
          'ID of the app to log in as; requires one of the next three variables; the two above take precedence',
        FORGECTL_APP_PRIVATE_KEY: 'Private key of the app in PEM format',
        FORGECTL_APP_PRIVATE_KEY_FILE: 'File with the private key',
        FORGECTL_APP_SIGN_COMMAND:
          'Program that signs instead, as a JSON array with its arguments: text on stdin, RS256 signature on stdout',
        FORGECTL_APP_SIGN_ENV:
          'Environment variables to pass to this program in addition to PATH, HOME and the like, comma-separated',
        FORGECTL_APP_INSTALLATION:
          'Installation of the app, by ID or organization (default: that of the organization in the command)',
        FORGECTL_PROFILE: 'Profile to use',
        FORGECTL_API_VERSION: 'API version (default: 2022-11-28)',
        FORGECTL_VENDOR: 'Vendor name in headers and media types (default: github)',
        FORGECTL_ALERTS_SEGMENT: 'Path segment of dependency alerts (default: dependabot)',
        FORGECTL_CONFIG_DIR: 'Directory of the settings',
        FORGECTL_CACHE_DIR: 'Absolute path of the cache for responses and compiled code',
        XDG_CACHE_HOME: 'Cache root when FORGECTL_CACHE_DIR is unset',
        XDG_STATE_HOME: 'Root of the journals of each and policy apply (default: ~/.local/state)',
      },
    },
    {
      heading: 'VARIABLES SHARED WITH OTHER PROGRAMS',
      texts: [
        'Used only if no flag, variable above or profile selects a platform. The first pair that is set is used, and each token is sent only to the platform of its pair. “forgectl auth status” shows which token is in use, and why others are ignored.',
      ],
      items: {
        GH_HOST: 'The platform of gh',
        GH_ENTERPRISE_TOKEN: 'Token for a self-managed GH_HOST; same as GITHUB_ENTERPRISE_TOKEN',
        GH_TOKEN: 'Token for GH_HOST if that is github.com or a subdomain of ghe.com',
        GITHUB_API_URL: 'The platform of a CI runner',
        GITHUB_TOKEN: 'Token for GITHUB_API_URL',
        GITHUB_ACTIONS: 'If set, escapes workflow commands in untrusted text',
      },
    },
    {
      heading: 'NETWORK',
      items: {
        'HTTPS_PROXY, HTTP_PROXY': 'Proxy for requests',
        NO_PROXY: 'Hosts to reach without the proxy',
        NODE_EXTRA_CA_CERTS: 'File with additional trusted certificates',
      },
    },
    {
      heading: 'TERMINAL',
      items: {
        NO_COLOR: 'If set, disables colors',
        FORCE_COLOR: 'Enables colors even in a pipe; overrides NO_COLOR',
        FORCE_HYPERLINK: 'Enables links to web pages in unknown terminals; 0 disables them',
        BROWSER: 'Command for opening web pages with --web; %s is replaced by the address',
        ACCESSIBLE: 'If set, prints plain lines of text, like --plain',
        COLUMNS: 'Maximum width of tables in a pipe',
        CI: 'If set, disables prompts, like --no-input',
      },
    },
  ],
};

/** The meanings of exit codes, in numerical order. */
const meanings: Readonly<Record<ExitCode, string>> = {
  [exitCodes.done]: 'Done',
  [exitCodes.unexpected]: 'Unexpected error, such as a full disk or a bug',
  [exitCodes.usage]: 'Usage error, local validation or lint findings; nothing was sent',
  [exitCodes.notFound]: 'Not found (404)',
  [exitCodes.notAuthenticated]: 'Not authenticated (401)',
  [exitCodes.notPermitted]: 'Not permitted (403)',
  [exitCodes.refused]: 'Refused by the platform (any other 4xx)',
  [exitCodes.rateLimited]: 'Rate limit reached; the message says when to retry',
  [exitCodes.network]: 'Network or server error, or request timeout',
  [exitCodes.someFailed]: 'Some of several targets failed, or an export or import is incomplete',
  [exitCodes.waitLimit]: 'A wait timed out; the operation may still complete',
  [exitCodes.differences]: 'The live state differs from the policy (policy plan --exit-code)',
  [exitCodes.guarded]: 'Stopped by a guard such as --expect, or the target was renamed; nothing was changed',
  [exitCodes.findings]: 'Findings: a simulation or an impact shows a refusal, or an audit found what --fail-on names',
  [exitCodes.interrupted]: 'Interrupted',
};

const exit: Guide = {
  name: 'exit-codes',
  summary: 'Exit codes of commands',
  parts: [
    { heading: 'EXIT CODES', items: meanings },
    {
      heading: 'ERRORS',
      texts: [
        'Exit codes are the same with and without --json. With JSON output, an error is one JSON object on the last line of stderr, with code and message, and optionally status, fields, advice, requestId and retryAt.',
      ],
      examples: {
        'Create a repository unless it exists':
          'forgectl repos get acme/new; [ $? -ne 3 ] || forgectl repos create acme/new --visibility private',
      },
    },
  ],
};

const formatting: Guide = {
  name: 'formatting',
  summary: 'Output formats, field selection and jq filters',
  parts: [
    {
      heading: 'FORMATS',
      texts: [
        'The default is a table on a terminal. In a pipe, it is tsv for lists, and one line per field (name, tab, value) for a single record. Change it with --output or the setting output.',
      ],
      items: {
        table: 'The most important columns that fit the terminal; stderr reports hidden ones',
        tsv: 'Tab-separated values, one line per record, no header',
        csv: 'Comma-separated values with a header of field names, quoted as in RFC 4180',
        json: 'The platform’s response; a list is one array',
        ndjson: 'One line of JSON per record, printed as it arrives',
        yaml: 'The same data as json, for reading and editing',
      },
    },
    {
      heading: 'FIELDS',
      texts: [
        '--fields selects fields by their path in the JSON: the columns of table, tsv and csv, and the fields of each record in json, ndjson and yaml.',
      ],
      examples: {
        'Show two columns': 'forgectl repos list acme --fields full_name,owner.login',
        'List the available fields': 'forgectl repos list --fields help',
      },
    },
    {
      heading: 'JQ',
      texts: [
        '--where shows only the items of a list for which a jq expression is true, in any format; --limit counts only these.',
        '--jq filters the JSON; jq need not be installed. Strings are printed without quotes, like jq -r. A list is filtered as a whole; with -o ndjson, each record is filtered on its own as it arrives. With -o csv, tsv or table, results that are flat objects or arrays become rows.',
      ],
      examples: {
        'List repositories that are not archived':
          "forgectl repos list acme --all --jq '.[] | select(.archived | not) | .full_name'",
        'Print computed columns as CSV':
          "forgectl repos list acme --all -o csv --jq '.[] | {full_name, mb: (.size / 1024 | round)}'",
      },
    },
    {
      heading: 'SCRIPTS',
      texts: [
        '--quiet prints only IDs, one per line, for use in other commands. The schemas folder of the package describes the JSON of each command, and docs/recipes.md has scripts for common tasks.',
      ],
      examples: {
        'List the rulesets of every repository':
          'forgectl repos list acme --all --quiet | xargs -n 1 forgectl rulesets list',
      },
    },
    {
      heading: 'SECRETS',
      texts: ['Secrets in records are masked in every format; show them with --show-secrets.'],
    },
  ],
};

const flags = (common: readonly FlagGroup[]): Guide => ({
  name: 'flags',
  summary: 'Flags of every command',
  parts: common.map(({ heading, flags: some }) => ({
    heading,
    items: Object.fromEntries(some.map(({ label, description }) => [label, description])),
  })),
});

/** Returns all guides. The common flags can come from any command. */
export const guides = (common: readonly FlagGroup[]): readonly Guide[] => [
  environment,
  exit,
  flags(common),
  formatting,
];
