/** Help pages about topics other than commands: `forgectl help environment`. */
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import type { FlagGroup } from './command-page.ts';
import type { Item } from './layout.ts';

export interface GuidePart {
  readonly heading: string;
  readonly texts?: readonly string[];
  readonly items?: readonly Item[];
  readonly examples?: readonly { readonly description: string; readonly command: string }[];
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
      items: [
        { label: 'FORGECTL_BASE_URL', text: 'Base URL of the platform, such as https://ghe.example.com' },
        { label: 'FORGECTL_TOKEN', text: 'Token for that platform; sent nowhere else' },
        {
          label: 'FORGECTL_APP_ID',
          text: 'ID of the app to log in as; requires one of the next three variables; FORGECTL_TOKEN takes precedence',
        },
        { label: 'FORGECTL_APP_PRIVATE_KEY', text: 'Private key of the app in PEM format' },
        { label: 'FORGECTL_APP_PRIVATE_KEY_FILE', text: 'File with the private key' },
        {
          label: 'FORGECTL_APP_SIGN_COMMAND',
          text: 'Program that signs instead, as a JSON array with its arguments: text on stdin, RS256 signature on stdout',
        },
        {
          label: 'FORGECTL_APP_SIGN_ENV',
          text: 'Environment variables to pass to this program in addition to PATH, HOME and the like, comma-separated',
        },
        {
          label: 'FORGECTL_APP_INSTALLATION',
          text: 'Installation of the app, by ID or organization (default: that of the organization in the command)',
        },
        { label: 'FORGECTL_PROFILE', text: 'Profile to use' },
        { label: 'FORGECTL_API_VERSION', text: 'API version (default: 2022-11-28)' },
        { label: 'FORGECTL_VENDOR', text: 'Vendor name in headers and media types (default: github)' },
        {
          label: 'FORGECTL_ALERTS_SEGMENT',
          text: 'Path segment of dependency alerts (default: dependabot)',
        },
        { label: 'FORGECTL_CONFIG_DIR', text: 'Directory of the settings' },
        { label: 'FORGECTL_CACHE_DIR', text: 'Absolute path of the cache for responses and compiled code' },
        { label: 'XDG_CACHE_HOME', text: 'Cache root when FORGECTL_CACHE_DIR is unset' },
        { label: 'XDG_STATE_HOME', text: 'Root of the journals of each and policy apply (default: ~/.local/state)' },
      ],
    },
    {
      heading: 'VARIABLES SHARED WITH OTHER PROGRAMS',
      texts: [
        'Used only if no flag, variable above or profile selects a platform. The first pair that is set is used, and each token is sent only to the platform of its pair. “forgectl auth status” shows which token is in use, and why others are ignored.',
      ],
      items: [
        { label: 'GH_HOST', text: 'The platform of gh' },
        {
          label: 'GH_ENTERPRISE_TOKEN',
          text: 'Token for a self-managed GH_HOST; same as GITHUB_ENTERPRISE_TOKEN',
        },
        { label: 'GH_TOKEN', text: 'Token for GH_HOST if that is github.com or a subdomain of ghe.com' },
        { label: 'GITHUB_API_URL', text: 'The platform of a CI runner' },
        { label: 'GITHUB_TOKEN', text: 'Token for GITHUB_API_URL' },
        {
          label: 'GITHUB_ACTIONS',
          text: 'If set, escapes workflow commands in untrusted text',
        },
      ],
    },
    {
      heading: 'NETWORK',
      items: [
        { label: 'HTTPS_PROXY, HTTP_PROXY', text: 'Proxy for requests' },
        { label: 'NO_PROXY', text: 'Hosts to reach without the proxy' },
        { label: 'NODE_EXTRA_CA_CERTS', text: 'File with additional trusted certificates' },
      ],
    },
    {
      heading: 'TERMINAL',
      items: [
        { label: 'NO_COLOR', text: 'If set, disables colors' },
        { label: 'FORCE_COLOR', text: 'Enables colors even in a pipe; overrides NO_COLOR' },
        { label: 'FORCE_HYPERLINK', text: 'Enables links to web pages in unknown terminals; 0 disables them' },
        { label: 'BROWSER', text: 'Command for opening web pages with --web; %s is replaced by the address' },
        { label: 'ACCESSIBLE', text: 'If set, prints plain lines of text, like --plain' },
        { label: 'COLUMNS', text: 'Maximum width of tables in a pipe' },
        { label: 'CI', text: 'If set, disables prompts, like --no-input' },
      ],
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
  [exitCodes.someFailed]: 'Some of several targets failed',
  [exitCodes.waitLimit]: 'A wait timed out; the operation may still complete',
  [exitCodes.differences]: 'The live state differs from the policy (policy plan --exit-code)',
  [exitCodes.guarded]: 'Stopped by a guard such as --expect, or the target was renamed; nothing was changed',
  [exitCodes.interrupted]: 'Interrupted',
};

