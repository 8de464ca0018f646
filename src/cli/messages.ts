/** `again`, `edit`, `hide` and `show`: another answer, and changes of messages. */
import type { Command } from 'commander'
import type { AddCommand } from './command.ts'
import type { DaemonClient } from './daemon-client.ts'
import { CommandFailed, exitCodes } from './exit-codes.ts'
import { findPersona, personaPath } from './find-persona.ts'
import { addMindOptions, type MindOptions, readMind } from './mind-options.ts'
import { printJson, printLine } from './printing.ts'
import { openTalk } from './talk-line.ts'

interface Message {
  readonly id: number
  readonly role: 'person' | 'assistant'
  readonly turn: number | null
  readonly notice?: true
}

interface AgainOptions extends MindOptions {
  readonly continue?: true
}

interface Edited {
  readonly id: number
  readonly learned: readonly { readonly id: string; readonly text: string }[]
}

export const addMessageCommands: AddCommand = (program, { daemon, isJson }) => {
  addMindOptions(program.command('again'), 'the model that gives this one answer instead of the Mind')
    .description('Get another answer to the last messages, and print it.')
    .argument('<persona>', 'name or id')
    .option('--continue', 'the rest of the answer instead, for example after a stop')
    .action(async (ref: string, options: AgainOptions, command: Command) => {
      if (options.continue && options.model !== undefined)
        throw new CommandFailed('--continue and --model exclude each other', exitCodes.usage)
      if (
        options.model === undefined &&
        (options.provider ?? options.apiUrl ?? options.keyFrom) !== undefined
      )
        throw new CommandFailed('--model is required', exitCodes.usage)
      const client = daemon(command)
      const persona = await findPersona(client, ref)
      const path = personaPath(persona, `turns/${await findLastTurn(client, persona)}/again`)
      const line = await openTalk(client, persona)
      try {
        await line.ask(() =>
          options.model === undefined
            ? client.send('POST', options.continue ? `${path}?mode=continue` : path)
            : client.send('POST', `${path}/with`, readMind(options)),
        )
      } finally {
        line.close()
      }
    })

  program
    .command('edit')
    .description('Write your last message again, and print the new answer.')
    .argument('<persona>', 'name or id')
    .argument('<message>', 'id from `daimon conversation`')
    .argument('<words...>', 'the new text')
    .action(async (ref: string, message: string, words: string[], _options: object, command: Command) => {
      const client = daemon(command)
      const persona = await findPersona(client, ref)
      const line = await openTalk(client, persona)
      try {
        await line.ask(async () => {
          const { learned } = await client.send<Edited>('PATCH', toPath(persona, message), {
            content: words.join(' '),
          })
          for (const { id, text } of learned)
            process.stderr.write(
              `Learned only from the old text: ${text}\ndaimon memories forget ${persona.id} ${id}\n`,
            )
        })
      } finally {
        line.close()
      }
    })

  for (const [name, isHidden, description] of [
    ['hide', true, 'Remove a message from the conversation and from what the persona sees.'],
    ['show', false, 'Show a message again that was removed.'],
  ] as const)
    program
      .command(name)
      .description(description)
      .argument('<persona>', 'name or id')
      .argument('<message>', 'id from `daimon conversation`')
      .action(async (ref: string, message: string, _options: object, command: Command) => {
        const client = daemon(command)
        const persona = await findPersona(client, ref)
        const answer = await client.send<Edited>('PATCH', toPath(persona, message), { hidden: isHidden })
        if (isJson(command)) return printJson(answer)
        printLine(isHidden ? `hidden: ${message}` : `shown: ${message}`)
      })
}

type PersonaRef = Parameters<typeof personaPath>[0]

const toPath = (persona: PersonaRef, message: string) =>
  personaPath(persona, `messages/${encodeURIComponent(message)}`)

/** Returns the turn of the last answer, also if it is hidden. */
const findLastTurn = async (client: DaemonClient, persona: PersonaRef): Promise<number> => {
  const { messages } = await client.get<{ readonly messages: readonly Message[] }>(
    personaPath(persona, 'conversation?limit=50&hidden=true'),
  )
  const turn = messages.findLast((message) => message.turn !== null && !message.notice)?.turn
  if (typeof turn === 'number') return turn
  throw new CommandFailed('there is no answer yet', exitCodes.refused)
}
