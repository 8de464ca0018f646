/**
 * Gets one answer of a model and streams its text. This is the only retry layer: at most three calls per
 * answer.
 */
import type { Answer, Call, Failed, Provider } from '../../facts/fact-values.ts'
import { type Backoff, jitteredPauseAfter } from '../../packages/kit/flow/backoff.ts'
import type { Clock } from '../../packages/kit/time/clock.ts'
import { inSpan, type SpanAttributes } from '../../packages/kit/tracing/tracing.ts'
import { type Mind, MindError, type Opaque, type Prompt, type Tokens } from '../../packages/models/mind.ts'
import { cutMark } from '../../projections/message-parts.ts'

export interface RetryDeps {
  readonly clock: Clock
  /** From 0 to 1. */
  readonly random: () => number
  readonly signal: AbortSignal
  /** Max time for all calls, in ms from the first one. No retry starts later. Unlimited if absent. */
  readonly maxTotalMs?: number
  /** Called for errors other than `MindError`. Must not throw. */
  readonly onUnexpected?: (error: unknown) => void
}

/** `ms`: duration of the call that answered. `calls`: number of calls. */
export interface TryResult<T> {
  readonly value: T
  readonly calls: number
  readonly ms: number
}

/** Thrown when all retries failed. The message can be shown to a user. */
export class Unanswered extends Error {
  override readonly name = 'Unanswered'
  readonly failed: Failed
  /** Milliseconds the provider asks to wait. */
  readonly retryAfter: number | undefined
  constructor(failure: Failed, retryAfter?: number) {
    super(failure.reason)
    this.failed = failure
    this.retryAfter = retryAfter
  }
}

const maxCalls = 3
/** Max pause in ms, even if the provider asks for more. */
const maxPauseMs = 60_000
const retryBackoff: Backoff = { first: 1000, longest: maxPauseMs, factor: 4 }

/**
 * Calls `ask` with the number of calls left; its result may report how many it used. Throws `Unanswered`
 * after three failed calls or when time is up, and the signal's reason if aborted.
 */
export const callWithRetries = async <
  T extends {
    readonly calls?: number
    readonly usage: Pick<Tokens, 'input' | 'output' | 'cached' | 'written'>
  },
>(
  target: Pick<Failed, 'organ' | 'provider' | 'model'>,
  { clock, random, signal, onUnexpected, maxTotalMs = Number.POSITIVE_INFINITY }: RetryDeps,
  ask: (triesLeft: number) => Promise<T>,
): Promise<TryResult<T>> => {
  const first = clock.now()
  for (let calls = 0; ; ) {
    signal.throwIfAborted()
    const startTime = clock.now()
    const ms = () => Math.max(0, Math.round(clock.now() - startTime))
    try {
      const value = await inSpan(toSpan(target), async (span) => {
        const result = await ask(maxCalls - calls)
        span.set(toUsageAttributes(result.usage))
        return result
      })
      return { value, calls: calls + (value.calls ?? 1), ms: ms() }
    } catch (error) {
      signal.throwIfAborted()
      if (!(error instanceof MindError)) onUnexpected?.(error)
      const failure =
        error instanceof MindError
          ? error
          : new MindError('unreachable', 'The model broke off for an unknown reason.')
      calls += failure.calls
      const pause = Math.min(
        failure.retryAfter ?? jitteredPauseAfter(calls, retryBackoff, random),
        maxPauseMs,
      )
      const isLate = Math.abs(clock.now() - first) + pause > maxTotalMs
      // A failure that took two calls would take two more.
      if (failure.kind !== 'unreachable' || calls + failure.calls > maxCalls || isLate)
        throw new Unanswered(
          { ...target, ms: ms(), calls, kind: failure.kind, reason: failure.message },
          failure.retryAfter,
        )
      await clock.wait(pause, signal)
    }
  }
}

/** The operation and the names of providers are those of OpenTelemetry's conventions. */
const toSpan = ({ organ, provider, model }: Pick<Failed, 'organ' | 'provider' | 'model'>) => {
  const operation = ['imagination', 'mouth', 'ear'].includes(organ) ? 'generate_content' : 'chat'
  const attributes = {
    'gen_ai.operation.name': operation,
    'gen_ai.provider.name': provider === null ? 'local' : providerNames[provider],
    'gen_ai.request.model': model,
    'daimon.organ': organ,
  } as const
  return { name: `${operation} ${model}`, kind: 'client', attributes } as const
}

const providerNames: Readonly<Record<Provider, string>> = {
  anthropic: 'anthropic',
  openai: 'openai',
  xai: 'x_ai',
  gemini: 'gcp.gemini',
}

const toUsageAttributes = ({
  input,
  output,
  cached,
  written,
}: Pick<Tokens, 'input' | 'output' | 'cached' | 'written'>): SpanAttributes => ({
  ...(input !== null && { 'gen_ai.usage.input_tokens': input }),
  ...(output !== null && { 'gen_ai.usage.output_tokens': output }),
  ...(cached != null && { 'gen_ai.usage.cache_read.input_tokens': cached }),
  ...(written && { 'gen_ai.usage.cache_creation.input_tokens': written }),
})

export interface Thought {
  readonly answer: Answer
  readonly usage: Tokens
  readonly calls: number
  /** True if the answer was truncated at the model's token limit. */
  readonly cut: boolean
  readonly opaque?: Opaque | undefined
}

/** Appends `cutMark` to a truncated answer that has only text. */
export const withMarks = (thinking: Thought, onWords: (delta: string, offset: number) => void): Thought => {
  const { text, calls } = thinking.answer
  if (!thinking.cut || calls.length > 0 || text.trim() === '') return thinking
  onWords(cutMark, text.length)
  return { ...thinking, answer: { text: text + cutMark, calls } }
}

/**
 * Makes one call, or two if the stream breaks off and `left` allows it. `onWords` receives text as it
 * arrives; `offset` 0 means that the text starts again. Throws MindError, or the signal's reason.
 */
export const think = async (
  mind: Mind,
  prompt: Prompt,
  signal: AbortSignal,
  triesLeft: number,
  onWords: (delta: string, offset: number) => void = () => {},
): Promise<Thought> => {
  let text = ''
  let calls: Call[] = []
  for await (const part of mind.think(prompt, signal, triesLeft)) {
    signal.throwIfAborted()
    if (part.type === 'end')
      return {
        answer: { text, calls },
        usage: part.usage,
        calls: part.calls ?? 1,
        cut: part.cut ?? false,
        opaque: part.opaque,
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
  throw new MindError('unreachable', 'The model broke off before it had finished.')
}
