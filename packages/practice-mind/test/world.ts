/** A small world for the practice mind: statements, tools and the clock, all in memory. */

import type { Call } from '../../../facts/fact-values.ts'
import { formatPast, formatWall } from '../../kit/time/local-time.ts'
import type { Mind, Prompt } from '../../models/mind.ts'
import type { KnownStatement, OpenPlan, PromptData, TalkLine, Utterance } from '../../models/prompt-data.ts'

export type Happening =
  | { readonly type: 'call'; readonly name: string; readonly input: unknown; readonly result: unknown }
  | { readonly type: 'words'; readonly text: string }

export interface Known {
  readonly document: string
  readonly text: string
}

export interface World {
  now: string
  /** Runs a turn with a message, or with null for due reminders. */
  turn(message: string | null): Promise<readonly Happening[]>
  /**
   * Consolidates the conversation since the last consolidation, applies the operations, and keeps only the
   * carried context.
   */
  goOver(): Promise<Over>
  /** Consolidates at the end of a day. */
  sleep(): Promise<Over>
  prompt(): Prompt
  /** Known statements, by id. */
  readonly statements: ReadonlyMap<string, Known>
}

/** The result of a consolidation. */
export interface Over {
  readonly operations: readonly (
    | {
        readonly op: 'keep'
        readonly document: string
        readonly text: string
        readonly sources: readonly number[]
        readonly pin?: true
      }
    | { readonly op: 'pin'; readonly ids: readonly string[] }
    | {
        readonly op: 'revise'
        readonly id: string
        readonly text: string
        readonly sources: readonly number[]
      }
    | { readonly op: 'forget'; readonly id: string; readonly why: string }
  )[]
  readonly carry: string
  readonly summary: string
}

interface WorldOptions {
  readonly mind: Mind
  readonly persona?: string
  readonly at?: string
  readonly tools?: readonly string[]
}

const documents = ['person', 'traits', 'persona-trait', 'wishes', 'struggles', 'permissions']
const allTools = ['remember', 'recall', 'plan', 'plan add', 'plan cancel', 'plan list']

