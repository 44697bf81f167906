/** The pages of help that are about no command: `forgectl help environment`. */
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
      texts: ['A flag goes before a variable, a variable before the profile’s setting, and that before the default.'],
    },
    {
      heading: 'PLATFORM AND TOKEN',
      items: [
        { label: 'FORGECTL_BASE_URL', text: 'The platform, such as https://ghe.example.com' },
        { label: 'FORGECTL_TOKEN', text: 'The token that goes to that platform and nowhere else' },
        { label: 'FORGECTL_PROFILE', text: 'Which profile to use' },
        { label: 'FORGECTL_API_VERSION', text: 'The API version; 2022-11-28 unless set' },
        { label: 'FORGECTL_VENDOR', text: 'The platform’s own name in headers and media types; github unless set' },
        {
          label: 'FORGECTL_ALERTS_SEGMENT',
          text: 'The path segment of its dependency-alert product; dependabot unless set',
        },
        { label: 'FORGECTL_CONFIG_DIR', text: 'The directory of settings' },
        { label: 'FORGECTL_CACHE_DIR', text: 'Absolute path of the cache: responses and compiled code' },
        { label: 'XDG_CACHE_HOME', text: 'Cache root when FORGECTL_CACHE_DIR is unset' },
      ],
    },
    {
      heading: 'VARIABLES OF OTHER PROGRAMS',
      texts: [
        'They count where neither a flag nor a variable above nor a profile names a platform. Each token goes only to the platform that its pair names, the first pair that is set; “auth status” says which token is in use, and why others are not.',
      ],
      items: [
        { label: 'GH_HOST', text: 'The platform of the general client' },
        {
          label: 'GH_ENTERPRISE_TOKEN',
          text: 'The token for GH_HOST where that is self-managed; GITHUB_ENTERPRISE_TOKEN is the same',
        },
        { label: 'GH_TOKEN', text: 'The token for GH_HOST where that is github.com or below ghe.com' },
        { label: 'GITHUB_API_URL', text: 'The platform that a CI runner belongs to' },
        { label: 'GITHUB_TOKEN', text: 'The token for GITHUB_API_URL' },
        {
          label: 'GITHUB_ACTIONS',
          text: 'If not empty, text from elsewhere is no command for the runner that reads it',
        },
      ],
    },
    {
      heading: 'NETWORK',
      items: [
        { label: 'HTTPS_PROXY, HTTP_PROXY', text: 'The proxy that requests go through' },
        { label: 'NO_PROXY', text: 'Hosts that are asked without the proxy' },
        { label: 'NODE_EXTRA_CA_CERTS', text: 'A file with certificates that are trusted as well' },
      ],
    },
    {
      heading: 'TERMINAL',
      items: [
        { label: 'NO_COLOR', text: 'No colours, if not empty' },
        { label: 'FORCE_COLOR', text: 'Colours in a pipe, too; it goes before NO_COLOR' },
        { label: 'FORCE_HYPERLINK', text: 'Names lead to pages where the terminal is not known for it; 0: nowhere' },
        { label: 'BROWSER', text: 'The command that --web opens pages with; %s stands for the address' },
        { label: 'ACCESSIBLE', text: 'If not empty, only lines of plain text, as with --plain' },
        { label: 'COLUMNS', text: 'How wide a table in a pipe may be' },
        { label: 'CI', text: 'If not empty, nothing is ever asked, as with --no-input' },
      ],
    },
  ],
};

