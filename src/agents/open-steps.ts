/**
 * Steps of requests that ended with calls of the client's tools. They continue when the client returns the
 * results. They are only in memory, because nothing of such a talk is kept.
 */
import type { Call } from '../../facts/fact-values.ts'
import type { Clock } from '../../packages/kit/time/clock.ts'
import type { CallerMessage } from '../mind/prompt/caller-prompt.ts'
import type { TurnStep } from '../mind/prompt/talk-items.ts'
import { foreignNote } from '../mind/tools/foreign-note.ts'

/**
 * A message as the client sent it. `calls`: an answer of the persona with calls of the client's tools. A
 * result with `call` answers one of them.
 */
export type SentMessage =
  | Extract<CallerMessage, { role: 'user' }>
  | { readonly role: 'assistant' | 'note'; readonly content: string }
  | { readonly role: 'result'; readonly content: string; readonly call?: string }
  | { readonly role: 'calls'; readonly content: string; readonly calls: readonly Call[] }

export interface OpenSteps {
  /** Returns the steps that ended with this call, or undefined if they are forgotten. */
  find(callId: string): ExpectedSteps | undefined
  keep(steps: ExpectedSteps): void
}

/** `calls`: the id that the client knows, by the id in the last step. */
export interface ExpectedSteps {
  readonly steps: readonly TurnStep[]
  readonly calls: ReadonlyMap<string, string>
}

const maxOpenSteps = 256
/** Max UTF-16 units of all remembered steps. */
const maxOpenUnits = 8 * 1024 * 1024
const maxOpenMs = 3_600_000

/** If the steps are forgotten, the persona sees only the calls of the client, and looks up things again. */
export const createOpenSteps = (clock: Pick<Clock, 'now'>): OpenSteps => {
  const entries = new Map<ExpectedSteps, { readonly at: number; readonly units: number }>()
  const byCall = new Map<string, ExpectedSteps>()
  let totalUnits = 0
  const forget = (steps: ExpectedSteps) => {
    totalUnits -= entries.get(steps)?.units ?? 0
    entries.delete(steps)
    for (const id of steps.calls.values()) byCall.delete(id)
  }
  const evict = () => {
    for (const [steps, { at }] of entries) {
      const isOld = clock.now() - at > maxOpenMs
      if (!isOld && entries.size <= maxOpenSteps && totalUnits <= maxOpenUnits) return
      forget(steps)
    }
  }
  return {
    find: (callId) => {
      evict()
      return byCall.get(callId)
    },
    keep: (steps) => {
      const units = JSON.stringify(steps.steps).length
      entries.set(steps, { at: clock.now(), units })
      for (const id of steps.calls.values()) byCall.set(id, steps)
      totalUnits += units
      evict()
    },
  }
}

/**
 * Joins calls with their results, and inserts the remembered steps. A result without a call becomes a message
 * of its own.
 */
export const expandCalls = (
  talk: readonly SentMessage[],
  openSteps: Pick<OpenSteps, 'find'>,
): readonly CallerMessage[] => {
  const callIds = new Set(
    talk.flatMap((message) => (message.role === 'calls' ? message.calls : [])).map(getId),
  )
  const results = new Map<string, string[]>()
  for (const message of talk)
    if (message.role === 'result' && message.call !== undefined)
      results.set(message.call, [...(results.get(message.call) ?? []), message.content])
  const takeResult = (id: string) => results.get(id)?.shift() ?? missingResult
  const expandedIds = new Set<string>()
  return talk.flatMap((message): readonly CallerMessage[] => {
    if (message.role === 'result')
      return message.call !== undefined && callIds.has(message.call)
        ? []
        : [{ role: 'result', content: message.content }]
    if (message.role !== 'calls') return [message]
    const openCalls = message.calls.filter(({ id }) => !expandedIds.has(id))
    const remembered = openCalls.map(({ id }) => openSteps.find(id)).find((steps) => steps !== undefined)
    if (remembered) {
      for (const id of remembered.calls.values()) expandedIds.add(id)
      return [{ role: 'steps', steps: fillResults(remembered, takeResult) }]
    }
    if (openCalls.length === 0) return []
    const step: TurnStep = {
      seq: null,
      answer: { text: message.content, calls: openCalls },
      results: openCalls.map((call) => toResult(call, takeResult(call.id))),
    }
    return [{ role: 'steps', steps: [step] }]
  })
}

const getId = ({ id }: Pick<Call, 'id'>): string => id

const fillResults = (
  { steps, calls }: ExpectedSteps,
  takeResult: (id: string) => string,
): readonly TurnStep[] =>
  steps.map((step, n) => {
    if (n < steps.length - 1) return step
    const results = step.answer.calls.map(
      (call) =>
        step.results.find((result) => result.call === call.id) ??
        toResult(call, takeResult(calls.get(call.id) ?? '')),
    )
    return { ...step, results }
  })

const missingResult = 'The program gave no result.'

const toResult = ({ id, name }: Call, text: string): TurnStep['results'][number] => ({
  seq: null,
  call: id,
  name,
  output: { note: foreignNote, text },
})
