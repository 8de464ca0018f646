/** `export`, `restore`, `phrase` and `feed`: what goes out of a daemon whole, and what comes in. */
import { createWriteStream } from 'node:fs'
import { rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import type { Command } from 'commander'
import type { AddCommand, CommandMeans } from './command.ts'
import { confirmed } from './confirming.ts'
import { CommandFailed, exitCodes } from './exit-codes.ts'
import { addMindOptions, type MindOptions, mindOf } from './mind-options.ts'
import { harmless, minuteOf, say, sayJson, sayRows } from './printing.ts'
import { sayWords } from './recovery-words.ts'
import { pathOf, whose } from './whose.ts'
import { withProgress } from './work-progress.ts'

interface Conversation {
  readonly title: string
  readonly messages: number
  readonly time: string | null
  readonly known: boolean
}

export const addDiaryCommands: AddCommand = (program, means) => {
  addExport(program, means)
  addRestore(program, means)
  addPhrase(program, means)
  addFeed(program, means)
}

const addExport = (program: Command, { daemon, json }: CommandMeans): void => {
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
}

const addRestore = (program: Command, { daemon, json }: CommandMeans): void => {
  addMindOptions(program.command('restore'), 'its Mind', 'embedded/practice')
    .description(
      'Bring a persona back from its diary. Its 24 words are read from standard input, never from the command line.',
    )
    .argument('<diary>', 'the file')
    .action(async (diary: string, options: MindOptions, command: Command) => {
      const phrase = await readPhrase()
      const fields = { phrase, ...mindOf(options) }
      const form = { file: { field: 'diary', path: diary }, fields }
      const client = daemon(command)
      const answer = await withProgress(client, 'sending', (at) =>
        client.upload<{ persona: { id: string; name: string } }>('/api/persona/migrate', form, at),
      )
      if (json(command)) return sayJson(answer)
      say(`${answer.persona.name} is back  ${answer.persona.id}`)
    })
}

interface PhraseChanged {
  readonly recovery_phrase: string
  readonly older: number
}

const addPhrase = (program: Command, { daemon, json }: CommandMeans): void => {
  program
    .command('phrase')
    .description('New recovery words in place of those of before, and a diary that they open.')
    .argument('<persona>', 'name or id')
    .option('--remove-older', 'remove the diaries that only older words open')
    .option('--confirm', 'make none: say that somebody has written them down')
    .option('--yes', 'without asking')
    .action(async (asked: string, options: PhraseOptions, command: Command) => {
      const client = daemon(command)
      const persona = await whose(client, asked)
      if (options.confirm) {
        const state = await client.send('POST', pathOf(persona, 'phrase/confirm'))
        return json(command) ? sayJson(state) : say('noted')
      }
      await confirmed(
        `The words that you have of ${harmless(persona.name)} will open no diary of later. Type new`,
        'new',
        options.yes,
      )
      const query = options.removeOlder ? '?remove_older=true' : ''
      const made = await client.send<PhraseChanged>('POST', pathOf(persona, `phrase${query}`))
      if (json(command)) return sayJson(made)
      sayWords(made.recovery_phrase)
      if (made.older > 0) say(`\n${made.older} diaries are still opened by older words alone`)
    })
}

interface PhraseOptions {
  readonly removeOlder?: true
  readonly confirm?: true
  readonly yes?: true
}

const addFeed = (program: Command, { daemon, json }: CommandMeans): void => {
  program
    .command('feed')
    .description('Let a persona read an exported chat history.')
    .argument('<persona>', 'name or id')
    .argument('<file>', 'the export')
    .requiredOption('--source <name>', 'which AI it came from: chatgpt, grok, sillytavern, …')
    .option('--preview', 'only say what is in it')
    .option('--me <name>', 'your name in chats between people, if the file does not say who you are')
    .action(
      async (
        asked: string,
        file: string,
        { source, preview, me }: { source: string; preview?: true; me?: string },
        command: Command,
      ) => {
        const client = daemon(command)
        const persona = await whose(client, asked)
        const phrase = file.endsWith('.diary') ? { phrase: await readPhrase() } : {}
        const form = {
          file: { field: 'history', path: file },
          fields: { source, ...phrase, ...(me === undefined ? {} : { me }) },
        }
        const path = pathOf(persona, preview ? 'feed?preview=1' : 'feed')
        const answer = await withProgress(client, 'sending', (at) =>
          client.upload<{ conversations?: readonly Conversation[]; detail?: string }>(path, form, at),
        )
        if (json(command)) return sayJson(answer)
        const { detail, conversations } = answer
        if (detail) say(detail)
        if (!conversations) return detail ? undefined : say(`${persona.name} has read it`)
        if (conversations.length === 0 && detail) return
        sayRows(
          conversations.map((one) => [
            one.time === null ? '' : minuteOf(one.time),
            String(one.messages),
            one.known ? 'known' : 'new',
            one.title,
          ]),
          'no conversation is in it',
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
