/** The completion script for fish 3 and newer: one `complete` for each thing that can be typed. */
import {
  type CompletedArgument,
  type CompletedCommand,
  type CompletedFlag,
  type CompletionModel,
  helpFlag,
  rendered,
  rootFlags,
} from './model.ts';

export const fishScript = (model: CompletionModel): string =>
  [
    `# forgectl ${model.version}: completion for fish. To load it: forgectl autocomplete fish | source\n\n`,
    wordsFunction(model),
    runsFunctions,
    topicFunctions(model),
    valueFunctions,
    'complete -c forgectl -e\ncomplete -c forgectl -f\n',
    ...completions(model).map((line) => `${line}\n`),
  ].join('');

function wordsFunction({ commands, commonFlags }: CompletionModel): string {
  const flags = [...commonFlags, ...commands.flatMap((command) => command.flags)];
  const withValue = [...new Set(flags.flatMap(({ names, value }) => (value ? names : [])))].sort();
  const runners = commands.filter(({ runsCommand }) => runsCommand).map(({ path }) => path);
  return `# The words before the cursor that are neither flags nor the values of flags; only -- if a command line of its own follows.
function __forgectl_words
    set -l is_value no
    set -l words
    for word in (commandline -opc)[2..]
        if test $is_value = yes
            set is_value no
        else if test "$word" = --; and string match -qr '^(${runners.join('|')})( |$)' -- "$words"
            echo -- --
            return
        else if string match -q -- '-*' $word
            contains -- $word ${withValue.map(quoted).join(' ')}
            and set is_value yes
        else
            set -a words $word
        end
    end
    string join \\n -- $words
end

`;
}

const runsFunctions = `# Whether the cursor is after the -- of a command that runs another.
function __forgectl_runs_command
    contains -- -- (__forgectl_words)
end

# The completions of the command line after --.
function __forgectl_command_line
    set -l words (commandline -opc)
    set -l ended (contains -i -- -- $words)
    complete -C (string join ' ' -- forgectl (string escape -- $words[(math $ended + 1)..]) (commandline -ct))
end

`;

function topicFunctions({ commands }: CompletionModel): string {
  const aboutCommands = commands.filter(({ arguments: args }) => args.some(({ value }) => value === 'command'));
  return `# Whether the cursor is right after the words of a topic, typed as a command or spoken of by one.
function __forgectl_after
    set -l words (__forgectl_words)
    set -l topic (string replace -r '^(${aboutCommands.map(({ path }) => path).join('|')})( |$)' '' -- "$words")
    test "$topic" = "$argv"
end

# Whether the words of this command are there.
function __forgectl_in
    set -l words (__forgectl_words)
    set -l last (count $argv)
    test "$words[1..$last]" = "$argv"
end

# Whether the words of any command are there.
function __forgectl_in_command
    set -l words (__forgectl_words)
    for last in (seq (count $words))
        contains -- "$words[1..$last]" ${commands.map(({ path }) => quoted(path)).join(' ')}
        and return
    end
    return 1
end

`;
}

const valueFunctions = `# How many arguments this command has before the cursor.
function __forgectl_arguments
    math (count (__forgectl_words)) - (count $argv)
end

# The files whose names begin with the current word, each after an @.
function __forgectl_at_file
    set -l typed (string replace -r '^(--[^=]*=)?@?' '' -- (commandline -ct))
    printf '@%s\\n' (__fish_complete_path $typed)
end

# These words, after those that are typed already with commas between.
function __forgectl_list
    set -l typed (commandline -ct)
    set -l before (string replace -r '^--[^=]*=' '' -- "$typed" | string replace -r '[^,]*$' '')
    printf '%s\\n' "$before"$argv
end

# The folder of the settings.
function __forgectl_settings
    set -l folder $FORGECTL_CONFIG_DIR
    if test -z "$folder"
        set folder $XDG_CONFIG_HOME/forgectl
        test -z "$XDG_CONFIG_HOME"
        and set folder $HOME/.config/forgectl
    end
    echo $folder
end

# The names of profiles, off the settings file as forgectl writes it.
function __forgectl_profiles
    command sed -n '/^  "profiles": {/,/^  }/s/^    "\\([A-Za-z0-9._-]*\\)": {.*/\\1/p' (__forgectl_settings)/config.json 2>/dev/null
end

# The names of aliases, off the same file.
function __forgectl_aliases
    command sed -n '/^  "aliases": {/,/^  }/s/^    "\\([a-z0-9-]*\\)": .*/\\1/p' (__forgectl_settings)/config.json 2>/dev/null
end

# The names of extensions.
function __forgectl_extensions
    for file in $PATH/forgectl-*
        test -x $file; and string replace -rf '.*/forgectl-([a-z][a-z0-9-]*)$' '$1' -- $file
    end
end

# The logins of organizations that commands have used.
function __forgectl_organizations
    LC_ALL=C command sed -n '/^[A-Za-z0-9][A-Za-z0-9-]*$/p' (__forgectl_settings)/organizations 2>/dev/null
end

`;

