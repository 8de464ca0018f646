/** POST /api/persona/{persona_id}/update */
import * as z from 'zod'
import { type Organ, type PersonaId, Slot, Status } from '../../../journal/events.ts'
import type { Self } from '../../../projections/self.ts'
import { wrapperOf } from '../../../projections/view.ts'
import type { OrganAsk } from '../../models/models.ts'
import type { UpdatePersona } from '../../persona/commands.ts'
import type { Executed } from '../../persona/personas.ts'
import { stillThere, whileThere } from '../caller.ts'
import { known } from '../known.ts'
import {
  addressOf,
  askOf,
  keyless,
  keylessOf,
  prepareOrgans,
  readOrgan,
  type Wanted,
  type Wishes,
  wantedOf,
  withKeys,
  wrappedMind,
} from '../organs.ts'
import { HttpRefused } from '../refused.ts'
import { type RouteDeps, route } from '../route.ts'

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
          const executed = wanted.length > 0 ? await replaceOrgans(deps, self, wanted, gone, save) : await save({})
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

/** Her Mind registered, keys kept, saved; where saving fails, the runtime knows the old Mind again and the keys are nowhere. */
const replaceOrgans = async (
  deps: RouteDeps,
  self: Self,
  wanted: readonly Wanted[],
  gone: AbortSignal,
  save: (organs: UpdatePersona['organs']) => Promise<Executed>,
): Promise<Executed> => {
  const mind = wanted.find(({ slot }) => slot === 'thinking')?.ask
  // Before it is saved: the key of an address that is left goes with the saving.
  const old = mind && (await registration(deps, self))
  stillThere(gone)
  const undo = mind && (await wrap(deps, self, mind, old))
  try {
    const executed = await withKeys(deps, self.id, wanted, async (organs) => {
      stillThere(gone)
      return save(organs)
    })
    if (mind && old && moved(deps, self.id, old.mind, keyless(mind))) void leave(deps, self.id, old)
    return executed
  } catch (error) {
    await undo?.()
    throw error
  }
}

/** A Mind at its runtime, as it is called there and under which name. */
interface Registration {
  readonly mind: Organ
  readonly ask: OrganAsk
  readonly wrapper: string
}

const registration = async ({ personas }: RouteDeps, self: Self): Promise<Registration | undefined> => {
  const registered = wrappedMind(self)
  return registered && { ...registered, ask: await askOf(personas, self.id, registered.mind) }
}

const moved = ({ config }: RouteDeps, id: PersonaId, from: Organ, to: Organ): boolean =>
  wrapperOf(id, to) === null || addressOf(from, config.urls) !== addressOf(to, config.urls)

/** Registers the new Mind under her wrapper's name; the result puts back what was there, as well as it can. */
const wrap = async (deps: RouteDeps, self: Self, ask: OrganAsk, old: Registration | undefined): Promise<() => Promise<void>> => {
  const { models } = deps
  const wrapper = wrapperOf(self.id, ask)
  if (wrapper === null) return async () => {}
  await models.wrap(ask, wrapper)
  return async () => {
    if (!old || moved(deps, self.id, old.mind, keyless(ask))) await models.unwrap(ask, wrapper).catch(() => {})
    // Also where she only seemed to move: two addresses may be names of one runtime.
    if (old) await models.wrap(old.ask, old.wrapper).catch(() => {})
  }
}

/** The wrapper of a Mind that moved away is not needed where it was. That runtime may be gone for good, so nobody waits on it. Never rejects. */
const leave = async (deps: RouteDeps, id: PersonaId, old: Registration): Promise<void> => {
  const { agents, inTurn, log, models } = deps
  try {
    // A restart knocks at her new Mind first.
    await agents.settled(id)
    await models.unwrap(old.ask, old.wrapper)
  } catch (err) {
    log.warn({ id, err }, 'the wrapper of her former Mind could not be unregistered')
  }
  await inTurn(id, () => keepRegistered(deps, id)).catch((err: unknown) => {
    log.warn({ id, err }, 'her Mind could not be registered again')
  })
}

/** The address that was left may be another name of the one she is at now, or she has come back to it meanwhile. */
const keepRegistered = async (deps: RouteDeps, id: PersonaId): Promise<void> => {
  const { models, personas } = deps
  const listed = personas.listed(id)
  const now = listed && (await registration(deps, listed.self))
  if (!now) return
  try {
    await models.knock(now.ask, now.wrapper)
  } catch {
    await models.wrap(now.ask, now.wrapper)
  }
}
