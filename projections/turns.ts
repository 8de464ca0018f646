/** Builds the view of a turn: its input, perceptions, steps, tool calls, facts, messages and cost. */

import type {
  Channel,
  Decided,
  Outcome,
  PersonaId,
  PromptProfile,
  Provider,
  Seq,
  Slot,
  Usage,
} from '../facts/fact-values.ts'
import type { EventOf, PersonaEvent } from '../facts/facts.ts'
import type { Entry } from '../facts/persona-journal.ts'
import { type ConversationMessage, type MediaView, toMessage } from './conversation.ts'
import { type Call, type Charged, type Sum, shownUsd, sumOfCalls } from './usage.ts'

/**
 * `tries`: attempts at the provider. `usage`: null if there was no answer. `usd` and `dated`: null without a
 * price.
 */
export interface Asked {
  readonly organ: Slot
  readonly provider: Provider | null
  readonly model: string
  readonly usage: Usage | null
  readonly ms: number
  readonly tries: number
  readonly usd: number | null
  readonly dated: string | null
}

/** Approval of a server's tool call. `always` also if the tool was allowed before. */
export type Allowed = Decided | 'waiting'

/**
 * `output` and `ok` are null until the tool has answered. `server` and `tool` are null for built-in tools.
 * `ms`: duration.
 */
export interface ToolUse {
  readonly id: string
  readonly name: string
  readonly input: unknown
  readonly output: unknown
  readonly ok: boolean | null
  readonly server: string | null
  readonly tool: string | null
  readonly ms: number | null
  readonly allowed: Allowed | null
}

export interface StepView extends Asked {
  readonly step: number
  readonly time: string
  /** Null if the answer is lost. */
  readonly text: string | null
  readonly tools: readonly ToolUse[]
  readonly profile: PromptProfile
}

/** A model call that is not a step: for perception, by a tool, or one that failed. */
export interface CallView extends Asked {
  readonly id: Seq
  readonly time: string
  readonly cause: Call['cause']
  readonly step: number | null
  readonly reason: string | null
}

export interface Perception {
  readonly message: Seq
  readonly filename: string
  readonly organ: Slot | null
  readonly outcome: EventOf<'MediaDescribed'>['outcome']
  readonly text: string
}

/** Any other fact of the turn, formatted like a stream frame. */
export interface FactView {
  readonly id: Seq
  readonly time: string
  readonly title: string
  readonly details: Readonly<Record<string, unknown>>
}

export interface TurnView {
  readonly id: Seq
  readonly began: string
  /** Null until it has ended. */
  readonly ended: string | null
  readonly outcome: Outcome | null
  readonly reason: string | null
  readonly life: number
  readonly channel: Channel | null
  readonly heard: readonly ConversationMessage[]
  readonly due: readonly {
    readonly id: string
    readonly kind: 'reminder' | 'schedule' | null
    readonly content: string | null
  }[]
  readonly perceptions: readonly Perception[]
  readonly steps: readonly StepView[]
  readonly calls: readonly CallView[]
  readonly facts: readonly FactView[]
  readonly spoken: readonly ConversationMessage[]
  /** Files that the persona sent in it. */
  readonly files: readonly MediaView[]
  readonly total: Sum
  /** False if the turn is too long to be shown completely. */
  readonly complete: boolean
}

/** Facts that were read for a turn. `facts`: all after its TurnBegan. `planned`: plans that fell due. */
export interface TurnFacts {
  readonly began: Entry
  readonly heard: readonly Entry[]
  readonly planned: readonly EventOf<'EntryPlanned'>[]
  readonly facts: readonly Entry[]
  /** Long answers, which are stored outside the journal, by the position of their fact. */
  readonly answers: ReadonlyMap<
    Seq,
    { readonly text: string; readonly calls: readonly { id: string; name: string; input: unknown }[] }
  >
  readonly complete: boolean
}

/** Formatters: for times, long texts, and values with secrets. */
export interface Manner {
  readonly time: (entry: Entry) => string
  readonly text: (text: string) => string
  readonly value: (value: unknown) => unknown
  readonly fields: (fields: object) => Readonly<Record<string, unknown>>
}

/** Returns null if the position is not that of a TurnBegan. */
export const toTurnView = (persona: PersonaId, turnFacts: TurnFacts, manner: Manner): TurnView | null => {
  const { began, heard, facts, answers, complete } = turnFacts
  if (began.event.type !== 'TurnBegan') return null
  const { life, channel, stimuli } = began.event
  const { calls, searches, perceived, spoken, end, others, ...used } = groupFacts(facts)
  const toMessages = (entries: readonly Entry[]) =>
    entries.flatMap((entry) => messageIn(persona, entry, manner) ?? [])
  const messages = toMessages(spoken)
  return {
    id: began.seq,
    began: manner.time(began),
    ended: end ? manner.time(end.entry) : null,
    outcome: end?.event.outcome ?? null,
    reason: end?.event.reason ?? null,
    life,
    channel,
    heard: toMessages(heard),
    due: stimuli.due.map((id) => toDue(id, turnFacts.planned, manner)),
    perceptions: perceived.map((event) => toPerception(event, manner)),
    steps: calls.flatMap(({ entry, event }) =>
      isStep(event) ? toStep({ entry, event }, { ...used, answers }, manner) : [],
    ),
    calls: calls.flatMap((call) => (isStep(call.event) ? [] : toCall(call, manner))),
    facts: others.map((entry) => toFact(entry, manner)),
    spoken: messages,
    files: messages.flatMap(({ media }) => media ?? []),
    total: sumOfCalls([...calls.map(({ event }) => event), ...searches]),
    complete,
  }
}

