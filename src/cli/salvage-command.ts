/** `daimon salvage <id>`: goes on with what of a damaged journal verifies, while no daemon runs. */
import { offline } from './offline.ts'

export const salvage = (id: string): Promise<never> =>
  offline(async (personas) => {
    const { loss, copy } = await personas.salvage(id)
    const lost = loss.first === null ? 'none lost' : `${loss.lost} lost, the first of them ${loss.first}`
    process.stdout.write(`${id}  ${loss.kept} facts kept, ${lost}\nher journal as it was: ${copy}\n`)
    return true
  })
