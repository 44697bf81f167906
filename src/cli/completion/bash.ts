/** The completion script for bash, 3.2 (which macOS has) and newer. */
import { type CompletedFlag, type CompletionModel, helpFlag, isWordList, rootFlags, type Value } from './model.ts';
import { organizationNames, profileNames } from './settings-names.ts';

export function bashScript(model: CompletionModel): string {
  return `# forgectl ${model.version}: completion for bash. To load it: eval "$(forgectl autocomplete bash)"

_forgectl() {
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

  words=() takes=''
  if [[ -n $flag ]]; then
    _forgectl_value "\${lead:-$path} $flag"
  elif [[ -z $ended && $value == -* ]]; then
    _forgectl_flags "\${lead:-$path}"
  elif _forgectl_next "$path"; then
    if (( position )); then words=(); fi
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

# The files whose names begin with $2, each after $1.
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

# The logins of organizations that commands have used.
_forgectl_organizations() {
  ${organizationNames}
}

# The words that may follow those of a topic, or nothing at all; fails for what is no topic.
_forgectl_next() {
  case $1 in
${model.topics.map(({ path, next }) => `    ${quoted(path)}) ${setWords(next.map(({ word }) => word))} ;;\n`).join('')}    *) return 1 ;;
  esac
}

# The flags of a command.
_forgectl_flags() {
  case $1 in
    '') ${setWords([...rootFlags, ...model.leadingFlags].flatMap(longName))}; return ;;
${branches(model.commands.map(({ path, flags }) => [quoted(path), setWords(flags.flatMap(longName))]))}    *) ${setWords(longName(helpFlag))}; return ;;
  esac
  words+=(${[...model.commonFlags, helpFlag].flatMap(longName).map(quoted).join(' ')})
}

# What a flag or, by its place, an argument of a command takes; fails for what takes nothing.
_forgectl_value() {
  words=() takes=''
  case $1 in
${valueBranches(model)}    *) return 1 ;;
  esac
}

complete -o default -F _forgectl forgectl
`;
}

const longName = ({ names: [long] }: CompletedFlag) => [long];

/** Quotes text as one shell word. In single quotes, only the quote itself is special. */
function quoted(text: string): string {
  return /^[\w./@+-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

const setWords = (words: readonly string[]) => `words=(${words.map(quoted).join(' ')})`;

function setValue(value: Value): string {
  if (isWordList(value)) return `takes=list ${setWords(value.listOf)}`;
  return typeof value === 'string' ? `takes=${value}` : setWords(value);
}

type Branch = readonly [pattern: string, body: string];

/**
 * Looks up a command with a flag or the position of an argument, from 0. The first matching branch wins: repeatable
 * arguments come after the others, and common flags last.
 */
function valueBranches({ commands, commonFlags, leadingFlags }: CompletionModel): string {
  const one: Branch[] = leadingFlags.flatMap((flag) => flagBranches(flag, (name) => quoted(` ${name}`)));
  const repeated: Branch[] = [];
  for (const { path, flags, arguments: args, runsCommand } of commands) {
    if (runsCommand) one.push([quoted(`${path} --`), setValue('command')]);
    one.push(...flags.flatMap((flag) => flagBranches(flag, (name) => quoted(`${path} ${name}`))));
    for (const [index, { value, multiple }] of args.entries())
      if (multiple) repeated.push([`${quoted(`${path} `)}[0-9]*`, setValue(value)]);
      else one.push([quoted(`${path} ${index}`), setValue(value)]);
  }
  const common = commonFlags.flatMap((flag) => flagBranches(flag, (name) => `*${quoted(` ${name}`)}`));
  return [one, repeated, common].map(branches).join('');
}

const flagBranches = ({ names, value }: CompletedFlag, pattern: (name: string) => string): Branch[] =>
  value ? names.map((name) => [pattern(name), setValue(value)]) : [];

/** Returns the branches of a case, with those of the same body merged. */
function branches(all: readonly Branch[]): string {
  const patterns = new Map<string, string[]>();
  for (const [pattern, body] of all) patterns.set(body, [...(patterns.get(body) ?? []), pattern]);
  return [...patterns].map(([body, alternatives]) => `    ${alternatives.join(' | ')}) ${body} ;;\n`).join('');
}