export const createWorld = ({
  mind,
  persona = 'Ada',
  at = '2026-11-23T10:15',
  tools = allTools,
}: WorldOptions): World => {
  const statements = new Map<string, Known>()
  const pinnedIds = new Set<string>()
  const forgotten: string[] = []
  let plans: OpenPlan[] = []
  const pastPlans: OpenPlan[] = []
  const talk: { seq: number; time: string; role: string; content: string }[] = []
  let carry = ''
  let day = ''
  let consolidatedCount = 0
  /** Messages of finished turns. Calls and results are dropped. */
  let words: Utterance[] = []
  let turn: Utterance[] = []
  let ids = 0

  const record = (role: string, content: string) =>
    talk.push({ seq: talk.length + 1, time: `${world.now}:00+01:00`, role, content })

  const run: Record<string, (input: Record<string, unknown>) => unknown> = {
    remember: ({ op, id, document, text }) => {
      if (op === 'keep') {
        statements.set(`m${++ids}`, { document: String(document), text: String(text) })
        return { kept: `m${ids}` }
      }
      const old = statements.get(String(id))
      if (!old) return { error: 'There is no such statement.' }
      if (op === 'revise') {
        statements.set(String(id), { ...old, text: String(text) })
        return { revised: id }
      }
      statements.delete(String(id))
      forgotten.push(old.text)
      return { forgotten: id }
    },
    recall: ({ query, limit }) => {
      const words = String(query).toLowerCase().split(' ')
      const matches = talk.filter(({ content }) =>
        words.every((word) => content.toLowerCase().includes(word)),
      )
      const foundMessages = matches.map(({ time, role, content }) => ({
        when: formatPast(Date.parse(time), Date.parse(`${world.now}:00+01:00`), 'Europe/Berlin'),
        role,
        content,
      }))
      return { found: foundMessages.reverse().slice(0, Number(limit ?? 10)) }
    },
    plan: ({ op = 'add', id, from = '', to = '9999', ...input }) => {
      if (op === 'cancel') {
        const isKnown = plans.some((plan) => plan.id === id)
        plans = plans.filter((plan) => plan.id !== id)
        return isKnown ? { cancelled: id } : { error: 'There is no such plan.' }
      }
      if (op === 'list') {
        const isInRange = ({ when }: OpenPlan) => when >= String(from) && when < String(to)
        return { plans: plans.filter(isInRange), past: pastPlans.filter(isInRange) }
      }
      const { kind, when: wall, in_minutes: minutes, content, recurrence } = input

      const wallTime =
        wall ?? new Date(Date.parse(`${world.now}:00Z`) + Number(minutes) * 60_000).toISOString().slice(0, 16)
      if (String(wallTime) <= world.now) return { error: 'That is in the past.' }
      plans.push({
        id: `p${++ids}`,
        kind: String(kind),
        when: String(wallTime),
        content: String(content),
        recurrence: (recurrence as string) ?? null,
      })
      return { planned: `p${ids}`, when: formatWall(String(wallTime)) }
    },
  }

  const knowledge = (): readonly KnownStatement[] =>
    documents.flatMap((document) =>
      [...statements].flatMap(([id, statement]) =>
        statement.document === document
          ? [{ id, ...statement, ...(pinnedIds.has(id) && { pinned: true }) }]
          : [],
      ),
    )

  const takeDuePlans = () => {
    const duePlans = plans.filter(({ when }) => when <= world.now)
    plans = plans.filter((plan) => !duePlans.includes(plan))
    pastPlans.push(...duePlans)
    return duePlans.map(({ when, content }) => ({ when, late: when < world.now, content }))
  }

  const lines = (): readonly TalkLine[] =>
    talk.slice(consolidatedCount).map(({ seq, time, role, content }) =>
      createLine({
        seq,
        time: time.slice(0, 16),
        by: role === 'person' ? role : 'persona',
        words: content,
      }),
    )

  const goOver = async (): Promise<Over> => {
    if (talk.length === consolidatedCount) return { operations: [], carry, summary: day }
    const request = overPrompt({ persona, known: knowledge(), forgotten, carry, day }, lines())
    const answer: Over = JSON.parse((await collectAnswer(mind, request)).text)
    for (const operation of answer.operations) {
      if (operation.op === 'pin') for (const id of operation.ids) pinnedIds.add(id)
      else if (operation.op === 'forget') statements.delete(operation.id)
      else if (operation.op === 'keep')
        statements.set(`m${++ids}`, { document: operation.document, text: operation.text })
      else
        statements.set(operation.id, {
          document: statements.get(operation.id)?.document ?? 'unknown',
          text: operation.text,
        })
    }
    ;({ carry, summary: day } = answer)
    consolidatedCount = talk.length
    words = []
    return answer
  }

  const world: World = {
    now: at,
    statements,
    goOver,
    sleep: async () => {
      const answer = await goOver()
      day = ''
      return answer
    },
    prompt: () =>
      createPrompt(
        {
          kind: 'turn',
          name: persona,
          statements: knowledge(),
          plans,
          laterPlans: 0,
          carried: carry,
          now: world.now,
          talk: [...words, ...turn],
        },
        tools,
      ),
    turn: async (message) => {
      const duePlans = takeDuePlans()
      turn = duePlans.length > 0 ? [{ by: 'calendar', due: duePlans }] : []
      if (message !== null) {
        turn.push(createUtterance(message))
        record('person', message)
      }
      const happenings: Happening[] = []
      for (let step = 0; step < 16; step++) {
        const { text, calls } = await collectAnswer(mind, world.prompt())
        turn.push(answering(text, calls))
        if (text) happenings.push({ type: 'words', text })
        if (text) record('assistant', text)
        if (calls.length === 0) break
        for (const { id, name, input } of calls) {
          const result = run[name]?.(input as Record<string, unknown>) ?? { error: 'There is no such tool.' }
          happenings.push({ type: 'call', name, input, result })
          turn.push({ by: 'tool', call: id, name, output: result })
        }
      }
      if (message !== null) words.push(createUtterance(message))
      for (const happening of happenings)
        if (happening.type === 'words') words.push(answering(happening.text))
      turn = []
      return happenings
    },
  }
  return world
}

/** Contains no prompt text: the practice mind reads only the data. */
export const createPrompt = (data: PromptData, tools: readonly string[] = []): Prompt => ({
  system: '',
  messages: [],
  tools: tools.map((name) => ({ name, description: name, parameters: {} })),
  data: () => data,
})

export const createUtterance = (words: string): Utterance => ({
  by: 'person',
  words,
  files: [],
  passedOn: false,
})

export const answering = (words: string, calls: readonly Call[] = []): Utterance => ({
  by: 'persona',
  words,
  files: [],
  calls,
})

export interface Before {
  readonly persona?: string
  readonly known?: readonly KnownStatement[]
  readonly forgotten?: readonly string[]
  readonly carry?: string
  readonly day?: string
}

/** Builds the prompt of a consolidation. */
export const overPrompt = (state: Before, lines: readonly TalkLine[]): Prompt => {
  const { persona = 'Ada', known = [], forgotten = [], carry = '', day = '' } = state
  return createPrompt({
    kind: 'consolidation',
    name: persona,
    statements: known,
    forgotten,
    carried: carry,
    day,
    lines,
  })
}

export const createLine = (line: Pick<TalkLine, 'seq' | 'words'> & Partial<TalkLine>): TalkLine => ({
  time: '2026-11-23T10:15',
  by: 'person',
  alone: true,
  ...line,
})

type Answer = { text: string; calls: Call[] }

export const collectAnswer = async (mind: Mind, prompt: Prompt): Promise<Answer> => {
  const answer: Answer = { text: '', calls: [] }
  for await (const part of mind.think(prompt, new AbortController().signal)) {
    if (part.type === 'words') answer.text += part.text
    if (part.type === 'call') answer.calls.push(part.call)
  }
  return answer
}