const completions = ({ topics, commands, commonFlags, leadingFlags }: CompletionModel): string[] => [
  ...rootFlags.map((flag) =>
    completeFlag(flag, flag === helpFlag ? undefined : 'test (count (__forgectl_words)) -eq 0'),
  ),
  ...topics.flatMap(({ path, next }) =>
    next.map(({ word, description }) =>
      complete(called('__forgectl_after', path), `-a ${quoted(quoted(word))} -d ${quoted(description)}`),
    ),
  ),
  complete('test (count (__forgectl_words)) -eq 0', "-a '(__forgectl_aliases)' -d Alias"),
  complete('test (count (__forgectl_words)) -eq 0', "-a '(__forgectl_extensions)' -d Extension"),
  ...leadingFlags.map((flag) => completeFlag(flag, 'test (count (__forgectl_words)) -eq 0')),
  ...commonFlags.map((flag) => completeFlag(flag, '__forgectl_in_command')),
  ...commands.flatMap(completeCommand),
  complete('__forgectl_runs_command', "-a '(__forgectl_command_line)'"),
];

function completeCommand({ path, flags, arguments: args }: CompletedCommand): string[] {
  const here = called('__forgectl_in', path);
  return [
    ...flags.map((flag) => completeFlag(flag, here)),
    ...args.flatMap((argument, index) => {
      const takes = words(argument.value);
      return takes ? [complete(`${here}; and ${isArgument(argument, index, path)}`, takes)] : [];
    }),
  ];
}

const isArgument = ({ multiple }: CompletedArgument, index: number, path: string) =>
  `test (${called('__forgectl_arguments', path)}) ${multiple ? '-ge' : '-eq'} ${index}`;

const completeFlag = ({ names, description, value }: CompletedFlag, condition: string | undefined) =>
  complete(
    condition,
    [
      ...names.map((name) => (name.startsWith('--') ? `-l ${quoted(name.slice(2))}` : `-s ${quoted(name.slice(1))}`)),
      ...(value ? [value === 'file' ? '-r' : '-x', words(value) ?? ''] : []),
      `-d ${quoted(description)}`,
    ]
      .filter(Boolean)
      .join(' '),
  );

const complete = (condition: string | undefined, rest: string) =>
  `complete -c forgectl ${condition === undefined ? '' : `-n ${quoted(condition)} `}${rest}`;

const called = (name: string, path: string) => [name, ...path.split(' ').filter(Boolean).map(quoted)].join(' ');

const kinds = {
  file: '-F',
  '@file': "-a '(__forgectl_at_file)'",
  profile: "-a '(__forgectl_profiles)'",
  alias: "-a '(__forgectl_aliases)'",
  extension: "-a '(__forgectl_extensions)'",
  organization: "-a '(__forgectl_organizations)'",
  command: undefined,
  text: undefined,
} as const;

/** Returns the completions of a value, if any. fish expands a list of words like a command line. */
const words = rendered<string | undefined>({
  kind: (kind) => kinds[kind],
  words: (all) => `-a ${quoted(all.map(quoted).join(' '))}`,
  list: (all) => `-a ${quoted(`(__forgectl_list ${all.map(quoted).join(' ')})`)}`,
});

/** Quotes text as one shell word. In single quotes, only the quote and the backslash are special. */
const quoted = (text: string) => (/^[\w./@+-]+$/.test(text) ? text : `'${text.replace(/['\\]/g, '\\$&')}'`);
