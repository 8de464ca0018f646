/** Sends the first Mind call of a turn unchanged to another model. Stores nothing. */
import type { Answer, PersonaId, Seq, Usage, Used } from '../../facts/fact-values.ts'
import { entryAt } from '../../journal/log/keys.ts'
import type { Prompt } from '../../packages/models/mind.ts'
import { forAPerson } from '../../packages/models/models.ts'
import type { Prices } from '../../packages/models/prices.ts'
import { openedCalls } from '../agents/call-bodies.ts'
import { think } from '../mind/model-retries.ts'
import { toFullUsage } from '../mind/organ-calls.ts'
import type { Reading } from '../persona/persona-store.ts'
import { Refused } from '../persona/refusals.ts'
import type { CommandDeps } from './command-deps.ts'
import { requireListed, throwIfDisconnected } from './lifecycle.ts'
import { readOrgan, selectOrgans } from './organ-request.ts'

type Deps = Pick<CommandDeps, 'clock' | 'config' | 'models' | 'personas'> & {
  readonly prices: Pick<Prices, 'getPrice'>
}

interface Comparison {
  readonly answer: Answer
  readonly usage: Usage
  readonly ms: number
  readonly price: Used['price']
}

/** Retries once if the stream breaks. */
const maxCalls = 2

/**
 * `organ`: as in an update; without a key, that of the Mind is used at the same address and provider. Returns
 * null if the turn does not exist. Throws Refused (persona_unknown, as `readOrgan`, call_unsent, call_gone,
 * cut_short) or ModelError.
 */
export const compareCall = async (
  deps: Deps,
  id: PersonaId,
  request: { readonly turn: Seq | null; readonly organ: unknown },
  disconnectSignal: AbortSignal,
): Promise<Comparison | null> => {
  const { clock, config, models, personas, prices } = deps
  const { self } = requireListed(personas, id)
  const wish = readOrgan('thinking', request.organ)
  const { turn } = request
  const prompt =
    turn === null
      ? null
      : await personas.read(id, (reading) => loadFirstPrompt(id, reading, turn, deps, disconnectSignal))
  if (!prompt) return null
  const [requestedOrgan] = await selectOrgans(personas, self, { thinking: wish }, config.urls)
  if (!requestedOrgan) return null
  const { ask } = requestedOrgan
  const startTime = clock.now()
  const { answer, usage: tokens } = await forAPerson(() =>
    think(models.mind(ask, null), prompt, disconnectSignal, maxCalls),
  )
  throwIfDisconnected(disconnectSignal)
  const usage = toFullUsage(tokens)
  const ms = Math.max(0, Math.round(clock.now() - startTime))
  return { answer, usage, ms, price: await prices.getPrice({ ...ask, usage }) }
}

const loadFirstPrompt = async (
  id: PersonaId,
  reading: Reading,
  turn: Seq,
  { personas, models, clock }: Deps,
  disconnectSignal: AbortSignal,
): Promise<Prompt | null> => {
  const { journal } = reading
  if ((await entryAt(journal, turn))?.type !== 'TurnBegan') return null
  for await (const entry of journal.read({ kind: 'calls', after: turn })) {
    const { event } = entry
    if (!('turn' in event) || event.turn === null) continue
    if (event.turn > turn) break
    if (event.turn !== turn || event.type !== 'ModelAnswered' || event.cause !== 'turn') continue
    for await (const { sent } of openedCalls(
      id,
      reading,
      [entry],
      { personas, models, zone: clock.zone },
      disconnectSignal,
    )) {
      if (!sent?.verified || !sent.prompt) throw new Refused({ code: 'call_gone' })
      return sent.prompt
    }
  }
  throw new Refused({ code: 'call_unsent' })
}
