/** The completion script for zsh 5 and newer, based on `_arguments` and `_describe`. */
import {
  type CompletedArgument,
  type CompletedCommand,
  type CompletedFlag,
  type CompletionModel,
  helpFlag,
  rendered,
  rootFlags,
  type Word,
} from './model.ts';
import { aliasNames, organizationNames, profileNames } from './settings-names.ts';

export const zshScript = (model: CompletionModel): string => mainFunction(model) + nextFunction(model) + valueFunctions;

const mainFunction = (model: CompletionModel): string => `#compdef forgectl
# forgectl ${model.version}: completion for zsh. To load it: eval "$(forgectl autocomplete zsh)"

_forgectl() {
  local curcontext=$curcontext place=''
  local -i at=2
  local -a next flags valued runners
  # Flags may come before the command. If the cursor is on the value of one, it is completed as a word without a command.
  valued=(${model.leadingFlags.flatMap(({ names, value }) => (value ? names : [])).join(' ')})
  while (( at < CURRENT )) && [[ $words[at] == -* ]]; do
    (( at += $valued[(Ie)$words[at]] ? 2 : 1 ))
  done
  (( at > CURRENT )) && at=2
  while (( at < CURRENT )) && _forgectl_next "$place" && (( $next[(I)\${(b)words[at]}:*] )); do
    place+=\${place:+ }$words[at]
    at+=1
  done
  # After some commands, -- begins a command line of its own.
  runners=(${model.commands.flatMap(({ path, runsCommand }) => (runsCommand ? [quoted(path)] : [])).join(' ')})
  if (( $runners[(Ie)$place] && $words[(i)--] < CURRENT )); then
    at=$words[(i)--]
    words=($words[1] "\${(@)words[at+1,-1]}")
    (( CURRENT -= at - 1 ))
    _forgectl
    return
  fi
  flags=(
${specs([...model.commonFlags, helpFlag].flatMap(flagSpecs))}  )
  # _arguments takes the first word for the command.
  words=("$place" "\${(@)words[at,-1]}")
  (( CURRENT -= at - 2 ))
  case $place in
    '')
      _arguments -S \\
${continued(['1:command:_forgectl_below', ...[...rootFlags, ...model.leadingFlags].flatMap(flagSpecs)])}      ;;
${model.commands.map((command) => branch(command, model.topics)).join('')}    *)
      _arguments -S \\
${continued(['1:command:_forgectl_below', ...flagSpecs(helpFlag)])}      ;;
  esac
}

`;

const nextFunction = (
  model: CompletionModel,
): string => `# The words that may follow those of a topic, or nothing at all; fails for what is no topic.
_forgectl_next() {
  case $1 in
${model.topics.map(({ path, next }) => `    ${quoted(path)})\n      next=(\n${next.map((word) => `        ${quoted(described(word))}\n`).join('')}      )\n      ;;\n`).join('')}    *) return 1 ;;
  esac
}

`;

const valueFunctions = `# The words below the topic where the cursor is.
_forgectl_below() {
  local -a next
  _forgectl_next "$place" && _describe -t commands command next
  [[ -z $place ]] && { _forgectl_alias; _forgectl_extension }
}

# The words of a command that is spoken of.
_forgectl_command() {
  local place="\${(j: :)\${(@)words[2,CURRENT-1]:#-*}}"
  _forgectl_below
}

# The names of profiles.
_forgectl_profile() {
  local -a names
  names=(\${(f)"$(${profileNames})"})
  compadd -a names
}

# The names of aliases.
_forgectl_alias() {
  local -a names
  names=(\${(f)"$(${aliasNames})"})
  compadd -a names
}

# The names of extensions. zsh itself learns of new programs on PATH only with “rehash”.
_forgectl_extension() {
  local -aU names
  names=($^path/forgectl-[a-z]*(N-*:t))
  names=(\${\${(M)names:#forgectl-[a-z0-9-]#}#forgectl-})
  compadd -a names
}

# The logins of organizations that commands have used.
_forgectl_organization() {
  local -a names
  names=(\${(f)"$(${organizationNames})"})
  compadd -a names
}

# A file after @; other text stands for itself.
_forgectl_at_file() {
  if compset -P @; then
    _files
  else
    compadd -S '' -- @
  fi
}

(( $+functions[compdef] )) || { autoload -Uz compinit && compinit -i }
if [[ $funcstack[1] == _forgectl ]]; then
  _forgectl "$@"
else
  compdef _forgectl forgectl
fi
`;

/** Returns the arguments of a command, or the words below it if it is also a topic. */
const branch = ({ path, flags, arguments: args }: CompletedCommand, topics: CompletionModel['topics']) =>
  `    ${quoted(path)})\n      _arguments -s -S $flags \\\n${continued([...flags.flatMap(flagSpecs), ...(topics.some((topic) => topic.path === path) ? ['1:word:_forgectl_below'] : args.map(argumentSpec))])}      ;;\n`;

/** Quotes text as one shell word. In single quotes, only the quote itself is special. */
const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

const specs = (all: readonly string[]) => all.map((spec) => `    ${quoted(spec)}\n`).join('');

const continued = (all: readonly string[]) => `${all.map((spec) => `        ${quoted(spec)}`).join(' \\\n')}\n`;

/** An entry of `_describe`, which splits it at the colon. */
const described = ({ word, description }: Word) => `${word.replace(/[\\:]/g, '\\$&')}:${description}`;

/** Returns one spec of `_arguments` for each name of a flag, with the names that it excludes. */
function flagSpecs({ names, description, value, repeatable }: CompletedFlag): string[] {
  const others = names.length > 1 ? `(${names.join(' ')})` : '';
  return names.map((name) => {
    const joint = value ? (name.startsWith('--') ? '=' : '+') : '';
    const takes = value ? `:${value === 'text' ? 'text' : 'value'}:${action(value)}` : '';
    return `${repeatable ? '*' : others}${name}${joint}[${description.replace(/[\\\]]/g, '\\$&')}]${takes}`;
  });
}

const argumentSpec = ({ name, value, multiple }: CompletedArgument, index: number) =>
  `${multiple ? '*' : index + 1}:${name}:${action(value)}`;

const kinds = {
  file: '_files',
  '@file': '_forgectl_at_file',
  command: '_forgectl_command',
  profile: '_forgectl_profile',
  alias: '_forgectl_alias',
  extension: '_forgectl_extension',
  organization: '_forgectl_organization',
  text: ' ',
} as const;

/**
 * Returns the action of `_arguments` for a value. It evaluates word lists like the shell, so special characters are
 * escaped.
 */
const action = rendered<string>({
  kind: (kind) => kinds[kind],
  words: (all) => `(${all.map(escaped).join(' ')})`,
  list: (all) => `_values -s , word ${all.map(escaped).join(' ')}`,
});

const escaped = (word: string) => word.replace(/[^\w./@+-]/g, '\\$&');
