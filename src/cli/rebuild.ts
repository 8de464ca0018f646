/**
 * `daimon rebuild [id]`: rebuilds the data derived from facts. No daemon may run. The facts are only read.
 */
import { rm } from 'node:fs/promises'
import { linksFolder, searchFolder, vectorsFolder } from '../../journal/files/places.ts'
import { evolve, type Persona, personaVersion } from '../../projections/persona.ts'
import { readConfig } from '../config.ts'
import type { PersonaStore } from '../persona/persona-store.ts'
import { actOffline } from './offline.ts'
import { createProgress } from './printing.ts'

export const rebuild = (id: string | undefined): Promise<never> =>
  actOffline({ act: (personas) => rebuildAll(personas, id) })

const rebuildAll = async (personas: PersonaStore, id: string | undefined): Promise<boolean> => {
  const { home } = readConfig(process.env)
  for (const name of id === undefined ? personas.all().map(({ self }) => self.id) : [id]) {
    const progress = createProgress()
    const events = await personas.read(name, async ({ journal }) => {
      const { head } = journal
      let state: Persona | undefined
      for await (const entry of journal.read({ upTo: head.seq })) {
        state = evolve(state, entry)
        progress.at(entry.seq / head.seq, name)
      }
      await journal.keepSnapshot({ projector: 'persona', version: personaVersion, head, state })
      return head.seq
    })
    progress.end()
    // They are rebuilt when they are used.
    for (const folder of [searchFolder(home, name), vectorsFolder(home, name), linksFolder(home, name)])
      await rm(folder, { recursive: true, force: true })
    process.stdout.write(
      `${name}  state rebuilt from ${events} facts, its search index will be rebuilt at the next start\n`,
    )
  }
  return true
}