type Of<T extends PersonaEvent['type']> = { readonly entry: Entry; readonly event: EventOf<T> }

/** Groups the facts of a turn by the place where they are shown. */
const groupFacts = (facts: readonly Entry[]) => {
  const calls: Of<Call['type']>[] = []
  const searches: Charged[] = []
  const perceptions: EventOf<'MediaDescribed'>[] = []
  const toolCalls: Of<'ToolCalled'>[] = []
  const toolAnswers: Of<'ToolAnswered'>[] = []
  const approvalRequests: Of<'ApprovalAsked'>[] = []
  const decisions = new Map<Seq, Decided>()
  const replies: Entry[] = []
  const otherEntries: Entry[] = []
  let end: Of<'TurnEnded'> | undefined
  for (const entry of facts) {
    const { event } = entry
    switch (event.type) {
      case 'ModelAnswered':
      case 'ModelFailed':
        calls.push({ entry, event })
        break
      case 'WebSearched':
        searches.push(event)
        otherEntries.push(entry)
        break
      case 'MediaDescribed':
        perceptions.push(event)
        break
      // Shown with the answer that requested the call.
      case 'ToolCalled':
        toolCalls.push({ entry, event })
        break
      case 'ToolAnswered':
        toolAnswers.push({ entry, event })
        break
      case 'ApprovalAsked':
        approvalRequests.push({ entry, event })
        break
      case 'ApprovalSettled':
        decisions.set(event.approval, event.decision)
        break
      case 'TurnResumed':
        break
      case 'MessageSpoken':
        // An approval request is text of the daemon, not of the persona.
        if (event.asks) otherEntries.push(entry)
        else replies.push(entry)
        break
      case 'TurnEnded':
        end ??= { entry, event }
        break
      default:
        otherEntries.push(entry)
    }
  }
  return {
    calls,
    searches,
    perceived: perceptions,
    began: toolCalls,
    answered: toolAnswers,
    asked: approvalRequests,
    decided: decisions,
    spoken: replies,
    end,
    others: otherEntries,
  }
}

const isStep = (call: Call): call is EventOf<'ModelAnswered'> =>
  call.type === 'ModelAnswered' && call.cause === 'turn'

const messageIn = (persona: PersonaId, entry: Entry, { time, text }: Manner): ConversationMessage | null => {
  const message = toMessage(persona, entry, time(entry))
  if (!message) return null
  const { content, parts } = message
  return {
    ...message,
    content: text(content),
    ...(parts && { parts: parts.map((part) => ({ ...part, text: text(part.text) })) }),
  }
}

const toDue = (id: string, plans: TurnFacts['planned'], { text }: Manner): TurnView['due'][number] => {
  const plan = plans.find((plan) => plan.id === id)
  return { id, kind: plan?.kind ?? null, content: plan ? text(plan.content) : null }
}

const toPerception = (
  { message, filename, organ, outcome, text }: EventOf<'MediaDescribed'>,
  manner: Manner,
): Perception => ({
  message,
  filename,
  organ,
  outcome,
  text: manner.text(text),
})

type Results = Pick<TurnFacts, 'answers'> &
  Pick<ReturnType<typeof groupFacts>, 'began' | 'answered' | 'asked' | 'decided'>

const toStep = ({ entry, event }: Of<'ModelAnswered'>, results: Results, manner: Manner): StepView => {
  const inlineAnswer = event.answer && !('part' in event.answer) ? event.answer : null
  const answer = inlineAnswer ?? results.answers.get(entry.seq) ?? null
  return {
    step: event.step ?? 0,
    time: manner.time(entry),
    text: answer && manner.text(answer.text),
    tools: (answer?.calls ?? []).map((call) => toToolUse(event.step, call, results, manner)),
    profile: event.profile ?? 'full',
    ...toAsked(event),
  }
}

const toToolUse = (
  step: number | null,
  { id, name, input }: { readonly id: string; readonly name: string; readonly input: unknown },
  { began, answered, asked, decided }: Results,
  manner: Manner,
): ToolUse => {
  const isOfIt = ({ event }: { readonly event: { readonly step: number; readonly call: string } }) =>
    event.step === step && event.call === id
  const call = began.find(isOfIt)
  const result = answered.find(isOfIt)
  const approval = asked.findLast(isOfIt)
  const target = call?.event.of ?? approval?.event ?? null
  const decision = approval ? (decided.get(approval.entry.seq) ?? 'waiting') : 'always'
  return {
    id,
    name,
    input: manner.value(input),
    output: result ? manner.value(result.event.output) : null,
    ok: result?.event.ok ?? null,
    server: target?.server ?? null,
    tool: target?.tool ?? null,
    ms: call && result ? Math.max(0, result.entry.at - call.entry.at) : null,
    allowed: target ? decision : null,
  }
}

const toCall = ({ entry, event }: Of<Call['type']>, { time }: Manner): CallView => ({
  id: entry.seq,
  time: time(entry),
  cause: event.cause,
  step: event.step,
  ...toAsked(event),
  reason: event.type === 'ModelFailed' ? event.reason : null,
})

const toAsked = (call: Call): Asked => {
  const { organ, provider, model, ms, calls: tries } = call
  const price = call.type === 'ModelAnswered' ? call.price : null
  return {
    organ,
    provider,
    model,
    usage: call.type === 'ModelAnswered' ? call.usage : null,
    ms,
    tries,
    usd: price && shownUsd(price.usd),
    dated: price?.dated ?? null,
  }
}

const toFact = (entry: Entry, { time, fields }: Manner): FactView => {
  const { type, ...rest } = entry.event
  return { id: entry.seq, time: time(entry), title: type, details: fields(rest) }
}
