/** A model's answer on its way to the journal: what was sent as a recipe, what came back as it came. */
import type { Organ, Recipe, Sha256 } from '../../journal/facts/fact-values.ts'
import type { Turn } from '../../projections/talk.ts'
import { pauseAfter } from '../flow/backoff.ts'
import { fully, type Organs } from '../mind/organ-calls.ts'
import type { Piece } from '../mind/prompt/prompt-part.ts'
import type { Thought, Tried } from '../mind/think.ts'
import { JournalUnavailable } from '../persona/gate.ts'
import { Refused } from '../persona/refusals.ts'
import type { Clock } from '../time/clock.ts'
import type { TurnDeps } from './take-turn.ts'

interface Answered {
  readonly turn: Turn
  readonly step: number
  readonly organ: Organ
  readonly organs: Organs
  readonly tried: Tried<Thought>
  readonly pieces: readonly Piece[]
  /** SHA-256 of the whole as it was sent. */
  readonly sent: string
}

/** A longer answer lies beside the journal, so that it fits into one commit with its words. Bytes. */
const longestAnswer = 64 * 1024

export const recordAnswer = ({ turn, step, organ, organs, tried, pieces, sent }: Answered, deps: TurnDeps): Promise<void> =>
  untilKept(deps, async () => {
    const { value, calls, ms } = tried
    const { life, keepPart } = deps
    const { answer } = value
    const { provider, model } = organ
    const usage = fully(value.usage)
    const price = await organs.costOf(organ, usage)
    const bytes = Buffer.from(JSON.stringify(answer))
    const part = bytes.length > longestAnswer ? await keepPart(bytes) : null
    const recipe = await keepRecipe(pieces, sent, keepPart)
    const used = { organ: 'thinking', provider, model, usage, ms, calls, price, recipe } as const
    await deps.execute({ type: 'RecordAnswer', life, turn: turn.id, step, used, answer, part })
  })

/** What the disk refuses is tried again until it takes it or it is cut: a model is not asked twice for an answer that is here. */
export const untilKept = async ({ clock, signal }: { clock: Clock; signal: AbortSignal }, write: () => Promise<unknown>): Promise<void> => {
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
  pieces: readonly Piece[],
  sent: string,
  keepPart: (bytes: Uint8Array) => Promise<Sha256>,
): Promise<Recipe> => {
  const parts: Recipe['parts'] = []
  let text = ''
  const flush = async () => {
    if (text !== '') parts.push(await keepPart(Buffer.from(text)))
    text = ''
  }
  for (const piece of pieces) {
    if (piece.from === null) text += piece.text
    else {
      await flush()
      parts.push(piece.from)
    }
  }
  await flush()
  return { parts, sent }
}
