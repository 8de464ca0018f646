/** The rule of undo: reads each kind of thing from the state, and builds the facts that restore it. */
import { isDeepStrictEqual } from 'node:util'
import type { Organ, Seq, Slot, StoredMedia } from '../../../facts/fact-values.ts'
import type { PersonaEvent } from '../../../facts/facts.ts'
import type { Candidate, InitiativeChoice } from '../../../projections/initiative.ts'
import type { Statement } from '../../../projections/knowledge.ts'
import { valueAt } from '../../../projections/persistent-map.ts'
import type { Persona } from '../../../projections/persona.ts'
import type { Plan } from '../../../projections/plans.ts'
import { isMarkedLine } from '../../../projections/self.ts'
import { accept, type Decision, type Rules, refuse } from './decision.ts'
import { toChoice } from './initiative.ts'
import { type CharacterDraft, markLine, maxMarkedLines, readCharacter } from './persona.ts'
import type { Thing } from './undo-table.ts'

/**
 * Undoes the fact at `seq`. `before` and `after`: the states around it; the thing must still be as in
 * `after`. `wall`: the next time of a recurring plan.
 */
export interface Undo {
  readonly type: 'Undo'
  readonly seq: Seq
  readonly thing: Thing
  readonly before: Persona
  readonly after: Persona
  readonly wall?: string
}

/** Values by kind of thing; null if it does not exist. */
interface Values {
  readonly name: string
  readonly character: CharacterDraft
  readonly line: boolean
  readonly portrait: StoredMedia | null
  readonly idle: number
  readonly status: Pick<Persona['self'], 'status' | 'reason'>
  readonly organ: Organ | null
  readonly channel: { readonly token: string; readonly target: string | null } | null
  readonly memory: {
    readonly forgotten: boolean
    readonly into?: string | undefined
    readonly statement: Words
  } | null
  readonly pin: boolean | null
  readonly instruction: { readonly intention: string; readonly body: string } | null
  readonly plan: Omit<Plan, 'seq'> | 'due' | null
  readonly initiative: InitiativeChoice
  readonly reason: Omit<Candidate, 'seq' | 'resting'> | null
}
type Words = Omit<Statement, 'seq' | 'at' | 'pinned' | 'pinnedBy'>

interface Restored extends Undo {
  /** The present state. */
  readonly persona: Persona
}

/** `restore` returns the facts that lead from `is` to `was`, or why that is impossible. */
interface Kind<V> {
  readonly read: (persona: Persona, id: string) => V
  readonly restore: (
    previous: V,
    currentValue: V,
    id: string,
    undo: Restored,
  ) => readonly PersonaEvent[] | string
}

const kinds: { readonly [K in Thing['of']]: Kind<Values[K]> } = {
  name: {
    read: ({ self }) => self.name,
    restore: (name) => [{ type: 'Renamed', name }],
  },
  character: {
    read: readCharacter,
    restore: (previous) => [{ type: 'CharacterSet', ...previous }],
  },
  line: {
    read: ({ self }, id) => isMarkedLine(self, Number(id)),
    restore: (isMarked, _, id, { persona }) => restoreLine(persona, Number(id), isMarked),
  },
  portrait: {
    read: ({ self }) => self.portrait,
    restore: (media) =>
      media ? [{ type: 'PortraitChosen', media, source: 'file' }] : [{ type: 'PortraitRemoved' }],
  },
  idle: {
    read: ({ self }) => self.idleTimeout,
    restore: (seconds) => [{ type: 'IdleTimeoutSet', seconds }],
  },
  status: {
    read: ({ self: { status, reason } }) => ({ status, reason }),
    restore: (previous) => [{ type: 'StatusSet', ...previous }],
  },
  organ: {
    read: ({ self }, slot) => self.organs[slot as Slot] ?? null,
    restore: (organ, _, id) => {
      const slot = id as Slot
      if (organ) return [{ type: 'OrganReplaced', slot, organ }]
      return slot === 'thinking' ? 'It needs a Mind.' : [{ type: 'OrganRemoved', slot }]
    },
  },
  channel: {
    read: ({ self }, id) => {
      const channel = self.channels.find((entry) => entry.id === id)
      return channel ? { token: channel.token, target: channel.paired?.target ?? null } : null
    },
    restore: (previous, _, id) =>
      previous ? 'Its former token is gone: add the channel again.' : [{ type: 'ChannelRemoved', id }],
  },
  memory: {
    read: ({ knowledge }, id) => {
      const knownStatement = valueAt(knowledge.statements, id)
      const forgotten = valueAt(knowledge.forgotten, id)
      const statement = knownStatement ?? forgotten
      if (!statement) return null
      const { document, text, sources, origin, via = null, from = null, until = null } = statement
      return {
        forgotten: !knownStatement,
        into: knownStatement ? undefined : forgotten?.into,
        statement: { id, document, text, sources, origin, via, from, until },
      }
    },
    restore: (previous, currentValue, id, { before }) => restoreStatement(previous, currentValue, id, before),
  },
  pin: {
    read: ({ knowledge }, id) => {
      const statement = valueAt(knowledge.statements, id)
      return statement ? (statement.pinned ?? false) : null
    },
    restore: (previous, _, id) => [{ type: 'MemoryPinned', id, pinned: previous ?? false, origin: 'person' }],
  },
  instruction: {
    read: ({ knowledge }, id) => {
      const instruction = valueAt(knowledge.instructions, id)
      return instruction ? { intention: instruction.intention, body: instruction.body } : null
    },
    restore: (previous, currentValue, id) => {
      if (!previous) return [{ type: 'InstructionRemoved', id }]
      return previous.intention === currentValue?.intention
        ? [{ type: 'InstructionRevised', id, body: previous.body }]
        : [{ type: 'InstructionLearned', id, ...previous }]
    },
  },
  plan: {
    read: ({ plans }, id) => {
      const open = valueAt(plans.open, id)
      if (!open) return plans.due.some((plan) => plan.id === id) ? 'due' : null
      const { seq: _, ...plan } = open
      return plan
    },
    restore: (previous, currentValue, id, { wall }) => {
      if (previous === 'due') return 'It had fallen due by then: plan it again.'
      if (!previous) return [{ type: 'EntryCancelled', id }]
      const entry = { ...previous, ...(wall !== undefined && { wall }) }
      return [currentValue ? { type: 'EntryMoved', ...entry } : { type: 'EntryPlanned', ...entry }]
    },
  },
  initiative: {
    read: ({ initiative }) => toChoice(initiative),
    restore: (previous) => [{ type: 'InitiativeChosen', ...previous }],
  },
  reason: {
    read: ({ initiative }, id) => {
      const candidate = initiative.open.find((entry) => entry.id === id)
      if (!candidate) return null
      const { seq: _, resting: __, ...fields } = candidate
      return fields
    },
    restore: (previous, currentValue, id) => {
      if (!previous) return [{ type: 'InitiativeRemoved', id, cause: 'person' }]
      const fields = { ...previous, sources: [...previous.sources] }
      return [
        currentValue ? { type: 'InitiativeMoved', ...fields } : { type: 'InitiativePlanned', ...fields },
      ]
    },
  },
}

