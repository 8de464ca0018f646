/** Records whose words are gone: each must be named, with what is left of it, by a fact behind it. */
import type { Seq } from '../facts/fact-values.ts'
import { entryOf, isErased } from './record.ts'
import type { StoredRecord } from './stored-record.ts'

export interface Erasures {
  /** Records in their order. Damaged where a fact that says so cannot be read. */
  take(record: StoredRecord): void
  /** Those that nothing says of that they were erased: damage, or somebody else's hand. */
  unnamed(): readonly Erased[]
}

/** `left`: the SHA-256 of what is left of a fact. */
export interface Erased {
  readonly seq: Seq
  readonly left: string
}

export const createErasures = (): Erasures => {
  const open = new Map<Seq, string>()
  return {
    take: (record) => {
      if (isErased(record)) open.set(record.seq, record.salt.toString('hex'))
      if (record.type !== 'FactsErased') return
      const { event } = entryOf(record)
      if (event.type !== 'FactsErased') return
      for (const { seq, left } of event.facts) if (open.get(seq) === left) open.delete(seq)
    },
    unnamed: () => [...open].map(([seq, left]) => ({ seq, left })),
  }
}
