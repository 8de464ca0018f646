/**
 * Lets two models answer past turns again, side by side. Nothing of it is kept but the usage: no message, no
 * memory, no key, and no tool runs.
 */
import { hash } from 'node:crypto'
import pLimit from 'p-limit'
import type { Organ, PersonaId, Seq, Used } from '../../facts/fact-values.ts'
import { unlessAborted } from '../../packages/kit/flow/abort-signals.ts'
import { ModelError, type OrganAsk } from '../../packages/models/models.ts'
import type { Prices } from '../../packages/models/prices.ts'
import type { ProfileSetting } from '../../packages/models/prompt-profile.ts'
import { getWrapper } from '../../projections/view.ts'
import { type AuditionAnswer, type AuditionDeps, answerAgain } from '../agents/audition-answer.ts'
import {
  type AuditionTurn,
  listAuditionTurns,
  maxAuditionTurns,
  pickAuditionTurns,
  readAuditionTurn,
  type Side,
} from '../agents/audition-turns.ts'
import { filesIn } from '../agents/create-agent-deps.ts'
import { reach } from '../agents/organ-reach.ts'
import { overCeiling } from '../agents/spending-limit.ts'
import { Unanswered } from '../mind/model-retries.ts'
import { createOrgans, type Organs } from '../mind/organ-calls.ts'
import { toolsWith } from '../mind/tools/tool-table.ts'
import { Refused } from '../persona/refusals.ts'
import type { CommandDeps } from './command-deps.ts'
import { requireListed } from './lifecycle.ts'
import { readOrgan, selectOrgans, toKeylessOrgan } from './organ-request.ts'

type Deps = Pick<
  CommandDeps,
  | 'agents'
  | 'clock'
  | 'log'
  | 'mailboxes'
  | 'models'
  | 'pageReader'
  | 'personas'
  | 'serverTools'
  | 'subscribedCalendars'
  | 'webSearch'
> & {
  readonly prices: Pick<Prices, 'getPrice'>
  readonly config: CommandDeps['config'] & {
    readonly dailyTokens: number | null
    readonly profile?: ProfileSetting
  }
}

export type AuditionMind = Pick<Organ, 'provider' | 'model'>

/** `answer` is null if the model failed. */
export interface AuditionResult {
  readonly turn: Seq
  readonly side: Side
  readonly answer: AuditionAnswer | null
  /** Why it failed. */
  readonly reason: string | null
  readonly used: readonly Used[]
}

export interface Audition {
  readonly minds: Readonly<Record<Side, AuditionMind>>
  readonly turns: readonly AuditionTurn[]
  /** Calls `onResult` for each answer as it arrives. Rejects with the signal's reason. */
  readonly run: (onResult: (result: AuditionResult) => void) => Promise<void>
}

/** Answers at the same time of one model elsewhere. A model on this machine gives one after the other. */
const maxParallel = 3
/** In ms, for one answer. A model on this machine may have to be loaded first. */
const maxAnswerMs = 300_000

/** The last turns, oldest first, and the picked ones. Throws Refused: persona_unknown. */
export const listTurns = async ({ personas }: Pick<Deps, 'personas'>, id: PersonaId, count: number) => {
  requireListed(personas, id)
  const turns = await personas.read(id, listAuditionTurns)
  return { turns, picked: pickAuditionTurns(turns, count).map(({ turn }) => turn) }
}

/**
 * `candidate` and `against`: as in an update; without `against`, the Mind. `turns` null: picked. Throws
 * Refused: persona_unknown, spent, turn_unfit, audition_empty, and as `readOrgan` and `selectOrgans`.
 */
export const openAudition = async (
  deps: Deps,
  id: PersonaId,
  request: { readonly candidate: unknown; readonly against: unknown; readonly turns: readonly Seq[] | null },
  disconnectSignal: AbortSignal,
): Promise<Audition> => {
  const { personas } = deps
  requireListed(personas, id)
  const asks = {
    current: request.against == null ? null : await selectMind(deps, id, request.against),
    candidate: await selectMind(deps, id, request.candidate),
  }
  await checkLimit(deps, id)
  const turns = await personas.read(id, (reading) => chooseTurns(reading, request.turns))
  if (turns.length === 0) throw new Refused({ code: 'audition_empty' })
  const current = await createSide(deps, id, asks.current, disconnectSignal)
  const candidate = await createSide(deps, id, asks.candidate, disconnectSignal)
  return {
    minds: { current: current.mind, candidate: candidate.mind },
    turns,
    run: async (onResult) => {
      const answerAll = (side: Side, { organs, isLocal }: AuditionSide) => {
        const inTurn = pLimit(isLocal ? 1 : maxParallel)
        return inTurn.map(turns, async (turn) => {
          disconnectSignal.throwIfAborted()
          const result = await answerTurn(turn, organs, disconnectSignal, deps, id)
          disconnectSignal.throwIfAborted()
          onResult({ turn: turn.turn, side, ...result })
        })
      }
      // Two models of this machine would drive each other out of its memory.
      if (current.isLocal && candidate.isLocal) {
        await answerAll('current', current)
        await answerAll('candidate', candidate)
      } else await Promise.all([answerAll('current', current), answerAll('candidate', candidate)])
    },
  }
}

/** Throws Refused: spent. */
const checkLimit = async ({ clock, config, personas }: Deps, id: PersonaId): Promise<void> => {
  const limitMessage = await personas.read(id, ({ journal }) =>
    overCeiling({ journal, zone: clock.zone, now: clock.now(), ceiling: config.dailyTokens }),
  )
  if (limitMessage !== null) throw new Refused({ code: 'spent', reason: limitMessage })
}