/** What each exit code means, in the order of the numbers. */
const meanings: Readonly<Record<ExitCode, string>> = {
  [exitCodes.done]: 'Done',
  [exitCodes.unexpected]: 'Unexpected, such as a full disk; or a bug',
  [exitCodes.usage]: 'Usage, local validation, lint findings; nothing was sent',
  [exitCodes.notFound]: 'Not found (404)',
  [exitCodes.notAuthenticated]: 'Not authenticated (401)',
  [exitCodes.notPermitted]: 'Not permitted (403)',
  [exitCodes.refused]: 'Refused by the platform (any other 4xx)',
  [exitCodes.rateLimited]: 'Rate-limited; the message says when to come back',
  [exitCodes.network]: 'Network or server error, one request’s time-out',
  [exitCodes.someFailed]: 'Some of several targets failed',
  [exitCodes.waitLimit]: 'A wait reached its limit; what it waited for may still come',
  [exitCodes.interrupted]: 'Interrupted',
};

const exit: Guide = {
  name: 'exit-codes',
  summary: 'What the exit code of a command means',
  parts: [
    { heading: 'EXIT CODES', items: Object.entries(meanings).map(([label, text]) => ({ label, text })) },
    {
      heading: 'ERRORS',
      texts: [
        'The code is the same with and without --json. With JSON output an error is one JSON object, the last line on stderr, with code, message and, where there are any, status, fields, advice, requestId and retryAt.',
      ],
      examples: [
        {
          description: 'Create what is not there',
          command: 'forgectl repos get acme/new; [ $? -ne 3 ] || forgectl repos create acme/new',
        },
      ],
    },
  ],
};

const formatting: Guide = {
  name: 'formatting',
  summary: 'Tables, CSV and JSON; choosing fields; jq',
  parts: [
    {
      heading: 'FORMATS',
      texts: ['A terminal gets a table and a pipe gets tsv, unless --output or the setting output says otherwise.'],
      items: [
        {
          label: 'table',
          text: 'What an administrator decides on, as far as it fits the terminal; stderr says what was left out',
        },
        { label: 'tsv', text: 'Values with tabs between them, a line for each record, no header' },
        { label: 'csv', text: 'The same with a header, the names of fields, quoted as RFC 4180 has it' },
        { label: 'json', text: 'What the platform answered; a list is one array' },
        { label: 'ndjson', text: 'A line of JSON for each record, printed as they come' },
        { label: 'yaml', text: 'The same as json, to be read or edited' },
      ],
    },
    {
      heading: 'FIELDS',
      texts: [
        '--fields names fields by their path in the JSON. In table, tsv and csv they are the columns; in json, ndjson and yaml they are what is left of each record.',
      ],
      examples: [
        { description: 'Two columns', command: 'forgectl repos list acme --fields full_name,owner.login' },
        { description: 'All that there is to choose from', command: 'forgectl repos list --fields help' },
      ],
    },
    {
      heading: 'JQ',
      texts: [
        '--jq filters the JSON without jq being installed. Text is printed without quotes, as jq -r does. A list is filtered as a whole; with -o ndjson each record by itself, as it comes.',
      ],
      examples: [
        {
          description: 'Repositories that are not archived',
          command: "forgectl repos list acme --all --jq '.[] | select(.archived | not) | .full_name'",
        },
      ],
    },
    {
      heading: 'SCRIPTS',
      texts: [
        '--quiet prints ids alone, a line each: what the next command takes. What each command prints as JSON is described in the folder schemas of the package, and docs/recipes.md has scripts for usual jobs.',
      ],
      examples: [
        {
          description: 'The rulesets of every repository',
          command: 'forgectl repos list acme --all --quiet | xargs -n 1 forgectl rulesets list',
        },
      ],
    },
    {
      heading: 'SECRETS',
      texts: ['Secrets inside records are masked in every format; --show-secrets shows them.'],
    },
  ],
};

const flags = (common: readonly FlagGroup[]): Guide => ({
  name: 'flags',
  summary: 'The flags that every command takes',
  parts: common.map(({ heading, flags: some }) => ({
    heading,
    items: some.map(({ label, description }) => ({ label, text: description })),
  })),
});

/** All guides. What every command takes is read off any of them. */
export const guides = (common: readonly FlagGroup[]): readonly Guide[] => [
  environment,
  exit,
  flags(common),
  formatting,
];
