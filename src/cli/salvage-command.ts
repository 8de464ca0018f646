/**
 * `daimon salvage`: goes on with what of a damaged journal verifies, by the daemon where one has the home.
 */
import { salvageRunning } from './health-commands.ts'
import { offline } from './offline.ts'

export const salvage = (asked: string): Promise<never> =>
  offline({
    ask: async (daemon) => {
      await salvageRunning(daemon, asked)
      return true
    },
    act: async (personas) => {
      const { loss, copy } = await personas.salvage(asked)
      const lost = loss.first === null ? 'none lost' : `${loss.lost} lost, the first of them ${loss.first}`
      process.stdout.write(`${asked}  ${loss.kept} facts kept, ${lost}\nits journal as it was: ${copy}\n`)
      return true
    },
  })