const selectMind = async ({ config, personas }: Deps, id: PersonaId, organ: unknown): Promise<OrganAsk> => {
  const { self } = requireListed(personas, id)
  const wish = readOrgan('thinking', organ)
  const [requestedOrgan] = await selectOrgans(personas, self, { thinking: wish }, config.urls)
  if (!requestedOrgan) throw new Refused({ code: 'organ_invalid', slot: 'thinking' })
  return requestedOrgan.ask
}

const chooseTurns = async (
  reading: Parameters<typeof readAuditionTurn>[0],
  turnIds: readonly Seq[] | null,
): Promise<readonly AuditionTurn[]> => {
  if (turnIds === null) return pickAuditionTurns(await listAuditionTurns(reading), maxAuditionTurns)
  const turns: AuditionTurn[] = []
  for (const turn of [...new Set(turnIds)].sort((a, b) => a - b)) {
    const read = await readAuditionTurn(reading, turn)
    if (!read) throw new Refused({ code: 'turn_unfit', turn: String(turn) })
    turns.push(read.found)
  }
  return turns
}

interface AuditionSide {
  readonly mind: AuditionMind
  readonly organs: (signal: AbortSignal) => Organs
  readonly isLocal: boolean
}

/** `ask` null: the Mind of the persona. Its key stays in memory only. */
const createSide = async (
  deps: Deps,
  id: PersonaId,
  ask: OrganAsk | null,
  disconnectSignal: AbortSignal,
): Promise<AuditionSide> => {
  const { clock, config, models, personas, prices } = deps
  const { self } = requireListed(personas, id)
  const thinking = ask ? toKeylessOrgan(ask) : self.organs.thinking
  if (!thinking) throw new Refused({ code: 'model_missing', remote: false })
  const profiles = new Map()
  const organs = (signal: AbortSignal) =>
    createOrgans({
      organs: { ...self.organs, thinking },
      models,
      prices,
      clock,
      random: Math.random,
      signal,
      profileSetting: config.profile ?? 'auto',
      profiles,
      reach: async (slot, organ) =>
        slot === 'thinking' && ask
          ? {
              ask: { ...ask, cacheKey: toCacheKey(id) },
              wrapper: getUsedWrapper(id, self.organs.thinking, thinking),
            }
          : reach(personas, id, slot, organ),
      keepRecipe: async () => null,
    })
  const { provider, model } = thinking
  const isLocal = await organs(disconnectSignal).isOnThisMachine('thinking')
  return { mind: { provider, model }, organs, isLocal }
}

/** The turns of one audition have prompts with the same beginning. */
const toCacheKey = (id: PersonaId): string => hash('sha256', `audition ${id}`).slice(0, 32)

/** Only the Mind itself has a model name of its own at its runtime. */
const getUsedWrapper = (id: PersonaId, mind: Organ | undefined, organ: Organ): string | null =>
  mind && mind.provider === organ.provider && mind.model === organ.model && mind.url === organ.url
    ? getWrapper(id, mind)
    : null

/** A failure of the model is a result. Rejects only with the signal's reason. */
const answerTurn = async (
  turn: AuditionTurn,
  createSideOrgans: AuditionSide['organs'],
  disconnectSignal: AbortSignal,
  deps: Deps,
  id: PersonaId,
): Promise<Pick<AuditionResult, 'answer' | 'reason' | 'used'>> => {
  const { agents, clock, log, pageReader, personas, serverTools, subscribedCalendars, webSearch } = deps
  const { mailboxes } = deps
  const usedCalls: Used[] = []
  const limit = AbortSignal.timeout(maxAnswerMs)
  const signal = AbortSignal.any([disconnectSignal, limit])
  const auditionDeps: AuditionDeps = {
    read: (work) => personas.read(id, work),
    clock,
    random: Math.random,
    signal,
    checkLimit: () => checkLimit(deps, id),
    // Recorded at once, so that the limit of the day counts it before the next call.
    onUsed: async (usedCall) => {
      usedCalls.push(usedCall)
      await recordUsage(deps, id, usedCall)
    },
    files: filesIn(personas, id),
    tools: toolsWith(
      pageReader,
      webSearch && { webSearch, readKey: personas.secret },
      subscribedCalendars,
      mailboxes,
    ),
    // A stopped persona starts no tool servers.
    getOutsideTools: async (persona) => (agents.isRunning(id) ? serverTools.of(persona) : []),
  }
  const fail = (reason: string) => ({ answer: null, reason, used: usedCalls })
  try {
    const answer = await unlessAborted(answerAgain(turn, createSideOrgans(signal), auditionDeps), signal)
    return { answer, reason: null, used: usedCalls }
  } catch (error) {
    disconnectSignal.throwIfAborted()
    if (limit.aborted) return fail(`There was no answer within ${maxAnswerMs / 60_000} minutes.`)
    if (error instanceof Unanswered || error instanceof ModelError) return fail(error.message)
    if (error instanceof Refused && error.refusal.code === 'spent') return fail(error.refusal.reason)
    log.warn({ id, turn: turn.turn, err: error }, 'an answer of an audition failed')
    return fail('This turn could not be answered again.')
  }
}

const recordUsage = async ({ log, personas }: Deps, id: PersonaId, usedCall: Used): Promise<void> => {
  try {
    await personas.execute(id, { type: 'RecordAudition', calls: [{ used: usedCall }] }, 'person')
  } catch (err) {
    log.warn({ id, err }, 'failed to record the cost of an audition')
  }
}
