/**
 * Requests of clients, made as the routes make them, and their outcomes. Afterwards the facts are compared
 * with them.
 */

import type { Channel, InitiativeLevel, PersonaId } from '../../facts/fact-values.ts'
import type { PersonaEvent } from '../../facts/facts.ts'
import { Damaged, Unavailable } from '../../journal/log/errors.ts'
import { ModelError } from '../../packages/models/models.ts'
import { requireRunning } from '../../src/commands/lifecycle.ts'
import type { ExecuteResult } from '../../src/persona/persona-store.ts'
import { JournalUnavailable, Refused } from '../../src/persona/refusals.ts'
import type { UpdatePersona } from '../../src/persona/rules/persona.ts'
import { toWebChannel } from '../../src/web-channel.ts'
import { toParts } from '../message-parts.ts'
import { toModelName } from './mind.ts'
import type { World } from './world.ts'

/** `unsure`: the disk failed, or no response came. `late`: stored, but the work that follows failed. */
export type Outcome = 'open' | 'acknowledged' | 'refused' | 'unsure' | 'late'

export interface Ask {
  readonly id: PersonaId
  readonly description: string
  /** The facts of the request: all in one commit, or none of them. */
  readonly facts: readonly Partial<PersonaEvent>[]
  readonly key: string | null
  outcome: Outcome
}

/** The command is committed, but the work that follows failed. */
class NotFollowed extends Error {
  override readonly name = 'NotFollowed'
}

export type Act = (world: World) => Promise<ExecuteResult | undefined>

export interface AskDraft extends Pick<Ask, 'id' | 'description' | 'facts'> {
  readonly key?: string | null
  readonly act: Act
}

/** Starts a request and records its outcome. */
export const startAsk = (askFields: AskDraft, world: World, wrong: (problem: string) => void): Ask => {
  const { id, description, facts, key = null } = askFields
  const ask: Ask = { id, description, facts, key, outcome: 'open' }
  askFields.act(world).then(
    (executed) => {
      ask.outcome = 'acknowledged'
      const commit = executed?.entries[0]?.commit
      if (commit !== undefined && !world.watch.hasCommit(commit))
        wrong(`${description} was acknowledged before it was published`)
    },
    (error: unknown) => {
      ask.outcome = toOutcome(error)
      if (ask.outcome === 'open')
        wrong(`${description} failed: ${error instanceof Error ? error.stack : String(error)}`)
    },
  )
  return ask
}

const toOutcome = (error: unknown): Outcome => {
  if (error instanceof NotFollowed) return 'late'
  if (error instanceof Refused || error instanceof ModelError) return 'refused'
  if (error instanceof JournalUnavailable || error instanceof Unavailable || error instanceof Damaged)
    return 'unsure'
  if (error instanceof Error && (error.name === 'InDoubt' || error.message === 'the service is closing'))
    return 'unsure'
  return 'open'
}

const getListed = ({ personas }: Pick<World, 'personas'>, id: PersonaId) => {
  const row = personas.getRow(id)
  if (!row) throw new Refused({ code: 'persona_unknown' })
  return row
}

const waitForEffect = async ({ agents }: World, id: PersonaId) => {
  const { failed } = await agents.waitUntilSettled(id)
  if (failed !== null) throw new NotFollowed(failed)
}

const organ = (id: PersonaId, version: number) => ({
  model: toModelName(id, version),
  provider: null,
  url: null,
  key: null,
})

export const create = (id: PersonaId): AskDraft => ({
  id,
  description: `create ${id}`,
  facts: [{ type: 'PersonaCreated', id }, { type: 'OrganReplaced' }, { type: 'StartAsked' }],
  act: async (world) => {
    const born = { name: id, birthday: '2026-01-01', recipient: 'age1', organs: { thinking: organ(id, 1) } }
    const executed = await world.personas.create({ type: 'CreatePersona', id, ...born })
    await waitForEffect(world, id)
    return executed
  },
})

export const hear = (
  id: PersonaId,
  content: string,
  key: string | null,
  channel: Channel = toWebChannel(id),
): AskDraft => ({
  id,
  description: `hear ${id} ${content}${key === null ? '' : ` key ${key}`}${channel.type === 'web' ? '' : ` by ${channel.type}`}`,
  facts: [{ type: 'MessageHeard', parts: toParts(content) }],
  key,
  act: async ({ agents, personas }) => {
    if (channel.type === 'web') await requireRunning(agents, id)
    return personas.execute(id, { type: 'Hear', channel, content, media: null, key }, 'person')
  },
})

/** Asks for a greeting in an empty conversation; may be refused. */
export const greet = (id: PersonaId): AskDraft => ({
  id,
  description: `greet ${id}`,
  facts: [],
  act: async ({ agents, personas }) => {
    await requireRunning(agents, id)
    return personas.execute(id, { type: 'Greet' }, 'person')
  },
})

