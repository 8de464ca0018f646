/** The rules of taking back: which facts can be, what each of them touches, and how that is put back. */
import { isDeepStrictEqual } from 'node:util'
import type { Organ, Seq, Slot } from '../../../journal/facts/fact-values.ts'
import type { EventOf, EventType, PersonaEvent } from '../../../journal/facts/facts.ts'
import type { Entry } from '../../../journal/log/journal.ts'
import type { Statement } from '../../../projections/knowledge.ts'
import { isAt, valueAt } from '../../../projections/persistent-map.ts'
import type { Persona } from '../../../projections/persona.ts'
import type { Plan } from '../../../projections/plans.ts'
import type { Refusal } from '../refusals.ts'
import { accept, type Decision, type Rules, refuse } from './decision.ts'

/** What a fact changes: one thing of the persona's, which others may change before and after it. */
export interface Thing {
  readonly of: keyof Values
  /** `''` where there is only one. */
  readonly id: string
}

/**
 * The fact at `seq` is taken back: what it touched was `before` it as it is to be again, and must still be as
 * it left it (`after`). `wall`: of a plan that comes again and again, its next time.
 */
export interface Undo {
  readonly type: 'Undo'
  readonly seq: Seq
  readonly thing: Thing
  readonly before: Persona
  readonly after: Persona
  readonly wall?: string
}

/** How each thing stands in the state; null where there is none. */
interface Values {
  readonly name: string
  readonly idle: number
  readonly status: Pick<Persona['self'], 'status' | 'reason'>
  readonly organ: Organ | null
  readonly channel: { readonly token: string; readonly target: string | null } | null
  readonly memory: { readonly forgotten: boolean; readonly statement: Words } | null
  readonly instruction: { readonly intention: string; readonly body: string } | null
  readonly plan: Omit<Plan, 'seq'> | 'due' | null
}
type Words = Omit<Statement, 'seq' | 'at'>

/** `back`: the facts that lead from how it is to how it was, or why there are none. */
interface Kind<V> {
  readonly look: (persona: Persona, id: string) => V
  readonly back: (was: V, is: V, id: string, undo: Undo) => readonly PersonaEvent[] | string
}

const kinds: { readonly [K in keyof Values]: Kind<Values[K]> } = {
  name: {
    look: ({ self }) => self.name,
    back: (name) => [{ type: 'Renamed', name }],
  },
  idle: {
    look: ({ self }) => self.idleTimeout,
    back: (seconds) => [{ type: 'IdleTimeoutSet', seconds }],
  },
  status: {
    look: ({ self: { status, reason } }) => ({ status, reason }),
    back: (was) => [{ type: 'StatusSet', ...was }],
  },
  organ: {
    look: ({ self }, slot) => self.organs[slot as Slot] ?? null,
    back: (organ, _, id) => {
      const slot = id as Slot
      if (organ) return [{ type: 'OrganReplaced', slot, organ }]
      return slot === 'thinking' ? 'It needs a Mind.' : [{ type: 'OrganRemoved', slot }]
    },
  },
  channel: {
    look: ({ self }, id) => {
      const channel = self.channels.find((one) => one.id === id)
      return channel ? { token: channel.token, target: channel.paired?.target ?? null } : null
    },
    back: (was, _, id) =>
      was ? 'Its former token is gone: add the channel again.' : [{ type: 'ChannelRemoved', id }],
  },
  memory: {
    look: ({ knowledge }, id) => {
      const known = valueAt(knowledge.statements, id)
      const one = known ?? valueAt(knowledge.forgotten, id)
      if (!one) return null
      const { document, text, sources, origin } = one
      return { forgotten: !known, statement: { id, document, text, sources, origin } }
    },
    back: (was, is, id) => remembering(was, is, id),
  },
  instruction: {
    look: ({ knowledge }, id) => {
      const one = valueAt(knowledge.instructions, id)
      return one ? { intention: one.intention, body: one.body } : null
    },
    back: (was, is, id) => {
      if (!was) return [{ type: 'InstructionRemoved', id }]
      return was.intention === is?.intention
        ? [{ type: 'InstructionRevised', id, body: was.body }]
        : [{ type: 'InstructionLearned', id, ...was }]
    },
  },
  plan: {
    look: ({ plans }, id) => {
      const { seq: _, ...plan } = valueAt(plans.open, id) ?? { seq: 0, none: true as const }
      if (!('none' in plan)) return plan
      return plans.due.some((one) => one.id === id) ? 'due' : null
    },
    back: (was, is, id, { wall }) => {
      if (was === 'due') return 'It had fallen due by then: plan it anew.'
      if (!was) return [{ type: 'EntryCancelled', id }]
      const entry = { ...was, ...(wall !== undefined && { wall }) }
      return [is ? { type: 'EntryMoved', ...entry } : { type: 'EntryPlanned', ...entry }]
    },
  },
}

