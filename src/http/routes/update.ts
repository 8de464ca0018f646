/** POST /api/persona/{persona_id}/update */
import { z } from 'zod'
import { type Organ, Slot, Status } from '../../../journal/events.ts'
import type { Self } from '../../../projections/self.ts'
import { wrapperOf } from '../../../projections/view.ts'
import type { OrganAsk } from '../../models/models.ts'
import type { UpdatePersona } from '../../persona/commands.ts'
import type { Executed } from '../../persona/personas.ts'
import { known } from '../known.ts'
import { addressOf, askOf, keyFor, type OrganWish, readOrgan, wrappedMind } from '../organs.ts'
import { HttpRefused } from '../refused.ts'
import { type Deps, route } from '../route.ts'

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
    'provider_unknown',
    'not_offered',
    'model_failed',
    'updated_not_settled',
  ],
  handle:
    (deps) =>
    async ({ params: { persona_id: id }, body }) => {
      const { agents, personas } = deps
      const { self } = known(personas, id)
      const clear = Slot.options.filter((slot) => slot !== 'thinking' && body[`clear_${slot}`] === true)
      const wish = readMind(body, clear)
      const command = (organs: UpdatePersona['organs']) => updatePersona(body, clear, organs)
      await personas.would(id, command(wish ? { thinking: { ...withoutKey(wish), key: null } } : {}))

      const { persona, entries } = wish
        ? await replaceMind(deps, self, wish, (thinking) => personas.execute(id, command({ thinking }), 'person'))
        : await personas.execute(id, command({}), 'person')
      const { running, failed } = await agents.settled(id)
      // Where nothing was written, what failed is what was asked before.
      if (failed !== null && entries.length > 0) throw new HttpRefused({ code: 'updated_not_settled', reason: failed })
      return { status: persona.self.status, running }
    },
})

/** Every organ is read, so that what is wrong with one is said; in this version only the Mind can be replaced. */
const readMind = (body: z.infer<typeof UpdateBody>, clear: readonly Slot[]): OrganWish | undefined => {
  const wishes = Slot.options.flatMap((slot) => {
    const value = body[slot]
    // A clear flag wins over an organ for the same slot.
    return value === undefined || value === null || clear.includes(slot) ? [] : [readOrgan(slot, value)]
  })
  return wishes[0]
}

/** What was not sent is not in the command; what was sent, of whatever type, the rules speak of. */
const updatePersona = (body: z.infer<typeof UpdateBody>, clear: readonly Slot[], organs: UpdatePersona['organs']): UpdatePersona => ({
  type: 'UpdatePersona',
  ...('status' in body ? { status: body.status } : {}),
  ...('name' in body ? { name: body.name } : {}),
  ...('idle_timeout' in body ? { idleTimeout: body.idle_timeout } : {}),
  organs,
  clear,
})

/** Prepared, its key kept, its wrapper made last; where saving fails, the runtime knows the old Mind again. */
const replaceMind = async (deps: Deps, self: Self, wish: OrganWish, save: (mind: Organ) => Promise<Executed>): Promise<Executed> => {
  const { bus, config, models, personas } = deps
  const key = keyFor(wish, self.organs.thinking, config.urls)
  const kept = 'ref' in key ? key.ref : null
  const clear = 'clear' in key ? key.clear : kept === null ? null : await personas.secret(self.id, kept)
  const ask: OrganAsk = { ...withoutKey(wish), apiKey: clear }
  await models.prepare(ask, (progress) => bus.sign({ type: 'progress', ...progress }))

  const ref = 'clear' in key && key.clear !== null ? await personas.keepSecret(self.id, key.clear) : kept
  const mind: Organ = { ...withoutKey(wish), key: ref }
  const undo = await wrap(deps, self, ask)
  const executed = await save(mind).catch(async (error: unknown) => {
    await undo()
    throw error
  })
  await leaveOld(deps, self, mind)
  return executed
}

const withoutKey = ({ model, provider, url }: OrganWish) => ({ model, provider, url })

/** Registers the new Mind under her wrapper's name; the result puts back what was there, as well as it can. */
const wrap = async ({ models, personas }: Deps, self: Self, ask: OrganAsk): Promise<() => Promise<void>> => {
  const wrapper = wrapperOf(self.id, ask)
  if (wrapper === null) return async () => {}
  await models.wrap(ask, wrapper)
  return async () => {
    const old = wrappedMind(self)
    const back = old ? models.wrap(await askOf(personas, self.id, old.mind), wrapper) : models.unwrap(ask, wrapper)
    await back.catch(() => {})
  }
}

/** The wrapper of a Mind that moved away is not needed where it was. That runtime may be gone for good, so nobody waits on it. */
const leaveOld = async ({ config, log, models, personas }: Deps, self: Self, mind: Organ): Promise<void> => {
  const old = wrappedMind(self)
  if (!old) return
  if (wrapperOf(self.id, mind) !== null && addressOf(old.mind, config.urls) === addressOf(mind, config.urls)) return
  const ask = await askOf(personas, self.id, old.mind)
  models.unwrap(ask, old.wrapper).catch((error: unknown) => {
    log.warn({ id: self.id, err: error }, 'the wrapper of her former Mind could not be unregistered')
  })
}
