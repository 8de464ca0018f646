/**
 * Stateless chat for API clients. The persona answers in memory from its knowledge. The cost is always
 * recorded, the text only on request.
 */

import type { Call } from '../../facts/fact-values.ts'
import { eitherAborts, unlessAborted } from '../../packages/kit/flow/abort-signals.ts'
import { inSpan } from '../../packages/kit/tracing/tracing.ts'
import type { AnswerForm } from '../../packages/models/mind.ts'
import { ModelError } from '../../packages/models/models.ts'
import { cutMark, toMarkedText } from '../../projections/message-parts.ts'
import { noProvenance } from '../mind/memory/provenance.ts'
import { Unanswered } from '../mind/model-retries.ts'
import { noteUnkept, tellCaller } from '../mind/prompt/caller-prompt.ts'
import { foldText } from '../mind/prompt/instructions.ts'
import { cutTo } from '../mind/prompt/marked-data.ts'
import type { TurnStep } from '../mind/prompt/talk-items.ts'
import { readVoiceLines } from '../mind/prompt/voice-lines.ts'
import { createFailure, listOffered, readAbilities, type ToolResult } from '../mind/tools/tool.ts'
import { readingTools, unlistedTools } from '../mind/tools/tool-table.ts'
import { Refused } from '../persona/refusals.ts'
import type { OrganCall } from '../persona/rules/organ-health.ts'
import type { RecordExchange } from '../persona/rules/talk.ts'
import type { AgentLife } from './agent-deps.ts'
import {
  type ClientCall,
  type ClientTools,
  createCallCheck,
  handOver,
  listOpenCalls,
  type OfferedTools,
  offerTools,
} from './client-tools.ts'
import { createOpenSteps, expandCalls, type OpenSteps, type SentMessage } from './open-steps.ts'
import { carriesMemoryToClient } from './outgoing-words.ts'
import { lookAtPictures } from './pictures.ts'
import { getCost } from './recording.ts'
import { createSpokenStream } from './spoken-stream.ts'
import { callTool, maxCallsPerStep, tooManyCalls } from './tool-calls.ts'
import { isLast, runTurnLoop } from './turn-loop.ts'

/** A request of an API client. */
export interface Exchange {
  /** Oldest first, at least one message. */
  readonly talk: readonly SentMessage[]
  /** The client's own tools. Absent if it has none. */
  readonly tools?: ClientTools | undefined
  /** The form of a JSON answer. The persona then uses no tools of its own. */
  readonly form?: AnswerForm | undefined
  /** Max tokens of each answer of the model. */
  readonly maxTokens?: number | undefined
  /** True to remember the newest user message and its answer. */
  readonly store: boolean
  /** True if the caller records the messages to remember, which the result then contains. */
  readonly recordsItself?: boolean
  /** Receives the text as it is generated. */
  readonly onWords: (delta: string) => void
  /** Aborts when the client has disconnected. */
  readonly disconnectSignal: AbortSignal
}

/**
 * `text`: the paragraphs of all steps. `calls`: the client runs them and sends their results with its next
 * request; empty if the answer is complete. `cut`: the answer ends at the output limit of the model.
 * `tokens`: of the Mind only; counts that the provider does not report are 0. `unrecorded`: the messages that
 * the caller records.
 */
export interface ExchangeResult {
  readonly text: string
  readonly calls: readonly ClientCall[]
  readonly cut: boolean
  readonly tokens: { readonly input: number; readonly output: number; readonly cached: number }
  readonly unrecorded: RecordExchange['said']
}

export interface ConverseDeps extends AgentLife {
  /** Aborts the answer. */
  readonly signal: AbortSignal
  readonly openSteps: OpenSteps
}

/**
 * Answers an API client. Rejects with `spent`, `life_over`, ModelError, the signal's reason, or, if the
 * answer is to be remembered, JournalUnavailable. The cost is recorded in each case.
 */
