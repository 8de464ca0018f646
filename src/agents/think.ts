/** One answer of her Mind, with the one retry layer there is: at most three calls, and her words streamed while they come. */
import type { Answer, Call, Usage } from '../../journal/events.ts'
import type { Clock } from '../clock.ts'
import { type Mind, MindError, type Prompt } from '../models/mind.ts'

export interface Thought {
  readonly answer: Answer
  readonly usage: Usage
  /** Milliseconds of the call that answered. */
  readonly ms: number
}

interface Deps {
  readonly mind: Mind
  readonly clock: Clock
  /** From 0 to 1. */
  readonly random: () => number
  readonly signal: AbortSignal
  /** Words as they come; `offset` 0 begins them anew. */
  readonly onWords: (delta: string, offset: number) => void
}

const mostCalls = 3
/** Milliseconds; full jitter up to this, four times more at every try. */
const firstPause = 1000
const longestPause = 60_000

/** Throws `MindError` when three calls did not answer, and the signal's reason when it was cut. */
export const think = async (prompt: Prompt, deps: Deps): Promise<Thought> => {
  for (let calls = 0; ; ) {
    try {
      return await once(prompt, deps)
    } catch (error) {
      deps.signal.throwIfAborted()
      const failure = error instanceof MindError ? error : new MindError('unreachable', 'My mind broke off in a way I do not know.')
      calls += failure.calls
      // What took two calls to fail would take two more.
      if (failure.kind !== 'unreachable' || calls + failure.calls > mostCalls) throw failure
      const pause = failure.retryAfter ?? deps.random() * firstPause * 4 ** (calls - 1)
      await deps.clock.wait(Math.min(pause, longestPause), deps.signal)
      deps.signal.throwIfAborted()
    }
  }
}

const once = async (prompt: Prompt, { mind, clock, signal, onWords }: Deps): Promise<Thought> => {
  signal.throwIfAborted()
  const began = clock.now()
  let text = ''
  let calls: Call[] = []
  for await (const part of mind.think(prompt, signal)) {
    signal.throwIfAborted()
    if (part.type === 'end') return { answer: { text, calls }, usage: part.usage, ms: Math.max(0, Math.round(clock.now() - began)) }
    if (part.type === 'call') calls.push(part.call)
    else if (part.type === 'again') {
      text = ''
      calls = []
    } else if (part.text !== '') {
      onWords(part.text, text.length)
      text += part.text
    }
  }
  throw new MindError('unreachable', 'My mind broke off before it had finished.')
}
