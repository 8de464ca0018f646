/**
 * `daimon verify`: recomputes the hash chain of one journal, or of all. If a daemon has the home, it does the
 * work.
 */
import { verifyRunning } from './health.ts'
import { actOffline } from './offline.ts'

export const verify = (nameOrId: string | undefined): Promise<never> =>
  actOffline({
    ask: (daemon) => verifyRunning(daemon, nameOrId),
    act: async (personas) => {
      let isIntact = true
      for (const name of nameOrId === undefined ? personas.all().map(({ self }) => self.id) : [nameOrId]) {
        const { events, intact, firstBad } = await personas.verify(name)
        isIntact &&= intact
        process.stdout.write(
          `${name}  ${intact ? `whole, ${events} facts` : `damaged from fact ${firstBad} on`}\n`,
        )
      }
      return isIntact
    },
  })
