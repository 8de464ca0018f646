/** `export`, `restore` and `phrase`: encrypted backups of whole personas. */
import { createWriteStream } from 'node:fs'
import { rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { Command } from 'commander'
import type { AddCommand, CommandMeans } from './command.ts'
import { confirm } from './confirm.ts'
import { CommandFailed, exitCodes } from './exit-codes.ts'
import { findPersona, personaPath } from './find-persona.ts'
import { addMindOptions, type MindOptions, readMind } from './mind-options.ts'
import { harmless, printJson, printLine } from './printing.ts'
import { printRecoveryWords, readPhrase } from './recovery-words.ts'
import { withProgress } from './work-progress.ts'

export const addDiaryCommands: AddCommand = (program, means) => {
  addExport(program, means)
  addRestore(program, means)
  addPhrase(program, means)
}

const addExport = (program: Command, { daemon, isJson }: CommandMeans): void => {
  program
    .command('export')
    .description('Write the encrypted diary of a persona to a file. Its 24 words open it.')
    .argument('<persona>', 'name or id')
    .argument('[file]', 'target file (default: its own name in this folder)')
    .action(async (ref: string, file: string | undefined, _options: object, command: Command) => {
      const client = daemon(command)
      const response = await client.bytes(personaPath(await findPersona(client, ref), 'export'))
      const fileName = /filename="([^"/\\]+)"/.exec(response.headers['content-disposition'] ?? '')?.[1]
      const target = file ?? join(process.cwd(), fileName ?? 'persona.diary')
      const stagedPath = `${target}.part`
      try {
        await pipeline(response, createWriteStream(stagedPath, { mode: 0o600 }))
        await rename(stagedPath, target)
      } catch (error) {
        await rm(stagedPath, { force: true })
        throw new CommandFailed(
          `${target} could not be written: ${error instanceof Error ? error.message : error}`,
          exitCodes.refused,
        )
      }
      const { size } = await stat(target)
      if (isJson(command)) return printJson({ file: target, bytes: size })
      printLine(`${target}  ${size} bytes`)
    })
}

const addRestore = (program: Command, { daemon, isJson }: CommandMeans): void => {
  addMindOptions(program.command('restore'), 'its Mind', 'embedded/practice')
    .description(
      'Restore a persona from its diary. Reads its 24 words from standard input, never from the command line.',
    )
    .argument('<diary>', 'the file')
    .action(async (diary: string, options: MindOptions, command: Command) => {
      const phrase = await readPhrase()
      const fields = { phrase, ...readMind(options) }
      const form = { file: { field: 'diary', path: diary }, fields }
      const client = daemon(command)
      const answer = await withProgress(client, 'sending', (onProgress) =>
        client.upload<{ persona: { id: string; name: string } }>('/api/persona/migrate', form, onProgress),
      )
      if (isJson(command)) return printJson(answer)
      printLine(`${answer.persona.name} was restored  ${answer.persona.id}`)
    })
}

interface PhraseChanged {
  readonly recovery_phrase: string
  readonly older: number
}

const addPhrase = (program: Command, { daemon, isJson }: CommandMeans): void => {
  program
    .command('phrase')
    .description('Create new recovery words that replace the earlier ones, and a diary that they open.')
    .argument('<persona>', 'name or id')
    .option('--remove-older', 'remove the diaries that only older words open')
    .option('--confirm', 'create none: confirm that the words are written down')
    .option('--yes', 'without asking')
    .action(async (ref: string, options: PhraseOptions, command: Command) => {
      const client = daemon(command)
      const persona = await findPersona(client, ref)
      if (options.confirm) {
        const state = await client.send('POST', personaPath(persona, 'phrase/confirm'))
        return isJson(command) ? printJson(state) : printLine('noted')
      }
      await confirm(
        `The words that you have of ${harmless(persona.name)} will not open later diaries. Type new`,
        'new',
        options.yes,
      )
      const query = options.removeOlder ? '?remove_older=true' : ''
      const change = await client.send<PhraseChanged>('POST', personaPath(persona, `phrase${query}`))
      if (isJson(command)) return printJson(change)
      printRecoveryWords(change.recovery_phrase)
      if (change.older > 0) printLine(`\nOnly older words open ${change.older} of the diaries`)
    })
}

interface PhraseOptions {
  readonly removeOlder?: true
  readonly confirm?: true
  readonly yes?: true
}