export const converse = (exchange: Exchange, deps: ConverseDeps): Promise<ExchangeResult> => {
  const attributes = { 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.agent.id': deps.id } as const
  return inSpan({ name: 'invoke_agent', attributes }, () => converseUntraced(exchange, deps))
}

const converseUntraced = async (exchange: Exchange, deps: ConverseDeps): Promise<ExchangeResult> => {
  const calls: OrganCall[] = []
  const tally = (call: OrganCall) => void calls.push(call)
  const { paragraphs, clientCalls, cut } = await answer(exchange, deps, tally).catch(
    async (error: unknown) => {
      if (error instanceof Unanswered) tally({ failed: error.failed })
      await record(exchange, calls, null, deps).catch((err: unknown) => logUnrecorded(err, deps))
      throw error instanceof Unanswered ? new ModelError(error.message) : error
    },
  )
  // An answer with calls is not complete. The request with their results stores it.
  const isComplete = clientCalls.length === 0
  const messages = exchange.store && isComplete ? toStoredExchange(exchange, paragraphs, cut) : null
  const [exchangeToStore, unrecorded] = exchange.recordsItself ? [null, messages] : [messages, null]
  await record(exchange, calls, exchangeToStore, deps).catch((error: unknown) => {
    // If nothing is to be remembered, the answer is returned although recording the cost failed.
    if (exchangeToStore) throw error
    logUnrecorded(error, deps)
  })
  const text = paragraphs.map(({ words, isNotice }) => toMarkedText(words, isNotice)).join('\n\n')
  return { text, calls: clientCalls, cut, tokens: sumTokens(calls), unrecorded }
}

/** A part of the answer. `isNotice`: the daemon wrote it. */
interface Paragraph {
  readonly words: string
  readonly isNotice: boolean
}

/** Sums the tokens of the Mind over all steps. */
const sumTokens = (calls: readonly OrganCall[]): ExchangeResult['tokens'] => {
  const bodyCalls = calls.flatMap((call) =>
    'used' in call && call.used.organ === 'thinking' ? call.used.usage : [],
  )
  const sum = (kind: 'input' | 'output' | 'cached') =>
    bodyCalls.reduce((tokens, usage) => tokens + (usage[kind] ?? 0), 0)
  return { input: sum('input'), output: sum('output'), cached: sum('cached') }
}

const answer = async (
  exchange: Exchange,
  deps: ConverseDeps,
  tally: (call: OrganCall) => void,
): Promise<{
  readonly paragraphs: readonly Paragraph[]
  readonly clientCalls: readonly ClientCall[]
  readonly cut: boolean
}> => {
  const { signal } = deps
  const steps: StepWithResults[] = []
  const paragraphs: Paragraph[] = []
  let cutOff = false
  const textStream = createSpokenStream(exchange.onWords)
  const sendNotice = (words: string) => {
    paragraphs.push({ words, isNotice: true })
    textStream.write(toMarkedText(words, true))
  }
  const addResult = (call: Call, output: unknown) =>
    void steps.at(-1)?.results.push({ seq: null, call: call.id, name: call.name, output })
  const callCheck = createCallCheck(exchange.tools, addResult)
  let clientCalls: readonly ClientCall[] = []
  await runTurnLoop(
    {
      perceive: () => perceiveTalk(exchange, deps, { tally, sendNotice }),
      progress: async (perception) => ({
        ...perception,
        steps,
        hasSpoken: paragraphs.length > 0,
        openCall: getOpenCall(steps, perception.offer),
      }),
      prompt: ({ promptInput, offer }) => {
        const callSteps = steps.filter(({ answer }) => answer.calls.length > 0)
        clientCalls = handOver(callSteps, offer, deps)
        return clientCalls.length > 0
          ? null
          : { prompt: tellCaller({ ...promptInput, steps: callSteps }), parts: [] }
      },
      stream: (_, think) => {
        textStream.step()
        return unlessAborted(think({ onWords: textStream.words, onSign: () => {} }), signal)
      },
      record: async (step, { offer, promptInput: { persona } }) => {
        const { cut, opaque } = step.result.value
        const answer = callCheck.fit(step.result.value.answer, offer)
        tally({ used: await getCost(step) })
        steps.push({ seq: null, step: step.step, answer, opaque, results: [] })
        callCheck.check(answer, offer, (input) => carriesMemoryToClient(input, persona, exchange.talk))
        cutOff = cut && isLast(answer)
        const words = answer.text.trim()
        if (words) paragraphs.push({ words, isNotice: false })
      },
      act: async (call, { offer }, refusal) => {
        if (refusal !== null) return addResult(call, { error: refusal })
        const toolCall = {
          call,
          tools: offer.own,
          turn: null,
          channel: null,
          provenance: noProvenance,
          words: 'unkept',
        } as const
        const isExcess = (steps.at(-1)?.results.length ?? 0) >= maxCallsPerStep
        const { output, calls = [] }: ToolResult = isExcess
          ? createFailure(tooManyCalls)
          : await callTool(toolCall, deps)
        calls.forEach(tally)
        addResult(call, output)
      },
      mayEndSilently: () => false,
      end: async (ending) => {
        if (ending) sendNotice(ending.words)
      },
    },
    deps,
  )
  return { paragraphs, clientCalls, cut: cutOff }
}

/** Perceives the attachments and collects the input of the prompt. It stays the same for the whole answer. */
const perceiveTalk = async (
  { talk, tools, form, maxTokens, store }: Exchange,
  { read, getTokenLimit, organs: getOrgans, clock, signal, openSteps }: ConverseDeps,
  {
    tally,
    sendNotice,
  }: { readonly tally: (call: OrganCall) => void; readonly sendNotice: (words: string) => void },
) => {
  const { persona, lines, spent } = await read(async (reading) => ({
    persona: reading.persona,
    lines: await readVoiceLines(reading.journal, reading.persona, reading.persona),
    spent: await getTokenLimit(reading),
  }))
  if (spent !== null) throw new Refused({ code: 'spent', reason: spent })
  const organs = getOrgans(persona, signal, 'unkept')
  const pictures = await unlessAborted(lookAtPictures(expandCalls(talk, openSteps), organs, tally), signal)
  if (pictures.words !== null) sendNotice(pictures.words)
  if (pictures.done) return null
  const input = {
    persona,
    budget: await organs.budget(),
    now: clock.now(),
    zone: clock.zone,
    kept: store,
    lines,
    talk: pictures.talk,
  }
  const ownTools = listOffered(form ? [] : readingTools, await readAbilities(persona, organs))
  const offer = offerTools(ownTools, form ? [] : unlistedTools, tools)
  const { specs, clientNames, toolChoice } = offer
  return {
    organs,
    offer,
    promptInput: { ...input, tools: specs, programTools: clientNames, toolChoice, form, maxTokens },
  }
}

/** A step with the tool results so far. */
interface StepWithResults extends TurnStep {
  readonly step: number
  readonly results: TurnStep['results'][number][]
}

/** Returns the next call without a result that the daemon runs. */
const getOpenCall = (steps: readonly StepWithResults[], { clientNames }: OfferedTools): Call | undefined => {
  const last = steps.at(-1)
  return last && listOpenCalls(last).find(({ name }) => !clientNames.includes(name))
}

const record = async (
  { talk }: Exchange,
  calls: readonly OrganCall[],
  messages: RecordExchange['said'],
  { execute, life }: ConverseDeps,
) => {
  if (calls.length === 0 && messages === null) return
  await execute({
    type: 'RecordExchange',
    life,
    calls: calls.map((call) => withoutQuotes(call, talk)),
    said: messages,
  })
}

/**
 * Logs a cost that could not be recorded. `Refused` means that the life is over and nothing can be recorded.
 */
const logUnrecorded = (err: unknown, { id, log }: ConverseDeps): void => {
  if (!(err instanceof Refused)) log.warn({ id, err }, 'failed to record the cost of an API answer')
}

/** Max UTF-16 units of a remembered answer, so that it fits into one commit together with the message. */
const maxAnswerUnits = 60_000

const toStoredExchange = (
  { talk }: Exchange,
  paragraphs: readonly Paragraph[],
  isCutOff: boolean,
): RecordExchange['said'] => {
  const newestMessage = talk.findLast((message) => message.role === 'user')
  if (!newestMessage) return null
  const userText = [newestMessage.content, ...noteUnkept(newestMessage)].filter(Boolean).join('\n')
  const join = (isNotice: boolean) =>
    paragraphs
      .filter((paragraph) => paragraph.isNotice === isNotice)
      .map(({ words }) => words)
      .join('\n\n')
  const spokenText = isCutOff ? join(false) + cutMark : join(false)
  return {
    heard: userText,
    spoken: spokenText ? cutTo(spokenText, maxAnswerUnits) : null,
    notice: join(true) || null,
  }
}

/** Replaces an error reason that quotes the client's text. That text must not be recorded. */
const withoutQuotes = (call: OrganCall, talk: readonly SentMessage[]): OrganCall => {
  if ('used' in call || (call.failed.kind !== 'refused' && !quotes(call.failed.reason, talk))) return call
  return {
    failed: {
      ...call.failed,
      reason: 'The model did not answer an API client. The client received the reason.',
    },
  }
}

/** Returns true if three consecutive words of the reason occur in the talk. */
const quotes = (reason: string, talk: readonly SentMessage[]): boolean => {
  const texts = talk.flatMap((message) => [
    message.content,
    ...(message.role === 'user' ? message.files.flatMap(({ name, text }) => [name, text]) : []),
  ])
  const talkText = ` ${foldText(texts.join(' '))} `
  const words = foldText(reason).split(' ')
  return words.some(
    (_, n) => n + 3 <= words.length && talkText.includes(` ${words.slice(n, n + 3).join(' ')} `),
  )
}

// The running API chats of a persona. Any number of them run in parallel with the turns. They end with its
// life.

export interface ApiChats {
  /** See `converse`. Rejects with `life_over` if the life ends first. */
  converse(exchange: Exchange): Promise<ExchangeResult>
  /** Resolves when all running chats have ended and their cost is recorded. Never rejects. */
  waitForEnd(): Promise<void>
}

/** `ending` aborts when the persona stops or restarts. */
export const createApiChats = (
  deps: Omit<ConverseDeps, 'signal' | 'openSteps'>,
  ending: AbortSignal,
): ApiChats => {
  const openSteps = createOpenSteps(deps.clock)
  const open = new Set<Promise<ExchangeResult>>()
  return {
    converse: async (exchange) => {
      if (ending.aborted) throw new Refused({ code: 'life_over' })
      const answer = eitherAborts([exchange.disconnectSignal, ending], (signal) =>
        converse(exchange, { ...deps, signal, openSteps }),
      )
      open.add(answer)
      try {
        return await answer
      } catch (error) {
        throw ending.aborted && !exchange.disconnectSignal.aborted
          ? new Refused({ code: 'life_over' })
          : error
      } finally {
        open.delete(answer)
      }
    },
    waitForEnd: async () => {
      await Promise.allSettled(open)
    },
  }
}
