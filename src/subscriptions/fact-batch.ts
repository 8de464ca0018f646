/** Reads the facts of one persona for a subscription, one batch at a time. */

import type { AuditEntry, Journal } from '../../facts/persona-journal.ts'
import { Damaged } from '../../journal/log/errors.ts'
import { createYielding } from '../../packages/kit/flow/yielding.ts'
import { formatAuditLine, formatOutsideLine } from '../audit/audit-line.ts'
import type { PersonaStore } from '../persona/persona-store.ts'
import { type Place, type Subscription, wantsKind } from './subscription.ts'

export interface FactBatch {
  /** One JSON object per fact. */
  readonly facts: readonly string[]
  /** Epoch ms and offset of the first and of the last fact; null if there is none. */
  readonly first: Pick<AuditEntry, 'at' | 'offset'> | null
  readonly last: Pick<AuditEntry, 'at' | 'offset'> | null
  /** The position after the batch. Facts that were not wanted are skipped. */
  readonly upTo: Place
  /** Whether facts follow that were not read. */
  readonly more: boolean
  /** Set if the journal is damaged after the batch. */
  readonly damage: string | null
}

export interface BatchLimits {
  readonly facts: number
  /** UTF-16 units. A single fact may exceed them. */
  readonly units: number
}

/** Max records per read, so that a scan does not keep the journal open. */
const maxRecords = 16_384

/**
 * `end`: the fixed end of a batch that is sent again. Returns null if the journal does not contain `after`:
 * a diary or a salvage replaced it. Throws Refused: persona_unknown, or JournalUnavailable.
 */
export const readBatch = (
  personas: Pick<PersonaStore, 'read'>,
  id: string,
  subscription: Pick<Subscription, 'kinds' | 'words'>,
  range: { readonly after: Place; readonly end: Place | null; readonly limits: BatchLimits },
): Promise<FactBatch | null> =>
  personas.read(id, ({ journal }) => readFrom(journal, createFormat(subscription), range))

type Format = (entry: AuditEntry) => string | null

/** Returns a function that returns null for facts that are not delivered. */
const createFormat = (subscription: Pick<Subscription, 'kinds' | 'words'>): Format => {
  const format = subscription.words ? formatAuditLine : formatOutsideLine
  return (entry) => (wantsKind(subscription, entry.type) ? format(entry) : null)
}

const readFrom = async (
  journal: Journal,
  format: Format,
  { after, end, limits }: Parameters<typeof readBatch>[3],
): Promise<FactBatch | null> => {
  const { head, damage } = journal
  const upTo = end?.seq ?? head.seq
  const facts: string[] = []
  let first: AuditEntry | null = null
  let last: AuditEntry | null = null
  let place: Place = after
  const finish = (reason: string | null): FactBatch => ({
    facts,
    first: first && { at: first.at, offset: first.offset },
    last: last && { at: last.at, offset: last.offset },
    upTo: { seq: place.seq, hash: place.hash },
    more: reason === null && place.seq < head.seq,
    damage: reason,
  })
  const maybeYield = createYielding()
  let units = 0
  let records = 0
  try {
    if (!(await contains(journal, after)) || (end && !(await contains(journal, end)))) return null
    for await (const entries of journal.audit(after, upTo)) {
      for (const entry of entries) {
        const line = format(entry)
        if (line !== null) {
          if (!end && facts.length > 0 && units + line.length > limits.units) return finish(null)
          facts.push(line.slice(0, -1))
          units += line.length
          first ??= entry
          last = entry
        }
        place = entry
        if (!end && (facts.length === limits.facts || ++records === maxRecords)) return finish(null)
      }
      await maybeYield()
    }
  } catch (error) {
    if (!(error instanceof Damaged)) throw error
    return finish(error.message)
  }
  return finish(damage && place.seq >= head.seq ? damage.message : null)
}

/** Throws Damaged if the record cannot be read. */
const contains = async (journal: Journal, { seq, hash }: Place): Promise<boolean> => {
  if (seq === 0) return true
  if (seq === journal.head.seq) return journal.head.hash === hash
  // A damaged journal ends early; its facts may come back.
  if (seq > journal.head.seq) return journal.damage !== undefined
  return (await journal.hashAt(seq)) === hash
}
