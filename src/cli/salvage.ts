/**
 * `daimon salvage`: continues with the part of a damaged journal that verifies. If a daemon has the home, it
 * does the work.
 */
import { salvageRunning } from './health.ts'
import { actOffline } from './offline.ts'

export const salvage = (nameOrId: string): Promise<never> =>
  actOffline({
    ask: async (daemon) => {
      await salvageRunning(daemon, nameOrId)
      return true
    },
    act: async (personas) => {
      const { loss, copy } = await personas.salvage(nameOrId)
      const losses = loss.first === null ? 'none lost' : `${loss.lost} lost, the first of them ${loss.first}`
      process.stdout.write(`${nameOrId}  ${loss.kept} facts kept, ${losses}\noriginal journal: ${copy}\n`)
      return true
    },
  })
