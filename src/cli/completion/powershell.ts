/**
 * The completion script for PowerShell 5.1 (included in Windows) and newer. Without completions of its own, PowerShell
 * offers files.
 */
import {
  type CompletedFlag,
  type CompletionModel,
  helpFlag,
  rendered,
  rootFlags,
  type TakenValue,
  takenValues,
} from './model.ts';

export const powershellScript = (model: CompletionModel): string =>
  [
    `# forgectl ${model.version}: completion for PowerShell.
# To load it: forgectl autocomplete powershell | Out-String | Invoke-Expression

Register-ArgumentCompleter -Native -CommandName forgectl -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)

`,
    nextFunctions(model),
    valueFunction(model),
    namesFunctions,
    findPlace,
    offerWords,
  ].join('');

const nextFunctions = ({
  topics,
  commands,
  commonFlags,
  leadingFlags,
}: CompletionModel): string => `  # The words that may follow those of a topic, each with a tab and what it means; nothing for what is no topic.
  function Get-Next([string] $path) {
    switch -CaseSensitive ($path) {
${clauses(topics.map(({ path, next }) => [path, next.map(({ word, description }) => offer(word, description))]))}    }
  }

  # The flags of a command, in the same way.
  function Get-Flag([string] $command) {
    switch -CaseSensitive ($command) {
${clauses([
  ['', [...rootFlags, ...leadingFlags].map(flagOffer)],
  ...topics.filter(({ path }) => path).map(({ path }) => [path, [flagOffer(helpFlag)]] as const),
  ...commands.map(({ path, flags }) => [path, flags.map(flagOffer)] as const),
])}    }
    if (-not (Get-Next $command)) {
      ${[...commonFlags, helpFlag].map(flagOffer).join('\n      ')}
    }
  }

`;

function valueFunction(model: CompletionModel): string {
  const values = takenValues(model);
  return `  # What a flag or, by its place, an argument of a command takes: a kind, then the words; nothing for what takes nothing.
  function Get-Value([string] $command, [string] $what) {
    switch -CaseSensitive -Wildcard ("$command $what") {
${returns(values.filter(({ path }) => path !== undefined))}    }
    switch -CaseSensitive ($what) {
${returns(values.filter(({ path }) => path === undefined))}    }
  }

`;
}

const namesFunctions = `  # The folder of the settings.
  function Get-SettingsFolder {
    if ($env:FORGECTL_CONFIG_DIR) { $env:FORGECTL_CONFIG_DIR }
    elseif ($env:XDG_CONFIG_HOME) { Join-Path $env:XDG_CONFIG_HOME forgectl }
    elseif ($env:LOCALAPPDATA) { Join-Path $env:LOCALAPPDATA forgectl }
    else { Join-Path $HOME .config/forgectl }
  }

  # The logins of organizations that commands have used.
  function Get-OrganizationName {
    try {
      @(Get-Content -ErrorAction Stop (Join-Path (Get-SettingsFolder) organizations)) -match '^[A-Za-z0-9][A-Za-z0-9-]*$'
    } catch { }
  }

  # The names of extensions.
  function Get-ExtensionName {
    @(Get-Command -Name forgectl-* -CommandType Application -ErrorAction SilentlyContinue |
      ForEach-Object { $_.Name -replace '^forgectl-' -replace '\\.exe$' }) -cmatch '^[a-z][a-z0-9-]*$' | Sort-Object -Unique
  }

  # The names of profiles or aliases, off the settings file.
  function Get-SettingName([string] $of) {
    try {
      $settings = Get-Content -Raw -ErrorAction Stop (Join-Path (Get-SettingsFolder) config.json) | ConvertFrom-Json
      $settings.$of.PSObject.Properties.Name
    } catch { }
  }

`;

