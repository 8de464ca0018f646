/** Creates, updates and deletes personas. */
import { type PersonaId, Slot, type Status } from '../../facts/fact-values.ts'
import { type Clock, isoIn } from '../../packages/kit/time/clock.ts'
import type { InitiativeChoice } from '../../projections/initiative.ts'
import type { PersonaRecord } from '../../projections/persona-record.ts'
import type { Self } from '../../projections/self.ts'
import type { RecoveryPhrase } from '../persona/phrase.ts'
import { Refused } from '../persona/refusals.ts'
import { decide } from '../persona/rules/decide.ts'
import type { DeclaredOrgans, NewCharacter, UpdatePersona } from '../persona/rules/persona.ts'
import { readZone } from './calendar.ts'
import { checkTokens, endingSessions, type Tokens, withTokens } from './channels.ts'
import type { CommandDeps } from './command-deps.ts'
import { requireListed } from './lifecycle.ts'
import {
  declaredWishes,
  type OrganFields,
  organRequestFor,
  organsWithNewKeys,
  readOrgan,
  recordFor,
  removeKeys,
  selectOrgans,
  type Wishes,
} from './organ-request.ts'
import { prepareOrgans, saveOrgans, wrappedMind } from './organs.ts'

export interface NewPersona {
  readonly name: string
  readonly organs: Readonly<Record<Slot, OrganFields>>
  readonly tokens: Tokens
  readonly character?: NewCharacter | undefined
  /** `zone`: null for that of the daemon. */
  readonly initiative?: Pick<InitiativeChoice, 'level' | 'zone'> | undefined
}

/**
 * Throws Refused (as `declaredWishes`, too_long, zone_unknown, channel_invalid, cut_short,
 * created_not_started) or ModelError.
 */
export const createPersona = async (
  deps: CommandDeps,
  { name, organs, tokens, character, initiative }: NewPersona,
  disconnectSignal: AbortSignal,
): Promise<{ readonly persona: PersonaRecord } & RecoveryPhrase> => {
  const { agents, config, diaries, log, newId, personas } = deps
  const wishes = declaredWishes(organs)
  const id = newId()
  const zoneName = initiative?.zone ? await readZone(initiative.zone, deps.clock) : null
  const command = {
    type: 'CreatePersona',
    id,
    name,
    birthday: today(deps.clock),
    ...(character && { character }),
    ...(initiative && { initiative: { ...initiative, zone: zoneName } }),
  } as const
  const dryRun = decide(undefined, { ...command, recipient: '', organs: removeKeys(wishes) })
  if ('refused' in dryRun) throw new Refused(dryRun.refused)

  const requestedOrgans = organsWithNewKeys(wishes, config.urls)
  const bots = await checkTokens(deps, tokens, disconnectSignal)
  await prepareOrgans(deps, requestedOrgans, disconnectSignal)
  const { phrase, recipient } = await deps.newPhrase()
  // saveOrgans checks that the client is still connected: otherwise no one would get the phrase.
  const { persona } = await saveOrgans(
    deps,
    { id, organs: {} },
    requestedOrgans,
    disconnectSignal,
    (organs) =>
      withTokens(deps, id, bots, (channels) => personas.create({ ...command, recipient, organs, channels })),
  )
  const { failed } = await agents.waitUntilSettled(id)
  if (failed !== null) throw new Refused({ code: 'created_not_started', reason: failed })
  // If this fails, the next sleep writes the diary.
  await diaries.write(id).catch((err: unknown) => log.warn({ id, err }, 'failed to write the first diary'))
  return { persona: await recordFor(personas, persona.self, config.urls), phrase, recipient }
}

/** Local date, YYYY-MM-DD. */
const today = (clock: Clock): string => isoIn(clock.zone, clock.now()).slice(0, 10)

/** Values may have any type. A null organ counts as missing. */
export interface Update extends Omit<UpdatePersona, 'type' | 'organs'> {
  readonly organs: Readonly<Partial<Record<Slot, unknown>>>
}

/**
 * Throws Refused (persona_unknown, as `readOrgan`, as the rules, cut_short, updated_not_settled) or
 * ModelError.
 */