/** What was never known can only be forgotten. */
const remembering = (was: Values['memory'], is: Values['memory'], id: string): readonly PersonaEvent[] => {
  const forgetting = { type: 'MemoryForgotten', id, why: null } as const
  if (!was) return [forgetting]
  const { text, origin, sources, ...rest } = was.statement
  const words = { text, origin, sources: [...sources] }
  const revising = { type: 'MemoryRevised', id, ...words } as const
  if (is?.forgotten) return [{ type: 'MemoryRestored', ...rest, ...words }]
  if (!was.forgotten) return [revising]
  return is?.statement.text === text ? [forgetting] : [revising, forgetting]
}

/** `never`: why a fact cannot be taken back, to whoever asks. One that touches a thing ends its undoing. */
type Row<T extends EventType> =
  | { readonly touches: (event: EventOf<T>) => Thing; readonly never?: string }
  | { readonly touches?: undefined; readonly never: string }

const name = { touches: (): Thing => ({ of: 'name', id: '' }) }
const idle = { touches: (): Thing => ({ of: 'idle', id: '' }) }
const status = { touches: (): Thing => ({ of: 'status', id: '' }) }
const organ = { touches: ({ slot }: { readonly slot: Slot }): Thing => ({ of: 'organ', id: slot }) }
const byId = (of: keyof Values) => ({ touches: ({ id }: { readonly id: string }): Thing => ({ of, id }) })
const [channel, memory] = [byId('channel'), byId('memory')]
const [instruction, plan] = [byId('instruction'), byId('plan')]

const happened = 'It has happened by itself.'
const asked = 'It has been asked already: start, stop or restart it as it should be.'
const slept = 'A night that has passed cannot be taken back.'
const thought = 'What was thought and done in a turn cannot be taken back; what was kept of it can.'
const said = 'What was said or sent cannot be taken back.'
const due = 'It has fallen due.'