const findPlace = `  # Where the cursor is: after which command, which of its arguments, or which flag that takes a value.
  $path = ''; $lead = ''; $flag = ''; $ended = $false; $position = 0
  $typed = @($commandAst.CommandElements | Select-Object -Skip 1 |
    Where-Object { $_.Extent.EndOffset -lt $cursorPosition } | ForEach-Object { $_.Extent.Text })
  foreach ($word in $typed) {
    $command = if ($lead) { $lead } else { $path }
    if ($flag) {
      $flag = ''
    } elseif (-not $ended -and $word -ceq '--') {
      # After some commands, -- begins a command line of its own.
      if (-not $lead -and (Get-Value $path '--')) { $path = ''; $position = 0 } else { $ended = $true }
    } elseif (-not $ended -and $word.StartsWith('-')) {
      if (-not $word.Contains('=') -and (Get-Value $command $word)) { $flag = $word }
    } elseif ($position -eq 0 -and @(Get-Next $path | ForEach-Object { ($_ -split "\`t")[0] }) -ccontains $word) {
      $path = "$path $word".Trim()
      if (-not $lead -and @(Get-Value $path '0')[0] -ceq 'command') { $lead = $path; $path = '' }
    } else {
      $position += 1
    }
  }
  $command = if ($lead) { $lead } else { $path }
  $value = "$wordToComplete"
  $before = ''
  if (-not $flag -and -not $ended -and $value -cmatch '^(--[^=]+)=(.*)$') {
    $flag = $Matches[1]; $value = $Matches[2]; $before = "$flag="
  }

`;

const offerWords = `  $kind = 'ParameterValue'
  $takes, $words = @(if ($flag) {
    Get-Value $command $flag
  } elseif (-not $ended -and $value.StartsWith('-')) {
    $kind = 'ParameterName'
    'word'
    Get-Flag $command
  } elseif (Get-Next $path) {
    if ($position -eq 0) { 'word'; Get-Next $path; if (-not $path -and -not $lead) { Get-SettingName aliases; Get-ExtensionName } }
  } elseif (-not $lead) {
    Get-Value $path "$position"
  })

  if ($takes -ceq 'profile') { $words = @(Get-SettingName profiles) }
  if ($takes -ceq 'alias') { $words = @(Get-SettingName aliases) }
  if ($takes -ceq 'extension') { $words = @(Get-ExtensionName) }
  if ($takes -ceq 'organization') { $words = @(Get-OrganizationName) }
  if ($takes -ceq '@file') {
    $words = if ($value.StartsWith('@')) {
      [System.Management.Automation.CompletionCompleters]::CompleteFilename($value.Substring(1)) |
        ForEach-Object { '@' + $_.CompletionText.Trim("'") }
    } else { '@' }
    $value = ''
  }
  foreach ($offer in $words) {
    $text, $about = $offer -split "\`t", 2
    if (-not $text.StartsWith($value, [StringComparison]::Ordinal)) { continue }
    $typable = if ($text -cmatch '^[\\w./+-]+$') { $text } else { "'" + $text.Replace("'", "''") + "'" }
    $tip = if ($about) { $about } else { $text }
    [System.Management.Automation.CompletionResult]::new($before + $typable, $text, $kind, $tip)
  }
}
`;

type Clause = readonly [key: string, words: readonly string[]];

/** Returns the clauses of a switch, which match several words each. */
const clauses = (all: readonly Clause[]): string =>
  all
    .filter(([, words]) => words.length > 0)
    .map(([key, words]) => `      ${quoted(key)} {\n${words.map((word) => `        ${word}\n`).join('')}      }\n`)
    .join('');

const offer = (word: string, description: string) => quoted(`${word}\t${description}`);

const flagOffer = ({ names: [long], description }: CompletedFlag) => offer(long, description);

/** Returns a kind, then the words. Lists complete one word: PowerShell itself treats commas as separators. */
const valueWords = rendered<string[]>({
  kind: (kind) => [quoted(kind)],
  words: (words) => ['word', ...words].map(quoted),
  list: (words) => ['word', ...words].map(quoted),
});

/** Returns the clauses of a switch, which return the words. */
const returns = (values: readonly TakenValue[]): string =>
  values
    .map(({ path, after, value, multiple }) => {
      const pattern = [path ?? [], multiple ? '[0-9]*' : after].flat().join(' ');
      return `      ${quoted(pattern)} { return ${valueWords(value).join(', ')} }\n`;
    })
    .join('');

/** Replaces characters beyond ASCII: Windows may read the script in another encoding. */
const plain: Readonly<Record<string, string>> = {
  '‘': "'",
  '’': "'",
  '“': '"',
  '”': '"',
  '…': '...',
  '→': '->',
  '–': '-',
};

/** Quotes text as one word of PowerShell. In single quotes, only the quote itself is special. */
const quoted = (text: string) =>
  `'${text.replace(/[^\t -~]/g, (character) => plain[character] ?? '?').replaceAll("'", "''")}'`;
