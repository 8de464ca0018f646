/** Tests the rules without a disk: given facts, when a command, writes facts. */
import { equal, ok } from 'uvu/assert'
import type { Channel, Failed } from '../../facts/fact-values.ts'
import type { EventOf, PersonaEvent } from '../../facts/facts.ts'
import { evolve, type Persona } from '../../projections/persona.ts'
import type { RefusalCode } from '../../src/persona/refusals.ts'
import { type Command, decide } from '../../src/persona/rules/decide.ts'
import type { RecordAnswer } from '../../src/persona/rules/turn.ts'
import { toParts } from '../message-parts.ts'

export const opus = { model: 'llama3.2', provider: null, url: null, key: null } as const

export const born: PersonaEvent = {
  type: 'PersonaCreated',
  id: 'p',
  name: 'Ada',
  birthday: '2026-06-04',
  idleTimeout: 3600,
  recipient: 'age1',
}
export const minded: PersonaEvent = { type: 'OrganReplaced', slot: 'thinking', organ: opus }
export const web = { type: 'web', name: 'p' } as const
export const createMessageHeard = (content: string, key: string | null = null): PersonaEvent => ({
  type: 'MessageHeard',
  channel: web,
  parts: toParts(content),
  media: null,
  key,
})
export const awake: readonly PersonaEvent[] = [
  born,
  minded,
  { type: 'StartAsked' },
  { type: 'Woke', life: 1 },
]

export const eye: PersonaEvent = { type: 'OrganReplaced', slot: 'eye', organ: opus }
/** A turn of the life that `awake` begins; its id is its position. */
export const createTurnBegan = (
  lastSeq: number,
  dueIds: string[] = [],
  channel: Channel = web,
): PersonaEvent => ({
  type: 'TurnBegan',
  life: 1,
  channel,
  stimuli: { after: 0, upTo: lastSeq, due: dueIds },
})
export const entryPlanned: EventOf<'EntryPlanned'> = {
  type: 'EntryPlanned',
  id: 'p1',
  kind: 'reminder',
  wall: '2026-11-24T09:00:00',
  zone: 'Europe/Berlin',
  content: 'call mum',
  recurrence: 'daily',
  anchor: '2026-11-24T09:00:00',
}
export const answer = (text: string, overrides: Partial<RecordAnswer> = {}): RecordAnswer => ({
  type: 'RecordAnswer',
  borrowed: [],
  borrowedInCalls: [],
  life: 1,
  turn: 6,
  step: 1,
  used: {
    organ: 'thinking',
    provider: null,
    model: 'm',
    usage: { input: 1, output: 1, cached: null, made: null },
    ms: 5,
    calls: 1,
    price: null,
    recipe: { parts: [], sent: 'a'.repeat(64) },
  },
  answer: { text, calls: [] },
  part: null,
  ...overrides,
})
export const failure = (fields: Partial<Failed> = {}): Failed => ({
  organ: 'thinking',
  provider: null,
  model: 'm',
  ms: 5,
  calls: 3,
  kind: 'unreachable',
  reason: 'away',
  ...fields,
})

export const fold = (facts: readonly PersonaEvent[]): Persona | undefined =>
  facts.reduce<Persona | undefined>(
    (persona, event, i) => evolve(persona, { seq: i + 1, at: 1000 * (i + 1), event }),
    undefined,
  )

export const given = (...facts: readonly PersonaEvent[]) => ({
  when: (command: Command) => {
    const decision = decide(fold(facts), command)
    return {
      writes: (...events: readonly PersonaEvent[]) => equal(decision, { events }),
      refuses: (code: RefusalCode) => {
        ok('refused' in decision, JSON.stringify(decision))
        if ('refused' in decision) equal(decision.refused.code, code)
      },
    }
  },
})
