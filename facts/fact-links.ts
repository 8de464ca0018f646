/** The references of a fact to earlier facts, as the links in its row declare them. */

import { Damaged } from '../journal/log/errors.ts'
import type { Payload } from '../journal/log/vocabulary.ts'
import type { Link, Relation, Thing } from './fact.ts'
import type { Channel, Seq, Stimuli } from './fact-values.ts'
import { getTraits, type PersonaEvent } from './facts.ts'
import type { Entry } from './persona-journal.ts'

export interface Reference {
  readonly seq: Seq
  readonly relation: Relation
}

/** Messages with `after < seq <= upTo`: those that the channel received, or all if it is undefined. */
export interface TalkRange {
  readonly after: Seq | 0
  readonly upTo: Seq | 0
  readonly relation: Relation
  readonly channel: Channel | null | undefined
}

/** A thing that the fact begins (`first`), whose last fact it follows (`next`), or that it mentions. */
export interface ThingLink {
  readonly thing: Thing
  readonly id: string
  readonly as: 'first' | 'next' | Relation
}

export interface FactLinks {
  readonly references: readonly Reference[]
  readonly ranges: readonly TalkRange[]
  readonly things: readonly ThingLink[]
}

/**
 * Decodes the payload only if the row declares links. Of a damaged payload, only the links of the header
 * remain.
 */
export const getLinks = (entry: Entry): FactLinks => {
  const { seq, type, cause } = entry
  const relations = new Map<Seq, Relation>()
  const ranges: TalkRange[] = []
  const thingLinks: ThingLink[] = []
  // A cause is always earlier, so no walk goes in a circle.
  const refer = (position: unknown, relation: Relation) => {
    if (typeof position === 'number' && position < seq && position > 0 && !relations.has(position))
      relations.set(position, relation)
  }
  const { links = {} } = getTraits(type)
  const fields = readFields(entry, links)
  for (const [name, link] of Object.entries(links)) {
    const value = fields[name]
    if (!link || value === undefined || value === null) continue
    if ('to' in link) for (const item of toList(value)) refer(toPosition(item), link.to)
    else if ('thing' in link) thingLinks.push({ ...link, id: String(value) })
    else if (name === 'stimuli') addStimuli(value as Stimuli, fields.channel as Channel | null)
    else
      ranges.push({
        after: Number(fields.after),
        upTo: Number(value),
        relation: link.range,
        channel: undefined,
      })
  }
  function addStimuli({ after, upTo, due }: Stimuli, channel: Channel | null) {
    ranges.push({ after, upTo, relation: 'message', channel })
    for (const id of due) thingLinks.push({ thing: 'plan', id, as: 'due' })
  }
  refer(cause.undoes, 'undoes')
  refer(cause.turn, 'turn')
  return {
    references: [...relations].map(([to, relation]) => ({ seq: to, relation })),
    ranges,
    things: thingLinks,
  }
}

const readFields = (entry: Entry, links: Readonly<Record<string, Link | undefined>>): Payload =>
  Object.values(links).some((link) => link) ? (readEvent(entry) ?? {}) : {}

/** Returns null if the payload is damaged. */
export const readEvent = (entry: Entry): PersonaEvent | null => {
  try {
    return entry.event
  } catch (error) {
    if (error instanceof Damaged) return null
    throw error
  }
}

const toList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [value])
/** Of a position, or of an object that names one. */
const toPosition = (item: unknown): unknown =>
  typeof item === 'object' && item !== null && 'seq' in item ? item.seq : item
