/** Records answers of models: the prompt as a recipe, the answer unchanged. */

import type { Recipe, Sha256, Used } from '../../facts/fact-values.ts'
import { pauseAfter } from '../../packages/kit/flow/backoff.ts'
import type { Clock } from '../../packages/kit/time/clock.ts'
import type { Turn } from '../../projections/talk.ts'
import { toFullUsage } from '../mind/organ-calls.ts'
import { joinParts, type PromptPart } from '../mind/prompt/prompt-part.ts'
import { sentHash } from '../mind/prompt/turn-prompt.ts'
import { JournalUnavailable, Refused } from '../persona/refusals.ts'
import type { RecordAnswer } from '../persona/rules/turn.ts'
import type { TurnDeps } from './agent-deps.ts'
import { isLast, type Step } from './turn-loop.ts'

/** Bytes. A longer answer is stored in a file, so that the commit with its text stays small enough. */
const maxAnswerBytes = 64 * 1024

/** `about`: words of the answer that come from untrusted text and not from the user, and the profile. */
export const recordAnswer = (
  turn: Turn,
  modelStep: Step,
  turnFields: Pick<RecordAnswer, 'borrowed' | 'borrowedInCalls' | 'profile'>,
  deps: TurnDeps,
): Promise<void> =>
  writeWithRetries(deps, async () => {
    const { life, keepPart } = deps
    const { step, prompt, result } = modelStep
    const { answer, opaque: opaqueData } = result.value
    const bytes = Buffer.from(JSON.stringify(answer))
    const part = bytes.length > maxAnswerBytes ? await keepPart(bytes) : null
    // Only the prompt of a next step contains it.
    const opaque =
      opaqueData && !isLast(answer) ? await keepPart(Buffer.from(JSON.stringify(opaqueData))) : undefined
    const [cost, recipe] = await Promise.all([
      getCost(modelStep),
      keepRecipe(prompt.parts, sentHash(prompt.prompt), keepPart),
    ])
    const usage = { ...cost, recipe }
    const recordedAnswer = { answer, part, ...turnFields, ...(opaque && { opaque }) }
    await deps.execute({ type: 'RecordAnswer', life, turn: turn.id, step, used: usage, ...recordedAnswer })
  })

/** Returns the cost of a step, without any text of the prompt. */
export const getCost = async ({ organ, organs, result: { value, calls, ms } }: Step): Promise<Used> => {
  const { provider, model } = organ
  const usage = toFullUsage(value.usage)
  const price = await organs.getPrice(organ, usage)
  return { organ: 'thinking', provider, model, usage, ms, calls, price, recipe: null }
}

/**
 * Retries a write while the disk fails, until it succeeds or the signal aborts. Otherwise the model would
 * have to be called again for the same answer.
 */
export const writeWithRetries = async (
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

/**
 * Stores the recipe of a prompt. Texts of facts are referenced by position. Texts of the daemon are stored
 * once; adjacent ones are joined.
 */
export const keepRecipe = async (
  promptParts: readonly PromptPart[],
  promptText: string,
  keepPart: (bytes: Uint8Array) => Promise<Sha256>,
): Promise<Recipe> => {
  const parts: Recipe['parts'] = []
  for (const { from, text } of joinParts(promptParts)) parts.push(from ?? (await keepPart(Buffer.from(text))))
  return { parts, sent: promptText }
}
