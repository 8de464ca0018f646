/** `daimon verify [id]`: recomputes the chain of one journal or of all, while no daemon runs. */
import { offline } from './offline.ts'

export const verify = (id: string | undefined): Promise<never> =>
  offline(async (personas) => {
    let well = true
    for (const name of id === undefined ? personas.all().map(({ self }) => self.id) : [id]) {
      const { events, intact, firstBad } = await personas.verify(name)
      well &&= intact
      process.stdout.write(
        `${name}  ${intact ? `whole, ${events} facts` : `damaged from fact ${firstBad} on`}\n`,
      )
    }
    return well
  })
