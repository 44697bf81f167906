/** The completion script for bash, 3.2 (which macOS has) and newer. */
import { type CompletedFlag, type CompletionModel, helpFlag, rendered, rootFlags, takenValues } from './model.ts';
import { aliasNames, organizationNames, profileNames } from './settings-names.ts';

export const bashScript = (model: CompletionModel): string =>
  [
    `# forgectl ${model.version}: completion for bash. To load it: eval "$(forgectl autocomplete bash)"

`,
    findPlace,
    offerWords,
    namesFunctions,
    nextFunction(model),
    flagsFunction(model),
    valueFunction(model),
    `complete -o default -F _forgectl forgectl
`,
  ].join('');

/** The beginning of the function that bash calls: finds the position of the cursor. */
const findPlace = `_forgectl() {
  local IFS=$' \\t\\n' value='' quote='' text before word escaped joined='' flag='' ended='' path='' lead='' takes=''
  local -i position=0
  local -a typed=() words=()

  # bash cuts the line at = and :, and before @, too; here only spaces end a word.
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD}"; do
    if [[ \${#typed[@]} -gt 0 && -n $word && ( -n $joined || $word == [=:]* ) ]]; then
      typed[\${#typed[@]}-1]+=$word
    else
      typed+=("$word")
    fi
    joined=''
    [[ -n $word && -z \${word//[=:@]/} ]] && joined=yes
  done
  (( \${#typed[@]} )) || return 0
  value=\${typed[\${#typed[@]}-1]}

  # Where the cursor is: after which command, which of its arguments, or which flag that takes a value.
  for word in "\${typed[@]:0:\${#typed[@]}-1}"; do
    if [[ -n $flag ]]; then
      flag=''
    elif [[ -z $ended && $word == -- ]]; then
      # After some commands, -- begins a command line of its own.
      if [[ -z $lead ]] && _forgectl_value "$path --"; then path='' position=0; else ended=yes; fi
    elif [[ -z $ended && $word == -* ]]; then
      if [[ $word != *=* ]] && _forgectl_value "\${lead:-$path} $word"; then flag=$word; fi
    elif (( position == 0 )) && _forgectl_next "$path" && [[ " \${words[*]} " == *" $word "* ]]; then
      path+=\${path:+ }$word
      if [[ -z $lead ]] && _forgectl_value "$path 0" && [[ $takes == command ]]; then lead=$path path=''; fi
    else
      position+=1
    fi
  done
  if [[ -z $flag && -z $ended && $value == --*=* ]]; then flag=\${value%%=*} value=\${value#*=}; fi

`;

/** The end of that function: lists the possible words at the cursor. */
const offerWords = `  words=() takes=''
  if [[ -n $flag ]]; then
    _forgectl_value "\${lead:-$path} $flag"
  elif [[ -z $ended && $value == -* ]]; then
    _forgectl_flags "\${lead:-$path}"
  elif _forgectl_next "$path"; then
    if (( position )); then words=(); elif [[ -z $path && -z $lead ]]; then takes=root; fi
  elif [[ -z $lead ]]; then
    _forgectl_value "$path $position"
  fi

  # readline replaces the text that it hands over, which may begin before the value, and has no quotes.
  if [[ $value == [\\"\\']* ]]; then quote=yes value=\${value:1}; fi
  # It puts a backslash before the @ itself, once it has completed a part of the name.
  text=\${2-$value} before=''
  if [[ $value == \\\\@* ]]; then text=\${text/#"$value"/"\${value:1}"} value=\${value:1}; fi
  [[ $text == *"$value" ]] && before=\${text%"$value"}
  COMPREPLY=()
  # readline is best at completing plain file names, such as those after a quote.
  if [[ $takes == file && -z $before || $takes == @file && $value == @*[\\'\\"]* ]]; then return 0; fi
  # Elsewhere it must not offer files. bash 3.2 cannot turn this off.
  compopt +o default 2>/dev/null
  case $takes in
    profile)
      while IFS= read -r word; do words+=("$word"); done < <(_forgectl_profiles)
      ;;
    alias)
      while IFS= read -r word; do words+=("$word"); done < <(_forgectl_aliases)
      ;;
    extension)
      while IFS= read -r word; do words+=("$word"); done < <(_forgectl_extensions)
      ;;
    root)
      while IFS= read -r word; do words+=("$word"); done < <(_forgectl_aliases; _forgectl_extensions)
      ;;
    organization)
      while IFS= read -r word; do words+=("$word"); done < <(_forgectl_organizations)
      ;;
    list)
      # After a word there may be a comma and another one.
      before+=\${value%"\${value##*,}"}
      value=\${value##*,}
      compopt -o nospace 2>/dev/null
      ;;
  esac
  case $takes in
    file) _forgectl_files "$before" "$value" ;;
    @file)
      if [[ $value == @* ]]; then
        _forgectl_files "$before@" "\${value#@}"
      elif [[ -z $value ]]; then
        COMPREPLY=("$before@")
        compopt -o nospace 2>/dev/null
      fi
      ;;
    *)
      for word in "\${words[@]}"; do
        printf -v escaped %q "$word"
        if [[ $word == "$value"* && ( -z $quote || $word == "$escaped" ) ]]; then COMPREPLY+=("$before$escaped"); fi
      done
      ;;
  esac
  return 0
}

`;

