/** The rule of taking back: how each thing that facts change stands in the state, and what puts it back. */
import { isDeepStrictEqual } from 'node:util'
import type { Organ, Seq, Slot } from '../../../journal/facts/fact-values.ts'
import type { PersonaEvent } from '../../../journal/facts/facts.ts'
import type { Statement } from '../../../projections/knowledge.ts'
import { valueAt } from '../../../projections/persistent-map.ts'
import type { Persona } from '../../../projections/persona.ts'
import type { Plan } from '../../../projections/plans.ts'
import { accept, type Decision, type Rules, refuse } from './decision.ts'
import type { Thing } from './undo-table.ts'

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

const kinds: { readonly [K in Thing['of']]: Kind<Values[K]> } = {
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
      const { document, text, sources, origin, via = null } = one
      return { forgotten: !known, statement: { id, document, text, sources, origin, via } }
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
      const open = valueAt(plans.open, id)
      if (!open) return plans.due.some((one) => one.id === id) ? 'due' : null
      const { seq: _, ...plan } = open
      return plan
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
  const { text, origin, sources, via, ...rest } = was.statement
  const words = { text, origin, sources: [...sources], ...(via && { via }) }
  const revising = { type: 'MemoryRevised', id, ...words } as const
  if (is?.forgotten) return [{ type: 'MemoryRestored', ...rest, ...words }]
  if (!was.forgotten) return [revising]
  return is?.statement.text === text ? [forgetting] : [revising, forgetting]
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
  thing.of === 'plan' ? (valueAt(before.plans.open, thing.id) ?? null) : null
