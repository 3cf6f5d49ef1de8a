import { flagName, type Param } from '../core/params.ts';
import type { SHELLS } from './completion.ts';
import { GLOBAL_FLAGS, type Operation } from './operation.ts';

type Shell = (typeof SHELLS)[number];

/** Returns the completion script for a shell: commands, flags, and the values of flags that have a fixed set. */
export function completionScript(shell: Shell, operations: readonly Operation[]): string {
  return { bash: bashScript, zsh: zshScript, fish: fishScript, powershell: powershellScript }[shell](operations);
}

function flagsOf(operation: Operation): string[] {
  return [...Object.keys(operation.params).map(flagName), ...Object.keys(GLOBAL_FLAGS)].map((flag) => `--${flag}`);
}

/** Returns the values of a command's positional argument if they are a fixed set; otherwise none. */
function wordsOf({ name, params }: Operation, operations: readonly Operation[]): readonly string[] {
  if (name === 'schema') return operations.map((operation) => operation.name);
  const positional = Object.values(params).find((param) => param.positional);
  return positional === undefined ? [] : choicesOf(positional);
}

function choicesOf(param: Param): readonly string[] {
  return param.kind === 'choice' ? param.choices : [];
}

/** A flag that has a fixed set of values; of one command, if others accept other values for it. */
interface FlagChoices {
  readonly command: string | undefined;
  readonly flag: string;
  readonly choices: readonly string[];
}

function flagsWithChoices(operations: readonly Operation[]): FlagChoices[] {
  const found = operations.flatMap(({ name: command, params }) =>
    Object.entries(params)
      .map(([name, param]) => ({ command, flag: `--${flagName(name)}`, choices: choicesOf(param) }))
      .filter(({ choices }) => choices.length > 0),
  );
  const isShared = ({ flag, choices }: FlagChoices): boolean =>
    found.every((other) => other.flag !== flag || other.choices.join(' ') === choices.join(' '));
  const shared = new Map(found.filter(isShared).map((one) => [one.flag, { ...one, command: undefined }]));
  return [
    { command: undefined, flag: '--format', choices: ['json', 'text'] },
    ...shared.values(),
    ...found.filter((one) => !isShared(one)),
  ];
}

/** Returns every flag that takes a path. */
function pathFlags(operations: readonly Operation[]): string[] {
  const params = operations.flatMap((operation) => Object.entries(operation.params));
  const paths = params.filter(([, param]) => param.kind === 'text' && param.format === 'path');
  return ['--db', ...new Set(paths.map(([name]) => `--${flagName(name)}`))];
}

/** The bash script: finds the command on the line, and the words that may follow it. */
function bashScript(operations: readonly Operation[]): string {
  const commands = operations.map(({ name }) => name).join(' ');
  const values = flagsWithChoices(operations).map(
    ({ command = '*', flag, choices }) =>
      `    ${command}' ${flag}') COMPREPLY=($(compgen -W '${choices.join(' ')}' -- "$cur")); return ;;`,
  );
  const flags = operations.map((operation) => {
    const words = [...wordsOf(operation, operations), ...flagsOf(operation)];
    return `    ${operation.name}) flags='${words.join(' ')}' ;;`;
  });
  return [
    '# bash completion for memtool',
    '_memtool() {',
    '  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} command= word flags=',
    '  for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do',
    `    case " ${commands} " in *" $word "*) command=$word; break ;; esac`,
    '  done',
    '  case "$command $prev" in',
    ...values,
    '  esac',
    '  case $prev in',
    // file names may contain spaces
    `    ${pathFlags(operations).join('|')}) local IFS=$'\\n'; compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -f -- "$cur")); return ;;`,
    '  esac',
    `  if [ -z "$command" ]; then COMPREPLY=($(compgen -W '${commands} ${Object.keys(GLOBAL_FLAGS)
      .map((flag) => `--${flag}`)
      .join(' ')}' -- "$cur")); return; fi`,
    '  case $command in',
    ...flags,
    '  esac',
    '  COMPREPLY=($(compgen -W "$flags" -- "$cur"))',
    '}',
    'complete -o default -F _memtool memtool',
  ].join('\n');
}

/** The global flags that take no value. */
const SWITCHES = Object.entries(GLOBAL_FLAGS)
  .filter(([, kind]) => kind === 'none')
  .map(([name]) => name);

