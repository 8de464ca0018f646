/** Collects the next texts to embed from a journal. */

import type { Seq } from '../../journal/facts/fact-values.ts'
import { getTraits } from '../../journal/facts/facts.ts'
import { Damaged } from '../../journal/log/errors.ts'
import type { Head } from '../../journal/log/head.ts'
import { createYielding } from '../../packages/kit/flow/yielding.ts'
import type { Reading } from '../persona/persona-store.ts'
import { readable } from './life-index.ts'
import { getSearchText, splitText } from './texts.ts'

/** Min parts per batch. */
const batchSize = 64

interface Batch {
  readonly parts: readonly { readonly seq: Seq; readonly text: string }[]
  readonly after: Head
  readonly upTo: Head
  readonly hasMore: boolean
}

/** Reads texts after a head. */
export const gather = async (
  { journal, persona }: Reading,
  after: Head,
  isStopped: () => boolean,
): Promise<Batch> => {
  const maybeYield = createYielding()
  const parts: { seq: Seq; text: string }[] = []
  let upTo: Head = { seq: after.seq, hash: after.hash }
  for await (const { entries, head } of readable(journal, upTo)) {
    for (const entry of entries) {
      const isSearchable = !entry.erased && getTraits(entry.type).search
      const searchText = isSearchable && (await unlessDamaged(getSearchText(entry, journal, persona)))
      if (searchText) for (const text of splitText(searchText.text)) parts.push({ seq: entry.seq, text })
    }
    upTo = head
    await maybeYield()
    if (isStopped()) break
    if (parts.length >= batchSize) return { parts, after, upTo, hasMore: true }
  }
  return { parts, after, upTo, hasMore: false }
}

const unlessDamaged = <T>(task: Promise<T>): Promise<T | undefined> =>
  task.catch((error: unknown) => {
    if (!(error instanceof Damaged)) throw error
    return undefined
  })
