/** `export`, `restore` and `feed`: what goes out of a daemon whole, and what comes in. */
import { createWriteStream } from 'node:fs'
import { rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import type { Command } from 'commander'
import type { AddCommand } from './command.ts'
import { CommandFailed, exitCodes } from './exit-codes.ts'
import { addMindOptions, type MindOptions, mindOf } from './mind-options.ts'
import { createProgress, minuteOf, say, sayJson, table } from './printing.ts'
import { pathOf, whose } from './whose.ts'

interface Conversation {
  readonly title: string
  readonly messages: number
  readonly time: string | null
  readonly known: boolean
}

export const addDiaryCommands: AddCommand = (program, { daemon, json }) => {
  program
    .command('export')
    .description('Write the diary of a persona, sealed for its 24 words, to a file.')
    .argument('<persona>', 'name or id')
    .argument('[file]', 'where to; by default its own name in this folder')
    .action(async (asked: string, file: string | undefined, _options: object, command: Command) => {
      const client = daemon(command)
      const response = await client.bytes(pathOf(await whose(client, asked), 'export'))
      const named = /filename="([^"/\\]+)"/.exec(response.headers['content-disposition'] ?? '')?.[1]
      const target = file ?? join(process.cwd(), named ?? 'persona.diary')
      const staged = `${target}.part`
      try {
        await pipeline(response, createWriteStream(staged, { mode: 0o600 }))
        await rename(staged, target)
      } catch (error) {
        await rm(staged, { force: true })
        throw new CommandFailed(
          `${target} could not be written: ${error instanceof Error ? error.message : error}`,
          exitCodes.refused,
        )
      }
      const { size } = await stat(target)
      if (json(command)) return sayJson({ file: target, bytes: size })
      say(`${target}  ${size} bytes`)
    })

  addMindOptions(program.command('restore'), 'its Mind', 'embedded/practice')
    .description(
      'Bring a persona back from its diary. Its 24 words are read from standard input, never from the command line.',
    )
    .argument('<diary>', 'the file')
    .action(async (diary: string, options: MindOptions, command: Command) => {
      const phrase = await readPhrase()
      const fields = { phrase, ...mindOf(options) }
      const progress = createProgress('sending')
      const form = { file: { field: 'diary', path: diary }, fields }
      const answer = await daemon(command)
        .upload<{ persona: { id: string; name: string } }>('/api/persona/migrate', form, progress.at)
        .finally(progress.end)
      if (json(command)) return sayJson(answer)
      say(`${answer.persona.name} is back  ${answer.persona.id}`)
    })

  program
    .command('feed')
    .description('Let a persona read an exported chat history.')
    .argument('<persona>', 'name or id')
    .argument('<file>', 'the export')
    .requiredOption('--source <name>', 'which AI it came from: chatgpt, grok, sillytavern, …')
    .option('--preview', 'only say what is in it')
    .action(
      async (
        asked: string,
        file: string,
        { source, preview }: { source: string; preview?: true },
        command: Command,
      ) => {
        const client = daemon(command)
        const persona = await whose(client, asked)
        const progress = createProgress('sending')
        const phrase = file.endsWith('.diary') ? { phrase: await readPhrase() } : {}
        const form = { file: { field: 'history', path: file }, fields: { source, ...phrase } }
        const path = pathOf(persona, preview ? 'feed?preview=1' : 'feed')
        const answer = await client
          .upload<{ conversations?: readonly Conversation[]; detail?: string }>(path, form, progress.at)
          .finally(progress.end)
        if (json(command)) return sayJson(answer)
        if (answer.detail) return say(answer.detail)
        if (!answer.conversations) return say(`${persona.name} has read it`)
        say(
          table(
            answer.conversations.map((one) => [
              one.time === null ? '' : minuteOf(one.time),
              String(one.messages),
              one.known ? 'known' : 'new',
              one.title,
            ]),
          ),
        )
      },
    )
}

const readPhrase = async (): Promise<string> => {
  if (!process.stdin.isTTY) return (await text(process.stdin)).trim()
  const lines = createInterface({ input: process.stdin, output: process.stderr })
  const words = await lines.question('Its 24 recovery words: ')
  lines.close()
  return words.trim()
}
