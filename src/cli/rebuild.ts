/**
 * `daimon rebuild [persona] [--projection name]`: builds data that is derived from facts again. If a daemon
 * has the home, it does the work while its personas run. The facts are only read.
 */
import { rm } from 'node:fs/promises'
import { linksFolder, searchFolder, vectorsFolder } from '../../home/places.ts'
import { readConfig } from '../config.ts'
import { type ProjectionName, ProjectionNames } from '../health/projection-names.ts'
import type { PersonaStore } from '../persona/persona-store.ts'
import type { DaemonClient } from './daemon-client.ts'
import { CommandFailed, exitCodes } from './exit-codes.ts'
import { findPersona, listPersonas, personaPath } from './find-persona.ts'
import { actOffline } from './offline.ts'
import { createProgress, printLine } from './printing.ts'

export const rebuild = (nameOrId: string | undefined, projection: string | undefined): Promise<never> => {
  const names = projection === undefined ? ProjectionNames : [toProjectionName(projection)]
  return actOffline({
    ask: (daemon) => rebuildRunning(daemon, nameOrId, names),
    act: (personas) => rebuildAll(personas, nameOrId, names),
  })
}

const toProjectionName = (text: string): ProjectionName => {
  const name = ProjectionNames.find((candidate) => candidate === text)
  if (name) return name
  throw new CommandFailed(
    `There is no projection “${text}”. Choose ${ProjectionNames.join(', ')}.`,
    exitCodes.usage,
  )
}

/** Folders of the projections that are rebuilt when they are used. */
const indexFolders = { search: searchFolder, vectors: vectorsFolder, links: linksFolder } as const

interface ListAnswer {
  readonly projections: readonly { readonly name: ProjectionName }[]
}
interface RebuildAnswer {
  readonly position: number
  readonly equal: boolean | null
  readonly differing: readonly string[]
}

const rebuildRunning = async (
  client: DaemonClient,
  nameOrId: string | undefined,
  names: readonly ProjectionName[],
): Promise<boolean> => {
  const personas = nameOrId === undefined ? await listPersonas(client) : [await findPersona(client, nameOrId)]
  for (const persona of personas) {
    const path = `/api/projections?persona=${encodeURIComponent(persona.id)}`
    const { projections } = await client.get<ListAnswer>(path)
    for (const { name } of projections.filter((projection) => names.includes(projection.name))) {
      const answer = await client.send<RebuildAnswer>(
        'POST',
        personaPath(persona, `projections/${name}/rebuild`),
      )
      printLine(`${persona.id}  ${name}  ${formatAnswer(answer)}`)
    }
  }
  return true
}

const formatAnswer = ({ position, equal, differing }: RebuildAnswer): string => {
  if (equal === null) return position === 0 ? 'is being built again' : `built again from ${position} facts`
  const result = equal ? 'it was right' : `replaced, because it was wrong: ${differing.join(', ')}`
  return `built again from ${position} facts: ${result}`
}

const rebuildAll = async (
  personas: PersonaStore,
  id: string | undefined,
  names: readonly ProjectionName[],
): Promise<boolean> => {
  const { home } = readConfig(process.env)
  const folders = names.flatMap((name) => (name === 'state' ? [] : [indexFolders[name]]))
  for (const name of id === undefined ? personas.all().map(({ self }) => self.id) : [id]) {
    const results: string[] = []
    if (names.includes('state')) {
      const { head } = await personas.vitals(name)
      const progress = createProgress()
      const onPosition = (seq: number) => progress.at(seq / head.seq, name)
      const rebuilt = await personas.rebuildState(name, { signal: new AbortController().signal, onPosition })
      progress.end()
      const wrongParts =
        rebuilt.differing.length > 0 ? ` (it was wrong: ${rebuilt.differing.join(', ')})` : ''
      results.push(`state rebuilt from ${rebuilt.head.seq} facts${wrongParts}`)
    }
    // They are rebuilt when they are used.
    for (const toFolder of folders) await rm(toFolder(home, name), { recursive: true, force: true })
    if (folders.length > 0) results.push('its search index will be rebuilt at the next start')
    process.stdout.write(`${name}  ${results.join(', ')}\n`)
  }
  return true
}
