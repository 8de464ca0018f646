/** POST /api/persona/{persona_id}/update */
import * as z from 'zod'
import { Slot, Status } from '../../../journal/facts/fact-values.ts'
import type { UpdatePersona } from '../../persona/commands.ts'
import type { UpdatePersona } from '../../persona/rules/self.ts'
import { known } from '../known.ts'
import { saveOrgans } from '../registration.ts'
import { route } from '../route.ts'
import { keylessOf, prepareOrgans, readOrgan, type Wishes, wantedOf } from '../schema/organ-bodies.ts'
import { HttpRefused } from '../schema/refused.ts'
import { whileThere } from '../server/caller.ts'

const UpdateBody = z.record(z.string(), z.unknown()).meta({ id: 'PersonaUpdateRequest' })

export const update = route({
  method: 'post',
  path: '/api/persona/{persona_id}/update',
  summary: 'Change her status, name or organs; a running agent follows',
  body: UpdateBody,
  reply: z.object({ status: Status, running: z.boolean() }).meta({ id: 'PersonaUpdated' }),
  refuses: [
    'persona_unknown',
    'status_invalid',
    'organ_invalid',
    'model_missing',
    'address_secret',
    'provider_unknown',
    'model_failed',
    'cut_short',
    'updated_not_settled',
  ],
  handle:
    (deps) =>
    async ({ params: { persona_id: id }, body, response }) => {
      const { agents, closing, config, inTurn, personas } = deps
      const { self } = known(personas, id)
      const clear = Slot.options.filter((slot) => slot !== 'thinking' && body[`clear_${slot}`] === true)
      const wishes = readOrgans(body, clear)
      const command = (organs: UpdatePersona['organs']) => updatePersona(body, clear, organs)
      const judge = () => personas.would(id, command(keylessOf(wishes)))
      const save = (organs: UpdatePersona['organs']) => personas.execute(id, command(organs), 'person')
      await judge()

      const { persona, entries, running, failed } = await whileThere(response, closing, async (gone) => {
        const wanted = await wantedOf(personas, self, wishes, config.urls)
        if (wanted.length > 0) await prepareOrgans(deps, wanted, gone)
        return inTurn(id, async () => {
          // While they were prepared, she may have changed or gone.
          const { self } = known(personas, id)
          await judge()
          const wanted = await wantedOf(personas, self, wishes, config.urls)
          const executed = wanted.length > 0 ? await saveOrgans(deps, self, wanted, gone, save) : await save({})
          return { ...executed, ...(await agents.settled(id)) }
        })
      })
      // Where nothing was written, what failed is what was asked before.
      if (failed !== null && entries.length > 0) throw new HttpRefused({ code: 'updated_not_settled', reason: failed })
      // A Mind that answers again makes her well in waking.
      return { status: (personas.listed(id)?.self ?? persona.self).status, running }
    },
})

/** A null organ is an omitted one. */
const readOrgans = (body: z.infer<typeof UpdateBody>, clear: readonly Slot[]): Wishes =>
  Object.fromEntries(
    Slot.options.flatMap((slot) => {
      const value = body[slot]
      // A clear flag wins over an organ for the same slot, however broken that is.
      return value === undefined || value === null || clear.includes(slot) ? [] : [[slot, readOrgan(slot, value)] as const]
    }),
  )

/** What was not sent is not in the command; what was sent, of whatever type, the rules speak of. */
const updatePersona = (body: z.infer<typeof UpdateBody>, clear: readonly Slot[], organs: UpdatePersona['organs']): UpdatePersona => ({
  type: 'UpdatePersona',
  ...('status' in body ? { status: body.status } : {}),
  ...('name' in body ? { name: body.name } : {}),
  ...('idle_timeout' in body ? { idleTimeout: body.idle_timeout } : {}),
  organs,
  clear,
})
