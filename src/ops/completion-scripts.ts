import { bashScript } from './completion-bash.ts';
import type { SHELLS } from './completion.ts';
import {
  FLAG_WORDS,
  flagsOf,
  GLOBAL_COMPLETIONS,
  valuesOfFlags,
  wordsOf,
  type Flag,
  type FlagValue,
} from './completion-model.ts';
import type { Operation } from './operation.ts';

type Shell = (typeof SHELLS)[number];

/** Returns the completion script for a shell: commands, flags, and the values of flags that have a fixed set. */
export function completionScript(shell: Shell, operations: readonly Operation[]): string {
  return { bash: bashScript, zsh: zshScript, fish: fishScript, powershell: powershellScript }[shell](operations);
}

function zshScript(operations: readonly Operation[]): string {
  const described = [...operations.map(({ name, summary }) => [name, summary] as const), ...Object.entries(FLAG_WORDS)];
  const commands = described.map(([name, summary]) => `    '${name}:${zshQuoted(summary)}'`);
  const cases = operations.map((operation) => {
    const words = wordsOf(operation, operations);
    // words that cannot be guessed get an action without effect, since an empty one would show its message
    const more = words.length > 0 ? `'1:word:(${words.join(' ')})'` : "'*:word:{:}'";
    const specs = [...flagsOf(operation).map(zshFlag), more];
    return `        ${operation.name}) _arguments ${specs.join(' \\\n          ')} ;;`;
  });
  return [
    '#compdef memtool',
    '_memtool() {',
    '  local curcontext="$curcontext" state state_descr line',
    '  typeset -A opt_args',
    '  local -a commands',
    '  commands=(',
    ...commands,
    '  )',
    '  _arguments -C \\',
    ...GLOBAL_COMPLETIONS.map((flag) => `    ${zshFlag(flag)} \\`),
    "    '(-): :->command' '(-)*:: :->arguments'",
    '  case $state in',
    '    command) _describe command commands ;;',
    '    arguments)',
    '      case $words[1] in',
    ...cases,
    `        ${Object.keys(FLAG_WORDS).join('|')}) _describe command commands ;;`,
    '      esac ;;',
    '  esac',
    '}',
    'if [ "$funcstack[1]" = "_memtool" ]; then _memtool "$@"; else compdef _memtool memtool; fi',
  ].join('\n');
}

function zshFlag({ name, description, value, repeats }: Flag): string {
  const equals = value.kind === 'none' ? '' : '=';
  return `'${repeats ? '*' : ''}${name}${equals}[${zshQuoted(description)}]${zshValue(value)}'`;
}

function zshValue({ kind, choices }: FlagValue): string {
  switch (kind) {
    case 'none':
      return '';
    case 'path':
      return ':file:_files';
    case 'pair':
      return ':value: :value: ';
    case 'text':
      return ':value: ';
    case 'choice':
      return `:value:(${choices.join(' ')})`;
    case 'list':
      return `:values:_sequence compadd - ${choices.join(' ')}`;
  }
}

/** Escapes a description for single quotes and square brackets in zsh. */
function zshQuoted(text: string): string {
  return text.replaceAll("'", "'\\''").replaceAll(/[[\]:]/g, '\\$&');
}

/** Functions of the fish script: whether the command of the line is the given one, or there is none yet; and the given
 * values after those of a list that are already there. */
const FISH_FUNCTIONS = String.raw`function __memtool_in
    set -l is_value no
    for word in (commandline -opc)[2..-1]
        if test $is_value = yes
            set is_value no
            continue
        end
        switch $word
            case --db --format
                set is_value yes
            case '-*' ${Object.keys(FLAG_WORDS).join(' ')}
            case '*'
                test "$word" = "$argv[1]"
                return
        end
    end
    test -z "$argv[1]"
end
function __memtool_list
    set -l before (commandline -ct | string replace -r -- '^--[^=]*=' '' | string match -r -- '^.*,')
    printf '%s\n' "$before"$argv
end`;