/** A statement that was never known can only be forgotten. */
const restoreStatement = (
  previous: Values['memory'],
  currentValue: Values['memory'],
  id: string,
  personaBefore: Persona,
): readonly PersonaEvent[] => {
  const intoField = previous?.into === undefined ? {} : { into: previous.into }
  const forgottenEvent = { type: 'MemoryForgotten', id, why: null, ...intoField } as const
  if (!previous) return [forgottenEvent]
  const { text, origin, sources, via, from, until, document } = previous.statement
  const words = {
    text,
    origin,
    sources: [...sources],
    ...(via && { via }),
    ...(from && { from }),
    ...(until && { until }),
  }
  const revisedEvent = { type: 'MemoryRevised', id, ...words } as const
  if (currentValue?.forgotten) {
    const { pinned, pinnedBy = 'person' } = valueAt(personaBefore.knowledge.statements, id) ?? {}
    return [
      { type: 'MemoryRestored', id, document, ...words },
      ...(pinned ? [{ type: 'MemoryPinned', id, pinned, origin: pinnedBy } as const] : []),
    ]
  }
  if (!previous.forgotten) return [revisedEvent]
  return currentValue?.statement.text === text ? [forgottenEvent] : [revisedEvent, forgottenEvent]
}

export const undoRules: Rules<Undo> = {
  Undo: (persona, command) => {
    const { thing, before, after } = command
    const { read, restore } = kinds[thing.of] as Kind<unknown>
    const [previous, afterChange, currentValue] = [before, after, persona].map((state) =>
      read(state, thing.id),
    )
    if (isDeepStrictEqual(previous, afterChange))
      return refuse({ code: 'undo_refused', reason: 'It has changed nothing.' })
    if (!isDeepStrictEqual(afterChange, currentValue)) return refuse({ code: 'changed_since', at: null })
    return toDecision(restore(previous, currentValue, thing.id, { ...command, persona }))
  },
}

export const messageGone = 'The message is not shown any more.'

/** Like a new mark, it needs a shown message and a free place. */
const restoreLine = (persona: Persona, message: Seq, isMarked: boolean): readonly PersonaEvent[] | string => {
  const decision = markLine(persona, { type: 'MarkLine', message, marked: isMarked })
  if ('events' in decision) return decision.events
  return decision.refused.code === 'too_many'
    ? `There are ${maxMarkedLines} marked messages already.`
    : messageGone
}

const toDecision = (facts: readonly PersonaEvent[] | string): Decision =>
  typeof facts === 'string' ? refuse({ code: 'undo_refused', reason: facts }) : accept(...facts)

/** Returns the former organ of an undo, or null. */
export const formerOrgan = ({ thing, before }: Undo): { slot: Slot; organ: Organ } | null => {
  const slot = thing.id as Slot
  const organ = thing.of === 'organ' ? before.self.organs[slot] : undefined
  return organ ? { slot, organ } : null
}

/** Returns the plan that an undo reopens, or null. */
export const formerPlan = ({ thing, before }: Undo): Plan | null =>
  thing.of === 'plan' ? (valueAt(before.plans.open, thing.id) ?? null) : null