const exit: Guide = {
  name: 'exit-codes',
  summary: 'Exit codes of commands',
  parts: [
    { heading: 'EXIT CODES', items: Object.entries(meanings).map(([label, text]) => ({ label, text })) },
    {
      heading: 'ERRORS',
      texts: [
        'Exit codes are the same with and without --json. With JSON output, an error is one JSON object on the last line of stderr, with code and message, and optionally status, fields, advice, requestId and retryAt.',
      ],
      examples: [
        {
          description: 'Create a repository unless it exists',
          command: 'forgectl repos get acme/new; [ $? -ne 3 ] || forgectl repos create acme/new --visibility private',
        },
      ],
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
      items: [
        {
          label: 'table',
          text: 'The most important columns that fit the terminal; stderr reports hidden ones',
        },
        { label: 'tsv', text: 'Tab-separated values, one line per record, no header' },
        { label: 'csv', text: 'Comma-separated values with a header of field names, quoted as in RFC 4180' },
        { label: 'json', text: 'The platform’s response; a list is one array' },
        { label: 'ndjson', text: 'One line of JSON per record, printed as it arrives' },
        { label: 'yaml', text: 'The same data as json, for reading and editing' },
      ],
    },
    {
      heading: 'FIELDS',
      texts: [
        '--fields selects fields by their path in the JSON: the columns of table, tsv and csv, and the fields of each record in json, ndjson and yaml.',
      ],
      examples: [
        { description: 'Show two columns', command: 'forgectl repos list acme --fields full_name,owner.login' },
        { description: 'List the available fields', command: 'forgectl repos list --fields help' },
      ],
    },
    {
      heading: 'JQ',
      texts: [
        '--where shows only the items of a list for which a jq expression is true, in any format; --limit counts only these.',
        '--jq filters the JSON; jq need not be installed. Strings are printed without quotes, like jq -r. A list is filtered as a whole; with -o ndjson, each record is filtered on its own as it arrives. With -o csv, tsv or table, results that are flat objects or arrays become rows.',
      ],
      examples: [
        {
          description: 'List repositories that are not archived',
          command: "forgectl repos list acme --all --jq '.[] | select(.archived | not) | .full_name'",
        },
        {
          description: 'Print computed columns as CSV',
          command: "forgectl repos list acme --all -o csv --jq '.[] | {full_name, mb: (.size / 1024 | round)}'",
        },
      ],
    },
    {
      heading: 'SCRIPTS',
      texts: [
        '--quiet prints only IDs, one per line, for use in other commands. The schemas folder of the package describes the JSON of each command, and docs/recipes.md has scripts for common tasks.',
      ],
      examples: [
        {
          description: 'List the rulesets of every repository',
          command: 'forgectl repos list acme --all --quiet | xargs -n 1 forgectl rulesets list',
        },
      ],
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
    items: some.map(({ label, description }) => ({ label, text: description })),
  })),
});

/** Returns all guides. The common flags can come from any command. */
export const guides = (common: readonly FlagGroup[]): readonly Guide[] => [
  environment,
  exit,
  flags(common),
  formatting,
];
