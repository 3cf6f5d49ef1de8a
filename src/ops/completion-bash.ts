import { FLAG_WORDS, flagsOf, GLOBAL_COMPLETIONS, valuesOfFlags, wordsOf } from './completion-model.ts';
import type { Operation } from './operation.ts';

/** Returns the bash script. It reads the line as the program does: a flag that takes a value takes the next word. */
export function bashScript(operations: readonly Operation[]): string {
  const flagWords = Object.keys(FLAG_WORDS);
  const commands = [...operations.map(({ name }) => name), ...flagWords].join(' ');
  const globals = GLOBAL_COMPLETIONS.map(({ name }) => name).join(' ');
  const values = valuesOfFlags(operations).map(({ flags, value: { kind, choices } }) => {
    const patterns = flags.map(({ command, flag }) => (command === undefined ? `*' ${flag}'` : `'${command} ${flag}'`));
    return `    ${patterns.join('|')}) kind=${kind} choices='${choices.join(' ')}' ;;`;
  });
  const offered = operations.map((operation) => {
    const flags = flagsOf(operation).filter(({ isAlias }) => !isAlias);
    return `    ${operation.name}) words='${[...wordsOf(operation, operations), ...flags.map(({ name }) => name)].join(' ')}' ;;`;
  });
  return BASH.replaceAll('@{', '${')
    .replace('{values}', () => values.join('\n'))
    .replace('{offered}', () => offered.join('\n'))
    .replace('{commands}', () => commands)
    .replace('{flagWords}', () => flagWords.join('|'))
    .replaceAll('{globals}', () => globals);
}

/** The script, with `@{` where bash has `${`, which would be a placeholder here. */
const BASH = String.raw`# bash completion for memtool
# what follows flag $2 of command $1
_memtool_value() {
  kind= choices=
  case "$1 $2" in
{values}
  esac
}
_memtool_reply() {
  local word
  while IFS= read -r word; do COMPREPLY+=("@{word:skip}"); done
}
_memtool() {
  local last=@{COMP_WORDS[COMP_CWORD]} cur word joined= command= flag= ended= kind= choices= words= value base=
  local taken=0 skip i n
  local -a line=()
  COMPREPLY=()
  # bash divides words at = and : as well
  for word in "@{COMP_WORDS[@]:1:COMP_CWORD}"; do
    n=@{#line[@]}
    case $word in
      *[!=:]*) if [ -n "$joined" ]; then line[n-1]+=$word; else line[n]=$word; fi; joined= ;;
      '') line[n]=; joined= ;;
      *) if [ "$n" -gt 0 ]; then line[n-1]+=$word; else line[n]=$word; fi; joined=1 ;;
    esac
  done
  n=$(( @{#line[@]} - 1 )) cur=@{line[n]}
  # a reply replaces only the last of the parts
  case $last in *[!=:]*) ;; *) last= ;; esac
  skip=$(( @{#cur} - @{#last} ))
  for (( i = 0; i < n; i++ )); do
    word=@{line[i]}
    if [ "$taken" -gt 0 ]; then taken=$(( taken - 1 ))
    elif [ "$word" = -- ]; then ended=1
    elif [[ -z $ended && $word == -* ]]; then
      flag=@{word%%=*}
      _memtool_value "$command" "$flag"
      case $kind in '') ;; pair) taken=2 ;; *) taken=1 ;; esac
      if [[ $taken -gt 0 && $word == *=* ]]; then taken=$(( taken - 1 )); fi
    elif [ -z "$command" ]; then
      case $word in {flagWords}) ;; *) command=$word ;; esac
    fi
  done
  if [ "$taken" -gt 0 ]; then value=$cur
  elif [ -n "$ended" ]; then return
  elif [[ $cur == --*=* ]]; then flag=@{cur%%=*} value=@{cur#*=} base=$flag=
  else
    case $command in
      '') words='{commands} {globals}' ;;
{offered}
      *) words='{globals}' ;;
    esac
    _memtool_reply < <(compgen -W "$words" -- "$cur")
    return
  fi
  _memtool_value "$command" "$flag"
  case $kind in
    path)
      compopt -o filenames 2>/dev/null
      _memtool_reply < <(compgen -f -P "$base" -- "$value") ;;
    list)
      compopt -o nospace 2>/dev/null
      if [[ $value == *,* ]]; then base+=@{value%,*}, value=@{value##*,}; fi
      _memtool_reply < <(compgen -P "$base" -W "$choices" -- "$value") ;;
    choice)
      _memtool_reply < <(compgen -P "$base" -W "$choices" -- "$value") ;;
  esac
}
complete -F _memtool memtool`;
