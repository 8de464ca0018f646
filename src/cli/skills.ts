/** `skills`: shows and adds skills. Only the user enables them. */
import { stat } from 'node:fs/promises'
import { basename, resolve } from 'node:path'
import type { Command } from 'commander'
import type { AddCommand, CommandMeans } from './command.ts'
import type { DaemonClient } from './daemon-client.ts'
import { CommandFailed, exitCodes } from './exit-codes.ts'
import { findPersona, personaPath } from './find-persona.ts'
import type { Form } from './form-upload.ts'
import { applyStyle, harmless, printJson, printLine, printRows, printStyled } from './printing.ts'

interface Skill {
  readonly name: string
  readonly description: string
  readonly enabled: boolean
  readonly sha256: string
}

interface WholeSkill extends Skill {
  readonly files: readonly {
    readonly path: string
    readonly bytes: number
    readonly text: string | null
    readonly script: boolean
  }[]
}

export const addSkillCommands: AddCommand = (program, means) => {
  const skills = program
    .command('skills')
    .description('Instructions for kinds of tasks: list, show, add, enable, disable, remove.')
  addLooking(skills, means)
  addGiving(skills, means)
  addSwitching(skills, means)
}

const addLooking = (skills: Command, { daemon, json }: CommandMeans): void => {
  skills
    .command('list', { isDefault: true })
    .description('List its skills, and the offered ones of this machine.')
    .argument('<persona>', 'name or id')
    .action(async (ref: string, _options: object, command: Command) => {
      const client = daemon(command)
      const answer = await client.get<{
        skills: readonly Skill[]
        offered: readonly Pick<Skill, 'name' | 'description'>[]
      }>(personaPath(await findPersona(client, ref), 'skills'))
      if (json(command)) return printJson(answer)
      printRows(
        [
          ...answer.skills.map((skill) => [
            skill.name,
            skill.enabled ? 'enabled' : 'disabled',
            skill.description,
          ]),
          ...answer.offered.map((skill) => [skill.name, 'offered', skill.description]),
        ],
        'none yet',
      )
    })

  skills
    .command('show')
    .description('Print the text of every file, to review the skill before it is enabled.')
    .argument('<persona>', 'name or id')
    .argument('<skill>', 'its name')
    .action(async (ref: string, name: string, _options: object, command: Command) => {
      const client = daemon(command)
      const skill = await client.get<WholeSkill>(skillPath(await findPersona(client, ref), name))
      if (json(command)) return printJson(skill)
      for (const { path, bytes, text, script } of skill.files) {
        const kind = script ? ', a script: never run' : ''
        printStyled(applyStyle('bold', harmless(`${path}  ${bytes} bytes${kind}`)))
        if (text !== null) printLine(`${text.trimEnd()}\n`)
      }
      printLine(`sha256 ${skill.sha256}`)
    })
}

const addGiving = (skills: Command, { daemon, json }: CommandMeans): void => {
  skills
    .command('add')
    .description('Add a skill. It is not used before you enable it.')
    .argument('<persona>', 'name or id')
    .argument('<skill>', 'a folder, a zip or a SKILL.md, or with --offered the name of a skill')
    .option('--offered', 'a skill that `daimon skills` lists as offered')
    .action(async (ref: string, source: string, options: { offered?: true }, command: Command) => {
      const client = daemon(command)
      const path = personaPath(await findPersona(client, ref), 'skills')
      const skill = options.offered
        ? await client.upload<Skill>(path, { fields: { offered: source } })
        : await sent(client, path, source)
      if (json(command)) return printJson(skill)
      printLine(`${skill.name}: ${skill.enabled ? 'enabled, as before' : 'added, but not enabled yet'}`)
    })

  skills
    .command('remove')
    .description('Remove a skill and its files.')
    .argument('<persona>', 'name or id')
    .argument('<skill>', 'its name')
    .action(async (ref: string, name: string, _options: object, command: Command) => {
      const client = daemon(command)
      const answer = await client.send('DELETE', skillPath(await findPersona(client, ref), name))
      if (json(command)) return printJson(answer)
      printLine(`${name} was removed`)
    })
}

const addSwitching = (skills: Command, { daemon, json }: CommandMeans): void => {
  const change = (word: 'enable' | 'disable', description: string) => {
    const subcommand = skills
      .command(word)
      .description(description)
      .argument('<persona>', 'name or id')
      .argument('<skill>', 'its name')
    if (word === 'enable')
      subcommand.option('--sha256 <hash>', 'only if it is still the version that `skills show` showed')
    subcommand.action(
      async (ref: string, name: string, { sha256 }: { sha256?: string }, command: Command) => {
        const client = daemon(command)
        const body = { enabled: word === 'enable', ...(sha256 !== undefined && { sha256 }) }
        const answer = await client.send('PATCH', skillPath(await findPersona(client, ref), name), body)
        if (json(command)) return printJson(answer)
        printLine(`${name} is ${word}d`)
      },
    )
  }
  change('enable', 'Enable the current version of a skill.')
  change('disable', 'Disable a skill.')
}

const skillPath = (persona: Parameters<typeof personaPath>[0], name: string): string =>
  personaPath(persona, `skills/${encodeURIComponent(name)}`)

const sent = async (client: DaemonClient, path: string, source: string): Promise<Skill> => {
  const stats = await stat(source).catch(() => {
    throw new CommandFailed(`there is no file or folder ${source}`, exitCodes.usage)
  })
  const file: Form['file'] = stats.isDirectory()
    ? { field: 'skill', name: 'skill.tar', bytes: await packFolder(resolve(source)) }
    : { field: 'skill', path: source }
  return client.upload<Skill>(path, { file, fields: {} })
}

/** Packs the folder itself, too, because it has the name of the skill. */
const packFolder = async (folder: string): Promise<Buffer> => {
  const [{ packSkill }, { filesUnder }, { Refused }, { getProblem: problemOf }] = await Promise.all([
    import('../skills/skill-pack.ts'),
    import('../skills/offered-skills.ts'),
    import('../persona/refusals.ts'),
    import('../http/problems.ts'),
  ])
  try {
    const files = await filesUnder(folder)
    return await packSkill(files.map(({ path, bytes }) => ({ path: `${basename(folder)}/${path}`, bytes })))
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    throw new CommandFailed(String(problemOf(error).detail), exitCodes.refused)
  }
}