/** Chooses how often the persona writes by itself. */
export const allow = (id: PersonaId, level: InitiativeLevel): AskDraft => ({
  id,
  description: `allow ${id} ${level}`,
  facts: [],
  act: ({ personas }) =>
    personas.execute(
      id,
      { type: 'ChooseInitiative', level, quietFrom: '04:00', quietUntil: '05:00' },
      'person',
    ),
})

export const update = (
  id: PersonaId,
  name: string,
  seconds: number,
  change: Partial<UpdatePersona>,
  version: number | null,
): AskDraft => {
  const organs = version === null ? {} : { thinking: organ(id, version) }
  return {
    id,
    description: `update ${id} ${name} ${JSON.stringify({ ...change, version })}`,
    facts: [
      { type: 'Renamed', name },
      { type: 'IdleTimeoutSet', seconds },
      ...(version === null ? [] : [{ type: 'OrganReplaced' as const }]),
      ...(typeof change.status === 'string' ? [{ type: 'StatusSet' as const }] : []),
    ],
    act: (world) =>
      world.inTurn(id, async () => {
        getListed(world, id)
        const command = {
          type: 'UpdatePersona',
          name,
          idleTimeout: seconds,
          organs,
          clear: [],
          ...change,
        } as const
        await world.personas.would(id, command)
        const executed = await world.personas.execute(id, command, 'person')
        await waitForEffect(world, id)
        return executed
      }),
  }
}

export const start = (id: PersonaId, type: 'AskStart' | 'AskRestart'): AskDraft => ({
  id,
  description: `${type} ${id}`,
  facts: [],
  act: (world) =>
    world.inTurn(id, async () => {
      getListed(world, id)
      if (type === 'AskStart' && world.agents.isRunning(id)) return undefined
      await world.agents.probeMind(id)
      const executed = await world.personas.execute(id, { type }, 'person')
      await waitForEffect(world, id)
      return executed
    }),
})

export const stop = (id: PersonaId): AskDraft => ({
  id,
  description: `stop ${id}`,
  facts: [],
  act: (world) =>
    world.inTurn(id, async () => {
      const { agents, personas } = world
      if (!agents.isRunning(id)) await agents.waitUntilSettled(id)
      const isRunning = agents.isRunning(id)
      const row = personas.getRow(id)
      if (isRunning || (row?.self.wanted === true && row.trouble === null))
        await personas.execute(id, { type: 'AskStop' }, 'person')
      await agents.waitUntilSettled(id)
      if (!isRunning) throw new Refused({ code: 'not_running' })
      return undefined
    }),
})

export const hush = (id: PersonaId): AskDraft => ({
  id,
  description: `hush ${id}`,
  facts: [],
  act: async (world) => {
    getListed(world, id)
    return world.personas.execute(id, { type: 'Hush', said: world.agents.getSaying(id) }, 'person')
  },
})

/** Like the route: if the night is interrupted, the request is refused. */
export const sleep = (id: PersonaId): AskDraft => ({
  id,
  description: `sleep ${id}`,
  facts: [],
  act: async ({ agents }) => {
    await agents.sleep(id).catch((error: unknown) => {
      if (error instanceof Refused) throw error
      throw new Refused({ code: 'sleep_failed' })
    })
    return undefined
  },
})

/** A late write of an agent from an earlier life. */
export const speakFromEarlierLife = (id: PersonaId): AskDraft => ({
  id,
  description: `an earlier life of ${id} speaks`,
  facts: [],
  act: async ({ personas, watch }) => {
    getListed({ personas }, id)
    const latest = watch.latest(id)
    const life = (latest?.life.life ?? 1) - 1
    const turn = latest?.talk.turn?.id
    const end = {
      type: 'EndTurn',
      outcome: 'answered',
      reason: null,
      reminders: null,
      notice: 'late',
      failed: null,
    } as const
    return personas.execute(
      id,
      turn === undefined ? { type: 'EndLife', life } : { ...end, life, turn },
      'agent',
    )
  },
})

export const remove = (id: PersonaId): AskDraft => ({
  id,
  description: `delete ${id}`,
  facts: [{ type: 'PersonaDeleted', purge: false }],
  act: (world) =>
    world.inTurn(id, async () => {
      const { agents, personas } = world
      getListed(world, id)
      const isRunning = agents.isRunning(id)
      if (isRunning) await personas.execute(id, { type: 'AskStop' }, 'person')
      await agents.waitUntilSettled(id)
      try {
        await personas.execute(id, { type: 'DeletePersona', purge: false }, 'person')
      } catch (error) {
        if (isRunning) await personas.execute(id, { type: 'AskStart' }, 'person').catch(() => undefined)
        throw error
      }
      await agents.waitUntilSettled(id)
      await personas.remove(id, false)
      return undefined
    }),
})