const rows: { readonly [T in EventType]: Row<T> } = {
  PersonaCreated: { never: 'It was created with this.' },
  PersonaRestored: { never: 'It was brought back with this.' },
  PersonaDeleted: { never: 'It is deleted.' },
  Renamed: name,
  IdleTimeoutSet: idle,
  OrganReplaced: organ,
  OrganRemoved: organ,
  StatusSet: status,
  PhraseChanged: { never: 'The recovery phrase before is kept nowhere: ask for a new one.' },
  Lost: { never: 'What stood here is lost.' },
  Salvaged: { never: 'A salvage cannot be taken back: the journal as it was lies beside it.' },

  StartAsked: { never: asked },
  StopAsked: { never: asked },
  RestartAsked: { never: asked },
  Woke: { never: happened },
  Stopped: { never: happened },
  WakingFailed: { never: happened },
  OrganFailed: { never: happened },
  OrganRecovered: { never: happened },

  ChannelAdded: channel,
  ChannelRemoved: { ...channel, never: 'Its token is gone: add the channel again.' },
  ChannelPaired: { ...channel, never: 'The chat knows that it is paired: remove the channel to end that.' },
  ChannelTroubled: { never: happened },
  ChannelRecovered: { never: happened },
  Delivered: { never: said },
  PartsDelivered: { never: said },
  DeliveryFailed: { never: happened },

  MessageHeard: { never: 'What was heard cannot be unheard; what was kept of it can be taken back.' },
  TurnBegan: { never: 'A turn cannot be taken back; what was kept and planned in it can.' },
  ModelAnswered: { never: thought },
  ModelFailed: { never: happened },
  MediaDescribed: { never: 'What was perceived in a file cannot be taken back; what was kept of it can.' },
  ToolCalled: { never: thought },
  ToolAnswered: { never: thought },
  MessageSpoken: { never: said },
  TurnEnded: { never: 'A turn cannot be taken back; what was kept and planned in it can.' },

  MemoryKept: memory,
  MemoryRevised: memory,
  MemoryForgotten: memory,
  MemoryRestored: memory,
  ContextCarried: { never: 'What was gone over cannot be taken back; what was kept of it can.' },
  InstructionLearned: instruction,
  InstructionRevised: instruction,
  InstructionRemoved: instruction,

  EntryPlanned: plan,
  EntryMoved: plan,
  EntryCancelled: plan,
  EntryDue: { ...plan, never: due },
  EntryDone: { ...plan, never: due },
  SleepBegan: { never: slept },
  DayClosed: { never: 'A day that is closed cannot be taken back.' },
  DiaryWritten: { never: 'A diary that is written cannot be taken back.' },
  SleepEnded: { never: slept },

  HistoryFed: { never: 'What was gone over cannot be taken back; what was kept of it can.' },
}

// Each row takes the event of its own type.
const rowOf = (event: PersonaEvent) => rows[event.type] as Row<never>

/** The thing that a fact touches, where it touches one. */
export const touchedBy = (event: PersonaEvent): Thing | null => rowOf(event).touches?.(event as never) ?? null

/** Whether a fact of such a type may touch something, told without its words. */
export const mayTouch = (type: EventType): boolean => rows[type].touches !== undefined

/** What is to be put back where a fact is taken back. */
export const undoable = ({
  event,
  cause,
}: Pick<Entry, 'event' | 'cause'>): Thing | { readonly refused: Refusal } => {
  const { touches, never } = rowOf(event)
  if (never !== undefined || !touches) return { refused: { code: 'undo_refused', reason: never ?? happened } }
  // What set it sets it again.
  if (event.type === 'StatusSet' && cause.by !== 'person')
    return {
      refused: { code: 'undo_refused', reason: 'The daemon set it for a reason that it looks after.' },
    }
  return touches(event as never)
}

export const undoRules: Rules<Undo> = {
  Undo: (persona, command) => {
    const { thing, before, after } = command
    const { look, back } = kinds[thing.of] as Kind<unknown>
    const [was, left, is] = [before, after, persona].map((state) => look(state, thing.id))
    if (isDeepStrictEqual(was, left))
      return refuse({ code: 'undo_refused', reason: 'It has changed nothing.' })
    if (!isDeepStrictEqual(left, is)) return refuse({ code: 'changed_since', at: null })
    return decided(back(was, is, thing.id, command))
  },
}

const decided = (facts: readonly PersonaEvent[] | string): Decision =>
  typeof facts === 'string' ? refuse({ code: 'undo_refused', reason: facts }) : accept(...facts)

/** Of an organ: what it was before, where it was one. */
export const formerOrgan = ({ thing, before }: Undo): { slot: Slot; organ: Organ } | null => {
  const slot = thing.id as Slot
  const organ = thing.of === 'organ' ? before.self.organs[slot] : undefined
  return organ ? { slot, organ } : null
}

/** A plan that will be open again. */
export const formerPlan = ({ thing, before }: Undo): Plan | null =>
  thing.of === 'plan' && isAt(before.plans.open, thing.id)
    ? (valueAt(before.plans.open, thing.id) ?? null)
    : null