export const updatePersona = async (
  deps: CommandDeps,
  id: PersonaId,
  update: Update,
  disconnectSignal: AbortSignal,
): Promise<{ readonly status: Status; readonly running: boolean }> => {
  const { agents, config, inTurn, personas } = deps
  const { self } = requireListed(personas, id)
  const wishes = readOrgans(update)
  const command = (organs: DeclaredOrgans): UpdatePersona => ({ ...update, type: 'UpdatePersona', organs })
  const dryRun = () => personas.would(id, command(removeKeys(wishes)))
  const save = (organs: DeclaredOrgans) => personas.execute(id, command(organs), 'person')
  await dryRun()

  const selectedOrgans = await selectOrgans(personas, self, wishes, config.urls)
  if (selectedOrgans.length > 0) await prepareOrgans(deps, selectedOrgans, disconnectSignal)
  const { persona, entries, running, failed } = await inTurn(id, async () => {
    // The persona may have changed meanwhile.
    const { self } = requireListed(personas, id)
    await dryRun()
    const requestedOrgans = await selectOrgans(personas, self, wishes, config.urls)
    const result =
      requestedOrgans.length > 0
        ? await saveOrgans(deps, self, requestedOrgans, disconnectSignal, save)
        : await save({})
    return { ...result, ...(await agents.waitUntilSettled(id)) }
  })
  // Without new facts, the failure belongs to an earlier command.
  if (failed !== null && entries.length > 0)
    throw new Refused({ code: 'updated_not_settled', reason: failed })
  // Waking may have changed the status.
  return { status: (personas.getRow(id)?.self ?? persona.self).status, running }
}

const readOrgans = ({ organs, clear }: Update): Wishes =>
  Object.fromEntries(
    Slot.options.flatMap((slot) => {
      const value = organs[slot]
      // `clear` wins over an organ for the same slot, even an invalid one.
      return value === undefined || value === null || clear.includes(slot)
        ? []
        : [[slot, readOrgan(slot, value)] as const]
    }),
  )

type Deps = Pick<CommandDeps, 'agents' | 'channels' | 'diaries' | 'inTurn' | 'log' | 'models' | 'personas'>

/**
 * `force`: also if the runtime of a local model is unreachable or the journal is damaged. `purge`: also
 * deletes the diaries; otherwise the last one stays for 30 days. Throws Refused (persona_unknown,
 * damaged_unforced, not_deleted) or ModelError.
 */
export const deletePersona = (
  deps: Deps,
  id: PersonaId,
  { force: isForced, purge }: { readonly force: boolean; readonly purge: boolean },
): Promise<void> =>
  deps.inTurn(id, () => endingSessions(deps, id, () => deleteNow(deps, id, { isForced, purge })))

/** Must run in `inTurn`. */
const deleteNow = async (
  deps: Deps,
  id: PersonaId,
  { isForced, purge }: { readonly isForced: boolean; readonly purge: boolean },
): Promise<void> => {
  const { agents, diaries, personas } = deps
  const { self, trouble } = requireListed(personas, id)
  if (trouble !== null && !isForced) throw new Refused({ code: 'damaged_unforced', trouble })
  // A damaged journal takes no facts, and neither does a stale state. It may be found only by the write.
  const unwritable = () =>
    isForced && (personas.getRow(id)?.trouble != null || personas.peekState(id)?.stale.self !== undefined)
  const writeDeletion = async () => {
    if (unwritable()) return
    await personas.execute(id, { type: 'DeletePersona', purge }, 'person').catch((error: unknown) => {
      if (!unwritable()) throw error
    })
  }
  await agents.rest(
    id,
    async () => {
      if (!purge && trouble === null) await writeLastDiary(deps, id)
      await unregister(deps, self, isForced)
      await writeDeletion().catch(async (error: unknown) => {
        await registerAgain(deps, self)
        throw new Refused({ code: 'not_deleted', error })
      })
    },
    'on failure',
  )
  await agents.waitUntilSettled(id)
  await diaries.cut(id)
  await personas.remove(id, purge)
}

/**
 * For facts that no diary contains yet. Failures are ignored: a full disk may be the reason for the deletion.
 */
const writeLastDiary = async (
  { diaries, log, personas }: Pick<CommandDeps, 'diaries' | 'log' | 'personas'>,
  id: PersonaId,
): Promise<void> => {
  try {
    if (await personas.read(id, async ({ persona }) => persona.days.untold)) await diaries.write(id)
  } catch (err) {
    log.warn({ id, err }, 'failed to write the last diary')
  }
}

const unregister = async (
  { log, models, personas }: Pick<CommandDeps, 'log' | 'models' | 'personas'>,
  self: Self,
  isForced: boolean,
): Promise<void> => {
  const wrappedOrgan = wrappedMind(self)
  if (!wrappedOrgan) return
  try {
    await models.unwrap(await organRequestFor(personas, self.id, wrappedOrgan.mind), wrappedOrgan.wrapper)
  } catch (error) {
    if (!isForced) throw error
    log.warn({ id: self.id, err: error }, 'failed to unregister a local model: its runtime is unreachable')
  }
}

/** Only logs failures: the caller reports why the deletion failed. */
const registerAgain = async (
  { log, models, personas }: Pick<CommandDeps, 'log' | 'models' | 'personas'>,
  self: Self,
): Promise<void> => {
  const wrappedOrgan = wrappedMind(self)
  if (!wrappedOrgan) return
  try {
    await models.wrap(await organRequestFor(personas, self.id, wrappedOrgan.mind), wrappedOrgan.wrapper)
  } catch (err) {
    log.warn({ id: self.id, err }, 'failed to register a local model again')
  }
}
