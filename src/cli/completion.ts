/** `completion`: scripts with which a shell completes commands, options and names of personas. */
import type { Argument, Command } from 'commander'
import type { AddCommand } from './command.ts'
import { createDaemonClient, daemonUrl } from './daemon-client.ts'
import { CommandFailed, exitCodes } from './exit-codes.ts'
import { listPersonas } from './find-persona.ts'

const scripts = {
  bash: `_daimon() {
  local line
  COMPREPLY=()
  while IFS= read -r line; do
    # What is begun in quotes goes on in them.
    [[ \${COMP_WORDS[COMP_CWORD]} == [\\"\\']* ]] || printf -v line %q "$line"
    COMPREPLY+=("$line")
  done < <(daimon __complete --bash -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -o default -F _daimon daimon
`,
  zsh: `#compdef daimon
_daimon() {
  local -a found
  found=("\${(@f)$(daimon __complete -- "\${(@Q)words[2,CURRENT-1]}" "\${(Q)PREFIX}" 2>/dev/null)}")
  if [[ -n $found ]]; then
    compadd -a found
  else
    _files
  fi
}
# In a folder of functions it is run at once, from .zshrc it is made known.
if [[ $funcstack[1] == _daimon ]]; then
  _daimon "$@"
else
  compdef _daimon daimon
fi
`,
  fish: `function __daimon_complete
  set -l words (commandline -opc)
  set -e words[1]
  set -l begun (string unescape -- (commandline -ct); or commandline -ct)
  set -l found (daimon __complete -- $words "$begun" 2>/dev/null)
  if set -q found[1]
    printf '%s\\n' $found
  else
    __fish_complete_path "$begun"
  end
end
complete -c daimon -f -a '(__daimon_complete)'
`,
} as const

export const addCompletionCommand: AddCommand = (program) => {
  program
    .command('completion')
    .description('Print a script for bash, zsh or fish that completes commands and names.')
    .argument('<shell>', 'bash, zsh or fish')
    .action((shell: string) => {
      if (!Object.hasOwn(scripts, shell))
        throw new CommandFailed(`there is no script for ${shell}: bash, zsh, fish`, exitCodes.usage)
      process.stdout.write(scripts[shell as keyof typeof scripts])
    })

  program
    .command('__complete', { hidden: true })
    .argument('[words...]')
    .option('--bash', 'words as bash passes them')
    .allowUnknownOption()
    .action(async (args: string[], { bash }: { bash?: true }) => {
      const { at, place, begun: prefix, url } = readWords(program, bash ? joinSplitWords(args) : args)
      const candidates = prefix.startsWith('-') ? listOptions([at, program]) : await wordsAt(place, url)
      const matches = [...new Set(candidates)].filter((candidate) => candidate.startsWith(prefix))
      process.stdout.write(matches.map((candidate) => `${candidate}\n`).join(''))
    })
}

/** Restores the words: bash splits them at colons and equals signs, and keeps their quotes. */
const joinSplitWords = (args: readonly string[]): readonly string[] => {
  const words: string[] = []
  let isSplit = false
  for (const [index, word] of args.entries()) {
    const sign = index > 0 && /^[:=]+$/.test(word)
    if (sign || isSplit) words[words.length - 1] += word
    else words.push(word)
    isSplit = sign
  }
  return words.map((word) => word.replace(/\\(.)|["']/g, '$1'))
}

/**
 * Returns the command that the words select, and the place of the last word. The place is null if it is the
 * value of an option.
 */
const readWords = (program: Command, words: readonly string[]) => {
  let current = program
  let argumentCount = 0
  let url: string | undefined
  let option: string | null = null
  for (const word of words.slice(0, -1)) {
    const next = current.commands.find((subcommand) => subcommand.name() === word)
    if (option !== null) {
      if (option === '--url') url = word
      option = null
    } else if (next) {
      current = next
      argumentCount = 0
    } else if (word.startsWith('-')) option = takesValue([current, program], word) ? word : null
    else argumentCount += 1
  }
  return {
    at: current,
    place: option === null ? placeIn(current, argumentCount) : null,
    begun: words.at(-1) ?? '',
    url,
  }
}

interface WordPlace {
  readonly commands: readonly string[]
  readonly argument: Argument | undefined
}

const placeIn = (current: Command, argumentCount: number): WordPlace => {
  // A group of commands without a subcommand runs `list`.
  const actingCommand =
    current.commands.find((subcommand) => subcommand.name() === 'list' && current.parent !== null) ?? current
  const commands = current.commands
    .map((subcommand) => subcommand.name())
    .filter((name) => !name.startsWith('__'))
  return {
    commands: argumentCount === 0 ? commands : [],
    argument: actingCommand.registeredArguments[argumentCount],
  }
}

const wordsAt = async (place: WordPlace | null, url: string | undefined): Promise<readonly string[]> => {
  const { commands = [], argument } = place ?? {}
  const names = argument?.name() === 'persona' ? await namesAt(url) : []
  return [...commands, ...names, ...(argument?.argChoices ?? [])]
}

const listOptions = (commands: readonly Command[]): readonly string[] =>
  commands.flatMap(({ options }) => options.flatMap(({ long: longName }) => (longName ? [longName] : [])))

const takesValue = (commands: readonly Command[], word: string): boolean =>
  commands.some(({ options }) =>
    options.some(
      (option) => [option.long, option.short].includes(word) && (option.required || option.optional),
    ),
  )

/** Returns no names if no daemon answers. */
const namesAt = async (url: string | undefined): Promise<readonly string[]> => {
  try {
    return (await listPersonas(createDaemonClient(daemonUrl(url)))).map(({ name }) => name)
  } catch {
    return []
  }
}
