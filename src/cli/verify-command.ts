/**
 * `daimon verify`: recomputes the hash chain of one journal, or of all. If a daemon has the home, it does the
 * work.
 */
import { verifyRunning } from './health-commands.ts'
import { offline } from './offline.ts'

export const verify = (asked: string | undefined): Promise<never> =>
  offline({
    ask: (daemon) => verifyRunning(daemon, asked),
    act: async (personas) => {
      let well = true
      for (const name of asked === undefined ? personas.all().map(({ self }) => self.id) : [asked]) {
        const { events, intact, firstBad } = await personas.verify(name)
        well &&= intact
        process.stdout.write(
          `${name}  ${intact ? `whole, ${events} facts` : `damaged from fact ${firstBad} on`}\n`,
        )
      }
      return well
    },
  })
