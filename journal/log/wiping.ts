/** A store as it is without the words of some facts: record by record, nothing else changed. */

import { kindOf } from '../facts/facts.ts'
import type { Erased } from './erasures.ts'
import { Damaged } from './errors.ts'
import { type Erasure, type Head, nowhere } from './journal.ts'
import { isIndex, isRecord, isSnapshot, partIn, seqOf } from './keys.ts'
import { decodeRecord, isErased, keepsItsWord, withoutWords } from './record.ts'
import type { Item } from './store.ts'

export interface Wiping {
  /** Damaged, Newer. */
  change(item: Item): Item | undefined
  /** Of the journal that went by. */
  head(): Head
  erased(): readonly Erased[]
}

export const createWiping = ({ seqs, parts, texts }: Erasure): Wiping => {
  const erased: Erased[] = []
  let last: Item | undefined
  /** Messages whose words are gone leave it: it is made anew. */
  let indexStands = true
  const record = ([key, value]: Item): Item => {
    const seq = seqOf(key)
    if (!seqs.has(seq)) return [key, value]
    const found = decodeRecord(seq, value)
    if (!keepsItsWord(found)) throw new Damaged(seq, 'its words are not the ones that were written')
    if (isErased(found)) return [key, value]
    const without = withoutWords(found)
    erased.push({ seq, left: without.left })
    indexStands &&= kindOf(found.type) !== 'talk'
    return [key, without.value]
  }
  return {
    change: (item) => {
      const [key, value] = item
      if (isRecord(key)) {
        last = item
        return record(item)
      }
      // Behind the records, by the order of keys.
      if (isIndex(key)) return indexStands ? item : undefined
      const part = partIn(key)
      if (part !== undefined) return parts.has(part) ? undefined : item
      return isSnapshot(key) && texts.some((text) => value.includes(text)) ? undefined : item
    },
    head: () => {
      if (!last) return nowhere
      const { seq, hash } = decodeRecord(seqOf(last[0]), last[1])
      return { seq, hash }
    },
    erased: () => erased,
  }
}
