/** `character`: shows and changes who a persona is. */
import type { Command } from 'commander'
import type { AddCommand, CommandMeans } from './command.ts'
import type { DaemonClient } from './daemon-client.ts'
import { CommandFailed, exitCodes } from './exit-codes.ts'
import { findPersona, personaPath } from './find-persona.ts'
import { readGiven } from './given-file.ts'
import { harmless, printJson, printLine, printRows, printStyled } from './printing.ts'

interface Character {
  readonly text: string
  readonly lore: readonly { readonly keys: readonly string[]; readonly text: string }[]
  readonly card: string | null
}

interface Lines {
  readonly lines: readonly { readonly message: number; readonly text: string; readonly hidden: boolean }[]
  readonly max: number
}

interface Card extends Character {
  readonly name: string
  readonly greeting: string
  readonly notes: readonly string[]
}

export interface CharacterOptions {
  readonly preset?: string
  readonly file?: string
  readonly card?: string
}

/** Adds the options that name a character. */
export const addCharacterOptions = (command: Command): Command =>
  command
    .option('--preset <id>', 'an offered character: daimon character presets')
    .option('--file <path>', 'a text file')
    .option('--card <path>', 'a character card, PNG or JSON')

/** Reads the named character. Returns undefined if none is named. */
export const readCharacterOptions = async (
  client: DaemonClient,
  { preset, file, card }: CharacterOptions,
): Promise<(Partial<Card> & { readonly text: string }) | undefined> => {
  if ([preset, file, card].filter((value) => value !== undefined).length > 1)
    throw new CommandFailed('give one of --preset, --file and --card', exitCodes.usage)
  if (card !== undefined) return readCard(client, card)
  if (file !== undefined) return { text: await readGiven(file), lore: [], card: null }
  if (preset === undefined) return undefined
  const { presets } = await client.get<Presets>('/api/character/presets')
  const chosen = presets.find(({ id }) => id === preset)
  if (!chosen)
    throw new CommandFailed(`there is no preset ${preset}: daimon character presets`, exitCodes.usage)
  return { text: chosen.en.text, lore: [], card: null }
}

interface Presets {
  readonly presets: readonly {
    readonly id: string
    readonly en: { readonly name: string; readonly text: string }
  }[]
}

/** Prints what did not fit to the error output. */
const readCard = async (client: DaemonClient, path: string) => {
  const card = await client.upload<Card>('/api/character/card', { file: { field: 'card', path }, fields: {} })
  for (const note of card.notes) process.stderr.write(`${harmless(note)}\n`)
  const { name, text, lore, greeting } = card
  return { text, lore, greeting, card: name || path }
}

export const addCharacterCommands: AddCommand = (program, means) => {
  const character = program
    .command('character')
    .description('Who a persona is and how it speaks: show, set, remove, presets, lines, mark, unmark.')
  addLooking(character, means)
  addChanges(character, means)
}

const addLooking = (character: Command, { daemon, isJson }: CommandMeans): void => {
  character
    .command('show', { isDefault: true })
    .description('Print the character.')
    .argument('<persona>', 'name or id')
    .action(async (ref: string, _options: object, command: Command) => {
      const client = daemon(command)
      const answer = await client.get<Character>(await toPath(client, ref))
      if (isJson(command)) return printJson(answer)
      printLine(answer.text || 'no character')
      if (answer.card !== null) printStyled(harmless(`From the card ${answer.card}.`))
      if (answer.lore.length > 0) printLine(`${answer.lore.length} entries in its lorebook`)
    })

  character
    .command('presets')
    .description('List the offered characters.')
    .action(async (_options: object, command: Command) => {
      const answer = await daemon(command).get<Presets>('/api/character/presets')
      if (isJson(command)) return printJson(answer)
      printRows(
        answer.presets.map(({ id, en }) => [id, en.name, en.text.split('\n')[0] ?? '']),
        'none',
      )
    })
}

const addChanges = (character: Command, { daemon, isJson }: CommandMeans): void => {
  addCharacterOptions(character.command('set'))
    .description('Set the character: by words, a text file, a preset, or a character card.')
    .argument('<persona>', 'name or id')
    .argument('[words...]', 'the text')
    .action(async (ref: string, words: string[], options: CharacterOptions, command: Command) => {
      const client = daemon(command)
      const namedCharacter = await readCharacterOptions(client, options)
      if ((namedCharacter === undefined) === (words.length === 0))
        throw new CommandFailed('give the words, or one of --preset, --file and --card', exitCodes.usage)
      const { text, lore = [], card = null } = namedCharacter ?? { text: words.join(' ') }
      const answer = await client.send('PUT', await toPath(client, ref), { text, lore, card })
      if (isJson(command)) return printJson(answer)
      printLine('changed')
    })

  character
    .command('lines')
    .description('List the messages that are example lines of the character.')
    .argument('<persona>', 'name or id')
    .action(async (ref: string, _options: object, command: Command) => {
      const client = daemon(command)
      const answer = await client.get<Lines>(await toPath(client, ref, '/lines'))
      if (isJson(command)) return printJson(answer)
      printRows(
        answer.lines.map(({ message, text, hidden }) => [
          String(message),
          hidden ? `(hidden) ${text}` : text,
        ]),
        'none',
      )
    })

  for (const [name, method, description, result] of [
    ['mark', 'PUT', 'Make a message of the persona an example line of its character.', 'marked'],
    ['unmark', 'DELETE', 'End that a message is an example line.', 'unmarked'],
  ] as const)
    character
      .command(name)
      .description(description)
      .argument('<persona>', 'name or id')
      .argument('<message>', 'id from `daimon conversation`')
      .action(async (ref: string, message: string, _options: object, command: Command) => {
        const client = daemon(command)
        const path = await toPath(client, ref, `/lines/${encodeURIComponent(message)}`)
        const answer = await client.send<Lines>(method, path)
        if (isJson(command)) return printJson(answer)
        printLine(`${result}: ${answer.lines.length} of ${answer.max}`)
      })

  character
    .command('remove')
    .description('Remove the character. The journal keeps it, and undo restores it.')
    .argument('<persona>', 'name or id')
    .action(async (ref: string, _options: object, command: Command) => {
      const client = daemon(command)
      const answer = await client.send('PUT', await toPath(client, ref), { text: '', lore: [], card: null })
      if (isJson(command)) return printJson(answer)
      printLine('removed')
    })
}

const toPath = async (client: DaemonClient, ref: string, rest = ''): Promise<string> =>
  personaPath(await findPersona(client, ref), `character${rest}`)