const namesFunctions = `# The files whose names begin with $2, each after $1.
_forgectl_files() {
  local file plain=''
  # readline escapes names to suit their context, in quotes too. bash 3.2 does not support this.
  compopt -o filenames 2>/dev/null && plain=yes
  while IFS= read -r file; do
    if [[ -d $file ]]; then
      file+=/
      compopt -o nospace 2>/dev/null
    fi
    [[ -n $plain ]] || printf -v file %q "$file"
    COMPREPLY+=("$1$file")
  done < <(compgen -f -- "\${2//\\\\/}")
}

# The names of profiles.
_forgectl_profiles() {
  ${profileNames}
}

# The names of aliases.
_forgectl_aliases() {
  ${aliasNames}
}

# The names of extensions.
_forgectl_extensions() {
  compgen -c forgectl- | command sed -n 's/^forgectl-\\([a-z][a-z0-9-]*\\)$/\\1/p' | command sort -u
}

# The logins of organizations that commands have used.
_forgectl_organizations() {
  ${organizationNames}
}

`;

const nextFunction = (
  model: CompletionModel,
): string => `# The words that may follow those of a topic, or nothing at all; fails for what is no topic.
_forgectl_next() {
  case $1 in
${model.topics.map(({ path, next }) => `    ${quoted(path)}) ${setWords(next.map(({ word }) => word))} ;;\n`).join('')}    *) return 1 ;;
  esac
}

`;

const flagsFunction = (model: CompletionModel): string => `# The flags of a command.
_forgectl_flags() {
  case $1 in
    '') ${setWords([...rootFlags, ...model.leadingFlags].flatMap(longName))}; return ;;
${branches(model.commands.map(({ path, flags }) => [quoted(path), setWords(flags.flatMap(longName))]))}    *) ${setWords(longName(helpFlag))}; return ;;
  esac
  words+=(${[...model.commonFlags, helpFlag].flatMap(longName).map(quoted).join(' ')})
}

`;

const valueFunction = (
  model: CompletionModel,
): string => `# What a flag or, by its place, an argument of a command takes; fails for what takes nothing.
_forgectl_value() {
  words=() takes=''
  case $1 in
${valueBranches(model)}    *) return 1 ;;
  esac
}

`;

const longName = ({ names: [long] }: CompletedFlag) => [long];

/** Quotes text as one shell word. In single quotes, only the quote itself is special. */
function quoted(text: string): string {
  return /^[\w./@+-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

const setWords = (words: readonly string[]) => `words=(${words.map(quoted).join(' ')})`;

const setValue = rendered({
  kind: (kind) => `takes=${kind}`,
  words: setWords,
  list: (words) => `takes=list ${setWords(words)}`,
});

type Branch = readonly [pattern: string, body: string];

/**
 * Looks up a command with a flag or the position of an argument, from 0. The first matching branch wins: repeatable
 * arguments come after the others, and common flags last.
 */
function valueBranches(model: CompletionModel): string {
  const one: Branch[] = [];
  const repeated: Branch[] = [];
  const common: Branch[] = [];
  for (const { path, after, value, multiple } of takenValues(model)) {
    if (path === undefined) common.push([`*${quoted(` ${after}`)}`, setValue(value)]);
    else if (multiple) repeated.push([`${quoted(`${path} `)}[0-9]*`, setValue(value)]);
    else one.push([quoted(`${path} ${after}`), setValue(value)]);
  }
  return [one, repeated, common].map(branches).join('');
}

/** Returns the branches of a case, with those of the same body merged. */
function branches(all: readonly Branch[]): string {
  const patterns = new Map<string, string[]>();
  for (const [pattern, body] of all) patterns.set(body, [...(patterns.get(body) ?? []), pattern]);
  return [...patterns].map(([body, alternatives]) => `    ${alternatives.join(' | ')}) ${body} ;;\n`).join('');
}
