/** `list`, `create`, `update` and `delete`. */
import type { Command } from 'commander'
import { isObject } from '../../packages/kit/is-object.ts'
import type { PersonaView } from '../../projections/view.ts'
import { addCharacterOptions, type CharacterOptions, readCharacterOptions } from './character.ts'
import type { AddCommand } from './command.ts'
import { confirm } from './confirm.ts'
import { toQuery } from './daemon-client.ts'
import { CommandFailed, exitCodes } from './exit-codes.ts'
import { findPersona, listPersonas, personaPath } from './find-persona.ts'
import { addMindOptions, type MindOptions, readMind } from './mind-options.ts'
import { applyStyle, harmless, printJson, printLine, table } from './printing.ts'
import { printRecoveryWords } from './recovery-words.ts'
import { withProgress } from './work-progress.ts'

const formatState = ({ running, status }: PersonaView): string => {
  if (running) return status === 'sick' ? applyStyle('yellow', 'sick, listens') : applyStyle('green', 'awake')
  return status === 'active' ? applyStyle('dim', 'stopped') : applyStyle('dim', status)
}

export const addPersonaCommands: AddCommand = (program, { daemon, isJson }) => {
  program
    .command('list')
    .description('List the personas: id, name, status, Mind.')
    .action(async (_options: object, command: Command) => {
      const personas = await listPersonas(daemon(command))
      if (isJson(command)) return printJson({ personas })
      if (personas.length === 0) return printLine('no personas yet: daimon create <name>')
      process.stdout.write(
        `${table(personas.map((persona) => [harmless(persona.name), formatState(persona), harmless(persona.thinking.name), applyStyle('dim', persona.id)]))}\n`,
      )
    })

  addCharacterOptions(addMindOptions(program.command('create'), 'its Mind', 'embedded/practice'))
    .description('Create a persona. Its 24 recovery words are shown only once.')
    .argument('<name>', 'its name')
    .action(async (name: string, options: MindOptions & CharacterOptions, command: Command) => {
      const client = daemon(command)
      const mind = Object.entries(readMind(options)).map(([key, value]) => [`thinking_${key}`, value])
      const character = await readCharacterOptions(client, options)
      const body = { name, ...Object.fromEntries(mind), ...(character && { character }) }
      const persona = await withProgress(client, 'asking', () =>
        client.send<CreateAnswer>('POST', '/api/persona/create', body),
      )
      if (isJson(command)) return printJson(persona)
      printLine(`${persona.persona.name}  ${persona.persona.id}`)
      printRecoveryWords(persona.recovery_phrase)
    })

  addMindOptions(program.command('update'), 'another Mind, or the same one with another profile')
    .description('Change a persona: its name, its Mind, or any field of the update route.')
    .argument('<persona>', 'name or id')
    .option('--profile <profile>', 'its tools and instructions: auto, full or compact; needs --model')
    .option('--name <name>', 'new name')
    .option('--status <status>', 'active, hibernate')
    .option('--set <json>', 'a JSON object with any other fields', asObject)
    .action(async (ref: string, options: MindOptions & ChangeOptions, command: Command) => {
      const client = daemon(command)
      const { name, status, profile, set = {} } = options
      const mind = readMind(options)
      if (profile && !mind.model) throw new CommandFailed('--profile needs --model', exitCodes.usage)
      const change = {
        ...(name && { name }),
        ...(status && { status }),
        ...(mind.model && { thinking: { ...mind, ...(profile && { profile }) } }),
        ...set,
      }
      if (Object.keys(change).length === 0)
        throw new CommandFailed('nothing to change: see daimon help update', exitCodes.usage)
      const path = personaPath(await findPersona(client, ref), 'update')
      const answer = await withProgress(client, 'asking', () => client.send('POST', path, change))
      if (isJson(command)) return printJson(answer)
      printLine('changed')
    })

  program
    .command('delete')
    .description('Delete a persona and its files from this machine.')
    .argument('<persona>', 'name or id')
    .option('--purge', 'delete its diaries, too (otherwise the last one stays for 30 days)')
    .option('--force', 'delete it even if its model cannot be reached, or its journal is damaged')
    .option('--yes', 'without asking')
    .action(async (ref: string, { yes, purge, force }: DeleteOptions, command: Command) => {
      const client = daemon(command)
      const persona = await findPersona(client, ref)
      await confirm(
        `${harmless(persona.name)} and all its memories will be deleted from this machine. Type its name`,
        persona.name,
        yes,
      )
      const query = toQuery({ purge: purge && 'true', force: force && 'true' })
      const answer = await client.send('POST', personaPath(persona, `delete${query}`))
      if (isJson(command)) return printJson(answer)
      printLine(`${persona.name} was deleted`)
    })
}

interface ChangeOptions {
  readonly profile?: string
  readonly name?: string
  readonly status?: string
  readonly set?: object
}

interface DeleteOptions {
  readonly yes?: true
  readonly purge?: true
  readonly force?: true
}

interface CreateAnswer {
  readonly persona: { readonly id: string; readonly name: string }
  readonly recovery_phrase: string
}

const asObject = (text: string): object => {
  try {
    const value: unknown = JSON.parse(text)
    if (isObject(value)) return value
  } catch {}
  throw new CommandFailed('--set takes a JSON object, as {"idle_timeout": 600}', exitCodes.usage)
}