function zshScript(operations: readonly Operation[]): string {
  const commands = operations.map(({ name, summary }) => `    '${name}:${quoted(summary)}'`);
  const cases = operations.map((operation) =>
    [
      `    ${operation.name}) _arguments \\`,
      ...Object.entries(operation.params).map(
        ([name, param]) => `      '--${flagName(name)}[${quoted(param.description)}]${zshValue(param)}' \\`,
      ),
      `      '--db[The database file]:file:_files' '--format[json or text]:format:(json text)' ${SWITCHES.map((flag) => `'--${flag}'`).join(' ')} ${zshWords(wordsOf(operation, operations))} ;;`,
    ].join('\n'),
  );
  return [
    '#compdef memtool',
    '_memtool() {',
    '  local -a commands',
    '  commands=(',
    ...commands,
    '  )',
    '  if (( CURRENT == 2 )); then _describe command commands; return; fi',
    '  local command=${words[2]}',
    '  shift words; (( CURRENT-- ))',
    '  case $command in',
    ...cases,
    '  esac',
    '}',
    'if [ "$funcstack[1]" = "_memtool" ]; then _memtool "$@"; else compdef _memtool memtool; fi',
  ].join('\n');
}

function zshWords(words: readonly string[]): string {
  return words.length > 0 ? `'1:word:(${words.join(' ')})'` : "'*:file:_files'";
}

function zshValue(param: Param): string {
  if (param.kind === 'flag') return '';
  if (param.kind === 'text' && param.format === 'path') return ':file:_files';
  const choices = choicesOf(param);
  return choices.length > 0 ? `:value:(${choices.join(' ')})` : ':value:';
}

/** Escapes a description for single quotes and square brackets in zsh. */
function quoted(text: string): string {
  return text.replaceAll("'", "'\\''").replaceAll(/[[\]:]/g, '\\$&');
}

function fishScript(operations: readonly Operation[]): string {
  const lines = [
    '# fish completion for memtool',
    'complete -c memtool -f',
    "complete -c memtool -l db -r -F -d 'The database file'",
    "complete -c memtool -l format -x -a 'json text'",
    ...SWITCHES.map((flag) => `complete -c memtool -l ${flag}`),
  ];
  for (const operation of operations) {
    lines.push(`complete -c memtool -n __fish_use_subcommand -a ${operation.name} -d ${fishQuoted(operation.summary)}`);
    const words = wordsOf(operation, operations);
    if (words.length > 0)
      lines.push(`complete -c memtool -n '__fish_seen_subcommand_from ${operation.name}' -a '${words.join(' ')}'`);
    for (const [name, param] of Object.entries(operation.params)) {
      const choices = choicesOf(param);
      const isPath = param.kind === 'text' && param.format === 'path';
      const value =
        param.kind === 'flag' ? '' : isPath ? ' -r -F' : choices.length > 0 ? ` -x -a '${choices.join(' ')}'` : ' -x';
      lines.push(
        `complete -c memtool -n '__fish_seen_subcommand_from ${operation.name}' -l ${flagName(name)}${value} -d ${fishQuoted(param.description)}`,
      );
    }
  }
  return lines.join('\n');
}

function fishQuoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}

function powershellScript(operations: readonly Operation[]): string {
  const flags = operations.map(
    (operation) =>
      `    '${operation.name}' = @(${[...wordsOf(operation, operations), ...flagsOf(operation)]
        .map((flag) => `'${flag}'`)
        .join(', ')})`,
  );
  const values = flagsWithChoices(operations).map(
    ({ command, flag, choices }) =>
      `    '${command === undefined ? flag : `${command} ${flag}`}' = @(${choices.map((choice) => `'${choice}'`).join(', ')})`,
  );
  return [
    '# PowerShell completion for memtool',
    'Register-ArgumentCompleter -Native -CommandName memtool -ScriptBlock {',
    '  param($wordToComplete, $commandAst, $cursorPosition)',
    '  $flags = @{',
    ...flags,
    '  }',
    '  $values = @{',
    ...values,
    '  }',
    '  $words = @($commandAst.CommandElements | ForEach-Object { $_.ToString() })',
    '  $command = $words | Select-Object -Skip 1 | Where-Object { $flags.ContainsKey($_) } | Select-Object -First 1',
    '  $previous = if ($wordToComplete -eq "") { $words[-1] } else { $words[-2] }',
    '  $candidates = if ($values.ContainsKey("$command $previous")) { $values["$command $previous"] } elseif ($values.ContainsKey($previous)) { $values[$previous] } elseif ($command) { $flags[$command] } else { $flags.Keys }',
    '  $candidates | Where-Object { $_ -like "$wordToComplete*" } | ForEach-Object { [System.Management.Automation.CompletionResult]::new($_) }',
    '}',
  ].join('\n');
}
