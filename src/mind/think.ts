/**
 * One answer of a model, with the one retry layer there is: at most three calls, and its Mind's words
 * streamed while they come.
 */
import type { Answer, Call, Failed } from '../../journal/facts/fact-values.ts'
import { type Backoff, jitteredPauseAfter } from '../../packages/kit/flow/backoff.ts'
import type { Clock } from '../../packages/kit/time/clock.ts'
import { type Mind, MindError, type Opaque, type Prompt, type Tokens } from '../../packages/models/mind.ts'

export interface RetryDeps {
  readonly clock: Clock
  /** From 0 to 1. */
  readonly random: () => number
  readonly signal: AbortSignal
  /**
   * Milliseconds from the first call on: what would be tried after that is not. Without it, as long as it
   * takes.
   */
  readonly most?: number
  /** Called for an error that no model is known to end with. Must not throw. */
  readonly onUnexpected?: (error: unknown) => void
}

/** `ms`: milliseconds of the call that answered; `calls`: how many it took. */
export interface Tried<T> {
  readonly value: T
  readonly calls: number
  readonly ms: number
}

/** A model that was asked as often as it makes sense, and did not answer. The message is fit for a person. */
export class Unanswered extends Error {
  override readonly name = 'Unanswered'
  readonly failed: Failed
  /** Milliseconds that the provider asks to wait. */
  readonly retryAfter: number | undefined
  constructor(failed: Failed, retryAfter?: number) {
    super(failed.reason)
    this.failed = failed
    this.retryAfter = retryAfter
  }
}

const mostCalls = 3
/** Milliseconds, whatever a provider asks for. */
const longest = 60_000
const again: Backoff = { first: 1000, longest, factor: 4 }

/**
 * `ask` is told how many calls are left, and may tell of the calls it took. Throws `Unanswered` when three
 * calls did not answer, or as many as there was time for, and the signal's reason when it was cut.
 */
export const trying = async <T extends { readonly calls?: number; readonly usage: object }>(
  asked: Pick<Failed, 'organ' | 'provider' | 'model'>,
  { clock, random, signal, onUnexpected, most = Number.POSITIVE_INFINITY }: RetryDeps,
  ask: (left: number) => Promise<T>,
): Promise<Tried<T>> => {
  const first = clock.now()
  for (let calls = 0; ; ) {
    signal.throwIfAborted()
    const began = clock.now()
    const ms = () => Math.max(0, Math.round(clock.now() - began))
    try {
      const value = await ask(mostCalls - calls)
      return { value, calls: calls + (value.calls ?? 1), ms: ms() }
    } catch (error) {
      signal.throwIfAborted()
      if (!(error instanceof MindError)) onUnexpected?.(error)
      const failure =
        error instanceof MindError
          ? error
          : new MindError('unreachable', 'The model broke off in a way I do not know.')
      calls += failure.calls
      const pause = Math.min(failure.retryAfter ?? jitteredPauseAfter(calls, again, random), longest)
      const late = Math.abs(clock.now() - first) + pause > most
      // What took two calls to fail would take two more.
      if (failure.kind !== 'unreachable' || calls + failure.calls > mostCalls || late)
        throw new Unanswered(
          { ...asked, ms: ms(), calls, kind: failure.kind, reason: failure.message },
          failure.retryAfter,
        )
      await clock.wait(pause, signal)
    }
  }
}

export interface Thought {
  readonly answer: Answer
  readonly usage: Tokens
  readonly calls: number
  /** It ended at the model's limit, and not where it was meant to. */
  readonly cut: boolean
  readonly opaque?: Opaque | undefined
}

/** Stands behind words that were cut at the model's limit, for whoever reads them. */
export const cutMark = ' …\n\n(My answer was cut off here: my mind had reached its limit. Ask me to go on.)'

/** An answer of words alone, with a mark at the end where it was cut. */
export const marked = (thought: Thought, onWords: (delta: string, offset: number) => void): Thought => {
  const { text, calls } = thought.answer
  if (!thought.cut || calls.length > 0 || text.trim() === '') return thought
  onWords(cutMark, text.length)
  return { ...thought, answer: { text: text + cutMark, calls } }
}

/**
 * One call, or two where a stream breaks off and so many are left. `onWords`: words as they come; `offset` 0
 * begins them anew. MindError, or the signal's reason.
 */
export const think = async (
  mind: Mind,
  prompt: Prompt,
  signal: AbortSignal,
  left: number,
  onWords: (delta: string, offset: number) => void = () => {},
): Promise<Thought> => {
  let text = ''
  let calls: Call[] = []
  for await (const part of mind.think(prompt, signal, left)) {
    signal.throwIfAborted()
    if (part.type === 'end')
      return {
        ...{ answer: { text, calls }, usage: part.usage, calls: part.calls ?? 1 },
        ...{ cut: part.cut ?? false, opaque: part.opaque },
      }
    if (part.type === 'pulse') continue
    if (part.type === 'call') calls.push(part.call)
    else if (part.type === 'again') {
      text = ''
      calls = []
      onWords('', 0)
    } else if (part.text !== '') {
      onWords(part.text, text.length)
      text += part.text
    }
  }
  throw new MindError('unreachable', 'My mind broke off before it had finished.')
}