function fishScript(operations: readonly Operation[]): string {
  const lines = [
    '# fish completion for memtool',
    FISH_FUNCTIONS,
    'complete -c memtool -f',
    ...GLOBAL_COMPLETIONS.map((flag) => `complete -c memtool ${fishFlag(flag)}`),
    ...Object.entries(FLAG_WORDS).map(
      ([name, summary]) => `complete -c memtool -n '__memtool_in ""' -a ${name} -d ${fishQuoted(summary)}`,
    ),
  ];
  for (const operation of operations) {
    const { name, summary } = operation;
    const words = wordsOf(operation, operations);
    const own = flagsOf(operation).filter((flag) => !GLOBAL_COMPLETIONS.includes(flag));
    const within = `complete -c memtool -n '__memtool_in ${name}'`;
    lines.push(
      `complete -c memtool -n '__memtool_in ""' -a ${name} -d ${fishQuoted(summary)}`,
      ...(words.length > 0 ? [`${within} -a '${words.join(' ')}'`] : []),
      ...own.map((flag) => `${within} ${fishFlag(flag)}`),
    );
  }
  return lines.join('\n');
}

function fishFlag({ name, description, value: { kind, choices } }: Flag): string {
  const values = {
    none: '',
    text: ' -x',
    pair: ' -x',
    path: ' -r -F',
    choice: ` -x -a '${choices.join(' ')}'`,
    list: ` -x -a '(__memtool_list ${choices.join(' ')})'`,
  };
  return `-l ${name.slice(2)}${values[kind]} -d ${fishQuoted(description)}`;
}

function fishQuoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}

/** The part of the PowerShell script that reads the line. A completer that returns nothing makes PowerShell offer files,
 * which is right for paths. */
const POWERSHELL_BODY = `  $words = @($commandAst.CommandElements | Select-Object -Skip 1 | ForEach-Object { $_.ToString() })
  if ($wordToComplete -ne '' -and $words.Count -gt 0) { $words = @($words | Select-Object -SkipLast 1) }
  $command = ''; $flag = ''; $taken = 0
  $valueOf = { param($name) if ($values.ContainsKey("$command $name")) { $values["$command $name"] } else { $values[$name] } }
  foreach ($word in $words) {
    if ($taken -gt 0) { $taken-- }
    elseif ($word -like '-*') {
      $flag = ($word -split '=', 2)[0]
      $kind = (& $valueOf $flag).kind
      if ($kind -eq 'pair') { $taken = 2 } elseif ($kind) { $taken = 1 }
      if ($taken -gt 0 -and $word -like '*=*') { $taken-- }
    }
    elseif (-not $command -and $flagWords -notcontains $word) { $command = $word }
  }
  $before = ''; $part = $wordToComplete
  if ($taken -eq 0 -and $wordToComplete -match '^(--[^=]+)=(.*)$') {
    $flag = $Matches[1]; $before = "$flag="; $part = $Matches[2]; $taken = 1
  }
  if ($taken -gt 0) {
    $value = & $valueOf $flag
    $candidates = $value.choices
    if ($value.kind -eq 'list' -and $part -match '^(.*,)([^,]*)$') { $before += $Matches[1]; $part = $Matches[2] }
  }
  elseif ($command) { $candidates = $flags[$command] }
  else { $candidates = @($flags.Keys) + $flagWords + $globals }
  $candidates | Where-Object { $_ -and $_.StartsWith($part) } | ForEach-Object { [System.Management.Automation.CompletionResult]::new("$before$_") }`;

function powershellScript(operations: readonly Operation[]): string {
  const flags = operations.map((operation) => {
    const offered = flagsOf(operation).filter(({ isAlias }) => !isAlias);
    const words = [...wordsOf(operation, operations), ...offered.map(({ name }) => name)];
    return `    '${operation.name}' = ${powershellList(words)}`;
  });
  const values = valuesOfFlags(operations).flatMap(({ flags: named, value: { kind, choices } }) =>
    named.map(
      ({ command, flag }) =>
        `    '${command === undefined ? flag : `${command} ${flag}`}' = @{ kind = '${kind}'; choices = ${powershellList(choices)} }`,
    ),
  );
  return [
    '# PowerShell completion for memtool',
    'Register-ArgumentCompleter -Native -CommandName memtool -ScriptBlock {',
    '  param($wordToComplete, $commandAst, $cursorPosition)',
    `  $globals = ${powershellList(GLOBAL_COMPLETIONS.map(({ name }) => name))}`,
    `  $flagWords = ${powershellList(Object.keys(FLAG_WORDS))}`,
    '  $flags = @{',
    ...flags,
    '  }',
    '  $values = @{',
    ...values,
    '  }',
    POWERSHELL_BODY,
    '}',
  ].join('\n');
}

function powershellList(words: readonly string[]): string {
  return `@(${words.map((word) => `'${word}'`).join(', ')})`;
}
