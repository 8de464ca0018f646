/** A model's answer on its way to the journal: what was sent as a recipe, what came back as it came. */
import type { Recipe, Sha256, Used } from '../../journal/facts/fact-values.ts'
import { pauseAfter } from '../../packages/kit/flow/backoff.ts'
import type { Clock } from '../../packages/kit/time/clock.ts'
import type { Turn } from '../../projections/talk.ts'
import { fully } from '../mind/organ-calls.ts'
import { sentHash } from '../mind/prompt/prompt.ts'
import { joined, type PromptPart } from '../mind/prompt/prompt-part.ts'
import { JournalUnavailable, Refused } from '../persona/refusals.ts'
import type { TurnDeps } from './turn-deps.ts'
import { isLast, type Step } from './turn-loop.ts'

/** A longer answer lies beside the journal, so that it fits into one commit with its words. Bytes. */
const longestAnswer = 64 * 1024

/** `borrowed`: words of others in what it says that the user did not say. */
export const recordAnswer = (
  turn: Turn,
  taken: Step,
  borrowed: readonly string[],
  deps: TurnDeps,
): Promise<void> =>
  untilKept(deps, async () => {
    const { life, keepPart } = deps
    const { step, told, tried } = taken
    const { answer, opaque: wanted } = tried.value
    const bytes = Buffer.from(JSON.stringify(answer))
    const part = bytes.length > longestAnswer ? await keepPart(bytes) : null
    // Only a next step sends it.
    const opaque = wanted && !isLast(answer) ? await keepPart(Buffer.from(JSON.stringify(wanted))) : undefined
    const [cost, recipe] = await Promise.all([
      costOf(taken),
      keepRecipe(told.parts, sentHash(told.prompt), keepPart),
    ])
    const used = { ...cost, recipe }
    const kept = { answer, part, borrowed, ...(opaque && { opaque }) }
    await deps.execute({ type: 'RecordAnswer', life, turn: turn.id, step, used, ...kept })
  })

/** What a step of its Mind cost. No word of what it was told is kept with it. */
export const costOf = async ({ organ, organs, tried: { value, calls, ms } }: Step): Promise<Used> => {
  const { provider, model } = organ
  const usage = fully(value.usage)
  const price = await organs.costOf(organ, usage)
  return { organ: 'thinking', provider, model, usage, ms, calls, price, recipe: null }
}

/**
 * What the disk refuses is tried again until it takes it or it is cut: a model is not asked twice for an
 * answer that is here.
 */
export const untilKept = async (
  { clock, signal }: { clock: Clock; signal: AbortSignal },
  write: () => Promise<unknown>,
): Promise<void> => {
  for (let failures = 1; ; failures++) {
    try {
      await write()
      return
    } catch (error) {
      if (error instanceof Refused && error.refusal.code === 'recorded_already') return
      if (!(error instanceof JournalUnavailable)) throw error
    }
    await clock.wait(pauseAfter(failures), signal)
    signal.throwIfAborted()
  }
}

/** Words of facts stay where they are; the service's own are kept once, neighbours as one. */
export const keepRecipe = async (
  told: readonly PromptPart[],
  sent: string,
  keepPart: (bytes: Uint8Array) => Promise<Sha256>,
): Promise<Recipe> => {
  const parts: Recipe['parts'] = []
  for (const { from, text } of joined(told)) parts.push(from ?? (await keepPart(Buffer.from(text))))
  return { parts, sent }
}
