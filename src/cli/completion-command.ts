/** `completion`: what a shell needs to complete commands, options and the names of personas. */
import type { Command } from 'commander'
import type { AddCommand } from './command.ts'
import { CommandFailed, exitCodes } from './exit-codes.ts'
import { personasOf } from './whose.ts'

const scripts = {
  bash: `_daimon() {
  local IFS=$'\\n'
  COMPREPLY=($(daimon __complete "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
}
complete -o default -F _daimon daimon
`,
  zsh: `#compdef daimon
_daimon() {
  local -a found
  found=("\${(@f)$(daimon __complete "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  compadd -a found
  _files
}
compdef _daimon daimon
`,
  fish: `complete -c daimon -a '(daimon __complete (commandline -opc)[2..-1] (commandline -ct) 2>/dev/null)'
`,
} as const

export const addCompletionCommand: AddCommand = (program, { daemon }) => {
  program
    .command('completion')
    .description('Print the script that lets bash, zsh or fish complete commands and names.')
    .argument('<shell>', 'bash, zsh or fish')
    .action((shell: string) => {
      if (!Object.hasOwn(scripts, shell))
        throw new CommandFailed(`there is none for ${shell}: bash, zsh, fish`, exitCodes.usage)
      process.stdout.write(scripts[shell as keyof typeof scripts])
    })

  program
    .command('__complete', { hidden: true })
    .argument('[words...]')
    .allowUnknownOption()
    .action(async (words: string[], _options: object, command: Command) => {
      const begun = words.at(-1) ?? ''
      const found = await completions(program, words.slice(0, -1), () => personasOf(daemon(command)))
      const fitting = [...new Set(found)].filter((one) => one.startsWith(begun))
      process.stdout.write(fitting.map((one) => `${one}\n`).join(''))
    })
}

const completions = async (
  program: Command,
  before: readonly string[],
  personas: () => Promise<readonly { readonly name: string }[]>,
): Promise<readonly string[]> => {
  let at: Command = program
  let given = 0
  for (const word of before) {
    const next = at.commands.find((one) => one.name() === word)
    if (next) at = next
    else if (!word.startsWith('-')) given += 1
  }
  const own = at.commands.filter((one) => !one.name().startsWith('__')).map((one) => one.name())
  const options = at.options.flatMap(({ long }) => (long ? [long] : []))
  const expected = at.registeredArguments[given]?.name()
  // Nobody waits for a daemon that is not there: then there are no names.
  const names =
    expected === 'persona'
      ? await personas().then(
          (all) => all.map(({ name }) => name),
          () => [],
        )
      : []
  return [...own, ...names, ...options]
}
